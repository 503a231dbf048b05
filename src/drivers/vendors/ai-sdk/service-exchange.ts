/** Sends the requests of a provider package. The credential reaches only the service, the size of
 *  answers is limited, and it is recorded whether the service may charge for a request. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { RouteSettings } from '@generation-gateway/kit/outbound/outbound.ts'
import { type HttpMethod, isHttpMethod, isOwnHeader } from '../../shared/http1/request-head.ts'
import type { LinkDownload } from '../../shared/link-downloads.ts'
import { TooManyBytesError } from '../../shared/output/save-body.ts'
import { sentBody } from '../../shared/upstream/sent-body.ts'
import type { Waits } from '../../shared/upstream/service-settings.ts'
import type { Upstream } from '../../shared/upstream/upstream.ts'
import { AnswerSink, type UpstreamAnswer } from '../../shared/upstream/upstream-answer.ts'
import { type AnswerHeaders, headerOf, networkFailure } from '../../shared/upstream/upstream-failures.ts'
import type { UrlGuard } from '../../shared/upstream/url-guard.ts'
import type { ServiceRequest } from './process/messages.ts'
import type { StandIns } from './stand-ins.ts'

export interface ServiceConnections {
  /** The HTTP client whose connections are kept for further requests. */
  upstream: Upstream
  /** The HTTP client for paid requests, each of which gets a connection of its own. */
  submits: Upstream
  guard: UrlGuard
  /** Downloads a link of a caller with `guard`. */
  download: LinkDownload
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
  /** True when requests may be sent again, because it costs little when the service does the same
   *  work twice. By default only a GET may be sent again. */
  mayRepeat?: boolean
  /** True when the package gets successful answers of the service as streams; by default it gets
   *  each answer only once the answer is complete. */
  isStreamed?: boolean
  /** Signal that cuts every running request. */
  signal: AbortSignal
}

interface OutgoingRequest {
  url: URL
  method: HttpMethod
  headers: ReadonlyMap<string, string>
  body: Buffer
  signal: AbortSignal
}

export interface PackageAnswer {
  status: number
  headers: [name: string, value: string][]
  /** The bytes of a complete answer, or an iterator over the bytes as they arrive; null for an
   *  answer without a body. */
  body: Uint8Array<ArrayBuffer> | AsyncIterator<Uint8Array> | null
}

/** An answer with status 300 or above, which counts as a refusal. */
export type ServiceRefusal = Omit<Answer, 'body'> & { body: Buffer }

interface Answer {
  status: number
  headers: AnswerHeaders
  /** The bytes of a complete answer, or an iterator over the bytes as they arrive. */
  body: Uint8Array<ArrayBuffer> | AsyncIterator<Uint8Array>
}

/** Headers that do not identify the client; a host other than the service receives only these. */
const openHeaders = ['accept', 'range']
const bodylessStatuses = new Set([204, 205, 304])
const busyStatuses = new Set([503, 529])
/** Largest number of requests of one run at the same time. A package may fetch all links in an
 *  answer at once: 6,000 of them held up the event loop for 5.8 s. */
const mostAtOnce = 256

/** Sends all requests of one run. */
export class ServiceExchange {
  readonly #settings: ExchangeSettings
  #origin: string | undefined
  #bytesLeft: number
  #requests = 0
  #running = 0
  #steps = 0
  /** Number of paid requests that the service received and did not refuse. */
  #paid = 0
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

  /** True while a request waits for its answer or for a further part of it. */
  get isBusy(): boolean {
    return this.#running > 0
  }

  /** Number of events so far. An event is the beginning or end of a request, or the arrival or
   *  reading of a part of an answer. */
  get steps(): number {
    return this.#steps
  }

  /** True when the service received a paid request and did not refuse it. */
  get mayBePaid(): boolean {
    return this.#paid > 0
  }

  /** Origin of the service; undefined before its first request. */
  get origin(): string | undefined {
    return this.#origin
  }

  /** The last answer of the service when it was a refusal; otherwise undefined. */
  get refusal(): ServiceRefusal | undefined {
    return this.#refusal
  }

