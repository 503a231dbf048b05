/** Whose job of a queue is claimed next (decision 0008). Lives in the writer thread's memory: it only decides the order of what the database holds,
 *  so losing it, or keeping it over a transaction that is rolled back, costs an account at most one turn. */
export interface Turns {
  /** Whether `refresh` is due: claims were made since, and an account that began to wait meanwhile must be seen soon. */
  isStale(): boolean
  /** Takes the accounts that wait now. */
  refresh(accounts: readonly WaitingAccount[]): void
  /** Takes how many jobs each account runs in the queue now, on all nodes and on the node that claims; those not named run none. */
  countRunning(running: ReadonlyMap<string, number>, onNode?: ReadonlyMap<string, number>): void
  /** How many accounts wait, as far as known. */
  waiting(): number
  /** The account that runs the fewest jobs; among equals the one whose last claim lies furthest back, then the one that waits longest. `room` is how many more jobs of it the node may run, where one account may have `accountLimit` there: those without room are passed over. */
  next(accountLimit?: number): { accountId: string; room: number } | undefined
  /** Notes claims made for the account. */
  claimed(accountId: string, jobs: number): void
  /** Forgets an account that has no due job left. */
  leave(accountId: string): void
}

export interface WaitingAccount {
  accountId: string
  /** When its oldest waiting job was due. */
  since: number
}

interface Place extends WaitingAccount {
  running: number
  /** Those of them that the claiming node runs. */
  runningOnNode: number
  /** Number of its last claim; 0 when none is remembered. */
  turn: number
}

/** So few accounts are read anew at each claim; of more, after a claim for every fourth: a newcomer waits for a quarter of a round at most, and a claim pays for four accounts whatever their number. */
const readEachTime = 8
const readingsPerRound = 4
/** Last claims of accounts that are remembered. Older ones count as none, which keeps their place at the front. */
const rememberedAccounts = 10_000

export function createTurns(): Turns {
  const places = new Map<string, Place>()
  // In the order of their last claims.
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
      let first: Place | undefined
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

function goesBefore(a: Place, b: Place): boolean {
  if (a.running !== b.running) return a.running < b.running
  if (a.turn !== b.turn) return a.turn < b.turn
  return a.since < b.since
}

function forgetOldest(turns: Map<string, number>): void {
  const [oldest = ''] = turns.keys()
  turns.delete(oldest)
}
