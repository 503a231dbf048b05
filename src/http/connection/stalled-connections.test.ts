import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, before, mock, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { Connections, type Serve } from './connections.ts'

const checkEveryMs = 5_000
const much = Buffer.alloc(32 * 1024 * 1024)
let serve: Serve = () => {}
let origin: AddressInfo
const server = createServer({ keepAliveTimeout: 0 })
const connections = new Connections({ most: 100, mostPerKey: 100, mostPerAddress: 100 })
const sockets: Socket[] = []

before(async () => {
  mock.timers.enable({ apis: ['setInterval'] })
  connections.watch(server, (request, response) => serve(request, response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  // The cast is safe: a server on a TCP port has an address object, not a string.
  origin = server.address() as AddressInfo
})

after(() => {
  mock.timers.reset()
  for (const socket of sockets) socket.destroy()
  server.closeAllConnections()
  server.close()
})

/** Connects a client that sends the text and, by default, reads nothing. */
async function client(text: string): Promise<Socket> {
  const socket = connect({ port: origin.port, host: origin.address, allowHalfOpen: true })
  sockets.push(socket)
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

/** Begins an answer of 32 MB in one write to a client that reads nothing, and waits until the
 *  kernel accepts no more bytes of it. */
async function stalled(): Promise<{ socket: Socket; response: ServerResponse; own: Socket }> {
  const begun = Promise.withResolvers<ServerResponse>()
  serve = (_request, response) => begun.resolve(response.writeHead(200, { 'content-length': much.length }))
  const socket = await client('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  const response = await begun.promise
  response.end(much)
  const own = response.req.socket
  const left = leftOf(own)
  await until(async () => left() > 0 && (await settled(left)), 'the kernel took what it can')
  return { socket, response, own }
}

/** Returns the number of bytes that the server has written and the kernel has not accepted. */
const leftOf = (own: Socket) => (): number => Object(own)._handle?.writeQueueSize ?? 0

/** Returns true when the number does not change for 100 ms, so that a busy kernel has had time to
 *  accept more bytes. */
async function settled(left: () => number): Promise<boolean> {
  const first = left()
  await sleep(100)
  for (let turn = 0; turn < 50; turn++) await new Promise(resolve => setImmediate(resolve))
  return first === left()
}

function look(times: number): void {
  for (let time = 0; time < times; time++) mock.timers.tick(checkEveryMs)
}

test('a connection whose client reads none of an answer for a minute is closed, and not sooner', async () => {
  const { response, own } = await stalled()
  look(12)
  assert.equal(own.destroyed, false)
  look(1)
  assert.equal(own.destroyed, true)
  await until(() => response.closed, 'the close of the answer')
  assert.equal(connections.size, 0)
})

test('data that the client sends in that minute do not count as reading', async () => {
  const { socket, own } = await stalled()
  socket.write('GET / HTTP/1.1\r\n')
  for (let time = 0; time < 13; time++) {
    const { bytesRead } = own
    socket.write('x-more: and more\r\n')
    await until(() => own.bytesRead > bytesRead, 'the arrival of another line')
    look(1)
  }
  assert.equal(own.destroyed, true)
})

test('a client that reads a part of a large answer between two checks keeps its connection', async () => {
  const { socket, response, own } = await stalled()
  const left = leftOf(own)
  for (let time = 0; time < 3; time++) {
    const leftBefore = left()
    await until(async () => {
      if (socket.read() === null) await once(socket, 'readable')
      return left() < leftBefore
    }, 'some progress')
    look(11)
    assert.equal(own.destroyed, false)
  }
  assert.ok(left() > 0)
  socket.destroy()
  await until(() => response.closed, 'the close of the answer')
})

test('an answer that takes long to produce does not close its connection', async () => {
  const begun = Promise.withResolvers<ServerResponse>()
  serve = (_request, response) => begun.resolve(response)
  const socket = await client('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  const response = await begun.promise
  look(1_000)
  assert.equal(response.destroyed, false)
  response.end('x')
  await once(socket, 'data')
  socket.destroy()
  await until(() => connections.size === 0, 'the end of the connection')
})

test('a client that does not close after the last answer is disconnected after ten seconds', async () => {
  const begun = Promise.withResolvers<Socket>()
  serve = (request, response) => begun.resolve(request.socket.end(response.shouldKeepAlive ? '' : 'x'))
  await client('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  const socket = await begun.promise
  await until(() => socket.writableFinished, 'our end')
  look(2)
  assert.equal(socket.destroyed, false)
  look(1)
  assert.equal(socket.destroyed, true)
})

test('blank lines between two requests do not keep a connection open', async () => {
  serve = (_request, response) => response.end('x')
  const socket = await client('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  await once(socket, 'data')
  await until(() => connections.size === 1, 'one connection')
  for (let time = 0; time < 19; time++) {
    socket.write('\r\n')
    look(1)
  }
  await until(() => connections.size === 0, 'the end of the connection')
})

test('a connection that is used now and then stays open', async () => {
  serve = (_request, response) => response.end('x')
  const socket = await client('')
  for (let time = 0; time < 5; time++) {
    socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
    await once(socket, 'data')
    look(17)
  }
  assert.equal(connections.size, 1)
  socket.destroy()
  await until(() => connections.size === 0, 'the end of the connection')
})
