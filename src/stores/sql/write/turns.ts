/** Chooses the account of a queue whose job is claimed next (decision 0008). Lives in the writer
 *  thread's memory: it only determines the order in which stored jobs are claimed,
 *  so losing it, or keeping it over a transaction that is rolled back, costs an account at most
 *  one turn. */
export interface Turns {
  /** True when `refresh` is due: claims were made since, and an account that has started to wait
   *  meanwhile must be seen soon. */
  isStale(): boolean
  /** Sets the accounts that wait now. */
  refresh(accounts: readonly WaitingAccount[]): void
  /** Sets how many jobs each account runs in the queue now, on all nodes and on the claiming
   *  node; accounts not listed run none. */
  countRunning(running: ReadonlyMap<string, number>, onNode?: ReadonlyMap<string, number>): void
  /** Number of accounts known to wait. */
  waiting(): number
  /** Returns the account that runs the fewest jobs; among equals the one whose last claim is the
   *  oldest, then the one that has waited longest. `room` is the number of further jobs of it
   *  that the node may run, where one account may have `accountLimit` there: accounts without
   *  room are skipped. */
  next(accountLimit?: number): { accountId: string; room: number } | undefined
  /** Records claims made for the account. */
  claimed(accountId: string, jobs: number): void
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
    isStale: () => places.size <= readEachTime || claimsSinceRefresh * readingsPerRound >= places.size,
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
    next(accountLimit = Number.POSITIVE_INFINITY) {
      let first: AccountTurn | undefined
      for (const place of places.values()) {
        if (place.runningOnNode >= accountLimit) continue
        if (first === undefined || goesBefore(place, first)) first = place
      }
      return first && { accountId: first.accountId, room: accountLimit - first.runningOnNode }
    },
    claimed(accountId, jobs) {
      turn += 1
      claimsSinceRefresh += jobs
      lastTurns.delete(accountId)
      lastTurns.set(accountId, turn)
      if (lastTurns.size > rememberedAccounts) forgetOldest(lastTurns)
      const place = places.get(accountId)
      if (place === undefined) return
      place.turn = turn
      place.running += jobs
      place.runningOnNode += jobs
    },
    leave(accountId) {
      places.delete(accountId)
    },
  }
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
