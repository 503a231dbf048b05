/** An upstream may answer with a successful status although the body is an error, or is not an
 *  answer at all. This counts as a failure of the target: the next target is tried, and the caller
 *  gets no part of the first answer. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { createFakeClock } from '../../testing/clock.ts'
import { type FakeReply, frameText, jsonReply, rawReply, sseReply } from '../../testing/fakes/fake-upstream.ts'
import { chatCompletion, chatFrames, responseObject, responsesFrames } from '../../testing/fakes/fake-upstream-text.ts'
import { breakers, callRows, exchange, type RelayGateway, relayYaml, startRelayGateway } from '../../testing/relay-gateway.ts'

const requested = {
  chat: { path: 'chat/completions', body: { model: 'm', messages: [{ role: 'user', content: 'hello' }] } },
  responses: { path: 'responses', body: { model: 'm', input: 'hello' } },
}
type Caller = keyof typeof requested
const secret = 'the words of the false answer'
const json = { 'content-type': 'application/json' }
const events = { 'content-type': 'text/event-stream' }

const falseObjects: Record<string, object> = {
  'an error': { error: { message: secret, type: 'server_error', code: null } },
  'an error as a text': { error: secret },
  'an error as a list of one': [{ error: { message: secret, code: 503 } }],
  'a code and a message': { code: 500, msg: secret },
  "MiniMax's base_resp": { choices: null, base_resp: { status_code: 1000, status_msg: secret } },
  "FastAPI's detail": { detail: secret },
  'an object that is an error': { object: 'error', message: secret, code: 50001 },
  'an error beside empty choices': {
    choices: [],
    error: { message: secret, code: 502 },
    usage: { prompt_tokens: 5, completion_tokens: 5 },
  },
  'an error inside of the choice': { choices: [{ error: { message: secret, code: 502 }, message: { role: 'assistant', content: '' } }] },
  'nothing at all': {},
  'no choices': { id: secret, usage: { prompt_tokens: 5, completion_tokens: 5 } },
  'choices that are null': { choices: null, x: secret },
}

const works: FakeReply = (response, request) => {
  const isStream = Object(request.json).stream === true
  const isChat = request.path.endsWith('/chat/completions')
  const speech = { text: 'Hello', usage: { input: 3, output: 2 } }
  const whole = isChat ? chatCompletion(speech) : responseObject(speech)
  return (isStream ? sseReply(isChat ? chatFrames(speech) : responsesFrames(speech)) : jsonReply(whole))(response, request)
}

/** Returns a reply that streams this text and then the end of a stream, in pieces of `size`
 *  bytes. */
function streamOf(text: string, size = text.length): FakeReply {
  return async response => {
    response.writeHead(200, events)
    response.socket?.setNoDelay(true)
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += size)
      await new Promise<void>(resolve => response.write(bytes.subarray(at, at + size), () => resolve()))
    response.end()
  }
}

function falseStreams(value: object): Record<string, FakeReply> {
  const data = JSON.stringify(value)
  return {
    'as JSON': rawReply(data, 200, json),
    'as the first event': streamOf(`data: ${data}\n\ndata: [DONE]\n\n`),
    'as the first event, byte by byte': streamOf(`: hi\r\n\r\nevent: error\r\ndata:${data}\r\n\r\n`, 1),
    'behind a mark of byte order': streamOf(`\uFEFFdata:${data}\n\n`),
    'without the blank line': streamOf(`: a comment\n\ndata: ${data}`),
    'as JSON that calls itself a stream': rawReply(data, 200, events),
  }
}

async function ask({ gateway }: RelayGateway, caller: Caller, stream: boolean) {
  const { path, body } = requested[caller]
  return exchange(`${gateway.url}/v1/ai/default/${path}`, { body: JSON.stringify({ ...body, stream }) })
}

