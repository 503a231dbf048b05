import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { RateDecision, RateLimiter } from '../../core/ledger/limits.ts'
import { quotaExceeded } from '../../core/ledger/quota-error.ts'
import type { AccessKey } from '../../core/ports/store.ts'
import { holdOf, larger, type QuotaShare, sharesOf } from '../../core/records/ledger.ts'
import type { HttpDeps } from '../deps.ts'
import type { Call } from './call.ts'
import { expectedLines, type Run, recordedSoFar } from './call-counts.ts'
import { type RecordedCall, recordUnderway } from './call-record.ts'

/** Returns the quotas towards which a request of the key counts: those of the key and those of
 *  its account. */
export function quotasOf({ id, accountId, limits, accountLimits }: AccessKey, now: number): QuotaShare[] {
  const own = limits?.quotas ?? []
  const shared = accountLimits?.quotas ?? []
  if (own.length + shared.length === 0) return []
  return [...sharesOf(own, { kind: 'key', id }, now), ...sharesOf(shared, { kind: 'account', id: accountId }, now)]
}

/** Counts one request against the rate limits of the key and its account. Returns the result for
 *  the limit that leaves fewer requests, or undefined when neither has a rate limit. Returns a
 *  promise only when the store has to count. */
export function takeRate(limiter: RateLimiter, key: AccessKey): RateDecision | undefined | Promise<RateDecision | undefined> {
  const perMinute = key.limits?.ratePerMinute
  const own = perMinute === undefined ? undefined : limiter.take(key.id, perMinute)
  return own instanceof Promise ? own.then(decided => takeSharedRate(limiter, key, decided)) : takeSharedRate(limiter, key, own)
}

/** Counts the request against the rate limit of the account, unless the limit of the key has
 *  already refused it. */
function takeSharedRate(
  limiter: RateLimiter,
  { accountId, accountLimits }: AccessKey,
  own: RateDecision | undefined,
): RateDecision | undefined | Promise<RateDecision | undefined> {
  const perMinute = accountLimits?.ratePerMinute
  if (perMinute === undefined || own?.allowed === false) return own
  const shared = limiter.take(accountId, perMinute)
  return shared instanceof Promise ? shared.then(decided => scarcer(own, decided)) : scarcer(own, shared)
}

function scarcer(own: RateDecision | undefined, shared: RateDecision): RateDecision {
  return own && shared.allowed && own.remaining <= shared.remaining ? own : shared
}

/** Throws `rate_limited` when the result refuses the request. */
export function assertRate(rate: RateDecision): void {
  if (rate.allowed) return
  throw new GatewayError('rate_limited', `The access key or its account may make ${rate.limit} requests a minute.`, {
    retryAfterSeconds: rate.retryAfterSeconds,
  })
}

/** Holds (reserves) the expected usage of all conversations of a call in the quotas, once per
 *  call and before anything is sent upstream; `endCall` releases the hold. Returns undefined
 *  when neither the key nor the account has quotas. Throws `quota_exceeded` when a quota has too
 *  little left. */
export function holdCall(deps: Pick<HttpDeps, 'store' | 'clock'>, call: Call): Promise<void> | undefined {
  const { limits, accountLimits } = call.key
  if (!limits?.quotas && !accountLimits?.quotas) return undefined
  // A request for several answers starts several conversations at the same time; they share one
  // hold.
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

/** Raises the hold of a call to its expected usage. This usage grows when a relay has failed and
 *  the gateway itself requests several answers one by one, because each request has its own input
 *  tokens. The raise is never refused, because the call is already running. */
export function raiseToExpected(deps: Pick<HttpDeps, 'raiseHold' | 'clock'>, call: Call): void {
  const { hold: held, expected } = call
  if (!held || !expected) return
  const lines = larger(held.price, held.lines, expectedLines(expected))
  if (lines.every(({ units }, index) => units === held.lines[index]?.units)) return
  call.hold = { ...held, lines }
  deps.raiseHold({ record: recordUnderway(call, deps.clock.now()), lines })
}

/** Ends a call that was not relayed. When a model has answered the call, or the call has used
 *  something, writes its record; otherwise only releases its hold. `status` is the HTTP status
 *  that the caller received. A call that was refused, or failed before any output, has used
 *  nothing. A call whose caller disconnected (499) counts as used once it was sent to a target.
 *  While conversations of the call are still running, waits until the last one has ended, because
 *  only then it is known whether its target has refused it. */
export function endCall(deps: Pick<HttpDeps, 'endHold' | 'recordCall'>, call: Call, status: number): void {
  if (call.conversations > 0) {
    call.onLastEnd = () => endCall(deps, call, status)
    return
  }
  const isAnswered = status >= 200 && status < 300 && call.expected !== undefined
  if (!isAnswered && status !== 499) for (const run of call.runs) run.isSent &&= run.said > 0 || run.usage !== undefined
  if (isAnswered || call.runs.some(run => run.isSent)) {
    deps.recordCall(call, status)
    return
  }
  if (call.hold) deps.endHold({ id: call.requestId, used: [] })
  call.hold = undefined
}

/** Records the usage of a running call, of which `run` has produced `said` output tokens so far.
 *  Returns the number of output tokens at which the usage must be recorded again. */
export function recordReportedUsage(
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
