import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { NodeSignal } from '../../core/ports/signals.ts'
import type { Clock, StoreSignal } from '../../core/ports/store.ts'
import { Listeners } from '../listeners.ts'
import { createSealBox, type SecretKeys } from '../sql/seal.ts'
import { checkSecretKey } from '../sql/secret-key/check-words.ts'
import { SqlStore } from '../sql/store.ts'
import { SqliteConnection } from './connection.ts'
import { databaseName, openForReading } from './database.ts'
import { isSqliteFault } from './faults.ts'
import { knownVersion, migrationsFolder, sqliteVersion } from './migrations.ts'
import { takeOwnership } from './owner.ts'
import { assertRestored } from './restoring.ts'
import { WriterClient } from './writer-client.ts'

export { readOwner, writeOwnerUrl } from './owner.ts'

export interface SqliteStoreOptions extends SecretKeys {
  /** The data directory; created with mode 0700 when missing. Holds `gateway.db`, `owner.db` and
   *  `owner.json`. */
  directory: string
  /** Default: the system clock. */
  clock?: Clock
  /** `FULL`, the default, waits for the disk at every commit. `OFF` leaves this to the operating
   *  system, so that a power failure loses acknowledged tasks; it is for measurements only. */
  synchronous?: 'FULL' | 'OFF'
}

/** Opens the embedded store and makes this process the owner of the directory until `close`.
 *  Jobs and deliveries that an earlier process held become ready again. Throws
 *  `store_unavailable` when another process owns the directory (named in the message), when the
 *  schema of the database is too new for the program, when the secret key is not the one with
 *  which the store was created, when a restore or an import is not complete, or when the disk
 *  fails. */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqlStore> {
  const { directory, clock = { now: Date.now }, synchronous = 'FULL' } = options
  const box = createSealBox(options)
  const session = randomUUID()
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  chmodSync(directory, 0o700)
  assertRestored(directory)
  const lock = takeOwnership(directory)
  const listeners = new Listeners<StoreSignal>()
  const databaseFile = join(directory, databaseName)
  const writer = new WriterClient({ databaseFile, synchronous, migrationsFolder }, signals => listeners.publish(...signals))
  let database: DatabaseSync | undefined
  const close = async () => {
    // The connection that is closed last copies the write-ahead log into the database and removes
    // the log. This is the writer's connection. When the disk has failed, the writer's connection
    // is closed first, so that the log stays for the next start.
    if (writer.isBroken) await writer.close()
    database?.close()
    await writer.close()
    lock.release()
  }
  try {
    await writer.opened()
    database = openForReading(databaseFile)
    const connection = new SqliteConnection(database)
    await checkSecretKey({ connection, writer, box, kind: 'sqlite' })
    // Only one process at a time uses this store. At its start, every lease and every hold of a
    // call in the database therefore belongs to a process that has ended.
    await writer.run('requeueDead', { now: clock.now(), allNodes: true, session })
    const about = { kind: 'sqlite' as const, version: sqliteVersion(database), schema: knownVersion(database) }
    const signals = new Listeners<NodeSignal>()
    const parts = { about, connection, writer, box, session, listeners, clock, signals, rates: undefined, otherNodes: undefined }
    const exclusively = <Result>(work: () => Promise<Result>) => work()
    return new SqlStore({ ...parts, exclusively, cachesTasks: true, isFault: isSqliteFault, close })
  } catch (error) {
    await close()
    throw error
  }
}
