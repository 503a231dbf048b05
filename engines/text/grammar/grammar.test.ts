import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { TextRequest, TextTool } from '@generation-gateway/kit/requests/text.ts'
import { request } from '../testing/ask.ts'
import { gbnfMatcher } from '../testing/gbnf-match.ts'
import { gbnfToRegex, rulesOf } from '../testing/gbnf-regex.ts'
import { answerGrammar } from './answer-grammar.ts'
import { GbnfRules } from './gbnf.ts'
import { schemaToGbnf } from './json-schema.ts'

function gbnfOf(schema: JsonObject, isExact: boolean): string {
  const rules = new GbnfRules()
  return rules.render(schemaToGbnf(schema, rules, { where: 'The schema', isExact }))
}

function schemaRegex(schema: JsonObject, isExact = true): RegExp {
  return gbnfToRegex('root', rulesOf(gbnfOf(schema, isExact)))
}

test('properties are in their order, and optional ones may be left out', () => {
  const any = { enum: [1] }
  const regex = schemaRegex({ type: 'object', properties: { a: any, b: any, c: any }, required: ['b'] })
  for (const text of ['{"b": 1}', '{"a": 1, "b": 1}', '{"b": 1, "c": 1}', '{"a": 1, "b": 1, "c": 1}']) assert.ok(regex.test(text), text)
  for (const text of ['{}', '{"a": 1}', '{"a": 1, "c": 1}', '{"b": 1, "a": 1}', '{, "b": 1}']) assert.ok(!regex.test(text), text)
})

test('combined schemas enforce the rules of both', () => {
  const regex = schemaRegex({
    allOf: [
      { type: 'object', properties: { n: { type: 'number', minimum: 2 } }, required: ['n'] },
      { properties: { n: { type: 'integer', maximum: 4 } } },
    ],
  })
  for (const text of ['{"n": 2}', '{"n": 4}']) assert.ok(regex.test(text), text)
  for (const text of ['{}', '{"n": 1}', '{"n": 5}', '{"n": 2.5}']) assert.ok(!regex.test(text), text)
})

test('a $ref and an allOf beside it are both enforced, however they are nested', () => {
  const has = (name: string, value: string): JsonObject => ({ type: 'object', properties: { [name]: { const: value } }, required: [name] })
  const $defs: JsonObject = {
    a: has('a', 'A'),
    ab: { allOf: [{ $ref: '#/$defs/a' }, has('b', 'B')] },
    ac: { $ref: '#/$defs/a', allOf: [has('c', 'C')] },
  }
  const schemas: [schema: JsonObject, members: string][] = [
    [{ $ref: '#/$defs/a', allOf: [has('d', 'D')] }, 'ad'],
    [{ $ref: '#/$defs/ab', allOf: [has('d', 'D')] }, 'abd'],
    [{ $ref: '#/$defs/ac', allOf: [has('d', 'D')] }, 'acd'],
    [{ allOf: [{ $ref: '#/$defs/ab', allOf: [has('d', 'D')] }, { $ref: '#/$defs/ac' }] }, 'abcd'],
    [{ anyOf: [{ $ref: '#/$defs/ac', allOf: [has('d', 'D')] }], ...has('e', 'E') }, 'acde'],
    [{ oneOf: ['X', 'Y'].map(k => ({ $ref: '#/$defs/a', allOf: [has('k', k)] })) }, 'ak'],
  ]
  for (const [schema, members] of schemas)
    for (const isExact of [true, false]) {
      const regex = schemaRegex({ type: 'object', $defs, properties: { v: schema }, required: ['v'] }, isExact)
      const textOf = (names: string[]): string =>
        `{${names.map(name => `"${name}": "${name === 'k' ? 'Y' : name.toUpperCase()}"`).join(', ')}}`
      const fits = (names: string[]): boolean => ordersOf(names).some(order => regex.test(`{"v": ${textOf(order)}}`))
      const all = [...members]
      assert.ok(fits(all), `${members} ${isExact}`)
      for (const name of all) assert.ok(!fits(all.filter(each => each !== name)), `${members} without ${name} ${isExact}`)
    }
})

