import { fileURLToPath } from 'node:url'
import type { Client } from 'pg'
import { dueMigrations, loadMigrations } from '../sql/migrations.ts'

const folder = fileURLToPath(new URL('./migrations/', import.meta.url))
/** Key of the lock under which one node migrates while the others wait. */
const migrationLock = 7_264_002

/** Brings the schema to the newest version, in one transaction, and returns that version. Nodes
 *  that start at once wait for the first. Throws `store_unavailable` when the schema is newer
 *  than the program. */
export async function migrate(client: Client): Promise<number> {
  const migrations = loadMigrations(folder)
  await client.query('BEGIN')
  try {
    await client.query(`SELECT pg_advisory_xact_lock(${migrationLock})`)
    const due = dueMigrations(await schemaVersion(client), migrations, 'The database')
    for (const { sql } of due) await client.query(sql)
    if (due.length > 0)
      await client.query(`INSERT INTO meta (name, value) VALUES ('schema_version', '${migrations.length}')
        ON CONFLICT (name) DO UPDATE SET value = excluded.value`)
    await client.query('COMMIT')
    return migrations.length
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}

/** 0 for a database without tables of the gateway. */
async function schemaVersion(client: Client): Promise<number> {
  const found = await client.query(`SELECT to_regclass('meta') IS NOT NULL AS has_meta`)
  if (found.rows[0]?.has_meta !== 1) return 0
  const { rows } = await client.query(`SELECT value FROM meta WHERE name = 'schema_version'`)
  return Number(rows[0]?.value ?? 0)
}
