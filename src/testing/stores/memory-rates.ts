import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { LeaseRequest, Leases, RateTokens } from '../../core/ports/rates.ts'
import type { Clock } from '../../core/ports/store.ts'

export interface MemoryRates extends RateTokens {
  /** The number of nodes that `nodes` reports. */
  nodeCount: number
  /** Number of `lease` calls. */
  calls: number
  /** False while the store does not answer. When it changes to false, the listeners of `onLoss`
   *  are called. */
  isUp: boolean
  /** Called by each `lease`, which waits for the returned promise before it answers. */
  answersAfter(request: LeaseRequest): Promise<void>
  /** Forgets the leases that were granted after `since`. This simulates a crash of the store. */
  forget(since: number): void
  /** Returns how many tokens of an id are taken now. */
  taken(id: string): number
}

/** Tokens that were taken together. They can be taken again a minute after `end`. Times are Unix
 *  milliseconds. */
interface Lease {
  end: number
  tokens: number
  /** Time at which the tokens were taken. */
  at: number
}

/** Returns an implementation of `RateTokens` in memory, for nodes in one process. */
export function createMemoryRates(clock: Clock): MemoryRates {
  const pools = new Map<string, Lease[]>()
  const listeners = new Set<() => void>()
  let isUp = true
  const taken = (id: string) => {
    const kept = (pools.get(id) ?? []).filter(({ end, tokens }) => tokens > 0 && end > clock.now() - 60_000)
    pools.set(id, kept)
    return kept
  }
  const rates: MemoryRates = {
    nodeCount: 1,
    calls: 0,
    answersAfter: async () => {},
    get isUp() {
      return isUp
    },
    set isUp(value) {
      const isLost = isUp && !value
      isUp = value
      if (isLost) for (const listener of listeners) listener()
    },
    forget: since => {
      for (const [id, leases] of pools)
        pools.set(
          id,
          leases.filter(({ at }) => at <= since),
        )
    },
    taken: id => sum(taken(id)),
    async lease(request) {
      rates.calls += 1
      if (!isUp) throw unavailable()
      const leases = grant(taken(request.id), request, clock.now())
      const answer = { ...leases, nodes: rates.nodeCount }
      await rates.answersAfter(request)
      if (!isUp) throw unavailable()
      return answer
    },
    async nodes() {
      if (!isUp) throw unavailable()
      return rates.nodeCount
    },
    onLoss(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  return rates
}

/** Grants tokens for a request and adds them to `held`, the leases under the request's id. */
function grant(held: Lease[], request: LeaseRequest, now: number): Omit<Leases, 'nodes'> {
  const { perMinute, waiting, unused, uncounted } = request
  for (const { lease, tokens } of unused) {
    const returned = held.find(({ end }) => end === lease)
    if (returned) returned.tokens = Math.max(0, returned.tokens - tokens)
  }
  const endOf = (usedAt: number) => (Math.floor(usedAt / 500) + 2) * 500
  for (const { ageMs, requests } of uncounted)
    if (endOf(now - ageMs) > now - 60_000) add(held, { end: endOf(now - ageMs), tokens: requests, at: now })
  const left = Math.max(0, perMinute - sum(held))
  const served = Math.min(left, waiting)
  const ahead = Math.min(request.ahead, Math.floor((left - served) / 8))
  const aheadEnd = endOf(now) + 500
  add(held, { end: endOf(now), tokens: served, at: now })
  add(held, { end: aheadEnd, tokens: ahead, at: now })
  const ends = held.filter(({ tokens }) => tokens > 0).map(({ end }) => end + 60_000 - now)
  return {
    granted: served,
    ahead: { lease: aheadEnd, tokens: ahead, lastsMs: aheadEnd - now },
    free: Math.max(0, perMinute - sum(held)),
    nextInMs: ends.length === 0 ? 0 : Math.min(...ends),
    allInMs: Math.max(0, ...ends),
  }
}

function sum(leases: readonly Lease[]): number {
  return leases.reduce((total, { tokens }) => total + tokens, 0)
}

function add(held: Lease[], lease: Lease): void {
  const same = held.find(({ end }) => end === lease.end)
  if (same) same.tokens += lease.tokens
  else if (lease.tokens > 0) held.push(lease)
}

function unavailable(): GatewayError {
  return new GatewayError('store_unavailable', 'The database does not answer.')
}
