import assert from 'node:assert/strict'
import { after, before, mock, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { createFakeClock } from '../../testing/clock.ts'
import { errorReply, type FakeReply, hangingReply, jsonReply, rawReply, resetReply, sseReply } from '../../testing/fakes/fake-upstream.ts'
import { chatCompletion, chatFrames } from '../../testing/fakes/fake-upstream-text.ts'
import { testKey } from '../../testing/gateway.ts'
import { begin, callRows, exchange, type RelayGateway, relayYaml, startRelayGateway, upstreamKey } from '../../testing/relay-gateway.ts'
import { keepAlive } from '../events/sse.ts'

/** Chat relayed through the whole program. */
const path = '/v1/ai/default/chat/completions'
const ask = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hello' }] })
const askStream = JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'hello' }] })
const speech = { text: 'One two three', usage: { input: 9, cached: 2, output: 3, reasoning: 1 } }
const done = 'data: [DONE]\n\n'

let shared: RelayGateway
before(async () => {
  shared = await startRelayGateway()
})
after(() => shared[Symbol.asyncDispose]())

/** The shared gateway with no requests received yet and this answer prepared. */
function upstreamWith(...replies: FakeReply[]) {
  const { upstream } = shared
  upstream.received.length = 0
  upstream.answer(...replies)
  return upstream
}

/** A stream written byte for byte as given, each piece a write of its own. */
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

