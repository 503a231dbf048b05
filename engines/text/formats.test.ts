/** Tests that answers have the form of JSON that a request demands. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { TextFormat, TextTool } from '@generation-gateway/kit/requests/text.ts'
import { Ajv } from 'ajv'
import { ask, needsModel as needs, openDriver, refusal, request } from './testing/ask.ts'

const driver = openDriver()
after(() => driver.close?.())

const person: JsonObject = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 20 },
    age: { type: 'integer', minimum: 18, maximum: 99 },
    score: { type: 'number', exclusiveMinimum: 0, maximum: 1 },
    born: { type: 'string', format: 'date' },
    tags: { type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 1, maxItems: 3 },
    mail: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/mail' }] },
  },
  required: ['name', 'age', 'score', 'born', 'tags', 'mail'],
  additionalProperties: false,
  $defs: { mail: { type: 'string', pattern: '^[a-z]{2,8}@[a-z]{2,8}\\.com$' } },
}
const list: JsonObject = {
  type: 'array',
  items: { type: 'object', properties: { word: { type: 'string', maxLength: 12 } }, required: ['word'] },
  minItems: 2,
  maxItems: 2,
}
const tree: JsonObject = {
  type: 'object',
  properties: { value: { type: 'integer', minimum: -3, maximum: 12 }, next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } },
  required: ['value', 'next'],
}

for (const [name, schema] of Object.entries({ person, list, tree })) {
  test(`an answer with the schema ${name} matches it at any temperature`, needs, async () => {
    const format: TextFormat = { type: 'json_schema', name, schema }
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema)
    const most = name === 'tree' ? 40 : 160
    const { text, result } = await ask(driver, request('Invent something.', { format, temperature: 1.3, seed: 2, maxOutputTokens: most }))
    // The tree is recursive, so it may grow until the token limit cuts the answer off. An answer
    // that ends by itself must match the schema.
    if (name === 'tree' && result.finish === 'length') assert.match(text, /^\{"value": -?\d+, "next": /)
    else assert.ok(validate(JSON.parse(text)), `${text}: ${JSON.stringify(validate.errors)}`)
  })
}

test('json_object gives an object', needs, async () => {
  const { text, result } = await ask(
    driver,
    request('Name a colour as JSON with the key "colour".', { format: { type: 'json_object' }, maxOutputTokens: 60 }),
  )
  assert.equal(result.finish, 'stop')
  assert.equal(typeof JSON.parse(text), 'object')
})

test('an unsupported keyword is refused by name in strict mode, and ignored otherwise', needs, async () => {
  const schema = { type: 'object', properties: { n: { type: 'integer', multipleOf: 7 } }, required: ['n'], additionalProperties: false }
  const format: TextFormat = { type: 'json_schema', name: 'odd', schema, strict: true }
  await assert.rejects(ask(driver, request('A number.', { format })), refusal('invalid_request', /multipleOf/))
  const { text } = await ask(driver, request('A number.', { format: { ...format, strict: false }, maxOutputTokens: 40 }))
  assert.match(text, /^\{"n": -?\d+\}$/)
  const tool: TextTool = { kind: 'function', name: 'f', parameters: schema, strict: true }
  const forced = { tools: [tool], toolChoice: { mode: 'required' as const }, maxOutputTokens: 60 }
  await assert.rejects(ask(driver, request('A number.', forced)), refusal('invalid_request', /multipleOf/))
  const { calls } = await ask(driver, request('A number.', { ...forced, tools: [{ ...tool, strict: null }] }))
  assert.match(calls[0]?.input ?? '', /^\{"n": -?\d+\}$/)
})
