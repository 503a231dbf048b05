import type { Clock } from '../ports/store.ts'

export interface RateDecision {
  allowed: boolean
  limit: number
  remaining: number
  /** Seconds until the whole limit is free again. */
  resetSeconds: number
  /** 1 to 60 when the request is refused. */
  retryAfterSeconds: number
}

export interface RateLimiter {
  /** Takes one request of `perMinute` for this id. Returns a promise when the store has to be
   *  asked. */
  take(id: string, perMinute: number): RateDecision | Promise<RateDecision>
}

interface LocalRateLimiter extends RateLimiter {
  take(id: string, perMinute: number): RateDecision
}

/** Generic cell rate algorithm: a full minute's worth may come at once, then one every 60 /
 *  `perMinute` seconds. Keeps one number per id, dropped once it has run out. */
export function createRateLimiter(clock: Clock): LocalRateLimiter {
  const fullAt = new Map<string, number>()
  let nextTidy = 0
  return {
    take: (id, perMinute) => {
      const now = clock.now()
      if (now >= nextTidy) {
        for (const [key, time] of fullAt) if (time <= now) fullAt.delete(key)
        nextTidy = now + 60_000
      }
      const spacing = 60_000 / perMinute
      // Never further ahead than a whole minute's worth: otherwise a clock that was set back
      // would refuse everything until it has caught up.
      const arrival = Math.min(Math.max(fullAt.get(id) ?? now, now), now + 60_000)
      const allowed = arrival + spacing - now <= 60_000 + 1e-6
      const next = allowed ? arrival + spacing : arrival
      fullAt.set(id, next)
      return {
        allowed,
        limit: perMinute,
        remaining: Math.max(0, Math.floor((60_000 - (next - now)) / spacing + 1e-9)),
        resetSeconds: Math.ceil((next - now) / 1000),
        retryAfterSeconds: allowed ? 0 : Math.min(60, Math.max(1, Math.ceil((arrival + spacing - 60_000 - now) / 1000))),
      }
    },
  }
}
