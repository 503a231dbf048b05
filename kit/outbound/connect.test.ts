import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { until } from '../testing/until.ts'
import { openChecked, openTunnel } from './connect.ts'
import { Outbound, type OutboundRoute, routeSettings } from './outbound.ts'
import { proxyOf } from './proxy.ts'

const to = { host: 'vendor.test', port: 443, isTls: true }
const routeIn = (connectMs: number): OutboundRoute => new Outbound().routeOf(routeSettings({ connectMs }))

/** Starts a proxy that calls `script` for each piece of text that a client sends. */
async function startScripted(script: (socket: Socket, text: string) => void) {
  const sockets: Socket[] = []
  const server = createServer(socket => {
    sockets.push(socket)
    socket.on('error', () => {}).on('data', data => script(socket, data.toString('latin1')))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy = proxyOf(`http://u:secret@127.0.0.1:${(server.address() as AddressInfo).port}`, 'proxy')
  return {
    proxy,
    sockets,
    [Symbol.dispose]: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

type Result = { error: Error | null; socket: Socket | null }
const tunnelled = (proxy: ReturnType<typeof proxyOf>, connectMs = 10_000, destination = to) =>
  new Promise<Result>(resolve => {
    openTunnel(proxy, { route: routeIn(connectMs), to: destination }, (error, socket) => resolve({ error, socket }))
  })

test('the proxy request names the destination and carries the credentials, and nothing else', async () => {
  let seen = ''
  using scripted = await startScripted((socket, text) => {
    seen += text
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
  })
  const { socket } = await tunnelled(scripted.proxy, 10_000, { ...to, port: 80, isTls: false })
  assert.ok(socket)
  socket.destroy()
  assert.equal(
    seen,
    `CONNECT vendor.test:80 HTTP/1.1\r\nhost: vendor.test:80\r\nproxy-authorization: ${scripted.proxy.authorization}\r\nConnection: close\r\n\r\n`,
  )
})

for (const [title, answer, says] of [
  ['closes', '', /closed the connection without an answer\.$/],
  ['speaks something else', 'SSH-2.0-OpenSSH\r\n\r\n', /does not answer in HTTP\.$/],
  ['adds bytes of its own', 'HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n', /sent bytes of its own into the connection\.$/],
  ['sends an endless head', `HTTP/1.1 200 OK\r\n${'x-pad: y\r\n'.repeat(10_000)}`, /does not answer in HTTP\.$/],
  ['answers and then closes', 'close', /closed the connection\.$/],
  ['redirects', 'HTTP/1.1 302 Found\r\nlocation: http://login.test/\r\n\r\n', /refused the connection: status 302\.$/],
] as const) {
  test(`a proxy that ${title} is named as the failing part, and its connection is closed`, async () => {
    using scripted = await startScripted((socket, text) => {
      if (answer === 'close' && text.startsWith('CONNECT')) socket.write('HTTP/1.1 200 OK\r\n\r\n')
      else if (answer === '' || answer === 'close') socket.destroy()
      else socket.write(answer)
    })
    const { error } = await tunnelled(scripted.proxy)
    assert.ok(error)
    assert.ok(error.message.startsWith(`The proxy ${scripted.proxy.name} `), error.message)
    assert.match(error.message, says)
    assert.doesNotMatch(JSON.stringify(Object.entries(error)), /secret/)
    await until(() => scripted.sockets.every(socket => socket.destroyed), 'the end of the connection')
  })
}

test('a destination that is silent during TLS times out without blaming the proxy', async () => {
  using scripted = await startScripted((socket, text) => text.startsWith('CONNECT') && socket.write('HTTP/1.1 200 OK\r\n\r\n'))
  // This time limit is long enough for the proxy to answer even on a busy machine.
  const { error } = await tunnelled(scripted.proxy, 3_000)
  assert.deepEqual([error?.name, Object(error).code], ['Error', 'UND_ERR_CONNECT_TIMEOUT'])
  await until(() => scripted.sockets[0]?.destroyed, 'the end of the connection')
})

test('a cancelled attempt closes the connection to the proxy, whether it has answered or not', async () => {
  for (const answer of ['', 'HTTP/1.1 200 OK\r\n\r\n']) {
    let texts = 0
    using scripted = await startScripted(socket => {
      texts++
      if (answer !== '' && texts === 1) socket.write(answer)
    })
    const cancel = openTunnel(scripted.proxy, { route: routeIn(10_000), to }, () => assert.fail('called back'))
    await until(() => texts === (answer === '' ? 1 : 2), 'the stage')
    cancel()
    await until(() => scripted.sockets[0]?.destroyed, 'the end of the connection')
  }
})

test('a resolver that never answers ends the attempt within the time limit', async () => {
  const rule = { allowPrivate: false, lookup: () => new Promise<never>(() => {}) }
  const error = await new Promise(resolve => openChecked({ route: routeIn(100), to, rule }, (...[failed]) => resolve(failed)))
  assert.equal(Object(error).code, 'UND_ERR_CONNECT_TIMEOUT')
})

test('all addresses of a name are tried within one time limit', async () => {
  let asked = 0
  using scripted = await startScripted(socket => {
    asked++
    setTimeout(() => socket.end('HTTP/1.1 504 No\r\n\r\n'), 200)
  })
  const route: OutboundRoute = { ...routeIn(500), proxyFor: () => scripted.proxy }
  const addresses = ['1', '2', '3', '4'].map(last => ({ address: `93.184.216.${last}`, family: 4 }))
  const rule = { allowPrivate: false, lookup: async () => addresses }
  const error = await new Promise<Error | null>(resolve => openChecked({ route, to, rule }, (...[failed]) => resolve(failed)))
  assert.ok(error)
  assert.match(error.message, /did not open a connection within 0\.5 s\.$/)
  assert.ok(asked <= 3)
})
