import type { StepStatement, Steps } from '../steps.ts'
import { number, optionalNumber, type Row, text } from '../values.ts'
import { changed, type WriteContext } from './context.ts'

/** Key and account of a job, and how many runnable jobs each of them may have. */
export interface ParkingPlace {
  keyId: string
  accountId: string
  concurrencyLimit: number | null
  accountLimit: number | null
}

/** True when a job has to wait: its key or its account has as many runnable jobs (ready or
 *  leased) as its limit allows. */
export type IsParked = (place: ParkingPlace) => Steps<boolean>

export function prepareIsParked(context: WriteContext): IsParked {
  // Counts only up to the limit: a key without a limit before may have a long queue.
  const runnable = `state IN ('ready', 'leased') LIMIT ?`
  const countOfKey = context.prepare(`SELECT count(*) AS count FROM (SELECT 1 FROM jobs WHERE key_id = ? AND ${runnable}) AS counted`)
  const countOfAccount = context.prepare(
    `SELECT count(*) AS count FROM (SELECT 1 FROM jobs WHERE account_id = ? AND account_limit IS NOT NULL AND ${runnable}) AS counted`,
  )
  function* isFull(count: StepStatement, id: string, limit: number | null): Steps<boolean> {
    const counted = limit === null ? undefined : yield* count.get(id, limit)
    return limit !== null && counted !== undefined && number(counted, 'count') >= limit
  }
  return function* ({ keyId, accountId, concurrencyLimit, accountLimit }) {
    return (yield* isFull(countOfKey, keyId, concurrencyLimit)) || (yield* isFull(countOfAccount, accountId, accountLimit))
  }
}

/** Makes parked jobs ready for which the end of a job has made room, oldest first, as far as the
 *  limits they were submitted under allow. */
export function prepareUnpark(context: WriteContext): (ended: { keyId: string; accountId: string }) => Steps<void> {
  const isParked = prepareIsParked(context)
  const keysOf = prepareParkedKeys(context)
  const findOldest = context.prepare(
    `SELECT task_id, queue, key_id, account_id, run_at, concurrency_limit, account_limit
     FROM jobs WHERE key_id = ? AND state = 'parked' ORDER BY run_at, task_id LIMIT 1`,
  )
  const makeReady = context.prepare(`UPDATE jobs SET state = 'ready' WHERE task_id = ? AND state = 'parked'`)
  return function* ({ keyId, accountId }) {
    // Other keys may have waited for the account's limit; a key that is still at its own limit
    // does not block the rest.
    const waiting = new Map<string, Row>()
    function* look(id: string): Steps<void> {
      const oldest = yield* findOldest.get(id)
      if (oldest === undefined || (yield* isParked(placeOf(oldest)))) waiting.delete(id)
      else waiting.set(id, oldest)
    }
    for (const id of new Set([keyId, ...(yield* keysOf(accountId))])) yield* look(id)
    while (waiting.size > 0) {
      const [id, oldest] = [...waiting].reduce((first, each) => (number(each[1], 'run_at') < number(first[1], 'run_at') ? each : first))
      if (yield* isParked(placeOf(oldest))) {
        waiting.delete(id)
        continue
      }
      if (!changed(yield* makeReady.run(text(oldest, 'task_id')))) return
      context.signal({ kind: 'job', queue: text(oldest, 'queue') })
      yield* look(id)
    }
  }
}

/** Keys with parked jobs of an account that has a limit: one index step for each. */
function prepareParkedKeys(context: WriteContext): (accountId: string) => Steps<string[]> {
  const findNext = context.prepare(
    `SELECT key_id FROM jobs WHERE account_id = ? AND account_limit IS NOT NULL AND state = 'parked' AND key_id > ? ORDER BY key_id LIMIT 1`,
  )
  return function* (accountId) {
    const keys: string[] = []
    for (let row = yield* findNext.get(accountId, ''); row !== undefined; row = yield* findNext.get(accountId, text(row, 'key_id')))
      keys.push(text(row, 'key_id'))
    return keys
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
