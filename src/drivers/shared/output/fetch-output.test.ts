/** Tests downloads from a server that fails, changes the file or announces a wrong length. Each
 *  test compares the hash of the resulting file with the original's. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { directOutbound, usualRoute } from '@generation-gateway/kit/outbound/outbound.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { UrlGuard } from '../upstream/url-guard.ts'
import { fetchOutput, isLinkGone, type LinkedOutput } from './fetch-output.ts'

type Reply = (response: ServerResponse, request: IncomingMessage) => void

const size = 3_000_000
const file = randomBytes(size)
const otherFile = randomBytes(size)
const guard = new UrlGuard({ outbound: directOutbound, allowPrivate: true })
const root = await mkdtemp(join(tmpdir(), 'fetch-output-'))
const toFile = join(root, 'output')
let replies: Reply[] = []
let requested: IncomingMessage[] = []
const server = createServer((request, response) => {
  requested.push(request)
  const reply = replies.length > 1 ? replies.shift() : replies[0]
  reply?.(response, request)
})
let origin = ''

before(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // The cast is safe: the server listens on a host and port, so the address is neither null nor a
  // path.
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
after(async () => {
  await guard.close()
  server.closeAllConnections()
  server.close()
  await rm(root, { recursive: true })
})
afterEach(async () => {
  requested = []
  await rm(toFile, { force: true })
})

const fetched = (changes: Partial<LinkedOutput> = {}) =>
  fetchOutput({
    ...{ guard, url: `${origin}/o?sig=secret`, title: 'The video', toFile, maxBytes: size, retryAfterMs: [1, 1, 1, 1, 1] },
    signal: new AbortController().signal,
    route: usualRoute,
    ...changes,
  })
const ranges = () => requested.map(({ headers }) => headers.range)
const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

async function comes(wanted: Buffer, ...answers: Reply[]): Promise<void> {
  replies = answers
  assert.deepEqual(await fetched(), { bytes: wanted.length })
  assert.equal(hash(await readFile(toFile)), hash(wanted))
}

async function failure(work: Promise<unknown>): Promise<GatewayError> {
  const error = await work.then(
    outcome => assert.fail(JSON.stringify(outcome)),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof GatewayError, String(error))
  assert.doesNotMatch(error.message, /secret/)
  assert.deepEqual(await readdir(root), [])
  return error
}

interface Serving {
  bytes?: Buffer
  etag?: string
  headers?: Record<string, string>
  /** The offset in the file at which the connection is cut. */
  breaksAt?: number
}

/** Starts a server that supports ranges and `if-range`. */
function serve({ bytes = file, etag = '"v1"', headers = {}, breaksAt }: Serving = {}): Reply {
  return (response, request) => {
    const isSame = request.headers['if-range'] === etag
    const start = isSame ? Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0) : 0
    const length = { 'content-length': bytes.length - start, etag, 'accept-ranges': 'bytes', ...headers }
    const range = { 'content-range': `bytes ${start}-${bytes.length - 1}/${bytes.length}` }
    response.writeHead(start > 0 ? 206 : 200, start > 0 ? { ...length, ...range } : length)
    if (breaksAt === undefined) response.end(bytes.subarray(start))
    else breakAt(response, bytes.subarray(start, breaksAt), breaksAt)
  }
}

/** Sends these bytes, and cuts the connection once the client's file has `position` bytes. A cut
 *  before that would lose bytes that the client has not received yet. */
function breakAt(response: ServerResponse, bytes: Buffer, position: number): void {
  if (bytes.length > 0) response.write(bytes)
  const isThere = async () => response.destroyed || (await stat(toFile)).size === position
  until(isThere, `byte ${position}`).then(
    () => response.destroy(),
    error => response.destroy(error),
  )
}

/** Returns a reply that sends bytes in chunks, without a content-length. */
const chunked =
  (status: number, headers: Record<string, string>, bytes: Buffer): Reply =>
  response => {
    response.writeHead(status, { etag: '"v1"', ...headers })
    response.write(bytes)
    response.end()
  }
const status = (code: number, headers: Record<string, string> = {}, body = ''): Reply => {
  return response => void response.writeHead(code, headers).end(body)
}

test('a file is stored unchanged, and no compression is requested', async () => {
  await comes(file, serve())
  assert.deepEqual(ranges(), [undefined])
  assert.equal(requested[0]?.headers['accept-encoding'], 'identity')
  await comes(Buffer.alloc(0), serve({ bytes: Buffer.alloc(0) }))
  await comes(file, chunked(200, {}, file))
})

test('an existing file is replaced', async () => {
  await writeFile(toFile, 'old')
  await comes(file, serve())
})

test('a download continues at the byte where it broke, wherever that is', async () => {
  const positions = [1, 65_536, 1_000_000, 1_000_001, size - 1]
  await comes(file, ...positions.map(breaksAt => serve({ breaksAt })), serve())
  assert.deepEqual(ranges(), [undefined, ...positions.map(position => `bytes=${position}-`)])
  assert.ok(requested.slice(1).every(({ headers }) => headers['if-range'] === '"v1"'))
})

