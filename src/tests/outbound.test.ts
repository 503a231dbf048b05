import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { type ConnectProxy, startConnectProxy } from '@generation-gateway/kit/testing/connect-proxy.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import sharp from 'sharp'
import { jsonReply, sseReply, startFakeUpstream } from '../testing/fakes/fake-upstream.ts'
import { startTestGateway, type TestOptions } from '../testing/gateway.ts'
import { begin, exchange, upstreamKey } from '../testing/relay-gateway.ts'
import { tlsIdentity } from '../testing/tls-identity.ts'
import { vendorAuthority, vendorIdentity } from '../testing/vendor-identity.ts'

const folder = mkdtempSync(join(tmpdir(), 'gateway-outbound-'))
const caFile = join(folder, 'authorities.pem')
writeFileSync(caFile, `${vendorAuthority}${tlsIdentity.cert}\n`)
after(() => rmSync(folder, { recursive: true }))

const hello = { model: 'm', messages: [{ role: 'user', content: 'hello' }] }
const reply = { id: 'c1', object: 'chat.completion', choices: [{ index: 0, message: { role: 'assistant', content: 'from the vendor' } }] }

/** Starts a gateway with the model `m` on these targets. */
function start(targets: readonly string[], options: TestOptions = {}) {
  const lines = targets.map(
    (more, index) =>
      `      - { driver: openai-compatible, api_key: ${upstreamKey}, protocols: [chat], stateless: true, order: ${index + 1}, ${more} }`,
  )
  return startTestGateway({ ...options, yaml: `models:\n  - id: m\n    family: chat\n    targets:\n${lines.join('\n')}\n` })
}

const ask = (url: string, body: object = hello) => exchange(`${url}/v1/chat/completions`, { body: JSON.stringify(body) })
const portOf = (baseUrl: string) => new URL(baseUrl).port

test('a target is reached through HTTPS_PROXY with its own certificate authority, and the proxy sees only its name', async () => {
  await using proxy = await startConnectProxy({ credentials: 'user:pass word' })
  let seen: unknown[] = []
  const vendor = createTlsServer(vendorIdentity, (request, response) => {
    // The cast is safe: the server uses TLS, so its sockets have `servername`.
    const { servername } = request.socket as unknown as { servername: string }
    seen = [request.headers.host, servername, request.headers.authorization]
    request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply)))
  }).listen(0, '127.0.0.1')
  await once(vendor, 'listening')
  const host = `vendor.test:${(vendor.address() as AddressInfo).port}`
  const HTTPS_PROXY = proxy.url.replace('//', '//user:pass%20word@')
  await using gateway = await start([`base_url: "https://${host}/v1", ca_file: "${caFile}"`], { env: { HTTPS_PROXY } })
  for (let i = 0; i < 3; i++) {
    const answer = await ask(gateway.url)
    assert.equal(answer.status, 200, answer.text)
    assert.match(answer.text, /from the vendor/)
  }
  assert.deepEqual(seen, [host, 'vendor.test', `Bearer ${upstreamKey}`])
  assert.deepEqual(proxy.asked, [host])
  vendor.closeAllConnections()
  vendor.close()
})

test("without the target's certificate authority its certificate is refused", async () => {
  await using proxy = await startConnectProxy()
  const vendor = createTlsServer(vendorIdentity).listen(0, '127.0.0.1')
  await once(vendor, 'listening')
  const { port } = vendor.address() as AddressInfo
  await using gateway = await start([`base_url: "https://vendor.test:${port}/v1", proxy: "${proxy.url}"`])
  const answer = await ask(gateway.url)
  assert.equal(answer.status, 502)
  assert.match(answer.text, /no certificate that the gateway trusts/)
  vendor.close()
})

