import type { ErrorCode, GatewayError } from '@generation-gateway/kit/errors.ts'
import type { TargetHint } from '../ports/signals.ts'
import type { Clock } from '../ports/store.ts'

/** The health of one target as this process knows it from its own calls. `state` and `retryAt` also
 *  take hints of other nodes into account. Times are Unix milliseconds. */
export interface TargetState {
  target: string
  /** State of the circuit breaker. `open`: the target is not used until `retryAt`. `half-open`: one
   *  call at a time tests whether it works again. */
  state: 'closed' | 'open' | 'half-open'
  /** Number of failures since this process first used the target. When the target refuses a
   *  wrong request of a caller, this counts neither as a success nor as a failure. */
  failures: number
  successes: number
  lastError?: ErrorCode
  lastErrorAt?: number
  /** Time at which the target is next tried, Unix milliseconds. During a rate limit of the
   *  upstream, `state` is `open`, too, and this is the end of the rate limit. */
  retryAt?: number
}

/** Circuit breakers: a target that failed is not used for a while. The state belongs to this
 *  process; other nodes only get hints of it. Code that uses a target calls `mayTry` just before
 *  the use, and reports the end of the use by one of `succeeded`, `failed` and `released`. `failed`
 *  may also follow `succeeded`, when the target has accepted the work and fails later.
 *
 *  `call` is any object that identifies the call. A half-open breaker admits one call as its trial,
 *  and only a report with the object of that call ends the trial. Other calls may end in the
 *  meantime, for example calls that began before the breaker opened. */
export interface TargetHealth {
  /** True when the target may be used now. While the breaker is half-open, the call that gets
   *  true is the trial of the breaker: no other call gets true until the trial has ended or has
   *  begun to answer, or for 60 s. */
  mayTry(targetId: string, call?: object): boolean
  /** Returns the milliseconds until `mayTry` may return true; 0 when it would return true now. Does
   *  not start a trial, so it can be used to choose among targets. */
  waitMs(targetId: string): number
  /** Reports that the target has begun to answer this call: if it is the trial, it no longer keeps
   *  other calls away. The end of the call must still be reported. */
  answers(targetId: string, call?: object): void
  /** Reports that the answer is complete, or was correct up to the point where the caller
   *  disconnected. */
  succeeded(targetId: string, call?: object): void
  /** Reports a failed call. Only errors that the target has caused count as failures. Any other
   *  error (of the caller or the gateway, or an abort) has the same effect as `released`. */
  failed(targetId: string, error: GatewayError, call?: object): void
  /** Reports that the call ended without information about the target: the caller disconnected, or
   *  the target refused the caller's request. */
  released(targetId: string, call?: object): void
  /** Returns the number of jobs that may run at the target at a time; `slots` is this number in
   *  normal operation. Each call that the target has left unanswered since its last answer
   *  halves the number, down to one. */
  slotsOf(targetId: string, slots: number): number
  /** Handles the hint that another node does not use a target for some time. This node then does
   *  not use the target either, for at most 60 s. When the hint reports an open breaker, one call
   *  tests the target afterwards, as if the breaker of this node had been open. A hint is not
   *  counted as a failure, and never closes a breaker. An invalid hint is ignored. `target` must be
   *  in the catalogue. */
  hint(hint: TargetHint): void
  /** Returns the state of every target that this process has used. */
  states(): TargetState[]
  /** Keeps the state of these targets and forgets all others, which were removed from the
   *  catalogue or have new settings. */
  retain(targetIds: Iterable<string>): void
}

interface TargetHealthDeps {
  clock: Clock
  /** Returns random numbers in [0, 1). */
  random: () => number
  log: { info(fields: object, message: string): void; warn(fields: object, message: string): void }
  /** Sends a hint to the other nodes when this node stops using a target. By default, no hints are
   *  sent. */
  publish?: (hint: TargetHint) => void
}

