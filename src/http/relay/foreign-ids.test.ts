/** Ids of responses as upstreams issue them. The gateway accepts every id again that it passed
 *  to a caller; an id that it could not accept does not reach a caller. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { errorReply, type FakeReply, frameText, jsonReply, sseReply } from '../../testing/fakes/fake-upstream.ts'
import { responseObject, responsesFrames } from '../../testing/fakes/fake-upstream-text.ts'
import { begin, exchange, type RelayGateway, relayYaml, startRelayGateway } from '../../testing/relay-gateway.ts'

const path = '/v1/ai/default/responses'
const otherKey = 'sk-other-account-01'
const other = `accounts:\n  - id: other\n    keys: [{ name: k, secret: ${otherKey} }]\n    endpoints: [{ name: default, routes: { chat: {}, responses: {} } }]\n`
const speech = { text: 'One two', usage: { input: 9, output: 3 } }

const start = (count = 1) => startRelayGateway((...urls) => other + relayYaml(urls.map(url => ({ url }))), { count })

/** Returns an answer with this id. */
const named = <T>(value: T, id: string): T => JSON.parse(JSON.stringify(value).replaceAll('"resp_up"', JSON.stringify(id)))
const whole = (id: string): FakeReply => jsonReply(named(responseObject(speech), id))

async function create({ gateway }: RelayGateway, fields: object = {}, key?: string) {
  const body = JSON.stringify({ model: 'm', input: 'hi', ...fields })
  const { status, text } = await exchange(gateway.url + path, { body, ...(key ? { key } : {}) })
  return { status, text, body: text.startsWith('{') ? JSON.parse(text) : undefined }
}

const read = ({ gateway }: RelayGateway, id: string, rest = '', sending: { method?: string; key?: string } = {}) =>
  gateway.call(`${path}/${encodeURIComponent(id)}${rest}`, sending)

/** Returns a reply with ids like those of LiteLLM's proxy: encrypted anew in each answer, 473
 *  characters long, ending in `=`. */
function liteLlm(): FakeReply {
  let made = 0
  const seal = (inner: string) => {
    const text = `litellm:custom_llm_provider:openai;model_id:~~?>;response_id:${inner};`
    return `resp_${Buffer.from(text + randomBytes(200).toString('hex'))
      .subarray(0, 350)
      .toString('base64')}`
  }
  const inside = (id: string) => /response_id:(\w+);/.exec(Buffer.from(id.slice('resp_'.length), 'base64').toString('latin1'))?.[1]
  return (response, { method, path: at, json }) => {
    const stored = /^\/v1\/responses\/([^/?]+)/.exec(at)?.[1]
    const reply = (): FakeReply => {
      if (stored !== undefined) {
        const inner = inside(decodeURIComponent(stored))
        if (inner === undefined) return errorReply(404, { message: 'Response not found.' })
        if (method === 'DELETE') return jsonReply({ id: seal(inner), object: 'response', deleted: true })
        return at.endsWith('/input_items') ? jsonReply({ object: 'list', data: [] }) : whole(seal(inner))
      }
      const { previous_response_id: previous, stream } = Object(json)
      if (previous && inside(previous) === undefined) return errorReply(400, { message: 'Unknown previous response.' })
      const inner = `inner${made++}`
      return stream === true ? sseReply(responsesFrames(speech).map(frame => named(frame, seal(inner)))) : whole(seal(inner))
    }
    return reply()(response, { method, path: at, json } as never)
  }
}

