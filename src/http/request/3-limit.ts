/** The third step: checks the permissions and the rate limits of the key. */
import { assertFamilyScope } from '../../core/access.ts'
import type { RateDecision } from '../../core/ledger/limits.ts'
import type { AccessKey } from '../../core/ports/store.ts'
import { assertRate, takeRate } from '../call/quotas.ts'
import type { Exchange } from './exchange.ts'
import type { OperationPlan } from './plan.ts'

/** Counts one request against the rate limits of the key and its account, and sets the rate
 *  headers of the answer; returns a promise only when the store has to count. Reading a task is
 *  not counted. Throws `not_allowed` when the key's scopes exclude the family, and
 *  `rate_limited` when a limit is exceeded. */
export function limitKey(
  { deps, entry: { family }, operation }: Pick<OperationPlan, 'deps' | 'entry' | 'operation'>,
  exchange: Exchange,
  key: AccessKey,
): void | Promise<void> {
  if (!family.isOpen) assertFamilyScope(key.scopes, family.id)
  const rate = operation.readsTask ? undefined : takeRate(deps.limiter, key)
  const isRelayed = operation.relays !== undefined
  return rate instanceof Promise ? rate.then(decided => applyRate(exchange, decided, isRelayed)) : applyRate(exchange, rate, isRelayed)
}

function applyRate(exchange: Exchange, rate: RateDecision | undefined, isRelayed: boolean): void {
  if (!rate) return
  exchange.addHeaders(rateHeaders(rate, isRelayed))
  assertRate(rate)
}

/** Returns the headers that every answer to a key with a rate limit has. Operations that can be
 *  relayed use OpenAI's header names, which their clients read, with times like `1s` or `6m0s`
 *  (docs/interface.md#headers). */
function rateHeaders({ limit, remaining, resetSeconds }: RateDecision, isRelayed: boolean): Record<string, string> {
  if (!isRelayed)
    return { 'x-ratelimit-limit': String(limit), 'x-ratelimit-remaining': String(remaining), 'x-ratelimit-reset': String(resetSeconds) }
  const reset = resetSeconds < 60 ? `${resetSeconds}s` : `${Math.floor(resetSeconds / 60)}m${resetSeconds % 60}s`
  return {
    'x-ratelimit-limit-requests': String(limit),
    'x-ratelimit-remaining-requests': String(remaining),
    'x-ratelimit-reset-requests': reset,
  }
}
