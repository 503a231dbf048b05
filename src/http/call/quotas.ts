import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { RateDecision, RateLimiter } from '../../core/ledger/limits.ts'
import { quotaExceeded } from '../../core/ledger/quota-error.ts'
import type { AccessKey } from '../../core/ports/store.ts'
import { holdOf, type QuotaShare, sharesOf } from '../../core/records/ledger.ts'
import type { HttpDeps } from '../deps.ts'
import type { Call } from './call.ts'
import { expectedLines, type Run, recordedSoFar } from './call-counts.ts'
import { type RecordedCall, recordUnderway } from './call-record.ts'

/** The quotas a request of the key falls under: its own, and its account's. */
export function quotasOf({ id, accountId, limits, accountLimits }: AccessKey, now: number): QuotaShare[] {
  const own = limits?.quotas ?? []
  const shared = accountLimits?.quotas ?? []
  if (own.length + shared.length === 0) return []
  return [...sharesOf(own, { kind: 'key', id }, now), ...sharesOf(shared, { kind: 'account', id: accountId }, now)]
}

/** Takes one request of the rates of the key and of its account; the decision of whichever leaves less, undefined without a rate. */
export function takeRate(limiter: RateLimiter, { id, accountId, limits, accountLimits }: AccessKey): RateDecision | undefined {
  const own = limits?.ratePerMinute === undefined ? undefined : limiter.take(id, limits.ratePerMinute)
  if (accountLimits?.ratePerMinute === undefined || own?.allowed === false) return own
  const shared = limiter.take(accountId, accountLimits.ratePerMinute)
  return own && shared.allowed && own.remaining <= shared.remaining ? own : shared
}

/** Throws `rate_limited` when the decision says so. */
export function assertRate(rate: RateDecision): void {
  if (rate.allowed) return
  throw new GatewayError('rate_limited', `The access key or its account may make ${rate.limit} requests a minute.`, {
    retryAfterSeconds: rate.retryAfterSeconds,
  })
}

/** Holds what a conversation may use of the quotas, once per call, before any of it is sent; `endCall` ends the hold. Undefined without quotas. Throws `quota_exceeded`. */
export function holdCall(deps: Pick<HttpDeps, 'store' | 'clock'>, call: Call): Promise<void> | undefined {
  const { limits, accountLimits } = call.key
  if (!limits?.quotas && !accountLimits?.quotas) return undefined
  // Several answers to one question begin at once.
  call.holding ??= hold(deps, call)
  return call.holding
}

async function hold(deps: Pick<HttpDeps, 'store' | 'clock'>, call: Call): Promise<void> {
  if (!call.expected) return
  const now = deps.clock.now()
  const quotas = quotasOf(call.key, now)
  if (quotas.length === 0) return
  const wanted = holdOf(call.model?.price, expectedLines(call.expected), quotas)
  const refusal = await deps.store.reserve(recordUnderway(call, now), wanted)
  if (refusal) throw quotaExceeded(refusal, now)
  call.hold = wanted
}

/** Ends a call that is not relayed any more: its record when something was used or answered, else the hold is given back. `status` as the caller got it: one that was refused, or failed before anything was said, has
 *  used nothing; that is not known of one whose caller has left (499). */
export function endCall(deps: Pick<HttpDeps, 'endHold' | 'recordCall'>, call: RecordedCall, status: number): void {
  const isAnswered = status >= 200 && status < 300 && call.expected !== undefined
  if (!isAnswered && status !== 499) for (const run of call.runs) run.isSent &&= run.said > 0 || run.usage !== undefined
  if (isAnswered || call.runs.some(run => run.isSent)) {
    deps.recordCall(call, status)
    return
  }
  if (call.hold) deps.endHold({ id: call.requestId, used: [] })
  call.hold = undefined
}

/** Puts on record that a run of the call has said so many tokens; gives the number of them from which that has to be done again. */
export function recordSaid(
  deps: Pick<HttpDeps, 'raiseHold' | 'clock'>,
  call: RecordedCall,
  { run, said }: { run: Run; said: number },
): number {
  run.isSent = true
  run.said = said
  const { lines, next } = recordedSoFar(call, call.model?.price)
  deps.raiseHold({ record: recordUnderway(call, deps.clock.now()), lines })
  call.isOnRecord = true
  return next
}
