import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { isPublicAddress } from '@generation-gateway/kit/address-rules.ts'
import { checkedLookup } from '@generation-gateway/kit/checked-lookup.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { directOutbound, usualRoute } from '@generation-gateway/kit/outbound/outbound.ts'
import { type DownloadOptions, type OpenOptions, UrlGuard } from './url-guard.ts'

const root = await mkdtemp(join(tmpdir(), 'url-guard-'))
const open = new UrlGuard({ outbound: directOutbound, allowPrivate: true })
const guarded = new UrlGuard({ outbound: directOutbound, allowPrivate: false })
const servers: Server[] = []
after(async () => {
  await Promise.all([open.close(), guarded.close()])
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  await rm(root, { recursive: true, force: true })
})

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  // The cast is safe: the server listens on a host and port, so the address is neither null nor a
  // path.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

let files = 0
function into(options: Partial<DownloadOptions> = {}): DownloadOptions {
  return { toFile: join(root, `file-${files++}`), maxBytes: 1000, field: 'input_image', ...options }
}

function trusting(trustedOrigin: string): OpenOptions {
  return {
    field: 'link',
    headers: {},
    route: usualRoute,
    trustedOrigin,
    firstByteMs: 5_000,
    idleMs: 5_000,
    signal: new AbortController().signal,
  }
}

