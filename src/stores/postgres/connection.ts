import { createHash } from 'node:crypto'
import type { QueryConfig, QueryResult } from 'pg'
import type { Connection, Dialect, Statement } from '../sql/statements.ts'
import type { Cell, Row } from '../sql/values.ts'
import { encodeJson, encodeText } from './text-encoding.ts'

const dialect: Dialect = {
  greatest: 'greatest',
  least: 'least',
  position: (text, searched) => `strpos(${text}, ${searched})`,
  arrayLength: column => `json_array_length(CAST(${column} AS json))`,
  isIn: column => `${column} = ANY (CAST(? AS TEXT[]))`,
  list: texts => `{${texts.map(text => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`,
  members: {
    // The condition is always true. Because of it the planner expects one row instead of a hundred,
    // and therefore looks up each row by its key, even while the table is small.
    table: `(SELECT value FROM jsonb_array_elements(CAST(? AS jsonb)) WHERE jsonb_typeof(value) = 'array')`,
    encode: rows => encodeJson(JSON.stringify(rows)),
  },
}

/** Sends a statement to the server immediately. The promise resolves with the result of the
 *  statement. */
export type SendQuery = (query: QueryConfig<(Cell | undefined)[]>) => Promise<QueryResult>

/** Prepares statements on PostgreSQL. The server parses each statement once per connection. The
 *  methods of a statement return promises. */
export class PostgresConnection implements Connection {
  readonly dialect = dialect
  readonly #send: SendQuery

  constructor(send: SendQuery) {
    this.#send = send
  }

  prepare(sql: string): Statement {
    return new PostgresStatement(this.#send, { name: nameOf(sql), text: numbered(sql) })
  }
}

class PostgresStatement implements Statement {
  readonly #send: SendQuery
  readonly #query: { name: string; text: string }

  constructor(send: SendQuery, query: { name: string; text: string }) {
    this.#send = send
    this.#query = query
  }

  async get(...values: readonly Cell[]): Promise<Row | undefined> {
    const { rows } = await this.#send({ ...this.#query, values: values.map(encodeCell) })
    return rows[0]
  }

  async all(...values: readonly Cell[]): Promise<Row[]> {
    const { rows } = await this.#send({ ...this.#query, values: values.map(encodeCell) })
    return rows
  }

  async run(...values: readonly Cell[]): Promise<number> {
    const { rowCount } = await this.#send({ ...this.#query, values: values.map(encodeCell) })
    return rowCount ?? 0
  }
}

function encodeCell(cell: Cell): Cell {
  return typeof cell === 'string' ? encodeText(cell) : cell
}

const names = new Map<string, string>()

/** Returns the name of a prepared statement. The name is a hash of the statement's text, so that
 *  it means the same statement in all processes; with a pooler, several processes may share one
 *  connection. */
function nameOf(sql: string): string {
  const name = names.get(sql) ?? `s${createHash('sha256').update(sql).digest('hex').slice(0, 32)}`
  names.set(sql, name)
  return name
}

/** Returns the statement with PostgreSQL's placeholders: `?` and `?3` become `$1` and `$3`. */
function numbered(sql: string): string {
  let count = 0
  return sql.replace(/\?(\d*)/g, (_, number: string) => {
    count += 1
    return `$${number === '' ? count : number}`
  })
}
