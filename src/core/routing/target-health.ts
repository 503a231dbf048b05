import type { ErrorCode, GatewayError } from '@generation-gateway/kit/errors.ts'
import type { TargetHint } from '../ports/signals.ts'
import type { Clock } from '../ports/store.ts'

/** The health of one target, as this process knows it. Times are Unix milliseconds. */
export interface TargetState {
  target: string
  /** `open`: not used until `retryAt`. `half-open`: one call at a time tests if it works again. */
  state: 'closed' | 'open' | 'half-open'
  /** Counted since the target was first tried here; refusals that are the caller's own fault
   *  count as neither success nor failure. */
  failures: number
  successes: number
  lastError?: ErrorCode
  lastErrorAt?: number
  /** Also present while a rate limit of the upstream is in force; `state` is `open` then as
   *  well. */
  retryAt?: number
}

/** Circuit breakers: targets that failed are not used for a while. The state belongs to this
 *  process only; other nodes get hints of it.
 *  A user of a target calls `mayTry` just before the use, and reports the end by exactly one of
 *  `succeeded`, `failed` and `released`. */
export interface TargetHealth {
  /** True when the target may be used now. While it is half-open, true makes this call its trial:
   *  no other call gets true until this one has reported its end, or for 60 s. */
  mayTry(targetId: string): boolean
  /** Milliseconds until `mayTry` may return true; 0 when it would return true now. Starts no
   *  trial: for choosing among targets. */
  waitMs(targetId: string): number
  /** The target has begun to answer: if this call is its trial, other calls may use it from now
   *  on. The end must still be reported. */
  answers(targetId: string): void
  /** The answer is complete, or was good as far as the caller read it. */
  succeeded(targetId: string): void
  /** Counts only errors that are the target's fault: an error of the caller, of the gateway or an
   *  abort ends a trial like `released`. */
  failed(targetId: string, error: GatewayError): void
  /** The call ended without information about the target: the caller disconnected, or the
   *  caller's own request was refused. */
  released(targetId: string): void
  /** Returns how many of `slots` jobs the target may run at a time: halved for each call in a row
   *  without an answer, and at least one. */
  slotsOf(targetId: string, slots: number): number
  /** Another node leaves the target alone: this one does so as well, for at most 60 s. After the
   *  hint of a breaker, one call tests the target, as after a breaker of this node. A hint
   *  counts as no failure and closes nothing. A hint that makes no sense is ignored; `target`
   *  must be one of the catalogue. */
  hint(hint: TargetHint): void
  /** Every target tried so far. */
  states(): TargetState[]
  /** Drops the state of all other targets: they are gone from the catalogue, or have other
   *  settings now. */
  retain(targetIds: Iterable<string>): void
}

interface TargetHealthDeps {
  clock: Clock
  /** Numbers in [0, 1). */
  random: () => number
  log: { info(fields: object, message: string): void; warn(fields: object, message: string): void }
  /** Sends a hint to the other nodes, when a target is left alone because of what this node met.
   *  Default: none is sent. */
  publish?: (hint: TargetHint) => void
}

const failuresInRow = 5
const windowSlots = 6
const windowSlotMs = 5_000
const windowCalls = 20
const windowShare = 0.5
const firstCoolDownMs = 5_000
const longestCoolDownMs = 60_000
/** Random part of a cool-down, so that many nodes do not try the target again at the same
 *  moment. */
const coolDownJitter = 0.2
/** A trial without a report for this long no longer keeps other calls out. */
const trialMs = 60_000
/** A hint lasts no longer than the longest cool-down: it may come from a node that is at fault
 *  itself. */
const longestHintMs = 60_000
/** A node whose own trial has succeeded ignores the breakers of others for this long: they may fail
 *  to reach a target that works. */
const ownVerdictMs = 600_000
/** Wait for a rate limit whose end the upstream does not report. */
const rateLimitMs = 1_000

/** The meaning of errors for the health of their target; codes that are not listed have none. */
const verdicts: { [Code in ErrorCode]?: 'fault' | 'grave' | 'limited' | 'noted' } = {
  upstream_unreachable: 'fault',
  upstream_timeout: 'fault',
  upstream_error: 'fault',
  overloaded: 'fault',
  // The target received a submit and never answered: a hanging target must not receive further
  // paid ones.
  outcome_unknown: 'fault',
  // The next call would fail for the same reason, so one failure opens the breaker instead of
  // five.
  upstream_auth_error: 'grave',
  upstream_quota_exhausted: 'grave',
  rate_limited: 'limited',
  // Shown to the operator and not counted: some services let a caller name further models in the
  // body.
  model_not_found: 'noted',
}

