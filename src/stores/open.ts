/** Opens the store of tasks, accounts and the ledger: PostgreSQL when the settings name a
 *  database, otherwise SQLite in the data folder. */
import type { Clock } from '../core/ports/store.ts'
import type { SecretKeys } from './sql/seal.ts'
import type { SqlStore } from './sql/store.ts'
import { openSqliteStore } from './sqlite/open.ts'

export interface StoreSettings {
  /** The data folder; the embedded store keeps its database there. */
  dataDir: string
  /** Address of the database that all nodes share; undefined for the embedded store. */
  databaseUrl: string | undefined
  nodeName: string
}

/** Opens the store of tasks, ledger and accounts. The returned store has a property `clock`,
 *  from which all its times come. Tests pass their own `clock`;
 *  without it, the store uses the clock of this machine, or that of the database when several
 *  nodes share it. Throws `store_unavailable` with the reason. */
export async function openStore({ dataDir, databaseUrl, nodeName }: StoreSettings, keys: SecretKeys, clock?: Clock): Promise<SqlStore> {
  if (databaseUrl !== undefined) {
    // Loaded only here, because a gateway on the embedded store needs no client of PostgreSQL.
    const { openPostgresStore } = await import('./postgres/open.ts')
    return openPostgresStore({ url: databaseUrl, ...keys, nodeName, ...(clock ? { clock } : {}) })
  }
  return openSqliteStore({ directory: dataDir, ...keys, ...(clock ? { clock } : {}) })
}
