/** Tests relays of messages: usage, quotas, names of models, faulty answers. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { jsonReply, resetReply, sseReply } from '../../testing/fakes/fake-upstream.ts'
import { messageFrames, messageObject } from '../../testing/fakes/fake-upstream-messages.ts'
import { type RelayGateway, startRelayGateway } from '../../testing/relay-gateway.ts'

const path = '/v1/messages'
const poorKey = 'sk-poor-access-key-0001'
const body = { max_tokens: 100, messages: [{ role: 'user', content: 'hello' }] }
const speech = { text: 'Hello there', usage: { input: 9, cached: 2, output: 3, reasoning: 1 } }

let relay: RelayGateway
before(async () => {
  relay = await startRelayGateway(
    url => `accounts:
  - id: poor
    keys: [{ name: poor, secret: ${poorKey}, quotas: { tokens: 200/day } }]
    endpoints: [{ name: default }]
models:
  - { id: plain, family: messages, targets: [{ driver: anthropic, base_url: "${url}", api_key: sk-ant-up, model: claude-up }] }
  - { id: ours, family: messages, model_in_answers: ours, targets: [{ driver: anthropic, base_url: "${url}", model: claude-up }] }
`,
  )
})
after(() => relay[Symbol.asyncDispose]())
beforeEach(() => {
  relay.upstream.received.length = 0
})

const ask = (model: string, more: object = {}, key?: string) =>
  relay.gateway.call(path, { body: { model, ...body, ...more }, ...(key === undefined ? {} : { key }) })

test("the quota is held for the whole token limit, and settled with the upstream's usage", async () => {
  relay.upstream.answer(jsonReply(messageObject(speech)))
  assert.equal((await ask('plain', {}, poorKey)).status, 200)
  const units = await recorded('plain', {}, poorKey)
  assert.deepEqual([units.input_tokens, units.cached_input_tokens, units.output_tokens, units.reasoning_tokens], [9, 2, 3, 1])
  assert.equal((await ask('plain', { max_tokens: 150 }, poorKey)).status, 200)
  const refused = await ask('plain', { max_tokens: 190 }, poorKey)
  assert.deepEqual([refused.status, refused.body.type, refused.body.error.type], [429, 'error', 'rate_limit_error'])
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assert.equal(relay.upstream.received.length, 2)
})

test('the usage of a stream is joined from its beginning and its end, with cache writes', async () => {
  const frames = messageFrames(speech)
  const start = { input_tokens: 4, cache_creation_input_tokens: 3, cache_read_input_tokens: 2, output_tokens: 1 }
  frames[0] = { event: 'message_start', data: { type: 'message_start', message: { id: 'msg_up', type: 'message', usage: start } } }
  relay.upstream.answer(sseReply(frames))
  const before = await usageOf('ours')
  await ask('ours', { stream: true })
  const after = await recorded('ours', before)
  const added = ['input_tokens', 'cached_input_tokens', 'cache_write_tokens', 'output_tokens'].map(
    unit => (after[unit] ?? 0) - (before[unit] ?? 0),
  )
  assert.deepEqual(added, [9, 2, 3, 3])
})

/** Waits until the usage of the model differs from `before`, and returns it. The wait is needed
 *  because a call is recorded only after its answer was sent. */
function recorded(model: string, before: Record<string, number>, key?: string): Promise<Record<string, number>> {
  return until(async () => {
    const used = await usageOf(model, key)
    return used.output_tokens === before.output_tokens ? undefined : used
  }, 'the record of the call')
}

async function usageOf(name: string, key?: string): Promise<Record<string, number>> {
  const { data } = (await relay.gateway.call('/v1/usage?group_by=model', key === undefined ? {} : { key })).body
  const own = data.filter(({ model }: { model: string }) => model === name)
  return Object.fromEntries(own.map(({ unit, units }: { unit: string; units: number }) => [unit, units]))
}

test("answers contain the gateway's model name when that is configured", async () => {
  relay.upstream.answer(jsonReply(messageObject(speech)))
  assert.equal((await ask('ours')).body.model, 'ours')
  assert.equal((await ask('plain')).body.model, 'up-1')
  relay.upstream.answer(sseReply(messageFrames(speech)))
  const { bytes } = await ask('ours', { stream: true })
  assert.match(bytes.toString(), /"message":\{[^}]*"model":"ours"/)
})

test('the error of a stream that breaks off contains the request id', async () => {
  relay.upstream.answer(resetReply(messageFrames(speech).slice(0, 4)))
  const { bytes, headers } = await ask('plain', { stream: true })
  const { type, error, request_id: id } = JSON.parse(/event: error\ndata: (.*)/.exec(bytes.toString())?.[1] ?? '{}')
  assert.deepEqual([type, error.type, id], ['error', 'api_error', headers.get('request-id')])
})

test('an answer that is no message is a failure in the form of the protocol', async () => {
  for (const [reply, type] of [
    [{}, 'api_error'],
    [{ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'overloaded_error'],
  ] as const) {
    relay.upstream.answer(jsonReply(reply))
    const { status, body } = await ask('plain')
    assert.ok(status >= 500, String(status))
    assert.deepEqual([body.type, body.error.type], ['error', type])
  }
})

test('ids of files at the upstream are refused, because they belong to no account', async () => {
  const source = { type: 'file', file_id: 'file_1' }
  for (const content of [[{ type: 'document', source }], [{ type: 'container_upload', file_id: 'file_1' }]]) {
    const { status, body } = await ask('plain', { messages: [{ role: 'user', content }] })
    assert.equal(status, 400)
    assert.match(body.error.message, /file_id/)
  }
  assert.equal(relay.upstream.received.length, 0)
})