const failuresInRow = 5
const windowSlots = 6
const windowSlotMs = 5_000
const windowCalls = 20
const windowShare = 0.5
const firstCoolDownMs = 5_000
const longestCoolDownMs = 60_000
/** Largest random part of a cool-down, as a share of its length. The random part keeps many
 *  nodes from trying the target again at the same moment. */
const coolDownJitter = 0.2
/** Longest duration of a trial in ms. After this time, a trial whose end was not reported no
 *  longer blocks other calls. */
const trialMs = 60_000
/** Longest time in ms for which a hint of another node counts. It is no longer than the longest
 *  cool-down, because the fault may lie with the node that sent the hint. */
const longestHintMs = 60_000
/** Time in ms after a successful trial of this node in which hints about open breakers of other
 *  nodes are ignored. The target works; those nodes may just be unable to reach it. */
const ownVerdictMs = 600_000
/** Pause in ms after a rate limit whose end the upstream does not report. */
const rateLimitMs = 1_000

/** The meaning of each error for the health of its target; codes that are not listed mean
 *  nothing. `fault` counts as a failure, `grave` opens the breaker at once, `limited` is a rate
 *  limit, and `noted` is only shown. */
const verdicts: { [Code in ErrorCode]?: 'fault' | 'grave' | 'limited' | 'noted' } = {
  upstream_unreachable: 'fault',
  upstream_timeout: 'fault',
  upstream_error: 'fault',
  overloaded: 'fault',
  // The target has received a submit and has not answered. The missing answer counts as a failure,
  // because a target that hangs must not get further paid submits.
  outcome_unknown: 'fault',
  // When the credential is refused or the quota is used up, the next call would fail as well, so
  // one such failure opens the breaker instead of five.
  upstream_auth_error: 'grave',
  upstream_quota_exhausted: 'grave',
  rate_limited: 'limited',
  // The error is shown to the operator but does not count as a failure, because some services let
  // callers name further models in the body.
  model_not_found: 'noted',
}

/** Errors of a target that has received a request and not answered it. */
const unansweredCodes: ReadonlySet<ErrorCode> = new Set(['upstream_timeout', 'upstream_unreachable', 'outcome_unknown'])

/** Returns circuit breakers for targets. A breaker opens after 5 failures in a row, or when half
 *  of at least 20 calls within 30 s failed, or at once when the credential or the quota is the
 *  cause. It stays open for 5 s, then twice as long after every failed trial, up to 60 s; or for
 *  the time that the upstream requested, if that is longer. After a 429 the target is not used
 *  until the rate limit ends; a 429 does not count as a failure. */
export function createTargetHealth(deps: TargetHealthDeps): TargetHealth {
  const { clock } = deps
  const breakers = new Map<string, Breaker>()
  const breakerOf = (targetId: string): Breaker => {
    let breaker = breakers.get(targetId)
    if (!breaker) {
      breaker = new Breaker(targetId, deps)
      breakers.set(targetId, breaker)
    }
    return breaker
  }
  return {
    mayTry: (targetId, call) => {
      const breaker = breakers.get(targetId)
      return breaker === undefined || breaker.isFree || breaker.mayTry(clock.now(), call)
    },
    waitMs: targetId => {
      const breaker = breakers.get(targetId)
      return breaker === undefined || breaker.isFree ? 0 : breaker.waitMs(clock.now())
    },
    answers: (targetId, call) => breakers.get(targetId)?.endTrial(call),
    succeeded: (targetId, call) => breakerOf(targetId).succeeded(clock.now(), call),
    failed: (targetId, error, call) => breakerOf(targetId).failed(error, clock.now(), call),
    released: (targetId, call) => breakers.get(targetId)?.endTrial(call),
    hint: hint => {
      if (isSensible(hint)) breakerOf(hint.target).hinted(hint, clock.now())
    },
    slotsOf: (targetId, slots) => breakers.get(targetId)?.slotsOf(slots) ?? slots,
    states: () => Array.from(breakers.values(), breaker => breaker.state(clock.now())),
    retain: targetIds => {
      const kept = new Set(targetIds)
      for (const id of breakers.keys()) if (!kept.has(id)) breakers.delete(id)
    },
  }
}

