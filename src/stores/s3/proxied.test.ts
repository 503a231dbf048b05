/** Tests that the requests to a bucket leave through the proxy that the settings name. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { startConnectProxy } from '@generation-gateway/kit/testing/connect-proxy.ts'
import { readConfig } from '../../config/settings.ts'
import { vendorAuthority, vendorIdentity } from '../../testing/vendor-identity.ts'
import { S3Client } from './client.ts'
import { blobFault } from './faults.ts'
import { lengthOf, putText } from './objects.ts'
import { usualPatience } from './retry.ts'

const folder = mkdtempSync(join(tmpdir(), 'gateway-s3-proxied-'))
const caFile = join(folder, 'authority.pem')
writeFileSync(caFile, vendorAuthority)

const seen: string[] = []
const connections = { count: 0 }
const serve = (request: IncomingMessage, response: ServerResponse) => {
  seen.push(`${request.method} ${request.headers.host}${request.url}`)
  request.resume().on('end', () => response.writeHead(200, { 'content-length': 0 }).end())
}
const plain = createServer(serve).listen(0, '127.0.0.1')
const secure = createTlsServer(vendorIdentity, serve).listen(0, '127.0.0.1')
for (const server of [plain, secure]) server.on('connection', () => connections.count++)
await Promise.all([once(plain, 'listening'), once(secure, 'listening')])
// The casts are safe: the servers listen on a host and port, so no address is null or a path.
const [plainPort, securePort] = [plain, secure].map(server => (server.address() as AddressInfo).port)
let refusal: number | undefined
const proxy = await startConnectProxy({ credentials: 'user:word', refuses: () => refusal })
const proxyUrl = proxy.url.replace('//', '//user:word@')
after(async () => {
  for (const server of [plain, secure]) {
    server.closeAllConnections()
    server.close()
  }
  rmSync(folder, { recursive: true })
  await proxy[Symbol.asyncDispose]()
})

function clientWith(env: Record<string, string>, deadlineMs = 0): S3Client {
  const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' }
  const { blobs } = readConfig({ ...keys, HTTP_PROXY: proxyUrl, HTTPS_PROXY: proxyUrl, ...env })
  assert.ok('bucket' in blobs)
  return new S3Client(blobs.bucket, { ...usualPatience, deadlineMs })
}
const at = (endpoint: string) => ({ GATEWAY_BLOBS_URL: `s3://media?endpoint=${endpoint}&style=path` })

test('requests to a bucket use the proxy, with TLS to the bucket itself, and keep their connection', async () => {
  for (const endpoint of [`http://s3.test:${plainPort}`, `https://s3.vendor.test:${securePort}`]) {
    seen.length = proxy.asked.length = connections.count = 0
    const client = clientWith({ ...at(endpoint), GATEWAY_CA_FILE: caFile })
    await putText(client, 'a', 'text')
    assert.equal(await lengthOf(client, 'a'), 0)
    const { host } = new URL(endpoint)
    assert.deepEqual(seen, [`PUT ${host}/media/a`, `HEAD ${host}/media/a`])
    assert.deepEqual([proxy.asked, connections.count], [[host], 1])
  }
})

test('a bucket on this machine, and one in NO_PROXY, is reached directly', async () => {
  seen.length = proxy.asked.length = 0
  await putText(clientWith(at(`http://127.0.0.1:${plainPort}`)), 'a', 'text')
  const excepted = clientWith({ ...at(`http://s3.invalid:${plainPort}`), NO_PROXY: '.invalid' })
  await assert.rejects(putText(excepted, 'a', 'text'), /ENOTFOUND|EAI_AGAIN/)
  assert.deepEqual([seen.length, proxy.asked], [1, []])
})

test('a proxy that refuses is named, without its credentials', async () => {
  refusal = 403
  const failure = await putText(clientWith(at(`http://s3.test:${plainPort}`)), 'a', 'text').catch((error: unknown) => error)
  refusal = undefined
  const fault = blobFault(failure)
  assert.ok(fault instanceof GatewayError && fault.code === 'store_unavailable')
  assert.match(
    fault.message,
    new RegExp(`The proxy ${proxy.name} refused the connection: it does not allow this destination \\(status 403\\)`),
  )
  assert.doesNotMatch(fault.message, /word@/)
})