for (const caller of ['chat', 'responses'] as const)
  for (const protocols of ['chat', 'responses'] as const)
    test(`${caller} at targets of ${protocols}: an error with status 200 leads to the next target, and without one to a 502`, async () => {
      await using two = await startRelayGateway((...urls) => relayYaml(urls.map(url => ({ url, protocols }))), { count: 2 })
      // The fake clock does not advance, so an open breaker never becomes half-open.
      await using one = await startRelayGateway(url => relayYaml([{ url, protocols }]), { clock: createFakeClock() })
      two.upstreams[1]?.answer(works)
      let count = 0
      for (const [name, value] of Object.entries(falseObjects)) {
        const cases: [string, boolean, FakeReply][] = [
          [`${name}, whole`, false, rawReply(JSON.stringify(value), 200, json)],
          ...Object.entries(falseStreams(value)).map(([how, reply]): [string, boolean, FakeReply] => [`${name}, ${how}`, true, reply]),
        ]
        for (const [title, stream, reply] of cases) {
          two.upstream.answer(reply)
          one.upstream.answer(reply)
          const got = await ask(two, caller, stream)
          assert.deepEqual(
            [got.status, /Hello|"delta":"Hel/.test(got.text), got.text.includes(secret)],
            [200, true, false],
            `${title}: ${got.text}`,
          )
          count += 1
          const alone = await ask(one, caller, stream)
          assert.deepEqual([alone.status, JSON.parse(alone.text).error.code], [502, 'upstream_error'], title)
          assert.ok(!alone.text.includes(secret), title)
        }
      }
      assert.equal(two.upstreams[1]?.received.length, count)
      assert.deepEqual(await breakers(one), ['open'])
      const rows = await until(async () => [await callRows(two.gateway)].find(found => found.length === count), 'the records')
      assert.deepEqual([...new Set(rows.map(row => `${row.input_tokens} ${row.output_tokens} ${row.target}`))], ['3 2 m#2'])
      assert.equal((await callRows(one.gateway)).length, 0, 'nothing was used')
    })

test('in a relay, JSON in place of a stream, or a stream in place of JSON, counts as a failed target', async () => {
  for (const caller of ['chat', 'responses'] as const) {
    await using own = await startRelayGateway((...urls) => relayYaml(urls.map(url => ({ url }))), { count: 2 })
    const isChat = caller === 'chat'
    own.upstreams[1]?.answer(works)
    const whole = isChat ? chatCompletion({ text: 'False' }) : responseObject({ text: 'False' })
    own.upstream.answer(jsonReply(whole))
    const stream = await ask(own, caller, true)
    assert.match(String(stream.headers['content-type']), /^text\/event-stream/)
    assert.deepEqual([stream.status, stream.text.includes('False')], [200, false])
    own.upstream.answer(sseReply(isChat ? chatFrames({ text: 'False' }) : responsesFrames({ text: 'False' })))
    const json = await ask(own, caller, false)
    assert.deepEqual([json.status, json.text.includes('Hello'), json.text.includes('False')], [200, true, false])
    assert.equal(own.upstreams[1]?.received.length, 2)
  }
})

test("an error that the caller's request causes is returned to the caller, and only one target is called", async () => {
  await using own = await startRelayGateway((...urls) => relayYaml(urls.map(url => ({ url }))), { count: 2 })
  const error = {
    message: "This model's maximum context length is 8 tökens.",
    type: 'invalid_request_error',
    code: 'context_length_exceeded',
  }
  for (const [stream, reply] of [
    [false, jsonReply({ error })],
    [true, jsonReply({ error })],
    [true, streamOf(frameText({ error }))],
  ] as const) {
    own.upstream.answer(reply)
    const got = await ask(own, 'chat', stream)
    assert.deepEqual([got.status, JSON.parse(got.text).error.code, JSON.parse(got.text).error.message], [400, error.code, error.message])
  }
  assert.equal(own.upstreams[1]?.received.length, 0)
})

test('an error of 50 MB is read only as far as necessary', async () => {
  await using own = await startRelayGateway((...urls) => relayYaml(urls.map(url => ({ url }))), { count: 2 })
  own.upstreams[1]?.answer(works)
  const pad = 'x'.repeat(64 * 1024)
  for (const [stream, begin] of [
    [false, `{"error":{"message":"`],
    [false, `{"x":["`],
    [true, `{"error":{"message":"`],
  ] as const) {
    let sent = 0
    own.upstream.answer(async response => {
      response.writeHead(200, json)
      response.write(begin)
      for (; sent < 800 && !response.destroyed; sent++) {
        if (response.write(pad)) continue
        await new Promise<void>(resolve => {
          response.once('drain', resolve)
          response.once('close', resolve)
        })
      }
      response.end()
    })
    const got = await ask(own, 'chat', stream)
    assert.deepEqual([got.status, got.text.includes('Hello')], [200, true], got.text.slice(0, 300))
    assert.ok(sent < 400, `${sent} pieces of 64 KB were sent`)
  }
})

test('large answers are relayed completely, also when the content comes late in them', async () => {
  await using own = await startRelayGateway()
  const long = 'é"\\'.repeat(300_000)
  const answers: [Caller, object][] = [
    [
      'chat',
      {
        id: 'a',
        choices: [{ index: 0, message: { role: 'assistant', content: long } }],
        usage: { prompt_tokens: 1, completion_tokens: 2 },
      },
    ],
    ['chat', { id: 'a', system: long, choices: [{ message: { content: 'x' } }], usage: { prompt_tokens: 1, completion_tokens: 2 } }],
    ['responses', { id: 'resp_large', object: 'response', error: null, instructions: long + long, status: 'completed', output: [] }],
    // This upstream is another gateway of this kind: it writes the id of a response as the last
    // member.
    ['responses', { object: 'response', status: 'completed', error: null, instructions: long + long, output: [], id: 'resp_late' }],
  ]
  for (const [caller, answer] of answers) {
    own.upstream.answer(jsonReply(answer))
    const got = await ask(own, caller, false)
    assert.equal(got.text === JSON.stringify(answer), true, `${got.status} ${got.text.slice(0, 200)}`)
  }
})

test('comments and events before the first word are relayed with it, byte for byte', async () => {
  await using own = await startRelayGateway()
  const text = `\uFEFF: PROCESSING\n\n${frameText({ choices: [], prompt_filter_results: [] })}event: ping\n\n${frameText({ choices: [{ index: 0, delta: { role: 'assistant' } }] })}data: [DONE]\n\n`
  for (const size of [1, 7, 10_000]) {
    own.upstream.answer(streamOf(text, size))
    assert.equal((await ask(own, 'chat', true)).text, text)
  }
})
