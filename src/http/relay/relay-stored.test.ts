import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { createFakeClock } from '../../testing/clock.ts'
import { errorReply, type FakeReply, jsonReply, sseReply } from '../../testing/fakes/fake-upstream.ts'
import { responseObject, responsesFrames } from '../../testing/fakes/fake-upstream-text.ts'
import { begin, callRows, exchange, type RelayGateway, relayYaml, startRelayGateway } from '../../testing/relay-gateway.ts'

/** Tests responses that the upstream stores, with the whole program. */
const path = '/v1/ai/default/responses'
const otherKey = 'sk-other-account-01'
const other = `accounts:\n  - id: other\n    keys: [{ name: k, secret: ${otherKey} }]\n    endpoints: [{ name: default, routes: { chat: {}, responses: {} } }]\n`
const speech = { text: 'One two', usage: { input: 9, cached: 2, output: 3, reasoning: 1 } }
let made = 0

let two: RelayGateway
before(async () => {
  two = await startRelayGateway((...urls) => other + relayYaml(urls.map(url => ({ url }))), { count: 2 })
})
after(() => two[Symbol.asyncDispose]())

/** Returns a reply that contains a response with this id. Each test uses its own ids, because an
 *  id belongs to only one account. */
function keeps(id: string, isStream = false): FakeReply {
  const named = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll('resp_up', id))
  return isStream ? sseReply(named(responsesFrames(speech))) : jsonReply(named(responseObject(speech)))
}

function nextId(): string {
  made += 1
  return `resp_kept${made}`
}

/** Creates a response at the first target. */
async function create(fields: object = {}, isStream = false): Promise<string> {
  const id = nextId()
  const { gateway, upstream } = two
  upstream.answer(keeps(id, isStream))
  const body = JSON.stringify({ model: 'm', input: 'hi', ...(isStream ? { stream: true } : {}), ...fields })
  const got = await exchange(gateway.url + path, { body })
  assert.deepEqual([got.status, got.text.includes(id)], [200, true], got.text)
  for (const each of two.upstreams) each.received.length = 0
  return id
}

test('operations on a stored response go to the target that stores it, for its own account only', async () => {
  const { gateway, upstream, upstreams } = two
  const url = gateway.url + path
  for (const isStream of [false, true]) {
    const id = await create({}, isStream)
    upstream.answer(jsonReply({ id, object: 'response', usage: { input_tokens: 9, output_tokens: 3 } }))
    const requested = [
      ['GET', `/${id}`],
      ['GET', `/${id}?include[]=x&after=1`],
      ['GET', `/${id}/input_items?limit=2&order=asc`],
      ['POST', `/${id}/cancel`],
    ]
    for (const [method = '', rest] of requested) {
      const foreign = await exchange(url + rest, { method, key: otherKey })
      assert.equal(foreign.status, 404, `${method} ${rest}: ${foreign.text}`)
      const got = await exchange(url + rest, { method })
      assert.equal(got.status, 200, `${method} ${rest}: ${got.text}`)
    }
    assert.deepEqual(
      upstream.received.map(({ method, path: to }) => [method, to]),
      requested.map(([method, rest]) => [method, `/v1/responses${rest}`]),
    )
    const foreign = await exchange(url, { body: JSON.stringify({ model: 'm', input: 'x', previous_response_id: id }), key: otherKey })
    assert.deepEqual([foreign.status, JSON.parse(foreign.text).error.code], [400, 'previous_response_not_found'])
    upstream.answer(keeps(nextId()))
    const chained = await exchange(url, { body: JSON.stringify({ model: 'm', input: 'x', previous_response_id: id }) })
    assert.equal(chained.status, 200)
    assert.equal(Reflect.get(Object(upstream.received.at(-1)?.json), 'previous_response_id'), id)
    upstream.answer(jsonReply({ id, object: 'response', deleted: true }))
    assert.equal((await exchange(`${url}/${id}`, { method: 'DELETE', key: otherKey })).status, 404)
    assert.equal((await exchange(`${url}/${id}`, { method: 'DELETE' })).status, 200)
    const before = upstream.received.length
    await until(async () => (await exchange(`${url}/${id}`, { method: 'GET' })).status === 404, 'the deletion')
    assert.ok(upstream.received.length - before <= 1)
  }
  assert.equal(upstreams[1]?.received.length, 0)
})

test('a continued response is sent to its target, even when that fails', async () => {
  const { gateway, upstream, upstreams } = two
  const id = await create()
  upstream.answer(errorReply(500, {}))
  const got = await exchange(gateway.url + path, { body: JSON.stringify({ model: 'm', input: 'x', previous_response_id: id }) })
  assert.equal(got.status, 502)
  assert.equal(upstreams[1]?.received.length, 0)
})

