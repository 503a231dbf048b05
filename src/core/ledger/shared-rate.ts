import type { Leases, UnusedTokens } from '../ports/rates.ts'
import { type RateDecision, retryAfterSeconds } from './limits.ts'
import { RecentUses } from './recent-uses.ts'

/** When the store had no token, a node requests one again after this time at the latest, because
 *  another node may have returned some. */
const askAgainMs = 500
/** Period in ms for which a node requests tokens in advance; about the duration of a lease. */
const aheadMs = 1_000

/** When the last lease of a node ends within this time, in ms, the node requests the next one. */
const endingMs = 300

interface HeldLease {
  lease: number
  left: number
  /** Time of this node's clock after which the tokens of the lease must not be used. */
  endsAt: number
}

/** The request limit (requests per minute) of one key or account, as far as this node knows it,
 *  and the tokens that the node has leased from the store. A token allows one request. Times are
 *  milliseconds of the node's monotonic clock. */
export class SharedRate {
  isAsking = false
  readonly uses = new RecentUses()
  /** One function for each request that waits for a token. The function is called with true when
   *  the store granted the token, and with false when it did not. */
  readonly waiting: ((isAllowed: boolean) => void)[] = []
  /** Start of the time in which this node may have accepted requests that the store has not
   *  counted; undefined when the store has counted all of them. */
  doubtFrom: number | undefined
  #perMinute = 0
  #leases: HeldLease[] = []
  #unused: UnusedTokens[] = []
  /** Number of tokens that the last lease granted in advance. */
  #lastAhead = 0
  #askedAt = Number.NEGATIVE_INFINITY
  #usesSinceAsked = 0
  #free = 0
  #noneUntil = 0
  #nextAt = 0
  #allFreeAt = 0

  get perMinute(): number {
    return this.#perMinute
  }

  /** Sets the limit, which the operator may have changed since the last request. */
  limitTo(perMinute: number): void {
    if (perMinute === this.#perMinute) return
    this.#perMinute = perMinute
    this.#noneUntil = 0
  }

  /** Uses one of the tokens that this node has leased; false when it has none. */
  takeHeld(now: number): boolean {
    for (let lease = this.#leases[0]; lease !== undefined; lease = this.#leases[0]) {
      if (lease.left > 0 && now < lease.endsAt) {
        lease.left -= 1
        this.count(now)
        return true
      }
      this.#leases.shift()
      this.#addUnused(lease.lease, lease.left)
    }
    return false
  }

  /** Counts an accepted request. */
  count(now: number): void {
    this.uses.add(now)
    this.#usesSinceAsked += 1
  }

  /** True when the leased tokens are nearly used up or about to expire, and the store may have
   *  more. */
  isRunningOut(now: number): boolean {
    if (this.isAsking || now < this.#noneUntil) return false
    const endsAt = this.#leases.at(-1)?.endsAt ?? now
    return (this.#held() <= this.#lastAhead / 4 || endsAt - now < endingMs) && this.#demand(now) > 0
  }

  /** True while a request for tokens would probably get none, because the store reported a moment
   *  ago that none is left. */
  isEmpty(now: number): boolean {
    return now < this.#noneUntil
  }

  /** Returns the number of tokens to request from the store in advance. */
  wanted(now: number): number {
    const tokens = this.#demand(now)
    this.#askedAt = now
    this.#usesSinceAsked = 0
    return tokens
  }

  /** Removes the tokens of ended leases from this node and returns them, so that the caller gives
   *  them back to the store. */
  takeUnused(): UnusedTokens[] {
    const unused = this.#unused
    this.#unused = []
    return unused
  }

  /** Stores the leases that the store granted in answer to the request sent at `askedAt`. */
  take({ granted, ahead, free, nextInMs, allInMs }: Leases, askedAt: number, now: number): void {
    this.#lastAhead = ahead.tokens
    if (ahead.tokens > 0) this.#leases.push({ lease: ahead.lease, left: ahead.tokens, endsAt: askedAt + ahead.lastsMs })
    this.#free = free
    this.#nextAt = now + nextInMs
    this.#allFreeAt = now + allInMs
    this.#noneUntil = free > 0 ? 0 : now + Math.min(askAgainMs, nextInMs)
    for (let count = 0; count < granted; count++) this.count(now)
  }

  /** Ends the leases that have expired, or all leases with `all`; their tokens become `unused`.
   *  True when there are tokens to give back to the store. */
  endLeases(now: number, all = false): boolean {
    const ended = this.#leases.filter(({ endsAt }) => all || now >= endsAt)
    if (ended.length > 0) this.#leases = this.#leases.filter(lease => !ended.includes(lease))
    for (const { lease, left } of ended) this.#addUnused(lease, left)
    return this.#unused.length > 0
  }

  /** Forgets all leases without giving their tokens back, because the store may have forgotten the
   *  leases as well. */
  dropLeases(): void {
    this.#leases = []
    this.#unused = []
  }

  /** True when this node has no tokens of this rate and has accepted no request for a minute. */
  isIdle(now: number): boolean {
    return !this.isAsking && this.#leases.length + this.#unused.length === 0 && this.uses.lastMinute(now) === 0
  }

  decision(allowed: boolean, now: number): RateDecision {
    return {
      allowed,
      limit: this.#perMinute,
      remaining: allowed ? this.#held() + this.#free : 0,
      resetSeconds: Math.max(0, Math.ceil((Math.max(this.#allFreeAt, allowed ? now + 60_000 : 0) - now) / 1000)),
      retryAfterSeconds: allowed ? 0 : retryAfterSeconds(this.#nextAt - now),
    }
  }

  /** Returns how many requests this node expects to accept in the next second. It assumes the pace
   *  since it last asked the store for tokens, and returns at most twice the number of requests
   *  accepted since then. */
  #demand(now: number): number {
    const elapsedMs = Math.max(1, now - this.#askedAt)
    return Math.min(2 * this.#usesSinceAsked, Math.floor((this.#usesSinceAsked * aheadMs) / elapsedMs))
  }

  #held(): number {
    let left = 0
    for (const lease of this.#leases) left += lease.left
    return left
  }

  #addUnused(lease: number, tokens: number): void {
    if (tokens > 0) this.#unused.push({ lease, tokens })
  }
}
