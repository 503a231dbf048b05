import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type ServeFileOptions, serveFile } from './files.ts'

const bytes = Buffer.from(Array.from({ length: 2000 }, (_, at) => at % 251))
const sha256 = hash('sha256', bytes)
const etag = `"${sha256}"`
let blob: ServeFileOptions['blob'] = { id: 'blob_1', key: 'k', mediaType: 'image/png', bytes: bytes.length, sha256 }
let source: ServeFileOptions['blobs'] = {
  read: async (_key, range) => Readable.from([range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)]),
}
let outcome = Promise.withResolvers<boolean>()

const server = createServer((request, response) => {
  serveFile(request, response, { blob, blobs: source, now: 1_000_000, expiresAt: 1_600_900, headers: { 'x-request-id': 'r1' } }).then(
    outcome.resolve,
    outcome.reject,
  )
})
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
// The cast is safe: a server on a TCP port has an address object, not a string.
const { port } = server.address() as AddressInfo
after(() => {
  server.closeAllConnections()
  server.close()
})

interface Answer {
  status: number | undefined
  headers: IncomingHttpHeaders
  body: Buffer
}

function ask(headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ port, host: '127.0.0.1', method, headers }, response => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }))
      response.on('error', reject)
    })
    request.on('error', reject)
    request.end()
  })
}

test('a GET returns all bytes with exact headers', async () => {
  const { status, headers, body } = await ask()
  assert.equal(status, 200)
  assert.equal(Buffer.compare(body, bytes), 0)
  const { date, connection, 'keep-alive': keepAlive, ...own } = headers
  assert.deepEqual(own, {
    'x-request-id': 'r1',
    etag,
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=600',
    'content-disposition': 'inline; filename="blob_1.png"',
    'x-content-type-options': 'nosniff',
    'content-type': 'image/png',
    'content-length': '2000',
  })
})

test('a HEAD returns the same headers without bytes, also for a range', async () => {
  const { status, headers, body } = await ask({ range: 'bytes=0-9' }, 'HEAD')
  assert.deepEqual([status, headers['content-length'], body.length], [200, '2000', 0])
})

test('a single range returns its bytes', async () => {
  const cases: [string, number, number][] = [
    ['bytes=0-0', 0, 0],
    ['bytes=10-19', 10, 19],
    ['bytes=1990-', 1990, 1999],
    ['bytes=1990-99999', 1990, 1999],
    ['bytes=-5', 1995, 1999],
    ['bytes=-99999', 0, 1999],
    ['Bytes= 3-4 ', 3, 4],
  ]
  for (const [range, start, end] of cases) {
    const { status, headers, body } = await ask({ range })
    assert.equal(status, 206, range)
    assert.equal(headers['content-range'], `bytes ${start}-${end}/2000`)
    assert.equal(headers['content-length'], String(end - start + 1))
    assert.equal(Buffer.compare(body, bytes.subarray(start, end + 1)), 0)
  }
})

test('a range outside the file is a 416 with the size; odd and multiple ranges return the whole file', async () => {
  for (const range of ['bytes=2000-', 'bytes=5000-6000', 'bytes=-0']) {
    const { status, headers, body } = await ask({ range })
    assert.deepEqual([status, headers['content-range'], body.length], [416, 'bytes */2000', 0], range)
  }
  for (const range of ['bytes=0-1,5-6', 'bytes=5-2', 'bytes=-', 'lines=0-1', 'bytes=a-b', 'bytes=0-1 x']) {
    const { status, body } = await ask({ range })
    assert.deepEqual([status, body.length], [200, 2000], range)
  }
})

test('validators: If-None-Match leads to 304, and If-Range decides about the range', async () => {
  for (const tag of [etag, `W/${etag}`, '*', `"other", ${etag}`]) {
    const { status, headers, body } = await ask({ 'if-none-match': tag, range: 'bytes=0-1' })
    assert.deepEqual([status, headers.etag, body.length], [304, etag, 0], tag)
  }
  assert.equal((await ask({ 'if-none-match': '"other"' })).status, 200)
  assert.equal((await ask({ 'if-range': etag, range: 'bytes=0-1' })).status, 206)
  for (const tag of ['"other"', `W/${etag}`, 'Sat, 21 Nov 2026 10:00:00 GMT']) {
    assert.equal((await ask({ 'if-range': tag, range: 'bytes=0-1' })).status, 200, tag)
  }
})

