import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import type { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { ExchangeRequest, RelayControl, RelaySink } from '@generation-gateway/kit/requests/relay.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import {
  closeReply,
  errorReply,
  type FakeReply,
  hangingReply,
  jsonReply,
  redirectReply,
  resetReply,
  silentReply,
  sseReply,
  startFakeUpstream,
} from '../../../testing/fakes/fake-upstream.ts'
import { openTestUpstream } from './testing/open-test-upstream.ts'
import type { UpstreamCall } from './upstream.ts'
import { baseUrlProblem, headerProblem, upstreamTarget } from './upstream-target.ts'

const { fake, upstream, target } = await openTestUpstream()

class TestSink implements RelaySink {
  control: RelayControl | undefined
  heads: number[] = []
  headers: Readonly<Record<string, string | string[] | undefined>> = {}
  bytes: Buffer[] = []
  ends = 0
  errors: GatewayError[] = []
  onFirstData = () => {}
  readonly #settled = Promise.withResolvers<void>()
  readonly settled = this.#settled.promise
  onStart(control: RelayControl): void {
    this.control = control
  }
  onHead(status: number, headers: TestSink['headers']): void {
    this.heads.push(status)
    this.headers = headers
  }
  onData(chunk: Buffer): void {
    this.bytes.push(chunk)
    if (this.bytes.length === 1) this.onFirstData()
  }
  onEnd(): void {
    this.ends++
    this.#settled.resolve()
  }
  onError(error: GatewayError): void {
    this.errors.push(error)
    this.#settled.resolve()
  }
  get text(): string {
    return Buffer.concat(this.bytes).toString()
  }
}

function relay(fields: Partial<ExchangeRequest> = {}, to = target): TestSink {
  const sink = new TestSink()
  relayTo(sink, fields, to)
  return sink
}

function relayTo(sink: TestSink, fields: Partial<ExchangeRequest> = {}, to = target): void {
  const request: ExchangeRequest = {
    method: 'POST',
    suffix: '',
    query: '',
    settings: {},
    headers: {},
    firstByteMs: 60_000,
    idleMs: 60_000,
    ...fields,
  }
  upstream.relay(to, '/chat/completions', request, sink)
}

async function relayed(fields: Partial<ExchangeRequest> = {}, to = target): Promise<TestSink> {
  const sink = relay(fields, to)
  await sink.settled
  // After one turn of the event loop, the connection is idle and can be reused by the next request.
  await new Promise(resolve => setImmediate(resolve))
  return sink
}

const call: UpstreamCall = { method: 'POST', path: '/chat/completions', body: { model: 'up-1' }, firstByteMs: 60_000, idleMs: 60_000 }

test('a relay sends the bytes unchanged with the credential, and returns the answer unchanged', async () => {
  const body = Buffer.from('{"model":"up-1",  "n":12345678901234567890}')
  const sink = await relayed({ body, query: 'a=1', suffix: '/x', headers: { traceparent: '00-abc' } })
  assert.deepEqual(sink.errors.map(String), ['GatewayError: The upstream service has nothing at this path; its base_url may be wrong.'])
  const [seen] = fake.received
  assert.equal(seen?.path, '/v1/chat/completions/x?a=1')
  assert.deepEqual(seen?.body, body)
  assert.equal(seen?.headers.authorization, 'Bearer sk-secret')
  assert.equal(seen?.headers['x-extra'], 'yes-please')
  assert.equal(seen?.headers['content-type'], 'application/json')
  assert.equal(seen?.headers.traceparent, '00-abc')
  fake.answer(jsonReply({ answer: 42 }, 200, { 'x-thing': 'a' }))
  const good = await relayed({ body })
  assert.deepEqual([good.heads, good.text, good.ends, good.errors], [[200], '{"answer":42}', 1, []])
  assert.equal(good.headers['x-thing'], 'a')
})

test('a body from a stream is sent with its length', async () => {
  fake.answer(jsonReply({}))
  const sink = await relayed({ body: { stream: Readable.from([Buffer.from('{"a":'), Buffer.from('1}')]), bytes: 7 } })
  assert.deepEqual(sink.errors, [])
  assert.equal(fake.received[0]?.headers['content-length'], '7')
  assert.equal(fake.received[0]?.headers['transfer-encoding'], undefined)
  assert.deepEqual(fake.received[0]?.json, { a: 1 })
})