  /** Sends a request of the package; redirects of the service are not followed. Throws failures as
   *  a `GatewayError`; also when 256 requests of the run are underway. */
  async send({ url, method, headers, body }: ServiceRequest, signal: AbortSignal): Promise<PackageAnswer> {
    if (this.#running >= mostAtOnce)
      throw new GatewayError('upstream_error', `The provider package sent more than ${mostAtOnce} requests at the same time.`)
    const sending: OutgoingRequest = {
      url: new URL(url),
      method: methodOf(method),
      headers: new Map(headers),
      body: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
      signal: AbortSignal.any([this.#settings.signal, signal]),
    }
    this.#origin ??= sending.url.origin
    this.#step(1)
    try {
      return packageAnswer(this.#isService(sending.url) ? await this.#callService(sending) : await this.#download(sending))
    } finally {
      this.#step(-1)
    }
  }

  #step(change: 1 | -1): void {
    this.#running += change
    this.#steps += 1
  }

  #isService({ origin, host }: URL): boolean {
    return origin === this.#origin || this.#settings.apiHosts.includes(host)
  }

  async #callService(sending: OutgoingRequest): Promise<Answer> {
    const paid = sending.method === 'GET' ? 0 : 1
    this.#requests += 1
    this.#refusal = undefined
    this.#paid += paid
    const sent = this.#send(sending)
    try {
      const { status, headers, chunks } = await sent.answer
      const isStreamed = this.#settings.isStreamed === true && status < 300
      const body = isStreamed ? this.#streamed(chunks()) : await this.#read(chunks(), headers)
      if (status >= 300 && body instanceof Uint8Array) this.#refusal = { status, headers, body: Buffer.from(body.buffer) }
      if (isRefusal(status)) this.#paid -= paid
      return { status, headers, body }
    } catch (error) {
      if (!sent.isHandedOver()) this.#paid -= paid
      throw failureOf(error, sending.signal)
    }
  }

  /** Sends a request to the service. A paid request gets a connection of its own and is sent once.
   *  The service might close a kept connection just as the request is sent, and it would then be
   *  unknown whether the request arrived. Other requests use kept connections, and are repeated
   *  when the connection turns out to be closed. */
  #send({ url, method, headers, body, signal }: OutgoingRequest): { answer: Promise<UpstreamAnswer>; isHandedOver(): boolean } {
    const { connections, waits, route, totalMs, mayRepeat } = this.#settings
    const isOnce = method !== 'GET' && mayRepeat !== true
    const once = isOnce ? sentBody({ contentType: '', tail: body }) : undefined
    // Compression is not accepted: for compressed answers, the limit of bytes received would not
    // limit the bytes after decompression.
    const extra = { ...sentHeaders(headers), 'accept-encoding': 'identity', ...(isOnce ? { connection: 'close' } : {}) }
    const kept = body.length === 0 ? undefined : body
    const request = { method, path: url.pathname + url.search, headers: [], extra, body: once ?? kept, ...waits }
    const sink = new AnswerSink(signal)
    const client = isOnce ? connections.submits : connections.upstream
    client.exchange({ origin: url.origin, route, totalMs, secrets: [] }, request, sink)
    return { answer: sink.answer, isHandedOver: () => once === undefined || once.isHandedOver() }
  }

  async *#streamed(chunks: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array, void, undefined> {
    this.#step(1)
    try {
      for await (const chunk of chunks) {
        this.#count(chunk)
        this.#step(-1)
        try {
          yield chunk
        } finally {
          this.#step(1)
        }
      }
    } finally {
      this.#step(-1)
    }
  }

  /** Downloads from a link on another host and follows its redirects; private addresses are refused
   *  unless the operator allows them. */
  async #download({ url, method, headers, signal }: OutgoingRequest): Promise<Answer> {
    if (method !== 'GET') throw new GatewayError('upstream_error', `${foreign(url)} If it belongs to the service, name it in api_hosts.`)
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
  async #read(chunks: AsyncIterable<Buffer>, headers: AnswerHeaders): Promise<Uint8Array<ArrayBuffer>> {
    const parts: Buffer[] = []
    const { standIns } = this.#settings
    for await (const chunk of standIns?.within(chunks, headerOf(headers, 'content-type')) ?? chunks) {
      this.#count(chunk)
      parts.push(chunk)
    }
    return joined(parts)
  }

  #count(chunk: Buffer): void {
    this.#bytesLeft -= chunk.length
    if (this.#bytesLeft < 0)
      throw new GatewayError('upstream_error', `The service answered with more than ${this.#settings.maxBytes} bytes.`)
  }
}

/** Returns the error for a run that was stopped from outside. */
export function stopped(): GatewayError {
  return new GatewayError('cancelled', 'The request to the service was stopped.')
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

function methodOf(method: string): HttpMethod {
  if (isHttpMethod(method)) return method
  throw new GatewayError('upstream_error', `The provider package used the HTTP method ${method}, which the gateway does not send.`)
}

/** Returns the headers of the package without those that the client derives from the request. */
function sentHeaders(headers: OutgoingRequest['headers']): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => !isOwnHeader(name)))
}

function packageAnswer({ status, headers, body }: Answer): PackageAnswer {
  if ((headerOf(headers, 'content-encoding') ?? 'identity') !== 'identity')
    throw new GatewayError('upstream_error', 'The service answered with compressed bytes.')
  const pairs = Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((each): [string, string] => [name, each]))
  return { status, headers: pairs, body: bodylessStatuses.has(status) ? null : body }
}

/** Returns the bytes in a buffer of their own. */
function joined(parts: readonly Buffer[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

function failureOf(error: unknown, signal: AbortSignal): GatewayError {
  if (error instanceof TooManyBytesError) return new GatewayError('upstream_error', 'The files in the answer of the service are too large.')
  if (signal.aborted) return stopped()
  return networkFailure(error, false)
}

/** Returns the error for a link that cannot be followed. `invalid_request` becomes
 *  `upstream_error`, because the link comes from the package and not from the caller. */
function linkFailure(error: unknown): unknown {
  if (!(error instanceof GatewayError) || error.code !== 'invalid_request') return error
  return new GatewayError('upstream_error', 'The provider package follows a link that may not be followed.', { cause: error })
}
