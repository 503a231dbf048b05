/** Request rates that are limited over all nodes of a store together (docs/decisions/0049). */
import type { RateTokens } from '../ports/rates.ts'
import type { Clock } from '../ports/store.ts'
import type { RateDecision, RateLimiter } from './limits.ts'
import { SharedRate } from './shared-rate.ts'

const tickMs = 500
/** Time in ms after which the known number of nodes is out of date and is read again. */
const nodesEveryMs = 5_000
const tidyEveryMs = 60_000
/** When the store crashes, it loses at most the leases that it granted in the second before the
 *  crash. This constant is that second, in ms. */
const forgottenMs = 1_000
/** Number of successive ticks (one every `tickMs`) at which the store must answer after an outage
 *  before its tokens are used again. By then, all nodes have reported the requests that they
 *  accepted during the outage. */
const ticksToReturn = 4
/** Value of `retry-after` for requests that are refused during an outage of the store. */
const awayRetrySeconds = 2

interface SharedRateDeps {
  tokens: RateTokens
  log: { info(message: string): void; warn(message: string): void }
  /** A clock that is never set forward or back. By default, the monotonic clock of the process. */
  clock?: Clock
}

/** A rate limiter whose limits hold for all nodes together. It takes tokens from the store in
 *  leases, so that it decides most requests without a request to the store. During an outage of the
 *  store, each node accepts its share of a limit: the limit divided by the number of nodes, minus
 *  the requests that the node has accepted in the last minute. */
export class SharedRateLimiter implements RateLimiter {
  readonly #tokens: RateTokens
  readonly #clock: Clock
  readonly #log: SharedRateDeps['log']
  readonly #rates = new Map<string, SharedRate>()
  readonly #stopListening: () => void
  #timer: NodeJS.Timeout | undefined
  /** 0 in normal operation. After an outage of the store: the number of further ticks at which the
   *  store must answer before its tokens are used again. */
  #ticksAway = 0
  /** Number of nodes that are alive; 0 while it is unknown. */
  #nodes = 0
  #nodesReadAt = Number.NEGATIVE_INFINITY
  #tidyAt = 0
  #ticking: Promise<void> | undefined

  constructor({ tokens, log, clock = { now: () => performance.now() } }: SharedRateDeps) {
    this.#tokens = tokens
    this.#clock = clock
    this.#log = log
    this.#stopListening = tokens.onLoss(() => this.#lost())
  }

  /** Starts a timer that returns unused tokens to the store. Resolves when the number of nodes is
   *  known, or when the store does not answer. */
  async start(): Promise<void> {
    this.#timer = setInterval(() => void this.tick(), tickMs)
    this.#timer.unref()
    await this.tick()
  }

