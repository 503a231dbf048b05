import { closeSync, existsSync, fsyncSync, openSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { isMissing } from '../files/faults.ts'

/** Name of the database file in a data folder. */
export const databaseName = 'gateway.db'

const busyTimeoutMs = 2000
const synchronousLevels = { OFF: 0, FULL: 2 } as const

/** Throws `store_unavailable` when the data folder does not exist or has no database: a command for
 *  an existing gateway must not create a new database when its path is mistyped. A folder that this
 *  user is not allowed to read passes this check. */
export function assertDatabase(dataDir: string): void {
  try {
    statSync(join(dataDir, databaseName))
  } catch (cause) {
    if (!isMissing(cause)) return
    throw new GatewayError(
      'store_unavailable',
      `There is no database in the data folder ${dataDir}: check GATEWAY_DATA_DIR. A start of the gateway makes one.`,
      { cause },
    )
  }
}

/** Opens the writer's connection: write-ahead log, an fsync at every commit (with `FULL`),
 *  checkpoints only on request. The caller closes the connection. Throws `store_unavailable` when
 *  SQLite did not apply `journal_mode` or `synchronous`. */
export function openForWriting(file: string, synchronous: 'FULL' | 'OFF'): DatabaseSync {
  createPrivately(file)
  const database = new DatabaseSync(file, { timeout: busyTimeoutMs, enableForeignKeyConstraints: false })
  // fullfsync: on macOS, only F_FULLFSYNC writes the data to the medium; on other systems this
  // setting has no effect. wal_autocheckpoint=0: an automatic checkpoint runs within a commit, and
  // if it failed, a commit that is safely on disk would be reported as failed.
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;
    PRAGMA wal_autocheckpoint = 0; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32000; PRAGMA trusted_schema = OFF`)
  assertSetting(database, 'journal_mode', 'wal')
  assertSetting(database, 'synchronous', synchronousLevels[synchronous])
  return database
}

/** Opens a connection that only reads. The caller closes it. */
export function openForReading(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly: true, timeout: busyTimeoutMs })
  database.exec('PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32000; PRAGMA trusted_schema = OFF')
  return database
}

function assertSetting(database: DatabaseSync, name: string, expected: string | number): void {
  const found = database.prepare(`PRAGMA ${name}`).get()?.[name]
  if (found === expected) return
  throw new GatewayError('store_unavailable', `SQLite runs with ${name} ${found}; the store needs ${expected}.`)
}

/** Creates the database file with mode 0600 when it does not exist. SQLite gives its write-ahead
 *  log and its index file the same mode. */
function createPrivately(file: string): void {
  if (existsSync(file)) return
  closeSync(openSync(file, 'wx', 0o600))
  const folder = openSync(dirname(file), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
