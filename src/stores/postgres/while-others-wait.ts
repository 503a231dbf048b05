import type pg from 'pg'
import { unavailable } from './faults.ts'
import { type LinkOptions, PostgresLink } from './link.ts'

/** Key of the lock that a node holds while it runs exclusive work (`SqlStoreParts.exclusively`). */
const startLock = 7_264_003

/** Runs the work while it holds a lock of the database, so that no other node runs such work at
 *  the same time. The lock is held on a connection of its own, so that the work can write
 *  through the store's connection. Throws `store_unavailable` when another node holds the lock
 *  for too long. */
export async function whileOthersWait<Result>(options: LinkOptions, work: () => Promise<Result>): Promise<Result> {
  const link = new PostgresLink(options)
  try {
    const client = await link.client()
    await client.query('BEGIN')
    await client.query(`SELECT pg_advisory_xact_lock(${startLock})`).catch(error => {
      throw unavailable(error)
    })
    using _beat = keepBusy(client, options.times.idleMs)
    return await work()
  } finally {
    // Closing the connection releases the lock.
    await link.close()
  }
}

/** Sends a statement from time to time, until it is disposed of. Otherwise the server would end
 *  the transaction of the lock after `idleMs`, while the work is still running. When this
 *  process hangs, it sends nothing, and the server gives the lock to another node. */
function keepBusy(client: pg.Client, idleMs: number): Disposable {
  const timer = idleMs === 0 ? undefined : setInterval(() => client.query('SELECT 1').catch(() => {}), idleMs / 3).unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
