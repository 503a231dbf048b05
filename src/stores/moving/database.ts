/** Opens a database to export or import its rows directly, without the store that a gateway puts
 *  on top of it. */
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Client } from 'pg'
import { makeFolders } from '../files/data-folder.ts'
import type { StoreSettings } from '../open.ts'
import { PostgresConnection } from '../postgres/connection.ts'
import { describeFault as describePostgresFault } from '../postgres/faults.ts'
import * as postgres from '../postgres/migrations.ts'
import { connectForTool } from '../postgres/tool-client.ts'
import { loadMigrations, type SchemaVersions } from '../sql/migrations.ts'
import type { Connection } from '../sql/statements.ts'
import { SqliteConnection } from '../sqlite/connection.ts'
import { assertDatabase, databaseName, openForWriting } from '../sqlite/database.ts'
import { describeFault as describeSqliteFault } from '../sqlite/faults.ts'
import * as sqlite from '../sqlite/migrations.ts'
import { takeOwnership } from '../sqlite/owner.ts'

export type StoreKind = 'sqlite' | 'postgres'

export interface MovedDatabase {
  kind: StoreKind
  /** Name of the database in messages. It is also the context under which the check word for the
   *  secret key is encrypted. */
  place: string
  connection: Connection
  /** Runs a statement without parameters. */
  run(sql: string): Promise<void>
  /** Returns the number of nodes that use the database; 0 on SQLite, because the data folder is
   *  locked while it is open here. */
  liveNodes(): Promise<number>
  /** Returns the text of an error of the database. */
  describe(error: unknown): string
  close(): Promise<void>
}

/** Key of the PostgreSQL lock that a running import holds. */
const importLock = 7_264_004
const lockMs = 5_000

/** Opens the database for reading. Throws `store_unavailable` when there is no database, when a
 *  gateway runs on the data folder, or when the version of its schema is not that of this
 *  program. */
export async function openSource(settings: StoreSettings): Promise<MovedDatabase> {
  const { dataDir, databaseUrl } = settings
  if (databaseUrl !== undefined) {
    const client = await connectForTool(databaseUrl, 'gateway export')
    return guarded(ofPostgres(client), async () => {
      const { version } = await postgres.schemaState(client)
      assertCurrent({ from: version, to: loadMigrations(postgres.migrationsFolder).length }, 'The database')
    })
  }
  assertDatabase(dataDir)
  const opened = ofFolder(dataDir)
  return guarded(opened, async () => {
    const { version } = sqlite.schemaState(opened.database)
    assertCurrent({ from: version, to: loadMigrations(sqlite.migrationsFolder).length }, `The data folder ${dataDir}`)
  })
}

/** Opens the database for writing, and migrates its schema to the newest version. Throws
 *  `store_unavailable` when a gateway runs on the data folder, when another import into the
 *  database is running, and when the schema cannot be migrated. */
export async function openTarget(settings: StoreSettings): Promise<MovedDatabase> {
  const { dataDir, databaseUrl } = settings
  if (databaseUrl !== undefined) {
    const client = await connectForTool(databaseUrl, 'gateway import')
    return guarded(ofPostgres(client), async () => {
      await lockForImport(client)
      await postgres.migrate(client)
    })
  }
  makeFolders(resolve(dataDir))
  const opened = ofFolder(dataDir)
  return guarded(opened, async () => {
    // With a limit, SQLite copies the write-ahead log into the database from time to time.
    // Otherwise the log would grow to the size of the archive.
    opened.database.exec('PRAGMA wal_autocheckpoint = 2000')
    sqlite.migrate(opened.database, loadMigrations(sqlite.migrationsFolder))
  })
}

/** Takes the lock for an import. It retries for a few seconds, because the server notices a
 *  little late that a killed import has ended. */
async function lockForImport(client: Client): Promise<void> {
  const until = performance.now() + lockMs
  for (;;) {
    const { rows } = await client.query(`SELECT pg_try_advisory_lock(${importLock}) AS got`)
    if (rows[0]?.got === 1) return
    if (performance.now() > until) throw new GatewayError('store_unavailable', 'Another import into this database is running.')
    await sleep(100)
  }
}

async function guarded(database: MovedDatabase, prepare: () => Promise<void>): Promise<MovedDatabase> {
  try {
    await prepare()
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

function assertCurrent({ from, to }: SchemaVersions, place: string): void {
  if (from === to) return
  const advice = from < to ? 'Run gateway migrate first.' : 'Use the newer program.'
  throw new GatewayError('store_unavailable', `${place} has schema version ${from}; this program moves version ${to}. ${advice}`)
}

function ofPostgres(client: Client): MovedDatabase {
  return {
    kind: 'postgres',
    place: 'the database',
    connection: new PostgresConnection(query => client.query(query)),
    run: async sql => void (await client.query(sql)),
    liveNodes: () => postgres.liveNodes(client),
    describe: describePostgresFault,
    close: () => client.end(),
  }
}

/** Opens the database of a data folder. The connection may write even for an export, because
 *  only such a connection can read what a killed process has left in the write-ahead log. */
function ofFolder(directory: string): MovedDatabase & { database: ReturnType<typeof openForWriting> } {
  const lock = takeOwnership(directory)
  try {
    const database = openForWriting(join(directory, databaseName), 'FULL')
    return {
      kind: 'sqlite',
      place: 'the data directory',
      database,
      connection: new SqliteConnection(database),
      run: async sql => database.exec(sql),
      liveNodes: async () => 0,
      describe: describeSqliteFault,
      close: async () => {
        database.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}
