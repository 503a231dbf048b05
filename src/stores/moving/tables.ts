/** Lists the tables that are moved between stores, as the schema of this program defines them. */
import { DatabaseSync } from 'node:sqlite'
import { loadMigrations } from '../sql/migrations.ts'
import { migrate, migrationsFolder } from '../sqlite/migrations.ts'

export type ColumnType = 'text' | 'integer' | 'real'

export interface MovedTable {
  name: string
  columns: { name: string; type: ColumnType }[]
  /** Columns of the primary key, in order. Rows are moved in the order of these columns. */
  key: string[]
  /** SQL condition for the rows that are moved; when absent, all rows are moved. */
  only?: string
  /** True when the database assigns the primary key by counting up. */
  isNumbered: boolean
}

/** Tables that are not moved, because their rows describe processes of the source. */
const tablesOfNodes: ReadonlySet<string> = new Set(['nodes'])
/** Condition for the rows of `meta` that are moved. The other rows concern only their own
 *  database, such as its versions, the check word for the secret key and the marker of its
 *  blobs. */
const movedMeta = `name IN ('file_generation')`
const types: Readonly<Record<string, ColumnType>> = { TEXT: 'text', INTEGER: 'integer', REAL: 'real' }

/** Returns the tables in the order in which they are moved. PostgreSQL has the same tables with
 *  the same columns, which a test checks, and in addition `rates` and `writers`, which are not
 *  moved. */
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
