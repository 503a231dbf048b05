import { GatewayError } from '../core/errors.ts'
import { expectedTokens } from '../core/expected-units.ts'
import { holdOf, type QuotaShare, sharesOf } from '../core/ledger.ts'
import type { RateDecision, RateLimiter } from '../core/limits.ts'
import type { AccessKey } from '../core/ports.ts'
import { quotaExceeded } from '../core/quota-error.ts'
import type { JsonObject } from '../core/task.ts'
import type { Call } from './call.ts'
import type { HttpDeps } from './deps.ts'

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

/** Holds what a conversation may use of the quotas, once per call, before any of it is sent; its record ends the hold, or `releaseCall`. Throws `quota_exceeded`. */
export async function holdCall(deps: Pick<HttpDeps, 'store' | 'clock'>, call: Call, conversation: JsonObject): Promise<void> {
  if (call.holdId !== undefined) return
  const now = deps.clock.now()
  const quotas = quotasOf(call.key, now)
  if (quotas.length === 0) return
  const hold = holdOf(call.model?.price, expectedTokens(conversation, mostOutputTokens(conversation), answersOf(conversation)), quotas)
  const refusal = await deps.store.reserve(call.requestId, hold, now)
  if (refusal) throw quotaExceeded(refusal, now)
  call.holdId = call.requestId
}

/** Ends the hold of a call that has no record. One whose caller has left was at work for him: it counts as it was held. */
export function releaseCall(deps: Pick<HttpDeps, 'endHold'>, call: Call, error?: GatewayError): void {
  const { holdId } = call
  if (holdId === undefined) return
  delete call.holdId
  deps.endHold(error?.code === 'cancelled' ? { id: holdId } : { id: holdId, used: [] })
}

/** Chat gives several answers to one question, each as long as the limit allows. */
function answersOf({ n }: JsonObject): number {
  return typeof n === 'number' ? n : 1
}

/** As chat, Responses and the neutral request call it. */
function mostOutputTokens(conversation: JsonObject): number | undefined {
  for (const name of ['max_completion_tokens', 'max_tokens', 'max_output_tokens', 'maxOutputTokens']) {
    const value = conversation[name]
    if (typeof value === 'number') return value
  }
  return undefined
}
