/** A relay: the caller's bytes to an upstream that speaks the same protocol, and its answer back (performance.md, sections 1 to 3 and 7). */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { GatewayError } from '../core/errors.ts'
import type { RelayControl, RelayOffer, RelaySink } from '../core/requests/relay.ts'
import type { TextUsage } from '../core/requests/text.ts'
import { mayFailOver, type Route } from '../core/router.ts'
import type { TargetHealth } from '../core/target-health.ts'
import type { RelayBody } from './relay-body.ts'
import { joinHeartbeat, keepAlive, leaveHeartbeat } from './sse.ts'
import { StreamWriter } from './stream-writer.ts'
import { UsageScan } from './usage-scan.ts'
import { WholeEvents } from './whole-events.ts'

export interface RelayTry {
  route: Route
  offer: RelayOffer
  body: RelayBody | undefined
}

export interface RelayCall {
  response: ServerResponse
  method: 'GET' | 'POST' | 'DELETE'
  /** Behind the protocol's path at the upstream. */
  suffix: string
  query: string
  /** To the upstream beside its own credential. */
  headers: Record<string, string>
  /** Of the answer beside its content type. */
  answerHeaders: OutgoingHttpHeaders
  health: TargetHealth
  /** Called once with the first bytes of an answer, before any of it goes out; the answer waits for what it returns. Undefined lets it pass at once. */
  beforeAnswer?: (head: Buffer, route: Route) => Promise<void> | undefined | 'more'
  /** The answer goes out from here on: nobody else may write to the response. */
  onTakeOver(): void
  /** The relay has ended: `status` as the caller got it, 499 when he left. */
  onEnd(end: RelayEnd): void
  firstByteMs: number
  idleMs: number
  /** The body comes from a file that goes away once this has resolved: it resolves at the end of the answer, not at its beginning. */
  isSpooled?: boolean
}

export interface RelayEnd {
  status: number
  route: Route
  usage: TextUsage | undefined
  error?: GatewayError
}

/** Answers up to this size that are no stream go out in one write. */
const smallAnswer = 64 * 1024
const keepAliveBytes = Buffer.from(keepAlive)
const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

/** Resolves once an answer goes out or has gone out (`answered`), or when no try got one: then nothing has been written, and `error` is the last one's. */
export function relay(call: RelayCall, tries: readonly RelayTry[]): Promise<RelayOutcome> {
  return new Promise(resolve => new Relay(call, tries, resolve).start())
}

/** The same with a callback, which is called before this returns or later, and once. */
export function startRelay(call: RelayCall, tries: readonly RelayTry[], done: (outcome: RelayOutcome) => void): void {
  new Relay(call, tries, done).start()
}

export type RelayOutcome = { state: 'answered' } | { state: 'failed'; error: GatewayError }

/** One object per request and plain methods: closures, abort controllers and promises are what costs here. */
class Relay implements RelaySink {
  readonly #call: RelayCall
  readonly #response: ServerResponse
  #resolve: ((outcome: RelayOutcome) => void) | undefined
  #tries: readonly RelayTry[]
  #at = 0
  #control: RelayControl | undefined
  #scan = new UsageScan()
  #events: WholeEvents | undefined
  #writer: StreamWriter | undefined
  #status = 0
  #headers: Readonly<Record<string, string | string[] | undefined>> = {}
  #isStream = false
  #hasHead = false
  /** Pieces that have not gone out: of a small answer, or while `beforeAnswer` has the answer wait. */
  #pieces: Buffer[] = []
  #size = 0
  #isHeld = false
  #isAsking = false
  #hasUpstreamEnded = false
  #isDone = false
  #lastError: GatewayError | undefined
  /** Line feeds that what has gone out ends with; two end an event. */
  #feeds = 2

  constructor(call: RelayCall, tries: readonly RelayTry[], resolve: (outcome: RelayOutcome) => void) {
    this.#call = call
    this.#response = call.response
    this.#tries = tries
    this.#resolve = resolve
  }

  readonly #resume = (): void => this.#control?.resume()

  start(): void {
    if (this.#response.destroyed) {
      // He left before this began: no `close` will come any more.
      this.#done(new GatewayError('cancelled', 'The caller left.'))
      return
    }
    this.#response.on('close', () => this.#left())
    this.#send()
  }

