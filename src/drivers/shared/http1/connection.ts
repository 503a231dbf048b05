/** One connection to an upstream. It carries one request and its answer at a time. On a direct
 *  connection, bytes arrive through Node's `onread` callback; behind a proxy, in the socket's
 *  `data` events. */
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { openTunnel } from '@generation-gateway/kit/outbound/connect.ts'
import type { Destination } from '@generation-gateway/kit/outbound/destination.ts'
import type { OutboundRoute } from '@generation-gateway/kit/outbound/outbound.ts'
import type { ProxyAddress } from '@generation-gateway/kit/outbound/proxy.ts'
import { Http1Error } from './http1-error.ts'
import type { Http1Request } from './request-head.ts'
import { type ResponseHeaders, ResponseParser, type ResponseSink } from './response-parser.ts'
import { type ExpiringEntry, sweep, ticksOf } from './sweep.ts'
import { Upload, type UploadEvents } from './upload.ts'

/** Receives the answer to one request. No method is called any more after `onEnd` or `onError` was
 *  called, or after the connection was aborted. */
export interface Http1Handler {
  /** Called when the request is assigned to this connection. The request is sent now, or once the
   *  connection is established. */
  onConnection(connection: Connection): void
  /** Returns true when the caller no longer needs the answer; checked before the request is
   *  sent. */
  isOver(): boolean
  onHead(status: number, headers: ResponseHeaders): void
  /** Called with each chunk of the body. The receiver owns the chunk and may keep it. */
  onData(chunk: Buffer): void
  onEnd(): void
  /** Called when the request or its answer fails. `isStale` is true when a reused connection was
   *  closed by the other side before it sent any byte of an answer; the request may then be sent
   *  again. */
  onError(error: unknown, isStale: boolean): void
}

/** The part of a connection pool that its connections use: the destination, and the methods by
 *  which a connection reports its events. */
export interface ConnectionOwner {
  readonly to: Destination
  readonly route: OutboundRoute
  /** The proxy through which connections go; undefined when they go directly. */
  readonly proxy: ProxyAddress | undefined
  /** The TLS session of an earlier connection, which the next connection resumes. */
  tlsSession: Buffer | undefined
  onIdle(connection: Connection): void
  onClosed(connection: Connection): void
}

/** Milliseconds for which an idle connection is kept when the upstream states no time in
 *  `keep-alive`. */
const keepMs = 15_000
const longestKeepMs = 600_000
/** The gateway closes an idle connection this many milliseconds before the upstream would close
 *  it by its `keep-alive` header. Otherwise a request could be on its way while the upstream
 *  closes the connection. */
const keepMarginMs = 2_000
const tcpKeepAliveMs = 60_000
/** Largest body in bytes that is sent together with the head in a single write. */
const smallBody = 16 * 1024
/** One read buffer for all direct connections, which Node fills through `onread`. It can be
 *  shared because the bytes of a read are processed before the next read begins. Sharing saves
 *  an allocation of 64 KiB per read. */
const readBuffer = Buffer.allocUnsafeSlow(64 * 1024)

export class Connection implements ResponseSink, UploadEvents, ExpiringEntry {
  expiresAt: number
  readonly #owner: ConnectionOwner
  /** Undefined while the connection through a proxy is being established. */
  #socket: Socket | undefined
  /** Ends the attempt to connect through a proxy. */
  #cancelTunnel: (() => void) | undefined
  readonly #parser = new ResponseParser(this)
  #phase: 'connecting' | 'idle' | 'waiting' | 'answering' | 'closed' = 'connecting'
  #handler: Http1Handler | undefined
  #request: Http1Request | undefined
  #head = ''
  #upload: Upload | undefined
  #waitTicks = 0
  #idleTicks = 0
  #mayKeep = true
  #isPaused = false
  #wasUsed = false
  #hasBytes = false

