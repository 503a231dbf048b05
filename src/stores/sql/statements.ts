import type { Cell, Row } from './values.ts'

/** A value, or the promise of one: SQLite answers at once, PostgreSQL later. */
export type Maybe<Value> = Value | Promise<Value>

/** A prepared statement. Parameters are written `?` in order, or `?1`, `?2`, ... by number; one
 *  statement uses one of the two. */
export interface Statement {
  /** Returns the first row; undefined when there is none. */
  get(...values: readonly Cell[]): Maybe<Row | undefined>
  all(...values: readonly Cell[]): Maybe<Row[]>
  /** Returns the number of rows that were inserted, changed or deleted. */
  run(...values: readonly Cell[]): Maybe<number>
}

/** The words in which the databases differ. */
export interface Dialect {
  /** The function that returns the largest of its arguments. */
  greatest: string
  /** The function that returns the smallest of its arguments. */
  least: string
  /** Returns the expression for the position of a text in another, counted from 1; 0 when it is
   *  not in it. */
  position(text: string, searched: string): string
  /** Returns the expression for the number of members of a JSON array that a text column holds;
   *  null for null. */
  arrayLength(column: string): string
  /** Returns the condition that a column holds one of the texts of a list, which is the parameter
   *  `?`. */
  isIn(column: string): string
  /** Returns the parameter for a list of texts. */
  list(texts: readonly string[]): string
  /** For a statement that runs for many rows of values at once. Undefined for a database that
   *  answers at once, where a statement for each row is as quick. */
  members: Members | undefined
}

/** Rows of values as one parameter. */
export interface Members {
  /** The table whose column `value` holds the rows in the parameter `?`, each a JSON array. */
  table: string
  /** Returns the parameter for the rows. */
  encode(rows: readonly (readonly Cell[])[]): string
}

/** A connection that prepares statements. */
export interface Connection {
  readonly dialect: Dialect
  prepare(sql: string): Statement
}
