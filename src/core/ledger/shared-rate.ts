import type { Leases, UnusedTokens } from '../ports/rates.ts'
import type { RateDecision } from './limits.ts'
import { RecentUses } from './recent-uses.ts'

/** A node that has found no token asks again after this time at the latest: another node may have
 *  returned some. */
const askAgainMs = 500
/** Demand is estimated for about as long as a lease lasts. */
const aheadMs = 1_000

/** A lease that ends within this time is followed by the next. */
const endingMs = 300

interface HeldLease {
  lease: number
  left: number
  /** Local time after which its tokens must not be used. */
  endsAt: number
}

/** What this node knows of the rate of one key or account. Times are milliseconds of the node's
 *  steady clock. */
export class SharedRate {
  isAsking = false
  readonly uses = new RecentUses()
  /** Ends the waits for tokens. */
  readonly waiting: ((isAllowed: boolean) => void)[] = []
  /** The store may not know of the requests accepted since then. */
  doubtFrom: number | undefined
  #perMinute = 0
  #leases: HeldLease[] = []
  #unused: UnusedTokens[] = []
  /** Tokens of the last lease for requests to come. */
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

  /** Takes the limit in force, which the operator may have changed. */
  limitTo(perMinute: number): void {
    if (perMinute === this.#perMinute) return
    this.#perMinute = perMinute
    this.#noneUntil = 0
  }

  /** Uses a token that the node holds. */
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

  /** True when the tokens held are about to run out or to end, and the store has more. */
  isRunningOut(now: number): boolean {
    if (this.isAsking || now < this.#noneUntil) return false
    const endsAt = this.#leases.at(-1)?.endsAt ?? now
    return (this.#held() <= this.#lastAhead / 4 || endsAt - now < endingMs) && this.#demand(now) > 0
  }

  /** True when the store had no token a moment ago. */
  isEmpty(now: number): boolean {
    return now < this.#noneUntil
  }

  /** Returns the number of tokens to ask for, for requests to come. */
  wanted(now: number): number {
    const tokens = this.#demand(now)
    this.#askedAt = now
    this.#usesSinceAsked = 0
    return tokens
  }

  /** Returns the tokens of ended leases, which this node no longer has. */
  takeUnused(): UnusedTokens[] {
    const unused = this.#unused
    this.#unused = []
    return unused
  }

  /** Takes the answer to a request for tokens that was sent at `askedAt`. */
  take({ granted, ahead, free, nextInMs, allInMs }: Leases, askedAt: number, now: number): void {
    this.#lastAhead = ahead.tokens
    if (ahead.tokens > 0) this.#leases.push({ lease: ahead.lease, left: ahead.tokens, endsAt: askedAt + ahead.lastsMs })
    this.#free = free
    this.#nextAt = now + nextInMs
    this.#allFreeAt = now + allInMs
    this.#noneUntil = free > 0 ? 0 : now + Math.min(askAgainMs, nextInMs)
    for (let count = 0; count < granted; count++) this.count(now)
  }

  /** Returns the tokens of ended leases to `unused`; all tokens for `all`. True when there are
   *  tokens to return to the store. */
  endLeases(now: number, all = false): boolean {
    const ended = this.#leases.filter(({ endsAt }) => all || now >= endsAt)
    if (ended.length > 0) this.#leases = this.#leases.filter(lease => !ended.includes(lease))
    for (const { lease, left } of ended) this.#addUnused(lease, left)
    return this.#unused.length > 0
  }

  /** Drops all leases without returning them: the store may have forgotten them. */
  dropLeases(): void {
    this.#leases = []
    this.#unused = []
  }

  /** True when the node holds nothing of this rate and has not used it for a minute. */
  isIdle(now: number): boolean {
    return !this.isAsking && this.#leases.length + this.#unused.length === 0 && this.uses.since(now - 60_000) === 0
  }

  decision(allowed: boolean, now: number): RateDecision {
    return {
      allowed,
      limit: this.#perMinute,
      remaining: this.#held() + this.#free,
      resetSeconds: Math.max(0, Math.ceil((Math.max(this.#allFreeAt, allowed ? now + 60_000 : 0) - now) / 1000)),
      retryAfterSeconds: allowed ? 0 : Math.min(60, Math.max(1, Math.ceil((this.#nextAt - now) / 1000))),
    }
  }

  /** The requests of the next second, at the rate since the last ask; at most twice as many as
   *  since then. */
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
