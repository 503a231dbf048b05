import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { directOutbound, Outbound, usualRoute } from '@generation-gateway/kit/outbound/outbound.ts'
import { requestOnce } from '@generation-gateway/kit/outbound/request.ts'
import { type ConnectProxy, startConnectProxy } from '@generation-gateway/kit/testing/connect-proxy.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import sharp from 'sharp'
import { download, openDownloads } from '../packs/download.ts'
import { jsonReply, startFakeUpstream } from '../testing/fakes/fake-upstream.ts'
import { startTestGateway } from '../testing/gateway.ts'
import { tlsIdentity } from '../testing/tls-identity.ts'
import { vendorAuthority, vendorIdentity } from '../testing/vendor-identity.ts'

const folder = mkdtempSync(join(tmpdir(), 'gateway-ways-out-'))
after(() => rmSync(folder, { recursive: true }))

/** The files of the program that may open network connections: to other machines, or to the
 *  gateway itself. */
const known = [
  // These two files open connections through proxies, and send requests of engines.
  'kit/outbound/connect.ts',
  'kit/outbound/request.ts',
  // These files open direct connections to upstreams and download hosts.
  'src/drivers/shared/http1/connection.ts',
  'src/drivers/shared/upstream/guarded-agent.ts',
  'src/drivers/shared/upstream/url-guard.ts',
  'src/packs/download.ts',
  // This file connects to other nodes of the gateway, always without a proxy.
  'src/engine-runs/send-run.ts',
  // These commands send requests to the gateway on this machine.
  'src/cli/admin-command.ts',
  'src/cli/demo/f1.ts',
  'src/cli/demo/images.ts',
  'src/cli/demo/post.ts',
  'src/cli/doctor.ts',
  // These files open no connection. The pattern matches them because they have a parameter or a
  // method called `fetch`; buckets are reached through src/stores/s3.
  'src/contract/needs/buckets.ts',
  'src/core/ports/buckets.ts',
  'src/http/provisions/buckets.ts',
  'src/mapped-buckets.ts',
  'src/drivers/shared/output/fetch-each.ts',
  'src/drivers/shared/output/poll-and-fetch.ts',
]
const opens =
  /(?<![\w.#])fetch\(|^import (?!type\b).* from 'undici'|^import \{[^}]*\b(request|get|connect|createConnection)\b[^}]*\} from 'node:(https?|net|tls|http2)'|new WebSocket\(/m

test('no other file opens connections: all outgoing connections use the module that knows the proxies', () => {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'src', 'kit', 'engines'], {
    encoding: 'utf8',
  })
  const shipped = files
    .split('\n')
    .filter(file => /\.ts$/.test(file) && !/\.test\.ts$|\/(testing|tests|suite)\/|^src\/(clients|stores)\//.test(file))
  const found = shipped.filter(file => opens.test(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')))
  assert.deepEqual(
    found.filter(file => !known.includes(file)),
    [],
  )
})

async function startFiles(answer: (path: string) => string): Promise<{ port: number; close(): void }> {
  const server = createServer((request, response) => response.end(answer(request.url ?? ''))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }
}

const through = (proxy: ConnectProxy) => new Outbound({ httpProxy: proxy.url })

test('requests of engines go through the proxy: by name, or to the checked address', async () => {
  await using proxy = await startConnectProxy()
  const files = await startFiles(path => `got ${path}`)
  const route = through(proxy).routeOf()
  const signal = AbortSignal.timeout(10_000)
  const url = new URL(`http://feeds.test:${files.port}/feed`)
  assert.equal(await (await requestOnce(url, { route, headers: {}, signal })).text(), 'got /feed')
  const rule = { allowPrivate: false, lookup: async () => [{ address: '93.184.216.34', family: 4 }] }
  assert.equal(await (await requestOnce(url, { route, headers: {}, signal, rule })).text(), 'got /feed')
  assert.deepEqual(proxy.asked, [`feeds.test:${files.port}`, `93.184.216.34:${files.port}`])
  const inside = { allowPrivate: false, lookup: async () => [{ address: '10.0.0.1', family: 4 }] }
  await assert.rejects(requestOnce(url, { route, headers: {}, signal, rule: inside }))
  const leaving = new AbortController()
  const posted = requestOnce(url, { route, method: 'POST', headers: {}, body: 'x', signal: leaving.signal })
  leaving.abort(new Error('left'))
  await assert.rejects(posted, { message: 'left' })
  assert.equal(proxy.asked.filter(each => each.startsWith('10.')).length, 0)
  files.close()
})

test('downloads of packs go through the proxy', async () => {
  await using proxy = await startConnectProxy()
  const files = await startFiles(() => 'weights')
  const client = openDownloads(through(proxy))
  const range = { offset: 0, bytes: 7, client }
  assert.equal(await text(download(`http://hub.test:${files.port}/model`, range)), 'weights')
  assert.deepEqual(proxy.asked, [`hub.test:${files.port}`])
  await client.destroy()
  files.close()
  await assert.rejects(text(download('http://127.0.0.1:1/model', { ...range, client: openDownloads(directOutbound) })))
})

test('packages of the AI SDK go through the proxy, and webhooks do not', async () => {
  await using proxy = await startConnectProxy()
  const service = await startFakeUpstream()
  const { port } = new URL(service.baseUrl)
  const png = await sharp({ create: { width: 1024, height: 768, channels: 3, background: '#336699' } })
    .png()
    .toBuffer()
  service.answer((response, request) => {
    const isPost = request.method === 'POST' && !request.path.includes('hook')
    if (isPost) return jsonReply({ data: [{ b64_json: png.toString('base64') }] })(response, request)
    response.end('ok')
  })
  const drawn = `http://draw.test:${port}/v1`
  await using gateway = await startTestGateway({
    yaml: `models:
  - id: MaaS_ImgF_P
    family: F1
    group: P
    targets: [{ driver: ai-sdk, package: "@ai-sdk/openai-compatible", base_url: "${drawn}", api_key: k1234567, options: { name: local }, model: draw-1, seed: false }]
`,
    env: { HTTP_PROXY: proxy.url },
  })
  const hook = `http://127.0.0.1:${port}/hook`
  const body = { prompt: 'a boat', width: 1024, height: 768, output_format: 'png', webhook_url: hook }
  const answer = await gateway.call('/v1/ai/default/imgf/image/generate', { body })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  const result = await gateway.result(answer.body.polling_url)
  assert.equal(result.status, 'Ready', JSON.stringify(result))
  assert.deepEqual(proxy.asked, [`draw.test:${port}`])
  await until(() => service.received.some(({ path }) => path === '/hook'), 'the webhook')
  assert.deepEqual(proxy.asked, [`draw.test:${port}`])
  await service.close()
})

test('the authorities in GATEWAY_CA_FILE are trusted by direct connections and through proxies', async () => {
  await using proxy = await startConnectProxy({ identity: tlsIdentity })
  const reply = { id: 'c1', object: 'chat.completion', choices: [{ index: 0, message: { role: 'assistant', content: 'trusted' } }] }
  const answer = (_: unknown, response: ServerResponse) =>
    void response.setHeader('content-type', 'application/json').end(JSON.stringify(reply))
  const servers = [vendorIdentity, tlsIdentity].map(identity => createTlsServer(identity, answer).listen(0, '127.0.0.1'))
  await Promise.all(servers.map(server => once(server, 'listening')))
  // The casts are safe: a server on a TCP port has an address object, not a string.
  const [vendor, near] = servers.map(server => (server.address() as AddressInfo).port)
  const caFile = join(folder, 'authorities.pem')
  writeFileSync(caFile, `A comment, as such files have.\n${vendorAuthority}${tlsIdentity.cert}\n`)
  const targetOf = (base: string) => `[{ driver: openai-compatible, base_url: "${base}/v1", protocols: [chat], stateless: true }]`
  await using gateway = await startTestGateway({
    yaml: `models:
  - { id: far, family: chat, targets: ${targetOf(`https://vendor.test:${vendor}`)} }
  - { id: near, family: chat, targets: ${targetOf(`https://localhost:${near}`)} }
`,
    env: { HTTPS_PROXY: proxy.url.replace('127.0.0.1', 'localhost'), GATEWAY_CA_FILE: caFile },
  })
  for (const model of ['far', 'near']) {
    const { status, body } = await gateway.call('/v1/chat/completions', { body: { model, messages: [{ role: 'user', content: 'hello' }] } })
    assert.equal(status, 200, JSON.stringify(body))
  }
  assert.deepEqual(proxy.asked, [`vendor.test:${vendor}`])
  for (const server of servers) server.close()
})

test('routes with the same settings are one route', () => {
  const outbound = new Outbound({})
  assert.equal(outbound.routeOf(), outbound.routeOf(usualRoute))
})
