/** One request to an upstream and the way of its answer to a sink. The hot path: one object per request, plain methods (performance.md, section 7). */
import type { Dispatcher } from 'undici'
import type { RelayControl, RelaySink } from '../core/requests/relay.ts'
import { type AnswerHeaders, networkFailure, upstreamFailure } from './upstream-failures.ts'

/** Connections to one origin. */
export interface OriginConnections {
  kept: Dispatcher
  /** Makes a new connection for every request. */
  fresh(): Dispatcher
  /** The error came from a connection that had carried an answer before. */
  wasUsedBefore(error: unknown): boolean
}

export interface Exchange {
  connections: OriginConnections
  options: Dispatcher.DispatchOptions
  secrets: readonly string[]
  /** About something stored at the upstream: a 404 means that, not the model. */
  isStored: boolean
}

interface Refusal {
  status: number
  headers: AnswerHeaders
  chunks: Buffer[]
  bytes: number
}

const maxRefusalBytes = 64 * 1024
/** One for all: undici wants a reason, and making an error costs a stack trace. */
const left = new Error('the caller left')

/** Sends the request; the sink hears of everything that comes of it. */
export function startExchange(exchange: Exchange, sink: RelaySink): void {
  const running = new RunningExchange(exchange, sink)
  sink.onStart(running)
  running.send()
}

class RunningExchange implements Dispatcher.DispatchHandler, RelayControl {
  readonly #exchange: Exchange
  readonly #sink: RelaySink
  #controller: Dispatcher.DispatchController | undefined
  #refusal: Refusal | undefined
  #isOver = false
  #isPaused = false
  #hasAnswer = false
  #hasHead = false
  #isRepeated = false

  constructor(exchange: Exchange, sink: RelaySink) {
    this.#exchange = exchange
    this.#sink = sink
  }

  send(): void {
    if (!this.#isOver) this.#exchange.connections.kept.dispatch(this.#exchange.options, this)
  }

  abort(): void {
    if (this.#isOver) return
    this.#isOver = true
    // Without a controller the connection is still being made; the request is dropped when it is there.
    if (this.#controller) this.#controller.abort(left)
    this.#dropBody()
  }

  pause(): void {
    this.#isPaused = true
    this.#controller?.pause()
  }

  resume(): void {
    this.#isPaused = false
    this.#controller?.resume()
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#isOver) {
      controller.abort(left)
      return
    }
    this.#controller = controller
    if (this.#isPaused) controller.pause()
  }

  onResponseStarted(): void {
    this.#hasAnswer = true
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: AnswerHeaders): void {
    if (this.#isOver || status < 200) return
    if (status >= 300) {
      this.#refusal = { status, headers, chunks: [], bytes: 0 }
      return
    }
    this.#hasHead = true
    // Not sent again from here on: a stream may go on for minutes, and its body need not.
    if (Buffer.isBuffer(this.#exchange.options.body)) this.#exchange.options.body = null
    this.#sink.onHead(status, headers)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return
    if (this.#refusal === undefined) this.#sink.onData(chunk)
    else this.#collect(this.#refusal, chunk)
  }

  onResponseEnd(): void {
    if (this.#isOver) return
    this.#isOver = true
    if (this.#refusal === undefined) this.#sink.onEnd()
    else this.#refuse(this.#refusal)
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    if (this.#isOver) return
    if (this.#mayRepeat(error)) {
      this.#isRepeated = true
      this.#controller = undefined
      this.#exchange.connections.fresh().dispatch(this.#exchange.options, this)
      return
    }
    this.#isOver = true
    this.#dropBody()
    if (this.#refusal === undefined) this.#sink.onError(networkFailure(error, this.#hasHead))
    else this.#refuse(this.#refusal)
  }

  /** A kept connection that the upstream closed in the moment it was used again: nothing was answered, so it is sent once more. */
  #mayRepeat(error: Error): boolean {
    if (this.#hasAnswer || this.#isRepeated) return false
    const { body } = this.#exchange.options
    return (body === undefined || body === null || Buffer.isBuffer(body)) && this.#exchange.connections.wasUsedBefore(error)
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

  #dropBody(): void {
    const { body } = this.#exchange.options
    if (body !== null && typeof body === 'object' && 'destroy' in body) body.destroy()
  }
}
