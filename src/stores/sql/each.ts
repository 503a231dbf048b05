import { type Reply, replyOf, runAtOnce, type StepConnection, type StepStatement } from './steps.ts'
import type { Cell, Row } from './values.ts'

/** The parts of an SQL statement that is to run for several rows of values. On SQLite, the
 *  statement runs once for each row; on PostgreSQL, it runs once for all rows, which it reads
 *  from a table. */
export interface EachWords {
  /** Each of these functions returns the SQL expression for a value of the row, by its index
   *  from 0: `text` for a text, `whole` for a whole number, `real` for any number. */
  text(index: number): string
  whole(index: number): string
  real(index: number): string
  /** The SQL clauses that bring in the table of rows; empty on SQLite. `from` is the whole
   *  `FROM` clause of a SELECT or an UPDATE without other tables, `using` the `USING` clause of
   *  a DELETE, and `join` a further table after the first one in a `FROM` clause. */
  from: string
  using: string
  join: string
  /** Returns the part of an INSERT statement that follows the list of columns. `values` has one SQL
   *  expression for each column. */
  source(...values: readonly string[]): string
}

/** A statement that runs for several rows of values. It is sent to the database when one of its
 *  methods is called, before the reply is awaited. */
export interface EachStatement {
  /** Replies with the rows that the statement returns for all rows of values together, in any
   *  order. `get` is for a statement that returns at most one row for each row of values, and is
   *  faster on SQLite. */
  all(rows: readonly (readonly Cell[])[]): Reply<Row[]>
  get(rows: readonly (readonly Cell[])[]): Reply<Row[]>
  /** Runs the statement when the operation does not need its result. */
  send(rows: readonly (readonly Cell[])[]): void
}

/** Prepares a statement that runs for several rows of values. On PostgreSQL, where it runs once
 *  for all of them, no row of values sees the changes that the statement makes for another. */
export function prepareEach(connection: StepConnection, build: (words: EachWords) => string): EachStatement {
  const { members } = connection.dialect
  if (members === undefined) return oneByOne(connection.prepare(build(parameterWords)))
  const statement = connection.prepare(build(memberWords(members.table)))
  const all = (rows: readonly (readonly Cell[])[]): Reply<Row[]> => (rows.length === 0 ? replyOf([]) : statement.all(members.encode(rows)))
  return {
    all,
    get: all,
    send(rows) {
      if (rows.length > 0) statement.send(members.encode(rows))
    },
  }
}

/** Runs the statement once for each row of values, on a database that answers without a promise
 *  (SQLite). */
function oneByOne(statement: StepStatement): EachStatement {
  return {
    all: rows => replyOf(rows.flatMap(row => runAtOnce(statement.all(...row)))),
    get(rows) {
      const found: Row[] = []
      for (const row of rows) {
        const each = runAtOnce(statement.get(...row))
        if (each !== undefined) found.push(each)
      }
      return replyOf(found)
    },
    send(rows) {
      for (const row of rows) statement.send(...row)
    },
  }
}

const parameter = (index: number): string => `?${index + 1}`

const parameterWords: EachWords = {
  text: parameter,
  whole: parameter,
  real: parameter,
  from: '',
  using: '',
  join: '',
  source: (...values) => `VALUES (${values.join(', ')})`,
}

function memberWords(members: string): EachWords {
  const table = `${members} AS each_row (value)`
  const text = (index: number): string => `(each_row.value ->> ${index})`
  return {
    text,
    whole: index => `CAST(${text(index)} AS BIGINT)`,
    real: index => `CAST(${text(index)} AS DOUBLE PRECISION)`,
    from: `FROM ${table}`,
    using: `USING ${table}`,
    join: `, ${table}`,
    source: (...values) => `SELECT ${values.join(', ')} FROM ${table}`,
  }
}