test('the upstream gets the bytes of the caller but for the model, with the key of the target', async () => {
  const answer =
    '{ "id":"x",\n "choices" : [{"message":{}}], "big":12345678901234567890, "u":"\\u00e9\\ud83d", "usage":{"prompt_tokens":3,"completion_tokens":4} }'
  const body =
    '{ "unknown" : {"model":"m", "n": 1.0e+2},\n\t"big":123456789012345678901234567890, "messages":[{"role":"user","content":"\\u00e9 \\ud83d\\ude00 é"}] ,"model" :"m" ,"last":null}\n'
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

test('a large answer passes whole', async () => {
  const large = JSON.stringify({
    choices: [{ message: { content: 'x'.repeat(300_000) } }],
    usage: { prompt_tokens: 1, completion_tokens: 2 },
  })
  upstreamWith(rawReply(large, 200, { 'content-type': 'application/json' }))
  assert.equal((await exchange(shared.gateway.url + path, { body: ask })).text, large)
})

test('a stream passes byte for byte, and as it comes', async () => {
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

test('usage is asked for, kept from a caller who did not ask, and recorded, however the stream is cut', async () => {
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
  const rows = await until(() => [callRows(own.gateway)].find(found => found.length === 2), 'two records')
  for (const row of rows)
    assert.deepEqual(
      [row.status, row.input_tokens, row.output_tokens, row.cached_input_tokens, row.reasoning_tokens, row.model],
      [200, 9, 3, 2, 1, 'm'],
    )
})

test('a chunk without choices that is no usage stays in the stream', async () => {
  const text = framesText([
    { choices: [], prompt_filter_results: [{ x: 1 }], usage: null },
    { choices: [{ delta: { content: 'a' } }] },
    '[DONE]',
  ])
  upstreamWith(pieces([text]))
  assert.equal((await exchange(shared.gateway.url + path, { body: askStream })).text, text)
})

test('before the first byte the next target takes over', async () => {
  const refusals: Record<string, FakeReply> = {
    429: errorReply(429, {}),
    500: errorReply(500, {}),
    503: errorReply(503, {}),
    reset: resetReply(),
  }
  for (const [name, refusal] of Object.entries(refusals)) {
    for (const body of [ask, askStream]) {
      await using own = await startRelayGateway((...urls) => relayYaml(urls.map(url => ({ url }))), { count: 2 })
      own.upstream.answer(refusal)
      for (const round of ['unknown', 'known']) {
        const got = await exchange(own.gateway.url + path, { body })
        assert.deepEqual([got.status, got.text.includes('Hello')], [200, true], `${name} ${round}`)
      }
      assert.equal(own.upstreams[1]?.received.length, 2)
    }
  }
})

test('a target that cannot be reached is passed over; a refusal of the request is the answer', async () => {
  await using own = await startRelayGateway(url => relayYaml([{ url: 'http://127.0.0.1:1/v1' }, { url }]))
  for (const _ of ['unknown', 'known']) assert.equal((await exchange(own.gateway.url + path, { body: ask })).status, 200)
  own.upstream.answer(errorReply(400, { message: 'max_tokens is too large', param: 'max_tokens', code: 'too_large' }))
  const got = await exchange(own.gateway.url + path, { body: ask })
  assert.equal(got.status, 400)
  assert.deepEqual(JSON.parse(got.text).error.param, 'max_tokens')
})

test('after the first byte there is no second target: the stream says what happened and ends', async () => {
  await using own = await startRelayGateway((...urls) => relayYaml(urls.map(url => ({ url }))), { count: 2 })
  own.upstream.answer(resetReply(chatFrames(speech).slice(0, 3)))
  for (const _ of ['unknown', 'known']) {
    const { text, status } = await exchange(own.gateway.url + path, { body: askStream })
    assert.equal(status, 200)
    assert.ok(text.endsWith(`\n\n${done}`), text)
    const events = text.split('\n\n').filter(event => event !== '' && !event.startsWith(':'))
    const error = JSON.parse(events.at(-2)?.match(/^data: (.*)$/m)?.[1] ?? '')
    assert.equal(error.error.code, 'upstream_error')
    assert.ok(text.includes('One'))
  }
  own.upstream.answer(response => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 900_000 })
    response.write(`{"choices":[{"message":{}}],"x":"${'x'.repeat(600_000)}`, () => response.socket?.end())
  })
  await assert.rejects(exchange(own.gateway.url + path, { body: ask }), 'a whole answer that breaks off is cut')
  assert.equal(own.upstreams[1]?.received.length, 0)
  const rows = await until(() => [callRows(own.gateway)].find(found => found.length === 3), 'a record of each')
  assert.ok(rows.every(row => row.target !== ''))
})

test('a caller who leaves cuts the upstream and is recorded once', async () => {
  await using own = await startRelayGateway()
  for (const count of [1, 2]) {
    own.upstream.answer(hangingReply(chatFrames(speech).slice(0, 2)))
    const response = await begin(own.gateway.url + path, { body: askStream })
    response.destroy()
    await until(() => own.upstream.aborted() === count, 'the cut')
    await until(() => callRows(own.gateway).length === count, 'the record')
  }
  assert.deepEqual(
    callRows(own.gateway).map(row => row.status),
    [499, 499],
  )
  const silent = await fetchAndLeave(own)
  assert.equal(silent, true)
})

/** Disconnects before the upstream has answered. */
async function fetchAndLeave({ gateway, upstream }: RelayGateway): Promise<boolean> {
  upstream.answer(() => {})
  const controller = new AbortController()
  const before = upstream.received.length
  const call = fetch(gateway.url + path, {
    method: 'POST',
    body: ask,
    headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
    signal: controller.signal,
  }).catch(() => undefined)
  await until(() => upstream.received.length > before, 'the request')
  controller.abort()
  await call
  return until(() => upstream.received.at(-1)?.isCut, 'the cut before the head')
}

test('a reader who does not read holds the upstream back', async () => {
  let sent = 0
  let isBlocked = false
  const piece = `data: ${'x'.repeat(65_536)}\n\n`
  upstreamWith(async response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (; sent < 2_000 && !response.destroyed; sent++) {
      if (response.write(piece)) continue
      isBlocked = true
      await new Promise<void>(resolve => {
        response.once('drain', resolve)
        response.once('close', resolve)
      })
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
  // On a busy machine the stream may have been silent long enough for a keep-alive comment.
  for await (const chunk of response) bytes += chunk.length - (chunk.includes(keepAlive) ? keepAlive.length : 0)
  assert.equal(bytes, 2_000 * piece.length)
})

test('a stream that breaks off within an event ends with the error, not with half an event', async () => {
  upstreamWith(async response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const text = 'data: {"choices":[{"index":0,"delta":{"content":"whole"}}]}\n\ndata: {"choices":[{"index":0,"del'
    // The bytes have to be sent before the connection breaks.
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

test('the heartbeat comes between two events and never within one', async () => {
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
    // Half an event is silence.
    let expected = keepAlive
    for (const [index, part] of parts.entries()) {
      // Half an event waits for its other half.
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

test('five failures open the breaker of a sole target, calls reach it all the same, and a good one closes it', async () => {
  const clock = createFakeClock()
  await using own = await startRelayGateway(undefined, { clock })
  const { gateway, upstream } = own
  upstream.answer(errorReply(500, {}))
  for (let index = 0; index < 5; index++) assert.equal((await exchange(gateway.url + path, { body: ask })).status, 502)
  const stateOf = async () => (await gateway.call('/readyz')).body.targets.map((target: { state: string }) => target.state)
  const up = async () => /gateway_target_up\{target="[^"]+"\} (\S+)/.exec((await gateway.call('/metrics')).bytes.toString())?.[1]
  assert.equal((await exchange(gateway.url + path, { body: ask })).status, 502)
  assert.equal(upstream.received.length, 6)
  assert.deepEqual([await stateOf(), await up()], [['open'], '0'])
  clock.step(6_000)
  assert.deepEqual([await stateOf(), await up()], [['half-open'], '0.5'])
  upstream.answer(jsonReply(chatCompletion({ text: 'hi' })))
  assert.equal((await exchange(gateway.url + path, { body: ask })).status, 200)
  assert.deepEqual([await stateOf(), await up()], [['closed'], '1'])
})

test('a trial whose caller leaves is given to the next one', async () => {
  const clock = createFakeClock()
  await using own = await startRelayGateway(undefined, { clock })
  own.upstream.answer(errorReply(500, {}))
  for (let index = 0; index < 5; index++) await exchange(own.gateway.url + path, { body: ask })
  clock.step(6_000)
  await fetchAndLeave(own)
  own.upstream.answer(jsonReply(chatCompletion({ text: 'hi' })))
  assert.equal((await exchange(own.gateway.url + path, { body: ask })).status, 200)
})

test('records and daily totals agree for calls of every end', async () => {
  await using own = await startRelayGateway()
  const { gateway, upstream } = own
  let answered = 0
  const send = async (body: string, ...replies: FakeReply[]) => {
    upstream.answer(...replies)
    await exchange(gateway.url + path, { body }).catch(() => undefined)
    answered += 1
  }
  for (let round = 0; round < 10; round++) {
    await send(ask)
    await send(askStream)
    await send(askStream, resetReply(chatFrames(speech).slice(0, 2)))
    await send(askStream, sseReply(chatFrames(speech)))
    upstream.answer(hangingReply(chatFrames(speech).slice(0, 2)))
    const leaving = await begin(gateway.url + path, { body: askStream })
    for await (const chunk of leaving) if (String(chunk).includes('One')) break
    leaving.destroy()
    answered += 1
  }
  const rows = await until(() => [callRows(gateway)].find(found => found.length >= answered), 'the records')
  assert.equal(rows.length, answered)
  assert.equal(new Set(rows.map(row => row.request_id)).size, answered)
  const { body } = await gateway.admin('/admin/usage')
  const totals = Object.fromEntries(body.usage.map((line: { unit: string; units: number }) => [line.unit, line.units]))
  const sum = (column: string) => rows.reduce((all, row) => all + Number(row[column]), 0)
  assert.deepEqual(totals, {
    requests: answered,
    input_tokens: sum('input_tokens'),
    output_tokens: sum('output_tokens'),
    cached_input_tokens: sum('cached_input_tokens'),
    reasoning_tokens: sum('reasoning_tokens'),
  })
  // Output without counts: the text before the caller disconnected and before the upstream broke
  // off. A reset may overtake that text.
  const { output_tokens: output } = totals
  assert.ok(output >= 10 * (5 + 5 + 3 + 2) && output <= 10 * (5 + 5 + 3 + 2 + 2), `${output}`)
})

test('a stop lets open streams end, and records those it has to cut', async () => {
  await using own = await startRelayGateway()
  const { gateway, upstream } = own
  const end = Promise.withResolvers<void>()
  upstream.answer(
    async response => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
      await end.promise
      response.end(done)
    },
    hangingReply(['1']),
  )
  const ending = await begin(gateway.url + path, { body: askStream })
  const hanging = await begin(gateway.url + path, { body: askStream })
  let cut = ''
  hanging.setEncoding('utf8').on('data', chunk => {
    cut += chunk
  })
  let text = ''
  ending.setEncoding('utf8').on('data', chunk => {
    text += chunk
  })
  const stopping = gateway.gateway.stop(1_500)
  end.resolve()
  await until(() => ending.complete, 'the end of the stream')
  assert.ok(text.endsWith(done))
  await stopping
  assert.equal(hanging.complete, true)
  assert.match(cut, /^data: 1\n\n\n\nevent: error\ndata: \{.*"code":"draining".*\}\n\ndata: \[DONE\]\n\n$/)
  assert.deepEqual(
    callRows(gateway)
      .map(row => row.status)
      .sort(),
    [200, 200],
  )
  assert.equal(upstream.aborted(), 1)
})