/** Returns the names in all orders. */
function ordersOf(names: string[]): string[][] {
  if (names.length < 2) return [names]
  return names.flatMap(first => ordersOf(names.filter(name => name !== first)).map(rest => [first, ...rest]))
}

test('a oneOf is enforced if no value can match two branches, and refused otherwise', () => {
  const kind = (name: string): JsonObject => ({ type: 'object', properties: { kind: { const: name } }, required: ['kind'] })
  assert.ok(schemaRegex({ oneOf: [kind('a'), kind('b'), { type: 'null' }] }).test('{"kind": "b"}'))
  assert.throws(() => schemaRegex({ oneOf: [{ type: 'string' }, { type: 'string', minLength: 2 }] }), /oneOf/)
})

test('lengths are in characters, and arrays have the required number of items', () => {
  const regex = schemaRegex({ type: 'array', items: { type: 'string', minLength: 2, maxLength: 3 }, minItems: 1, maxItems: 2 })
  for (const text of ['["日本"]', '["ab", "a\\n🎉"]']) assert.ok(regex.test(text), text)
  for (const text of ['[]', '["a"]', '["abcd"]', '["ab", "ab", "ab"]']) assert.ok(!regex.test(text), text)
})

/** A recursive schema whose grammar would double in size with every level. */
const doubling: JsonObject = { $ref: '#/$defs/a', maxProperties: 3 }

test('unsupported keywords are refused by name and place', () => {
  for (const [schema, name] of [
    [{ type: 'array', uniqueItems: true }, /"uniqueItems"/],
    [{ not: {} }, /"not"/],
    [{ type: 'object', properties: { a: { type: 'number', multipleOf: 0.1 } } }, /"multipleOf" at \/properties\/a/],
    [{ type: 'object', patternProperties: { a: {} } }, /"patternProperties"/],
    [{ type: 'string', format: 'idn-email' }, /format "idn-email"/],
    [{ $ref: 'https://example.com/x' }, /outside/],
    [{ if: {} }, /"if"/],
    [{ $defs: { a: { anyOf: [doubling, doubling] } }, ...doubling }, /more than 8000 schemas|more than 60 levels/],
  ] as [JsonObject, RegExp][]) {
    assert.throws(() => schemaRegex(schema), name, JSON.stringify(schema))
  }
})

test('with auto a call may follow text, and text never contains the call marker', () => {
  const tool: TextTool = { kind: 'function', name: 'f', parameters: { type: 'object', properties: {}, additionalProperties: false } }
  const grammar = (more: Partial<TextRequest>): string => answerGrammar(request('', { tools: [tool], ...more })) ?? ''
  const call = '<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>'
  const required = gbnfToRegex('root', rulesOf(grammar({ toolChoice: { mode: 'required' } })))
  assert.ok(required.test(call) && required.test(`${call}\n${call}`))
  assert.ok(!required.test('') && !required.test(`text ${call}`))
  const forced = gbnfToRegex('root', rulesOf(grammar({ toolChoice: { mode: 'required', only: ['f'] } })))
  assert.ok(forced.test(call) && !forced.test(`${call}\n${call}`))
  assert.equal(answerGrammar(request('', { tools: [tool], toolChoice: { mode: 'none' } })), undefined)
  assert.match(grammar({}), /tool_call/)
})

const city: TextTool = {
  kind: 'function',
  name: 'get_city',
  strict: true,
  parameters: { type: 'object', properties: { a: { type: 'integer' }, b: { enum: ['x'] } }, required: ['a'], additionalProperties: false },
}
const cities: TextTool = { kind: 'function', name: 'get_cities' }
const shout: TextTool = { kind: 'custom', name: 'shout', grammar: { syntax: 'regex', definition: '[A-Z]+' } }
const autoGrammar = (more: Partial<TextRequest> = {}): ((text: string) => boolean) =>
  gbnfMatcher(answerGrammar(request('', { tools: [city, cities, shout], ...more })) ?? '')