test('events stream through a proxy that uses TLS, and the tunnel closes when the caller disconnects', async () => {
  await using proxy = await startConnectProxy({ identity: tlsIdentity })
  const fake = await startFakeUpstream()
  const url = proxy.url.replace('127.0.0.1', 'localhost')
  const env = { HTTP_PROXY: url }
  await using gateway = await start([`base_url: "http://vendor.test:${portOf(fake.baseUrl)}/v1", ca_file: "${caFile}"`], { env })
  const chunk = (content: string) => ({ id: 'c1', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content } }] })
  fake.answer(sseReply([chunk('one'), chunk('two'), '[DONE]']))
  const whole = await ask(gateway.url, { ...hello, stream: true })
  assert.match(whole.text, /one[\s\S]*two[\s\S]*\[DONE\]/)

  fake.answer(response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`data: ${JSON.stringify(chunk('first'))}\n\n`)
  })
  const leaving = await begin(`${gateway.url}/v1/chat/completions`, { body: JSON.stringify({ ...hello, stream: true }) })
  const [first] = await once(leaving, 'data')
  assert.match(String(first), /first/)
  assert.equal(proxy.openTunnels(), 1)
  leaving.destroy()
  await until(() => proxy.openTunnels() === 0, 'the end of the tunnel')
  await until(() => fake.aborted() === 1, 'the end of the answer')
  await fake.close()
})

test('a large upload arrives whole through a proxy', async () => {
  await using proxy = await startConnectProxy()
  const fake = await startFakeUpstream()
  fake.answer(jsonReply(reply))
  await using gateway = await start([`base_url: "http://vendor.test:${portOf(fake.baseUrl)}/v1"`], { env: { http_proxy: proxy.url } })
  const picture = `data:image/png;base64,${'iVBORw0KGgo'.repeat(2_000_000)}`
  const messages = [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'what is this?' },
        { type: 'image_url', image_url: { url: picture } },
      ],
    },
  ]
  const answer = await ask(gateway.url, { model: 'm', messages })
  assert.equal(answer.status, 200, answer.text)
  const [received] = fake.received
  assert.ok(received)
  assert.ok(received.body.length > 22_000_000)
  assert.ok(received.body.includes(picture))
  assert.equal(proxy.asked.length, 1)
  await fake.close()
})

test('proxy: none, NO_PROXY and local addresses are reached directly; each target has its own route', async () => {
  await using general = await startConnectProxy()
  await using own = await startConnectProxy()
  const fake = await startFakeUpstream()
  fake.answer(jsonReply(reply))
  const env = { HTTP_PROXY: general.url, NO_PROXY: 'excepted.test' }
  const port = portOf(fake.baseUrl)
  for (const [settings, status, generals, owns] of [
    [`base_url: "${fake.baseUrl}"`, 200, 0, 0],
    [`base_url: "${fake.baseUrl}", proxy: "${own.url}"`, 200, 0, 0],
    [`base_url: "http://vendor.test:${port}/v1"`, 200, 1, 0],
    [`base_url: "http://vendor.test:${port}/v1", proxy: "${own.url}"`, 200, 1, 1],
    [`base_url: "http://vendor.test:${port}/v1", proxy: none`, 502, 1, 1],
    [`base_url: "http://api.excepted.test:${port}/v1"`, 502, 1, 1],
    [`base_url: "http://api.excepted.test:${port}/v1", proxy: "${own.url}"`, 200, 1, 2],
  ] as const) {
    await using gateway = await start([settings], { env })
    assert.equal((await ask(gateway.url)).status, status, settings)
    assert.deepEqual([general.asked.length, own.asked.length], [generals, owns], settings)
  }
  await fake.close()
})

