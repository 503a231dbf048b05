import assert from 'node:assert/strict'
import { test } from 'node:test'
import { once } from '@generation-gateway/kit/driver.ts'
import { type ErrorCode, errorCatalogue, GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Job } from '@generation-gateway/kit/requests/job.ts'
import type { TextEvent, TextRequest } from '@generation-gateway/kit/requests/text.ts'
import { Validator } from '@seriousme/openapi-schema-validator'
import { f1 } from '../../families/f1-image/family.ts'
import { families } from '../../families/index.ts'
import { assertDocumented, assertFits, bodyOf, compile, document, operationOf, operations } from '../../testing/documented.ts'
import { donePixel, fakeImageDriver, fakeModelYaml } from '../../testing/fakes/fake-driver.ts'
import { type Finish, fakeTextDriver, fakeTextYaml } from '../../testing/fakes/fake-text-driver.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'
import type { Keywords } from '../keywords.ts'
import type { Operation } from '../operation.ts'
import { openapiDocument } from './openapi.ts'

test('the document is OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate({ ...structuredClone(document) })
  assert.ok(valid, JSON.stringify(errors))
  assert.equal(document.openapi, '3.1.0')
})

test('every operation has an id that a client can use as the name of a method, and no other has', () => {
  const ids = operations.map(({ operation }) => operation.operationId)
  assert.deepEqual(
    ids.filter(id => !/^[a-z][A-Za-z0-9]{2,}$/.test(id)),
    [],
  )
  assert.equal(new Set(ids).size, ids.length)
})

test('every part of a path is a parameter', () => {
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
    const answers = Object.values(operation.responses).flatMap(({ content }) => Object.values(content))
    for (const { schema, examples: shown = {} } of [...answers, bodyOf(operation) ?? { schema: {} }]) {
      compile(schema)
      for (const [title, { value }] of Object.entries(shown)) {
        assertFits(schema, value, `${method} ${path}: ${title}`)
        examples += 1
      }
    }
  }
  assert.ok(examples >= 15, `only ${examples} examples`)
})

test('a list of files has the limits of its field', () => {
  const declared = families
    .flatMap(({ family }) => Object.values<Operation>(family.operations))
    .flatMap(({ operationId, body }) =>
      Object.entries(body?.schema.properties ?? {}).flatMap(([name, { items, minItems, maxItems }]: [string, Keywords]) =>
        items?.file ? [{ operationId, name, limits: { minItems, maxItems } }] : [],
      ),
    )
  assert.ok(declared.some(({ limits }) => limits.maxItems !== undefined))
  for (const { operationId, name, limits } of declared) {
    const { $ref = '' }: { $ref?: string } = bodyOf(operationOf(operationId).operation)?.schema ?? {}
    const { properties = {} }: Keywords = document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {}
    const { minItems, maxItems } = properties[name] ?? {}
    assert.deepEqual({ minItems, maxItems }, limits, `${operationId}: ${name}`)
  }
})

