/** Tests how the requests of provider packages use connections, on the whole program. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, beforeEach, test } from 'node:test'
import { startConnectProxy } from '@generation-gateway/kit/testing/connect-proxy.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { type FakeUpstream, hangingReply, jsonReply, startFakeUpstream } from '../../../../testing/fakes/fake-upstream.ts'
import { startTestGateway, type TestGateway, type TestOptions, testKey } from '../../../../testing/gateway.ts'
import { vendorAuthority, vendorIdentity } from '../../../../testing/vendor-identity.ts'
import { anthropicEvents, anthropicReply, eventsText } from '../testing/anthropic-answers.ts'
import { picture } from '../testing/run.ts'

const folder = mkdtempSync(join(tmpdir(), 'ai-sdk-connections-'))
const caFile = join(folder, 'authority.pem')
writeFileSync(caFile, vendorAuthority)
after(() => rmSync(folder, { recursive: true }))

let service: FakeUpstream
beforeEach(async () => {
  service = await startFakeUpstream()
  service.answer(anthropicReply(yes))
})
afterEach(() => service.close())

const yes = { blocks: [{ type: 'text', text: 'Yes.' }] } as const

/** Starts a gateway whose model `claude` has one target with this address and these settings. */
const startWith = (baseUrl: string, more = '', options: TestOptions = {}) =>
  startTestGateway({
    ...options,
    yaml: `${options.yaml ?? ''}models:
  - { id: claude, family: chat, targets: [{ driver: ai-sdk, package: "@ai-sdk/anthropic", base_url: "${baseUrl}", api_key: sk-none-at-all, model: up-1${more} }] }
  - { id: vectors, family: embeddings, targets: [{ driver: ai-sdk, package: "@ai-sdk/google", base_url: "${baseUrl}", api_key: sk-none-at-all, model: up-2${more} }] }
`,
  })

const question = { model: 'claude', messages: [{ role: 'user', content: 'Well?' }] }
const ask = (gateway: TestGateway) => gateway.call('/v1/chat/completions', { body: question })
const askWell = async (gateway: TestGateway) => {
  const { status, body } = await ask(gateway)
  assert.equal(status, 200, JSON.stringify(body))
}
const errorOf = async (gateway: TestGateway) => {
  const { status, body } = await ask(gateway)
  return [status, body.error.code, body.error.message]
}

test('successive conversations share a connection, and 20 simultaneous ones have one each', async () => {
  await using gateway = await startWith(service.baseUrl)
  for (let count = 0; count < 50; count++) await askWell(gateway)
  assert.equal(service.connectionsMade(), 1)
  for (let round = 0; round < 3; round++) await Promise.all(Array.from({ length: 20 }, () => askWell(gateway)))
  assert.ok(service.connectionsMade() <= 20, `${service.connectionsMade()} connections`)
  assert.equal(service.received.length, 110)
})

test('embeddings share a connection, too', async () => {
  await using gateway = await startWith(service.baseUrl)
  service.answer(jsonReply({ embeddings: [{ values: [0, 1] }], embedding: { values: [0, 1] } }))
  for (let count = 0; count < 5; count++) {
    const { status, body } = await gateway.call('/v1/embeddings', { body: { model: 'vectors', input: 'a text' } })
    assert.equal(status, 200, JSON.stringify(body))
  }
  assert.deepEqual([service.received.length, service.connectionsMade()], [5, 1])
})

test('a conversation on a kept connection that the service has just closed is sent over a new one', async () => {
  await using gateway = await startWith(service.baseUrl)
  await askWell(gateway)
  service.answer(response => void response.socket?.destroy(), anthropicReply(yes))
  await askWell(gateway)
  assert.deepEqual([service.received.length, service.connectionsMade()], [3, 2])
  assert.deepEqual(service.received[1]?.json, service.received[2]?.json)
})

