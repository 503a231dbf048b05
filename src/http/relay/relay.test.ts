/** Relays chat through the whole program, and checks the bytes that the caller gets.
 *  `relay-ends.test.ts` tests how calls end. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, mock, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { type FakeReply, jsonReply, rawReply, sseReply } from '../../testing/fakes/fake-upstream.ts'
import { chatFrames } from '../../testing/fakes/fake-upstream-text.ts'
import { testKey } from '../../testing/gateway.ts'
import { begin, callRows, exchange, type RelayGateway, startRelayGateway, upstreamKey } from '../../testing/relay-gateway.ts'
import { Call } from '../call/call.ts'
import { keepAlive } from '../events/sse.ts'

const path = '/v1/ai/default/chat/completions'
const ask = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hello' }] })
const askStream = JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'hello' }] })
const speech = { text: 'One two three', usage: { input: 9, cached: 2, output: 3, reasoning: 1 } }

let shared: RelayGateway
before(async () => {
  shared = await startRelayGateway()
})
after(() => shared[Symbol.asyncDispose]())

/** Prepares the shared gateway for a test: forgets earlier requests, and sets the replies of the
 *  upstream. */
function upstreamWith(...replies: FakeReply[]) {
  const { upstream } = shared
  upstream.received.length = 0
  upstream.answer(...replies)
  return upstream
}

/** Returns a reply that sends exactly these bytes, each piece in a write of its own. */
function pieces(list: readonly (string | Buffer)[]): FakeReply {
  return async response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.socket?.setNoDelay(true)
    for (const piece of list) {
      response.write(piece)
      await turn()
    }
    response.end()
  }
}

function framesText(frames: readonly unknown[]): string {
  return frames.map(frame => `data: ${typeof frame === 'string' ? frame : JSON.stringify(frame)}\n\n`).join('')
}

test('the tokens of a request are estimated only when the upstream reports none', async t => {
  const expected = t.mock.getter(Call.prototype, 'expected')
  const answer = { id: 'x', choices: [{ message: { content: 'Hello.' } }] }
  const usage = { prompt_tokens: 3, completion_tokens: 4 }
  for (const [reported, estimates] of [
    [{ ...answer, usage }, 0],
    [answer, 1],
  ] as const) {
    upstreamWith(jsonReply(reported))
    const { headers } = await exchange(shared.gateway.url + path, { body: ask })
    const id = headers['x-request-id']
    await until(async () => (await callRows(shared.gateway)).some(row => row.request_id === id), 'the record')
    assert.equal(expected.mock.callCount(), estimates)
  }
})

test("the upstream gets the caller's bytes except for the model, with the key of the target", async () => {
  const answer =
    '{ "id":"x",\n "choices" : [{"message":{}}], "big":12345678901234567890, "u":"\\u00e9\\ud83d", "usage":{"prompt_tokens":3,"completion_tokens":4} }'
  const body =
    '{ "unknown" : {"n": 1.0e+2}, "metadata":{"model":"m"},\n\t"big":123456789012345678901234567890, "messages":[{"role":"user","content":"\\u00e9 \\ud83d\\ude00 é"}] ,"model" :"m" ,"last":null}\n'
  for (const _ of ['not known yet', 'known']) {
    const upstream = upstreamWith(rawReply(answer, 200, { 'content-type': 'application/json; charset=utf-8', 'x-secret-of-upstream': '1' }))
    const got = await exchange(shared.gateway.url + path, {
      body,
      headers: { 'x-api-key': 'other', cookie: 'a=b', traceparent: '00-a-b-01' },
    })
    const [sent] = upstream.received
    assert.equal(sent?.body.toString(), body.replace('"model" :"m"', '"model" :"up-1"'))
    assert.equal(sent?.path, '/v1/chat/completions')
    assert.equal(sent?.headers.authorization, `Bearer ${upstreamKey}`)
    assert.equal(sent?.headers['content-length'], String(sent?.body.length))
    assert.equal(sent?.headers.traceparent, '00-a-b-01')
    assert.ok(!JSON.stringify(sent?.headers).includes(testKey))
    assert.deepEqual([sent?.headers.cookie, sent?.headers['x-api-key']], [undefined, undefined])
    assert.deepEqual([got.status, got.text], [200, answer])
    assert.equal(got.headers['content-type'], 'application/json; charset=utf-8')
    assert.match(String(got.headers['x-request-id']), /^[0-9a-f-]{36}$/)
    assert.equal(got.headers['x-secret-of-upstream'], undefined)
  }
})

test('a large answer is relayed completely', async () => {
  const large = JSON.stringify({
    choices: [{ message: { content: 'x'.repeat(300_000) } }],
    usage: { prompt_tokens: 1, completion_tokens: 2 },
  })
  upstreamWith(rawReply(large, 200, { 'content-type': 'application/json' }))
  assert.equal((await exchange(shared.gateway.url + path, { body: ask })).text, large)
})

test('a stream is relayed byte for byte, as it arrives', async () => {
  const text = `: hi\r\n\r\nevent: x\r\ndata: {"n":12345678901234567890}\r\n\r\n${framesText(chatFrames(speech))}`
  const requested = JSON.stringify({ ...JSON.parse(askStream), stream_options: { include_usage: true } })
  for (const list of [[text], [...text]]) {
    upstreamWith(pieces(list))
    const got = await exchange(shared.gateway.url + path, { body: requested })
    assert.equal(got.text, text)
    assert.match(String(got.headers['content-type']), /^text\/event-stream/)
  }
  let goOn = () => {}
  const waiting = new Promise<void>(resolve => {
    goOn = resolve
  })
  upstreamWith(
    sseReply(
      (async function* () {
        yield 'first'
        await waiting
        yield 'second'
      })(),
    ),
  )
  const response = await begin(shared.gateway.url + path, { body: requested })
  const parts = response.setEncoding('utf8')[Symbol.asyncIterator]()
  assert.equal((await parts.next()).value, 'data: first\n\n')
  goOn()
  assert.equal((await parts.next()).value, 'data: second\n\n')
  response.destroy()
})

