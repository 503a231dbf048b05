import { type Reply, replyOf, runAtOnce, type StepConnection, type StepStatement } from './steps.ts'
import type { Cell, Row } from './values.ts'

/** The words of a statement that runs for each of several rows of values: for one row after the
 *  other, where the database answers at once, or for all of them in one statement. */
export interface EachWords {
  /** A value of the row, counted from 0, by the type of its column. */
  text(index: number): string
  whole(index: number): string
  real(index: number): string
  /** The source of the rows: the clause `FROM` of a SELECT or an UPDATE that has no other table,
   *  `USING` of a DELETE, and a further table after the first of `FROM`. Empty for one row. */
  from: string
  using: string
  join: string
  /** The source of an INSERT: one value for each column. */
  source(...values: readonly string[]): string
}

/** A statement that runs for each of several rows of values, at once when it is called. */
export interface EachStatement {
  /** Replies with the rows that it returns for all of them, in any order. `get` is for a statement
   *  that returns at most one for each, and is quicker on SQLite. */
  all(rows: readonly (readonly Cell[])[]): Reply<Row[]>
  get(rows: readonly (readonly Cell[])[]): Reply<Row[]>
  /** Runs it for rows whose outcome the operation does not need. */
  send(rows: readonly (readonly Cell[])[]): void
}

/** Prepares a statement for each of several rows. On a database that runs it once for all of them,
 *  every row sees the tables as they were before the first. */
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

/** On a database that answers at once. */
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
