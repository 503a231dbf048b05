import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import type { ResolvedAddress } from '@generation-gateway/kit/checked-lookup.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { Outbound, routeSettings, usualRoute } from '@generation-gateway/kit/outbound/outbound.ts'
import { startConnectProxy } from '@generation-gateway/kit/testing/connect-proxy.ts'
import { vendorAuthority, vendorIdentity } from '../../../testing/vendor-identity.ts'
import { fetchOutput } from '../output/fetch-output.ts'
import { UrlGuard } from './url-guard.ts'

const folder = mkdtempSync(join(tmpdir(), 'gateway-proxied-'))
const caFile = join(folder, 'authority.pem')
writeFileSync(caFile, vendorAuthority)
const publicAddress = '93.184.216.34'

let seen: string[] = []
let answers: Record<string, (response: ServerResponse) => void> = {}
const serve = (request: IncomingMessage, response: ServerResponse) => {
  seen.push(`${request.method} ${request.headers.host}${request.url}`)
  const answer = answers[request.url ?? ''] ?? (rest => rest.end('the file'))
  answer(response)
}
const plain = createServer(serve).listen(0, '127.0.0.1')
const secure = createTlsServer(vendorIdentity, serve).listen(0, '127.0.0.1')
await Promise.all([once(plain, 'listening'), once(secure, 'listening')])
// The casts are safe: the servers listen on a host and port, so no address is null or a path.
const [plainPort, securePort] = [plain, secure].map(server => (server.address() as AddressInfo).port)
const proxy = await startConnectProxy({ refuses: authority => refused.get(authority.replace(/:\d+$/, '')) })
const refused = new Map<string, number>()
after(async () => {
  plain.close()
  secure.close()
  rmSync(folder, { recursive: true })
  await proxy[Symbol.asyncDispose]()
})
beforeEach(() => {
  seen = []
  answers = {}
  refused.clear()
  proxy.asked.length = 0
})

let files = 0
const into = () => ({ toFile: join(folder, `file-${files++}`), maxBytes: 1000, field: 'image_url' })
const addresses = (...all: string[]) => all.map((address): ResolvedAddress => ({ address, family: address.includes(':') ? 6 : 4 }))

interface Settings {
  proxiesCallerUrls?: boolean
  allowPrivate?: boolean
  lookup?: (hostname: string) => ResolvedAddress[]
}

/** Returns a guard that uses the proxy. Its resolver returns one public address unless the test
 *  sets another one. */
function guardWith({ proxiesCallerUrls = true, allowPrivate = false, lookup = () => addresses(publicAddress) }: Settings = {}) {
  const outbound = new Outbound({ httpProxy: proxy.url, httpsProxy: proxy.url, noProxy: 'excepted.test', proxiesCallerUrls })
  const asked: string[] = []
  const guard = new UrlGuard({
    outbound,
    allowPrivate,
    lookup: async hostname => {
      asked.push(hostname)
      return lookup(hostname)
    },
  })
  return { guard, asked, [Symbol.asyncDispose]: () => guard.close() }
}

