/** Processing the bytes of an upstream takes time proportional to their number, so that no event
 *  and no piece of a stream can block the main thread. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chatRelay } from '../../families/chat/relay.ts'
import { type FakeReply, rawReply } from '../../testing/fakes/fake-upstream.ts'
import { exchange, startRelayGateway } from '../../testing/relay-gateway.ts'
import { normalEvents } from './normal-bytes.ts'
import { StreamOpening } from './stream-opening.ts'
import { StreamScan } from './stream-scan.ts'

const budgetMs = 200

/** Returns the CPU time in milliseconds of the fastest of three runs. */
function cost(run: () => void): number {
  const once = (): number => {
    const before = process.threadCpuUsage()
    run()
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  }
  return Math.min(once(), once(), once())
}

const normalized = (events: Buffer | Buffer[]) => () => {
  const normalizer = chatRelay.normalizer?.('m')
  assert.ok(normalizer)
  for (const each of [events].flat()) normalEvents(each, normalizer)
}
const pieces = (calls: object[]) => Buffer.from(`data: ${JSON.stringify({ choices: [{ delta: { tool_calls: calls } }] })}\n\n`)
const many = <Made>(count: number, make: (at: number) => Made): Made[] => Array.from({ length: count }, (_, at) => make(at))

const runs: Record<string, () => void> = {
  'calls without an index in one event': normalized(pieces(many(8_000, at => ({ id: `c${at}`, function: { name: 'f' } })))),
  'calls without an index, an event each': normalized(
    many(5_000, at => pieces([{ id: `c${at}`, function: { name: 'f', arguments: '{}' } }])),
  ),
  'a call whose pieces all have its name': normalized(
    many(8_000, () => pieces([{ index: 0, function: { name: 'f', arguments: '"aaaaaaaaaaaaaaaaaaaaaaa' } }])),
  ),
  'very many comments': () => void new StreamOpening(() => 'nothing').take(Buffer.from(':\n\n'.repeat(20_000))),
  'very many comments with carriage returns': () => void new StreamOpening(() => 'nothing').take(Buffer.from(':\r\n\r\n'.repeat(20_000))),
  'messages within messages': () => void new StreamScan(chatRelay.scan).read(Buffer.from(`data: ${'{"message":'.repeat(10_000)}\n\n`)),
}

for (const [what, run] of Object.entries(runs))
  test(`reading ${what} takes less than ${budgetMs} ms`, () => {
    const ms = cost(run)
    assert.ok(ms < budgetMs, `${Math.round(ms)} ms`)
  })

test('an answer that is too deep to be normalised is relayed unchanged, and so is a byte order mark before events', async () => {
  await using own = await startRelayGateway(
    url =>
      `models:\n  - { id: m, family: chat, targets: [{ driver: openai-compatible, base_url: "${url}", model: up-1, normalize: true }] }\n`,
  )
  const ask = async (sent: string, stream: boolean): Promise<string> => {
    own.upstream.answer(rawReply(sent, 200, { 'content-type': stream ? 'text/event-stream' : 'application/json' }))
    const body = JSON.stringify({ model: 'm', stream, messages: [{ role: 'user', content: 'x' }] })
    const { status, text } = await exchange(`${own.gateway.url}/v1/ai/default/chat/completions`, { body })
    assert.equal(status, 200, text.slice(0, 300))
    return text
  }
  const said = (name: string) => `{"model":"m","choices":[{"${name}":{"content":"hi","x":${'['.repeat(50_000)}${']'.repeat(50_000)}}}]}`
  const events = `data: ${said('delta')}\n\ndata: [DONE]\n\n`
  assert.equal(await ask(events, true), events)
  assert.equal(await ask(said('message'), false), said('message'))
  const marked = await ask(`\uFEFFdata: {"choices":[{"delta":{"content":"hi"}}]}\r\n\r\ndata: [DONE]\n\n`, true)
  const [first = ''] = marked.split('\n\n')
  assert.equal(JSON.parse(first.replace(/^\uFEFF?data: /, '')).choices[0].index, 0, first)
})

test('an error that is nested deeper than the call stack, in a last event without a blank line, is returned', {
  timeout: 60_000,
}, async () => {
  await using own = await startRelayGateway()
  const event = `data: ${'{"error":'.repeat(12_000)}{"message":"x"}${'}'.repeat(12_000)}`
  const ends: Record<string, FakeReply> = {
    'with a length': response => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-length': event.length })
      response.end(event)
    },
    'with the connection': response => void response.socket?.end(`HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n${event}`),
  }
  for (const [title, reply] of Object.entries(ends)) {
    own.upstream.answer(reply)
    const body = JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'x' }] })
    const { status, text } = await exchange(`${own.gateway.url}/v1/ai/default/chat/completions`, { body })
    assert.deepEqual([status, JSON.parse(text).error.code], [502, 'upstream_error'], title)
  }
})