  take(id: string, perMinute: number): RateDecision | Promise<RateDecision> {
    const now = this.#clock.now()
    const rate = this.#rateOf(id)
    rate.limitTo(perMinute)
    if (this.#ticksAway > 0) return this.#takeShare(rate, now)
    if (rate.takeHeld(now)) {
      if (rate.isRunningOut(now)) void this.#ask(id, rate, true)
      return rate.decision(true, now)
    }
    if (!rate.isAsking && rate.isEmpty(now)) return rate.decision(false, now)
    return this.#wait(id, rate)
  }

  /** Returns the tokens of ended leases to the store, and checks that the store answers. */
  tick(): Promise<void> {
    this.#ticking ??= this.#tick().finally(() => {
      this.#ticking = undefined
    })
    return this.#ticking
  }

  /** Returns all tokens of this node to the store. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#stopListening()
    await this.#ticking
    if (this.#ticksAway === 0) await this.#returnTokens(true)
  }

  #rateOf(id: string): SharedRate {
    let rate = this.#rates.get(id)
    if (rate === undefined) {
      rate = new SharedRate()
      this.#rates.set(id, rate)
    }
    return rate
  }

  #wait(id: string, rate: SharedRate): Promise<RateDecision> {
    return new Promise(resolve => {
      rate.waiting.push(isAllowed => {
        const now = this.#clock.now()
        resolve(this.#ticksAway > 0 && !isAllowed ? this.#takeShare(rate, now) : rate.decision(isAllowed, now))
      })
      if (!rate.isAsking) void this.#ask(id, rate, true)
    })
  }

  /** Requests tokens from the store until no caller waits for one, or the store has none left. With
   *  `isForRequests`, also requests tokens in advance for the requests that the node expects
   *  soon. */
  async #ask(id: string, rate: SharedRate, isForRequests: boolean): Promise<void> {
    rate.isAsking = true
    do await this.#askOnce(id, rate, isForRequests || rate.waiting.length > 0)
    while (rate.waiting.length > 0 && this.#ticksAway === 0 && !rate.isEmpty(this.#clock.now()))
    rate.isAsking = false
    for (const end of rate.waiting.splice(0)) end(false)
  }

  async #askOnce(id: string, rate: SharedRate, isForRequests: boolean): Promise<void> {
    const askedAt = this.#clock.now()
    const waiting = rate.waiting.splice(0)
    const { doubtFrom } = rate
    const uncounted = doubtFrom === undefined ? [] : rate.uses.agesSince(doubtFrom, askedAt)
    const ahead = isForRequests ? rate.wanted(askedAt) : 0
    rate.doubtFrom = undefined
    let served = 0
    try {
      const request = { id, perMinute: rate.perMinute, waiting: waiting.length, ahead, unused: rate.takeUnused(), uncounted }
      const leases = await this.#tokens.lease(request)
      rate.take(leases, askedAt, this.#clock.now())
      served = leases.granted
      this.#noteNodes(leases.nodes)
    } catch {
      rate.doubtFrom = doubtFrom ?? rate.doubtFrom
      this.#lost()
    }
    for (const [at, end] of waiting.entries()) end(at < served)
  }

  /** Decides a request without the store: accepts it while this node's share of the limit lasts. */
  #takeShare(rate: SharedRate, now: number): RateDecision {
    const share = this.#nodes === 0 ? 0 : Math.floor(rate.perMinute / this.#nodes)
    const left = share - rate.uses.lastMinute(now)
    const allowed = left > 0
    if (allowed) {
      rate.count(now)
      rate.doubtFrom ??= now
    }
    return {
      allowed,
      limit: rate.perMinute,
      remaining: Math.max(0, left - 1),
      resetSeconds: 60,
      retryAfterSeconds: allowed ? 0 : awayRetrySeconds,
    }
  }

  #lost(): void {
    const wasThere = this.#ticksAway === 0
    this.#ticksAway = ticksToReturn
    if (!wasThere) return
    this.#log.warn('rates: the store does not answer; this node accepts its share of each limit')
    const since = this.#clock.now() - forgottenMs
    for (const rate of this.#rates.values()) {
      rate.dropLeases()
      rate.doubtFrom ??= since
    }
  }

  #noteNodes(count: number): void {
    this.#nodes = Math.max(1, count)
    this.#nodesReadAt = this.#clock.now()
  }

  async #tick(): Promise<void> {
    const now = this.#clock.now()
    if (this.#ticksAway > 0 || now - this.#nodesReadAt >= nodesEveryMs) await this.#look()
    if (this.#ticksAway === 0) await this.#returnTokens(false)
    if (now >= this.#tidyAt) {
      this.#tidyAt = now + tidyEveryMs
      for (const [id, rate] of this.#rates) if (rate.isIdle(now)) this.#rates.delete(id)
    }
  }

  /** Checks that the store answers. After an outage, reports the requests that were accepted during
   *  the outage to the store. */
  async #look(): Promise<void> {
    try {
      this.#noteNodes(await this.#tokens.nodes())
    } catch {
      this.#lost()
      return
    }
    if (this.#ticksAway === 0) return
    await this.#askAll(rate => rate.doubtFrom !== undefined)
    // When one of these reports fails, `#lost` sets `#ticksAway` to its highest value again.
    this.#ticksAway -= 1
    if (this.#ticksAway === 0) this.#log.info('rates: limits are counted over all nodes again')
  }

  async #returnTokens(all: boolean): Promise<void> {
    const now = this.#clock.now()
    await this.#askAll(rate => rate.endLeases(now, all) || rate.doubtFrom !== undefined)
  }

  async #askAll(isDue: (rate: SharedRate) => boolean): Promise<void> {
    const due = [...this.#rates].filter(([, rate]) => isDue(rate) && !rate.isAsking)
    await Promise.all(due.map(([id, rate]) => this.#ask(id, rate, false)))
  }
}