async function failure(work: Promise<unknown>): Promise<GatewayError> {
  const error = await work.then(
    () => assert.fail('nothing was refused'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof GatewayError, String(error))
  assert.doesNotMatch(error.message, /secret/)
  return error
}

test('addresses outside the public internet are recognised in all their forms', () => {
  const inside = `0.0.0.0 10.1.2.3 100.64.0.1 100.100.100.200 127.0.0.1 127.255.1.1 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.192 192.0.2.1
    192.168.1.1 198.18.0.1 198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255 168.63.129.16
    :: ::1 ::ffff:8.8.8.8 ::ffff:127.0.0.1 ::ffff:7f00:1 ::127.0.0.1 64:ff9b::127.0.0.1 64:ff9b::a00:1 64:ff9b::1 64:ff9b:1::8.8.8.8 100::1 2001::1
    2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:db8::1 2002:7f00:1:: 2002:808:808::1 3fff::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 fec0::1
    ff02::1 2606:4700::1%eth0 localhost`
  for (const address of inside.split(/\s+/)) assert.equal(isPublicAddress(address), false, address)
  const outside =
    '1.1.1.1 8.8.8.8 100.63.255.255 100.128.0.0 172.15.0.1 172.32.0.1 192.0.3.1 198.20.0.1 223.255.255.255 2606:4700:4700::1111 2a00:1450::1 64:ff9b::8.8.8.8'
  for (const address of outside.split(' ')) assert.equal(isPublicAddress(address), true, address)
})

test('the form of a URL is checked without resolving its host', () => {
  for (const url of ['https://example.com/a.png?x=1', 'http://8.8.8.8:8080/', 'http://[2606:4700::1]/', 'https://localhost.example.com/']) {
    assert.equal(guarded.checkUrl(url, 'image').protocol.startsWith('http'), true, url)
  }
  const refused: [string, RegExp][] = [
    ['', /^image is not a valid URL/],
    ['not a url', /not a valid URL/],
    [`https://example.com/${'a'.repeat(9000)}`, /at most 8192 characters/],
    ['file:///etc/passwd', /has to be an http or https URL/],
    ['ftp://example.com/', /http or https/],
    ['data:image/png;base64,AAAA', /http or https/],
    ['https://user:secret@example.com/', /user name or password/],
    ['http://localhost/', /private address/],
    ['http://LOCALHOST.:80/', /private address/],
    ['http://api.localhost/', /private address/],
    [
      'http://127.0.0.1/?token=secret',
      /^image: http:\/\/127\.0\.0\.1\/ leads to a private address; GATEWAY_ALLOW_PRIVATE_URLS=1 allows such addresses\.$/,
    ],
    ['http://2130706433/', /private address/],
    ['http://0x7f.1/', /private address/],
    ['http://0177.0.0.1/', /private address/],
    ['http://127.1/', /private address/],
    ['http://[::1]/', /private address/],
    ['http://[::ffff:10.0.0.1]/', /private address/],
    ['http://[fe80::1]/', /private address/],
    ['http://169.254.169.254/latest/meta-data', /private address/],
  ]
  for (const [url, message] of refused) {
    assert.throws(() => guarded.checkUrl(url, 'image'), { code: 'invalid_request', field: 'image', message }, url)
  }
  assert.equal(open.checkUrl('http://localhost:3000/', 'image').port, '3000')
  assert.throws(() => open.checkUrl('file:///etc/passwd', 'image'), { code: 'invalid_request' })
})

test('a download is stored in its file with size and type', async () => {
  let seen: IncomingMessage['headers'] = {}
  const origin = await serve((request, response) => {
    seen = request.headers
    response.writeHead(200, { 'content-type': 'Image/PNG; x=y' }).end(Buffer.alloc(1000, 5))
  })
  const options = into({ accept: 'image/*' })
  assert.deepEqual(await open.download(`${origin}/a.png?token=1`, options), { bytes: 1000, mediaType: 'image/png' })
  assert.equal(Buffer.compare(await readFile(options.toFile), Buffer.alloc(1000, 5)), 0)
  assert.equal(seen.accept, 'image/*')
  assert.equal(seen['accept-encoding'], 'identity')
})

test('a file above the limit is refused early by its declared length, else during the download, and removed', async () => {
  const origin = await serve((request, response) => {
    if (request.url === '/known') response.writeHead(200, { 'content-length': 1001 })
    else response.writeHead(200)
    response.write(Buffer.alloc(600))
    response.end(Buffer.alloc(401))
  })
  for (const path of ['/known', '/unknown']) {
    const options = into()
    const error = await failure(open.download(`${origin}${path}?sig=secret`, options))
    assert.equal(error.code, 'payload_too_large')
    assert.match(error.message, /^input_image: http:\S+known has more than 1000 bytes\.$/)
    await assert.rejects(readFile(options.toFile), { code: 'ENOENT' })
  }
})

test('statuses, compressed answers, broken connections, silence and unknown hosts are refused with a message', async () => {
  const origin = await serve((request, response) => {
    if (request.url === '/404') response.writeHead(404).end('no')
    else if (request.url === '/gzip') response.writeHead(200, { 'content-encoding': 'gzip' }).end('x')
    else if (request.url === '/cut') response.writeHead(200, { 'content-length': 500 }).write('abc', () => response.destroy())
    else if (request.url === '/drip') response.writeHead(200).write('abc')
  })
  const cases: [string, RegExp][] = [
    ['/404', /answered 404\.$/],
    ['/gzip', /compressed/],
    ['/cut', /broke off/],
    ['/silent', /did not answer in time/],
    ['/drip', /did not answer in time/],
  ]
  for (const [path, message] of cases) {
    const options = into({ timeoutMs: path === '/silent' || path === '/drip' ? 80 : 5000 })
    const error = await failure(open.download(origin + path, options))
    assert.equal(error.code, 'invalid_request', path)
    assert.match(error.message, message)
    await assert.rejects(readFile(options.toFile), { code: 'ENOENT' })
  }
  const nowhere = new UrlGuard({ outbound: directOutbound, allowPrivate: true, lookup: async () => [] })
  assert.match((await failure(nowhere.download('http://nowhere.example/', into()))).message, /host name has no address/)
  await nowhere.close()
  const closed = await serve(() => {})
  servers.at(-1)?.close()
  assert.match((await failure(open.download(closed, into()))).message, /refused the connection/)
})

test('redirects are followed up to the limit, each one checked', async () => {
  const origin = await serve((request, response) => {
    const count = Number(request.url?.slice(1))
    if (count === 0) response.end('end')
    else if (count > 0) response.writeHead(302, { location: `/${count - 1}` }).end('on')
    else response.writeHead(307, { location: decodeURIComponent(request.url?.slice(5) ?? '') }).end()
  })
  assert.equal((await open.download(`${origin}/5`, into())).bytes, 3)
  assert.match((await failure(open.download(`${origin}/6`, into()))).message, /redirects too often/)
  assert.match((await failure(open.download(`${origin}/1`, into({ maxRedirects: 0 })))).message, /redirects too often/)
  const target = (url: string) => `${origin}/?to=${encodeURIComponent(url)}`
  assert.match((await failure(open.download(target('file:///etc/passwd'), into()))).message, /http or https/)
  assert.match((await failure(open.download(target('http://u:secret@example.com/'), into()))).message, /user name/)
  for (const inside of ['http://169.254.169.254/?secret', 'http://[::1]:1/', 'http://localhost:1/']) {
    const error = await failure(guarded.open(target(inside), trusting(origin)))
    assert.match(error.message, /leads to a private address/, inside)
  }
  assert.equal((await guarded.open(`${origin}/3`, trusting(origin))).status, 200)
  assert.match((await failure(guarded.download(`${origin}/0`, into()))).message, /private address/)
})

test('a name that resolves to a private address is refused when the connection is made', async () => {
  let hits = 0
  const origin = await serve((_request, response) => {
    hits += 1
    response.end('inside')
  })
  const { port } = new URL(origin)
  const requested: string[] = []
  const guard = new UrlGuard({
    outbound: directOutbound,
    allowPrivate: false,
    lookup: async hostname => {
      requested.push(hostname)
      return [{ address: hostname === 'six.example' ? '::ffff:127.0.0.1' : '127.0.0.1', family: hostname === 'six.example' ? 6 : 4 }]
    },
  })
  for (const host of ['rebind.example', 'six.example']) {
    const error = await failure(guard.download(`http://${host}:${port}/?k=secret`, into()))
    assert.equal(error.code, 'invalid_request')
    assert.match(error.message, /leads to a private address/)
    assert.equal((await failure(guard.post(`https://${host}:${port}/`, { headers: {}, body: '' }))).code, 'invalid_request')
  }
  assert.equal(requested.length, 4, 'one look-up for each connection')
  assert.equal(hits, 0)
  // The first download may use private addresses, so it connects to this host. The second one may
  // not, so it must not reuse the connection of the first.
  assert.equal((await guard.download(`http://rebind.example:${port}/`, into({ allowPrivate: true }))).bytes, 6)
  await failure(guard.download(`http://rebind.example:${port}/`, into()))
  assert.equal(hits, 1)
  await guard.close()
})

test('of several addresses, only the public ones are used for the connection', async () => {
  const found = [
    { address: '127.0.0.1', family: 4 },
    { address: '1.1.1.1', family: 4 },
    { address: '::1', family: 6 },
    { address: '2606:4700::1111', family: 6 },
  ]
  const lookup = checkedLookup({ allowPrivate: false, lookup: async () => found })
  const all = await new Promise<unknown>(resolve => lookup('mixed.example', { all: true }, (_error, addresses) => resolve(addresses)))
  assert.deepEqual(all, [found[1], found[3]])
  const one = await new Promise<unknown[]>(resolve => lookup('mixed.example', {}, (...given) => resolve(given)))
  assert.deepEqual(one, [null, '1.1.1.1', 4])
})

test('a stopped download ends as cancelled and leaves no file', async () => {
  const stop = new AbortController()
  const origin = await serve((_request, response) => {
    response.writeHead(200).write('first bytes', () => stop.abort())
  })
  const options = into({ signal: stop.signal })
  assert.equal((await failure(open.download(origin, options))).code, 'cancelled')
  await assert.rejects(readFile(options.toFile), { code: 'ENOENT' })
})

test('a post sends headers and body, follows no redirect and reports status and retry-after', async () => {
  let body = ''
  let seen: IncomingMessage['headers'] = {}
  const answers: Record<string, [number, Record<string, string>]> = {
    '/ok': [204, {}],
    '/moved': [302, { location: '/ok' }],
    '/busy': [503, { 'retry-after': '7' }],
    '/date': [429, { 'retry-after': new Date(Date.now() + 60_000).toUTCString() }],
    '/odd': [500, { 'retry-after': 'soon' }],
  }
  const origin = await serve(async (request, response) => {
    seen = request.headers
    body = ''
    for await (const chunk of request) body += String(chunk)
    const [status, headers] = answers[request.url ?? ''] ?? [200, {}]
    response.writeHead(status, headers).end()
  })
  const post = (path: string) => open.post(origin + path, { headers: { 'webhook-id': 'wh_1' }, body: '{"a":"é"}' })
  assert.deepEqual(await post('/ok'), { status: 204 })
  assert.equal(body, '{"a":"é"}')
  assert.equal(seen['webhook-id'], 'wh_1')
  assert.deepEqual(await post('/moved'), { status: 302 })
  assert.deepEqual(await post('/busy'), { status: 503, retryAfterSeconds: 7 })
  const { retryAfterSeconds = 0 } = await post('/date')
  assert.ok(retryAfterSeconds > 50 && retryAfterSeconds <= 60)
  assert.deepEqual(await post('/odd'), { status: 500 })
})

test('a post does not wait for the end of an endless answer, and reports when none comes', async () => {
  const closed = Promise.withResolvers<void>()
  const origin = await serve((request, response) => {
    if (request.url?.startsWith('/silent')) return
    response.writeHead(200)
    response.on('close', closed.resolve)
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536))) {}
    }
    response.on('drain', more)
    more()
  })
  assert.deepEqual(await open.post(`${origin}/endless`, { headers: {}, body: 'x' }), { status: 200 })
  await closed.promise
  const error = await failure(open.post(`${origin}/silent?k=secret`, { headers: {}, body: 'x', timeoutMs: 80 }))
  assert.equal(error.code, 'upstream_timeout')
})

test('messages about a post contain only the origin, because the path of a webhook may be its secret', async () => {
  const late = await failure(open.post(`${await serve(() => {})}/services/token`, { headers: {}, body: 'x', timeoutMs: 80 }))
  assert.match(late.message, /^url: http:\/\/127\.0\.0\.1:\d+ did not answer in time\.$/)
  const inside = await failure(guarded.post('http://10.0.0.1/services/token', { headers: {}, body: 'x' }))
  assert.equal(inside.message, 'url: http://10.0.0.1/ leads to a private address; GATEWAY_ALLOW_PRIVATE_URLS=1 allows such addresses.')
})
