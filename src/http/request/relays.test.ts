import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import { after, before, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { createFakeClock } from '../../testing/clock.ts'
import {
  errorReply,
  type FakeReply,
  type FakeUpstream,
  hangingReply,
  jsonReply,
  silentReply,
  sseReply,
  startFakeUpstream,
} from '../../testing/fakes/fake-upstream.ts'
import { chatCompletion, chatFrames } from '../../testing/fakes/fake-upstream-text.ts'
import { startTestGateway } from '../../testing/gateway.ts'
import {
  begin,
  callRows,
  exchange,
  type RequestOptions,
  relayYaml,
  startRelayGateway,
  type WholeAnswer,
} from '../../testing/relay-gateway.ts'
import { onlyEmbedded } from '../../testing/stores/database.ts'

/** Every test sends the same request in several variants, each of which changes how some step of
 *  the request runs, and expects the same answer for all. */
const path = '/v1/ai/default/chat/completions'
const chat = { model: 'm', messages: [{ role: 'user', content: 'hello' }] }
const ask = JSON.stringify(chat)
const keys = `accounts:
  - id: default
    keys:
      - { name: limited, secret: sk-limited-000001, rate_per_minute: 20 }
      - { name: family, secret: sk-family-0000001, scopes: { families: [F1] } }
      - { name: model, secret: sk-models-0000001, scopes: { models: [other] } }
      - { name: endpoint, secret: sk-endpoint-00001, scopes: { endpoints: [studio] } }
      - { name: old, secret: sk-expires-000001, expires: 2026-11-22 }
    endpoints: [{ name: studio, routes: { chat: { model: m } } }, { name: pictures, routes: { F1: {} } }]
`

/** The variants of a request, by name. The first is an ordinary request. */
const ways: Record<string, (body: Buffer) => RequestOptions> = {
  ordinary: body => ({ body }),
  'an id of the client': body => ({ body, headers: { 'x-client-request-id': 'mine' } }),
  'a browser': body => ({ body, headers: { origin: 'https://page.example' } }),
  chunked: body => ({ body: [body.subarray(0, 7), body.subarray(7)] }),
  'a type with a charset': body => ({ body, headers: { 'content-type': 'application/json; charset=utf-8' } }),
}

interface World {
  url: string
  dataDir: string
  upstream: FakeUpstream
  lines: Record<string, unknown>[]
}
const clock = createFakeClock()
let world: World
let closeWorld: () => Promise<unknown>

before(async () => {
  const opened = await startWorld()
  world = opened.world
  closeWorld = opened.close
})
after(() => closeWorld())

/** Starts a gateway whose log lines can be read. */
async function startWorld(): Promise<{ world: World; close(): Promise<unknown> }> {
  const upstream = await startFakeUpstream()
  const lines: Record<string, unknown>[] = []
  const logTo = new PassThrough()
  logTo.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.split('\n')) if (line !== '') lines.push(JSON.parse(line))
  })
  const yaml = keys + relayYaml([{ url: upstream.baseUrl }])
  const gateway = await startTestGateway({ env: { GATEWAY_LOG_LEVEL: 'info' }, yaml, clock, logTo })
  const close = async () => {
    await gateway[Symbol.asyncDispose]()
    await upstream.close()
  }
  return { world: { url: gateway.url, dataDir: gateway.dataDir, upstream, lines }, close }
}

interface Told {
  answer: { status: number; text: string; headers: Record<string, unknown> }
  sent: unknown[]
  record: unknown
  line: unknown
  counted: string[]
  logged: unknown[]
}

const compared = ['content-type', 'retry-after', 'x-should-retry', 'www-authenticate', 'x-ratelimit-limit-requests']

/** Sends one request and returns all its effects (answer, upstream requests, records, logs,
 *  metrics), without values that always differ. */