async function failure(work: Promise<unknown>): Promise<GatewayError> {
  const error = await work.then(
    () => assert.fail('nothing was refused'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof GatewayError, String(error))
  return error
}

test('URLs of callers do not use the proxy without the setting', async () => {
  await using direct = guardWith({ proxiesCallerUrls: false, lookup: () => addresses('127.0.0.1'), allowPrivate: true })
  const there = into()
  await direct.guard.download(`http://files.test:${plainPort}/a`, there)
  assert.equal(readFileSync(there.toFile, 'utf8'), 'the file')
  assert.equal((await direct.guard.post(`http://hooks.test:${plainPort}/hook`, { headers: {}, body: '{}' })).status, 200)
  assert.deepEqual(seen, [`GET files.test:${plainPort}/a`, `POST hooks.test:${plainPort}/hook`])
  assert.deepEqual(proxy.asked, [])
})

test('with the setting the proxy gets the checked address, and the server still sees the name', async () => {
  await using behind = guardWith()
  const there = into()
  await behind.guard.download(`http://files.test:${plainPort}/a`, there)
  assert.equal(readFileSync(there.toFile, 'utf8'), 'the file')
  assert.equal((await behind.guard.post(`http://hooks.test:${plainPort}/hook`, { headers: {}, body: '{}' })).status, 200)
  assert.deepEqual(seen, [`GET files.test:${plainPort}/a`, `POST hooks.test:${plainPort}/hook`])
  assert.deepEqual(proxy.asked, [`${publicAddress}:${plainPort}`, `${publicAddress}:${plainPort}`])
  assert.deepEqual(behind.asked, ['files.test', 'hooks.test'])
})

test('an https link goes to the checked address, with the name in TLS and in the certificate', async () => {
  await using behind = guardWith()
  const route = routeSettings({ caFile })
  const options = { field: 'link', headers: {}, firstByteMs: 5000, idleMs: 5000, signal: new AbortController().signal, route }
  const answer = await behind.guard.open(`https://cdn.vendor.test:${securePort}/v`, options)
  assert.equal(answer.status, 200)
  answer.cut()
  assert.deepEqual([proxy.asked, seen], [[`${publicAddress}:${securePort}`], [`GET cdn.vendor.test:${securePort}/v`]])
  const other = await failure(behind.guard.open(`https://other.test:${securePort}/v`, options))
  assert.match(other.message, /has no valid certificate/)
  const untrusted = await failure(behind.guard.open(`https://cdn.vendor.test:${securePort}/v`, { ...options, route: usualRoute }))
  assert.match(untrusted.message, /has no valid certificate/)
})

test('a name that resolves to a private address the second time is refused', async () => {
  let looks = 0
  await using behind = guardWith({ lookup: () => addresses(++looks === 1 ? publicAddress : '10.0.0.7') })
  refused.set(publicAddress, 503)
  const first = await failure(behind.guard.download(`http://rebinding.test:${plainPort}/a`, into()))
  assert.match(first.message, /it cannot reach the destination \(status 503\)/)
  assert.equal(looks, 1)
  const second = await failure(behind.guard.download(`http://rebinding.test:${plainPort}/a`, into()))
  assert.match(second.message, /leads to a private address/)
  assert.deepEqual(proxy.asked, [`${publicAddress}:${plainPort}`])
  assert.deepEqual(seen, [])
})

test('private addresses are refused through the proxy, too, in every form', async () => {
  const inside: Record<string, string> = {
    'ten.test': '10.1.2.3',
    'meta.test': '169.254.169.254',
    'six.test': 'fd00::1',
    'mapped.test': '::ffff:10.0.0.1',
    'own.test': '127.0.0.1',
  }
  await using behind = guardWith({ lookup: hostname => addresses(inside[hostname] ?? '10.0.0.1') })
  for (const host of [...Object.keys(inside), '10.0.0.1', '[fd00::1]', '127.0.0.1', 'localhost', '[::ffff:7f00:1]', '0x7f.1']) {
    const error = await failure(behind.guard.download(`http://${host}:${plainPort}/a`, into()))
    assert.equal(error.code, 'invalid_request')
    assert.match(error.message, /leads to a private address/, host)
    await failure(behind.guard.post(`http://${host}:${plainPort}/a`, { headers: {}, body: '' }))
  }
  assert.deepEqual([proxy.asked, seen], [[], []])
})

test('every redirect is resolved and checked again', async () => {
  const table: Record<string, string> = { 'one.test': publicAddress, 'two.test': '93.184.216.35', 'inside.test': '192.168.0.9' }
  await using behind = guardWith({ lookup: hostname => addresses(table[hostname] ?? '') })
  const to = (location: string) => (response: ServerResponse) => void response.writeHead(302, { location }).end()
  answers['/a'] = to(`http://two.test:${plainPort}/b`)
  await behind.guard.download(`http://one.test:${plainPort}/a`, into())
  assert.deepEqual(proxy.asked, [`${publicAddress}:${plainPort}`, `93.184.216.35:${plainPort}`])
  for (const next of [`http://inside.test:${plainPort}/c`, `http://127.0.0.1:${plainPort}/c`, `http://[::1]:${plainPort}/c`]) {
    answers['/a'] = to(next)
    assert.match((await failure(behind.guard.download(`http://one.test:${plainPort}/a`, into()))).message, /leads to a private address/)
  }
  assert.ok(seen.every(request => !request.endsWith('/c')))
  assert.ok(proxy.asked.every(authority => authority.startsWith('93.')))
})

test('of several addresses, the public ones are tried in turn, IPv4 first', async () => {
  await using behind = guardWith({ lookup: () => addresses('2606:2800:220:1::1', '10.0.0.1', '93.184.216.36', publicAddress) })
  refused.set('93.184.216.36', 502)
  await behind.guard.download(`http://many.test:${plainPort}/a`, into())
  assert.deepEqual(proxy.asked, [`93.184.216.36:${plainPort}`, `${publicAddress}:${plainPort}`])
})

test('NO_PROXY and local names are reached directly, when private addresses are allowed', async () => {
  await using behind = guardWith({ allowPrivate: true, lookup: () => addresses('127.0.0.1') })
  for (const host of ['a.excepted.test', 'own.test', '127.0.0.1', 'localhost'])
    await behind.guard.download(`http://${host}:${plainPort}/a`, into())
  assert.deepEqual(proxy.asked, [])
  assert.equal(seen.length, 4)
})

test("the proxy gets the operator's own origin by its name", async () => {
  await using behind = guardWith({ lookup: () => assert.fail('looked up') })
  const trustedOrigin = `http://vendor.test:${plainPort}`
  const options = {
    field: 'link',
    headers: {},
    trustedOrigin,
    firstByteMs: 5000,
    idleMs: 5000,
    signal: new AbortController().signal,
    route: usualRoute,
  }
  const answer = await behind.guard.open(`${trustedOrigin}/file`, options)
  assert.equal(answer.status, 200)
  answer.cut()
  assert.deepEqual(proxy.asked, [`vendor.test:${plainPort}`])
})

test('a file of a service that the proxy cannot reach fails with this reason', async () => {
  await using behind = guardWith()
  refused.set(publicAddress, 403)
  const output = { guard: behind.guard, title: 'The video', toFile: into().toFile, maxBytes: 1000, retryAfterMs: [], route: usualRoute }
  const url = `http://cdn.test:${plainPort}/v?sig=secret`
  const error = await failure(fetchOutput({ ...output, url, signal: new AbortController().signal }))
  assert.equal(error.code, 'upstream_error')
  assert.match(error.message, /^The video could not be downloaded: The proxy .* does not allow this destination \(status 403\)\.$/)
})

test('a failing proxy is named, and blamed on the caller only when it refuses the destination', async () => {
  await using behind = guardWith()
  for (const [status, code] of [
    [403, 'invalid_request'],
    [502, 'invalid_request'],
    [407, 'upstream_unreachable'],
  ] as const) {
    refused.set(publicAddress, status)
    const error = await failure(behind.guard.download(`http://files.test:${plainPort}/a?sig=secret`, into()))
    assert.equal(error.code, code)
    assert.match(
      error.message,
      new RegExp(
        `^image_url: http://files\\.test:\\d+/a cannot be reached: The proxy ${proxy.name} refused the connection: .*\\(status ${status}\\)\\.$`,
      ),
    )
    assert.doesNotMatch(error.message, /secret|words of the proxy/)
    const posted = await failure(behind.guard.post(`http://hooks.test:${plainPort}/hook`, { headers: {}, body: '' }))
    assert.equal(posted.code, 'upstream_error')
  }
})
