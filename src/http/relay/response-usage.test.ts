import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { type FakeFrame, type FakeReply, frameText, hangingReply, jsonReply, sseReply } from '../../testing/fakes/fake-upstream.ts'
import { responseObject, responsesFrames } from '../../testing/fakes/fake-upstream-text.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'
import { begin, exchange, type RelayGateway, relayYaml, startRelayGateway } from '../../testing/relay-gateway.ts'

/** Tests the token counts of background responses at upstreams, with the whole program. */
const path = '/v1/ai/default/responses'
const speech = { text: 'One two', usage: { input: 9, cached: 2, output: 3, reasoning: 1 } }
const counted = { input_tokens: 9, cached_input_tokens: 2, output_tokens: 3, reasoning_tokens: 1 }

function whole(id: string, status: string): FakeReply {
  return jsonReply({ ...responseObject(speech, status), id, background: true })
}

function streamed(id: string): FakeReply {
  const named: FakeFrame[] = JSON.parse(JSON.stringify(responsesFrames(speech)).replaceAll('resp_up', id))
  return sseReply(named)
}

async function create({ gateway, upstream }: RelayGateway, reply: FakeReply, fields: object = {}): Promise<void> {
  upstream.answer(reply)
  const got = await exchange(gateway.url + path, { body: JSON.stringify({ model: 'm', input: 'hi', background: true, ...fields }) })
  assert.equal(got.status, 200, got.text)
}

/** Returns the counted tokens by unit, once this many requests are recorded. The tokens of a
 *  request are written no later than its record. */
async function tokensAfter(gateway: TestGateway, requests: number, key?: string): Promise<Record<string, number>> {
  const read = async () => {
    const { body } = await gateway.admin('/admin/usage')
    const lines: { unit: string; units: number; keyId: string }[] = body.usage
    const total = (unit: string) => lines.reduce((sum, line) => sum + (line.unit === unit ? line.units : 0), 0)
    if (total('requests') < requests) return undefined
    const tokens = lines.filter(line => line.unit !== 'requests' && (key === undefined || line.keyId === key))
    return Object.fromEntries(tokens.map(({ unit }) => [unit, total(unit)]))
  }
  return until(read, `${requests} requests on record`)
}

test('tokens of a background response are counted when it is first seen ended, for the key that created it, and only once', async () => {
  await using own = await startRelayGateway()
  const { gateway, upstream } = own
  const read = async (at: TestGateway, key?: string) => {
    const got = await exchange(`${at.url}${path}/resp_b1`, key === undefined ? { method: 'GET' } : { method: 'GET', key })
    assert.equal(got.status, 200, got.text)
  }
  await create(own, whole('resp_b1', 'in_progress'))
  await read(gateway)
  assert.deepEqual(await tokensAfter(gateway, 2), { input_tokens: 3, output_tokens: 4_096 }, 'as it would be held')

  const { body: made } = await gateway.admin('/admin/keys', { body: { name: 'reader' } })
  upstream.answer(whole('resp_b1', 'completed'))
  await read(gateway, made.secret)
  await read(gateway)
  assert.deepEqual(await tokensAfter(gateway, 4), counted)
  const { body } = await gateway.admin('/admin/usage')
  const keysOf = (unit: string) =>
    body.usage.filter((line: { unit: string }) => line.unit === unit).map((line: { keyId: string }) => line.keyId)
  assert.equal(keysOf('output_tokens').includes(made.key.id), false)
  assert.equal(body.usage.find((line: { unit: string }) => line.unit === 'output_tokens').model, 'm')

  await gateway.stop()
  await using again = await startTestGateway({ dataDir: gateway.dataDir, yaml: relayYaml([{ url: upstream.baseUrl }]) })
  await read(again)
  upstream.answer(streamed('resp_b1'))
  const events = await exchange(`${again.url}${path}/resp_b1?stream=true&starting_after=1`, { method: 'GET' })
  assert.match(events.text, /response\.completed/)
  assert.deepEqual(await tokensAfter(again, 6), counted)
})

