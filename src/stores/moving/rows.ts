/** Reads the rows of a table as lists of values, in the order of the primary key. */
import { createHash, type Hash } from 'node:crypto'
import type { Connection } from '../sql/statements.ts'
import type { Cell } from '../sql/values.ts'
import type { MovedTable } from './tables.ts'

/** Approximate size of a page in bytes. */
const pageBytes = 4 * 1024 * 1024
const rowsAtMost = 2_000

/** Yields the rows page by page. The cells of a row are in the order of `table.columns`. Throws
 *  TypeError for a value of a type that an archive cannot store. */
export async function* readRows(connection: Connection, table: MovedTable): AsyncGenerator<Cell[][]> {
  const { first, next } = statementsOf(table)
  const [begin, go] = [connection.prepare(first), connection.prepare(next)]
  const keyAt = table.key.map(name => table.columns.findIndex(column => column.name === name))
  let limit = 50
  let last: Cell[] | undefined
  for (;;) {
    const found = await (last === undefined ? begin.all(limit) : go.all(...keyAt.map(index => last?.[index] ?? null), limit))
    const rows = found.map(row => table.columns.map(({ name }) => cellOf(table.name, name, row[name])))
    if (rows.length > 0) yield rows
    if (rows.length < limit) return
    last = rows.at(-1)
    const bytes = rows.reduce((sum, row) => sum + lengthOf(row), 0)
    limit = Math.max(1, Math.min(rowsAtMost, Math.floor((pageBytes * rows.length) / bytes)))
  }
}

/** Returns the statement that inserts one row. */
export function insertOf({ name, columns }: MovedTable): string {
  const names = columns.map(column => column.name).join(', ')
  return `INSERT INTO ${name} (${names}) VALUES (${columns.map(() => '?').join(', ')})`
}

/** Counts and hashes rows. The result does not depend on how the rows are divided into pages. */
export class RowSum {
  readonly #hash: Hash = createHash('sha256')
  rows = 0

  /** Adds a row, given as the JSON text of its cells. */
  add(text: string): void {
    this.#hash.update(text).update('\n')
    this.rows += 1
  }

  /** Returns the SHA-256 of the rows in hex. No row can be added afterwards. */
  end(): string {
    return this.#hash.digest('hex')
  }
}

function statementsOf({ name, columns, key, only }: MovedTable): { first: string; next: string } {
  const names = columns.map(column => column.name).join(', ')
  const order = `ORDER BY ${key.join(', ')} LIMIT ?`
  const after = `(${key.join(', ')}) > (${key.map(() => '?').join(', ')})`
  return {
    first: `SELECT ${names} FROM ${name} ${only === undefined ? '' : `WHERE ${only}`} ${order}`,
    next: `SELECT ${names} FROM ${name} WHERE ${only === undefined ? '' : `${only} AND `}${after} ${order}`,
  }
}

function cellOf(table: string, column: string, value: unknown): Cell {
  if (value === null || typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))) return value
  throw new TypeError(`column ${table}.${column} holds a value that is no text and no finite number`)
}

function lengthOf(row: readonly Cell[]): number {
  return row.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 8), 8)
}