function isSensible({ target, why, waitMs }: TargetHint): boolean {
  return typeof target === 'string' && (why === 'limited' || why === 'failing') && Number.isFinite(waitMs) && waitMs > 0
}

/** Breaker of one target. It has no timers and reads the clock only when a method is called;
 *  after the first call it allocates no memory. */
class Breaker {
  /** True while the breaker is closed and there is no rate limit. `mayTry` then returns true
   *  without further checks. */
  isFree = true
  readonly #target: string
  readonly #deps: TargetHealthDeps
  readonly #window = new CallWindow()
  #isOpen = false
  /** Before this time, the target is not used. */
  #notBefore = 0
  /** Start of the trial in progress; 0 for none. */
  #trialSince = 0
  /** The call that is the trial in progress. */
  #trial: object | undefined
  #coolDowns = 0
  #inRow = 0
  /** Number of calls that the target has left unanswered since its last answer. */
  #unanswered = 0
  #failures = 0
  #successes = 0
  #lastError: ErrorCode | undefined
  #lastErrorAt = 0
  /** True while the breaker is open because of a hint only. */
  #isHinted = false
  /** Before this time, hints of other nodes about open circuit breakers are ignored. */
  #ignoresHintsUntil = 0
  /** End of the rate limit that was last sent to the other nodes as a hint. */
  #publishedUntil = 0

  constructor(target: string, deps: TargetHealthDeps) {
    this.#target = target
    this.#deps = deps
  }

  mayTry(now: number, call: object | undefined): boolean {
    if (this.waitMs(now) > 0) return false
    if (this.#isOpen) {
      this.#trialSince = now
      this.#trial = call
    } else {
      this.isFree = true
    }
    return true
  }

