import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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

/** Returns the migrations that a schema of version `current` still needs. Throws
 *  `store_unavailable` when it is newer than the program; `place` names it (`The database`). */
export function dueMigrations(current: number, migrations: readonly Migration[], place: string): readonly Migration[] {
  if (current <= migrations.length) return migrations.slice(current)
  throw new GatewayError(
    'store_unavailable',
    `${place} has schema version ${current}; this program knows versions up to ${migrations.length}. Start a newer program.`,
  )
}