async function told(sending: RequestOptions, at: string = path): Promise<Told> {
  const { url, dataDir, upstream, lines } = world
  upstream.received.length = 0
  const metricsBefore = await counts()
  lines.length = 0
  const got: WholeAnswer = await exchange(url + at, sending)
  const id = String(got.headers['x-request-id'])
  assert.match(id, /^[0-9a-f-]{36}$/)
  const line = await until(() => lines.find(each => each.msg === 'request' && each.requestId === id), 'the line')
  const find = async () => (await callRows({ dataDir })).find(row => row.request_id === id)
  const record = got.status === 200 ? await until(find, 'the record') : await find()
  const metrics = await counts()
  return {
    answer: {
      status: got.status,
      text: got.text.replaceAll(id, 'ID'),
      headers: Object.fromEntries(compared.map(name => [name, got.headers[name]])),
    },
    sent: upstream.received.map(({ body, path: to, headers }) => [
      body.toString('latin1'),
      to,
      headers.authorization,
      headers['content-type'],
    ]),
    record: record && { ...record, id: 0, request_id: 'ID', at: 0, ms: 0 },
    line: { ...line, time: 0, requestId: 'ID', ms: 0 },
    counted: [...metrics].filter(([name, value]) => value !== metricsBefore.get(name)).map(([name]) => name),
    logged: lines.filter(isOfCall).map(each => [each.msg, each.code]),
  }
}

/** Returns true for log lines about the call. The warning about lost leases is excluded: a test
 *  sets the clock forward, and a heartbeat that runs at that moment treats this as a long pause. */
function isOfCall({ msg }: { msg?: unknown }): boolean {
  return msg !== 'request' && !String(msg).startsWith('leases given up')
}

