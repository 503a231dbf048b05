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
/** Key of the lock that a node holds while it migrates the schema; other nodes wait for it. */
const migrationLock = 7_264_002
const place = 'The database'
/** PostgreSQL's error code for a transaction that it ended because of a deadlock. */
const deadlock = '40P01'
const mostAttempts = 5

/** Migrates the schema to the newest version in one transaction. When several nodes start at the
 *  same time, one migrates and the others wait. Returns the versions before and after. Throws
 *  `store_unavailable` when the schema is newer than the program and not compatible with it, and
 *  when live nodes run a program that is too old for the new schema. */
export async function migrate(
  client: Client,
  migrations: readonly Migration[] = loadMigrations(migrationsFolder),
): Promise<SchemaVersions> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await migrateOnce(client, migrations)
    } catch (error) {
      // Other nodes keep working during a migration. They may lock its tables in another order,
      // which can cause a deadlock; the migration is then tried again.
      if (Object(error).code !== deadlock || attempt === mostAttempts) throw error
    }
  }
}

async function migrateOnce(client: Client, migrations: readonly Migration[]): Promise<SchemaVersions> {
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
    // A rollback fails when the connection is lost. Its error is ignored, because the first error
    // says more.
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}

/** Returns the version of the schema, and the oldest version whose programs work on it. */
export async function schemaState(client: Client): Promise<SchemaState> {
  const found = await client.query(`SELECT CAST(to_regclass('meta') AS TEXT) AS meta`)
  if (found.rows[0]?.meta === null) return { version: 0, compatibleFrom: 0 }
  const { rows } = await client.query(`SELECT name, value FROM meta WHERE name IN ('schema_version', '${compatibleRow}')`)
  const cellOf = (name: string) => rows.find(row => row.name === name)?.value
  const version = Number(cellOf('schema_version') ?? 0)
  return { version, compatibleFrom: Number(cellOf(compatibleRow) ?? version) }
}

/** Throws `store_unavailable` when a node is alive whose program is too old for the schema after
 *  these migrations. Older programs that work on the new schema may keep running. */
async function assertNoneLeftBehind(client: Client, state: SchemaState, migrations: readonly Migration[]): Promise<void> {
  if (state.version === 0) return
  const compatibleFrom = compatibleAfter(migrations)
  const behind = (await aliveNodes(client)).filter(({ schema = state.version }) => schema < compatibleFrom)
  if (behind.length === 0) return
  const names = behind.slice(0, 5).map(({ name, schema = state.version }) => `${name} (version ${schema})`)
  throw new GatewayError(
    'store_unavailable',
    `${place} needs schema version ${migrations.length}, on which programs before version ${compatibleFrom} do not work; ${behind.length} of them run: ${names.join(', ')}. Stop them first.`,
  )
}

/** Returns the nodes with a current heartbeat. `schema` is the version of the schema that the
 *  node's program knows; absent when the node has not reported it. */
async function aliveNodes(client: Client): Promise<{ name: string; schema?: number }[]> {
  // The row is read as a whole, because older versions of the table lack some of its columns.
  const alive = 'SELECT id, to_jsonb(nodes) AS node FROM nodes WHERE dead = 0 AND expires_at > extract(epoch FROM clock_timestamp()) * 1000'
  const { rows } = await client.query(alive)
  return rows.map(({ id, node }) => {
    const { schema } = Object(JSON.parse(node.facts ?? '{}'))
    return { name: node.name || id, ...(typeof schema === 'number' ? { schema } : {}) }
  })
}

/** Returns the number of nodes with a current heartbeat. */
export async function liveNodes(client: Client): Promise<number> {
  return (await aliveNodes(client)).length
}
