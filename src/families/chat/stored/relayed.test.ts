import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { errorReply, jsonReply } from '../../../testing/fakes/fake-upstream.ts'
import { type RelayGateway, relayYaml, startRelayGateway } from '../../../testing/relay-gateway.ts'

const path = '/v1/chat/completions'
const messages = [{ role: 'user', content: 'hello' }]
let full: RelayGateway
let basic: RelayGateway
before(async () => {
  full = await startRelayGateway()
  basic = await startRelayGateway(url => relayYaml([{ url, dialect: 'basic' }]))
})
after(async () => {
  await full[Symbol.asyncDispose]()
  await basic[Symbol.asyncDispose]()
})

function completion(id: string): object {
  const message = { role: 'assistant', content: 'Hi.' }
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
  return { id, object: 'chat.completion', created: 1, model: 'up-1', choices: [{ index: 0, message, finish_reason: 'stop' }], usage }
}

test('an upstream of the dialect openai stores the completion, and later reads are sent to it', async () => {
  const { gateway, upstream } = full
  const id = 'chatcmpl-up1'
  upstream.answer(jsonReply(completion(id)))
  const made = await gateway.call(path, { body: { model: 'm', messages, store: true, metadata: { a: 'b' } } })
  assert.deepEqual([made.status, made.body.id], [200, id])
  const sent = upstream.received.at(-1)!.json as Record<string, unknown>
  assert.deepEqual([sent.store, sent.metadata], [true, { a: 'b' }])
  assert.deepEqual((await gateway.call(path)).body.data, [], 'the list has what the gateway keeps')
  upstream.received.length = 0
  for (const [method, suffix, body] of [
    ['GET', '', undefined],
    ['GET', '/messages?limit=3', undefined],
    ['POST', '', { metadata: { a: 'c' } }],
    ['DELETE', '', undefined],
  ] as const) {
    upstream.answer(jsonReply(method === 'GET' && suffix !== '' ? { object: 'list', data: [] } : completion(id)))
    const answer = await gateway.call(`${path}/${id}${suffix}`, { method, ...(body ? { body } : {}) })
    assert.equal(answer.status, 200, `${method} ${suffix} ${JSON.stringify(answer.body)}`)
    const received = upstream.received.at(-1)!
    assert.deepEqual([received.method, received.path, received.json], [method, `/v1/chat/completions/${id}${suffix}`, body])
  }
  assert.equal((await gateway.call(`${path}/${id}`)).status, 404)
  assert.equal(upstream.received.length, 4)
})

test('a streamed completion can be read too, only by its own account, until the upstream has deleted it', async () => {
  const { gateway, upstream } = full
  upstream.answer()
  const made = await gateway.call(path, { body: { model: 'm', messages, store: true, stream: true } })
  const { id } = JSON.parse(made.bytes.toString().split('\n')[0]!.slice(6))
  await gateway.admin('/admin/accounts', { method: 'POST', body: { id: 'stranger' } })
  await gateway.admin('/admin/endpoints', { method: 'POST', body: { account: 'stranger', name: 'default' } })
  const { body } = await gateway.admin('/admin/keys', { method: 'POST', body: { account: 'stranger', name: 'k' } })
  upstream.received.length = 0
  upstream.answer(jsonReply(completion(id)))
  assert.equal((await gateway.call(`${path}/${id}`, { key: body.secret })).status, 404)
  assert.equal(upstream.received.length, 0)
  assert.equal((await gateway.call(`${path}/${id}`)).status, 200)
  upstream.answer(errorReply(404, {}))
  for (let i = 0; i < 2; i++) assert.equal((await gateway.call(`${path}/${id}`)).status, 404)
  assert.equal(upstream.received.length, 2, 'a forgotten one is not asked for again')
})

test('the gateway stores the completion when the upstream server is stateless', async () => {
  const { gateway, upstream } = basic
  const made = await gateway.call(path, { body: { model: 'm', messages, store: true, metadata: { a: 'b' } } })
  assert.equal(made.status, 200, JSON.stringify(made.body))
  const sent = upstream.received.at(-1)!.json as Record<string, unknown>
  assert.deepEqual([sent.store, sent.metadata], [undefined, undefined])
  assert.deepEqual((await gateway.call(`${path}/${made.body.id}`)).body, { ...made.body, metadata: { a: 'b' } })
})
