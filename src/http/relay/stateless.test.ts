/** Upstream servers that store no responses: the gateway stores them instead. Tested with the
 *  whole program (docs/openai-compatible.md). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { errorReply, type FakeReply, jsonReply, rawReply, sseReply } from '../../testing/fakes/fake-upstream.ts'
import { responseObject, responsesFrames } from '../../testing/fakes/fake-upstream-text.ts'
import { callRows, exchange, type RelayGateway, relayYaml, startRelayGateway } from '../../testing/relay-gateway.ts'
import { llamaCppReply, lmStudioReply, vllmReply } from '../../testing/stateless-servers.ts'

const path = '/v1/ai/default/responses'
const otherKey = 'sk-other-account-01'
const other = `accounts:\n  - id: other\n    keys: [{ name: k, secret: ${otherKey} }]\n    endpoints: [{ name: default, routes: { chat: {}, responses: {} } }]\n`

/** Starts a gateway whose only target is this server. The configuration does not say whether the
 *  server stores responses, so the gateway has to find out. */
async function startOn(server: FakeReply, target: { stateless?: boolean; dialect?: string } = {}): Promise<RelayGateway> {
  const own = await startRelayGateway(url => other + relayYaml([{ url, dialect: 'basic', stateless: 'ask', ...target }]))
  own.upstream.answer(server)
  return own
}

async function create({ gateway }: RelayGateway, fields: object) {
  const { status, text } = await exchange(gateway.url + path, { body: JSON.stringify({ model: 'm', ...fields }) })
  assert.equal(status, 200, text)
  return JSON.parse(text)
}

/** Sends a streamed request that creates a response, and returns its last event. */
async function stream({ gateway }: RelayGateway, fields: object) {
  const { status, text } = await exchange(gateway.url + path, { body: JSON.stringify({ model: 'm', stream: true, ...fields }) })
  assert.equal(status, 200, text)
  const ended = text.split('\n').find(line => line.startsWith('data: {"type":"response.completed"'))
  assert.ok(ended, text)
  return JSON.parse(ended.slice(6)).response
}

const read = (own: RelayGateway, rest: string, sending: { method?: string; key?: string } = {}) =>
  own.gateway.call(`${path}/${rest}`, sending)
const creates = ({ upstream }: RelayGateway) => upstream.received.filter(({ method }) => method === 'POST')
const asks = ({ upstream }: RelayGateway) => upstream.received.filter(({ method }) => method === 'GET').map(each => each.path)

for (const [name, server] of [
  ['llama.cpp', llamaCppReply],
  ['vLLM', vllmReply],
  ['LM Studio', lmStudioReply],
] as const) {
  test(`${name}: a conversation is continued, read, listed and deleted by the gateway, whole and streamed`, async () => {
    await using own = await startOn(server)
    const first = await create(own, { input: 'My town is Oslo.' })
    const second = await stream(own, { input: 'Which town?', previous_response_id: first.id })
    const third = await create(own, { input: 'Sure?', previous_response_id: second.id })
    const items = await read(own, `${third.id}/input_items?order=asc`)
    const said = items.body.data.flatMap(({ content }: { content: { text: string }[] }) => content.map(({ text }) => text))
    assert.deepEqual(
      said.filter((text: string) => !text.startsWith('I was') && text !== 'Hm.'),
      ['My town is Oslo.', 'Which town?', 'Sure?'],
    )
    const { input, previous_response_id: previous, store } = Object(creates(own).at(-1)?.json)
    assert.deepEqual([JSON.stringify(input).includes('My town is Oslo.'), previous, store], [true, undefined, false])
    assert.deepEqual((await read(own, second.id)).body.output, second.output)
    assert.equal((await read(own, first.id, { key: otherKey })).status, 404)
    assert.equal((await read(own, first.id, { key: otherKey, method: 'DELETE' })).status, 404)
    assert.deepEqual((await read(own, first.id, { method: 'DELETE' })).body, { id: first.id, object: 'response', deleted: true })
    assert.equal((await read(own, first.id)).status, 404)
    const cancelled = await read(own, `${second.id}/cancel`, { method: 'POST' })
    assert.deepEqual([cancelled.status, cancelled.body.error.type], [400, 'invalid_request_error'])
    // The gateway sends GET requests only to find out whether the server stores responses.
    assert.ok(asks(own).length <= 3, asks(own).join(' '))
  })

  test(`${name}: a background response is a task of the gateway, streamed or read`, async () => {
    await using own = await startOn(server)
    const { id, status } = await create(own, { input: 'Think.', background: true })
    assert.equal(status, 'queued')
    const done = await until(async () => {
      const { body } = await read(own, id)
      return body.status === 'completed' ? body : undefined
    }, 'the response')
    assert.deepEqual([done.usage.input_tokens, done.usage.output_tokens], [20, 6])
    const next = await stream(own, { input: 'On.', previous_response_id: id, background: true })
    assert.equal(next.previous_response_id, id)
  })
}

test('a call of llama.cpp, whose events have no indexes, arrives whole and is answered in the next turn', async () => {
  await using own = await startOn(llamaCppReply)
  const tools = [{ type: 'function', name: 'weather', parameters: { type: 'object', properties: { town: { type: 'string' } } } }]
  const requested = await stream(own, { input: 'Weather?', tools })
  assert.deepEqual(
    requested.output.map(({ type }: { type: string }) => type),
    ['reasoning', 'message', 'function_call'],
  )
  assert.deepEqual([requested.output[2].name, requested.output[2].arguments], ['weather', '{"town":"Oslo"}'])
  const output = { type: 'function_call_output', call_id: requested.output[2].call_id, output: 'rain' }
  await create(own, { input: [output], previous_response_id: requested.id })
  assert.deepEqual(
    Object(creates(own).at(-1)?.json).input.map(({ type }: { type: string }) => type),
    ['message', 'reasoning', 'message', 'function_call', 'function_call_output'],
  )
})