test('usage is requested, hidden from a caller who did not request it, and recorded, however the stream is split', async () => {
  await using own = await startRelayGateway()
  const frames = chatFrames(speech)
  const visible = framesText(frames.filter(frame => !(typeof frame === 'object' && 'usage' in frame)))
  const text = framesText(frames)
  for (const list of [[text], [...text]]) {
    own.upstream.answer(pieces(list))
    const got = await exchange(own.gateway.url + path, { body: askStream })
    assert.equal(got.text, visible)
    assert.deepEqual(Reflect.get(Object(own.upstream.received.at(-1)?.json), 'stream_options'), { include_usage: true })
  }
  const rows = await until(async () => [await callRows(own.gateway)].find(found => found.length === 2), 'two records')
  for (const row of rows)
    assert.deepEqual(
      [row.status, row.input_tokens, row.output_tokens, row.cached_input_tokens, row.reasoning_tokens, row.model],
      [200, 9, 3, 2, 1, 'm'],
    )
})

test('a chunk without choices and without usage stays in the stream', async () => {
  const text = framesText([
    { choices: [], prompt_filter_results: [{ x: 1 }], usage: null },
    { choices: [{ delta: { content: 'a' } }] },
    '[DONE]',
  ])
  upstreamWith(pieces([text]))
  assert.equal((await exchange(shared.gateway.url + path, { body: askStream })).text, text)
})

test('a slow reader slows the upstream down', async () => {
  let sent = 0
  let isBlocked = false
  const piece = `data: ${'x'.repeat(65_536)}\n\n`
  upstreamWith(async response => {
    const closed = once(response, 'close')
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (; sent < 2_000 && !response.destroyed; sent++) {
      if (response.write(piece)) continue
      isBlocked = true
      await Promise.race([once(response, 'drain'), closed])
      isBlocked = false
    }
    response.end()
  })
  const response = await begin(shared.gateway.url + path, { body: askStream })
  let last = -1
  let stillFor = 0
  await until(() => {
    stillFor = isBlocked && sent === last ? stillFor + 1 : 0
    last = sent
    return stillFor === 20 || sent === 2_000
  }, 'the upstream waiting')
  assert.ok(sent < 400, `${sent} pieces of 64 KB were taken`)
  let bytes = 0
  // On a busy machine, the stream may have sent nothing for so long that it began with a keep-alive
  // comment.
  for await (const chunk of response) bytes += chunk.length - (chunk.includes(keepAlive) ? keepAlive.length : 0)
  assert.equal(bytes, 2_000 * piece.length)
})

test('a stream that breaks off within an event ends with the error, without half an event', async () => {
  upstreamWith(async response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const text = 'data: {"choices":[{"index":0,"delta":{"content":"whole"}}]}\n\ndata: {"choices":[{"index":0,"del'
    // The connection must break only after these bytes were sent.
    await new Promise<void>(resolve => response.write(text, () => resolve()))
    response.destroy()
  })
  const requested = { ...JSON.parse(askStream), stream_options: { include_usage: true } }
  const { text } = await exchange(shared.gateway.url + path, { body: JSON.stringify(requested) })
  const data = text
    .split('\n')
    .filter(line => line.startsWith('data: ') && line !== 'data: [DONE]')
    .map(line => JSON.parse(line.slice('data: '.length)))
  assert.equal(data[0].choices[0].delta.content, 'whole')
  assert.equal(data[1].code, 'upstream_error')
  assert.equal(data.length, 2)
})

test('heartbeats are sent between two events and never within one', async () => {
  mock.timers.enable({ apis: ['setInterval'] })
  try {
    const steps = Array.from({ length: 4 }, () => Promise.withResolvers<void>())
    const parts = ['event: a\n', 'data: 1\n\n', 'data: 2\r\n', '\r\n']
    const requested = JSON.stringify({ ...JSON.parse(askStream), stream_options: { include_usage: true } })
    const upstream = upstreamWith(async response => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const [index, part] of parts.entries()) {
        response.write(part)
        await steps[index]?.promise
      }
      response.end()
    })
    const beginning = begin(shared.gateway.url + path, { body: requested })
    await until(() => upstream.received.length === 1, 'the request')
    mock.timers.tick(15_250)
    const response = await beginning
    let text = ''
    response.setEncoding('utf8').on('data', chunk => {
      text += chunk
    })
    // An upstream that has sent only half an event has sent nothing to the caller, so the stream
    // begins with a keep-alive comment.
    let expected = keepAlive
    for (const [index, part] of parts.entries()) {
      // The first half of an event is not sent before its second half has arrived.
      if (index % 2 === 1) expected += parts[index - 1] + part
      await until(() => text === expected, `part ${index}: ${JSON.stringify(text)}`)
      mock.timers.tick(15_000)
      expected += ': keep-alive\n\n'
      await until(() => text === expected, `heartbeat ${index}: ${JSON.stringify(text)}`)
      steps[index]?.resolve()
    }
    await until(() => response.complete, 'the end')
    assert.equal(text, expected)
  } finally {
    mock.timers.reset()
  }
})