/** Returns the counters in the metrics, by operation, status and error code. */
async function counts(): Promise<Map<string, string>> {
  const text = await (await fetch(`${world.url}/metrics`)).text()
  const found = text.matchAll(
    /^(gateway_http_request_duration_seconds_count\{operation="chat[^}]*\}|gateway_errors_total\{[^}]*\}) (\S+)$/gm,
  )
  return new Map(Array.from(found, ([, name = '', value = '']) => [name, value]))
}

interface Case {
  body: string | Buffer
  replies?: FakeReply[]
  at?: string
  sending?: Pick<RequestOptions, 'key' | 'headers'>
}

/** Sends the request of this case in every variant, and asserts that its effects are the same as
 *  those of the first variant. */
async function sameOnAllWays(name: string, { body, replies = [], at, sending = {} }: Case): Promise<Told> {
  let first: Told | undefined
  for (const [way, form] of Object.entries(ways)) {
    world.upstream.answer()
    // An earlier call fills the cache of keys and endpoints, and closes a breaker that a failure
    // has opened.
    await exchange(world.url + (at ?? path), { body: ask, ...(sending.key === undefined ? {} : { key: sending.key }) })
    await exchange(world.url + path, { body: ask })
    world.upstream.answer(...replies)
    const { headers, ...rest } = form(Buffer.from(body))
    const result = await told({ ...rest, ...sending, headers: { ...headers, ...sending.headers } }, at)
    first ??= result
    assert.deepEqual(result, first, `${name}: ${way}`)
    clock.step(120_000)
  }
  assert.ok(first)
  return first
}

test('an ordinary call is the same on all paths: bytes, record, metrics, log line', async () => {
  const { answer, sent, record, line, counted } = await sameOnAllWays('ordinary', { body: ask })
  assert.equal(answer.status, 200)
  assert.equal(sent.length, 1)
  assert.deepEqual(counted, ['gateway_http_request_duration_seconds_count{operation="chat.create",status="200"}'])
  assert.deepEqual(line, {
    level: 30,
    time: 0,
    requestId: 'ID',
    method: 'POST',
    operation: 'chat.create',
    status: 200,
    ms: 0,
    msg: 'request',
  })
  const row = Object(record)
  assert.deepEqual([row.model, row.status, row.input_tokens, row.output_tokens, row.endpoint], ['m', 200, 11, 5, 'default'])
  const stream = await sameOnAllWays('stream', {
    body: JSON.stringify({ ...chat, stream: true }),
    replies: [sseReply(chatFrames({ text: 'a b' }))],
  })
  assert.equal(stream.answer.status, 200)
  const routed = await sameOnAllWays('model of the route', {
    body: JSON.stringify({ messages: chat.messages }),
    at: '/v1/ai/studio/chat/completions',
  })
  assert.equal(routed.answer.status, 200)
})

test('fields that are null are relayed unchanged and not counted', async () => {
  const nulls = { temperature: null, tools: null, n: null, metadata: null, stream_options: null, max_tokens: null, logit_bias: null }
  const sentNulls = JSON.stringify({ ...chat, messages: [{ ...chat.messages[0], name: null, tool_calls: null }], ...nulls })
  const counted = [chatCompletion({ text: 'a b' }), chatCompletion({ text: 'a b' })].map(reply => jsonReply(reply))
  const whole = await sameOnAllWays('nulls', { body: sentNulls, replies: counted })
  assert.equal(whole.answer.status, 200)
  const [bytes] = whole.sent[0] as [string]
  assert.equal(bytes.replace(/"model":"[^"]*"/, ''), sentNulls.replace(/"model":"[^"]*"/, ''))
  const plain = await sameOnAllWays('no nulls', { body: ask, replies: counted })
  assert.deepEqual(whole.record, plain.record)
})

test('refusals are the same on all paths', async () => {
  const cases: Record<string, [number, Case]> = {
    'no JSON': [400, { body: '{"model":"m",' }],
    'no UTF-8': [400, { body: Buffer.from(ask.replace('hello', '\xff\xfe'), 'latin1') }],
    'a byte order mark': [200, { body: `\ufeff${ask}` }],
    'an unknown model': [404, { body: ask.replace('"m"', '"x"') }],
    'no messages': [400, { body: '{"model":"m"}' }],
    'a wrong type': [400, { body: '{"model":"m","messages":"x"}' }],
    'a list': [400, { body: '[]' }],
    'two models': [400, { body: ask.replace('{', '{"model":"m",') }],
    'a refusal of the upstream': [400, { body: ask, replies: [errorReply(400, { message: 'not so', param: 'x' })] }],
    'a long idempotency key': [400, { body: ask, sending: { headers: { 'idempotency-key': 'k'.repeat(300) } } }],
    'another family': [403, { body: ask, sending: { key: 'sk-family-0000001' } }],
    'another model': [403, { body: ask, sending: { key: 'sk-models-0000001' } }],
    'another endpoint': [403, { body: ask, sending: { key: 'sk-endpoint-00001' } }],
    'an endpoint without chat': [404, { body: ask, at: '/v1/ai/pictures/chat/completions' }],
    'no endpoint': [404, { body: ask, at: '/v1/ai/nowhere/chat/completions' }],
    'no such key': [401, { body: ask, sending: { key: 'sk-unknown-0000001' } }],
  }
  for (const [name, [status, each]] of Object.entries(cases)) {
    const { answer, record } = await sameOnAllWays(name, each)
    assert.equal(answer.status, status, `${name}: ${answer.text}`)
    assert.equal(record === undefined, status !== 200, name)
  }
})

test('a failing upstream is the same on all paths', async () => {
  for (const [status, reply] of [
    [502, errorReply(500, {})],
    [429, errorReply(429, {}, { 'retry-after': '7' })],
  ] as const) {
    const { answer } = await sameOnAllWays(`upstream ${status}`, { body: ask, replies: [reply] })
    assert.equal(answer.status, status)
  }
})

test(
  'every request counts against the rate limit, refused or not, and the answer has the remaining number',
  onlyEmbedded('expects the waits of a rate that one process counts'),
  async () => {
    const key = 'sk-limited-000001'
    world.upstream.answer()
    const remaining: unknown[] = []
    const send = async (sending: RequestOptions): Promise<number> => {
      const got = await exchange(world.url + path, { key, ...sending })
      remaining.push(got.headers['x-ratelimit-remaining-requests'])
      return got.status
    }
    const body = Buffer.from(ask)
    const statuses: number[] = []
    for (let index = 0; index < 4; index++) {
      statuses.push(await send({ body }))
      statuses.push(await send({ body: '{"model":"m"}' }))
      statuses.push(await send({ body, headers: { origin: 'https://page.example' } }))
      world.upstream.answer(errorReply(400, { message: 'no' }))
      statuses.push(await send({ body }))
      statuses.push(await send({ body, headers: { origin: 'https://page.example' } }))
      world.upstream.answer()
    }
    assert.deepEqual(statuses, Array.from({ length: 4 }, () => [200, 400, 200, 400, 400]).flat())
    assert.deepEqual(
      remaining,
      Array.from({ length: 20 }, (_, index) => String(19 - index)),
    )
    for (const sending of [{ body }, { body, headers: { origin: 'https://page.example' } }]) {
      const got = await exchange(world.url + path, { key, ...sending })
      assert.deepEqual([got.status, got.headers['x-ratelimit-remaining-requests'], got.headers['retry-after']], [429, '0', '3'])
    }
  },
)

test('an expired or revoked key is refused from that moment on', async () => {
  world.upstream.answer()
  const key = 'sk-expires-000001'
  await exchange(world.url + path, { body: ask, key })
  assert.equal((await exchange(world.url + path, { body: ask, key })).status, 200)
  clock.step(48 * 3_600_000)
  assert.equal((await exchange(world.url + path, { body: ask, key })).status, 401)
  await using own = await startRelayGateway()
  const { gateway, upstream } = own
  const made = await gateway.admin('/admin/keys', { body: { name: 'short' } })
  const secret: string = made.body.secret
  const url = gateway.url + path
  for (const _ of ['unknown', 'known']) assert.equal((await exchange(url, { body: ask, key: secret })).status, 200)
  const id: string = made.body.key.id
  assert.equal((await gateway.admin(`/admin/keys/${id}`, { method: 'DELETE' })).status, 200)
  assert.equal((await exchange(url, { body: ask, key: secret })).status, 401)
  assert.equal(upstream.received.length, 2)
})

test('bodies that are too large for memory are relayed unchanged, and leave no file', async () => {
  const { upstream, url } = world
  upstream.answer()
  for (const size of [100_000, 5_000_000]) {
    const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${'QUJD'.repeat(size / 4)}` } }
    const body = JSON.stringify({
      ...chat,
      n: 1,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'é\u00e9' }, image] }],
    }).replace('"n":1', '"n" :  1 ')
    for (const form of [(bytes: Buffer): RequestOptions => ({ body: bytes }), ways.chunked]) {
      upstream.received.length = 0
      const got = await exchange(url + path, form?.(Buffer.from(body)) ?? {})
      assert.equal(got.status, 200, got.text)
      assert.ok(upstream.received[0]?.body.equals(Buffer.from(body.replace('"model":"m"', '"model":"up-1"'))), `${size}`)
    }
    upstream.answer(errorReply(400, { message: 'too many pixels' }))
    assert.equal((await exchange(url + path, { body })).status, 400)
    upstream.answer()
  }
  const left = async () => (await readdir(world.dataDir, { recursive: true })).filter(name => /upload-|call-/.test(name))
  await until(async () => (await left()).length === 0, 'the folders to be gone')
})

test('when a caller disconnects, the upstream call ends and is recorded, on all paths', async () => {
  const { upstream, url, lines, dataDir } = world
  const body = Buffer.from(JSON.stringify({ ...chat, stream: true }))
  for (const [reply, recorded] of [
    [hangingReply(chatFrames({ text: 'a' }).slice(0, 2)), [499]],
    [silentReply, [499]],
  ] as const) {
    upstream.answer()
    const first = await exchange(url + path, { body: ask })
    await until(async () => (await callRows({ dataDir })).some(row => row.request_id === first.headers['x-request-id']), 'the first record')
    for (const [way, form] of Object.entries(ways)) {
      upstream.answer(reply)
      upstream.received.length = 0
      lines.length = 0
      const seen = new Set((await callRows({ dataDir })).map(row => row.request_id))
      const controller = new AbortController()
      const call = begin(url + path, { ...form(body), signal: controller.signal }).catch(() => undefined)
      await until(() => upstream.received.length === 1, 'the request')
      if (reply !== silentReply) await call
      controller.abort()
      await until(() => upstream.received[0]?.isCut, 'the cut')
      const fresh = async () => (await callRows({ dataDir })).filter(row => !seen.has(row.request_id))
      await until(async () => (await fresh()).length >= recorded.length, `the record: ${way}`)
      assert.deepEqual(
        (await fresh()).map(row => row.status),
        recorded,
        way,
      )
      if (way === 'ordinary') await until(() => lines.some(line => line.msg === 'request' && line.status === 499), 'the line')
    }
  }
})
