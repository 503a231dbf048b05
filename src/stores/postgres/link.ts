import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import pg from 'pg'
import { closedStore } from '../sql/pending-call.ts'
import { connectFault } from './connect-faults.ts'
import type { SendQuery } from './connection.ts'
import { prepareSession } from './session.ts'
import { decodeText } from './text-encoding.ts'
import type { PostgresTimes } from './times.ts'

/** PostgreSQL's ids (OIDs) of the column types that are read as numbers: int8 and numeric. */
const numeric: ReadonlySet<number> = new Set([20, 1700])
const bool = 16
const text = 25

/** Parsers for the values of columns. Booleans become 0 and 1, as on SQLite. Numbers are exact,
 *  because whole numbers in every column are below 2^53. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (numeric.has(oid)) return Number
    if (oid === bool) return (value: string) => (value === 't' ? 1 : 0)
    if (oid === text) return decodeText
    return pg.types.getTypeParser(oid, format)
  },
} as pg.CustomTypesConfig

/** Time in milliseconds for which a connection is idle before TCP keep-alive sends its first
 *  probe. */
const keepAliveMs = 10_000
const retryMs = 200
const closeMs = 5_000
const recoveryMs = 60_000

export interface LinkOptions {
  url: string
  times: PostgresTimes
  /** Name of the connection in the server's list of sessions. */
  name: string
  /** Statements that run on every new connection before it is used. */
  setUp?: string
  /** The notification channel to which every new connection subscribes. */
  listen?: { channel: string; onNotification(payload: string): void }
  /** Called when an open connection is lost; `drop` does not call it. */
  onLoss?(): void
}

/** One connection to the server. It is opened when it is first needed, and again when it is
 *  needed after it was lost. */
export class PostgresLink {
  readonly #options: LinkOptions
  #client: pg.Client | undefined
  #socket: Socket | undefined
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

  /** Does the same as `client`, but retries for up to `patienceMs` while the server refuses
   *  connections because it has not started yet, and for up to a minute while it recovers from a
   *  crash. */
  async firstClient(patienceMs: number): Promise<pg.Client> {
    for (const start = performance.now(); ; await sleep(retryMs)) {
      try {
        return await this.client()
      } catch (error) {
        const waitedMs = performance.now() - start
        const cause = error instanceof GatewayError ? String(error.cause) : ''
        const isComing = cause.includes('57P03') ? waitedMs < recoveryMs : cause.includes('ECONNREFUSED') && waitedMs < patienceMs
        if (!isComing) throw error
      }
    }
  }

  /** Sends a statement. When the connection is open, the statement is sent before this function
   *  returns. */
  readonly send: SendQuery = query => (this.#client ? this.#client.query(query) : this.client().then(client => client.query(query)))

  /** Closes the connection after its statements have been answered, or after 5 s, because a
   *  server that hangs does not even answer the request to close. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#opening?.catch(() => {})
    const isClosed = new AbortController()
    const ending = this.#client?.end().catch(() => {})
    await Promise.race([ending, sleep(closeMs, undefined, { signal: isClosed.signal }).catch(() => {})])
    isClosed.abort()
    this.#socket?.destroy()
  }

  /** Drops the connection without waiting for answers; the next statement opens a new one. */
  drop(): void {
    this.#client = undefined
    this.#socket?.destroy()
    this.#socket = undefined
  }

  async #open(): Promise<pg.Client> {
    const { url, times, name, setUp, listen } = this.#options
    const socket = new Socket()
    try {
      const client = new pg.Client({
        connectionString: url,
        pipeline: true,
        types,
        fallback_application_name: name,
        connectionTimeoutMillis: times.connectMs,
        query_timeout: times.answerMs,
        stream: () => socket,
        keepAlive: true,
        keepAliveInitialDelayMillis: keepAliveMs,
        enableChannelBinding: true,
      })
      const forget = () => {
        if (this.#client !== client) return
        this.#client = undefined
        this.#options.onLoss?.()
      }
      // The handlers are never removed, because a lost connection emits these events more than
      // once, even when it is idle.
      client.on('error', forget)
      client.on('end', forget)
      if (listen) client.on('notification', ({ payload }) => listen.onNotification(payload ?? ''))
      await client.connect()
      await prepareSession(client, times)
      if (setUp !== undefined) await client.query(setUp)
      if (listen) await client.query(`LISTEN ${listen.channel}`)
      this.#client = client
      this.#socket = socket
      return client
    } catch (error) {
      socket.destroy()
      throw new GatewayError('store_unavailable', 'The database cannot be reached.', {
        cause: connectFault(error, url),
        retryAfterSeconds: 2,
      })
    }
  }
}