test('with auto, the arguments of a call of a declared tool follow its schema, in every form of a call', () => {
  const fits = autoGrammar()
  const around: [before: string, after: string][] = [
    ['', ''],
    ['I look. ', ''],
    ['```json\n', '\n```'],
    ['So:\n```json\n[\n  ', '\n]\n```'],
    ['<tool_call>\n', '\n</tool_call>'],
    ['{"x": 1} < { {{ ', ''],
  ]
  for (const [before, after] of around) {
    for (const call of [
      '{"name": "get_city", "arguments": {"a": 1}}',
      '{\n  "name": "get_city",\n  "arguments": {\n    "a": 1,\n    "b": "x"\n  }\n}',
      '{"name":"get_cities","arguments":{}}',
      '{"name": "shout", "input": "HEY"}',
    ])
      assert.ok(fits(`${before}${call}${after}`), `${before}${call}${after}`)
    for (const call of [
      '{"name": "get_city", "arguments": {"a": "1"}}',
      '{"name": "get_city", "arguments": {"a": 1, "c": 2}}',
      '{"name": "get_city", "arguments": {"a": 1}',
      '{"name": "get_cities", "arguments": {"a": 1}}',
      '{"name": "shout", "input": "hey"}',
    ])
      assert.ok(!fits(`${before}${call}${after}`), `${before}${call}${after}`)
  }
  assert.ok(fits('{"name": "shout", "arguments": {"input": "HEY"}}') && !fits('{"name": "shout", "arguments": {"input": "hey"}}'))
  assert.ok(!fits('<tool_call>\n{"name": "get", "arguments": {}}\n</tool_call>'), 'behind the mark stands a declared tool')
})

test('with auto, all other text is free, including JSON and markers that begin no call', () => {
  const fits = autoGrammar()
  for (const text of [
    '',
    'Hello, {name}! `a` < b << <tool',
    '```json\n{\n  "name": "Ada",\n  "arguments": {"a": "1"}\n}\n```\nand so on',
    '{"name": "get_city", "description": "a tool"}',
    '{"name": "get_city"}',
    '[{"name": "get", "arguments": {}}]',
    '日本 {"name": "get_cit',
  ])
    assert.ok(fits(text), text)
})

test('up to eight calls may follow one another, and only one if one is required', () => {
  const call = '{"name": "get_cities", "arguments": {}}'
  const [fits, fitsOne] = [autoGrammar(), autoGrammar({ parallelToolCalls: false })]
  const list = (count: number): string => `\`\`\`json\n[${Array.from({ length: count }, () => call).join(',\n')}]\n\`\`\``
  assert.ok(fits(list(8)) && !fits(list(9)) && fitsOne(list(1)) && !fitsOne(list(2)))
  const fences = `\`\`\`json\n${call}\n\`\`\`\n\n\`\`\`json\n${call}\n\`\`\``
  const marks = `<tool_call>\n${call}\n</tool_call>\n<tool_call>\n${call}\n</tool_call>`
  for (const text of [fences, marks, `${call}\n${call}`]) assert.ok(fits(text) && !fitsOne(text), text)
  assert.ok(!fits(`${call} and more`), 'behind calls stands no text')
})