test('connections are kept and reused', async () => {
  fake.answer(jsonReply({}))
  const before = fake.connectionsMade()
  for (let i = 0; i < 5; i++) await relayed({ body: Buffer.from('{}') })
  assert.ok(fake.connectionsMade() - before <= 1)
})

test('a refusal becomes one error, without a head', async () => {
  fake.answer(errorReply(429, { code: 'rate_limit_exceeded' }, { 'retry-after': '5' }))
  const sink = await relayed({ body: Buffer.from('{}') })
  assert.deepEqual([sink.heads, sink.ends, sink.errors.length], [[], 0, 1])
  assert.equal(sink.errors[0]?.code, 'rate_limited')
  assert.equal(sink.errors[0]?.retryAfterSeconds, 5)
})

test('a refusal above 64 KB is cut off and keeps its status', async () => {
  fake.answer(jsonReply({ error: 'x'.repeat(200_000) }, 503))
  const sink = await relayed({ body: Buffer.from('{}') })
  assert.equal(sink.errors[0]?.code, 'overloaded')
})

test('a failed connection is upstream_unreachable', async () => {
  const gone = await startFakeUpstream()
  await gone.close()
  const sink = await relayed({ body: Buffer.from('{}') }, upstreamTarget(gone.baseUrl))
  assert.equal(sink.errors[0]?.code, 'upstream_unreachable')
})

test('a reset of a new connection before any byte is upstream_unreachable and not retried', async () => {
  const fresh = await startFakeUpstream()
  fresh.answer(resetReply())
  const sink = await relayed({ body: Buffer.from('{}') }, upstreamTarget(fresh.baseUrl))
  assert.equal(sink.errors[0]?.code, 'upstream_unreachable')
  assert.equal(fresh.received.length, 1)
  await fresh.close()
})

for (const [ending, reply] of [
  ['reset', resetReply()],
  ['close', closeReply],
] as const) {
  test(`a ${ending} of a kept connection before any byte is retried once, on a new connection`, async () => {
    fake.answer(jsonReply({ first: true }), reply, jsonReply({ second: true }))
    await relayed({ body: Buffer.from('{}') })
    const sink = await relayed({ body: Buffer.from('{"n":2}') })
    assert.deepEqual([sink.text, sink.errors], ['{"second":true}', []])
    assert.deepEqual(
      fake.received.map(({ body }) => body.toString()),
      ['{}', '{"n":2}', '{"n":2}'],
    )
    assert.notEqual(fake.received[1]?.port, fake.received[2]?.port)

    fake.answer(jsonReply({}), reply)
    await relayed({ body: Buffer.from('{}') })
    const twice = await relayed({ body: Buffer.from('{}') })
    assert.equal(twice.errors[0]?.code, 'upstream_unreachable')
    assert.equal(fake.received.length, 6)
  })
}

test('a body that cannot be read is a fault of the gateway, and a path that cannot be sent one of the caller', async () => {
  const stream = new Readable({ read: () => stream.destroy(new Error('disk')) })
  const sink = await relayed({ body: { stream, bytes: 10 } })
  assert.equal(sink.errors[0]?.code, 'internal_error')
  assert.equal((await relayed({ suffix: '/a b', method: 'GET' })).errors[0]?.code, 'invalid_request')
})

test('a body from a stream is never sent again', async () => {
  fake.answer(jsonReply({}), resetReply())
  await relayed({ body: Buffer.from('{}') })
  const stream = Readable.from([Buffer.from('{}')])
  const sink = await relayed({ body: { stream, bytes: 2 } })
  assert.equal(sink.errors[0]?.code, 'upstream_unreachable')
  assert.deepEqual([fake.received.length, stream.destroyed], [2, true])
})

test('a reset during an answer is upstream_error after the head, and not retried', async () => {
  fake.answer(jsonReply({}), resetReply(['one']))
  await relayed({ body: Buffer.from('{}') })
  const sink = await relayed({ body: Buffer.from('{}') })
  assert.deepEqual([sink.heads, sink.ends, sink.errors[0]?.code], [[200], 0, 'upstream_error'])
  assert.match(sink.text, /data: one/)
  assert.equal(fake.received.length, 2)
})

test('a missing first byte, and silence during the answer, are upstream_timeout', async () => {
  fake.answer(silentReply)
  const early = await relayed({ body: Buffer.from('{}'), firstByteMs: 100 })
  assert.deepEqual([early.heads, early.errors[0]?.code], [[], 'upstream_timeout'])
  fake.answer(hangingReply(['one']))
  const late = await relayed({ body: Buffer.from('{}'), idleMs: 100 })
  assert.deepEqual([late.heads, late.errors[0]?.code], [[200], 'upstream_timeout'])
})

