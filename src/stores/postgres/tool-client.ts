import type pg from 'pg'
import { PostgresLink } from './link.ts'
import { startFault } from './start-fault.ts'
import { type PostgresTimes, toolTimes } from './times.ts'
import { checkedUrl } from './url.ts'

/** Connects for work on the whole database, such as a migration: its statements may take as long as
 *  they need. Waits a little for a server that is not there yet. The caller ends the connection.
 *  Throws `store_unavailable` with the reason. */
export async function connectForTool(url: string, name: string, times: PostgresTimes = toolTimes): Promise<pg.Client> {
  try {
    return await new PostgresLink({ url: checkedUrl(url), times, name }).firstClient(times.patienceMs)
  } catch (error) {
    throw startFault(error, url)
  }
}