test('unsupported parts of the schema of a non-strict tool are ignored, and its other parts are enforced', () => {
  const held = { n: { type: 'integer' } }
  const object = (more: JsonObject, properties: JsonObject = {}): JsonObject => ({
    type: 'object',
    properties: { ...held, ...properties },
    required: ['n'],
    ...more,
  })
  const value = (schema: JsonObject): JsonObject => object({ required: ['n', 'v'] }, { v: schema })
  const cases: [schema: JsonObject, yes: string[]][] = [
    [object({ not: { required: ['z'] } }), ['{"n": 1}']],
    [object({ if: { required: ['n'] }, else: false }), ['{"n": 1}']],
    [
      object({ propertyNames: { pattern: '^(?=n)' }, dependentRequired: { n: ['m'] }, dependentSchemas: {}, minProperties: 3 }),
      ['{"n": 1}'],
    ],
    [object({ patternProperties: { '^x-': { type: 'boolean' } }, additionalProperties: false }), ['{"n": 1}', '{"n": 1, "x-a": true}']],
    [object({ allOf: [{ if: {}, else: {} }, { properties: { n: { minimum: 0 } } }] }), ['{"n": 1}']],
    [object({ unevaluatedProperties: false, $anchor: 'a', 'x-y': 1, nullable: true }), ['{"n": 1}']],
    [
      value({ type: 'array', items: { enum: [1, 2] }, uniqueItems: true, contains: { const: 1 }, minContains: 1 }),
      ['{"n": 1, "v": [1, 2]}'],
    ],
    [value({ type: 'array', items: { enum: [1] }, maxItems: 5000 }), ['{"n": 1, "v": [1]}']],
    [value({ type: 'array', prefixItems: [{ const: 1 }], minItems: 2 }), ['{"n": 1, "v": [1, "a"]}']],
    [value({ type: 'number', multipleOf: 0.01, maximum: 1.123456789 }), ['{"n": 1, "v": 0.25}']],
    [value({ type: 'string', format: 'idn-email', minLength: 2 }), ['{"n": 1, "v": "äöü"}']],
    [value({ type: 'string', pattern: '^(?=.*[A-Z]).{8,}$', maxLength: 9 }), ['{"n": 1, "v": "Passwort"}']],
    [value({ type: 'string', pattern: '^a', format: 'date', maxLength: 5 }), ['{"n": 1, "v": "ab"}']],
    [value({ oneOf: [{ type: 'string' }, { type: 'string', minLength: 2 }] }), ['{"n": 1, "v": "abc"}']],
    [value({ anyOf: [{ const: 1 }, false], oneOf: [{ const: 1 }, { const: 2 }] }), ['{"n": 1, "v": 1}']],
    [value({ enum: ['a', 'b'], minLength: 1, pattern: 'a' }), ['{"n": 1, "v": "a"}']],
    [value({ $ref: 'https://example.com/schema' }), ['{"n": 1, "v": [null]}']],
    [object({}, { never: false }), ['{"n": 1}']],
  ]
  for (const [schema, yes] of cases) {
    const exact = (): unknown => schemaToGbnf(schema, new GbnfRules(), { where: 'x', isExact: true })
    if (!JSON.stringify(schema).includes('unevaluated')) assert.throws(exact, /x uses/, JSON.stringify(schema))
    const grammar = answerGrammar(
      request('', { tools: [{ kind: 'function', name: 'f', parameters: schema }], toolChoice: { mode: 'required', only: ['f'] } }),
    )
    const fits = gbnfMatcher(grammar ?? '')
    const call = (input: string): string => `<tool_call>\n{"name": "f", "arguments": ${input}}\n</tool_call>`
    for (const text of yes) assert.ok(fits(call(text)), `${text} fits ${JSON.stringify(schema)}`)
    for (const text of ['{}', '{"n": "1"}', '1', '{"n": 1, "v": 3, "w": 4}'])
      assert.ok(!fits(call(text)), `${text} fits not ${JSON.stringify(schema)}`)
  }
})

test('unsupported parts of a strict tool are refused by name, and an invalid or much too large tool always', () => {
  const grammar = (parameters: JsonObject, strict: boolean | null = null): string | undefined =>
    answerGrammar(request('', { tools: [{ kind: 'function', name: 'f', parameters, strict }] }))
  const parameters = { type: 'object', properties: { a: { type: 'array', uniqueItems: true } } }
  assert.ok(grammar(parameters) && grammar(parameters, false))
  assert.throws(
    () => grammar(parameters, true),
    /^GatewayError: The parameters of tool f uses the keyword "uniqueItems" at \/properties\/a/,
  )
  for (const [broken, name] of [
    [{ type: 'string' }, /must be an object/],
    [{ properties: { a: 'text' } }, /not a schema at \/properties\/a/],
    [{ properties: { a: { type: 'money' } } }, /type "money"/],
    [{ properties: { a: { enum: [] } } }, /enum/],
    [{ $defs: { a: { allOf: [{ $ref: '#/$defs/a' }] } }, properties: { a: { $ref: '#/$defs/a' } } }, /itself|levels/],
    [{ properties: { a: { $ref: '#/properties/a' } } }, /a \$ref to itself at \/properties\/a/],
    [{ $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, properties: { x: { $ref: '#/$defs/a' } } }, /a \$ref to itself/],
    [{ properties: { x: { anyOf: [{ type: 'string' }, { $ref: '#/properties/x' }] } } }, /a \$ref to itself/],
    [{ $ref: '#' }, /itself|levels/],
  ] as [JsonObject, RegExp][])
    assert.throws(() => grammar(broken), name, JSON.stringify(broken))
})