test('a response with store false is relayed byte for byte, and not recorded', async () => {
  await using own = await startOn(llamaCppReply)
  const got = await create(own, { input: 'hi', store: false })
  assert.equal(got.id, 'resp_llama')
  assert.deepEqual([asks(own), (await read(own, 'resp_llama')).status], [[], 404])
})

test("responses stored by the gateway have the server's usage, once for each turn", async () => {
  await using own = await startOn(vllmReply)
  const first = await create(own, { input: 'One.' })
  await create(own, { input: 'Two.', previous_response_id: first.id })
  assert.equal((await read(own, first.id)).status, 200)
  const rows = await until(async () => [await callRows(own.gateway)].find(found => found.length === 2), 'the records')
  assert.deepEqual(rows.map(row => [row.input_tokens, row.output_tokens]).sort(), [
    [20, 6],
    [20, 6],
  ])
})

test('the setting has priority, and the server is not asked', async () => {
  {
    await using own = await startOn(vllmReply, { stateless: false })
    const { id } = await create(own, { input: 'hi' })
    assert.equal(id, 'resp_up', 'relayed as it came')
    assert.deepEqual(asks(own), [])
  }
  await using own = await startOn(jsonReply(responseObject({ text: 'hi' })), { stateless: true })
  const { id } = await create(own, { input: 'hi' })
  assert.match(id, /^resp_[0-9a-f]{48}$/)
  assert.deepEqual([asks(own), (await read(own, id)).status], [[], 200])
})

/** Imitates a server that stores its responses. For an unknown id it reports, as such servers do,
 *  that there is no such response. */
const keeper: FakeReply = (response, request) => {
  const { method, path: at, json } = request
  const reply = (): FakeReply => {
    if (at === '/v1/models') return jsonReply({ object: 'list', data: [{ id: 'up-1', owned_by: 'somebody' }] })
    if (at === '/v1/responses/resp_up') return jsonReply(responseObject({ text: 'hi' }))
    if (at.startsWith('/v1/responses/')) return errorReply(404, { message: `Response with id '${at.slice(14)}' not found.` })
    if (method !== 'POST') return errorReply(404, { message: `Invalid URL (${method} ${at})` })
    return Object(json).stream === true ? sseReply(responsesFrames({ text: 'hi' })) : jsonReply(responseObject({ text: 'hi' }))
  }
  return reply()(response, request)
}

test('a server that stores responses stores them itself', async () => {
  await using own = await startOn(keeper, { dialect: 'openai' })
  assert.equal((await create(own, { input: 'hi' })).id, 'resp_up')
  const before = asks(own).length
  assert.equal((await stream(own, { input: 'on', previous_response_id: 'resp_up' })).id, 'resp_up')
  assert.equal(Object(creates(own).at(-1)?.json).previous_response_id, 'resp_up')
  assert.equal(asks(own).length, before, 'asked once')
  assert.equal((await read(own, 'resp_up')).status, 200)
})

for (const [name, answer] of [
  ['a page', rawReply('<h1>Maintenance</h1>', 404, { 'content-type': 'text/html' })],
  ['status 405', jsonReply({ detail: 'Method Not Allowed' }, 405)],
  ['status 501', rawReply('', 501)],
] as const) {
  test(`a server that answers a reading with ${name} is stateless`, async () => {
    await using own = await startOn((response, request) =>
      (request.path.startsWith('/v1/responses/') ? answer : llamaCppReply)(response, request),
    )
    assert.match((await create(own, { input: 'hi' })).id, /^resp_[0-9a-f]{48}$/)
  })
}

for (const [name, answer] of [
  ['401', errorReply(401, {})],
  ['503', errorReply(503, {})],
  ['a broken connection', response => void response.destroy()],
  ['a proxy that knows no path yet', rawReply('default backend - 404', 404, { 'content-type': 'text/plain' })],
] as [string, FakeReply][]) {
  test(`${name} says nothing about the server: the body is relayed`, async () => {
    await using own = await startOn((response, request) => (request.method === 'GET' ? answer : keeper)(response, request))
    assert.equal((await create(own, { input: 'hi' })).id, 'resp_up')
  })
}

test('a response that one upstream stores stays there, whatever the other targets do', async () => {
  await using own = await startRelayGateway(
    (a = '', b = '') =>
      relayYaml([
        { url: a, stateless: false },
        { url: b, stateless: true },
      ]),
    { count: 2 },
  )
  own.upstream.answer(keeper)
  own.upstreams[1]?.answer(vllmReply)
  const { id } = await create(own, { input: 'hi' })
  assert.equal((await create(own, { input: 'on', previous_response_id: id })).id, 'resp_up')
  own.upstream.answer(errorReply(500, {}))
  const spare = await create(own, { input: 'hi' })
  assert.match(spare.id, /^resp_[0-9a-f]{48}$/, 'the spare target keeps nothing')
  own.upstream.answer(keeper)
  await create(own, { input: 'on', previous_response_id: spare.id })
  assert.match(JSON.stringify(Object(own.upstream.received.at(-1)?.json).input), /I was sent 1/)
})
