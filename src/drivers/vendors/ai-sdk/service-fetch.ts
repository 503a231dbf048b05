/** The `fetch` that a provider package receives. It sends the credential only to the service,
 *  limits the size of answers, and records whether the service may charge for a request. */

import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { routedConnector } from '@generation-gateway/kit/outbound/connector.ts'
import type { Outbound, OutboundRoute, RouteSettings } from '@generation-gateway/kit/outbound/outbound.ts'
import { Agent, buildConnector, request } from 'undici'
import { TooManyBytesError } from '../../shared/output/save-body.ts'
import { connectorOptions } from '../../shared/upstream/guarded-agent.ts'
import type { Waits } from '../../shared/upstream/service-settings.ts'
import { type AnswerHeaders, headerOf, networkFailure } from '../../shared/upstream/upstream-failures.ts'
import type { UrlGuard } from '../../shared/upstream/url-guard.ts'
import type { StandIns } from './stand-ins.ts'

export interface ServiceConnections {
  agents: ServiceAgents
  guard: UrlGuard
}

export interface ExchangeSettings {
  connections: ServiceConnections
  /** Origin of the service; when the operator did not configure it, the origin of the first
   *  request. */
  origin: string | undefined
  /** Other hosts that belong to the service. */
  apiHosts: readonly string[]
  waits: Waits
  /** Proxy, certificates and time limit for connections to the service. */
  route: RouteSettings
  /** Longest time of one request, milliseconds; undefined: no such limit. */
  totalMs: number | undefined
  /** Largest size in bytes, inclusive, of all answers together that are held in memory. */
  maxBytes: number
  /** Moves large files in answers to disk (see stand-ins.ts); when absent, they stay in memory. */
  standIns?: StandIns
  /** True when the package gets successful answers of the service as streams; by default it gets
   *  each answer only once the answer is complete. */
  isStreamed?: boolean
  /** Signal that cuts every running request. */
  signal: AbortSignal
}

interface OutgoingRequest {
  url: URL
  method: string
  headers: Headers
  body: Buffer
  signal: AbortSignal
}

/** An answer with status 300 or above, which counts as a refusal. */
export type ServiceRefusal = Answer & { body: Buffer }

interface Answer {
  status: number
  headers: AnswerHeaders
  /** The bytes of a complete answer, or a stream of those that arrive. */
  body: Buffer | ReadableStream<Uint8Array>
}

/** HTTP methods whose requests the service never charges. */
const readingMethods = new Set(['GET', 'HEAD'])
/** Headers that do not identify the client; a host other than the service receives only these. */
const openHeaders = ['accept', 'range']
const bodylessStatuses = new Set([204, 205, 304])
const busyStatuses = new Set([503, 529])
/** Errors of connections that were never established, so that nothing was sent. */
const neverConnected = new WeakSet<Error>()

/** Keeps one agent of undici for each set of proxy and certificate settings. */
export class ServiceAgents {
  readonly #outbound: Outbound
  readonly #agents = new Map<RouteSettings, Agent>()

  constructor(outbound: Outbound) {
    this.#outbound = outbound
  }

  of(route: RouteSettings): Agent {
    const agent = this.#agents.get(route) ?? createServiceAgent(this.#outbound.routeOf(route))
    this.#agents.set(route, agent)
    return agent
  }

