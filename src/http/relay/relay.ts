/** A relay: sends the caller's bytes to an upstream that speaks the same protocol, and the
 *  upstream's answer back to the caller (docs/measured.md#relay-of-a-small-post, #hot-path). */
import type { ServerResponse } from 'node:http'
import { GatewayError, toGatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { capabilities } from '@generation-gateway/kit/requests/capabilities.ts'
import { MissingOperationError, type RelayControl, type RelaySink } from '@generation-gateway/kit/requests/relay.ts'
import { TargetTries } from '../../core/routing/try-targets.ts'
import { awaitSilence, endSilence, noteOpened, silenceTick, usualSilenceSeconds } from '../events/silence.ts'
import { joinHeartbeat, keepAlive, leaveHeartbeat } from '../events/sse.ts'
import { StreamWriter } from '../events/stream-writer.ts'
import { ArrayAnswer } from './array-answer.ts'
import { ModelInAnswers } from './model-in-answers.ts'
import { arrayHeaders, fault, faultOfHead, feedsAtEnd, jsonHeaders, streamError, streamHeaders, withWarnings } from './relay-answer.ts'
import { EventAnswer, JsonAnswer, type Part, type RelayedAnswer } from './relay-parts.ts'
import type { RelayCall, RelayEnd, RelayOutcome, RelayTry } from './relay-types.ts'

const keepAliveBytes = Buffer.from(keepAlive)

/** Resolves to `answered` when an answer is being sent or was sent. Resolves to `failed` when
 *  the relay ended before a part of an answer was written, with the error of the last target
 *  tried, or the reason why the caller or the gateway stopped the relay. In that case the
 *  response may still have a head and comments already (`isOpened`); the caller then gets the
 *  error as an event. */
export function relay(call: RelayCall, tries: readonly RelayTry[]): Promise<RelayOutcome> {
  return new Promise(resolve => new Relay(call, tries, resolve).start())
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** Relays one request. All state is in one object with plain methods, because closures, abort
 *  controllers and promises would cost more than the rest of the work. */
class Relay implements RelaySink {
  readonly #call: RelayCall
  readonly #response: ServerResponse
  #resolve: ((outcome: RelayOutcome) => void) | undefined
  readonly #tries: TargetTries<RelayTry>
  #slot = -1
  /** Aborts the wait for a free slot at a target with a concurrency limit. */
  #leaving: AbortController | undefined
  #control: RelayControl | undefined
  #answer: RelayedAnswer | undefined
  #writer: StreamWriter | undefined
  #status = 0
  #headers: Headers = {}
  /** True once the head of the answer was sent, with or without a part of its body. */
  #hasHead = false
  /** True once part of an answer was sent or is about to be sent. From then on no other target
   *  can take over. */
  #isCommitted = false
  #since = 0
  /** True while a target is working on the call and may have produced output. */
  #isAsking = false
  /** Estimated output tokens of earlier targets that broke off; undefined when they had none. */
  #lost: number | undefined
  #saidLimit: number
  /** True while a part waits for its record to be stored; further chunks are queued in
   *  `#waiting`. */
  #isWaiting = false
  #waiting: Buffer[] = []
  #hasUpstreamEnded = false
  #isDone = false
  /** Number of line feeds at the end of the bytes sent so far. Two line feeds end an event, so a
   *  comment may be sent then. */
  #feeds = 2

  constructor(call: RelayCall, tries: readonly RelayTry[], resolve: (outcome: RelayOutcome) => void) {
    this.#call = call
    this.#response = call.response
    this.#tries = new TargetTries(tries, { access: call, failover: capabilities[call.relays.capability].failover })
    this.#resolve = resolve
    this.#saidLimit = call.saidLimit ?? Number.POSITIVE_INFINITY
  }

  readonly #resume = (): void => {
    if (!this.#isWaiting) this.#control?.resume()
  }

  start(): void {
    if (this.#response.destroyed) {
      // The caller disconnected before the relay began, so the response will emit no `close` event.
      this.#done(new GatewayError('cancelled', 'The caller left.'))
      return
    }
    this.#slot = this.#call.underway.add(this)
    this.#since = silenceTick()
    this.#response.on('close', () => this.#left())
    this.#tries.next()
    this.#send()
  }

  get #try(): RelayTry {
    return this.#tries.current
  }

  /** Waits until the current target has a free slot, and sends the request. */
  #send(): void {
    const { target } = this.#try.route
    // A JSON array cannot contain comments, so no keep-alive comment can be sent in it.
    if (this.#call.isStreamed && !this.#call.relays.isArray && !this.#hasHead)
      awaitSilence(this, target.silenceSeconds ?? usualSilenceSeconds, this.#since)
    if (target.maxConcurrent === undefined) {
      this.#ask()
      return
    }
    this.#leaving ??= new AbortController()
    const request = { account: this.#call.account, signal: this.#leaving.signal }
    Promise.resolve(this.#tries.use.enter(request)).then(
      () => {
        if (!this.#isDone) this.#ask()
      },
      () => {},
    )
  }

  #ask(): void {
    const { method, suffix, query, headers, firstByteMs, idleMs, isStreamed } = this.#call
    const { route, offer, body } = this.#try
    const { settings, model } = route.target
    const request = { method, suffix, query, headers, firstByteMs, idleMs, settings, model, isStreamed }
    this.#isAsking = true
    offer.send(body ? { ...request, body: body.open() } : request, this)
  }

  onStart(control: RelayControl): void {
    this.#control = control
    if (this.#isDone) control.abort()
  }

  onHead(status: number, headers: Headers): void {
    const isStream = /^text\/event-stream\b/i.test(String(headers['content-type'] ?? ''))
    const { relays, modelName, isCreate, isStreamed } = this.#call
    const isMismatch = isCreate && isStream !== isStreamed
    const wrong = faultOfHead(status) ?? (isMismatch && isStream ? fault('sent a stream where one JSON object was asked for') : undefined)
    if (wrong) {
      this.#fault(wrong)
      return
    }
    this.#status = status
    this.#headers = headers
    const { scan, splice } = relays
    const { offer, route, body } = this.#try
    const { settings } = route.target
    const judge = isCreate ? (value: JsonObject) => offer.judge(value, settings) : undefined
    const model = modelName === undefined ? undefined : new ModelInAnswers(scan, modelName)
    const normalizer = offer.normalizes?.(settings) ? relays.normalizer?.(route.target.model) : undefined
    // The replacement of the model name, or the normalization, may change the length of the answer,
    // possibly after the head was sent. So no length is announced.
    if (model || normalizer) this.#headers = { ...headers, 'content-length': undefined }
    if (isStream) {
      const events = new EventAnswer(scan, { isAdded: body?.isSpliced ? splice?.isAdded : undefined, model, judge, normalizer })
      this.#answer = relays.isArray ? new ArrayAnswer(events) : events
    } else {
      this.#answer = new JsonAnswer(scan, { model, judge, isUnwanted: isMismatch || this.#hasHead, normalizer })
      // A JSON answer gets a head of its own, so no stream may be opened while it arrives.
      if (!isMismatch) endSilence(this)
    }
    this.#tries.use.answers()
  }

  onData(chunk: Buffer): void {
    if (this.#isDone) return
    if (this.#isWaiting) this.#waiting.push(chunk)
    else this.#take(chunk)
  }

  onEnd(): void {
    if (this.#isDone) return
    this.#hasUpstreamEnded = true
    if (!this.#isWaiting) this.#end()
  }

  onError(error: GatewayError): void {
    if (this.#isDone) return
    this.#tries.use.failed(error)
    if (this.#isCommitted) {
      this.#breakOff(error)
      return
    }
    this.#reset()
    // When only the operation is missing at the upstream, no later target is tried: the family's
    // handler can do the work at this target in another way.
    const isMissing = error instanceof MissingOperationError
    if (!isMissing && this.#tries.nextAfter(error)) this.#send()
    else this.#done(error)
  }

  /** Opens the stream after a long time without output. It is not known yet which target will
   *  answer. */
  breakSilence(): void {
    if (this.#isDone || this.#hasHead) return
    noteOpened(this.#response)
    this.#openStream(200, {}).write(keepAliveBytes)
  }

  beat(): void {
    if (this.#writer?.isBehind === false && this.#feeds >= 2) this.#writer.write(keepAliveBytes)
  }

  /** Ends the relay because the gateway is stopping, or because a record could not be stored. */
  cut(error: GatewayError): void {
    if (this.#isDone) return
    this.#letGo()
    if (this.#isCommitted) this.#breakOff(error)
    else this.#done(error)
  }

  /** Ends an answer that was partly sent: a stream with an error event, any other by cutting the
   *  connection. */
  #breakOff(error: GatewayError): void {
    const { route } = this.#try
    const { relays, requestId } = this.#call
    this.#done(error)
    if (this.#answer?.isStream) this.#response.end((relays.streamError ?? streamError)(error, requestId))
    else this.#response.destroy()
    this.#call.onEnd({ status: this.#status, route, ...this.#counts(false), error })
  }

  /** Aborts the request and treats the error as a failure of the target. */
  #fault(error: GatewayError): void {
    this.#control?.abort()
    this.onError(error)
  }

  /** Ends the exchange with a target that is not at fault, without counting a failure. */
  #letGo(): void {
    const isSent = this.#control?.isSent === true
    this.#control?.abort()
    this.#tries.use.end()
    this.#isAsking &&= isSent
  }

  #reset(): void {
    // A target that failed before it produced output is not charged (docs/decisions/0015).
    if (this.#answer?.said) this.#lost = (this.#lost ?? 0) + this.#answer.said
    this.#isAsking = false
    this.#answer = undefined
    this.#status = 0
    this.#isWaiting = false
    this.#waiting = []
    this.#hasUpstreamEnded = false
  }

  #take(chunk: Buffer): void {
    const part = this.#answer?.take(chunk)
    if (this.#answer?.problem) this.#fault(this.#answer.problem)
    else if (part) this.#pass(part)
  }

  #end(): void {
    const part = this.#answer?.end()
    if (this.#answer?.problem) this.#fault(this.#answer.problem)
    else if (part) this.#pass(part)
    else this.#finish()
  }

  /** Sends a part. When something has to be recorded before the part is sent, waits for that
   *  record first. */
  #pass(part: Part): void {
    const said = (this.#lost ?? 0) + (this.#answer?.said ?? 0)
    if (said >= this.#saidLimit) this.#saidLimit = this.#call.onSaid?.(said) ?? Number.POSITIVE_INFINITY
    const stored = this.#call.beforePart?.(part, this.#try.route)
    if (stored) this.#await(stored, part)
    else this.#forward(part)
  }

  #await(stored: Promise<void>, part: Part): void {
    this.#isWaiting = true
    this.#control?.pause()
    const answer = this.#answer
    // The target may have broken off while the record was stored. The next target is then being
    // tried, or the relay waits for a slot there.
    const isOver = () => this.#isDone || this.#answer !== answer
    const goOn = (): void => {
      if (isOver()) return
      this.#isWaiting = false
      this.#forward(part)
      while (!this.#isWaiting && !this.#isDone && this.#waiting.length > 0) this.#take(this.#waiting.shift()!)
      if (this.#isWaiting || isOver()) return
      if (this.#hasUpstreamEnded) this.#end()
      else this.#resume()
    }
    const giveUp = (error: unknown): void => {
      if (isOver()) return
      const failure = recordFailure(error)
      if (failure.code === 'upstream_error') this.#fault(failure)
      else this.cut(failure)
    }
    stored.then(goOn, giveUp).catch((error: unknown) => this.cut(toGatewayError(error)))
  }

  #forward(part: Part): void {
    if (part.whole !== undefined) {
      this.#sendWhole(part.whole)
      return
    }
    if (!this.#isCommitted) this.#commit()
    const { bytes } = part
    if (bytes.length > 0) {
      this.#feeds = feedsAtEnd(bytes, this.#feeds)
      const isRoomy = this.#writer ? this.#writer.write(bytes) : this.#response.write(bytes)
      if (!isRoomy) this.#control?.pause()
    }
    if (part.isLast) this.#finish()
  }

  /** Starts sending the answer of this target. */
  #commit(): void {
    this.#isCommitted = true
    if (this.#answer?.isStream) {
      if (!this.#hasHead) this.#openStream(this.#status, this.#headers)
    } else {
      this.#takeOver()
      this.#response.writeHead(this.#status, withWarnings(this.#call.answerHeaders, jsonHeaders(this.#headers)))
      this.#response.on('drain', this.#resume)
    }
    if (!this.#call.isSpooled) {
      this.#resolve?.({ state: 'answered' })
      this.#resolve = undefined
    }
    // From here on no other target can be tried, so the other tries and the body are freed.
    this.#tries.keepOnly({ ...this.#try, body: undefined })
  }

  #openStream(status: number, headers: Headers): StreamWriter {
    this.#takeOver()
    const { relays, answerHeaders } = this.#call
    this.#response.writeHead(status, withWarnings(answerHeaders, (relays.isArray ? arrayHeaders : streamHeaders)(headers)))
    this.#response.flushHeaders()
    this.#writer = new StreamWriter(this.#response, this.#resume)
    if (!relays.isArray) joinHeartbeat(this)
    return this.#writer
  }

  #takeOver(): void {
    endSilence(this)
    this.#hasHead = true
    this.#call.onTakeOver(this.#call.isStreamed || this.#answer?.isStream === true)
  }

  #sendWhole(answer: string): void {
    this.#isCommitted = true
    this.#takeOver()
    this.#response.writeHead(this.#status, withWarnings(this.#call.answerHeaders, jsonHeaders(this.#headers, answer.length)))
    // Sends head and body in one write.
    this.#finish(answer)
  }

  #finish(rest?: string): void {
    const { route } = this.#try
    this.#tries.use.succeeded()
    this.#done()
    this.#response.end(rest, 'latin1')
    this.#call.onEnd({ status: this.#status, route, ...this.#counts(true) })
  }

  /** Handles a disconnect of the caller before the answer was complete. */
  #left(): void {
    if (this.#isDone) return
    const { route } = this.#try
    this.#letGo()
    const isCommitted = this.#isCommitted
    const counts = this.#counts(false)
    this.#done(isCommitted ? undefined : new GatewayError('cancelled', 'The caller left.'))
    if (isCommitted) this.#call.onEnd({ status: 499, route, ...counts })
  }

  #counts(hasEnded: boolean): Pick<RelayEnd, 'usage' | 'said' | 'searches' | 'lost'> {
    const answer = this.#answer
    const counts = { usage: answer?.usage(hasEnded), said: answer?.said ?? 0, searches: answer?.searches ?? 0 }
    return this.#lost === undefined ? counts : { ...counts, lost: this.#lost }
  }

  #done(error?: GatewayError): void {
    this.#isDone = true
    this.#tries[Symbol.dispose]()
    this.#leaving?.abort()
    if (this.#slot >= 0) this.#call.underway.delete(this.#slot)
    this.#slot = -1
    this.#writer?.release()
    endSilence(this)
    leaveHeartbeat(this)
    this.#resolve?.(error && !this.#isCommitted ? this.#failure(error) : { state: 'answered' })
    this.#resolve = undefined
  }

  /** Returns the outcome of a failure. It contains the output so far when a target was still
   *  working: if the caller disconnected or the gateway stopped, that target may have produced
   *  the whole answer. */
  #failure(error: GatewayError): RelayOutcome {
    const failed = { state: 'failed', error, number: this.#tries.number } as const
    if (this.#lost === undefined && !this.#isAsking) return failed
    const usage = this.#answer?.usage(false)
    return { ...failed, said: (this.#lost ?? 0) + (this.#answer?.said ?? 0), ...(usage ? { usage } : {}) }
  }
}

function recordFailure(cause: unknown): GatewayError {
  return cause instanceof GatewayError ? cause : new GatewayError('internal_error', 'The answer could not be recorded.', { cause })
}
