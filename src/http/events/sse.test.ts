import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, mock, test } from 'node:test'
import { Connections } from '../connection/connections.ts'
import { type EventStream, openEventStream } from './sse.ts'

const cleanUps: (() => void)[] = []
after(() => {
  for (const cleanUp of cleanUps) cleanUp()
})

/** Starts a server and sends one request. Returns its response, and the raw socket of its
 *  client. */
async function exchange(): Promise<{
  response: ServerResponse
  socket: Socket
  received: () => string
  until: (text: string) => Promise<void>
}> {
  const arrived = Promise.withResolvers<ServerResponse>()
  const server = createServer()
  new Connections({ most: 1, mostPerKey: 1, mostPerAddress: 1 }).watch(server, (_request, response) => arrived.resolve(response))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  // The cast is safe: a server on a TCP port has an address object, not a string.
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  cleanUps.push(() => {
    socket.destroy()
    server.closeAllConnections()
    server.close()
  })
  let text = ''
  let look = () => {}
  socket.on('data', chunk => {
    // Only the last characters are kept and searched, so that a test with very many events needs
    // little memory.
    text = (text + chunk.toString()).slice(-4000)
    look()
  })
  socket.on('error', () => {})
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  const until = (wanted: string) =>
    new Promise<void>(resolve => {
      look = () => {
        if (text.includes(wanted)) resolve()
      }
      look()
    })
  return { response: await arrived.promise, socket, received: () => text, until }
}

test('headers are sent at once, each frame is one chunk, and the end ends the answer', async () => {
  const { response, received, until } = await exchange()
  const stream = openEventStream(response, { headers: { 'x-request-id': 'r1' } })
  await until('\r\n\r\n')
  assert.match(received(), /^HTTP\/1\.1 200 OK\r\n/)
  for (const line of [
    'content-type: text/event-stream; charset=utf-8',
    'cache-control: no-cache, no-transform',
    'x-accel-buffering: no',
    'x-request-id: r1',
  ]) {
    assert.ok(received().includes(`\r\n${line}\r\n`), line)
  }
  assert.doesNotMatch(received(), /content-encoding|content-length/i)
  assert.equal(stream.send({ id: '7', event: 'task.done', data: { text: 'two\nlines — é' } }), undefined)
  await until('}\n\n\r\n')
  assert.equal(stream.send({ data: '[DONE]' }), undefined)
  stream.end()
  await until('\r\n0\r\n\r\n')
  const first = 'id: 7\nevent: task.done\ndata: {"text":"two\\nlines — é"}\n\n'
  const body = received().slice(received().indexOf('\r\n\r\n') + 4)
  assert.equal(body, `${Buffer.byteLength(first).toString(16)}\r\n${first}\r\ne\r\ndata: [DONE]\n\n\r\n0\r\n\r\n`)
  assert.equal(stream.isClosed, true)
  assert.equal(stream.send({ data: 'late' }), undefined)
})

test('line breaks cannot break a frame', async () => {
  const { response } = await exchange()
  const stream = openEventStream(response)
  assert.throws(() => stream.send({ data: 'a\nb' }), TypeError)
  assert.throws(() => stream.send({ event: 'a\ndata: x', data: {} }), TypeError)
  stream.end()
})

test('only the last close listener is called, once, also when it is set after the client has left', async () => {
  const { response, socket } = await exchange()
  const stream = openEventStream(response)
  const left = Promise.withResolvers<void>()
  let early = 0
  stream.onClose(() => {
    early += 1
  })
  stream.onClose(left.resolve)
  socket.destroy()
  await left.promise
  assert.deepEqual([early, stream.isClosed], [0, true])
  let late = 0
  stream.onClose(() => {
    late += 1
  })
  assert.equal(late, 1)
  stream.end()
})

test('an ended stream does not report that the client left', async () => {
  const { response, socket, until } = await exchange()
  const stream = openEventStream(response)
  let reported = 0
  stream.onClose(() => {
    reported += 1
  })
  stream.end()
  await until('0\r\n\r\n')
  const closed = new Promise(resolve => response.on('close', resolve))
  socket.destroy()
  if (!response.closed) await closed
  assert.equal(reported, 0)
})

/** Sends 40 MB through the stream, which is more than the kernel buffers for a client that does
 *  not read. Returns the promise of the last event. */
function flood(stream: EventStream): Promise<void> | undefined {
  let waiting: Promise<void> | undefined
  for (let sent = 0; sent < 200; sent++) waiting = stream.send({ data: { text: 'x'.repeat(200_000) } })
  return waiting
}

test('a sender waits for a slow client', async () => {
  const { response, socket, until } = await exchange()
  const stream = openEventStream(response)
  socket.pause()
  let isFree = false
  const waiting = flood(stream)?.then(() => {
    isFree = true
  })
  for (let turn = 0; turn < 200; turn++) await new Promise(resolve => setImmediate(resolve))
  assert.equal(isFree, false)
  socket.resume()
  await waiting
  assert.equal(isFree, true)
  stream.end()
  await until('\r\n0\r\n\r\n')
})

test('a waiting sender continues when the client disconnects', async () => {
  const { response, socket } = await exchange()
  const stream = openEventStream(response)
  socket.pause()
  const waiting = flood(stream)
  assert.ok(waiting !== undefined)
  const left = new Promise<void>(resolve => stream.onClose(resolve))
  socket.destroy()
  await Promise.all([waiting, left])
  assert.equal(stream.send({ data: {} }), undefined)
})

test('all streams get a comment every 15 s; a stream whose client reads nothing for a minute is closed', async () => {
  mock.timers.enable({ apis: ['setInterval'] })
  try {
    const [first, second, stuck] = await Promise.all([exchange(), exchange(), exchange()])
    const streams = [first, second, stuck].map(({ response }) => openEventStream(response))
    stuck.socket.pause()
    if (streams[2] !== undefined) flood(streams[2])
    mock.timers.tick(14_999)
    assert.ok(!first.received().includes('keep-alive\n'))
    mock.timers.tick(1)
    await Promise.all([first.until(': keep-alive\n\n'), second.until(': keep-alive\n\n')])
    const cut = new Promise<void>(resolve => streams[2]?.onClose(resolve))
    mock.timers.tick(65_000)
    await cut
    assert.deepEqual(
      streams.map(stream => stream.isClosed),
      [false, false, true],
    )
    for (const stream of streams) stream.end()
  } finally {
    mock.timers.reset()
  }
})