  get #try(): RelayTry {
    return this.#tries[this.#at]!
  }

  #send(): void {
    const { health } = this.#call
    while (!health.mayTry(this.#try.route.target.id)) {
      if (this.#at + 1 >= this.#tries.length) {
        const sentence = 'Every target of the model is left alone for a moment.'
        this.#done(this.#lastError ?? new GatewayError('overloaded', sentence, { retryAfterSeconds: 1 }))
        return
      }
      this.#at += 1
    }
    const { method, suffix, query, headers, firstByteMs, idleMs } = this.#call
    const { route, offer, body } = this.#try
    const request = { method, suffix, query, headers, firstByteMs, idleMs, settings: route.target.settings }
    offer.send(body ? { ...request, body: body.open() } : request, this)
  }

  onStart(control: RelayControl): void {
    this.#control = control
    if (this.#isDone) control.abort()
  }

  onHead(status: number, headers: Readonly<Record<string, string | string[] | undefined>>): void {
    this.#status = status
    this.#headers = headers
    this.#isStream = String(headers['content-type'] ?? '').startsWith('text/event-stream')
    if (this.#isStream) this.#events = new WholeEvents(this.#try.body?.stripsUsage === true)
    this.#isHeld = this.#call.beforeAnswer !== undefined
    this.#call.health.answers(this.#try.route.target.id)
    if (this.#isStream && !this.#isHeld) this.#writeHead()
  }

  onData(chunk: Buffer): void {
    const isMarked = this.#scan.scan(chunk)
    if (this.#isHeld || (!this.#isStream && !this.#hasHead && this.#size + chunk.length <= smallAnswer)) {
      this.#pieces.push(chunk)
      this.#size += chunk.length
      if (this.#isHeld && (this.#isStream || this.#size > smallAnswer)) this.#askBefore()
      return
    }
    this.#forward(chunk, isMarked)
  }

  onEnd(): void {
    if (this.#isDone) return
    this.#hasUpstreamEnded = true
    if (this.#isHeld) this.#askBefore()
    else this.#finish()
  }

  onError(error: GatewayError): void {
    if (this.#isDone) return
    const { health } = this.#call
    const { route } = this.#try
    health.failed(route.target.id, error)
    if (this.#hasHead) {
      // Part of the answer is out: all that is left is to say so, or to cut the connection.
      this.#done(error)
      if (this.#isStream) this.#response.end(streamError(error))
      else this.#response.destroy()
      this.#call.onEnd({ status: this.#status, route, usage: this.#scan.usage, error })
      return
    }
    this.#reset()
    this.#lastError = error
    if (mayFailOver(error, 'text') && this.#at + 1 < this.#tries.length) {
      this.#at += 1
      this.#send()
      return
    }
    this.#done(error)
  }

  beat(): void {
    if (this.#writer?.isBehind === false && this.#feeds >= 2) this.#writer.write(keepAliveBytes)
  }

  #reset(): void {
    this.#pieces = []
    this.#size = 0
    this.#scan = new UsageScan()
    this.#events = undefined
    this.#status = 0
    this.#isHeld = false
    this.#isAsking = false
  }

  /** Has the answer wait until what has to be stored about it is stored. */
  #askBefore(): void {
    if (this.#isAsking) return
    const head = this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces)
    const answer = this.#call.beforeAnswer?.(head, this.#try.route)
    if (answer === 'more' && !this.#hasUpstreamEnded && this.#size <= smallAnswer) return
    if (answer === undefined || answer === 'more') {
      this.#release()
      return
    }
    this.#isAsking = true
    this.#control?.pause()
    const asked = this.#control
    const goOn = () => {
      // The target may have broken off meanwhile, and the next one been asked.
      if (this.#isDone || this.#control !== asked) return
      this.#control?.resume()
      this.#release()
    }
    answer.then(goOn, (error: unknown) => {
      if (this.#isDone || this.#control !== asked) return
      const cause =
        error instanceof GatewayError ? error : new GatewayError('internal_error', 'The answer could not be recorded.', { cause: error })
      this.#control?.abort()
      this.#call.health.released(this.#try.route.target.id)
      this.#done(cause)
    })
  }

  #release(): void {
    this.#isHeld = false
    if (this.#isStream) {
      const pieces = this.#pieces
      this.#pieces = []
      this.#writeHead()
      for (const piece of pieces) this.#forward(piece)
    }
    if (this.#hasUpstreamEnded) this.#finish()
  }

  #writeHead(): void {
    this.#hasHead = true
    this.#call.onTakeOver()
    if (this.#isStream) {
      this.#response.writeHead(this.#status, { ...this.#call.answerHeaders, ...streamHeaders })
      this.#response.flushHeaders()
      this.#writer = new StreamWriter(this.#response, this.#resume)
      joinHeartbeat(this)
    } else {
      this.#response.writeHead(this.#status, { ...this.#call.answerHeaders, ...contentHeaders(this.#headers) })
      this.#response.on('drain', this.#resume)
    }
    if (!this.#call.isSpooled) {
      this.#resolve?.({ state: 'answered' })
      this.#resolve = undefined
    }
    // A retry is out of the question from here on: what it would need is let go.
    this.#tries = [{ ...this.#try, body: undefined }]
    this.#at = 0
  }

  #forward(chunk: Buffer, isMarked = true): void {
    if (!this.#hasHead) {
      this.#writeHead()
      for (const piece of this.#pieces) this.#response.write(piece)
      this.#pieces = []
    }
    const bytes = this.#events ? this.#events.pass(chunk, isMarked) : chunk
    if (bytes.length === 0) return
    this.#feeds = feedsAtEnd(bytes, this.#feeds)
    const isRoomy = this.#writer ? this.#writer.write(bytes) : this.#response.write(bytes)
    if (!isRoomy) this.#control?.pause()
  }

  #finish(): void {
    const { route } = this.#try
    this.#call.health.succeeded(route.target.id)
    if (this.#hasHead) {
      const rest = this.#events?.rest()
      this.#done()
      this.#response.end(rest)
    } else {
      const answer = this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces)
      this.#hasHead = true
      this.#call.onTakeOver()
      this.#done()
      this.#response.writeHead(this.#status, {
        ...this.#call.answerHeaders,
        ...contentHeaders(this.#headers),
        'content-length': answer.length,
      })
      // As one string, head and body are one write; Latin-1 maps every byte to one character and back.
      this.#response.end(answer.toString('latin1'), 'latin1')
    }
    this.#call.onEnd({ status: this.#status, route, usage: this.#scan.usage })
  }

  /** The caller left before the end. */
  #left(): void {
    if (this.#isDone) return
    const { route } = this.#try
    this.#control?.abort()
    if (this.#status === 0) this.#call.health.released(route.target.id)
    else this.#call.health.succeeded(route.target.id)
    const hadHead = this.#hasHead
    this.#done(hadHead ? undefined : new GatewayError('cancelled', 'The caller left.'))
    if (hadHead) this.#call.onEnd({ status: 499, route, usage: this.#scan.usage })
  }

  #done(error?: GatewayError): void {
    this.#isDone = true
    this.#writer?.release()
    leaveHeartbeat(this)
    this.#resolve?.(error && !this.#hasHead ? { state: 'failed', error } : { state: 'answered' })
    this.#resolve = undefined
  }
}

/** Line feeds at the end of `bytes`, which follow `before` others; carriage returns do not count. */
function feedsAtEnd(bytes: Buffer, before: number): number {
  let feeds = 0
  for (let at = bytes.length - 1; at >= 0; at--) {
    if (bytes[at] === 0x0a) feeds += 1
    else if (bytes[at] !== 0x0d) return feeds
    if (feeds === 2) return feeds
  }
  return feeds + before
}

function contentHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): OutgoingHttpHeaders {
  const type = String(headers['content-type'] ?? 'application/json; charset=utf-8')
  const length = headers['content-length']
  return length === undefined ? { 'content-type': type } : { 'content-type': type, 'content-length': String(length) }
}

/** Both protocols read this: the nested error stops an iterator, `[DONE]` ends it (vendors-text-audio 2.6 and 3.8.6). */
function streamError(error: GatewayError): string {
  const { code, message, type } = error
  const event = { type: 'error', code, message, param: null, error: { type, code, message, param: null } }
  return `\n\nevent: error\ndata: ${JSON.stringify(event)}\n\ndata: [DONE]\n\n`
}