/** Errors of a target that received a request and did not answer. */
const unansweredCodes: ReadonlySet<ErrorCode> = new Set(['upstream_timeout', 'upstream_unreachable', 'outcome_unknown'])

/** Opens a target's breaker after 5 failures in a row, or when half of at least 20 calls within
 *  30 s failed, or at once when the credential or the quota is at fault.
 *  It stays open 5 s, doubling with every failed trial up to 60 s, or for the time the upstream
 *  requested. A 429 keeps the target out until the rate limit ends, without counting as a
 *  failure. */
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
    mayTry: targetId => {
      const breaker = breakers.get(targetId)
      return breaker === undefined || breaker.isFree || breaker.mayTry(clock.now())
    },
    waitMs: targetId => {
      const breaker = breakers.get(targetId)
      return breaker === undefined || breaker.isFree ? 0 : breaker.waitMs(clock.now())
    },
    answers: targetId => breakers.get(targetId)?.released(),
    succeeded: targetId => breakerOf(targetId).succeeded(clock.now()),
    failed: (targetId, error) => breakerOf(targetId).failed(error, clock.now()),
    released: targetId => breakers.get(targetId)?.released(),
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

/** The clock is read only when a method is called: there are no timers, and nothing is allocated
 *  after the first call. */
class Breaker {
  /** True while closed and under no rate limit: the fast path of `mayTry`. */
  isFree = true
  readonly #target: string
  readonly #deps: TargetHealthDeps
  readonly #window = new CallWindow()
  #isOpen = false
  /** No call passes before this time. */
  #notBefore = 0
  /** Start of the trial in progress; 0 for none. */
  #trialSince = 0
  #coolDowns = 0
  #inRow = 0
  /** Calls in a row without an answer. */
  #unanswered = 0
  #failures = 0
  #successes = 0
  #lastError: ErrorCode | undefined
  #lastErrorAt = 0
  /** True while the breaker is open because of a hint only. */
  #isHinted = false
  /** Hints of breakers are ignored before this time. */
  #ignoresHintsUntil = 0
  /** The end of the rate limit that the other nodes know of. */
  #publishedUntil = 0

  constructor(target: string, deps: TargetHealthDeps) {
    this.#target = target
    this.#deps = deps
  }

  mayTry(now: number): boolean {
    if (this.waitMs(now) > 0) return false
    if (this.#isOpen) this.#trialSince = now
    else this.isFree = true
    return true
  }

  waitMs(now: number): number {
    if (now < this.#notBefore) return this.#notBefore - now
    if (!this.#isOpen || this.#trialSince === 0) return 0
    // The end of a trial is not known; most end sooner than this.
    return Math.min(firstCoolDownMs, Math.max(0, this.#trialSince + trialMs - now))
  }

  slotsOf(slots: number): number {
    return Math.max(Math.min(1, slots), Math.floor(slots / 2 ** this.#unanswered))
  }

  succeeded(now: number): void {
    this.#successes += 1
    this.#unanswered = 0
    if (this.#isOpen) {
      // A success of a call that began before the failures is not evidence that the target works
      // now.
      if (now >= this.#notBefore) this.#close(now)
      return
    }
    this.#inRow = 0
    this.#window.count(now, false)
  }

  failed(error: GatewayError, now: number): void {
    const verdict = verdicts[error.code]
    if (verdict === undefined) {
      this.released()
      return
    }
    this.#lastError = error.code
    this.#lastErrorAt = now
    if (verdict === 'noted') {
      this.released()
      return
    }
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

  released(): void {
    this.#trialSince = 0
  }

  hinted({ why, waitMs }: TargetHint, now: number): void {
    if (why === 'failing') {
      // A trial of this node decides.
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
    this.#trialSince = 0
    this.isFree = false
    // Every answer of a busy target may be a 429, so small extensions are not published.
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
    this.#trialSince = 0
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
  /** When the slot at `#at` ends. */
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
