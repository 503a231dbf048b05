/** Starts servers that answer by a script, and sends requests to them. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { after } from 'node:test'
import { createServer as createTlsServer } from 'node:tls'
import { directOutbound } from '@generation-gateway/kit/outbound/outbound.ts'
import { tlsIdentity } from '../../../../testing/tls-identity.ts'
import type { Connection, Http1Handler } from '../connection.ts'
import { ConnectionPool } from '../connection-pool.ts'
import type { Http1Request } from '../request-head.ts'

/** How a server reacts to each piece of text that it receives. `nth` is the number of the
 *  connection on that server, counted from 1. */
type Script = (socket: Socket, text: string, nth: number) => void

/** Starts a server, and a pool of connections to it. Both are closed at the end of the test that
 *  calls this function. */
export async function serve(script: Script, isTls = false): Promise<{ pool: ConnectionPool; sockets: Socket[]; server: Server }> {
  const sockets: Socket[] = []
  const accept = (socket: Socket) => {
    const nth = sockets.push(socket)
    socket.on('error', () => {})
    socket.on('data', data => script(socket, data.toString('latin1'), nth))
  }
  const server = isTls ? createTlsServer(tlsIdentity, accept) : createServer(accept)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // The cast is safe: the server listens on a host and port, so the address is neither null nor a
  // path.
  const { port } = server.address() as AddressInfo
  const pool = new ConnectionPool(isTls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`, directOutbound.routeOf())
  after(() => {
    pool.close()
    server.close()
  })
  return { pool, sockets, server }
}

export class Answer implements Http1Handler {
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

export const get: Http1Request = { method: 'GET', path: '/', headers: [], extra: {}, body: undefined, firstByteMs: 60_000, idleMs: 60_000 }
export const post = (body: Http1Request['body']): Http1Request => ({ ...get, method: 'POST', body })
export const reply = (body: string, headers = '') => `HTTP/1.1 200 OK\r\n${headers}content-length: ${body.length}\r\n\r\n${body}`

export function send(pool: ConnectionPool, request: Partial<Http1Request> = {}, handler = new Answer()): Answer {
  pool.send({ ...get, ...request }, handler)
  return handler
}

export async function sent(pool: ConnectionPool, request: Partial<Http1Request> = {}): Promise<Answer> {
  const answer = send(pool, request)
  await answer.settled
  return answer
}

export const outcome = ({ status, text, ends, errors }: Answer) => ({ status, text, ends, errors })
export const good = (text: string) => ({ status: 200, text, ends: 1, errors: [] })
export const failed = (code: string, isStale = false) => [{ code, isStale }]