  waitMs(now: number): number {
    if (now < this.#notBefore) return this.#notBefore - now
    if (!this.#isOpen || this.#trialSince === 0) return 0
    // It is not known when the trial will end. The caller should ask again in 5 s, or earlier if
    // the trial stops blocking other calls before that.
    return Math.min(firstCoolDownMs, Math.max(0, this.#trialSince + trialMs - now))
  }

  slotsOf(slots: number): number {
    return Math.max(Math.min(1, slots), Math.floor(slots / 2 ** this.#unanswered))
  }

  succeeded(now: number, call: object | undefined): void {
    this.endTrial(call)
    this.#successes += 1
    this.#unanswered = 0
    if (this.#isOpen) {
      // A success before `#notBefore` belongs to a call that began before the breaker opened, so it
      // does not prove that the target works now.
      if (now >= this.#notBefore) this.#close(now)
      return
    }
    this.#inRow = 0
    this.#window.count(now, false)
  }

  failed(error: GatewayError, now: number, call: object | undefined): void {
    this.endTrial(call)
    const verdict = verdicts[error.code]
    if (verdict === undefined) return
    this.#lastError = error.code
    this.#lastErrorAt = now
    if (verdict === 'noted') return
    this.#unanswered = unansweredCodes.has(error.code) ? Math.min(32, this.#unanswered + 1) : 0
    if (verdict === 'limited') {
      this.#limit(error, now)
      return
    }
    this.#failures += 1
    if (this.#isOpen) {
      if (now >= this.#notBefore) this.#open(error, now)
      return
    }
    this.#inRow += 1
    this.#window.count(now, true)
    if (verdict === 'grave' || this.#inRow >= failuresInRow || this.#window.isBad(now)) this.#open(error, now)
  }

  endTrial(call: object | undefined): void {
    if (this.#trial !== call) return
    this.#trialSince = 0
    this.#trial = undefined
  }

  hinted({ why, waitMs }: TargetHint, now: number): void {
    if (why === 'failing') {
      // A trial of this node, in progress or successful in the last 10 minutes, counts more than a
      // hint.
      if (now < this.#ignoresHintsUntil || this.#trialSince !== 0) return
      if (!this.#isOpen) {
        this.#isOpen = true
        this.#isHinted = true
        this.#deps.log.info({ target: this.#target }, 'another node reports that a target fails')
      }
    }
    this.#notBefore = Math.max(this.#notBefore, now + Math.min(waitMs, longestHintMs))
    this.isFree = false
  }

  state(now: number): TargetState {
    const state: TargetState = { target: this.#target, state: 'closed', failures: this.#failures, successes: this.#successes }
    if (this.#lastError !== undefined) {
      state.lastError = this.#lastError
      state.lastErrorAt = this.#lastErrorAt
    }
    if (now < this.#notBefore) return { ...state, state: 'open', retryAt: this.#notBefore }
    return this.#isOpen ? { ...state, state: 'half-open' } : state
  }

  #limit(error: GatewayError, now: number): void {
    const waitMs = error.retryAfterSeconds === undefined ? rateLimitMs : error.retryAfterSeconds * 1000
    this.#notBefore = Math.max(this.#notBefore, now + waitMs)
    this.isFree = false
    // When a rate limit is extended by only a little, no new hint is sent. Otherwise each 429 of a
    // busy target would cause one.
    if (this.#notBefore - this.#publishedUntil < waitMs / 2) return
    this.#publishedUntil = this.#notBefore
    this.#deps.publish?.({ kind: 'target', target: this.#target, why: 'limited', waitMs })
  }

  #open(error: GatewayError, now: number): void {
    const coolDownMs = Math.min(longestCoolDownMs, firstCoolDownMs * 2 ** this.#coolDowns) * (1 - coolDownJitter * this.#deps.random())
    const forMs = Math.round(Math.max(coolDownMs, (error.retryAfterSeconds ?? 0) * 1000))
    this.#coolDowns += 1
    this.#isOpen = true
    this.isFree = false
    this.#notBefore = now + forMs
    this.#isHinted = false
    this.#ignoresHintsUntil = 0
    this.#deps.publish?.({ kind: 'target', target: this.#target, why: 'failing', waitMs: forMs })
    this.#deps.log.warn({ target: this.#target, code: error.code, forMs }, 'a target failed and is left alone for a while')
  }

  #close(now: number): void {
    if (this.#isHinted) this.#ignoresHintsUntil = now + ownVerdictMs
    this.#isHinted = false
    this.#isOpen = false
    this.isFree = true
    this.#trialSince = 0
    this.#trial = undefined
    this.#coolDowns = 0
    this.#inRow = 0
    this.#window.clear()
    this.#deps.log.info({ target: this.#target }, 'a target works again')
  }
}

/** Calls of the last 30 s, counted in slots of 5 s. */
class CallWindow {
  readonly #slots = new Float64Array(windowSlots)
  readonly #calls = new Uint32Array(windowSlots)
  readonly #failures = new Uint32Array(windowSlots)
  #at = 0
  /** Time at which the slot at `#at` ends. */
  #until = 0

  count(now: number, isFailure: boolean): void {
    if (now >= this.#until) this.#begin(Math.floor(now / windowSlotMs))
    this.#calls[this.#at]! += 1
    if (isFailure) this.#failures[this.#at]! += 1
  }

  isBad(now: number): boolean {
    const oldest = Math.floor(now / windowSlotMs) - windowSlots + 1
    let calls = 0
    let failures = 0
    for (let at = 0; at < windowSlots; at++) {
      if (this.#slots[at]! < oldest) continue
      calls += this.#calls[at]!
      failures += this.#failures[at]!
    }
    return calls >= windowCalls && failures >= calls * windowShare
  }

  clear(): void {
    this.#calls.fill(0)
    this.#failures.fill(0)
  }

  #begin(slot: number): void {
    this.#at = slot % windowSlots
    this.#until = (slot + 1) * windowSlotMs
    this.#slots[this.#at] = slot
    this.#calls[this.#at] = 0
    this.#failures[this.#at] = 0
  }
}
