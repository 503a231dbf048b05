import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { once } from '../contract/driver.ts'
import { families } from '../families/index.ts'
import { donePixel, fakeImageDriver, fakeModelYaml } from '../testing/fake-driver.ts'
import { type Answer, startTestGateway } from '../testing/gateway.ts'
import { openapiDocument } from './openapi.ts'

interface Described {
  operationId: string
  parameters: { name: string; in: string; required: boolean; schema: object }[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { content: Record<string, Media> }>
}
interface Media {
  schema: object
  examples?: Record<string, { value: unknown }>
}
interface Document {
  openapi: string
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, object> }
}

// The document as a client gets it: text that was parsed.
const document: Document = JSON.parse(
  JSON.stringify(
    openapiDocument(
      families.map(entry => entry.family),
      { version: '0.0.0' },
    ),
  ),
)
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
)
// Strict but for our own `x-` keywords and formats that need a plug-in: an unknown keyword is a mistake.
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, formats: { uri: value => URL.canParse(value) } })
for (const name of ['x-unit', 'x-groups', 'x-source', 'x-mustBe', 'x-secret']) ajv.addKeyword(name)
ajv.addSchema({ $id: 'document', $defs: document.components.schemas })

function compile(schema: object): ValidateFunction {
  return ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"document#/$defs/')))
}

function assertFits(schema: object, value: unknown, what: string): void {
  const validate = compile(schema)
  assert.ok(validate(value), `${what}: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(value)}`)
}

function described(path: string, method: string): Described {
  const found = document.paths[path]?.[method]
  assert.ok(found, `${method} ${path}`)
  return found
}

test('operation ids are unique, and every part of a path is a parameter', () => {
  assert.equal(document.openapi, '3.1.0')
  const ids = operations.map(({ operation }) => operation.operationId)
  assert.equal(new Set(ids).size, ids.length)
  for (const { path, operation } of operations) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const declared = operation.parameters.filter(parameter => parameter.in === 'path')
    assert.deepEqual(
      declared.map(parameter => parameter.name),
      inPath,
      path,
    )
    assert.ok(declared.every(parameter => parameter.required))
  }
})

test('every schema is valid JSON Schema 2020-12, and every example fits its own', () => {
  let examples = 0
  for (const { path, method, operation } of operations) {
    for (const { schema } of operation.parameters) compile(schema)
    const media = [operation.requestBody, ...Object.values(operation.responses)].flatMap(part => Object.values(part?.content ?? {}))
    for (const { schema, examples: shown = {} } of media) {
      compile(schema)
      for (const [title, { value }] of Object.entries(shown)) {
        assertFits(schema, value, `${method} ${path}: ${title}`)
        examples += 1
      }
    }
  }
  assert.ok(examples >= 5, `only ${examples} examples`)
})

test('what the gateway answers is what the document says', async () => {
  await using gateway = await startTestGateway({ drivers: [fakeImageDriver('f', once(donePixel))], yaml: fakeModelYaml('f') })
  const submitPath = '/v1/ai/{endpoint}/imgf/image/generate'
  const readPath = '/v1/ai/{endpoint}/imgf/get_result'
  const fits = (path: string, method: string, { status, body }: Answer) => {
    const { responses } = described(path, method)
    const media = (responses[status] ?? responses.default)?.content['application/json']
    assert.ok(media, `${method} ${path} ${status}`)
    assertFits(media.schema, body, `${method} ${path} ${status}`)
  }
  const url = submitPath.replace('{endpoint}', 'default')
  const done = await gateway.call(url, { body: { prompt: 'x', model: 'fake', seed: 7 } })
  fits(submitPath, 'post', done)
  await gateway.result(done.body.polling_url)
  fits(readPath, 'get', await gateway.call(done.body.polling_url))
  const waiting = await gateway.call(url, { body: { prompt: 'x' } })
  fits(readPath, 'get', await gateway.call(waiting.body.polling_url))
  fits(readPath, 'delete', await gateway.call(waiting.body.polling_url, { method: 'DELETE' }))
  const errors = [
    await gateway.call(url, { body: { prompt: 'x', width: 1 } }),
    await gateway.call(url, { body: { prompt: 'x' }, key: false }),
    await gateway.call(url, { raw: '{' }),
    await gateway.call(url, { body: { prompt: 'x', model: 'none' } }),
  ]
  for (const error of errors) {
    assert.ok(error.status >= 400)
    fits(submitPath, 'post', error)
  }
  fits(readPath, 'get', await gateway.call('/v1/ai/default/imgf/get_result?id=none'))
})
