import { GatewayError } from '@generation-gateway/kit/errors.ts'
import pg from 'pg'
import { closedStore } from '../sql/pending-call.ts'
import type { SendQuery } from './connection.ts'
import { describeFault } from './faults.ts'

/** OIDs of the types that are read as numbers: bool, int8, numeric. */
const numeric: ReadonlySet<number> = new Set([20, 1700])
const bool = 16

/** Booleans are 0 and 1, as on SQLite; whole numbers stay below 2^53 in every column. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (numeric.has(oid)) return Number
    if (oid === bool) return (value: string) => (value === 't' ? 1 : 0)
    return pg.types.getTypeParser(oid, format)
  },
} as pg.CustomTypesConfig

const connectMs = 5_000
/** Ends a wait for a server that has stopped answering. */
const answerMs = 30_000

export interface LinkOptions {
  url: string
  /** Shown in the server's list of sessions. */
  name: string
  /** The channel to listen to after each connect. */
  listen?: { channel: string; onNotification(payload: string): void }
  /** Called when an open connection is lost. */
  onLoss?(): void
}

/** One connection that is opened when it is needed, and opened anew after it was lost. */
export class PostgresLink {
  readonly #options: LinkOptions
  #client: pg.Client | undefined
  #opening: Promise<pg.Client> | undefined
  #isClosed = false

  constructor(options: LinkOptions) {
    this.#options = options
  }

  /** Returns the open connection. Throws `store_unavailable` when the server cannot be reached. */
  async client(): Promise<pg.Client> {
    if (this.#client) return this.#client
    if (this.#isClosed) throw closedStore()
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  /** Sends a statement; on an open connection at once, before this returns. */
  readonly send: SendQuery = query => (this.#client ? this.#client.query(query) : this.client().then(client => client.query(query)))

  /** True while the connection is open. */
  get isOpen(): boolean {
    return this.#client !== undefined
  }

  /** Closes the connection after its statements have been answered. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#opening?.catch(() => {})
    await this.#client?.end().catch(() => {})
  }

  /** Drops the connection without waiting; the next use opens a new one. */
  drop(): void {
    const client = this.#client
    this.#client = undefined
    client?.end().catch(() => {})
  }

  async #open(): Promise<pg.Client> {
    const { url, name, listen } = this.#options
    const client = new pg.Client({
      connectionString: url,
      pipeline: true,
      types,
      fallback_application_name: name,
      connectionTimeoutMillis: connectMs,
      query_timeout: answerMs,
      keepAlive: true,
    })
    const forget = () => {
      if (this.#client !== client) return
      this.#client = undefined
      this.#options.onLoss?.()
    }
    // Both events stay handled: a lost connection reports itself more than once.
    client.on('error', forget)
    client.on('end', forget)
    if (listen) client.on('notification', ({ payload }) => listen.onNotification(payload ?? ''))
    try {
      await client.connect()
      if (listen) await client.query(`LISTEN ${listen.channel}`)
    } catch (error) {
      client.end().catch(() => {})
      throw new GatewayError('store_unavailable', 'The database cannot be reached.', { cause: describeFault(error) })
    }
    this.#client = client
    return client
  }
}
