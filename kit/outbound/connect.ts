/** Connects to a destination through a proxy. Uses the CONNECT method for https and also for http,
 *  so that a response written by the proxy is never mistaken for one of the destination. */
import { lookup as systemLookup } from 'node:dns/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { isPublicAddress } from '../address-rules.ts'
import { BlockedAddressError, type LookupSettings } from '../checked-lookup.ts'
import { authorityOf, type Destination } from './destination.ts'
import type { OutboundRoute } from './outbound.ts'
import { type ProxyAddress, ProxyError } from './proxy.ts'

export interface ConnectOptions {
  route: OutboundRoute
  to: Destination
  /** The destination's IP address when it is already resolved. TLS and the request still use the
   *  destination's host name. */
  address?: string
  /** The TLS session of an earlier connection to the same destination, which this connection
   *  resumes. */
  session?: Buffer | undefined
  /** Receives the TLS sessions that the destination offers for later connections. */
  onSession?(session: Buffer): void
}

/** Receives the connection, over which the HTTP request can be sent now, or the error. */
export type ConnectCallback = (...result: [error: null, socket: Socket] | [error: Error, socket: null]) => void
type Cancel = () => void

const tcpKeepAliveMs = 60_000
/** Largest number of addresses of one host name that are tried. */
const mostAddresses = 4

/** Connects through `proxy` within the route's `connectMs`. The returned function cancels the
 *  attempt; after that the callback is not called. Fails with a `ProxyError` until the proxy has
 *  connected to the destination, and when the tunnel closes during the TLS handshake. Otherwise
 *  fails with Node's own errors or `UND_ERR_CONNECT_TIMEOUT`. */
export function openTunnel(proxy: ProxyAddress, options: ConnectOptions, callback: ConnectCallback): Cancel {
  return new Attempt(options, callback).tunnel(proxy)
}

export interface CheckedOptions extends ConnectOptions {
  rule: LookupSettings
}

/** Resolves the destination's host name on this machine, checks its addresses by the rule, and
 *  connects to one of the allowed addresses. The proxy gets that address instead of the name, so it
 *  cannot resolve the name to another one. Addresses of this machine are reached without a proxy.
 *  The route's `connectMs` covers the resolver and all addresses together. Fails as `openTunnel`
 *  does, with `BlockedAddressError`, with the errors of the resolver, or with
 *  `UND_ERR_CONNECT_TIMEOUT` when the resolver takes longer. */
export function openChecked(options: CheckedOptions, callback: ConnectCallback): Cancel {
  const { connectMs } = options.route
  const endsAt = performance.now() + connectMs
  let cancel: Cancel | undefined
  let isOver = false
  const tryNext = ([address, ...others]: readonly string[]): void => {
    if (isOver || address === undefined) return
    const onResult: ConnectCallback = (...result) => {
      const [error] = result
      if (error === null || others.length === 0 || !mayTryAnother(error)) callback(...result)
      else tryNext(others)
    }
    const attempt = new Attempt({ ...options, address }, onResult, Math.max(0, endsAt - performance.now()))
    const proxy = options.route.proxyFor({ ...options.to, host: address })
    cancel = proxy === undefined ? attempt.direct() : attempt.tunnel(proxy)
  }
  const late = setTimeout(() => {
    isOver = true
    callback(lateError(connectMs), null)
  }, connectMs)
  allowedAddresses(options.to.host, options.rule)
    .finally(() => clearTimeout(late))
    .then(tryNext, error => {
      if (!isOver) callback(error, null)
    })
  return () => {
    isOver = true
    clearTimeout(late)
    cancel?.()
  }
}

/** Resolves a host name by the system's resolver. */
export function systemAddresses(hostname: string): ReturnType<LookupSettings['lookup']> {
  return systemLookup(hostname, { all: true })
}

/** Returns the allowed addresses, IPv4 first, because many proxies have no IPv6. */
async function allowedAddresses(host: string, { lookup, allowPrivate }: LookupSettings): Promise<string[]> {
  const found = isIP(host) === 0 ? (await lookup(host)).map(({ address }) => address) : [host]
  if (found.length === 0) throw Object.assign(new Error(`no address for ${host}`), { code: 'ENOTFOUND' })
  const allowed = allowPrivate ? found : found.filter(isPublicAddress)
  if (allowed.length === 0) throw new BlockedAddressError()
  return allowed.toSorted((one, other) => isIP(one) - isIP(other)).slice(0, mostAddresses)
}

/** Returns true when another address of the same host name may succeed. False when the proxy itself
 *  failed or refused with a status below 500, and when the time limit has passed. */
function mayTryAnother(error: Error): boolean {
  if (error instanceof ProxyError) return error.status !== undefined && error.status >= 500
  return !('code' in error && error.code === 'UND_ERR_CONNECT_TIMEOUT')
}

/** One attempt to connect, with its time limit. */
class Attempt {
  readonly #options: ConnectOptions
  readonly #callback: ConnectCallback
  readonly #timer: NodeJS.Timeout
  /** The request or socket to destroy when the attempt ends without a connection. */
  #current: { destroy(): void } | undefined
  /** The proxy of this attempt; undefined when the connection is made directly. */
  #proxy: ProxyAddress | undefined
  /** True once the proxy has connected to the destination. */
  #isThrough = false
  #isOver = false

  /** `limitMs` is the time limit of this attempt. It may be less than the route's `connectMs`, when
   *  earlier steps have used up a part of that time. */
  constructor(options: ConnectOptions, callback: ConnectCallback, limitMs = options.route.connectMs) {
    this.#options = options
    this.#callback = callback
    this.#timer = setTimeout(() => this.#onLate(), limitMs)
  }

