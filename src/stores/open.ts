/** Opens the stores that the settings name. */
import type { Clock } from '../core/ports/store.ts'
import type { SqlStore } from './sql/store.ts'
import { openSqliteStore } from './sqlite/open.ts'

export interface StoreSettings {
  /** The data folder, of the embedded store. */
  dataDir: string
  /** Address of the database that all nodes share; undefined: the embedded store. */
  databaseUrl: string | undefined
  nodeName: string
}

/** Opens the store of tasks, ledger and accounts; its `clock` gives all times. `secretKey`: 32
 *  bytes. `clock`: for tests; default: this machine's, or the database's for a store of several
 *  nodes. Throws `store_unavailable` with the reason. */
export async function openStore({ dataDir, databaseUrl, nodeName }: StoreSettings, secretKey: Buffer, clock?: Clock): Promise<SqlStore> {
  if (databaseUrl !== undefined) {
    // Loaded only here, because a gateway on the embedded store needs no client of PostgreSQL.
    const { openPostgresStore } = await import('./postgres/open.ts')
    return openPostgresStore({ url: databaseUrl, secretKey, nodeName, ...(clock ? { clock } : {}) })
  }
  return openSqliteStore({ directory: dataDir, secretKey, ...(clock ? { clock } : {}) })
}
