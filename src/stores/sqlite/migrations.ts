import type { DatabaseSync } from 'node:sqlite'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { dueMigrations, type Migration } from '../sql/migrations.ts'

/** Migrates the database to the newest version in one transaction; the version is stored in
 *  `user_version`. Returns how many migrations ran.
 *  Throws `store_unavailable` when the database is newer than the program, and the error of a
 *  failing migration, with nothing changed. */
export function migrate(database: DatabaseSync, migrations: readonly Migration[]): number {
  const current = schemaVersion(database)
  const due = dueMigrations(current, migrations, 'The data directory')
  if (due.length === 0) return 0
  database.exec('BEGIN IMMEDIATE')
  try {
    for (const migration of due) database.exec(migration.sql)
    database.exec(`PRAGMA user_version = ${migrations.length}`)
    database.exec('COMMIT')
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
  return due.length
}

/** Returns the version of the SQLite library. */
export function sqliteVersion(database: DatabaseSync): string {
  return String(database.prepare('SELECT sqlite_version() AS version').get()?.version)
}

/** Returns the version of the schema. Throws `store_unavailable`. */
export function schemaVersion(database: DatabaseSync): number {
  const version = database.prepare('PRAGMA user_version').get()?.user_version
  if (typeof version !== 'number') throw new GatewayError('store_unavailable', 'The schema version of the data directory cannot be read.')
  return version
}
