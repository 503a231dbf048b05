import { type Steps, sideBySide } from '../steps.ts'
import { number, optionalNumber, type Row, text } from '../values.ts'
import type { WriteContext } from './context.ts'
import { byDueTime, stepwise } from './jobs.ts'

/** The key and the account of a job, and the number of runnable jobs that each of them may have. */
export interface ParkingPlace {
  keyId: string
  accountId: string
  concurrencyLimit: number | null
  accountLimit: number | null
}

/** The numbers of runnable jobs (ready or leased) of some keys and accounts. They are read once
 *  and then updated in memory, which is exact because no other write runs at the same time. */
export interface RunnableCounts {
  /** True when a job has to wait: its key or its account has as many runnable jobs as its limit
   *  allows. */
  isFull(place: ParkingPlace): boolean
  /** Counts a job that has become runnable. */
  add(place: ParkingPlace): void
}

/** Counts the runnable jobs of those keys and accounts in `places` that have limits. */
export type CountRunnable = (places: readonly ParkingPlace[]) => Steps<RunnableCounts>

export function prepareCountRunnable(context: WriteContext): CountRunnable {
  // Counts jobs only up to the limit. A key that had no limit before may have very many jobs.
  const countOf = (owner: string) =>
    context.prepareEach(
      ({ text, whole, from }) =>
        `SELECT ${text(0)} AS id, (SELECT count(*) FROM
           (SELECT 1 FROM jobs WHERE ${owner} = ${text(0)} AND state IN ('ready', 'leased') LIMIT ${whole(1)}) AS counted) AS count ${from}`,
    )
  const countOfKeys = countOf('key_id')
  const countOfAccounts = countOf('account_limit IS NOT NULL AND account_id')
  return function* (places) {
    const keyLimits = largestLimits(places, ({ keyId, concurrencyLimit }) => [keyId, concurrencyLimit])
    const accountLimits = largestLimits(places, ({ accountId, accountLimit }) => [accountId, accountLimit])
    if (keyLimits.length + accountLimits.length === 0) return unlimited
    const [keyRows, accountRows] = yield* sideBySide([countOfKeys.get(keyLimits), countOfAccounts.get(accountLimits)])
    const [keys, accounts] = [countsIn(keyRows), countsIn(accountRows)]
    return {
      isFull({ keyId, accountId, concurrencyLimit, accountLimit }) {
        return isReached(keys.get(keyId), concurrencyLimit) || isReached(accounts.get(accountId), accountLimit)
      },
      add({ keyId, accountId, accountLimit }) {
        keys.set(keyId, (keys.get(keyId) ?? 0) + 1)
        if (accountLimit !== null) accounts.set(accountId, (accounts.get(accountId) ?? 0) + 1)
      },
    }
  }
}

const unlimited: RunnableCounts = { isFull: () => false, add: () => {} }

/** Returns each id with the largest limit that one of the places has for it. */
function largestLimits(
  places: readonly ParkingPlace[],
  of: (place: ParkingPlace) => [id: string, limit: number | null],
): [string, number][] {
  const limits = new Map<string, number>()
  for (const place of places) {
    const [id, limit] = of(place)
    if (limit !== null) limits.set(id, Math.max(limit, limits.get(id) ?? 0))
  }
  return [...limits]
}

function countsIn(rows: readonly Row[]): Map<string, number> {
  return new Map(rows.map(row => [text(row, 'id'), number(row, 'count')]))
}

function isReached(count = 0, limit: number | null): boolean {
  return limit !== null && count >= limit
}

/** Number of parked jobs of a key that are read together. */
const parkedAtOnce = 64

interface Ended {
  keyId: string
  accountId: string
}

/** Returns a function that makes parked jobs ready after other jobs have ended: the oldest
 *  first, and only as many as the limits with which they were submitted allow. */
export function prepareUnpark(context: WriteContext): (ended: readonly Ended[]) => Steps<void> {
  const countRunnable = prepareCountRunnable(context)
  const keysOf = prepareParkedKeys(context)
  // The limit is written into the statement, because SQLite then sorts fewer rows.
  const oldest = (limit: number) =>
    context.prepare(
      `SELECT task_id, queue, key_id, account_id, run_at, concurrency_limit, account_limit
       FROM jobs WHERE key_id = ? AND state = 'parked' ORDER BY run_at, task_id LIMIT ${limit}`,
    )
  const [findTwo, findMany] = [oldest(2), oldest(parkedAtOnce)]
  const makeReady = context.prepareEach(({ text, from }) => `UPDATE jobs SET state = 'ready' ${from} WHERE task_id = ${text(0)}`)
  /** Makes jobs ready as far as the limits allow. `oldest` contains the oldest parked jobs of some
   *  keys. Returns the keys for which all of these jobs became ready; such a key may have further
   *  parked jobs. */
  function* unparkOf(oldest: readonly Row[][]): Steps<string[]> {
    const waiting = oldest.flat().sort(byDueTime)
    if (waiting.length === 0) return []
    const counts = yield* countRunnable(waiting.map(placeOf))
    const ready: Row[] = []
    // When a limit does not allow the oldest job of a key yet, the key's other jobs wait too, but
    // the jobs of other keys do not.
    const blocked = new Set<string>()
    for (const job of waiting) {
      const place = placeOf(job)
      if (blocked.has(place.keyId)) continue
      if (counts.isFull(place)) blocked.add(place.keyId)
      else {
        counts.add(place)
        ready.push(job)
        context.signal({ kind: 'job', queue: text(job, 'queue') })
      }
    }
    makeReady.send(ready.map(job => [text(job, 'task_id')]))
    return [...new Set(waiting.map(job => text(job, 'key_id')))].filter(key => !blocked.has(key))
  }
  return function* (ended) {
    // After the end of a single job there is usually room for one other job. A second one is read
    // to find out that there is no more room.
    const findOldest = ended.length === 1 ? findTwo : findMany
    const own = new Set(ended.map(({ keyId }) => keyId))
    const ofOwn = [...own].map(key => findOldest.all(key))
    // Jobs of other keys of the same account may be parked because of the account's limit.
    const found = yield* sideBySide([...new Set(ended.map(({ accountId }) => accountId))].map(keysOf))
    const ofOthers = [...new Set(found.flat())].filter(key => !own.has(key)).map(key => findOldest.all(key))
    let keys = yield* unparkOf(yield* sideBySide([...ofOwn, ...ofOthers]))
    while (keys.length > 0) keys = yield* unparkOf(yield* sideBySide(keys.map(key => findOldest.all(key))))
  }
}

/** Returns a function that finds the keys of an account that have jobs parked because of the
 *  account's limit. It takes one index lookup for each key. */
function prepareParkedKeys(context: WriteContext): (accountId: string) => Steps<string[]> {
  const find = context.prepare(stepwise('jobs', 'key_id', `account_id = ?1 AND account_limit IS NOT NULL AND state = 'parked'`))
  return function* (accountId) {
    return (yield* find.all(accountId)).map(row => text(row, 'key_id'))
  }
}

function placeOf(row: Row): ParkingPlace {
  return {
    keyId: text(row, 'key_id'),
    accountId: text(row, 'account_id'),
    concurrencyLimit: optionalNumber(row, 'concurrency_limit'),
    accountLimit: optionalNumber(row, 'account_limit'),
  }
}
