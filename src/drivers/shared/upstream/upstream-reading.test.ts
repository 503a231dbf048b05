/** Tests answers that the caller of `open` or `json` reads. Answers that are forwarded to a sink
 *  are tested in upstream.test.ts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GatewayError } from '@generation-gateway/kit/errors.ts'
import { directOutbound } from '@generation-gateway/kit/outbound/outbound.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { hangingReply, jsonReply, silentReply, sseReply, startFakeUpstream } from '../../../testing/fakes/fake-upstream.ts'
import { openTestUpstream } from './testing/open-test-upstream.ts'
import { createUpstream, type UpstreamCall } from './upstream.ts'
import { upstreamTarget } from './upstream-target.ts'

const { fake, upstream, target } = await openTestUpstream()

const call: UpstreamCall = { method: 'POST', path: '/chat/completions', body: { model: 'up-1' }, firstByteMs: 60_000, idleMs: 60_000 }

test('json returns the parsed answer and refuses one that is too large, invalid or too late', async () => {
  fake.answer(jsonReply({ a: [1] }))
  const json = { ...call, timeoutMs: 10_000, maxBytes: 1000 }
  assert.deepEqual((await upstream.json(target, json)).body, { a: [1] })
  assert.deepEqual(fake.received[0]?.json, { model: 'up-1' })
  fake.answer(jsonReply({ a: 'x'.repeat(2000) }))
  await assert.rejects(upstream.json(target, json), { code: 'upstream_error', message: /more than 1000 bytes/ })
  fake.answer(sseReply(['secret text']))
  await assert.rejects(upstream.json(target, json), (error: GatewayError) => {
    assert.equal(error.code, 'upstream_error')
    assert.ok(!JSON.stringify([error.message, error.cause]).includes('secret'))
    return true
  })
  fake.answer(hangingReply(['one']))
  await assert.rejects(upstream.json(target, { ...json, timeoutMs: 50 }), { code: 'upstream_timeout' })
})

test('events are yielded one by one, and leaving the loop ends the upstream call', async () => {
  fake.answer(hangingReply([{ event: 'named', data: { a: 1 } }, { b: 2 }]))
  const answer = await upstream.open(target, call)
  assert.equal(answer.mediaType, 'text/event-stream')
  const seen: unknown[] = []
  for await (const event of answer.events()) {
    seen.push(event)
    if (seen.length === 2) break
  }
  assert.deepEqual(seen, [{ event: 'named', data: '{"a":1}' }, { data: '{"b":2}' }])
  await until(() => fake.received.at(-1)?.isCut, 'the cut')
})

test('an answer that is complete before its end leaves the connection for the next request, or closes it', async () => {
  const other = await startFakeUpstream()
  const left = Promise.withResolvers<void>()
  other.answer(
    async response => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: [DONE]\n\n')
      await left.promise
      response.end('data: more\n\n')
    },
    hangingReply(['[DONE]']),
  )
  const read = async () => {
    const answer = await upstream.open(upstreamTarget(other.baseUrl), call)
    for await (const event of answer.events()) {
      assert.equal(event.data, '[DONE]')
      answer.finish()
      break
    }
    left.resolve()
  }
  await read()
  await until(() => other.received[0]?.isEnded, 'the end')
  assert.deepEqual([other.received[0]?.isCut, other.openConnections()], [false, 1])
  await read()
  await until(() => other.received[1]?.isCut, 'the cut')
  await other.close()
})

test('a signal ends a call at any time, with cancelled', async () => {
  await assert.rejects(upstream.open(target, { ...call, signal: AbortSignal.abort() }), { code: 'cancelled' })
  const leaving = new AbortController()
  const encoding = upstream.open(target, { ...call, body: { text: 'x'.repeat(2 ** 21 + 1) }, signal: leaving.signal })
  leaving.abort()
  await assert.rejects(encoding, { code: 'cancelled' })
  fake.answer(silentReply)
  const waiting = new AbortController()
  const opening = upstream.open(target, { ...call, signal: waiting.signal })
  await until(() => fake.received.length === 1, 'the request')
  waiting.abort()
  await assert.rejects(opening, { code: 'cancelled' })
  await until(() => fake.received.at(-1)?.isCut, 'the cut')
  fake.answer(hangingReply(['one']))
  const reading = new AbortController()
  const answer = await upstream.open(target, { ...call, signal: reading.signal })
  await assert.rejects(
    async () => {
      for await (const _ of answer.events()) reading.abort()
    },
    { code: 'cancelled' },
  )
})

test('closing the client ends running calls with draining', async () => {
  const closing = createUpstream(directOutbound)
  fake.answer(hangingReply(['one']))
  const answer = await closing.open(target, call)
  const reading = (async () => {
    for await (const _ of answer.events()) await closing.close()
  })()
  await assert.rejects(reading, { code: 'draining' })
  await assert.rejects(closing.open(target, call), { code: 'draining' })
})

test('a slow reader slows the upstream down', async () => {
  let sent = 0
  const flood = async function* () {
    for (; sent < 2000; sent++) {
      yield 'x'.repeat(65_536)
      await new Promise(resolve => setImmediate(resolve))
    }
  }
  fake.answer(async (response, request) => {
    const source = flood()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for await (const text of source) if (!response.write(`data: ${text}\n\n`)) await new Promise(resolve => response.once('drain', resolve))
    response.end(request.method)
  })
  const answer = await upstream.open(target, call)
  let last = -1
  await until(() => {
    const still = sent === last
    last = sent
    return still && sent > 0
  }, 'the upstream waiting')
  assert.ok(sent < 2000, `${sent} of 2000 were sent`)
  answer.cancel()
})
