import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Connection, Dialect, Statement } from '../sql/statements.ts'
import type { Cell, Row } from '../sql/values.ts'

const dialect: Dialect = {
  greatest: 'max',
  least: 'min',
  position: (text, searched) => `instr(${text}, ${searched})`,
  arrayLength: column => `json_array_length(${column})`,
  isIn: column => `${column} IN (SELECT value FROM json_each(?))`,
  list: JSON.stringify,
  members: undefined,
}

/** A connection to an SQLite file. Its statements return results directly, without promises. */
export class SqliteConnection implements Connection {
  readonly dialect = dialect
  readonly #database: DatabaseSync

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  prepare(sql: string): Statement {
    return new SqliteStatement(this.#database.prepare(sql))
  }
}

class SqliteStatement implements Statement {
  readonly #statement: StatementSync

  constructor(statement: StatementSync) {
    this.#statement = statement
  }

  get(...values: readonly Cell[]): Row | undefined {
    return this.#statement.get(...values)
  }

  all(...values: readonly Cell[]): Row[] {
    return this.#statement.all(...values)
  }

  run(...values: readonly Cell[]): number {
    return Number(this.#statement.run(...values).changes)
  }
}