test('every answer and every event has a name', () => {
  for (const { operation } of operations) {
    for (const [status, { content }] of Object.entries(operation.responses)) {
      for (const [type, { schema }] of Object.entries(content)) {
        // A file or a plain text is described by its media type alone, so only JSON and events have
        // schemas.
        if (type !== 'application/json' && type !== 'text/event-stream') continue
        const { anyOf = [schema] } = schema as { anyOf?: object[] }
        for (const each of anyOf)
          assert.match(String(Reflect.get(each, '$ref')), /^#\/components\/schemas\//, `${operation.operationId} ${status}`)
      }
    }
  }
  for (const name of ['ChatCompletion', 'ChatCompletionChunk', 'ModelResponse', 'ResponseStreamEvent', 'ImageTask', 'ErrorResponse'])
    assert.ok(document.components.schemas[name], name)
})

test('a name stands for one schema, and an id for one operation', () => {
  const { submit, result } = f1.operations
  const given = { ...f1, operations: { submit, result: { ...result, operationId: 'generateImage' } } }
  assert.throws(() => openapiDocument([given], { version: '0', engines: [] }), /two operations have the id generateImage/)
  const other = { ...submit.reply, schema: { ...submit.reply.schema, name: 'ImageTask' } }
  const twice = { ...f1, operations: { submit: { ...submit, reply: other }, result } }
  assert.throws(() => openapiDocument([twice], { version: '0', engines: [] }), /two schemas have the name ImageTask/)
  const { name: _name, ...nameless } = submit.reply.schema as object as { name: string }
  const without = { ...f1, operations: { submit: { ...submit, reply: { ...submit.reply, schema: nameless } } } }
  assert.throws(() => openapiDocument([without], { version: '0', engines: [] }), /the schema of generateImage has no name/)
})

test('every error of the catalogue has the body that its family says it has', () => {
  for (const { family } of families) {
    // The cast is safe: the keys of the catalogue are the codes, but Object.keys is typed as
    // string.
    for (const code of Object.keys(errorCatalogue) as ErrorCode[]) {
      const issues = [{ path: ['body', 'items', 0], message: 'It is wrong.', rule: 'type' }]
      for (const details of [{}, { subject: 'x', field: 'items[0]', issues }]) {
        const { body, schema } = family.failure(new GatewayError(code, 'It is wrong.', details), 'req_1')
        const { name } = schema as { name?: string }
        assertFits({ $ref: `#/components/schemas/${name}` }, body, `${family.id} ${code}`)
      }
    }
  }
})

test('a picture’s task, its history and its end match the OpenAPI document', async () => {
  await using gateway = await startTestGateway({ drivers: [fakeImageDriver('f', once(donePixel))], yaml: fakeModelYaml('f') })
  const url = '/v1/ai/default/imgf/image/generate'
  const done = await gateway.call(url, { body: { prompt: 'x', model: 'fake', seed: 7 } })
  assertDocumented('generateImage', done)
  await gateway.result(done.body.polling_url)
  assertDocumented('getImageTask', await gateway.call(done.body.polling_url))
  const history = await gateway.call(done.body.polling_url.replace('?', '/events?'))
  for (const event of eventsOf(history.bytes)) assertDocumented('watchImageTask', { status: 200, body: event }, 'text/event-stream')
  const waiting = await gateway.call(url, { body: { prompt: 'x' } })
  assertDocumented('getImageTask', await gateway.call(waiting.body.polling_url))
  assertDocumented('cancelImageTask', await gateway.call(waiting.body.polling_url, { method: 'DELETE' }))
})

test('a conversation matches the OpenAPI document, whole, streamed, stored and listed', async () => {
  await using gateway = await startTestGateway({ drivers: [fakeTextDriver('t', sayAll)], yaml: fakeTextYaml('t') })
  const messages = [{ role: 'user', content: 'x' }]
  const tools = [
    { type: 'function', function: { name: 'weather' } },
    { type: 'custom', custom: { name: 'sum' } },
  ]
  const chat = { model: 'fake', messages, tools, logprobs: true }
  await assertBoth(gateway, 'createChatCompletion', '/v1/ai/default/chat/completions', chat)
  const requested = {
    model: 'fake',
    input: 'x',
    tools: [
      { type: 'function', name: 'weather' },
      { type: 'custom', name: 'sum' },
    ],
    top_logprobs: 1,
  }
  const include = ['message.output_text.logprobs', 'reasoning.encrypted_content']
  const response = await assertBoth(gateway, 'createResponse', '/v1/ai/default/responses', { ...requested, include })
  const stored = `/v1/ai/default/responses/${response.id}`
  assertDocumented('getResponse', await gateway.call(stored))
  for (const event of eventsOf((await gateway.call(`${stored}?stream=true`)).bytes))
    assertDocumented('getResponse', { status: 200, body: event }, 'text/event-stream')
  assertDocumented('listInputItems', await gateway.call(`${stored}/input_items`))
  assertDocumented('deleteResponse', await gateway.call(stored, { method: 'DELETE' }))
  const background = await gateway.call('/v1/responses', { body: { ...requested, background: true } })
  assertDocumented('cancelResponse', await gateway.call(`/v1/responses/${background.body.id}/cancel`, { method: 'POST' }))
})

test('a stream that breaks reports its error as the OpenAPI document says', async () => {
  const driver = fakeTextDriver('t', async function* () {
    yield { type: 'text', delta: 'One ' }
    throw new Error('the model is gone')
  })
  await using gateway = await startTestGateway({ drivers: [driver], yaml: fakeTextYaml('t') })
  const { bytes } = await gateway.call('/v1/responses', { body: { model: 'fake', input: 'x', stream: true } })
  const events = eventsOf(bytes)
  for (const event of events) assertDocumented('createResponse', { status: 200, body: event }, 'text/event-stream')
  assert.deepEqual(events.map(({ type }) => type).slice(-2), ['error', 'response.failed'])
})

test('models and usage match the OpenAPI document', async () => {
  await using gateway = await startTestGateway()
  assertDocumented('listModels', await gateway.call('/v1/ai/default/models'))
  assertDocumented('listModelsEverywhere', await gateway.call('/v1/models'))
  assertDocumented('getModel', await gateway.call('/v1/ai/default/models/smollm2-135m-instruct'))
  assertDocumented('getUsage', await gateway.call('/v1/ai/default/usage'))
})

/** Yields every kind of event that a model can produce. */
async function* sayAll(_job: Job<TextRequest>): AsyncIterable<TextEvent | Finish> {
  yield { type: 'reasoning', part: 'summary', delta: 'Hm.' }
  yield { type: 'reasoning', part: 'content', delta: 'Well.' }
  yield { type: 'reasoning-end', encrypted: 'sealed' }
  yield {
    type: 'text',
    delta: 'Yes.',
    logprobs: [{ token: 'Yes.', logprob: -0.1, bytes: [89], top: [{ token: 'No.', logprob: -2, bytes: null }] }],
  }
  yield { type: 'refusal', delta: 'No.' }
  yield { type: 'call', index: 0, kind: 'function', callId: 'call_1', name: 'weather' }
  yield { type: 'call-input', index: 0, delta: '{}' }
  yield { type: 'call', index: 1, kind: 'custom', callId: 'call_2', name: 'sum' }
  yield { type: 'call-input', index: 1, delta: '1 + 1' }
  yield { type: 'finish', finish: 'tool_calls' }
}

/** Sends the request both without and with streaming; returns the unstreamed answer. */
async function assertBoth(gateway: TestGateway, id: string, url: string, body: object) {
  const whole = await gateway.call(url, { body })
  assertDocumented(id, whole)
  const events = eventsOf((await gateway.call(url, { body: { ...body, stream: true } })).bytes)
  assert.ok(events.length > 5, `only ${events.length} events`)
  for (const event of events) assertDocumented(id, { status: 200, body: event }, 'text/event-stream')
  return whole.body
}

/** Returns the data of the events, without the final `[DONE]`. */
function eventsOf(bytes: Buffer): { type?: string }[] {
  const data = [...bytes.toString().matchAll(/^data: (.*)$/gm)].map(([, text = '']) => text)
  return data.filter(text => text !== '[DONE]').map(text => JSON.parse(text))
}