test('a continued response is sent to its target even while the breaker is open, and its error is returned', async () => {
  const clock = createFakeClock()
  await using own = await startRelayGateway((...urls) => relayYaml(urls.map(url => ({ url }))), { count: 2, clock })
  const { upstream, upstreams } = own
  const send = (fields: object) => exchange(own.gateway.url + path, { body: JSON.stringify({ model: 'm', input: 'x', ...fields }) })
  upstream.answer(keeps('resp_paused'))
  assert.equal((await send({})).status, 200)
  const failures: [name: string, reply: FakeReply, times: number, status: number][] = [
    ['a rate limit', errorReply(429, { code: 'rate_limit_exceeded' }, { 'retry-after': '30' }), 1, 429],
    ['an open breaker', errorReply(500, {}), 5, 502],
  ]
  for (const [name, reply, times, status] of failures) {
    upstream.answer(reply)
    for (let count = 0; count < times; count++) assert.equal((await send({ store: false })).status, 200, 'the other target answers')
    const [before, others] = upstreams.map(({ received }) => received.length)
    assert.equal((await send({ store: false })).status, 200)
    assert.equal(upstream.received.length, before, `${name}: the target is left alone`)
    const refused = await send({ previous_response_id: 'resp_paused' })
    assert.equal(refused.status, status, `${name}: ${refused.text}`)
    upstream.answer(keeps('resp_paused'))
    const chained = await send({ previous_response_id: 'resp_paused' })
    assert.deepEqual([chained.status, chained.text.includes('resp_paused')], [200, true], `${name}: ${chained.text}`)
    assert.equal(upstreams[1]?.received.length, Number(others) + 1, name)
    clock.step(60_000)
  }
})

test('reading a stored response counts no tokens a second time', async () => {
  await using own = await startRelayGateway()
  const url = own.gateway.url + path
  own.upstream.answer(keeps('resp_once'))
  await exchange(url, { body: JSON.stringify({ model: 'm', input: 'hi' }) })
  assert.equal((await exchange(`${url}/resp_once`, { method: 'GET' })).status, 200)
  const rows = await until(async () => [await callRows(own.gateway)].find(found => found.length === 2), 'both records')
  assert.deepEqual(rows.map(row => row.output_tokens).sort(), [0, 3])
})

test('the record is on disk before the caller receives the id', async () => {
  const { gateway, upstream } = two
  const id = nextId()
  const goOn = Promise.withResolvers<void>()
  upstream.answer(async response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const frame = { type: 'response.created', response: { id, status: 'in_progress' } }
    response.write(`event: response.created\ndata: ${JSON.stringify(frame)}\n\n`)
    await goOn.promise
    response.end('data: [DONE]\n\n')
  })
  const response = await begin(gateway.url + path, { body: JSON.stringify({ model: 'm', input: 'x', stream: true }) })
  const parts = response.setEncoding('utf8')[Symbol.asyncIterator]()
  assert.ok(String((await parts.next()).value).includes(id))
  upstream.answer(jsonReply({ id }))
  assert.equal((await exchange(`${gateway.url + path}/${id}`, { method: 'GET' })).status, 200)
  goOn.resolve()
  response.destroy()
})

test('with store false nothing is recorded', async () => {
  const id = await create({ store: false })
  const got = await exchange(`${two.gateway.url + path}/${id}`, { method: 'GET' })
  assert.equal(got.status, 404)
  assert.equal(two.upstream.received.length, 0)
})

test('responses through a chat server, and chat through a responses server, work whole and streamed', async () => {
  for (const [protocols, to, sent] of [
    ['chat', path, '/v1/chat/completions'],
    ['responses', '/v1/ai/default/chat/completions', '/v1/responses'],
  ] as const) {
    await using own = await startRelayGateway(url => relayYaml([{ url, protocols }]))
    for (const stream of [false, true]) {
      const body = { model: 'm', stream, ...(protocols === 'chat' ? { input: 'x' } : { messages: [{ role: 'user', content: 'x' }] }) }
      const got = await exchange(own.gateway.url + to, { body: JSON.stringify(body) })
      assert.equal(got.status, 200, got.text)
      assert.ok(got.text.includes('Hello'), got.text)
      assert.equal(got.text.includes('data: '), stream)
      assert.equal(own.upstream.received.at(-1)?.path, sent)
    }
    const rows = await until(async () => [await callRows(own.gateway)].find(found => found.length === 2), 'the records')
    assert.deepEqual(
      rows.map(row => [row.status, row.input_tokens, row.output_tokens]),
      [
        [200, 11, 5],
        [200, 11, 5],
      ],
    )
  }
})

test('failover from a target that relays to one that translates works', async () => {
  for (const [first, to] of [
    ['responses', path],
    ['chat', '/v1/ai/default/chat/completions'],
  ]) {
    const second = first === 'chat' ? 'responses' : 'chat'
    await using own = await startRelayGateway(
      (a = '', b = '') =>
        relayYaml([
          { url: a, protocols: first ?? '' },
          { url: b, protocols: second },
        ]),
      { count: 2 },
    )
    own.upstream.answer(errorReply(500, {}))
    for (const stream of [false, true]) {
      const body = { model: 'm', stream, ...(first === 'chat' ? { messages: [{ role: 'user', content: 'x' }] } : { input: 'x' }) }
      const got = await exchange(own.gateway.url + to, { body: JSON.stringify(body) })
      assert.deepEqual([got.status, got.text.includes('Hello')], [200, true], got.text)
    }
    assert.deepEqual([own.upstream.received.length, own.upstreams[1]?.received.length], [2, 2])
  }
})