test('a break before the first byte, a reset and a refused connection are retried', async () => {
  const reset: Reply = response => response.socket?.resetAndDestroy()
  await comes(file, reset, response => response.destroy(), serve({ breaksAt: 0 }), serve())
  assert.deepEqual(ranges(), [undefined, undefined, undefined, undefined])
  const gone = await failure(fetched({ url: 'http://127.0.0.1:1/x', retryAfterMs: [1] }))
  assert.equal(gone.code, 'upstream_error')
  assert.ok(!isLinkGone(gone))
})

test('the sixth break ends the tries', async () => {
  replies = [serve({ breaksAt: 10 })]
  assert.equal((await failure(fetched())).code, 'upstream_error')
  assert.equal(requested.length, 6)
})

test('a file that has changed in the meantime is downloaded completely', async () => {
  await comes(otherFile, serve({ breaksAt: 1_000_000 }), serve({ bytes: otherFile, etag: '"v2"' }))
  const rest = (from: number) => `bytes ${from}-${size - 1}/${size}`
  // This server ignores `if-range` and sends the rest of another version, but its `etag` and
  // `content-range` reveal that.
  const careless = chunked(206, { etag: '"v2"', 'content-range': rest(1_000_000) }, otherFile.subarray(1_000_000))
  await comes(otherFile, serve({ breaksAt: 1_000_000 }), careless, serve({ bytes: otherFile, etag: '"v2"' }))
})

test('a server that ignores the range starts again', async () => {
  await comes(file, serve({ breaksAt: 2_000_000 }), chunked(200, {}, file))
  await comes(file, serve({ breaksAt: 2_000_000 }), serve({ etag: '"v2"', breaksAt: 500 }), serve({ etag: '"v2"' }))
})

const misfits: [what: string, reply: Reply][] = [
  ['another beginning', chunked(206, { 'content-range': `bytes 999-${size - 1}/${size}` }, file.subarray(999))],
  ['another size', chunked(206, { 'content-range': `bytes 1000000-${size}/${size + 1}` }, file)],
  ['no size', chunked(206, { 'content-range': `bytes 1000000-${size - 1}/*` }, file.subarray(1_000_000))],
  ['no place', chunked(206, {}, file.subarray(1_000_000))],
  ['several parts', chunked(206, { 'content-type': 'multipart/byteranges; boundary=x' }, file)],
  ['the status 416', status(416, { 'content-range': `bytes */${size}` })],
]
for (const [what, reply] of misfits) {
  test(`a remainder with ${what} is discarded, and ranges are not requested again`, async () => {
    await comes(file, serve({ breaksAt: 1_000_000 }), reply, serve({ breaksAt: 2_000_000 }), serve())
    assert.deepEqual(ranges(), [undefined, 'bytes=1000000-', undefined, undefined])
  })
}

test('a remainder that is too long starts again, one that is too short continues', async () => {
  const range = (from: number) => ({ 'content-range': `bytes ${from}-${size - 1}/${size}` })
  await comes(file, serve({ breaksAt: 9 }), chunked(206, range(9), Buffer.concat([file.subarray(9), file])), serve())
  assert.deepEqual(ranges(), [undefined, 'bytes=9-', undefined])
  requested = []
  await comes(file, serve({ breaksAt: 9 }), chunked(206, range(9), file.subarray(9, 5_000)), serve())
  assert.deepEqual(ranges(), [undefined, 'bytes=9-', 'bytes=5000-'])
})

const old = { date: 'Sun, 22 Nov 2026 10:01:00 GMT', 'last-modified': 'Sun, 22 Nov 2026 10:00:00 GMT' }
const validators: [what: string, headers: Record<string, string | undefined>, ifRange: string | undefined][] = [
  ['a weak tag', { etag: 'W/"v1"', ...old }, undefined],
  ['nothing', { etag: undefined }, undefined],
  ['a date of a minute ago', { etag: undefined, ...old }, old['last-modified']],
  ['a date of this minute', { etag: undefined, ...old, 'last-modified': 'Sun, 22 Nov 2026 10:00:01 GMT' }, undefined],
  ['a tag where ranges are not taken', { etag: '"v1"', 'accept-ranges': 'none' }, undefined],
]
for (const [what, headers, ifRange] of validators) {
  test(`with ${what} as its version, the remainder is ${ifRange === undefined ? 'not ' : ''}requested`, async () => {
    const known = Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
    const half: Reply = response => {
      response.sendDate = false
      response.writeHead(200, { 'content-length': size, ...known })
      breakAt(response, file.subarray(0, 100), 100)
    }
    await comes(file, half, serve())
    assert.equal(requested[1]?.headers['if-range'], ifRange)
    assert.equal(requested[1]?.headers.range, ifRange === undefined ? undefined : 'bytes=100-')
  })
}