test('reading as events also counts the tokens, and so does the stream of the creation', async () => {
  await using own = await startRelayGateway()
  const { gateway, upstream } = own
  await create(own, whole('resp_b2', 'in_progress'))
  upstream.answer(streamed('resp_b2'))
  await exchange(`${gateway.url}${path}/resp_b2?stream=true`, { method: 'GET' })
  assert.deepEqual(await tokensAfter(gateway, 2), counted)

  await create(own, streamed('resp_b3'), { stream: true })
  upstream.answer(whole('resp_b3', 'completed'))
  await exchange(`${gateway.url}${path}/resp_b3`, { method: 'GET' })
  const twice = Object.fromEntries(Object.entries(counted).map(([unit, units]) => [unit, 2 * units]))
  assert.deepEqual(await tokensAfter(gateway, 4), twice)
})

test("a background stream whose caller disconnects counts the words so far, and the next reading counts the upstream's usage", async () => {
  await using own = await startRelayGateway()
  const { gateway, upstream } = own
  const frames: FakeFrame[] = JSON.parse(JSON.stringify(responsesFrames(speech)).replaceAll('resp_up', 'resp_b5'))
  upstream.answer(hangingReply(frames.slice(0, -1)))
  const body = JSON.stringify({ model: 'm', input: 'hi', background: true, stream: true })
  const response = await begin(gateway.url + path, { body })
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk
    if (text.includes('output_item.done')) break
  }
  assert.deepEqual(await tokensAfter(gateway, 1), { input_tokens: 3, output_tokens: 4_096 })
  upstream.answer(whole('resp_b5', 'completed'))
  await exchange(`${gateway.url}${path}/resp_b5`, { method: 'GET' })
  assert.deepEqual(await tokensAfter(gateway, 2), counted)
})

interface CreateAndReading {
  /** Number of words in the stream that the read returns. */
  words: number
  rest: FakeFrame[]
  isBackground?: boolean
}

/** Creates a streamed response at an upstream that sends the first events and then waits. Meanwhile
 *  reads the response as a stream, disconnects, and cancels the response. Resolves when the read
 *  and the cancellation are recorded. `finish` makes the upstream send `rest` and end the first
 *  stream. */
async function readWhileCreated({ gateway, upstream }: RelayGateway, id: string, { words, rest, isBackground = true }: CreateAndReading) {
  const named = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll('resp_up', id))
  const finish = Promise.withResolvers<void>()
  const delta = (text: string) => ({ event: 'response.output_text.delta', data: { type: 'response.output_text.delta', delta: text } })
  async function* created(): AsyncGenerator<FakeFrame> {
    yield* named(responsesFrames(speech).slice(0, 4))
    await finish.promise
    yield* named(rest)
  }
  upstream.answer(
    sseReply(created()),
    hangingReply(Array.from({ length: words }, (_, index) => delta(` word${index}`))),
    jsonReply({ ...responseObject(speech, 'cancelled'), id, usage: null }),
  )
  const body = JSON.stringify({ model: 'm', input: 'hi', background: isBackground, stream: true })
  const creating = await begin(gateway.url + path, { body })
  const parts = creating.setEncoding('utf8')[Symbol.asyncIterator]()
  assert.match(String((await parts.next()).value), new RegExp(id))
  const reading = await begin(`${gateway.url}${path}/${id}?stream=true`, { method: 'GET' })
  let text = ''
  for await (const chunk of reading.setEncoding('utf8')) {
    text += chunk
    if (text.includes(`word${words - 1}`)) break
  }
  const cancelled = await exchange(`${gateway.url}${path}/${id}/cancel`, { method: 'POST' })
  assert.equal(cancelled.status, 200, cancelled.text)
  await tokensAfter(gateway, 2)
  return {
    finish: async () => {
      finish.resolve()
      for (let part = await parts.next(); !part.done; part = await parts.next());
    },
    leave: () => creating.destroy(),
  }
}

