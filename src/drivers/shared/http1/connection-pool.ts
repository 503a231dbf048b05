/** Keeps connections to one origin open, so that later requests can reuse them. The number of
 *  connections is not limited: a streamed answer occupies its connection until it ends, so a limit
 *  would delay other requests. Requests are never pipelined. */
import { type Destination, destinationOf } from '@generation-gateway/kit/outbound/destination.ts'
import type { OutboundRoute } from '@generation-gateway/kit/outbound/outbound.ts'
import type { ProxyAddress } from '@generation-gateway/kit/outbound/proxy.ts'
import { Connection, type ConnectionOwner, type Http1Handler } from './connection.ts'
import { Http1Error } from './http1-error.ts'
import { closesAfter, type Http1Request, requestHead } from './request-head.ts'

interface QueuedRequest {
  request: Http1Request
  head: string
  handler: Http1Handler
}

export class ConnectionPool implements ConnectionOwner {
  readonly to: Destination
  readonly route: OutboundRoute
  readonly proxy: ProxyAddress | undefined
  tlsSession: Buffer | undefined
  readonly #host: string
  readonly #open = new Set<Connection>()
  /** Idle connections. The most recently used one is reused first, so surplus connections stay idle
   *  until they expire. */
  readonly #idle: Connection[] = []
  #due: QueuedRequest[] = []
  #isClosed = false

  /** `origin` has the form `https://host:port`. The constructor decides once whether connections
   *  to this origin use a proxy. */
  constructor(origin: string, route: OutboundRoute) {
    const url = new URL(origin)
    this.to = destinationOf(url)
    this.route = route
    this.proxy = route.proxyFor(this.to)
    this.#host = url.host
  }

  /** Sends the request over an idle connection or a new one; with `isFresh` always over a new one.
   *  The handler receives every failure. */
  send(request: Http1Request, handler: Http1Handler, isFresh = false): void {
    if (this.#isClosed) {
      handler.onError(closedError(), false)
      return
    }
    let head: string
    try {
      head = requestHead(this.#host, request)
    } catch (error) {
      handler.onError(error, false)
      return
    }
    const { body } = request
    // Without a listener, an error event of the stream would end the process. The error is not
    // lost: reading the body later finds it in the stream's `errored`.
    if (body !== undefined && !Buffer.isBuffer(body)) body.stream.on('error', () => {})
    const due = { request, head, handler }
    if (isFresh || this.#idle.length === 0 || closesAfter(request.extra)) this.#start(this.#connect(), due)
    else if (this.#due.push(due) === 1) setImmediate(this.#sendDue)
  }

  /** Cuts all connections. Requests that are running, and requests sent later, fail with
   *  `UND_ERR_DESTROYED`. */
  close(): void {
    this.#isClosed = true
    for (const connection of this.#open) connection.destroy(closedError())
    this.#sendDue()
  }

  onIdle(connection: Connection): void {
    this.#idle.push(connection)
  }

  onClosed(connection: Connection): void {
    this.#open.delete(connection)
    const at = this.#idle.lastIndexOf(connection)
    if (at >= 0) this.#idle.splice(at, 1)
  }

  /** Sends the waiting requests after the event loop has read all sockets. By then, idle
   *  connections that the upstream closed, or over which it sent bytes without a request, have been
   *  removed (GHSA-35p6-xmwp-9g52). */
  readonly #sendDue = (): void => {
    const all = this.#due
    this.#due = []
    for (const due of all) {
      if (due.handler.isOver()) continue
      if (this.#isClosed) due.handler.onError(closedError(), false)
      else this.#start(this.#idle.pop() ?? this.#connect(), due)
    }
  }

  #start(connection: Connection, { request, head, handler }: QueuedRequest): void {
    connection.start(request, { head, handler, mayKeep: !closesAfter(request.extra) })
  }

  #connect(): Connection {
    const connection = new Connection(this)
    this.#open.add(connection)
    return connection
  }
}

function closedError(): Http1Error {
  return new Http1Error('UND_ERR_DESTROYED', 'The client is closed.')
}
