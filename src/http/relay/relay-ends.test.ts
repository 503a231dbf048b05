/** The ways in which relayed calls end, and what is recorded for each: another target takes
 *  over, a breaker opens, the caller disconnects, or the gateway stops. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { createFakeClock } from '../../testing/clock.ts'
import { errorReply, type FakeReply, hangingReply, jsonReply, resetReply, sseReply } from '../../testing/fakes/fake-upstream.ts'
import { chatCompletion, chatFrames } from '../../testing/fakes/fake-upstream-text.ts'
import { testKey } from '../../testing/gateway.ts'
import { begin, callRows, exchange, type RelayGateway, relayYaml, startRelayGateway } from '../../testing/relay-gateway.ts'

const path = '/v1/ai/default/chat/completions'
const ask = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hello' }] })
const askStream = JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'hello' }] })
const speech = { text: 'One two three', usage: { input: 9, cached: 2, output: 3, reasoning: 1 } }
const done = 'data: [DONE]\n\n'

test('before the first byte, the next target takes over', async () => {
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

test('an unreachable target is skipped; a refusal of the request is returned', async () => {
  await using own = await startRelayGateway(url => relayYaml([{ url: 'http://127.0.0.1:1/v1' }, { url }]))
  for (const _ of ['unknown', 'known']) assert.equal((await exchange(own.gateway.url + path, { body: ask })).status, 200)
  own.upstream.answer(errorReply(400, { message: 'max_tokens is too large', param: 'max_tokens', code: 'too_large' }))
  const got = await exchange(own.gateway.url + path, { body: ask })
  assert.equal(got.status, 400)
  assert.deepEqual(JSON.parse(got.text).error.param, 'max_tokens')
})

test('after the first byte there is no failover: the stream reports the error and ends', async () => {
  await using own = await startRelayGateway((...urls) => relayYaml(urls.map(url => ({ url }))), { count: 2 })
  own.upstream.answer(resetReply(chatFrames(speech).slice(0, 3)))
  for (const _ of ['unknown', 'known']) {
    const { text, status, headers } = await exchange(own.gateway.url + path, { body: askStream })
    assert.equal(status, 200)
    assert.ok(text.endsWith(`\n\n${done}`), text)
    const events = text.split('\n\n').filter(event => event !== '' && !event.startsWith(':'))
    const error = JSON.parse(events.at(-2)?.match(/^data: (.*)$/m)?.[1] ?? '')
    assert.deepEqual([error.error.code, error.error.request_id], ['upstream_error', headers['x-request-id']])
    assert.ok(text.includes('One'))
  }
  own.upstream.answer(response => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 900_000 })
    response.write(`{"choices":[{"message":{}}],"x":"${'x'.repeat(600_000)}`, () => response.socket?.end())
  })
  await assert.rejects(exchange(own.gateway.url + path, { body: ask }), 'a whole answer that breaks off is cut')
  assert.equal(own.upstreams[1]?.received.length, 0)
  const rows = await until(async () => [await callRows(own.gateway)].find(found => found.length === 3), 'a record of each')
  assert.ok(rows.every(row => row.target !== ''))
})

test('when the caller disconnects, the upstream call ends and is recorded once', async () => {
  await using own = await startRelayGateway()
  for (const count of [1, 2]) {
    own.upstream.answer(hangingReply(chatFrames(speech).slice(0, 2)))
    const response = await begin(own.gateway.url + path, { body: askStream })
    response.destroy()
    await until(() => own.upstream.aborted() === count, 'the cut')
    await until(async () => (await callRows(own.gateway)).length === count, 'the record')
  }
  assert.deepEqual(
    (await callRows(own.gateway)).map(row => row.status),
    [499, 499],
  )
  const silent = await fetchAndLeave(own)
  assert.equal(silent, true)
})

/** Sends a request and disconnects before the upstream has answered. */
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

test('five failures open the breaker of a sole target, calls still reach it, and a success closes it', async () => {
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

test("when the caller of a breaker's trial disconnects, the next call is the trial", async () => {
  const clock = createFakeClock()
  await using own = await startRelayGateway(undefined, { clock })
  own.upstream.answer(errorReply(500, {}))
  for (let index = 0; index < 5; index++) await exchange(own.gateway.url + path, { body: ask })
  clock.step(6_000)
  await fetchAndLeave(own)
  own.upstream.answer(jsonReply(chatCompletion({ text: 'hi' })))
  assert.equal((await exchange(own.gateway.url + path, { body: ask })).status, 200)
})

test('records and daily totals agree for calls, however they end', async () => {
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
  const rows = await until(async () => [await callRows(gateway)].find(found => found.length >= answered), 'the records')
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
  // No counts were reported, so the text is estimated: the text before the caller disconnected, and
  // the text before the upstream broke off. A connection reset may overtake the last text.
  const { output_tokens: output } = totals
  assert.ok(output >= 10 * (5 + 5 + 3 + 2) && output <= 10 * (5 + 5 + 3 + 2 + 2), `${output}`)
})

test('a stop lets open streams end, and records those that it has to cut', async () => {
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
  // The limit of 4 s is long enough for the first stream to end even if the machine stalls for 2 s.
  const stopping = gateway.gateway.stop(4_000)
  end.resolve()
  await until(() => ending.complete, 'the end of the stream')
  assert.ok(text.endsWith(done))
  await stopping
  assert.equal(hanging.complete, true)
  assert.match(cut, /^data: 1\n\n\n\nevent: error\ndata: \{.*"code":"draining".*\}\n\ndata: \[DONE\]\n\n$/)
  assert.deepEqual((await callRows(gateway)).map(row => row.status).sort(), [200, 200])
  assert.equal(upstream.aborted(), 1)
})
