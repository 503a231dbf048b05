import { GatewayError } from '@generation-gateway/kit/errors.ts'
import pg from 'pg'
import { describeFault } from './faults.ts'
import { types } from './link.ts'

const connectMs = 10_000

/** Connects for a command that works on the whole database: its statements may take as long as
 *  they need. The caller ends the connection. Throws `store_unavailable` with the reason. */
export async function connectForTool(url: string, name: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    pipeline: true,
    types,
    fallback_application_name: name,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
  })
  // The statement that is under way reports a lost connection.
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    client.end().catch(() => {})
    throw new GatewayError('store_unavailable', `The database cannot be reached: ${describeFault(error)}.`)
  }
  return client
}
