/** The producer of an answer is stopped when the caller disconnects before the end. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BytesReply, type ReplyFrame, StreamedReply } from '../../contract/replies.ts'
import { startTestGateway } from '../../testing/gateway.ts'
import { probeEntry } from '../../testing/probe-family.ts'
import { begin } from '../../testing/relay-gateway.ts'

test('the producer of a stream or of bytes is stopped when the caller disconnects', { timeout: 30_000 }, async () => {
  const ended: Record<string, PromiseWithResolvers<void>> = { stream: Promise.withResolvers(), bytes: Promise.withResolvers() }
  /** Yields the part forever, and reports when it was stopped. */
  async function* endless<Part>(name: string, part: Part): AsyncGenerator<Part> {
    try {
      for (;;) {
        yield part
        await new Promise(resolve => setImmediate(resolve))
      }
    } finally {
      ended[name]?.resolve()
    }
  }
  const handlers = {
    ...probeEntry.handlers,
    draw: async () => new StreamedReply(endless<ReplyFrame>('stream', { event: 'preview', data: { words: 'x' } })),
    speakNow: async () => new BytesReply('audio/mpeg', endless('bytes', Buffer.from('x'))),
  }
  await using gateway = await startTestGateway({ families: [{ ...probeEntry, handlers }] })
  const base = `${gateway.url}/v1/ai/default/probe`
  const calls = {
    stream: () => begin(`${base}/draw`, { body: JSON.stringify({ prompt: 'x', stream: true }) }),
    bytes: () =>
      begin(`${base}/narrate/mp3`, { body: 'hello', headers: { 'content-type': 'text/plain', accept: 'application/octet-stream' } }),
  }
  for (const [name, call] of Object.entries(calls)) {
    const answer = await call()
    assert.equal(answer.statusCode, 200, name)
    answer.destroy()
    await ended[name]?.promise
  }
})