test('types that a browser would execute get a sandbox header; file names follow the type', async () => {
  const before = blob
  for (const mediaType of ['image/svg+xml', 'text/html; charset=utf-8', 'application/xhtml+xml']) {
    blob = { ...before, mediaType }
    const { headers } = await ask()
    assert.match(String(headers['content-security-policy']), /^sandbox; default-src 'none'/, mediaType)
    assert.equal(headers['content-type'], mediaType)
  }
  blob = { ...before, id: 'a"b/../c', mediaType: 'application/x-unknown' }
  assert.equal((await ask()).headers['content-disposition'], 'inline; filename="a_b_.._c.bin"')
  blob = before
})

test('an empty file is served without reading; every range of it is outside', async () => {
  const before = blob
  blob = { ...before, bytes: 0 }
  const { status, headers } = await ask()
  assert.deepEqual([status, headers['content-length']], [200, '0'])
  assert.equal((await ask({ range: 'bytes=0-' })).status, 416)
  blob = before
})

test('missing bytes cause an error before anything is written', async () => {
  const before = source
  source = { read: () => Promise.reject(new GatewayError('gone', 'swept')) }
  outcome = Promise.withResolvers()
  const request = httpRequest({ port, host: '127.0.0.1' })
  request.on('error', () => {})
  request.end()
  await assert.rejects(outcome.promise, { code: 'gone' })
  request.destroy()
  source = before
})

test('reading stops when the client disconnects', async () => {
  const before = source
  const beforeBlob = blob
  blob = { ...blob, bytes: 1e9 }
  const reader = new Readable({ read: () => void reader.push(Buffer.alloc(65_536)) })
  const closed = new Promise(resolve => reader.on('close', resolve))
  source = { read: async () => reader }
  outcome = Promise.withResolvers()
  const request = httpRequest({ port, host: '127.0.0.1' }, response => response.once('data', () => request.destroy()))
  request.on('error', () => {})
  request.end()
  await closed
  assert.equal(await outcome.promise, false)
  source = before
  blob = beforeBlob
})

test('reading stops also for a client that disconnects before it begins, and a failing source ends only its own answer', {
  timeout: 30_000,
}, async () => {
  const before = source
  const reader = new Readable({
    read: () => {},
    destroy: (_error, done) => done(new Error('the disk is gone')),
  })
  // `once` of node:events is not used here, because its promise would be rejected when the reader
  // emits `error`.
  const closed = new Promise(resolve => reader.on('close', resolve))
  const opening = Promise.withResolvers<Readable>()
  const asked = Promise.withResolvers<void>()
  source = {
    read: () => {
      asked.resolve()
      return opening.promise
    },
  }
  outcome = Promise.withResolvers()
  const left = once(server, 'request').then(([, response]) => once(response, 'close'))
  const request = httpRequest({ port, host: '127.0.0.1' })
  request.on('error', () => {})
  request.end()
  await asked.promise
  request.destroy()
  await left
  opening.resolve(reader)
  assert.equal(await outcome.promise, false)
  await closed
  source = before
})

test('a file that is shorter than its row says closes the connection instead of keeping the client waiting', async () => {
  const before = blob
  blob = { ...blob, bytes: 3000 }
  outcome = Promise.withResolvers()
  await assert.rejects(ask(), { code: 'ECONNRESET' })
  assert.equal(await outcome.promise, false)
  blob = before
})

test('a source that fails after its first bytes closes the connection instead of keeping the client waiting', {
  timeout: 10_000,
}, async () => {
  const before = source
  source = {
    read: async () =>
      Readable.from(
        (async function* () {
          yield bytes.subarray(0, 100)
          throw new GatewayError('store_unavailable', 'away')
        })(),
      ),
  }
  outcome = Promise.withResolvers()
  await assert.rejects(ask(), { code: 'ECONNRESET' })
  assert.equal(await outcome.promise, false)
  source = before
})
