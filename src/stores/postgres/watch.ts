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

/** Row of `meta` that counts the changes of accounts, keys, endpoints and signing keys. */
export const changesRow = 'access_changes'
/** Other nodes' changes and cancels are felt within this time even without notifications. */
const pollMs = 2_000
/** Time between two looks whether the database answers. */
const askEveryMs = 1_000
/** Time for the answer. */
const answerMs = 3_000
/** A statement that every server answers at once. */
export const anything = { text: 'SELECT 1' }

interface WatchOptions {
  url: string
  times: PostgresTimes
  nodeName: string
  session: string
  connection: Connection
  outage: Outage
  /** Asks the database over another connection: a new one may be refused because there are too
   *  many, while those that are open work. */
  askElsewhere(): Promise<unknown>
  /** The database's time, measured again at every poll; undefined when the caller gives the
   *  time. */
  clock: DatabaseClock | undefined
  announce(...signals: readonly StoreSignal[]): void
  /** Gets the signals of other nodes that belong to no commit. */
  onNews(signals: readonly NodeSignal[]): void
}

/** Learns what other nodes do: by their notifications at once, and by looking every 2 s, because a
 *  notification can be lost. */
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
  #byOthers = 0

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
    return this.#byOthers
  }

  /** Starts to watch; resolves after the first look, and when it listens or the first try has
   *  failed. */
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

  /** Notes a change by this node, which moved the count to `count`. */
  changedHere(count: number): void {
    if (count > this.#seen + 1) this.#byOthers += 1
    this.#seen = Math.max(this.#seen, count)
  }

  /** Opens the listening connection again whenever it is lost, and looks whether the database
   *  answers. */
  async #listen(): Promise<void> {
    const { signal } = this.#stop
    while (!signal.aborted) {
      await this.#ask()
      // A lost connection is a reason to ask at once.
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
      // The next look comes soon; the reads of callers report the failure.
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
      this.#byOthers += 1
    }
    for (const task of cancelled) announce({ kind: 'cancel', taskId: text(task, 'id') })
  }
}