  async destroy(): Promise<void> {
    await Promise.all([...this.#agents.values()].map(agent => agent.destroy()))
  }
}

/** Creates an agent that opens a new connection for each request. With a reused connection, the
 *  service might close it just as a paid request is sent, and it would be unknown whether the
 *  request arrived. */
function createServiceAgent(route: OutboundRoute): Agent {
  const connect = routedConnector(route, buildConnector(connectorOptions(route)))
  return new Agent({
    allowH2: false,
    pipelining: 0,
    connect: (options, callback) =>
      connect(options, (...[error, socket]) => {
        if (error !== null || socket === null) {
          const failure = error ?? new Error('no connection')
          neverConnected.add(failure)
          callback(failure, null)
        } else callback(null, socket)
      }),
  })
}

/** Sends all requests of one run. */
export class ServiceExchange {
  readonly #settings: ExchangeSettings
  #origin: string | undefined
  #bytesLeft: number
  #requests = 0
  #mayBePaid = false
  #refusal: ServiceRefusal | undefined

  constructor(settings: ExchangeSettings) {
    this.#settings = settings
    this.#origin = settings.origin
    this.#bytesLeft = settings.maxBytes
  }

  /** True when a request to the service was sent. */
  get hasSent(): boolean {
    return this.#requests > 0
  }

  /** True when the service received a paid request and did not refuse it. */
  get mayBePaid(): boolean {
    return this.#mayBePaid
  }

  /** Origin of the service; undefined before its first request. */
  get origin(): string | undefined {
    return this.#origin
  }

  /** The last answer of the service when it was a refusal; otherwise undefined. */
  get refusal(): ServiceRefusal | undefined {
    return this.#refusal
  }

  /** Works like the global `fetch`, but does not follow redirects of the service. Failures are
   *  thrown as a `GatewayError`. */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const requested = new Request(input, init)
    const sending: OutgoingRequest = {
      url: new URL(requested.url),
      method: requested.method,
      headers: requested.headers,
      body: Buffer.from(await requested.arrayBuffer()),
      signal: AbortSignal.any([this.#settings.signal, requested.signal]),
    }
    this.#origin ??= sending.url.origin
    const answer = this.#isService(sending.url) ? await this.#callService(sending) : await this.#download(sending)
    return responseOf(answer)
  }

  #isService({ origin, host }: URL): boolean {
    return origin === this.#origin || this.#settings.apiHosts.includes(host)
  }

  async #callService(sending: OutgoingRequest): Promise<Answer> {
    const couldBePaid = this.#mayBePaid
    const isPaid = !readingMethods.has(sending.method)
    this.#requests += 1
    this.#refusal = undefined
    if (isPaid) this.#mayBePaid = true
    const { totalMs } = this.#settings
    const late = totalMs === undefined ? undefined : AbortSignal.timeout(totalMs)
    const explained = (error: unknown, hasHead: boolean): GatewayError => {
      if (late?.aborted && !sending.signal.aborted)
        return new GatewayError('upstream_timeout', `The service did not finish its answer within ${(totalMs ?? 0) / 1000} s.`)
      return failureOf(error, sending.signal, hasHead)
    }
    try {
      const signal = late ? AbortSignal.any([sending.signal, late]) : sending.signal
      const answer = await this.#send({ ...sending, signal }, error => explained(error, true))
      const { status, headers, body } = answer
      if (status >= 300 && body instanceof Buffer) this.#refusal = { status, headers, body }
      if (isPaid && isRefusal(status)) this.#mayBePaid = couldBePaid
      return answer
    } catch (error) {
      if (error instanceof Error && neverConnected.has(error)) this.#mayBePaid = couldBePaid
      throw explained(error, false)
    }
  }

  /** Returns the answer. Failures of a streamed body are passed to `explain`, whose result the
   *  package gets. */
  async #send({ url, method, headers, body, signal }: OutgoingRequest, explain: (error: unknown) => GatewayError): Promise<Answer> {
    const { connections, waits, route } = this.#settings
    const answer = await request(url, {
      dispatcher: connections.agents.of(route),
      method,
      // Compression is not accepted: for compressed answers, the limit of bytes received would not
      // limit the bytes after decompression.
      headers: { ...Object.fromEntries(headers), 'accept-encoding': 'identity' },
      body: body.length === 0 ? null : body,
      signal,
      headersTimeout: waits.firstByteMs,
      bodyTimeout: waits.idleMs,
    })
    const { statusCode: status, headers: given } = answer
    if (this.#settings.isStreamed && status < 300)
      return { status, headers: given, body: ReadableStream.from(this.#streamed(answer.body, explain)) }
    return { status, headers: given, body: await this.#read(answer.body, given) }
  }

  async *#streamed(chunks: AsyncIterable<Buffer>, explain: (error: unknown) => GatewayError): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for await (const chunk of chunks) {
        this.#count(chunk)
        yield chunk
      }
    } catch (error) {
      throw explain(error)
    }
  }

  /** Downloads from a link on another host and follows its redirects; private addresses are refused
   *  unless the operator allows them. */
  async #download({ url, method, headers, signal }: OutgoingRequest): Promise<Answer> {
    if (!readingMethods.has(method))
      throw new GatewayError('upstream_error', `${foreign(url)} If it belongs to the service, name it in api_hosts.`)
    const { connections, waits, route } = this.#settings
    const kept = openHeaders.flatMap(name => (headers.has(name) ? [[name, headers.get(name) ?? ''] as const] : []))
    const opened = await connections.guard
      .open(url.href, { field: 'link', headers: Object.fromEntries(kept), ...waits, route, signal })
      .catch(error => {
        throw linkFailure(error)
      })
    try {
      return { status: opened.status, headers: opened.headers, body: await this.#read(opened.chunks(), opened.headers) }
    } catch (error) {
      throw failureOf(error, signal)
    } finally {
      opened.cut()
    }
  }

  /** Returns the bytes of an answer. The bytes count towards the limit for all answers together,
   *  because a package may hold all of them in memory. */
  async #read(chunks: AsyncIterable<Buffer>, headers: AnswerHeaders): Promise<Buffer> {
    const parts: Buffer[] = []
    const { standIns } = this.#settings
    for await (const chunk of standIns?.within(chunks, headerOf(headers, 'content-type')) ?? chunks) {
      this.#count(chunk)
      parts.push(chunk)
    }
    return Buffer.concat(parts)
  }

