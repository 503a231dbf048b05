import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { mock, test } from 'node:test'
import { discardBody } from './discard-body.ts'

/** Sends a request line and headers to a server that answers at once without reading the body. */
async function send(
  contentLength: number,
): Promise<{ socket: Socket; closed: Promise<void>; answered: Promise<string>; request: IncomingMessage }> {
  const arrived = Promise.withResolvers<[IncomingMessage, ServerResponse]>()
  const server = createServer((request, response) => {
    response.on('finish', () => discardBody(request))
    response.end('refused')
    arrived.resolve([request, response])
  })
  server.keepAliveTimeout = 0
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  // The cast is safe: a server on a TCP port has an address object, not a string.
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => {})
  const closed = new Promise<void>(resolve => {
    socket.on('close', () => {
      server.close()
      resolve()
    })
  })
  const answered = new Promise<string>(resolve => {
    socket.setEncoding('utf8').once('data', resolve)
  })
  socket.write(`POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${contentLength}\r\n\r\n`)
  const [request] = await arrived.promise
  return { socket, closed, answered, request }
}

test('a connection whose body never arrives is closed after ten seconds', async () => {
  mock.timers.enable({ apis: ['setInterval'] })
  try {
    const { closed, answered, request } = await send(100)
    assert.match(await answered, /refused/)
    mock.timers.tick(9_999)
    assert.equal(request.destroyed, false)
    mock.timers.tick(1)
    assert.equal(request.destroyed, true)
    await closed
  } finally {
    mock.timers.reset()
  }
})

test('a refused body is read and dropped, and the connection can be used again', async () => {
  const { socket, answered, closed } = await send(1_000_000)
  assert.match(await answered, /refused/)
  socket.write('x'.repeat(1_000_000))
  const again = new Promise<string>(resolve => socket.once('data', chunk => resolve(String(chunk))))
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  assert.match(await again, /refused/)
  socket.destroy()
  await closed
})

test('at most about 32 MiB of a refused body are read', async () => {
  const { socket, closed, answered } = await send(2 ** 40)
  assert.match(await answered, /refused/)
  const piece = Buffer.alloc(1024 * 1024)
  const pump = () => {
    while (!socket.destroyed && socket.write(piece));
  }
  socket.on('drain', pump)
  pump()
  await closed
  assert.ok(socket.bytesWritten >= 32 * piece.length, `${socket.bytesWritten} bytes`)
})