/** Starts a server that accepts connections and never sends anything. */
async function startSilent(): Promise<{ name: string; close(): void }> {
  const server = createServer(socket => socket.on('error', () => {})).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { name: `127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

test('a proxy that refuses, is unreachable or silent is the target’s failure: named, without its answer, and the next target answers', async () => {
  const fake = await startFakeUpstream()
  fake.answer(jsonReply(reply))
  const silent = await startSilent()
  const log: string[] = []
  const logTo = new Writable({
    write: (chunk, _, done) => {
      log.push(String(chunk))
      done()
    },
  })
  const port = portOf(fake.baseUrl)
  const proxies: [proxy: ConnectProxy | { name: string }, says: string][] = []
  for (const status of [400, 403, 407, 429, 502, 503]) {
    const refuses = () => status
    proxies.push([await startConnectProxy({ refuses }), `refused the connection: `])
  }
  proxies.push([{ name: '127.0.0.1:1' }, 'cannot be reached (ECONNREFUSED).'], [silent, 'did not open a connection within 1 s.'])
  for (const [proxy, says] of proxies) {
    const seconds = proxy === silent ? 1 : 20
    const target = `base_url: "http://vendor.test:${port}/v1", proxy: "http://user:topsecret@${proxy.name}", connect_seconds: ${seconds}`
    const env = { GATEWAY_LOG_LEVEL: 'trace', HTTPS_PROXY: 'http://other:topsecret@general.test:3128' }
    await using alone = await start([target], { logTo, env })
    const answer = await ask(alone.url)
    const { error } = JSON.parse(answer.text)
    assert.deepEqual([answer.status, error.code], [502, 'upstream_unreachable'], answer.text)
    assert.ok(error.message.includes(`The proxy ${proxy.name} ${says}`), error.message)
    const { targets } = JSON.parse((await exchange(`${alone.url}/readyz`, { method: 'GET' })).text)
    assert.equal(targets[0].target, 'm#1')
    assert.doesNotMatch(answer.text + JSON.stringify(targets) + log.join(''), /topsecret|words of the proxy|dXNlcjp0b3BzZWNyZXQ/)
    await using both = await start([target, `base_url: "http://127.0.0.1:${port}/v1"`])
    assert.equal((await ask(both.url)).status, 200, says)
    if ('url' in proxy) await proxy[Symbol.asyncDispose]()
  }
  assert.match(log.join(''), /general\.test:3128/)
  silent.close()
  await fake.close()
})

test('a breaker opens for a target whose proxy fails', async () => {
  await using proxy = await startConnectProxy({ refuses: () => 503 })
  const fake = await startFakeUpstream()
  fake.answer(jsonReply(reply))
  const base = `http://vendor.test:${portOf(fake.baseUrl)}/v1`
  await using gateway = await start([`base_url: "${base}", proxy: "${proxy.url}"`, `base_url: "${fake.baseUrl}"`])
  for (let i = 0; i < 20; i++) assert.equal((await ask(gateway.url)).status, 200)
  assert.ok(proxy.asked.length > 0 && proxy.asked.length < 20, `${proxy.asked.length} of 20`)
  const { targets } = JSON.parse((await exchange(`${gateway.url}/readyz`, { method: 'GET' })).text)
  assert.deepEqual([targets[0].target, targets[0].state], ['m#1', 'open'])
  await fake.close()
})

test('a paid picture behind a failing proxy was not sent, so the next target makes it', async () => {
  await using proxy = await startConnectProxy({ refuses: () => 502 })
  const fake = await startFakeUpstream()
  const picture = await sharp({ create: { width: 1024, height: 1024, channels: 3, background: '#336699' } })
    .png()
    .toBuffer()
  fake.answer(jsonReply({ data: [{ b64_json: picture.toString('base64') }] }))
  const base = `http://vendor.test:${portOf(fake.baseUrl)}/v1`
  const target = (more: string) => `{ driver: openai-compatible, model: gpt-image-1, api_key: ${upstreamKey}, ${more} }`
  const targets = [target(`base_url: "${base}", proxy: "${proxy.url}"`), target(`base_url: "${fake.baseUrl}", order: 2`)]
  await using gateway = await startTestGateway({
    yaml: `models:\n  - { id: MaaS_ImgF_P, family: F1, group: P, targets: [${targets.join(', ')}] }\n`,
  })
  const body = { prompt: 'a boat', width: 1024, height: 1024 }
  const { body: made } = await gateway.call('/v1/ai/default/imgf/image/generate', { body })
  const result = await gateway.result(made.polling_url)
  assert.equal(result.status, 'Ready', JSON.stringify(result))
  assert.equal(proxy.asked.length, 1)
  assert.equal(fake.received.length, 1)
  await fake.close()
})

