/** A real HTTP proxy for tests. It supports only the method CONNECT, and connects to 127.0.0.1 for
 *  every name and address. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'

interface ProxyOptions {
  /** `user:password` that the proxy requires; without it, anyone may use the proxy. */
  credentials?: string
  /** Key and certificate of a proxy that is reached by TLS. */
  identity?: { key: string; cert: string }
  /** Returns the HTTP status with which the proxy refuses a destination, or `silent` when the proxy
   *  does not answer at all. Returns undefined when the proxy should connect. */
  refuses?(authority: string): number | 'silent' | undefined
}

export interface ConnectProxy {
  /** URL of the proxy, without credentials. */
  url: string
  /** `127.0.0.1:<port>` */
  name: string
  /** The destinations that clients requested, such as `vendor.test:443`. */
  asked: string[]
  /** Number of tunnels that are open, and of connections to the proxy. */
  openTunnels(): number
  openConnections(): number
  [Symbol.asyncDispose](): Promise<void>
}

/** Body of the proxy's refusals. The gateway must never show it to a caller. */
export const refusalBody = '{"error":{"message":"words of the proxy itself","code":"proxy_words"}}'

export async function startConnectProxy({ credentials, identity, refuses }: ProxyOptions = {}): Promise<ConnectProxy> {
  const server = identity === undefined ? createServer() : createTlsServer(identity)
  const asked: string[] = []
  const sockets = new Set<Socket>()
  let open = 0
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    const authority = request.url ?? ''
    asked.push(authority)
    client.on('error', () => {})
    const isKnown = request.headers['proxy-authorization'] === `Basic ${Buffer.from(credentials ?? '').toString('base64')}`
    const refusal = credentials !== undefined && !isKnown ? 407 : refuses?.(authority)
    if (refusal === 'silent') {
      // The proxy continues to read, because it notices the end of the connection only while it
      // reads.
      client.on('end', () => client.destroy()).resume()
      return
    }
    if (refusal !== undefined) {
      client.end(`HTTP/1.1 ${refusal} No\r\ncontent-type: application/json\r\ncontent-length: ${refusalBody.length}\r\n\r\n${refusalBody}`)
      return
    }
    const far = connect(Number(authority.replace(/^.*:/, '')), '127.0.0.1', () => client.write('HTTP/1.1 200 Connected\r\n\r\n'))
    open++
    far.on('error', () => client.destroy())
    client.on('close', () => far.destroy())
    far.on('close', () => {
      open--
      client.destroy()
    })
    far.pipe(client).pipe(far)
  })
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // The cast is safe: the server listens on a host and port, so the address is neither null nor a
  // path.
  const name = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `${identity === undefined ? 'http' : 'https'}://${name}`,
    name,
    asked,
    openTunnels: () => open,
    openConnections: () => sockets.size,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
