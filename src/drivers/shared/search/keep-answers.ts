/** Searches of a service that were answered a moment ago are answered by the same again: pages of a list are asked for by many at once, and each call is paid. */
import { once } from '@generation-gateway/kit/driver.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Done, OfferFacts, OnceOffer } from '@generation-gateway/kit/requests/job.ts'

/** How long an answer stands (docs/interface/text.md#search). Milliseconds. */
export const freshMs = { keyword: 3 * 60_000, top: 60_000, vertical: 60 * 60_000 } as const
const mostKept = 500

/** The offer, whose answers are kept for `lifetimeMs` in this process. Not those of a source that is down: the next call may find it back. */
export function keepingAnswers<Request extends { hops?: number }>(
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
    // The oldest goes first.
    for (const [oldest] of kept) {
      if (kept.size <= mostKept) break
      kept.delete(oldest)
    }
    return outcome
  }, facts)
}

function isStale({ age }: JsonObject): boolean {
  return Object(age).isStale === true
}
