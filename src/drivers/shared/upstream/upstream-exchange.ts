/** Sends one request to an upstream and forwards its answer to a sink. This code runs for every
 *  relayed request and is kept fast: one object per request, plain methods
 *  (docs/measured.md#hot-path). */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { RelayControl, RelaySink } from '@generation-gateway/kit/requests/relay.ts'
import type { Connection, Http1Handler } from '../http1/connection.ts'
import type { ConnectionPool } from '../http1/connection-pool.ts'
import type { Http1Request } from '../http1/request-head.ts'
import { type AnswerHeaders, headerOf, networkFailure, upstreamFailure } from './upstream-failures.ts'

export interface Exchange {
  pool: ConnectionPool
  request: Http1Request
  secrets: readonly string[]
  /** True when the request refers to an object stored at the upstream: a 404 then means that the
   *  object is missing, not the model. */
  isStored: boolean
  /** True when the sink gets answers of every status; otherwise it gets a refusal (status 300 or
   *  above) as an error. */
  passesRefusals?: boolean
  /** Limit from the start to the last byte of the answer, milliseconds; undefined for none. */
  totalMs: number | undefined
}

interface Refusal {
  status: number
  headers: AnswerHeaders
  chunks: Buffer[]
  bytes: number
}

const maxRefusalBytes = 64 * 1024

/** Sends the request; the sink receives the answer or the error. */
export function startExchange(exchange: Exchange, sink: RelaySink): void {
  const running = new RunningExchange(exchange, sink)
  if (exchange.totalMs !== undefined) running.limit(exchange.totalMs)
  sink.onStart(running)
  running.send()
}

class RunningExchange implements Http1Handler, RelayControl {
  readonly #exchange: Exchange
  readonly #sink: RelaySink
  /** The connection of the running request. It is cleared afterwards, because the connection may
   *  then serve another request. */
  #connection: Connection | undefined
  #refusal: Refusal | undefined
  #isOver = false
  #isPaused = false
  #hasHead = false
  #isRepeated = false
  #timer: NodeJS.Timeout | undefined

  constructor(exchange: Exchange, sink: RelaySink) {
    this.#exchange = exchange
    this.#sink = sink
  }

  send(): void {
    if (!this.#isOver) this.#exchange.pool.send(this.#exchange.request, this)
  }

  /** Fails the exchange after `totalMs` unless it has ended. */
  limit(totalMs: number): void {
    this.#timer = setTimeout(() => {
      if (this.#isOver) return
      this.abort()
      const sentence = `The upstream service did not finish its answer within ${totalMs / 1000} s.`
      this.#sink.onError(new GatewayError('upstream_timeout', sentence))
    }, totalMs)
  }

  get isSent(): boolean {
    return this.#hasHead || this.#connection?.isSending === true
  }

  isOver(): boolean {
    return this.#isOver
  }

  abort(): void {
    if (this.#isOver) return
    this.#finish()
    this.#connection?.abort()
    this.#connection = undefined
    this.#dropBody()
  }

  pause(): void {
    this.#isPaused = true
    this.#connection?.pause()
  }

  resume(): void {
    this.#isPaused = false
    this.#connection?.resume()
  }

  onConnection(connection: Connection): void {
    this.#connection = connection
    if (this.#isPaused) connection.pause()
  }

  onHead(status: number, headers: AnswerHeaders): void {
    if (status >= 300 && this.#exchange.passesRefusals !== true) {
      this.#refusal = { status, headers, chunks: [], bytes: 0 }
      return
    }
    const encoding = headerOf(headers, 'content-encoding')?.trim() ?? ''
    if (!/^(identity)?$/i.test(encoding)) {
      // An answer with a content encoding is refused. The gateway did not request one, and the
      // caller, who would get the bytes unchanged, does not expect one.
      this.abort()
      this.#sink.onError(
        new GatewayError('upstream_error', `The upstream service sent its answer as ${encoding.slice(0, 20)}, which was not requested.`),
      )
      return
    }
    this.#hasHead = true
    // From here on the request cannot be sent again, so its body is no longer needed. It is freed,
    // because the answer may be streamed for minutes.
    if (Buffer.isBuffer(this.#exchange.request.body)) this.#exchange.request.body = undefined
    this.#sink.onHead(status, headers)
  }

  onData(chunk: Buffer): void {
    if (this.#refusal === undefined) this.#sink.onData(chunk)
    else this.#collect(this.#refusal, chunk)
  }

  onEnd(): void {
    this.#finish()
    this.#connection = undefined
    try {
      if (this.#refusal === undefined) this.#sink.onEnd()
      else this.#refuse(this.#refusal)
    } catch (error) {
      // The exchange is over, so the connection can no longer report the error to the sink.
      this.#sink.onError(networkFailure(error, true))
    }
  }

  onError(error: unknown, isStale: boolean): void {
    if (this.#isOver) return
    this.#connection = undefined
    if (isStale && this.#mayRepeat()) {
      this.#isRepeated = true
      this.#exchange.pool.send(this.#exchange.request, this, true)
      return
    }
    this.#finish()
    this.#dropBody()
    if (this.#refusal === undefined) this.#sink.onError(networkFailure(error, this.#hasHead))
    else this.#refuse(this.#refusal)
  }

  /** Returns true when the request may be sent once more: it was not repeated yet, and its body is
   *  not a stream, which can be read only once. Called when the upstream closed a reused connection
   *  before any byte of an answer. */
  #mayRepeat(): boolean {
    const { body } = this.#exchange.request
    return !this.#isRepeated && (body === undefined || Buffer.isBuffer(body))
  }

  #collect(refusal: Refusal, chunk: Buffer): void {
    if (refusal.bytes + chunk.length > maxRefusalBytes) {
      this.abort()
      this.#refuse(refusal)
      return
    }
    refusal.bytes += chunk.length
    refusal.chunks.push(chunk)
  }

  #refuse({ status, headers, chunks }: Refusal): void {
    const { secrets, isStored } = this.#exchange
    this.#sink.onError(upstreamFailure(status, { headers, body: Buffer.concat(chunks), secrets, isStored }))
  }

  #finish(): void {
    this.#isOver = true
    if (this.#timer !== undefined) clearTimeout(this.#timer)
  }

  #dropBody(): void {
    const { body } = this.#exchange.request
    if (body !== undefined && !Buffer.isBuffer(body)) body.stream.destroy()
  }
}
