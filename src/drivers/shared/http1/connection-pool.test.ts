import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { tlsIdentity } from '../../../testing/tls-identity.ts'
import type { Connection, Http1Handler } from './connection.ts'
import { ConnectionPool } from './connection-pool.ts'
import type { Http1Request } from './request-head.ts'

/** How a server reacts to each piece of text it receives. `nth` is the number of the connection,
 *  from 1. */
type Script = (socket: Socket, text: string, nth: number) => void

const servers: Server[] = []
const pools: ConnectionPool[] = []
after(() => {
  for (const pool of pools) pool.close()
  for (const server of servers) server.close()
})

async function serve(script: Script, isTls = false): Promise<{ pool: ConnectionPool; sockets: Socket[] }> {
  const sockets: Socket[] = []
  const accept = (socket: Socket) => {
    const nth = sockets.push(socket)
    socket.on('error', () => {})
    socket.on('data', data => script(socket, data.toString('latin1'), nth))
  }
  const server = isTls ? createTlsServer(tlsIdentity, accept) : createServer(accept)
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // Listening on a host and port, so it is neither null nor a path.
  const { port } = server.address() as AddressInfo
  const pool = new ConnectionPool(isTls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`)
  pools.push(pool)
  return { pool, sockets }
}

class Answer implements Http1Handler {
  connection: Connection | undefined
  status = 0
  text = ''
  ends = 0
  errors: { code: unknown; isStale: boolean }[] = []
  isUnwanted = false
  readonly #settled = Promise.withResolvers<void>()
  readonly settled = this.#settled.promise
  onConnection(connection: Connection): void {
    this.connection = connection
  }
  isOver(): boolean {
    return this.isUnwanted
  }
  onHead(status: number): void {
    this.status = status
  }
  onData(chunk: Buffer): void {
    this.text += chunk.toString('latin1')
  }
  onEnd(): void {
    this.ends += 1
    this.#settled.resolve()
  }
  onError(error: unknown, isStale: boolean): void {
    this.errors.push({ code: Object(error).code ?? String(error), isStale })
    this.#settled.resolve()
  }
}

const get: Http1Request = { method: 'GET', path: '/', headers: [], extra: {}, body: undefined, firstByteMs: 60_000, idleMs: 60_000 }
const post = (body: Http1Request['body']): Http1Request => ({ ...get, method: 'POST', body })
const reply = (body: string, headers = '') => `HTTP/1.1 200 OK\r\n${headers}content-length: ${body.length}\r\n\r\n${body}`

function send(pool: ConnectionPool, request: Partial<Http1Request> = {}, handler = new Answer()): Answer {
  pool.send({ ...get, ...request }, handler)
  return handler
}

async function sent(pool: ConnectionPool, request: Partial<Http1Request> = {}): Promise<Answer> {
  const answer = send(pool, request)
  await answer.settled
  return answer
}

const outcome = ({ status, text, ends, errors }: Answer) => ({ status, text, ends, errors })
const good = (text: string) => ({ status: 200, text, ends: 1, errors: [] })
const failed = (code: string, isStale = false) => [{ code, isStale }]

test('the head has what was asked for, in one write with a small body', async () => {
  const seen: string[] = []
  const { pool } = await serve((socket, text) => {
    seen.push(text)
    socket.write(reply('ok'))
  })
  const headers = ['x-a', 'one', 'x-b', 't\u00e9']
  assert.deepEqual(
    outcome(await sent(pool, { ...post(Buffer.from('{"\u00e9":1}')), path: '/a?b=c', headers, extra: { 'x-c': 'three' } })),
    good('ok'),
  )
  const [text = ''] = seen
  const host = /host: (.*)/.exec(text)?.[1]
  assert.match(host ?? '', /^127\.0\.0\.1:\d+$/)
  assert.equal(
    text,
    `POST /a?b=c HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\nx-a: one\r\nx-b: t\u00e9\r\nx-c: three\r\ncontent-length: 8\r\n\r\n{"\u00c3\u00a9":1}`,
  )
  await sent(pool)
  assert.ok(!seen[1]?.includes('content-length'))
  await sent(pool, { ...post(Buffer.alloc(0)), body: undefined })
  assert.match(seen[2] ?? '', /^POST .*\r\ncontent-length: 0\r\n\r\n$/s)
})

test('connections are used again, the last one first, and one is made for each request under way', async () => {
  const { pool, sockets } = await serve((socket, _, nth) => void socket.write(reply(String(nth))))
  assert.deepEqual(
    (await Promise.all([sent(pool), sent(pool), sent(pool)])).map(({ text }) => text),
    ['1', '2', '3'],
  )
  const last = (await sent(pool)).text
  for (let i = 0; i < 5; i++) assert.equal((await sent(pool)).text, last)
  await Promise.all([sent(pool), sent(pool), sent(pool), sent(pool)])
  assert.equal(sockets.length, 4)
})

for (const [title, headers] of [
  ['connection: close', 'connection: close\r\n'],
  ['a hint that is too short', 'keep-alive: timeout=2\r\n'],
]) {
  test(`${title}: the connection is closed after the answer`, async () => {
    const { pool, sockets } = await serve((socket, _, nth) => void socket.write(reply(String(nth), headers)))
    assert.deepEqual([(await sent(pool)).text, (await sent(pool)).text], ['1', '2'])
    await until(() => sockets.every(socket => socket.destroyed), 'the closing')
  })
}

test('an idle connection is closed when the upstream says that it will be', async () => {
  const { pool, sockets } = await serve(socket => void socket.write(reply('ok', 'keep-alive: timeout=3\r\n')))
  await sent(pool)
  await sent(pool)
  assert.equal(sockets.length, 1)
  await until(() => sockets[0]?.destroyed, 'the closing')
})

test('a request with connection: close goes over a connection of its own', async () => {
  const seen: string[] = []
  const { pool } = await serve((socket, text, nth) => {
    seen.push(/connection: .*/.exec(text)?.[0] ?? '')
    socket.write(reply(String(nth)))
  })
  await sent(pool)
  assert.equal((await sent(pool, { extra: { connection: 'close' } })).text, '2')
  assert.equal((await sent(pool)).text, '1')
  assert.deepEqual(seen, ['connection: keep-alive', 'connection: close', 'connection: keep-alive'])
})

test('bytes after an answer, at once or on the idle connection, close it and reach nobody', async () => {
  const poison = reply('poison')
  const { pool, sockets } = await serve((socket, text, nth) => {
    if (text.startsWith('GET /at-once')) socket.write(reply(String(nth)) + poison)
    else if (text.startsWith('GET /later')) socket.write(reply(String(nth)), () => socket.write(poison))
    else socket.write(reply(String(nth)))
  })
  assert.equal((await sent(pool, { path: '/at-once' })).text, '1')
  assert.equal((await sent(pool, { path: '/later' })).text, '2')
  await until(() => sockets.every(socket => socket.destroyed), 'the closing')
  assert.equal((await sent(pool)).text, '3')
})

test('an answer nobody asked for that is already there is not taken for the next one', async () => {
  const { pool, sockets } = await serve((socket, _, nth) => void socket.write(reply(String(nth))))
  await sent(pool)
  const answer = new Answer()
  setImmediate(() => {
    sockets[0]?.write(reply('poison'))
    // Timers run before sockets are read, so the request is sent while the bytes have arrived but
    // are still unread.
    setTimeout(() => send(pool, {}, answer), 1)
    const dueAt = performance.now() + 5
    while (performance.now() < dueAt);
  })
  await answer.settled
  assert.equal(answer.text, '2')
})

test('an answer that is no HTTP fails and its connection is cut', async () => {
  const { pool, sockets } = await serve(
    socket => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n'),
  )
  assert.deepEqual((await sent(pool)).errors, failed('HPE_STRICT'))
  await until(() => sockets[0]?.destroyed, 'the cut')
})

test('the end of a connection ends an answer without a length, and breaks one with a length', async () => {
  const { pool } = await serve(
    (socket, text) => void socket.end(`HTTP/1.1 200 OK\r\n${text.startsWith('GET /long') ? 'content-length: 9\r\n' : ''}\r\nhello`),
  )
  assert.deepEqual(outcome(await sent(pool)), good('hello'))
  assert.deepEqual(outcome(await sent(pool, { path: '/long' })), { status: 200, text: 'hello', ends: 0, errors: failed('UND_ERR_SOCKET') })
})

for (const [title, end, code] of [
  ['closed', (socket: Socket) => void socket.end(), 'UND_ERR_SOCKET'],
  ['reset', (socket: Socket) => void socket.resetAndDestroy(), 'ECONNRESET'],
  ['closed after a first byte', (socket: Socket) => void socket.end('H'), 'UND_ERR_SOCKET'],
] as const) {
  test(`${title} without an answer: stale if it was kept and silent`, async () => {
    let requests = 0
    const { pool } = await serve((socket, text) => {
      requests += 1
      if (text.startsWith('GET /end')) end(socket)
      else socket.write(reply('ok'))
    })
    assert.deepEqual((await sent(pool, { path: '/end' })).errors, failed(code))
    await sent(pool)
    assert.deepEqual((await sent(pool, { path: '/end' })).errors, failed(code, !title.includes('byte')))
    assert.equal(requests, 3)
  })
}

test('silence of a kept connection is a timeout, never stale', async () => {
  const { pool } = await serve((socket, text) => {
    if (text.startsWith('GET / ')) socket.write(reply('ok'))
    if (text.startsWith('GET /begins')) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nab')
    if (!text.startsWith('GET /drips')) return
    const drip = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 20)
    socket.on('close', () => clearInterval(drip))
  })
  const waiting = async (path: string, limits: { firstByteMs?: number; idleMs?: number }) => {
    await sent(pool)
    return (await sent(pool, { path, ...limits })).errors
  }
  const all = await Promise.all([
    waiting('/silent', { firstByteMs: 50 }),
    waiting('/drips', { firstByteMs: 50 }),
    waiting('/begins', { idleMs: 50 }),
  ])
  assert.deepEqual(all, [failed('UND_ERR_HEADERS_TIMEOUT'), failed('UND_ERR_HEADERS_TIMEOUT'), failed('UND_ERR_BODY_TIMEOUT')])
})

test('what cannot be sent is refused before a connection is made', async () => {
  const { pool, sockets } = await serve(() => {})
  const wrong: Partial<Http1Request>[] = [
    { path: '/a b' },
    { path: '/a\r\nx: y' },
    { path: '/\u4e2d' },
    { path: 'a' },
    { extra: { 'x-a': 'one\r\nx-b: two' } },
    { extra: { 'x-a': 'one\ntwo' } },
    { extra: { 'x-a': '\0' } },
    { extra: { 'x-a': '\u4e2d' } },
    { extra: { 'x a': 'one' } },
    { extra: { 'x-a\r\nx-b': 'one' } },
    { extra: { '': 'one' } },
    { extra: { 'Content-Length': '5' } },
    { extra: { 'transfer-encoding': 'chunked' } },
    { extra: { host: 'elsewhere' } },
    { extra: { connection: 'upgrade' } },
    { extra: { Connection: 'close' } },
    { headers: ['x-a', 'one\r\n'] },
    { headers: ['connection', 'close'] },
  ]
  for (const request of wrong) assert.deepEqual((await sent(pool, request)).errors, failed('UND_ERR_INVALID_ARG'), JSON.stringify(request))
  assert.equal(sockets.length, 0)
})

test('a body from a stream is sent at the pace of the upstream, and so is a large one', async () => {
  const bytes = 30 * 2 ** 20
  let received = 0
  const { pool, sockets } = await serve((socket, text) => {
    if (received === 0) {
      received = -text.indexOf('\r\n\r\n') - 4
      socket.pause()
    }
    received += text.length
    if (received === bytes) socket.write(reply('ok'))
  })
  let given = 0
  const stream = new Readable({
    read() {
      given += 65_536
      this.push(given > bytes ? null : Buffer.alloc(65_536))
    },
  })
  const answer = send(pool, post({ stream, bytes }))
  let last = -1
  await until(() => {
    const isStill = given === last && given > 0
    last = given
    return isStill
  }, 'the stream waiting')
  assert.ok(given < bytes, `${given} bytes were read`)
  sockets[0]?.resume()
  await answer.settled
  assert.deepEqual(outcome(answer), good('ok'))
  received = 0
  const large = send(pool, post(Buffer.alloc(bytes)))
  await until(() => received !== 0, 'the head')
  sockets[0]?.resume()
  await large.settled
  assert.deepEqual([outcome(large), sockets.length], [good('ok'), 1])
})

test('a stream with more or fewer bytes than announced, or that breaks, fails the request', async () => {
  let text = ''
  const { pool, sockets } = await serve((_, more) => {
    text += more
  })
  const from = (parts: string[]) => Readable.from(parts.map(part => Buffer.from(part)))
  const mismatch = failed('UND_ERR_REQ_CONTENT_LENGTH_MISMATCH')
  assert.deepEqual((await sent(pool, post({ stream: from(['abc', 'def']), bytes: 4 }))).errors, mismatch)
  assert.deepEqual((await sent(pool, post({ stream: from(['abc']), bytes: 4 }))).errors, mismatch)
  const broken = new Readable({ read: () => broken.destroy(new Error('disk')) })
  assert.deepEqual((await sent(pool, post({ stream: broken, bytes: 4 }))).errors, failed('Error: disk'))
  const early = new Readable({ read() {} })
  early.destroy(new Error('gone'))
  assert.deepEqual((await sent(pool, post({ stream: early, bytes: 4 }))).errors, failed('Error: gone'))
  await until(() => sockets.every(socket => socket.destroyed), 'the cuts')
  assert.ok(!text.includes('def'))
})

test('an answer before the end of the body is an answer; the rest is not sent and the connection not kept', async () => {
  const { pool, sockets } = await serve((socket, text) => void (text.startsWith('POST') && socket.write(reply('no'))))
  const stream = new Readable({ read() {} })
  stream.push(Buffer.alloc(10))
  const answer = await sent(pool, post({ stream, bytes: 1_000 }))
  assert.deepEqual([outcome(answer), stream.destroyed], [good('no'), true])
  assert.deepEqual([outcome(await sent(pool, post(undefined))), sockets.length], [good('no'), 2])
  await until(() => sockets[0]?.destroyed, 'the cut')
})

test('nothing is called after an abort, wherever it comes from', async () => {
  const { pool, sockets } = await serve(
    socket => void socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n1\r\nb\r\n0\r\n\r\n'),
  )
  for (const where of ['onConnection', 'onHead', 'onData']) {
    const answer = new Answer()
    const calls: string[] = []
    const note = (name: string) => {
      calls.push(name)
      if (name === where) answer.connection?.abort()
    }
    answer.onConnection = connection => {
      answer.connection = connection
      note('onConnection')
    }
    answer.onHead = () => note('onHead')
    answer.onData = () => note('onData')
    answer.onEnd = () => note('onEnd')
    answer.onError = () => note('onError')
    send(pool, {}, answer)
    await sent(pool)
    await until(() => sockets.filter(socket => !socket.destroyed).length <= 1, 'the cut')
    assert.equal(calls.at(-1), where)
  }
})

test('a paused answer waits, without a time limit', async () => {
  const { pool, sockets } = await serve(socket => void socket.write(reply('x'.repeat(10))))
  const answer = new Answer()
  answer.onHead = () => answer.connection?.pause()
  send(pool, { idleMs: 1 }, answer)
  await answer.settled
  // The connection is used again and still reads.
  assert.deepEqual([(await sent(pool)).text.length, sockets.length], [10, 1])
})

test('a handler that throws hears of it, and no other does', async () => {
  const { pool } = await serve(socket => void socket.write(reply('ok')))
  const answer = new Answer()
  answer.onData = () => {
    throw new Error('a bug')
  }
  send(pool, {}, answer)
  await answer.settled
  assert.deepEqual(answer.errors, failed('Error: a bug'))
  assert.deepEqual(outcome(await sent(pool)), good('ok'))
})

test('closing fails what runs, what waits and what comes', async () => {
  const { pool, sockets } = await serve((socket, text) => void (text.startsWith('GET /quick') && socket.write(reply('ok'))))
  await Promise.all([sent(pool, { path: '/quick' }), sent(pool, { path: '/quick' })])
  const running = send(pool)
  await until(() => running.connection !== undefined, 'the sending')
  const waiting = send(pool)
  pool.close()
  const late = send(pool)
  for (const answer of [running, waiting, late])
    assert.deepEqual(outcome(answer), { status: 0, text: '', ends: 0, errors: failed('UND_ERR_DESTROYED') })
  await until(() => sockets.every(socket => socket.destroyed), 'the cuts')
})

test('a request that is dropped while it waits is not sent', async () => {
  const seen: string[] = []
  const { pool } = await serve((socket, text) => {
    seen.push(text.slice(0, 6))
    socket.write(reply('ok'))
  })
  await sent(pool)
  send(pool, { path: '/dropped' }).isUnwanted = true
  await sent(pool)
  assert.deepEqual(seen, ['GET / ', 'GET / '])
})

test('TLS needs a certificate that is trusted, and takes its session up again', async () => {
  const seen: boolean[] = []
  const { pool, sockets } = await serve(socket => void socket.write(reply('ok', 'connection: close\r\n')), true)
  assert.deepEqual((await sent(pool)).errors, failed('DEPTH_ZERO_SELF_SIGNED_CERT'))
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, tlsIdentity.cert])
  after(() => setDefaultCACertificates(before))
  servers.at(-1)?.on('secureConnection', socket => seen.push(socket.isSessionReused()))
  assert.deepEqual(outcome(await sent(pool)), good('ok'))
  await until(() => sockets.at(-1)?.destroyed, 'the closing')
  assert.deepEqual(outcome(await sent(pool)), good('ok'))
  assert.deepEqual(seen, [false, true])
})
