import type { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import {
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
const place = 'The data directory'

/** Migrates the database to the newest version in one transaction; the version is stored in
 *  `user_version`. Returns the versions before and after. Throws `store_unavailable` when the
 *  database is newer than the program and not compatible with it. When a migration fails, throws
 *  its error and changes nothing. */
export function migrate(database: DatabaseSync, migrations: readonly Migration[]): SchemaVersions {
  const state = schemaState(database)
  const due = dueMigrations(state, migrations, place)
  if (due.length > 0) {
    database.exec('BEGIN IMMEDIATE')
    try {
      for (const migration of due) database.exec(migration.sql)
      database.exec(noteCompatible(migrations))
      database.exec(`PRAGMA user_version = ${migrations.length}`)
      database.exec('COMMIT')
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK')
      throw error
    }
  }
  return dueVersions(state, migrations, place)
}

/** Returns the version of the SQLite library. */
export function sqliteVersion(database: DatabaseSync): string {
  return String(database.prepare('SELECT sqlite_version() AS version').get()?.version)
}

/** Returns the version of the schema, and the oldest version whose programs work on it. */
export function schemaState(database: DatabaseSync): SchemaState {
  const version = database.prepare('PRAGMA user_version').get()?.user_version
  if (typeof version !== 'number') throw new GatewayError('store_unavailable', 'The schema version of the data directory cannot be read.')
  if (version === 0) return { version, compatibleFrom: 0 }
  const noted = database.prepare('SELECT value FROM meta WHERE name = ?').get(compatibleRow)?.value
  return { version, compatibleFrom: Number(noted ?? version) }
}

/** Returns the version of the schema, or the newest version that this program knows when the
 *  schema is newer. */
export function knownVersion(database: DatabaseSync): number {
  return Math.min(schemaState(database).version, loadMigrations(migrationsFolder).length)
}
