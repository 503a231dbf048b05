import type { Clock } from '../ports/store.ts'

export interface RateDecision {
  allowed: boolean
  limit: number
  remaining: number
  /** Seconds until the full number of requests is allowed again. */
  resetSeconds: number
  /** Seconds after which a refused request may be repeated, 1 to 60; 0 when the request is
   *  allowed. */
  retryAfterSeconds: number
}

export interface RateLimiter {
  /** Counts one request of this key or account, which may send `perMinute` requests a minute.
   *  Returns a promise when only the store can decide. */
  take(id: string, perMinute: number): RateDecision | Promise<RateDecision>
}

interface LocalRateLimiter extends RateLimiter {
  take(id: string, perMinute: number): RateDecision
}

/** Returns a rate limiter that uses the generic cell rate algorithm: the requests of a full
 *  minute may come at once, and after them one every 60 / `perMinute` seconds. The limiter keeps
 *  one number for each id, and drops the number once a full minute of requests is allowed again. */
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
      // A stored time that is more than a minute in the future counts as one minute from now.
      // Otherwise, after the clock was set back, every request would be refused until the clock
      // reaches its former time.
      const arrival = Math.min(Math.max(fullAt.get(id) ?? now, now), now + 60_000)
      const allowed = arrival + spacing - now <= 60_000 + 1e-6
      const next = allowed ? arrival + spacing : arrival
      fullAt.set(id, next)
      return {
        allowed,
        limit: perMinute,
        remaining: Math.max(0, Math.floor((60_000 - (next - now)) / spacing + 1e-9)),
        resetSeconds: Math.ceil((next - now) / 1000),
        retryAfterSeconds: allowed ? 0 : retryAfterSeconds(arrival + spacing - 60_000 - now),
      }
    },
  }
}

/** Returns the value of `retry-after` for a request that would be allowed in `ms` milliseconds. */
export function retryAfterSeconds(ms: number): number {
  return Math.min(60, Math.max(1, Math.ceil(ms / 1000)))
}
