/** Some protocols spread the token counts over several events of a stream. A later event must not
 *  lower a count that an earlier event reported. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventsRelay } from '../../families/generate-content/relay.ts'
import { messagesRelay } from '../../families/messages/relay.ts'
import { StreamScan } from './stream-scan.ts'

const eventsOf = (...events: object[]): Buffer => Buffer.from(events.map(event => `data: ${JSON.stringify(event)}\n\n`).join(''))

function messagesScan(first: object, last: object): StreamScan {
  const scan = new StreamScan(messagesRelay.scan)
  scan.read(eventsOf({ type: 'message_start', message: { content: [], usage: first } }))
  scan.read(eventsOf({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hello there' } }))
  scan.read(eventsOf({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: last }))
  return scan
}

const first = { input_tokens: 1000, cache_read_input_tokens: 200, cache_creation_input_tokens: 30, output_tokens: 1 }
const counted = { inputTokens: 1230, outputTokens: 5, cachedInputTokens: 200, reasoningTokens: 0, cacheWriteTokens: 30 }

test('the usage at the end of a message replaces that of its beginning only if it is a valid number', () => {
  for (const none of [0, -7, null, '9', true, undefined]) {
    const last = { input_tokens: none, cache_read_input_tokens: none, cache_creation_input_tokens: none, output_tokens: 5 }
    assert.deepEqual(messagesScan(first, last).usage(false), counted, String(none))
  }
  assert.equal(messagesScan(first, { input_tokens: 1001, output_tokens: 5 }).usage(false)?.inputTokens, 1231)
  assert.equal(messagesScan(first, { output_tokens: 1e15 }).usage(true), undefined, 'an impossible count is estimated')
  assert.equal(messagesScan(first, {}).usage(true)?.outputTokens, 1)
})

test('a stream that ends early, or continues after its usage, is estimated', () => {
  const scan = new StreamScan(messagesRelay.scan)
  scan.read(eventsOf({ type: 'message_start', message: { content: [], usage: first } }))
  scan.read(eventsOf({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hello there' } }))
  assert.equal(scan.usage(true), undefined)
  const more = messagesScan(first, { output_tokens: 5 })
  more.read(eventsOf({ type: 'content_block_delta', index: 1, delta: { type: 'thinking_delta', thinking: 'and on' } }))
  assert.equal(more.usage(true), undefined)
  assert.ok(more.said >= 4)
})

test('the last valid usage of generateContent counts', () => {
  const scan = new StreamScan(eventsRelay.scan)
  const piece = (usageMetadata: object, finishReason?: string) =>
    eventsOf({ candidates: [{ content: { parts: [{ text: 'hello' }] }, ...(finishReason ? { finishReason } : {}) }], usageMetadata })
  scan.read(piece({ promptTokenCount: 10, candidatesTokenCount: 3, totalTokenCount: 13 }))
  scan.read(piece({ promptTokenCount: 0, candidatesTokenCount: 6, thoughtsTokenCount: -3, totalTokenCount: 16 }, 'STOP'))
  assert.deepEqual(scan.usage(false), { inputTokens: 10, outputTokens: 6, cachedInputTokens: 0, reasoningTokens: 0 })
})

test('a stream with ever new usage members costs little time', () => {
  const scan = new StreamScan(messagesRelay.scan)
  const before = process.threadCpuUsage()
  for (let at = 0; at < 20_000; at++) scan.read(eventsOf({ type: 'message_delta', usage: { [`count_${at}`]: 1, output_tokens: 5 } }))
  const { user, system } = process.threadCpuUsage(before)
  assert.ok(user + system < 3_000_000, `${(user + system) / 1e6} s of CPU`)
  assert.equal(scan.usage(true)?.outputTokens, 5)
})
