import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { GatewayError } from '@generation-gateway/kit/errors.ts'

export interface Migration {
  /** Number of the migration, from 1 without gaps. */
  version: number
  /** File name without ending. */
  name: string
  sql: string
  /** The oldest version whose programs work on the schema after this migration (decision 0050). */
  compatibleFrom: number
}

/** The versions that are stored in a database. */
export interface SchemaState {
  /** Version of the database's schema; 0 when the database has no tables. */
  version: number
  /** The oldest version whose programs can still start on this schema. */
  compatibleFrom: number
}

/** Versions of a schema before and after a migration; equal when there was nothing to do. */
export interface SchemaVersions {
  from: number
  to: number
}

/** Row of `meta` with `SchemaState.compatibleFrom`. */
export const compatibleRow = 'compatible_from'

const compatibleLine = /^-- compatible from: (\d+)$/m

/** Returns the migrations in a folder of `0001-name.sql` files, in order. A line `-- compatible
 *  from: 7` says that programs of version 7 and later work on the new schema; without it only new
 *  programs do. Throws `internal_error` when a number is missing or occurs twice. */
export function loadMigrations(folder: string): Migration[] {
  const names = readdirSync(folder).filter(name => name.endsWith('.sql'))
  const migrations = names.sort().map(file => {
    const version = Number.parseInt(file, 10)
    const sql = readFileSync(join(folder, file), 'utf8')
    const compatibleFrom = Number(compatibleLine.exec(sql)?.[1] ?? version)
    return { version, name: file.slice(0, -'.sql'.length), sql, compatibleFrom }
  })
  migrations.forEach((migration, index) => {
    if (migration.version === index + 1) return
    throw new GatewayError('internal_error', `Migration ${migration.name} should be number ${index + 1}.`)
  })
  return migrations
}

/** Returns the migrations that a schema still needs; none when the schema is newer than the
 *  program and compatible with it. Throws `store_unavailable` when the schema is newer and not
 *  compatible; the message begins with `place` (`The database`). */
export function dueMigrations(state: SchemaState, migrations: readonly Migration[], place: string): readonly Migration[] {
  const { version, compatibleFrom } = state
  if (version <= migrations.length) return migrations.slice(version)
  if (compatibleFrom <= migrations.length) return []
  throw new GatewayError(
    'store_unavailable',
    `${place} has schema version ${version}, on which programs of version ${compatibleFrom} and later work; this program knows versions up to ${migrations.length}. Start a newer program.`,
  )
}

/** Returns the oldest version whose programs work on a schema after these migrations. */
export function compatibleAfter(migrations: readonly Migration[]): number {
  return Math.max(0, ...migrations.map(({ compatibleFrom }) => compatibleFrom))
}

/** Returns the version of a schema before and after the migrations that it needs. Throws the
 *  errors of `dueMigrations`. */
export function dueVersions(state: SchemaState, migrations: readonly Migration[], place: string): SchemaVersions {
  return { from: state.version, to: state.version + dueMigrations(state, migrations, place).length }
}

/** Returns SQL that stores in `meta` the oldest version whose programs work on the schema after
 *  these migrations. */
export function noteCompatible(migrations: readonly Migration[]): string {
  return `INSERT INTO meta (name, value) VALUES ('${compatibleRow}', '${compatibleAfter(migrations)}')
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`
}
