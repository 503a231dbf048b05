import { unavailable } from './faults.ts'
import { type LinkOptions, PostgresLink } from './link.ts'

/** Key of the lock that `exclusively` holds. */
const startLock = 7_264_003

/** Holds a lock of the database on a connection of its own, so that the work may write. Throws
 *  `store_unavailable` when another node holds it too long. */
export async function whileOthersWait<Result>(options: LinkOptions, work: () => Promise<Result>): Promise<Result> {
  const link = new PostgresLink(options)
  try {
    const client = await link.client()
    await client.query('BEGIN')
    await client.query(`SELECT pg_advisory_xact_lock(${startLock})`).catch(error => {
      throw unavailable(error)
    })
    return await work()
  } finally {
    // The end of the connection frees the lock.
    await link.close()
  }
}
