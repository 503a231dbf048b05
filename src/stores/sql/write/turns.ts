/** Chooses the account of a queue whose job is claimed next (decision 0008). Lives in the writer
 *  thread's memory: it only determines the order in which stored jobs are claimed,
 *  so losing it, or keeping it over a transaction that is rolled back, costs an account at most
 *  one turn. */
export interface Turns {
  /** Returns the number of claims before `refresh` is due, 0 when it is: an account that has
   *  started to wait meanwhile must be seen soon. */
  untilStale(): number
  /** Sets the accounts that wait now. */
  refresh(accounts: readonly WaitingAccount[]): void
  /** Sets how many jobs each account runs in the queue now, on all nodes and on the claiming
   *  node; accounts not listed run none. */
  countRunning(running: ReadonlyMap<string, number>, onNode?: ReadonlyMap<string, number>): void
  /** Number of accounts known to wait. */
  waiting(): number
  /** Returns the accounts whose jobs are to be claimed next, in turn, one for each job, as if
   *  all of them had enough: always the account that runs the fewest jobs; among equals the one
   *  whose last claim is the oldest, then the one that has waited longest. At most `limit`. The
   *  node may run at most `accountLimit` jobs of an account. */
  plan(limit: number, accountLimit?: number): string[]
  /** Records claims made for accounts, one for each job, in their order. */
  claimed(accountIds: readonly string[]): void
  /** Removes an account that has no due job left. */
  leave(accountId: string): void
}

export interface WaitingAccount {
  accountId: string
  /** Time at which its oldest waiting job became due. */
  since: number
}

interface AccountTurn extends WaitingAccount {
  running: number
  /** Number of its running jobs on the claiming node. */
  runningOnNode: number
  /** Number of its last claim; 0 when it is not remembered. */
  turn: number
}

/** Up to this many accounts are read anew at each claim; more are read anew after claims for a
 *  quarter of them: a newcomer waits for a quarter of a round at most, and a claim costs the
 *  reading of four accounts, whatever their number. */
const readEachTime = 8
const readingsPerRound = 4
/** Number of accounts whose last claims are remembered. Older ones count as never claimed, which
 *  keeps their place at the front. */
const rememberedAccounts = 10_000

export function createTurns(): Turns {
  const places = new Map<string, AccountTurn>()
  // Sorted by last claim, oldest first.
  const lastTurns = new Map<string, number>()
  let turn = 0
  let claimsSinceRefresh = 0
  return {
    untilStale() {
      if (places.size <= readEachTime) return 0
      return Math.max(0, Math.ceil(places.size / readingsPerRound) - claimsSinceRefresh)
    },
    refresh(accounts) {
      claimsSinceRefresh = 0
      places.clear()
      for (const { accountId, since } of accounts)
        places.set(accountId, { accountId, since, running: 0, runningOnNode: 0, turn: lastTurns.get(accountId) ?? 0 })
    },
    countRunning(running, onNode) {
      for (const place of places.values()) {
        place.running = running.get(place.accountId) ?? 0
        place.runningOnNode = onNode?.get(place.accountId) ?? 0
      }
    },
    waiting: () => places.size,
    plan(limit, accountLimit = Number.POSITIVE_INFINITY) {
      const [only, ...others] = places.values()
      if (only === undefined) return []
      if (others.length === 0) return Array(Math.max(0, Math.min(limit, accountLimit - only.runningOnNode))).fill(only.accountId)
      const planned: string[] = []
      const copies = [only, ...others].map(place => ({ ...place }))
      while (planned.length < limit) {
        const first = firstOf(copies, accountLimit)
        if (first === undefined) break
        planned.push(first.accountId)
        Object.assign(first, { running: first.running + 1, runningOnNode: first.runningOnNode + 1, turn: turn + planned.length })
      }
      return planned
    },
    claimed(accountIds) {
      claimsSinceRefresh += accountIds.length
      for (const accountId of accountIds) {
        turn += 1
        lastTurns.delete(accountId)
        lastTurns.set(accountId, turn)
        if (lastTurns.size > rememberedAccounts) forgetOldest(lastTurns)
        const place = places.get(accountId)
        if (place === undefined) continue
        place.turn = turn
        place.running += 1
        place.runningOnNode += 1
      }
    },
    leave(accountId) {
      places.delete(accountId)
    },
  }
}

function firstOf(places: readonly AccountTurn[], accountLimit: number): AccountTurn | undefined {
  let first: AccountTurn | undefined
  for (const place of places) {
    if (place.runningOnNode >= accountLimit) continue
    if (first === undefined || goesBefore(place, first)) first = place
  }
  return first
}

function goesBefore(a: AccountTurn, b: AccountTurn): boolean {
  if (a.running !== b.running) return a.running < b.running
  if (a.turn !== b.turn) return a.turn < b.turn
  return a.since < b.since
}

function forgetOldest(turns: Map<string, number>): void {
  const [oldest = ''] = turns.keys()
  turns.delete(oldest)
}