  constructor(owner: ConnectionOwner) {
    this.#owner = owner
    this.expiresAt = sweep.tick + ticksOf(owner.route.connectMs)
    if (owner.proxy === undefined) {
      const socket = open(owner, length => this.#onRead(readBuffer, length))
      socket.on(owner.to.isTls ? 'secureConnect' : 'connect', () => this.#onConnect())
      this.#use(socket)
    } else this.#openTunnel(owner, owner.proxy)
    sweep.watch(this)
  }

  /** Sends a request over this connection, which must be new or idle. `head` is the text of the
   *  request's head. `mayKeep` is true when the connection may be used for other requests
   *  afterwards. */
  start(request: Http1Request, { head, mayKeep, handler }: { head: string; mayKeep: boolean; handler: Http1Handler }): void {
    this.#request = request
    this.#head = head
    this.#mayKeep = mayKeep
    this.#handler = handler
    this.#waitTicks = ticksOf(request.firstByteMs)
    this.#idleTicks = ticksOf(request.idleMs)
    handler.onConnection(this)
    if (this.#phase !== 'idle') return
    this.#socket?.ref()
    this.#send(request)
  }

  /** True from the moment a request is sent until its answer has ended. */
  get isSending(): boolean {
    return this.#phase === 'waiting' || this.#phase === 'answering'
  }

  /** Cuts the connection. */
  abort(): void {
    this.#cut()
  }

  pause(): void {
    this.#isPaused = true
    this.#socket?.pause()
    this.#touch()
  }

  resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#socket?.resume()
    this.#touch()
  }

  /** Cuts the connection. A request in progress fails with `error`. */
  destroy(error: Http1Error): void {
    this.#fail(error)
  }

  expire(): void {
    if (this.#phase === 'connecting') this.#fail(new Http1Error('UND_ERR_CONNECT_TIMEOUT', 'No connection in time.'))
    else if (this.#phase === 'waiting') this.#fail(new Http1Error('UND_ERR_HEADERS_TIMEOUT', 'No answer in time.'))
    else this.#fail(new Http1Error('UND_ERR_BODY_TIMEOUT', 'The answer stopped.'))
  }

  onHead(status: number, headers: ResponseHeaders): void {
    this.#phase = 'answering'
    this.#touch()
    this.#handler?.onHead(status, headers)
  }

  onBody(piece: Buffer): void {
    this.#handler?.onData(piece)
  }

  onEnd(hasRest: boolean): void {
    const handler = this.#handler
    const kept = this.#keptMs()
    if (hasRest || kept <= 0) this.#cut()
    else this.#rest(kept)
    handler?.onEnd()
  }

  onSent(): void {
    this.#touch()
  }

  onUploadError(error: Error): void {
    this.#fail(error)
  }

  #use(socket: Socket): void {
    this.#socket = socket
    socket.on('error', error => this.#lose(this.#errorOf(error)))
    socket.on('end', () => this.#onSocketEnd())
    socket.on('close', () => this.#lose(new Http1Error('UND_ERR_SOCKET', 'The connection was closed.')))
  }

  /** Connects through a proxy; `openTunnel` applies the time limit. Data of such a connection
   *  arrives in `data` events, because Node offers `onread` only for sockets that it connects
   *  itself. */
  #openTunnel(owner: ConnectionOwner, proxy: ProxyAddress): void {
    const { to, route, tlsSession: session } = owner
    const onSession = (next: Buffer): void => {
      owner.tlsSession = next
    }
    this.expiresAt = Number.POSITIVE_INFINITY
    this.#cancelTunnel = openTunnel(proxy, { route, to, session, onSession }, (error, socket) => {
      this.#cancelTunnel = undefined
      if (error !== null) {
        this.#lose(error)
        return
      }
      this.#use(socket)
      socket.on('data', (chunk: Buffer) => this.#onRead(chunk, chunk.length))
      if (this.#isPaused) socket.pause()
      this.#onConnect()
    })
  }

  #onConnect(): void {
    if (this.#request) this.#send(this.#request)
  }

  #send(request: Http1Request): void {
    const socket = this.#socket
    if (socket === undefined) return
    const { body } = request
    const head = this.#head
    this.#head = ''
    this.#phase = 'waiting'
    this.#hasBytes = false
    this.#touch()
    if (body === undefined) socket.write(head, 'latin1')
    else if (!Buffer.isBuffer(body)) {
      socket.write(head, 'latin1')
      this.#upload = new Upload(socket, body, this)
      this.#upload.start()
    } else if (body.length <= smallBody) socket.write(head + body.toString('latin1'), 'latin1')
    else {
      socket.cork()
      socket.write(head, 'latin1')
      socket.write(body)
      socket.uncork()
    }
  }

  /** Parses the bytes of one read. Always returns true: on false Node would stop reading the
   *  socket. */
  #onRead(bytes: Buffer, length: number): boolean {
    const handler = this.#handler
    if (handler === undefined || this.#phase === 'connecting') {
      this.#fail(new Http1Error('HPE_STRICT', 'Bytes came that nobody had asked for.'))
      return true
    }
    this.#hasBytes = true
    if (this.#phase === 'answering') this.#touch()
    try {
      this.#parser.read(bytes, length)
    } catch (error) {
      // The error may have been thrown by a callback of this handler. So only this handler receives
      // it.
      this.#cut()
      handler.onError(error, false)
    }
    return true
  }

  /** Handles the event that the other side has closed its sending half, so no more data will
   *  come. */
  #onSocketEnd(): void {
    if (this.#parser.finish()) return
    this.#lose(new Http1Error('UND_ERR_SOCKET', 'The other side closed the connection.'))
  }

  /** Returns the milliseconds that the connection may wait for the next request; 0 or less when
   *  it must be closed. */
  #keptMs(): number {
    if (!this.#mayKeep || this.#upload?.isDone === false) return 0
    const { keepMs: said } = this.#parser
    return said === undefined ? keepMs : Math.min(said - keepMarginMs, longestKeepMs)
  }

  #rest(ms: number): void {
    this.#handler = undefined
    this.#request = undefined
    this.#upload?.stop()
    this.#upload = undefined
    this.#parser.reset()
    this.#wasUsed = true
    this.#phase = 'idle'
    if (this.#isPaused) this.resume()
    this.expiresAt = sweep.tick + ticksOf(ms)
    // An idle connection does not keep the process alive.
    this.#socket?.unref()
    this.#owner.onIdle(this)
  }

  /** Restarts the time limit of the current phase. While the reader has paused the answer, there is
   *  no limit. */
  #touch(): void {
    if (this.#phase === 'idle' || this.#phase === 'connecting') return
    this.expiresAt = this.#isPaused
      ? Number.POSITIVE_INFINITY
      : sweep.tick + (this.#phase === 'waiting' ? this.#waitTicks : this.#idleTicks)
  }

  #errorOf(error: Error): Error {
    const hasTimedOut = this.#phase === 'connecting' && 'code' in error && error.code === 'ETIMEDOUT'
    return hasTimedOut ? new Http1Error('UND_ERR_CONNECT_TIMEOUT', 'No connection to any address.', { cause: error }) : error
  }

  /** Handles an error or a close of the socket that the other side or the network caused. */
  #lose(error: Error): void {
    this.#fail(error, this.#wasUsed && !this.#hasBytes)
  }

  #fail(error: unknown, isStale = false): void {
    const handler = this.#handler
    this.#cut()
    handler?.onError(error, isStale)
  }

  #cut(): void {
    if (this.#phase === 'closed') return
    this.#phase = 'closed'
    sweep.forget(this)
    this.#owner.onClosed(this)
    this.#handler = undefined
    this.#request = undefined
    this.#upload?.stop()
    this.#upload = undefined
    this.#parser.stop()
    this.#cancelTunnel?.()
    this.#socket?.destroy()
  }
}

function open(owner: ConnectionOwner, onRead: (length: number) => boolean): Socket {
  const { to, route } = owner
  const options = {
    host: to.host,
    port: to.port,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: tcpKeepAliveMs,
    onread: { buffer: readBuffer, callback: onRead },
  }
  if (!to.isTls) return connect(options)
  // TLS does not allow an IP address as server name, so no name is sent for one. Node then checks
  // the certificate against `host`.
  const servername = isIP(to.host) === 0 ? to.host : ''
  const session = owner.tlsSession === undefined ? {} : { session: owner.tlsSession }
  const trusted = route.secureContext === undefined ? {} : { secureContext: route.secureContext }
  const socket = connectTls({ ...options, servername, ALPNProtocols: ['http/1.1'], ...session, ...trusted })
  socket.on('session', (next: Buffer) => {
    owner.tlsSession = next
  })
  return socket
}