test('a file above the limit fails: by its declared length, by its bytes, and over several tries', async () => {
  const large: Reply[][] = [
    [serve()],
    [chunked(200, {}, file)],
    [response => breakAt(response.writeHead(200, { etag: '"v1"' }), file.subarray(0, 9), 9), serve()],
  ]
  for (const answers of large) {
    replies = answers
    assert.deepEqual(await fetched({ maxBytes: size - 1, retryAfterMs: [1] }), {
      state: 'failed',
      code: 'upstream_error',
      message: `The video has more than ${size - 1} bytes.`,
      mayBeCharged: true,
    })
    assert.deepEqual(await readdir(root), [])
  }
})

for (const code of [403, 404, 410]) {
  test(`the status ${code} means at once that the link has expired, also during the download`, async () => {
    replies = [status(code)]
    assert.ok(isLinkGone(await failure(fetched())))
    assert.equal(requested.length, 1)
    replies = [serve({ breaksAt: 7 }), status(code)]
    assert.ok(isLinkGone(await failure(fetched())))
  })
}

test('other refusals, compressed bytes and private addresses are not retried', async () => {
  for (const reply of [status(400), status(401), status(204), status(302), serve({ headers: { 'content-encoding': 'gzip' } })]) {
    requested = []
    replies = [reply]
    const error = await failure(fetched())
    assert.equal(error.code, 'upstream_error')
    assert.ok(!isLinkGone(error))
    assert.equal(requested.length, 1)
  }
  const careful = new UrlGuard({ outbound: directOutbound, allowPrivate: false })
  requested = []
  assert.equal((await failure(fetched({ guard: careful }))).code, 'upstream_error')
  assert.equal((await failure(fetched({ guard: careful, url: 'file:///etc/passwd' }))).code, 'upstream_error')
  assert.equal(requested.length, 0)
  await careful.close()
})

test('a busy or failing server is called again after the time it requests, and the bytes so far are kept', async () => {
  await comes(file, serve({ breaksAt: 50 }), status(500), status(502), status(408), serve())
  assert.deepEqual(ranges(), [undefined, 'bytes=50-', 'bytes=50-', 'bytes=50-', 'bytes=50-'])
  const began = Date.now()
  await comes(file, status(429, { 'retry-after': '1' }), serve())
  assert.ok(Date.now() - began >= 990, 'it was asked again too soon')
})

test('silence ends a try: before the answer, and during it', async () => {
  replies = [() => {}]
  const error = await failure(fetched({ firstByteMs: 500, retryAfterMs: [] }))
  assert.equal(error.code, 'upstream_error')
  requested = []
  const half: Reply = response => void response.writeHead(200, { 'content-length': size, etag: '"v1"' }).write(file.subarray(0, 100))
  replies = [half, serve()]
  assert.deepEqual(await fetched({ idleMs: 500 }), { bytes: size })
  assert.equal(hash(await readFile(toFile)), hash(file))
  // On a slow machine the second try may exceed `idleMs` as well and be repeated, so only the first
  // two requests are compared.
  assert.deepEqual(ranges().slice(0, 2), [undefined, 'bytes=100-'])
})

test('all tries together have a time limit, and end with the job', async () => {
  replies = [status(500)]
  assert.equal((await failure(fetched({ timeoutMs: 60, retryAfterMs: [60_000] }))).code, 'upstream_timeout')
  replies = [response => void response.writeHead(200).write('x')]
  assert.equal((await failure(fetched({ timeoutMs: 60 }))).code, 'upstream_timeout')
  const stop = new AbortController()
  replies = [status(500)]
  requested = []
  const running = failure(fetched({ signal: stop.signal, retryAfterMs: [60_000] }))
  await until(() => requested.length > 0, 'the request')
  stop.abort()
  assert.equal((await running).code, 'cancelled')
  assert.equal((await failure(fetched({ signal: AbortSignal.abort() }))).code, 'cancelled')
})

test('a credential is sent to its own origin only, also after a redirect', async () => {
  const others: IncomingMessage[] = []
  const other = createServer((request, response) => {
    others.push(request)
    serve()(response, request)
  })
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  // The cast is safe: the server listens on a host and port, so the address is neither null nor a
  // path.
  const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}/stored`
  const trusted = { trustedOrigin: origin, trustedHeaders: { authorization: 'Bearer secret' } }
  try {
    replies = [status(302, { location: elsewhere })]
    assert.deepEqual(await fetched(trusted), { bytes: size })
    assert.equal(requested[0]?.headers.authorization, 'Bearer secret')
    assert.equal(others[0]?.headers.authorization, undefined)
    await failure(fetched({ ...trusted, maxRedirects: 0 }))
    assert.equal(others.length, 1)
  } finally {
    other.closeAllConnections()
    other.close()
  }
})