  #count(chunk: Buffer): void {
    this.#bytesLeft -= chunk.length
    if (this.#bytesLeft < 0)
      throw new GatewayError('upstream_error', `The service answered with more than ${this.#settings.maxBytes} bytes.`)
  }
}

/** Returns true when the status proves that a paid request was refused: 300 to 499, and the
 *  statuses of a busy service (503, 529). With any other status, the service may still work on the
 *  request behind a proxy. */
export function isRefusal(status: number): boolean {
  return (status >= 300 && status < 500) || busyStatuses.has(status)
}

function foreign({ host }: URL): string {
  return `The provider package wanted to send a request to ${host}, which is not the host of the service.`
}

function responseOf({ status, headers, body }: Answer): Response {
  if ((headerOf(headers, 'content-encoding') ?? 'identity') !== 'identity')
    throw new GatewayError('upstream_error', 'The service answered with compressed bytes.')
  const pairs = Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((each): [string, string] => [name, each]))
  const bytes = body instanceof Buffer ? new Uint8Array(body) : body
  return new Response(bodylessStatuses.has(status) ? null : bytes, { status, headers: pairs })
}

function failureOf(error: unknown, signal: AbortSignal, hasHead = false): GatewayError {
  if (error instanceof TooManyBytesError) return new GatewayError('upstream_error', 'The files in the answer of the service are too large.')
  if (signal.aborted) return new GatewayError('cancelled', 'The request to the service was stopped.')
  return networkFailure(error, hasHead)
}

/** Returns the error for a link that cannot be followed. `invalid_request` becomes
 *  `upstream_error`, because the link comes from the package and not from the caller. */
function linkFailure(error: unknown): unknown {
  if (!(error instanceof GatewayError) || error.code !== 'invalid_request') return error
  return new GatewayError('upstream_error', 'The provider package follows a link that may not be followed.', { cause: error })
}
