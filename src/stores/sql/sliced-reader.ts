import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Connection, Statement } from './statements.ts'
import { number, type Row, text } from './values.ts'

/** SQL of a condition, and the values of its parameters (`?`). */
export type Condition = readonly [sql: string, ...values: (string | number)[]]

/** A list of rows in the order of one column. */
export interface SlicedList {
  table: string
  /** The columns to return, the column `by` among them. */
  columns: string
  /** Conditions for which the database has an index that also contains `by`: it reads the matching
   *  rows from the index in the order of `by`. */
  indexed: readonly Condition[]
  /** Conditions that the database has to check row by row. */
  checked: readonly Condition[]
  /** A further check of the rows that the database returns. */
  isListed?: (row: Row) => boolean
  /** The unique column that orders the rows. */
  by: 'id' | 'number'
  order: 'asc' | 'desc'
  /** The list begins after this value of `by`; without it, with the first row. */
  after?: string | number | undefined
  /** Largest number of rows to return, from 1. */
  limit: number
}

/** Number of rows that one statement of a list checks at most. */
const rowsOfSlice = 500

/** Reads lists whose conditions may match only few of many rows. The rows are checked in slices,
 *  each in its own turn of the event loop, so that other callers do not wait for a long search:
 *  SQLite answers on the main thread, and PostgreSQL on one connection for all reads of a node. */
export class SlicedReader {
  readonly #connection: Connection
  readonly #statements = new Map<string, Statement>()
  #lastTurn: Promise<unknown> = Promise.resolve()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Returns the rows of the list that meet all conditions. Rows that are written or deleted
   *  meanwhile may be among them or not. */
  async list(list: SlicedList): Promise<Row[]> {
    const found: Row[] = []
    let { after } = list
    for (;;) {
      const end = await this.#endOfSlice(list, after)
      const limit = list.limit - found.length
      const rows = await this.#rows(list, { after, end, limit })
      found.push(...rows.filter(list.isListed ?? (() => true)))
      if (found.length >= list.limit) return found
      // When the statement returned `limit` rows and `isListed` removed some of them, the slice may
      // contain further rows. The next statement then begins after the last returned row.
      after = rows.length < limit ? end : placeOf(list, rows.at(-1))
      if (after === undefined) return found
      await this.turn()
    }
  }

  /** Resolves in a later turn of the event loop; each turn serves one of the callers that wait,
   *  in the order in which they came. */
  turn(): Promise<unknown> {
    this.#lastTurn = this.#lastTurn.then(() => nextTurn())
    return this.#lastTurn
  }

  /** Returns the value of `by` in the last row of the slice that begins after `after`; undefined
   *  when fewer rows than a slice are left. */
  async #endOfSlice(list: SlicedList, after: SlicedList['after']): Promise<SlicedList['after']> {
    const conditions = [...list.indexed, ...beyond(list, after)]
    const statement = this.#prepared(`SELECT ${list.by} ${clauses(list, conditions)} LIMIT 1 OFFSET ?`)
    return placeOf(list, await statement.get(...valuesOf(conditions), rowsOfSlice - 1))
  }

  /** Returns the first rows after `after` and up to `end`, at most `limit`. */
  async #rows(list: SlicedList, { after, end, limit }: Pick<SlicedList, 'after' | 'limit'> & { end: SlicedList['after'] }): Promise<Row[]> {
    const conditions = [...list.indexed, ...beyond(list, after), ...upTo(list, end), ...list.checked]
    return this.#prepared(`SELECT ${list.columns} ${clauses(list, conditions)} LIMIT ?`).all(...valuesOf(conditions), limit)
  }

  #prepared(sql: string): Statement {
    const statement = this.#statements.get(sql) ?? this.#connection.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}

function beyond({ by, order }: SlicedList, after: SlicedList['after']): Condition[] {
  return after === undefined ? [] : [[`${by} ${order === 'asc' ? '>' : '<'} ?`, after]]
}

function upTo({ by, order }: SlicedList, end: SlicedList['after']): Condition[] {
  return end === undefined ? [] : [[`${by} ${order === 'asc' ? '<=' : '>='} ?`, end]]
}

function clauses({ table, by, order }: SlicedList, conditions: readonly Condition[]): string {
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.map(([sql]) => sql).join(' AND ')}`
  return `FROM ${table} ${where} ORDER BY ${by} ${order === 'asc' ? 'ASC' : 'DESC'}`
}

function valuesOf(conditions: readonly Condition[]): (string | number)[] {
  return conditions.flatMap(([, ...values]) => values)
}

function placeOf({ by }: SlicedList, row: Row | undefined): SlicedList['after'] {
  if (row === undefined) return undefined
  return by === 'id' ? text(row, by) : number(row, by)
}
