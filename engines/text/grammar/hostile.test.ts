import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { TextRequest, ToolGrammar } from '@generation-gateway/kit/requests/text.ts'
import { leastCpuMs } from '@generation-gateway/kit/testing/cpu-time.ts'
import { request } from '../testing/ask.ts'
import { answerGrammar } from './answer-grammar.ts'

/** Longest CPU time, in ms, that building the grammar of one answer may take. */
const mostMs = 1_000

const held = (syntax: ToolGrammar['syntax'], definition: string): TextRequest =>
  request('x', { tools: [{ kind: 'custom', name: 'f', grammar: { syntax, definition } }], toolChoice: { mode: 'required' } })
const regex = (definition: string) => held('regex', definition)
const lark = (definition: string) => held('lark', definition)
const schema = (of: JsonObject, strict = true): TextRequest =>
  request('x', { format: { type: 'json_schema', name: 's', schema: of, strict } })
const counted = <T>(length: number, make: (index: number) => T): T[] => Array.from({ length }, (_, index) => make(index))
const named = <T>(length: number, make: (index: number) => T): Record<string, T> =>
  Object.fromEntries(counted(length, index => [`n${index}`, make(index)]))

/** Builds the grammar for a request within the time limit. Returns the message of the refusal;
 *  undefined when the request is accepted. */
function refusalOf(what: TextRequest): string | undefined {
  let message: string | undefined
  const build = (): void => {
    try {
      answerGrammar(what)
    } catch (error) {
      assert.ok(error instanceof Error && 'code' in error && error.code === 'invalid_request', String(error))
      message = error.message
    }
  }
  const ms = leastCpuMs(build, mostMs)
  assert.ok(ms < mostMs, `${ms.toFixed(0)} ms`)
  return message
}

test('a regular expression that can match a text in very many ways is refused', () => {
  for (const source of [
    '.?'.repeat(1900),
    '(a*b*c*d*)*'.repeat(25),
    '(.?){200}',
    '(ab)?'.repeat(60),
    '((((((.*)*)*)*)*)*)*',
    '(x|.|..)*.*'.repeat(9),
  ])
    assert.match(refusalOf(regex(source)) ?? '', /too ambiguous/, source.slice(0, 30))
})

test('usual regular expressions are not ambiguous', () => {
  for (const source of [
    '[a-z]+( [a-z]+)*',
    '.{0,200}',
    '[a-z]{999}'.repeat(20),
    '(\\d{1,3}\\.){3}\\d{1,3}',
    '([a-z]+ ?)*',
    '.*foo.*bar.*',
    '\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2})?Z?)?',
    '[\\w.+-]+@[\\w-]+(\\.[\\w-]+)+',
    counted(300, index => `word${index}`).join('|'),
  ])
    assert.equal(refusalOf(regex(source)), undefined, source.slice(0, 30))
})

test('usual lark grammars are not ambiguous, hostile ones are refused', () => {
  const sum =
    'start: term (("+" | "-") term)*\nterm: factor (("*" | "/") factor)*\nfactor: NUMBER | "(" start ")"\n%import common.NUMBER\n%ignore " "'
  const json =
    'start: value\nvalue: object | array | STRING | NUMBER | "true" | "false" | "null"\nobject: "{" [pair ("," pair)*] "}"\npair: STRING ":" value\narray: "[" [value ("," value)*] "]"\n%import common.ESCAPED_STRING -> STRING\n%import common.NUMBER\n%import common.WS\n%ignore WS'
  for (const definition of [sum, json]) assert.equal(refusalOf(lark(definition)), undefined)
  const chain = counted(400, index => `a${index}: a${index + 1}?`).join('\n')
  assert.equal(refusalOf(lark(`start: a0 "x"\n${chain}\na400: "x"?`)), undefined)
  assert.match(refusalOf(lark(`start: ${'OPTIONAL '.repeat(900)}\nOPTIONAL: /a?/`)) ?? '', /too ambiguous/)
  const doubling = counted(60, index => `a${index}: a${index + 1} a${index + 1}`).join('\n')
  assert.match(refusalOf(lark(`start: a0\n${doubling}\na60: "x"`)) ?? '', /too ambiguous/)
  assert.match(refusalOf(lark(counted(2000, index => `a${index}:b`).join('\n'))) ?? '', /more than 500 rules/)
  for (const [open, close] of ['()', '[]']) {
    assert.match(refusalOf(lark(`start: ${open?.repeat(7900)}"x"${close?.repeat(7900)}`)) ?? '', /more than 40 groups/)
  }
  assert.match(refusalOf(regex(`a${'?'.repeat(3900)}`)) ?? '', /more than 3 counts/)
})

