import { setTimeout as sleep } from 'node:timers/promises'
import type { NodeSignal } from '../../core/ports/signals.ts'
import type { StoreSignal } from '../../core/ports/store.ts'
import type { OtherNodes } from '../sql/account-store.ts'
import type { Connection, Statement } from '../sql/statements.ts'
import { number, text } from '../sql/values.ts'
import type { DatabaseClock } from './database-clock.ts'
import { inTime } from './in-time.ts'
import { PostgresLink } from './link.ts'
import { channel, toNotice } from './notices.ts'
import type { Outage } from './outage.ts'
import type { PostgresTimes } from './times.ts'

/** Name of the row in the table `meta` that counts the changes of accounts, keys, endpoints and
 *  signing keys. */
export const changesRow = 'access_changes'
/** Interval in milliseconds at which the node polls the database, so that it learns of changes
 *  and cancellations by other nodes even when notifications are lost. */
const pollMs = 2_000
/** Interval in milliseconds at which the node checks whether the database answers. */
const askEveryMs = 1_000
/** Time in milliseconds within which the database must answer this check. */
const answerMs = 3_000
/** A statement that a working server answers immediately. */
export const anything = { text: 'SELECT 1' }

interface WatchOptions {
  url: string
  times: PostgresTimes
  nodeName: string
  session: string
  connection: Connection
  outage: Outage
  /** Checks whether the database answers on another connection that is already open. This works
   *  even when the server refuses new connections because it has too many. */
  askElsewhere(): Promise<unknown>
  /** The estimate of the database's clock, which is measured again at every poll; undefined when
   *  the store has another clock. */
  clock: DatabaseClock | undefined
  announce(...signals: readonly StoreSignal[]): void
  /** Receives the signals of other nodes that do not come from a commit. */
  onNews(signals: readonly NodeSignal[]): void
}

/** Learns of changes by other nodes: immediately through their notifications, and by polling the
 *  database every 2 s, because notifications can be lost. */
export class Watch implements OtherNodes {
  readonly #options: WatchOptions
  readonly #findChanges: Statement
  readonly #findCancelled: Statement
  readonly #link: PostgresLink
  readonly #stop = new AbortController()
  #wake = new AbortController()
  #looking: Promise<void> | undefined
  #listening: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #seen = 0
  #changes = 0

  constructor(options: WatchOptions) {
    const { url, times, nodeName, connection } = options
    this.#options = options
    this.#findChanges = connection.prepare(`SELECT CAST(value AS BIGINT) AS changes FROM meta WHERE name = '${changesRow}'`)
    this.#findCancelled = connection.prepare(
      `SELECT tasks.id FROM jobs JOIN tasks ON tasks.id = jobs.task_id
       WHERE jobs.state = 'leased' AND jobs.owner IN (SELECT id FROM nodes WHERE session = ?) AND tasks.state = 'cancelling'`,
    )
    this.#link = new PostgresLink({
      url,
      times,
      name: `${nodeName} listens`,
      listen: { channel, onNotification: payload => this.#hear(payload) },
      onLoss: () => this.#wake.abort(),
    })
  }

  changes(): number {
    return this.#changes
  }

  /** Starts to watch. Resolves after the first poll, and after the connection for notifications
   *  has been opened or could not be opened. */
  async start(): Promise<void> {
    await this.#link.client().catch(() => {})
    await this.#look()
    this.#timer = setInterval(() => void this.#look(), pollMs)
    this.#timer.unref()
    this.#listening = this.#listen()
  }

  async close(): Promise<void> {
    this.#stop.abort()
    clearInterval(this.#timer)
    await this.#link.close()
    await this.#listening
    await this.#looking
  }

  /** Records a write of this node that changed accounts, keys, endpoints or signing keys. `count`
   *  is the total number of such changes in the database after the write. */
  changedHere(count: number): void {
    this.#changes += 1
    this.#seen = Math.max(this.#seen, count)
  }

  /** Checks every second whether the database answers. The check also opens the connection for
   *  notifications again after it was lost. */
  async #listen(): Promise<void> {
    const { signal } = this.#stop
    while (!signal.aborted) {
      await this.#ask()
      // When the connection is lost, the next check is made immediately.
      this.#wake = new AbortController()
      await sleep(askEveryMs, undefined, { signal: AbortSignal.any([signal, this.#wake.signal]), ref: false }).catch(() => {})
    }
  }

  async #ask(): Promise<void> {
    const { outage, askElsewhere } = this.#options
    const here = inTime(this.#link.send(anything), answerMs).catch(error => {
      this.#link.drop()
      throw error
    })
    try {
      await (outage.isOn ? here : Promise.any([here, inTime(askElsewhere(), answerMs)]))
      if (!outage.isOn) return
      outage.end()
      void this.#look()
    } catch (error) {
      if (!this.#stop.signal.aborted) outage.begin(error instanceof AggregateError ? error.errors[0] : error)
    }
  }

  #hear(payload: string): void {
    const notice = toNotice(payload)
    if (notice === undefined || notice.session === this.#options.session) return
    this.#options.announce(...notice.signals)
    this.#options.onNews(notice.news)
    if (notice.hasChanges) void this.#look()
  }

  #look(): Promise<void> {
    this.#looking ??= this.#read()
      // A failed poll is ignored, because the next one follows soon, and because callers get the
      // error of the database from their own reads.
      .catch(() => {})
      .finally(() => {
        this.#looking = undefined
      })
    return this.#looking
  }

  async #read(): Promise<void> {
    const { session, announce, clock } = this.#options
    await clock?.measure()
    const [row, cancelled] = await Promise.all([this.#findChanges.get(), this.#findCancelled.all(session)])
    const count = row === undefined ? 0 : number(row, 'changes')
    if (count > this.#seen) {
      this.#seen = count
      this.#changes += 1
    }
    for (const task of cancelled) announce({ kind: 'cancel', taskId: text(task, 'id') })
  }
}