test('an abort ends the upstream call, and the sink gets nothing more', async () => {
  fake.answer(hangingReply(['one']))
  const sink = relay({ body: Buffer.from('{}') })
  await until(() => sink.bytes.length > 0, 'the first event')
  sink.control?.abort()
  await until(() => fake.received.at(-1)?.isCut, 'the cut')
  assert.deepEqual([sink.ends, sink.errors], [0, []])
})

test('an abort during the connection attempt sends nothing', async () => {
  const other = await startFakeUpstream()
  const sink = relay({ body: Buffer.from('{}') }, upstreamTarget(other.baseUrl))
  sink.control?.abort()
  await relayed({ body: Buffer.from('{"second":true}') }, upstreamTarget(other.baseUrl))
  assert.deepEqual(
    other.received.map(({ body }) => body.toString()),
    ['{"second":true}'],
  )
  assert.deepEqual([sink.heads, sink.ends, sink.errors], [[], 0, []])
  await other.close()
})

test('a paused relay gets no data until it is resumed', async () => {
  const frames = Array.from({ length: 400 }, () => 'x'.repeat(65_536))
  fake.answer(sseReply(frames))
  const sink = relay({ body: Buffer.from('{}') })
  // The answer is paused at its first bytes, because on a fast machine all of them could arrive
  // within one turn of the event loop.
  const paused = Promise.withResolvers<void>()
  sink.onFirstData = () => {
    sink.control?.pause()
    paused.resolve()
  }
  await paused.promise
  const seen = sink.bytes.length
  await upstream.json(target, { ...call, method: 'GET', path: '/models', timeoutMs: 10_000, maxBytes: 100_000_000 }).catch(() => {})
  assert.ok(sink.bytes.length <= seen + 1)
  assert.equal(sink.ends, 0)
  sink.control?.resume()
  await sink.settled
  assert.equal(sink.text.length, 400 * (65_536 + 'data: \n\n'.length))
})

test('a redirect is an error, and the other host is never called', async () => {
  const other = await startFakeUpstream()
  fake.answer(redirectReply(`${other.baseUrl}/chat/completions`))
  const sink = await relayed({ body: Buffer.from('{}') })
  assert.equal(sink.errors[0]?.code, 'upstream_error')
  await assert.rejects(upstream.open(target, call), { code: 'upstream_error' })
  assert.deepEqual([other.received.length, other.connectionsMade()], [0, 0])
  await other.close()
})

test('a base URL keeps its path and query; invalid ones are explained without repeating them', async () => {
  assert.equal(upstreamTarget('https://host.example/openai/v1/').path, '/openai/v1')
  const versioned = upstreamTarget(`${fake.baseUrl}/?api-version=3`)
  fake.answer(jsonReply({}))
  await relayed({ body: Buffer.from('{}'), query: 'a=1' }, versioned)
  assert.equal(fake.received[0]?.path, '/v1/chat/completions?a=1&api-version=3')
  assert.equal(baseUrlProblem('https://host.example/v1'), undefined)
  for (const url of ['nonsense', 'ftp://host.example', 'https://user:word@host.example', 'https://host.example/#x']) {
    assert.match(baseUrlProblem(url) ?? '', /^base_url /)
    assert.ok(!baseUrlProblem(url)?.includes('word@'))
  }
  assert.match(headerProblem('a b', 'x') ?? '', /no valid header name/)
  assert.match(headerProblem('host', 'x') ?? '', /set by the gateway/)
  assert.match(headerProblem('x-a', 'line\nbreak') ?? '', /no header can have/)
  assert.equal(headerProblem('x-a', 'fine'), undefined)
})

test('an exception of the receiver at the end of an answer is reported to it, however the answer ends', async () => {
  const framed: FakeReply = jsonReply({ answer: 42 })
  const closed: FakeReply = response => void response.socket?.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{"answer":42}')
  for (const reply of [framed, closed]) {
    fake.answer(reply)
    const sink = new TestSink()
    sink.onEnd = () => {
      throw new RangeError('too deep')
    }
    relayTo(sink)
    await sink.settled
    assert.deepEqual(
      sink.errors.map(({ code }) => code),
      ['upstream_error'],
    )
  }
})
