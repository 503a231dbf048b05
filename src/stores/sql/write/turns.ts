/** Chooses the account of a queue whose job is claimed next (decision 0008). The turns are kept
 *  only in the memory of the writer. They determine only the order in which stored jobs are
 *  claimed; when they are lost, or not undone after a rolled back transaction, an account loses
 *  at most one turn. */
export interface Turns {
  /** Returns the number of claims that may be made before `refresh` has to be called; 0 when it
   *  has to be called now. It has to be called from time to time, so that accounts which have
   *  begun to wait are included. */
  untilStale(): number
  /** Sets the accounts that wait now. */
  refresh(accounts: readonly WaitingAccount[]): void
  /** Sets how many jobs each account runs in the queue now, on all nodes and on the claiming
   *  node; accounts not listed run none. */
  countRunning(running: ReadonlyMap<string, number>, onNode?: ReadonlyMap<string, number>): void
  /** Number of accounts known to wait. */
  waiting(): number
  /** Returns the accounts whose jobs are to be claimed next, in order: one entry for each job,
   *  at most `limit`, as if every account had enough jobs. Each entry is the account that runs
   *  the fewest jobs; among equals, the one whose last claim is the oldest, then the one that
   *  has waited longest. The node may run at most `accountLimit` jobs of an account. */
  plan(limit: number, accountLimit?: number): string[]
  /** Records claims made for accounts, one for each job, in their order. */
  claimed(accountIds: readonly string[]): void
  /** Removes an account that has no due job left. */
  leave(accountId: string): void
}

export interface WaitingAccount {
  accountId: string
  /** Time at which the account's oldest waiting job became due. */
  since: number
}

interface AccountTurn extends WaitingAccount {
  running: number
  /** Number of the account's running jobs on the claiming node. */
  runningOnNode: number
  /** Sequence number of the account's last claim; 0 when this is not remembered. */
  turn: number
}

/** While at most `readEachTime` accounts wait, they are read from the database again at each
 *  claim. While more wait, they are read again only after a quarter as many claims as there are
 *  accounts (`readingsPerRound`). A new account then waits for at most a quarter of a round, and
 *  on average a claim costs the reading of four accounts, however many there are. */
const readEachTime = 8
const readingsPerRound = 4
/** Number of accounts whose last claims are remembered. An account whose last claim is older is
 *  treated like one without a claim; it would be near the front in either case. */
const rememberedAccounts = 10_000

export function createTurns(): Turns {
  const places = new Map<string, AccountTurn>()
  // The sequence number of the last claim of each account. The entries are sorted by this number,
  // the oldest claim first.
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
