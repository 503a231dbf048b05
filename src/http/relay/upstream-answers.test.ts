/** Each malformed answer of an upstream counts as a failure of that upstream, whatever its HTTP
 *  status. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { type FakeReply, jsonReply, rawReply, sseReply } from '../../testing/fakes/fake-upstream.ts'
import { chatFrames } from '../../testing/fakes/fake-upstream-text.ts'
import { breakers, callRows, exchange, startRelayGateway, upstreamKey } from '../../testing/relay-gateway.ts'

const path = '/v1/ai/default/chat/completions'
const ask = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }
const answer = JSON.stringify({
  id: 'a',
  object: 'chat.completion',
  choices: [{ message: { role: 'assistant', content: 'hi' } }],
  usage: { prompt_tokens: 1, completion_tokens: 1 },
})
const json = { 'content-type': 'application/json' }
const long = `{"choices":[{"message":{"content":"${'x'.repeat(1_500_000)}"}}]`

const faults: Record<string, FakeReply> = {
  'gzip unasked for': rawReply(gzipSync(answer), 200, { ...json, 'content-encoding': 'gzip' }),
  'an empty body': rawReply('', 200, json),
  'a page': rawReply('<html><body>It works!</body></html>', 200, { 'content-type': 'text/html' }),
  'a page that calls itself JSON': rawReply('<html></html>', 200, json),
  'no content': rawReply('', 204, {}),
  'a part': rawReply(answer, 206, { ...json, 'content-range': 'bytes 0-9/10' }),
  'JSON that ends too early': rawReply(answer.slice(0, -1), 200, json),
  'a list': rawReply('[]', 200, json),
  null: rawReply('null', 200, json),
  'a text': rawReply('"fine"', 200, json),
  'a stream without an event': rawReply('', 200, { 'content-type': 'text/event-stream' }),
  'a stream that breaks off before its first event': response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    response.socket?.end('')
  },
  'a stream that breaks off before its first event is whole': response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: {"choi', () => response.socket?.end(''))
  },
  'a page that breaks off': response => {
    response.writeHead(200, { ...json, 'content-length': 900 })
    response.write(`\n<html>${'x'.repeat(600)}`, () => response.socket?.end(''))
  },
}
/** The only one of these faults whose text begins like an answer: its output is counted although
 *  the target has failed. */
const begun = 'JSON that ends too early'

/** Returns a configuration with two models for each fault, `first-<index>` and `only-<index>`.
 *  Their first targets are at the fault's own upstream; `first-<index>` has a second target, at
 *  the last upstream. */
function yamlOfFaults(...urls: string[]): string {
  const target = (url: string | undefined, order: number) =>
    `{ driver: openai-compatible, base_url: "${url}", api_key: ${upstreamKey}, model: up-1, protocols: [chat], stateless: false, order: ${order} }`
  const model = (id: string, targets: string[]) => `  - { id: ${id}, family: chat, targets: [${targets.join(', ')}] }\n`
  const models = urls.slice(0, -1).map((url, index) => {
    const first = target(url, 1)
    return model(`first-${index}`, [first, target(urls.at(-1), 2)]) + model(`only-${index}`, [first])
  })
  return `models:\n${models.join('')}`
}

test('a body that is no answer is an upstream error: the next target takes over, and without one it is a 502', async () => {
  await using own = await startRelayGateway(yamlOfFaults, { count: Object.keys(faults).length + 1 })
  const send = (body: object) => exchange(own.gateway.url + path, { body: JSON.stringify({ ...ask, ...body }) })
  const rowsOf = async (model: string) => (await callRows(own.gateway)).filter(row => row.model === model)
  for (const [index, [name, reply]] of Object.entries(faults).entries()) {
    own.upstreams[index]?.answer(reply)
    const first = `first-${index}`
    for (const stream of [false, true]) {
      own.upstreams
        .at(-1)
        ?.answer(stream ? sseReply(chatFrames({ text: 'Hello', usage: { input: 3, output: 2 } })) : jsonReply(JSON.parse(answer)))
      const got = await send({ model: first, stream })
      assert.deepEqual([got.status, got.text.includes(stream ? 'Hello' : '"usage"')], [200, true], `${name}: ${got.text}`)
      assert.equal(got.headers['x-content-type-options'], 'nosniff')
    }
    const rows = await until(async () => [await rowsOf(first)].find(found => found.length === 2), 'the records')
    const usage = rows.map(row => `${row.input_tokens} ${row.output_tokens}${row.estimated ? ', estimated' : ''}`)
    if (name !== begun) assert.deepEqual(usage, ['1 1', '3 2'], `${name}: only the target that answered is paid for`)
    const model = `only-${index}`
    for (let call = 0; call < 5; call++) {
      assert.deepEqual(await breakers(own, model), call === 0 ? [] : ['closed'], name)
      const got = await send({ model })
      assert.deepEqual([got.status, JSON.parse(got.text).error.code], [502, 'upstream_error'], name)
    }
    assert.deepEqual(await breakers(own, model), ['open'], `${name} is counted by the breaker`)
    // Records are stored in order. Once the record of this successful call exists, all records of
    // the calls before it exist too.
    own.upstreams[index]?.answer(jsonReply(JSON.parse(answer)))
    await send({ model })
    const all = await until(async () => [await rowsOf(model)].find(found => found.some(row => row.status === 200)), 'the record')
    assert.equal(all.length, name === begun ? 6 : 1, `${name} costs nothing`)
  }
})

test('a large body that turns out to be no answer is cut off, and counts as a failure of its target', async () => {
  await using own = await startRelayGateway()
  for (const [name, text] of [
    ['it ends too early', long],
    ['something follows it', `${long}}{}`],
  ] as const) {
    own.upstream.answer(rawReply(text, 200, json))
    await assert.rejects(exchange(own.gateway.url + path, { body: JSON.stringify(ask) }), name)
  }
  own.upstream.answer(rawReply(`[${long}}]`, 200, json))
  assert.equal((await exchange(own.gateway.url + path, { body: JSON.stringify(ask) })).status, 502)
  own.upstream.answer(rawReply(`${long},"usage":{"prompt_tokens":3,"completion_tokens":4}}`, 200, json))
  const got = await exchange(own.gateway.url + path, { body: JSON.stringify(ask) })
  assert.equal(JSON.parse(got.text).usage.completion_tokens, 4)
})
