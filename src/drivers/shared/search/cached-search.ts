/** Caches search answers for a short time. Many callers request the same pages, and every upstream
 *  call is paid. */
import { once } from '@generation-gateway/kit/driver.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Done, OfferFacts, OnceOffer } from '@generation-gateway/kit/requests/job.ts'

/** Milliseconds for which an answer is cached (docs/interface/text.md#search). */
export const freshMs = { keyword: 3 * 60_000, top: 60_000, vertical: 60 * 60_000 } as const
const mostCached = 500

/** Returns an offer whose answers are cached in this process for `lifetimeMs`. An answer marked as
 *  stale, which a source gives when it cannot reach its own upstream, is not cached: the next call
 *  may get a fresh one. */
export function cachedSearch<Request extends { hops?: number }>(
  lifetimeMs: number,
  run: OnceOffer<Request>['run'],
  { now = Date.now, ...facts }: OfferFacts<Request> & { now?: () => number } = {},
): OnceOffer<Request> {
  const kept = new Map<string, { done: Done; until: number }>()
  return once<Request>(async job => {
    const { hops: _hops, ...asked } = job.request
    const key = JSON.stringify([job.model, job.settings, asked])
    const held = kept.get(key)
    if (held && held.until > now()) return held.done
    const outcome = await run(job)
    kept.delete(key)
    if (outcome.state !== 'done' || isStale(outcome.report)) return outcome
    kept.set(key, { done: outcome, until: now() + lifetimeMs })
    // The oldest answer is removed first.
    for (const [oldest] of kept) {
      if (kept.size <= mostCached) break
      kept.delete(oldest)
    }
    return outcome
  }, facts)
}

function isStale({ age }: JsonObject): boolean {
  return Object(age).isStale === true
}