test('words that a reading saw before the creation has ended are a lower bound for the count of the creation', async () => {
  await using own = await startRelayGateway()
  const { gateway } = own
  const ended = await readWhileCreated(own, 'resp_e1', { words: 5, rest: responsesFrames(speech).slice(4) })
  await ended.finish()
  assert.deepEqual(await tokensAfter(gateway, 3), counted, 'the counts of the upstream')

  await using other = await startRelayGateway()
  const left = await readWhileCreated(other, 'resp_e2', { words: 5, rest: [] })
  left.leave()
  assert.deepEqual(await tokensAfter(other.gateway, 3), { input_tokens: 3, output_tokens: 4_096 }, 'as it would be held')
  other.upstream.answer(whole('resp_e2', 'completed'))
  await exchange(`${other.gateway.url}${path}/resp_e2`, { method: 'GET' })
  assert.deepEqual(await tokensAfter(other.gateway, 4), counted)

  await using third = await startRelayGateway()
  const long = await readWhileCreated(third, 'resp_e3', { words: 5_000, rest: [] })
  long.leave()
  const { output_tokens = 0 } = await tokensAfter(third.gateway, 3)
  assert.ok(output_tokens >= 5_000, `${output_tokens} tokens, of 5,000 that were read`)
})

test('a reading during an open creation without background counts nothing itself', async () => {
  const isBackground = false
  await using own = await startRelayGateway()
  const ended = await readWhileCreated(own, 'resp_f1', { words: 5, rest: responsesFrames(speech).slice(4), isBackground })
  await ended.finish()
  assert.deepEqual(await tokensAfter(own.gateway, 3), counted, 'the counts of the upstream')

  await using other = await startRelayGateway()
  const left = await readWhileCreated(other, 'resp_f2', { words: 5_000, rest: [], isBackground })
  const shown = (await tokensAfter(other.gateway, 2)).output_tokens ?? 0
  assert.ok(shown >= 5_000, `${shown} tokens, of 5,000 that were read`)
  left.leave()
  assert.equal((await tokensAfter(other.gateway, 3)).output_tokens, shown, 'as many as the reading has shown')
  other.upstream.answer(whole('resp_f2', 'completed'))
  await exchange(`${other.gateway.url}${path}/resp_f2`, { method: 'GET' })
  const { output_tokens = 0 } = await tokensAfter(other.gateway, 4)
  assert.ok(output_tokens < 10, `${output_tokens} tokens: the counts of the upstream, and at least those of the create`)
})

test('a stored stream that is read as completed while its creation is open counts once', async () => {
  await using own = await startRelayGateway()
  const { gateway, upstream } = own
  const frames: FakeFrame[] = JSON.parse(JSON.stringify(responsesFrames(speech)).replaceAll('resp_up', 'resp_f3'))
  const finish = Promise.withResolvers<void>()
  async function* created(): AsyncGenerator<FakeFrame> {
    yield* frames.slice(0, 4)
    await finish.promise
    yield* frames.slice(4)
  }
  upstream.answer(sseReply(created()), jsonReply({ ...responseObject(speech), id: 'resp_f3' }))
  const creating = await begin(gateway.url + path, { body: JSON.stringify({ model: 'm', input: 'hi', stream: true }) })
  const parts = creating.setEncoding('utf8')[Symbol.asyncIterator]()
  assert.match(String((await parts.next()).value), /resp_f3/)
  await exchange(`${gateway.url}${path}/resp_f3`, { method: 'GET' })
  await tokensAfter(gateway, 1)
  finish.resolve()
  for (let part = await parts.next(); !part.done; part = await parts.next());
  assert.deepEqual(await tokensAfter(gateway, 2), counted)
})

test('reading as events counts the words so far when the caller disconnects, and a later count of zero does not lower this', async () => {
  await using own = await startRelayGateway()
  const { gateway, upstream } = own
  await create(own, whole('resp_b6', 'in_progress'), { max_output_tokens: 16 })
  const words = Array.from({ length: 500 }, (_, index) => {
    const type = 'response.output_text.delta'
    return { event: type, data: { type, delta: ` word${index}` } }
  })
  upstream.answer(hangingReply(words))
  for (let times = 0; times < 2; times += 1) {
    const response = await begin(`${gateway.url}${path}/resp_b6?stream=true`, { method: 'GET' })
    let text = ''
    for await (const chunk of response.setEncoding('utf8')) {
      text += chunk
      if (text.includes('word499')) break
    }
  }
  const outputs = async () => (await tokensAfter(gateway, 1)).output_tokens ?? 0
  await until(async () => (await outputs()) >= 500, 'the words')
  const said = await outputs()
  upstream.answer(jsonReply({ ...responseObject({ text: 'x' }, 'completed'), id: 'resp_b6', usage: { input_tokens: 0, output_tokens: 0 } }))
  await exchange(`${gateway.url}${path}/resp_b6`, { method: 'GET' })
  assert.equal((await tokensAfter(gateway, 4)).output_tokens, said)
})

