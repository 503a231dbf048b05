import type { Cell, Row } from './values.ts'

/** A value, or a promise of it. SQLite returns values, PostgreSQL returns promises. */
export type Maybe<Value> = Value | Promise<Value>

/** A prepared statement. Its parameters are written `?` in order, or `?1`, `?2`, ... by number;
 *  a statement must not mix the two. */
export interface Statement {
  /** Returns the first row; undefined when there is none. */
  get(...values: readonly Cell[]): Maybe<Row | undefined>
  all(...values: readonly Cell[]): Maybe<Row[]>
  /** Returns the number of rows that were inserted, changed or deleted. */
  run(...values: readonly Cell[]): Maybe<number>
}

/** The SQL expressions that differ between the databases. */
export interface Dialect {
  /** The function that returns the largest of its arguments. */
  greatest: string
  /** The function that returns the smallest of its arguments. */
  least: string
  /** Returns the expression for the position of `searched` in `text`, counted from 1; 0 when `text`
   *  does not contain it. */
  position(text: string, searched: string): string
  /** Returns the expression for the number of members of a JSON array in a text column; it is
   *  null when the column is null. */
  arrayLength(column: string): string
  /** Returns the condition that the value of a column is in a list of texts. The list is the
   *  parameter `?`, in the form that `list` returns. */
  isIn(column: string): string
  /** Returns the parameter for a list of texts. */
  list(texts: readonly string[]): string
  /** The form in which many rows of values are passed to a single statement. Undefined for
   *  SQLite, where one statement for each row is just as fast. */
  members: Members | undefined
}

/** Passes rows of values as one parameter of a statement. */
export interface Members {
  /** SQL for a table with one column, `value`: each row of the table is one row of values as a JSON
   *  array. The SQL reads them from the parameter `?`. */
  table: string
  /** Returns the parameter for the rows. */
  encode(rows: readonly (readonly Cell[])[]): string
}

/** A connection that prepares statements. */
export interface Connection {
  readonly dialect: Dialect
  prepare(sql: string): Statement
}
