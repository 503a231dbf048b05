/** A refusal reaches a client even when the client reads the answer only after it has sent its
 *  whole body. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTestGateway, type TestGateway, testKey } from '../testing/gateway.ts'

let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway()
})
after(() => gateway[Symbol.asyncDispose]())

const bodyBytes = 5 * 1024 * 1024
const pieces = 20

interface Upload {
  method?: string
  path: string
  version?: string
  headers?: Record<string, string>
}

/** Sends the head of a request, then 5 MB of body in 20 pieces, letting the event loop turn
 *  between two pieces. Reads nothing until all is sent. Resolves with the answer, or with the
 *  error that ended the connection. */
async function uploadTo({ method = 'POST', path, version = '1.1', headers = {} }: Upload): Promise<string> {
  const { hostname, port } = new URL(gateway.url)
  const socket = connect(Number(port), hostname)
  let failure: string | undefined
  socket.on('error', (error: NodeJS.ErrnoException) => {
    failure = error.code
  })
  const given = { host: 'a', 'content-type': 'multipart/form-data; boundary=b', 'content-length': String(bodyBytes), ...headers }
  const lines = Object.entries(given).filter(([, value]) => value !== '')
  socket.pause()
  socket.write(`${method} ${path} HTTP/${version}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`)
  const piece = Buffer.alloc(bodyBytes / pieces, 'x')
  for (let sent = 0; sent < pieces; sent++) {
    await sleep(5)
    if (socket.destroyed) break
    await Promise.race([new Promise<void>(resolve => socket.write(piece, () => resolve())), once(socket, 'close')])
  }
  let text = ''
  const answered = new Promise<void>(resolve => {
    socket.setEncoding('latin1').on('data', chunk => {
      text += chunk
      if (/\r\n\r\n.*\}/s.test(text)) resolve()
    })
    socket.on('close', () => resolve())
  })
  socket.resume()
  await answered
  socket.destroy()
  return text === '' ? `no answer: ${failure ?? 'closed'}` : text
}

const key = { authorization: `Bearer ${testKey}` }
const at = '/v1/ai/default'
const cases: [status: number, says: string, upload: Upload][] = [
  [401, 'a multipart upload without a key', { path: `${at}/mus/files/upload` }],
  [401, 'JSON without a key', { path: `${at}/chat/completions`, headers: { 'content-type': 'application/json' } }],
  [
    401,
    'raw text with a wrong key',
    { path: `${at}/tts-n/text-to-speech/m4a`, headers: { 'content-type': 'application/x-subrip', authorization: 'Bearer sk-wrong' } },
  ],
  [401, 'the admin API without its key', { path: '/admin/keys', headers: { 'content-type': 'application/json' } }],
  [404, 'a path where nothing is', { path: '/nothing/here' }],
  [404, 'an endpoint that is not there', { path: '/v1/ai/none/mus/files/upload', headers: key }],
  [405, 'a method that the path does not take', { method: 'PUT', path: '/healthz' }],
  [405, 'OPTIONS of a path where CORS is off', { method: 'OPTIONS', path: '/v1/chat/completions' }],
  [404, 'OPTIONS of a path where nothing is', { method: 'OPTIONS', path: '/nothing/here' }],
  [415, 'a content type that is not taken', { path: `${at}/mus/files/upload`, headers: { ...key, 'content-type': 'text/csv' } }],
  [415, 'a content encoding that is not taken', { path: `${at}/mus/files/upload`, headers: { ...key, 'content-encoding': 'gzip' } }],
  [
    413,
    'a body that says it is too large',
    { path: `${at}/imgf/image/generate`, headers: { ...key, 'content-type': 'application/json', 'content-length': String(2 ** 40) } },
  ],
  [400, 'a path that is no URL encoding', { path: '/%zz' }],
  [403, 'a link whose signature is wrong', { method: 'GET', path: '/files/x?exp=1&kid=a&sig=b' }],
  [400, 'multipart without its boundary', { path: `${at}/mus/files/upload`, headers: { ...key, 'content-type': 'multipart/form-data' } }],
  [400, 'bytes that are no multipart', { path: `${at}/mus/files/upload`, headers: key }],
  [413, 'JSON that grows too large', { path: `${at}/imgf/image/generate`, headers: { ...key, 'content-type': 'application/json' } }],
]
const ways: [name: string, change: Partial<Upload>][] = [
  ['on a connection that is kept', {}],
  ['with connection: close', { headers: { connection: 'close' } }],
  ['over HTTP/1.0', { version: '1.0' }],
]

for (const [status, says, upload] of cases)
  for (const [name, change] of ways)
    test(`${says} is answered with ${status} ${name}`, { timeout: 30_000 }, async () => {
      const answer = await uploadTo({ ...upload, ...change, headers: { ...upload.headers, ...change.headers } })
      assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `))
      assert.match(answer, /x-content-type-options: nosniff/i)
    })