test("LiteLLM's ids, which change with every answer, work for reading, continuing, listing and deleting, for their own account only", async () => {
  await using own = await start()
  own.upstream.answer(liteLlm())
  const first = await create(own)
  assert.deepEqual([first.status, first.body.id.length, first.body.id.endsWith('=')], [200, 473, true], first.text)
  const again = await read(own, first.body.id)
  assert.equal(again.status, 200, again.bytes.toString())
  assert.notEqual(again.body.id, first.body.id)
  const streamed = await create(own, { stream: true, previous_response_id: again.body.id })
  assert.equal(streamed.status, 200, streamed.text)
  const ids = [...new Set([...streamed.text.matchAll(/"id":"(resp_[^"]+)"/g)].map(([, id = '']) => id))]
  assert.ok(ids.length >= 3, 'each event has an id of its own')
  for (const id of ids) {
    assert.equal((await read(own, id)).status, 200)
    assert.equal((await read(own, id, '/input_items')).status, 200)
    assert.equal((await create(own, { previous_response_id: id })).status, 200)
    assert.equal((await read(own, id, '', { key: otherKey })).status, 404)
    assert.equal((await create(own, { previous_response_id: id }, otherKey)).status, 400)
  }
  assert.equal((await read(own, again.body.id, '', { method: 'DELETE' })).status, 200)
  for (const id of [again.body.id, first.body.id]) assert.equal((await read(own, id)).status, 404)
})

test('a second id in a stream stands for the first: deleting one deletes both', async () => {
  await using own = await start()
  const [created, ...rest] = responsesFrames(speech)
  const isSeen = Promise.withResolvers<void>()
  own.upstream.answer(async response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(frameText(named(created!, 'first=')))
    await isSeen.promise
    response.end(rest.map(frame => frameText(named(frame, 'second='))).join(''))
  })
  const answer = await begin(own.gateway.url + path, { body: JSON.stringify({ model: 'm', input: 'hi', stream: true }) })
  for await (const chunk of answer) if (String(chunk).includes('first=')) isSeen.resolve()
  own.upstream.answer(jsonReply({ id: 'second=', object: 'response', deleted: true }))
  assert.equal((await read(own, 'second=', '', { method: 'DELETE' })).status, 200)
  assert.equal((await read(own, 'first=')).status, 404)
})

test("any visible characters may form an id, which is one segment of the upstream's path", async () => {
  await using own = await start()
  for (const id of [
    'ad5663da-63e6-86c6-e0be-ff15effa8357',
    'resp_a+b/c==',
    'r?x#y%2e%2e',
    'a..b',
    '%2e%2e',
    'resp.1:2',
    '~'.repeat(1_024),
  ]) {
    own.upstream.answer(whole(id))
    assert.equal((await create(own)).body?.id, id)
    const got = await read(own, id, '?include[]=x')
    assert.equal(got.status, 200, `${id}: ${got.bytes}`)
    const { path: requested = '' } = own.upstream.received.at(-1) ?? {}
    assert.equal(requested, `/v1/responses/${encodeURIComponent(id)}?include[]=x`)
    assert.equal((await read(own, id, '', { key: otherKey })).status, 404)
    assert.equal((await create(own, { previous_response_id: id })).status, 200)
  }
})

test("an id that could not be accepted back is a target's failure: it is not returned, and the next target answers", async () => {
  await using own = await start(2)
  own.upstreams[1]?.answer((response, request) => {
    const isStream = Object(request.json).stream === true
    return (isStream ? sseReply(named(responsesFrames(speech), 'resp_good')) : whole('resp_good'))(response, request)
  })
  for (const id of ['~'.repeat(1_025), 'resp x', 'resp_é', '..', 'a/../b', 'a\\..']) {
    own.upstream.answer(whole(id))
    assert.equal((await create(own)).body?.id, 'resp_good', id)
    own.upstream.answer(sseReply(named(responsesFrames(speech), id)))
    const { text } = await create(own, { stream: true })
    assert.deepEqual([text.includes('resp_good'), text.includes(JSON.stringify(id))], [true, false], id)
    own.upstream.answer(whole(id))
    assert.equal((await create(own, { store: false })).body?.id, id, 'nobody can ask for what is not stored')
  }
})

test('no path from a caller reaches another path at the upstream', async () => {
  await using own = await start()
  own.upstream.answer(whole('resp_1'))
  await create(own)
  own.upstream.received.length = 0
  for (const id of [
    '..%2Fmodels',
    '%2e%2e%2fmodels',
    '..',
    '%2e%2e',
    'resp_1%2F..%2Fresp_1',
    'resp_1%3Fx',
    'resp_1%23',
    '.%2Fresp_1',
    'resp_1%00',
    'resp_1%20',
  ]) {
    for (const method of ['GET', 'DELETE']) {
      const got = await exchange(`${own.gateway.url}${path}/${id}`, { method })
      assert.ok([400, 404, 405].includes(got.status), `${id}: ${got.status}`)
    }
  }
  assert.deepEqual(own.upstream.received, [])
})

test('the id of an answer is read from its own member, wherever it stands, and never from forged text', async () => {
  await using own = await start()
  const forged = { metadata: { id: 'resp_forged' }, instructions: '{"id":"resp_forged"}' }
  const text = 'x'.repeat(400_000)
  for (const size of ['small', 'large']) {
    const id = `resp_${size}`
    const output = [{ id: 'msg_1', type: 'message', content: [{ type: 'output_text', text: size === 'large' ? text : 'hi' }] }]
    own.upstream.answer(jsonReply({ ...forged, object: 'response', output, usage: { input_tokens: 1, output_tokens: 1 }, id }))
    assert.equal((await create(own)).body?.id, id)
    assert.equal((await read(own, id)).status, 200)
    assert.equal((await read(own, 'resp_forged')).status, 404)
  }
  own.upstream.answer(sseReply([{ ...forged, type: 'response.created', response: { ...forged, id: 'resp_own' } }, '[DONE]']))
  await create(own, { stream: true })
  own.upstream.answer(whole('resp_own'))
  assert.deepEqual([(await read(own, 'resp_own')).status, (await read(own, 'resp_forged')).status], [200, 404])
})

test('items keep the ids that the upstream gave them', async () => {
  await using own = await start()
  const item = `encitem_${'q+/'.repeat(200)}==`
  const output = [{ id: item, type: 'reasoning', summary: [] }]
  own.upstream.answer(jsonReply({ id: 'resp_items', object: 'response', output, usage: { input_tokens: 1, output_tokens: 1 } }))
  await create(own)
  const next = {
    input: [
      { type: 'item_reference', id: item },
      { role: 'user', content: 'on' },
    ],
  }
  assert.equal((await create(own, next)).status, 200)
  assert.equal((await create(own, next, otherKey)).status, 400)
})

test('a background response that is read under several ids is counted once', async () => {
  await using own = await start()
  const state = { status: 'in_progress', id: 'first=' }
  own.upstream.answer((response, request) => jsonReply({ ...responseObject(speech, state.status), id: state.id })(response, request))
  const { body } = await create(own, { background: true })
  for (const id of ['second=', 'third=']) {
    const last = state.id
    state.id = id
    state.status = id === 'third=' ? 'completed' : 'in_progress'
    assert.equal((await read(own, last)).body.id, id)
  }
  for (const id of [body.id, 'second=', 'third=']) assert.equal((await read(own, id)).status, 200)
  const usage = async () => {
    const { body: report } = await own.gateway.admin('/admin/usage?by=account&account=default')
    const lines: { unit: string; units: number }[] = report.usage
    return new Map(lines.map(({ unit, units }) => [unit, units]))
  }
  // The tokens of a request are stored no later than its record. Once the records of the create
  // request and of the five reads are stored, all tokens are counted.
  const counted = await until(async () => {
    const found = await usage()
    return (found.get('requests') ?? 0) >= 6 ? found : undefined
  }, 'the records')
  assert.deepEqual([counted.get('input_tokens'), counted.get('output_tokens')], [9, 3])
})
