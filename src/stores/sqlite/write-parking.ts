import { number, text } from './values.ts'
import { changed, type WriteContext } from './write-context.ts'

/** Whether a key has as many runnable jobs (ready or leased) as its limit allows. */
export type IsAtLimit = (keyId: string, limit: number) => boolean

export function prepareIsAtLimit(context: WriteContext): IsAtLimit {
  // Counts no further than the limit: a key that had none before may have a long queue.
  const countRunnable = context.prepare(
    `SELECT count(*) AS count FROM (SELECT 1 FROM jobs WHERE key_id = ? AND state IN ('ready', 'leased') LIMIT ?)`,
  )
  return (keyId, limit) => {
    const counted = countRunnable.get(keyId, limit)
    return counted !== undefined && number(counted, 'count') >= limit
  }
}

/** Makes parked jobs of a key ready, oldest first, as far as the limit they were submitted under allows. */
export function prepareUnpark(context: WriteContext): (keyId: string) => void {
  const isAtLimit = prepareIsAtLimit(context)
  const findOldest = context.prepare(
    `SELECT task_id, queue, concurrency_limit FROM jobs WHERE key_id = ? AND state = 'parked' ORDER BY run_at, task_id LIMIT 1`,
  )
  const makeReady = context.prepare(`UPDATE jobs SET state = 'ready' WHERE task_id = ? AND state = 'parked'`)
  return keyId => {
    for (let oldest = findOldest.get(keyId); oldest !== undefined; oldest = findOldest.get(keyId)) {
      if (isAtLimit(keyId, number(oldest, 'concurrency_limit'))) return
      if (!changed(makeReady.run(text(oldest, 'task_id')))) return
      context.signal({ kind: 'job', queue: text(oldest, 'queue') })
    }
  }
}
