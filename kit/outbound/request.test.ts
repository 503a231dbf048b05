import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { GatewayError } from '../errors.ts'
import { until } from '../testing/until.ts'
import { directOutbound } from './outbound.ts'
import { requestOnce } from './request.ts'

for (const status of ['999 Odd', '600 Odd', '000 Odd', '101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c'])
  test(`an answer with status ${status.slice(0, 3)} is an error with a message, and its connection is closed`, async () => {
    const sockets: Socket[] = []
    const server = createServer(socket => {
      sockets.push(socket.on('error', () => {}))
      socket.once('data', () => socket.write(`HTTP/1.1 ${status}\r\ncontent-length: 5000000\r\n\r\nbody`))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/feed?key=secret`)
    try {
      const signal = AbortSignal.timeout(10_000)
      const error = await requestOnce(url, { route: directOutbound.routeOf(), headers: {}, signal }).catch((thrown: unknown) => thrown)
      assert.ok(error instanceof GatewayError, String(error))
      assert.equal(error.code, 'upstream_error')
      assert.match(error.message, new RegExp(`^${url.host} answered with the status ${Number(status.slice(0, 3))}; `))
      await until(() => sockets.length === 1 && sockets[0]?.destroyed, 'the end of the connection')
    } finally {
      for (const socket of sockets) socket.destroy()
      server.close()
    }
  })