test('slow links in conversations of one account leave connections to their host for another account', async () => {
  const otherKey = 'sk-other-access-key-0001'
  const accounts = `accounts:
  - { id: other, keys: [{ name: theirs, secret: ${otherKey} }], endpoints: [{ name: default }] }
`
  await using gateway = await startWith(service.baseUrl, '', { yaml: accounts })
  const png = await picture()
  let slow = 0
  using host = Object.assign(
    createHttpServer(({ url }, response) => {
      response.writeHead(200, { 'content-type': 'image/png' })
      if (url === '/quick') return void response.end(png)
      slow++
      response.write(png.subarray(0, 8))
    }),
    { [Symbol.dispose]: () => host.close() },
  )
  host.listen(0, '127.0.0.1')
  await once(host, 'listening')
  // The cast is safe: a server on a TCP port has an address object, not a string.
  const { port } = host.address() as AddressInfo
  // The gateway downloads the pictures in results of tools for every model.
  const look = (name: string, key: string, signal?: AbortSignal) => {
    const output = [{ type: 'input_image', image_url: `http://127.0.0.1:${port}/${name}` }]
    const called = { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{}' }
    const input = [{ role: 'user', content: 'Well?' }, called, { type: 'function_call_output', call_id: 'c1', output }]
    return fetch(`${gateway.url}/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'claude', store: false, input }),
      ...(signal ? { signal } : {}),
    })
  }
  const leave = new AbortController()
  const held = Array.from({ length: 20 }, (_, index) => look(`slow${index}`, testKey, leave.signal).catch(() => undefined))
  await until(() => slow >= 8, 'the slow downloads')
  const begunAt = performance.now()
  const answer = await look('quick', otherKey)
  assert.equal(answer.status, 200, await answer.text())
  assert.ok(performance.now() - begunAt < 25_000)
  assert.equal(slow, 8)
  leave.abort()
  await Promise.all(held)
})

test('a refusal keeps the connection, and a caller who disconnects closes its own', async () => {
  await using gateway = await startWith(service.baseUrl)
  service.answer(jsonReply({ type: 'error', error: { type: 'invalid_request_error', message: 'no' } }, 400), anthropicReply(yes))
  assert.equal((await ask(gateway)).status, 400)
  await askWell(gateway)
  assert.equal(service.connectionsMade(), 1)
  const beginning = eventsText(anthropicEvents(yes).slice(0, 4))
  service.answer(hangingReply([beginning]))
  const leaving = new AbortController()
  const headers = { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ ...question, stream: true })
  const response = await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body, signal: leaving.signal })
  await response.body?.getReader().read()
  leaving.abort()
  await until(() => service.openConnections() === 0, 'the end of the connection')
  assert.equal(service.aborted(), 1)
})

test('a proxy of the environment or the target, and an authority of the target, also apply to kept connections', async context => {
  await using proxy = await startConnectProxy()
  const secure = createServer(vendorIdentity, (request, response) => {
    request.resume().on('end', () => response.setHeader('content-type', 'text/event-stream').end(eventsText(anthropicEvents(yes))))
  }).listen(0, '127.0.0.1')
  context.after(() => {
    secure.closeAllConnections()
    secure.close()
  })
  await once(secure, 'listening')
  // The cast is safe: a server on a TCP port has an address object, not a string.
  const { port } = secure.address() as AddressInfo
  const [plain, byTls] = [`vendor.test:${new URL(service.baseUrl).port}`, `vendor.test:${port}`]
  const cases: [string, string, TestOptions][] = [
    [`http://${plain}/v1`, '', { env: { HTTP_PROXY: proxy.url } }],
    [`http://${plain}/v1`, `, proxy: "${proxy.url}"`, {}],
    [`https://${byTls}/v1`, `, ca_file: "${caFile}"`, { env: { HTTPS_PROXY: proxy.url } }],
  ]
  for (const [baseUrl, more, options] of cases) {
    await using gateway = await startWith(baseUrl, more, options)
    for (let count = 0; count < 3; count++) await askWell(gateway)
  }
  assert.deepEqual(proxy.asked, [plain, plain, byTls])
  await using gateway = await startWith(`https://${byTls}/v1`, `, proxy: "${proxy.url}"`)
  const [status, code, message] = await errorOf(gateway)
  assert.deepEqual([status, code], [502, 'upstream_unreachable'])
  assert.match(message, /no certificate that the gateway trusts/)
})

test('connect_seconds, timeout_seconds and total_seconds end a request of a package', async () => {
  await using proxy = await startConnectProxy({ refuses: () => 'silent' })
  await using unconnected = await startWith('http://vendor.test/v1', `, proxy: "${proxy.url}", connect_seconds: 1`)
  assert.deepEqual((await errorOf(unconnected)).slice(0, 2), [502, 'upstream_unreachable'])

  service.answer(() => {})
  await using silent = await startWith(service.baseUrl, ', timeout_seconds: 1')
  assert.deepEqual((await errorOf(silent)).slice(0, 2), [504, 'upstream_timeout'])

  const pings = eventsText([{ type: 'ping' }])
  service.answer(async response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const timer = setInterval(() => response.write(pings), 100)
    await once(response, 'close')
    clearInterval(timer)
  })
  await using endless = await startWith(service.baseUrl, ', total_seconds: 1')
  assert.deepEqual(await errorOf(endless), [504, 'upstream_timeout', 'The upstream service did not finish its answer within 1 s.'])
  await until(() => service.aborted() >= 2, 'the end of the request')
})