test('a $ref can point to any place of the schema, including lists and escaped names', () => {
  const listed = { anyOf: [{ type: 'integer' }, { const: 'x' }], prefixItems: [{ const: 1 }, { const: 2 }] }
  const odd = {
    'a/b': { const: 'slash' },
    'a~b': { const: 'tilde' },
    'a b%': { const: 'per cent' },
    é: { const: 'accent' },
    '0': { const: 'zero' },
  }
  const root: JsonObject = { $defs: { listed, odd, plain: { items: [{ const: 'old' }] } } }
  for (const [pointer, value] of [
    ['#/$defs/listed/anyOf/1', 'x'],
    ['#/$defs/listed/prefixItems/1', 2],
    ['#/$defs/plain/items/0', 'old'],
    ['#/$defs/odd/a~1b', 'slash'],
    ['#/$defs/odd/a~0b', 'tilde'],
    ['#/$defs/odd/a%20b%25', 'per cent'],
    ['#/$defs/odd/%C3%A9', 'accent'],
    ['#/$defs/odd/é', 'accent'],
    ['#/$defs/odd/0', 'zero'],
    ['#/%24defs/listed/anyOf/1', 'x'],
  ] as const) {
    const regex = schemaRegex({ ...root, type: 'object', properties: { v: { $ref: pointer } }, required: ['v'] })
    assert.ok(regex.test(`{"v": ${JSON.stringify(value)}}`), pointer)
    assert.ok(!regex.test('{"v": "another"}'), pointer)
  }
})

test('a $ref to nothing is ignored, and refused by name if the schema is strict', () => {
  const parameters = (pointer: string): JsonObject => ({
    ...{ type: 'object', $defs: { list: [{ const: 1 }], words: ['a', null], no: false } },
    ...{ properties: { n: { type: 'integer' }, v: { $ref: pointer } }, required: ['n', 'v'] },
  })
  for (const pointer of [
    ...[
      '#/$defs/none',
      '#/$defs/list/1',
      '#/$defs/list/-1',
      '#/$defs/list/-',
      '#/$defs/list/01',
      '#/$defs/list/length',
      '#/$defs/list/0x0',
    ],
    ...['#/$defs/words/0', '#/$defs/words/1', '#/$defs/no', '#/$defs/%zz', '#/$defs/__proto__', '#/$defs/constructor', '#/$defs/', '#/'],
  ]) {
    const where = { where: 'The schema', isExact: true }
    assert.throws(
      () => schemaToGbnf(parameters(pointer), new GbnfRules(), where),
      { message: `The schema uses a $ref to nothing (${pointer}) at /properties/v, which this engine cannot hold an answer to.` },
      pointer,
    )
    const fits = gbnfMatcher(gbnfOf(parameters(pointer), false))
    for (const value of ['1', '"a"', '{"b": [null]}']) assert.ok(fits(`{"n": 1, "v": ${value}}`), `${pointer} ${value}`)
    assert.ok(!fits('{"n": "a", "v": 1}'), pointer)
  }
  assert.ok(gbnfMatcher(gbnfOf({ $ref: '#/$defs/none' }, false))('[1]'))
  const joined = gbnfMatcher(gbnfOf({ allOf: [{ $ref: '#/$defs/none' }, { type: 'integer' }] }, false))
  assert.ok(joined('12') && !joined('"a"'))
})
