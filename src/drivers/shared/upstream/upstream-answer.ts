/** Reads answers of upstreams, for drivers that evaluate them. (Relays forward answers without
 *  reading them.) */
import { GatewayError, NotSentError } from '@generation-gateway/kit/errors.ts'
import type { Json } from '@generation-gateway/kit/json.ts'
import type { RelayControl, RelaySink } from '@generation-gateway/kit/requests/relay.ts'
import { chunksUpTo, upstreamJson } from './read-json.ts'
import { readSse, type SseEvent } from './sse-reader.ts'
import type { AnswerHeaders } from './upstream-failures.ts'

export interface UpstreamAnswer {
  status: number
  headers: AnswerHeaders
  /** Media type in lower case, without parameters; '' when the upstream does not state it. */
  mediaType: string
  /** Returns the bytes as they arrive; can be read once. Leaving the loop cuts the connection.
   *  Throws `upstream_timeout`, `upstream_error`, `cancelled`. */
  chunks(): AsyncIterable<Buffer>
  /** Returns the events of a stream, each of at most 8 MB. Throws the errors of `chunks`. */
  events(): AsyncIterable<SseEvent>
  /** Returns the whole answer as JSON. Throws the errors of `chunks`, and `upstream_error` when the
   *  answer is not JSON or has more than `maxBytes`. */
  json(maxBytes: number): Promise<Json>
  /** Cuts the connection unless the answer has ended. */
  cancel(): void
  /** Waits up to one second for the rest of the answer, which is discarded, so that the connection
   *  can be reused. After that second, cuts the connection. */
  finish(): void
}

/** Number of unread bytes above which the connection is paused until the reader catches up. */
const highWaterBytes = 1024 * 1024
const lastWaitMs = 1_000

/** Receives an answer and buffers it until it is read. */
export class AnswerSink implements RelaySink {
  readonly answer: Promise<UpstreamAnswer>
  readonly #signal: AbortSignal | undefined
  #control: RelayControl | undefined
  #queue: Buffer[] = []
  #bytes = 0
  #isPaused = false
  #isOver = false
  #error: GatewayError | undefined
  #wake: (() => void) | undefined
  #lastWait: NodeJS.Timeout | undefined
  readonly #begin: PromiseWithResolvers<UpstreamAnswer>

  /** An abort of `signal` cuts the connection; readers then get `cancelled`. */
  constructor(signal: AbortSignal | undefined) {
    this.#begin = Promise.withResolvers()
    this.answer = this.#begin.promise
    this.#signal = signal
  }

  onStart(control: RelayControl): void {
    this.#control = control
    if (this.#signal?.aborted) this.#leave()
    else this.#signal?.addEventListener('abort', this.#leave)
  }

  onHead(status: number, headers: AnswerHeaders): void {
    this.#begin.resolve({
      status,
      headers,
      mediaType: mediaTypeOf(headers),
      chunks: () => this.#chunks(),
      events: () => readSse(this.#chunks()),
      json: maxBytes => this.#json(maxBytes),
      cancel: () => this.#cancel(),
      finish: () => this.#drain(),
    })
  }

  onData(chunk: Buffer): void {
    if (this.#lastWait !== undefined) return
    this.#queue.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes > highWaterBytes && !this.#isPaused) {
      this.#isPaused = true
      this.#control?.pause()
    }
    this.#wake?.()
  }

  onEnd(): void {
    this.#finish(undefined)
  }

  onError(error: GatewayError): void {
    this.#finish(error)
  }

  readonly #leave = (): void => {
    const Stopped = this.#control?.isSent === true ? GatewayError : NotSentError
    this.fail(new Stopped('cancelled', 'The request to the upstream service was stopped.'))
  }

  #cancel(): void {
    if (this.#lastWait === undefined) this.#leave()
  }

  #drain(): void {
    if (this.#isOver) return
    this.#lastWait = setTimeout(this.#leave, lastWaitMs)
    this.#queue = []
    if (this.#isPaused) this.#control?.resume()
  }

  /** Cuts the connection; readers see the error. */
  fail(error: GatewayError): void {
    if (this.#isOver) return
    this.#control?.abort()
    this.#queue = []
    this.#finish(error)
  }

  #finish(error: GatewayError | undefined): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#error = error
    clearTimeout(this.#lastWait)
    this.#signal?.removeEventListener('abort', this.#leave)
    if (error) this.#begin.reject(error)
    this.#wake?.()
  }

  async *#chunks(): AsyncGenerator<Buffer, void, undefined> {
    try {
      for (;;) {
        const chunk = this.#queue.shift()
        if (chunk !== undefined) {
          this.#taken(chunk)
          yield chunk
        } else if (this.#error) throw this.#error
        else if (this.#isOver) return
        else await new Promise<void>(resolve => (this.#wake = resolve))
      }
    } finally {
      this.#cancel()
    }
  }

  #taken(chunk: Buffer): void {
    this.#bytes -= chunk.length
    if (!this.#isPaused || this.#bytes > highWaterBytes / 2) return
    this.#isPaused = false
    this.#control?.resume()
  }

  async #json(maxBytes: number): Promise<Json> {
    const chunks: Buffer[] = []
    for await (const chunk of chunksUpTo(maxBytes, this.#chunks())) chunks.push(chunk)
    return upstreamJson(Buffer.concat(chunks).toString())
  }
}

function mediaTypeOf(headers: AnswerHeaders): string {
  const value = headers['content-type']
  const text = Array.isArray(value) ? value[0] : value
  return text?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}
