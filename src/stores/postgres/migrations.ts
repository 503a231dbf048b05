import { fileURLToPath } from 'node:url'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Client } from 'pg'
import {
  compatibleAfter,
  compatibleRow,
  dueMigrations,
  dueVersions,
  loadMigrations,
  type Migration,
  noteCompatible,
  type SchemaState,
  type SchemaVersions,
} from '../sql/migrations.ts'

export const migrationsFolder = fileURLToPath(new URL('./migrations/', import.meta.url))
/** Key of the lock under which one node migrates while the others wait. */
const migrationLock = 7_264_002
const place = 'The database'

/** Brings the schema to the newest version, in one transaction. Nodes that start at once wait for
 *  the first. Returns the versions before and after. Throws `store_unavailable` when the schema is
 *  newer than the program and not compatible with it, and when nodes are alive that do not work on
 *  the new schema. */
export async function migrate(
  client: Client,
  migrations: readonly Migration[] = loadMigrations(migrationsFolder),
): Promise<SchemaVersions> {
  await client.query('BEGIN')
  try {
    await client.query(`SELECT pg_advisory_xact_lock(${migrationLock})`)
    const state = await schemaState(client)
    const due = dueMigrations(state, migrations, place)
    if (due.length > 0) {
      await assertNoneLeftBehind(client, state, migrations)
      for (const { sql } of due) await client.query(sql)
      await client.query(`INSERT INTO meta (name, value) VALUES ('schema_version', '${migrations.length}')
        ON CONFLICT (name) DO UPDATE SET value = excluded.value`)
      await client.query(noteCompatible(migrations))
    }
    await client.query('COMMIT')
    return dueVersions(state, migrations, place)
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}

/** Returns the version of the schema, and that of the oldest program that works on it. */
export async function schemaState(client: Client): Promise<SchemaState> {
  const found = await client.query(`SELECT CAST(to_regclass('meta') AS TEXT) AS meta`)
  if (found.rows[0]?.meta === null) return { version: 0, compatibleFrom: 0 }
  const { rows } = await client.query(`SELECT name, value FROM meta WHERE name IN ('schema_version', '${compatibleRow}')`)
  const cellOf = (name: string) => rows.find(row => row.name === name)?.value
  const version = Number(cellOf('schema_version') ?? 0)
  return { version, compatibleFrom: Number(cellOf(compatibleRow) ?? version) }
}

/** Nodes of the version before may go on while a schema changes that they work on, and no other. */
async function assertNoneLeftBehind(client: Client, state: SchemaState, migrations: readonly Migration[]): Promise<void> {
  const compatibleFrom = compatibleAfter(migrations)
  if (state.version === 0 || compatibleFrom <= state.version) return
  const nodes = await liveNodes(client)
  if (nodes === 0) return
  throw new GatewayError(
    'store_unavailable',
    `${place} needs schema version ${migrations.length}, on which programs before version ${compatibleFrom} do not work; ${nodes} of its nodes run (schema version ${state.version}). Stop them first.`,
  )
}

/** Returns the number of nodes with a current heartbeat. */
export async function liveNodes(client: Client): Promise<number> {
  const { rows } = await client.query('SELECT CAST(count(*) AS TEXT) AS nodes FROM nodes WHERE dead = 0 AND expires_at > $1', [Date.now()])
  return Number(rows[0]?.nodes)
}
