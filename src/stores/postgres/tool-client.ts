import type pg from 'pg'
import { PostgresLink } from './link.ts'
import { startFault } from './start-fault.ts'
import { type PostgresTimes, toolTimes } from './times.ts'
import { checkedUrl } from './url.ts'

/** Opens a connection for work on the whole database, such as a migration, whose statements may
 *  take any time. Waits a little when the server does not accept connections yet. The caller
 *  closes the connection. Throws `store_unavailable` with the reason. */
export async function connectForTool(url: string, name: string, times: PostgresTimes = toolTimes): Promise<pg.Client> {
  try {
    return await new PostgresLink({ url: checkedUrl(url), times, name }).firstClient(times.patienceMs)
  } catch (error) {
    throw startFault(error, url)
  }
}
