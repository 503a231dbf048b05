import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { GatewayError } from '@generation-gateway/kit/errors.ts'

export interface Migration {
  /** Counts from 1 without gaps. */
  version: number
  /** File name without ending. */
  name: string
  sql: string
}

/** Returns the migrations in a folder of `0001-name.sql` files, in order. Throws
 *  `internal_error` when a number is missing or occurs twice. */
export function loadMigrations(folder: string): Migration[] {
  const names = readdirSync(folder).filter(name => name.endsWith('.sql'))
  const migrations = names.sort().map(file => ({
    version: Number.parseInt(file, 10),
    name: file.slice(0, -'.sql'.length),
    sql: readFileSync(join(folder, file), 'utf8'),
  }))
  migrations.forEach((migration, index) => {
    if (migration.version === index + 1) return
    throw new GatewayError('internal_error', `Migration ${migration.name} should be number ${index + 1}.`)
  })
  return migrations
}

/** Migrates the database to the newest version in one transaction; the version is stored in
 *  `user_version`. Returns how many migrations ran.
 *  Throws `store_unavailable` when the database is newer than the program, and the error of a
 *  failing migration, with nothing changed. */
export function migrate(database: DatabaseSync, migrations: readonly Migration[]): number {
  const current = schemaVersion(database)
  if (current > migrations.length) {
    throw new GatewayError(
      'store_unavailable',
      `The data directory has schema version ${current}; this program knows versions up to ${migrations.length}. Start a newer program.`,
    )
  }
  const due = migrations.filter(migration => migration.version > current)
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

function schemaVersion(database: DatabaseSync): number {
  const version = database.prepare('PRAGMA user_version').get()?.user_version
  if (typeof version !== 'number') throw new GatewayError('store_unavailable', 'The schema version of the data directory cannot be read.')
  return version
}