test('the attempt ends when the caller disconnects while the proxy is silent', async () => {
  await using proxy = await startConnectProxy({ refuses: () => 'silent' })
  await using gateway = await start([`base_url: "https://vendor.test/v1", proxy: "${proxy.url}"`])
  const leaving = new AbortController()
  const asked = begin(`${gateway.url}/v1/chat/completions`, { body: JSON.stringify(hello), signal: leaving.signal })
  await until(() => proxy.asked.length === 1, 'the proxy')
  assert.equal(proxy.openConnections(), 1)
  leaving.abort()
  await assert.rejects(asked)
  await until(() => proxy.openConnections() === 0, 'the end of the attempt')
})

test('with GATEWAY_PROXY_CALLER_URLS, webhooks and input URLs use the proxy, and private addresses are refused', async () => {
  await using proxy = await startConnectProxy()
  const fake = await startFakeUpstream()
  const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#336699' } })
    .png()
    .toBuffer()
  fake.answer((response, { path }) => void (path === '/in.png' ? response.end(picture) : response.end('ok')))
  const env = { HTTP_PROXY: proxy.url, GATEWAY_PROXY_CALLER_URLS: '1', GATEWAY_ALLOW_PRIVATE_URLS: '0' }
  await using gateway = await startTestGateway({ env })
  const there = `93.184.216.34:${portOf(fake.baseUrl)}`
  const submit = (image: string) =>
    gateway.call('/v1/ai/default/imgf/image/generate', {
      body: { prompt: 'bluer', input_image: image, webhook_url: `http://${there}/hook` },
    })
  const refused = await submit(`http://10.0.0.1:${portOf(fake.baseUrl)}/in.png`)
  assert.equal(refused.status, 400)
  assert.match(JSON.stringify(refused.body), /leads to a private address/)
  assert.deepEqual(proxy.asked, [])
  const taken = await submit(`http://${there}/in.png`)
  assert.equal(taken.status, 200, JSON.stringify(taken.body))
  assert.deepEqual(proxy.asked, [there])
  assert.equal(fake.received[0]?.headers.host, there)
  // A cancelled task has ended, so its webhook is sent.
  await gateway.call(taken.body.polling_url, { method: 'DELETE' })
  await until(() => fake.received.some(({ path }) => path === '/hook'), 'the webhook')
  assert.deepEqual([...new Set(proxy.asked)], [there])
  await fake.close()
})

test('total_seconds ends an answer that never ends', async () => {
  const fake = await startFakeUpstream()
  let timer: NodeJS.Timeout | undefined
  fake.answer(response => {
    response.writeHead(200, { 'content-type': 'application/json' })
    timer = setInterval(() => response.write(' '), 50)
  })
  await using gateway = await start([`base_url: "${fake.baseUrl}", total_seconds: 1`])
  const answer = await begin(`${gateway.url}/v1/chat/completions`, { body: JSON.stringify(hello) })
  const text = await buffer(answer).then(String, String)
  assert.doesNotMatch(text, /vendor/)
  await until(() => fake.aborted() === 1, 'the end of the request')
  clearInterval(timer)
  await fake.close()
})

test('unusable settings prevent the start, or only the target, in a message without credentials', async () => {
  for (const [env, says] of [
    [{ HTTPS_PROXY: 'socks5://user:topsecret@proxy.test' }, /HTTPS_PROXY is not the URL of an http or https proxy/],
    [{ HTTPS_PROXY: 'http://proxy.test', NO_PROXY: '10.0.0.0/40' }, /NO_PROXY has the entry "10\.0\.0\.0\/40"/],
    [{ GATEWAY_CA_FILE: '/nowhere.pem' }, /GATEWAY_CA_FILE names \/nowhere\.pem, which cannot be read/],
  ] as const)
    await assert.rejects(startTestGateway({ env }), error => says.test(String(error)) && !String(error).includes('topsecret'))
  for (const [setting, says] of [
    ['proxy: "socks5://user:topsecret@proxy.test"', /proxy is not the URL of an http or https proxy/],
    ['ca_file: "/nowhere.pem"', /ca_file names \/nowhere\.pem, which cannot be read/],
  ] as const) {
    await using gateway = await start([`base_url: "https://vendor.test/v1", ${setting}`])
    const answer = await ask(gateway.url)
    assert.equal(answer.status, 503)
    assert.match(answer.text, says)
    assert.doesNotMatch(answer.text, /topsecret/)
  }
})