test('schemas that expand without end, or need too many comparisons, are refused', () => {
  const doubling = named(30, index => ({ allOf: [{ $ref: `#/$defs/n${index + 1}` }, { $ref: `#/$defs/n${index + 1}` }] }))
  const object = { type: 'object', properties: { a: { type: 'null' } } }
  assert.match(refusalOf(schema({ $defs: { ...doubling, n30: object }, $ref: '#/$defs/n0' })) ?? '', /more than 8000 schemas/)
  const branches = counted(700, index => ({ type: 'object', required: ['a'], properties: { a: { const: index } } }))
  assert.match(refusalOf(schema({ oneOf: branches })) ?? '', /too much to compare/)
  const many = (from: number) => ({ enum: counted(20_000, index => from + index) })
  assert.match(refusalOf(schema({ oneOf: [many(0), many(20_000)] })) ?? '', /too much to compare/)
})

test('non-strict schemas are read or refused in bounded time too', () => {
  const doubling = named(30, index => ({ allOf: [{ $ref: `#/$defs/n${index + 1}` }, { $ref: `#/$defs/n${index + 1}` }] }))
  const itself = { $defs: { a: { allOf: [{ $ref: '#/$defs/a' }] } }, properties: { a: { $ref: '#/$defs/a' } } }
  const cases: [JsonObject, RegExp | undefined][] = [
    [{ $defs: { ...doubling, n30: { type: 'object', not: {} } }, $ref: '#/$defs/n0' }, /more than 8000 schemas/],
    [itself, /a \$ref to itself/],
    [{ oneOf: counted(700, index => ({ type: 'object', required: ['a'], properties: { a: { const: index } } })) }, undefined],
    [{ type: 'object', properties: named(300, () => ({ type: 'string', pattern: '^([ab]c?){900}$' })) }, undefined],
    [{ type: 'object', properties: named(300, () => ({ type: 'string', pattern: '.?'.repeat(1900), maxLength: 1000 })) }, undefined],
    [{ type: 'object', patternProperties: named(3000, () => ({ type: 'string' })), minProperties: 1_000_000 }, undefined],
    [{ allOf: counted(3000, index => ({ if: { const: index }, else: { multipleOf: index } })) }, undefined],
  ]
  for (const [of, refused] of cases) {
    const refusal = refusalOf(schema(of, false))
    if (refused) assert.match(refusal ?? '', refused)
    else assert.equal(refusal, undefined, JSON.stringify(of).slice(0, 80))
  }
})

test('the total cost of many tools and patterns has a limit', () => {
  const grammars = counted(30, index => ({
    kind: 'custom' as const,
    name: `f${index}`,
    grammar: { syntax: 'lark' as const, definition: `start: "${'a'.repeat(3000)}"` },
  }))
  assert.match(refusalOf(request('x', { tools: grammars })) ?? '', /at most 64000/)
  const properties = named(300, () => ({ type: 'string', pattern: '^([ab]c?){900}$' }))
  assert.match(refusalOf(schema({ type: 'object', properties, additionalProperties: false })) ?? '', /too ambiguous/)
})