test('a stored stream whose caller disconnects, and which is read later, counts completely and only once', async () => {
  await using own = await startRelayGateway()
  const { gateway, upstream } = own
  const frames: FakeFrame[] = JSON.parse(JSON.stringify(responsesFrames({ text: 'One two' })).replaceAll('resp_up', 'resp_b7'))
  upstream.answer(hangingReply(frames.slice(0, 4)))
  const response = await begin(gateway.url + path, { body: JSON.stringify({ model: 'm', input: 'hi', stream: true }) })
  for await (const chunk of response.setEncoding('utf8')) if (chunk.includes('output_text.delta')) break
  const before = await tokensAfter(gateway, 1)
  upstream.answer(jsonReply({ ...responseObject(speech), id: 'resp_b7', usage: { input_tokens: 9, output_tokens: 700 } }))
  for (let times = 0; times < 2; times += 1) await exchange(`${gateway.url}${path}/resp_b7`, { method: 'GET' })
  const after = await tokensAfter(gateway, 3)
  assert.ok((before.output_tokens ?? 0) < 10)
  assert.deepEqual([after.input_tokens, after.output_tokens], [9, 700])
})

test('an earlier turn that the upstream stores counts as input when the upstream reports no usage', async () => {
  await using own = await startRelayGateway()
  const { gateway } = own
  await create(own, whole('resp_d1', 'completed'), { background: false })
  await create(own, jsonReply({ ...responseObject(speech, 'completed'), id: 'resp_d2', usage: null }), {
    background: false,
    previous_response_id: 'resp_d1',
  })
  const { input_tokens } = await tokensAfter(gateway, 2)
  // The first turn had 9 tokens of input and 3 of output; the second turn adds the text "hi", which
  // counts as 3 tokens.
  assert.equal(input_tokens, counted.input_tokens + counted.input_tokens + counted.output_tokens + 3)
})

test('after a failover, the response of the answering target is stored', async () => {
  await using own = await startRelayGateway((...urls) => relayYaml(urls.map(url => ({ url }))), { count: 2 })
  const named = (id: string): FakeFrame[] => JSON.parse(JSON.stringify(responsesFrames(speech)).replaceAll('resp_up', id))
  own.upstream.answer(response => {
    const created = frameText(named('resp_first')[0] ?? '')
    const size = Buffer.byteLength(created).toString(16)
    response.socket?.write(
      `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n${size}\r\n${created}\r\nZZ\r\n`,
    )
  })
  own.upstreams[1]?.answer(sseReply(named('resp_second')))
  const got = await exchange(own.gateway.url + path, { body: JSON.stringify({ model: 'm', input: 'hi', stream: true }) })
  assert.match(got.text, /resp_second/)
  own.upstreams[1]?.answer(whole('resp_second', 'completed'))
  const read = await exchange(`${own.gateway.url}${path}/resp_second`, { method: 'GET' })
  assert.equal(read.status, 200, read.text)
})

test('a turn that needs translation cannot continue a background response of an upstream', async () => {
  await using own = await startRelayGateway(url => relayYaml([{ url, dialect: 'basic' }]))
  await create(own, whole('resp_b4', 'in_progress'))
  const content = [{ type: 'input_video', video_url: 'https://media.example/a.mp4' }]
  const body = JSON.stringify({ model: 'm', input: [{ role: 'user', content }], previous_response_id: 'resp_b4' })
  const got = await exchange(own.gateway.url + path, { body })
  assert.deepEqual([got.status, JSON.parse(got.text).error.code], [400, 'previous_response_not_found'], got.text)
})