  tunnel(proxy: ProxyAddress): Cancel {
    const { to, address = to.host, route } = this.#options
    const authority = authorityOf({ host: address, port: to.port })
    const { authorization, host, port, isTls } = proxy
    this.#proxy = proxy
    const request = (isTls ? httpsRequest : httpRequest)({
      ...{ host, port, method: 'CONNECT', path: authority, agent: false },
      servername: isIP(host) === 0 ? host : '',
      ...(route.secureContext === undefined ? {} : { secureContext: route.secureContext }),
      headers: { host: authority, ...(authorization === undefined ? {} : { 'proxy-authorization': authorization }) },
    })
    this.#current = request
    request.once('connect', (answer: IncomingMessage, socket: Socket, head: Buffer) => this.#onProxyAnswer(answer, socket, head))
    request.on('error', error => this.#fail(new ProxyError(`The proxy ${proxy.name} ${failureOf(error)}`, { cause: error })))
    request.end()
    return this.#cancel
  }

  direct(): Cancel {
    const { to, address = to.host } = this.#options
    if (to.isTls) this.#secure({ port: to.port, host: address })
    else {
      const socket = connect({ host: address, port: to.port, noDelay: true, keepAlive: true, keepAliveInitialDelay: tcpKeepAliveMs })
      this.#current = socket
      socket.once('error', error => this.#fail(error))
      socket.once('connect', () => this.#succeed(socket))
    }
    return this.#cancel
  }

  readonly #cancel = (): void => {
    if (this.#isOver) return
    this.#end()
    this.#current?.destroy()
  }

  #onProxyAnswer({ statusCode: status = 0 }: IncomingMessage, socket: Socket, head: Buffer): void {
    const name = this.#proxy?.name ?? ''
    this.#current = socket
    socket.on('error', error => this.#onSocketError(error))
    if (status < 200 || status > 299)
      this.#fail(new ProxyError(`The proxy ${name} refused the connection: ${reasonOf(status)}.`, { status }))
    // A server does not send anything before it has received a request or a TLS hello, so these
    // bytes come from the proxy.
    else if (head.length > 0) this.#fail(new ProxyError(`The proxy ${name} sent bytes of its own into the connection.`))
    else this.#onTunnel(socket)
  }

  #onTunnel(socket: Socket): void {
    this.#isThrough = true
    socket.setNoDelay(true).setKeepAlive(true, tcpKeepAliveMs)
    if (this.#options.to.isTls) this.#secure({ socket })
    else this.#succeed(socket)
  }

  #secure(over: { socket: Socket } | { host: string; port: number }): void {
    const { to, route, session, onSession } = this.#options
    const { secureContext } = route
    const socket = connectTls({
      ...over,
      // TLS does not allow an IP address as the server name, so none is sent. Node then checks the
      // certificate against `host`.
      servername: isIP(to.host) === 0 ? to.host : '',
      ...('socket' in over ? { host: to.host } : {}),
      ALPNProtocols: ['http/1.1'],
      ...(secureContext === undefined ? {} : { secureContext }),
      ...(session === undefined ? {} : { session }),
    })
    this.#current = socket
    if (onSession) socket.on('session', onSession)
    socket.on('error', error => this.#onSocketError(error))
    socket.once('secureConnect', () => this.#succeed(socket))
  }

  /** Handles an error of a socket before the connection is ready. A tunnel that ends in the middle
   *  of the TLS handshake counts as the proxy's failure: no part of the request was sent. */
  #onSocketError(error: NodeJS.ErrnoException): void {
    const isClosed = error.code === 'ECONNRESET' || error.code === 'EPIPE'
    if (this.#proxy === undefined || !isClosed) this.#fail(error)
    else this.#fail(new ProxyError(`The proxy ${this.#proxy.name} closed the connection.`, { cause: error }))
  }

  #onLate(): void {
    const { connectMs } = this.#options.route
    if (this.#proxy !== undefined && !this.#isThrough) {
      const { name } = this.#proxy
      this.#fail(new ProxyError(`The proxy ${name} did not open a connection within ${connectMs / 1000} s.`))
    } else this.#fail(lateError(connectMs))
  }

  #succeed(socket: Socket): void {
    if (this.#isOver) return
    this.#end()
    this.#callback(null, socket)
  }

  #fail(error: Error): void {
    if (this.#isOver) return
    this.#end()
    this.#current?.destroy()
    this.#callback(error, null)
  }

  #end(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
  }
}

function lateError(connectMs: number): Error {
  return Object.assign(new Error(`No connection within ${connectMs / 1000} s.`), { code: 'UND_ERR_CONNECT_TIMEOUT' })
}

function reasonOf(status: number): string {
  if (status === 407) return 'it wants other credentials (status 407)'
  if (status === 403) return 'it does not allow this destination (status 403)'
  if (status >= 500) return `it cannot reach the destination (status ${status})`
  return `status ${status}`
}

function failureOf(error: NodeJS.ErrnoException): string {
  const code = error.code ?? ''
  if (/^(ECONNRESET|EPIPE)$/.test(code)) return 'closed the connection without an answer.'
  if (/CERT|SELF_SIGNED|UNABLE_TO/.test(code)) return 'has no certificate that the gateway trusts.'
  if (/ERR_TLS|ERR_SSL|EPROTO/.test(code)) return 'does not speak TLS as it should.'
  if (/^HPE_/.test(code)) return 'does not answer in HTTP.'
  return `cannot be reached${code === '' ? '' : ` (${code})`}.`
}
