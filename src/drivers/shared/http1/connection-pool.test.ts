import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { after, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { tlsIdentity } from '../../../testing/tls-identity.ts'
import type { Http1Request } from './request-head.ts'
import { Answer, failed, good, outcome, post, reply, send, sent, serve } from './testing/scripted-server.ts'

test('the request head has the requested headers, and is sent in one write with a small body', async () => {
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

test('connections are reused, the last one first, and each simultaneous request has its own', async () => {
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

test('an idle connection is closed when the upstream announced that it closes it', async () => {
  const { pool, sockets } = await serve(socket => void socket.write(reply('ok', 'keep-alive: timeout=3\r\n')))
  await sent(pool)
  await sent(pool)
  assert.equal(sockets.length, 1)
  await until(() => sockets[0]?.destroyed, 'the closing')
})

test('a request with connection: close uses a separate connection', async () => {
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

test('bytes after an answer, at once or later on the idle connection, close it and reach no request', async () => {
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

test('an unrequested answer that is already there is not taken for the next one', async () => {
  const { pool, sockets } = await serve((socket, _, nth) => void socket.write(reply(String(nth))))
  await sent(pool)
  const answer = new Answer()
  setImmediate(() => {
    sockets[0]?.write(reply('poison'))
    // Node runs timers before it reads sockets. So this timer sends the request at a moment when
    // earlier bytes have arrived at the kept connection but have not been read.
    setTimeout(() => send(pool, {}, answer), 1)
    const dueAt = performance.now() + 50
    while (performance.now() < dueAt);
  })
  await answer.settled
  assert.equal(answer.text, '2')
})

test('an answer that is not HTTP fails, and its connection is closed', async () => {
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
  test(`${title} without an answer: the connection counts as stale if it was kept and silent`, async () => {
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

test('silence on a kept connection is a timeout, never a stale connection', async () => {
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

test('an invalid request is refused before a connection is opened', async () => {
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

test('no handler is called after an abort, wherever it comes from', async () => {
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
  // The next request is answered over the same connection, so the connection reads from its socket
  // again.
  assert.deepEqual([(await sent(pool)).text.length, sockets.length], [10, 1])
})

test('an error that a handler throws is reported to it and to no other', async () => {
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

test('closing fails running, waiting and later requests', async () => {
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

test('a request that is cancelled while it waits is not sent', async () => {
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

test('TLS requires a trusted certificate, and resumes its session', async () => {
  const seen: boolean[] = []
  const { pool, sockets, server } = await serve(socket => void socket.write(reply('ok', 'connection: close\r\n')), true)
  assert.deepEqual((await sent(pool)).errors, failed('DEPTH_ZERO_SELF_SIGNED_CERT'))
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, tlsIdentity.cert])
  after(() => setDefaultCACertificates(before))
  server.on('secureConnection', socket => seen.push(socket.isSessionReused()))
  assert.deepEqual(outcome(await sent(pool)), good('ok'))
  await until(() => sockets.at(-1)?.destroyed, 'the closing')
  assert.deepEqual(outcome(await sent(pool)), good('ok'))
  assert.deepEqual(seen, [false, true])
})
