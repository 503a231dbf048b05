/** The tables that move between stores, read from the schema of this program. */
import { DatabaseSync } from 'node:sqlite'
import { loadMigrations } from '../sql/migrations.ts'
import { migrate, migrationsFolder } from '../sqlite/migrations.ts'

export type ColumnType = 'text' | 'integer' | 'real'

export interface MovedTable {
  name: string
  columns: { name: string; type: ColumnType }[]
  /** The primary key, in order: rows move in this order. */
  key: string[]
  /** Condition of the rows that move; absent: all. */
  only?: string
  /** True when the database counts the primary key up. */
  isNumbered: boolean
}

/** Nodes are processes of the source. */
const tablesOfNodes: ReadonlySet<string> = new Set(['nodes'])
/** The other rows of `meta` belong to one database: versions, the check of the secret key, counters
 *  of its nodes. */
const movedMeta = `name IN ('file_generation')`
const types: Readonly<Record<string, ColumnType>> = { TEXT: 'text', INTEGER: 'integer', REAL: 'real' }

/** Returns the tables, in the order in which they move. PostgreSQL has the same ones with the same
 *  columns (a test compares them), beside tables of its own that belong to nodes. */
export function movedTables(): MovedTable[] {
  using database = new DatabaseSync(':memory:')
  migrate(database, loadMigrations(migrationsFolder))
  const listed = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`)
  const names = listed.all().map(row => String(row.name))
  return names.filter(name => !tablesOfNodes.has(name)).map(name => tableOf(database, name))
}

/** True for the tables whose column `key` is the key of a blob. */
export function namesBlobs({ name }: MovedTable): boolean {
  return name === 'blobs' || name === 'files'
}

function tableOf(database: DatabaseSync, name: string): MovedTable {
  const rows = database.prepare('SELECT name, type, pk FROM pragma_table_info(?) ORDER BY name').all(name)
  const columns = rows.map(row => ({ name: String(row.name), type: types[String(row.type)] ?? unknownType(name, row.name) }))
  const keyRows = rows.filter(row => Number(row.pk) > 0).sort((a, b) => Number(a.pk) - Number(b.pk))
  const key = keyRows.map(row => String(row.name))
  const isNumbered = key.length === 1 && keyRows[0]?.type === 'INTEGER'
  return { name, columns, key, isNumbered, ...(name === 'meta' ? { only: movedMeta } : {}) }
}

function unknownType(table: string, column: unknown): never {
  throw new TypeError(`column ${table}.${column} has a type that the archive has no form for`)
}
