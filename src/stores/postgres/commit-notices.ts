import { setTimeout as sleep } from 'node:timers/promises'
import type { StoreSignal } from '../../core/ports/store.ts'
import type { SendNotice } from './notices.ts'

/** Least time in milliseconds between two notifications. Signals of the commits in between are
 *  sent together, because every notification wakes every node. */
const spacingMs = 10
/** Largest number of signals that wait to be sent; further ones are dropped. */
const waitingAtMost = 4_000

/** Notifies the other nodes of commits: of the first one immediately, and of those in the
 *  following 10 ms together. Notifications are sent after the commit and outside its
 *  transaction, so that no write waits for them. Notifications are lost while the database
 *  cannot be reached; therefore, the other nodes also poll the database every 2 s. */
export class CommitNotices {
  readonly #sendNotice: SendNotice
  readonly #stop = new AbortController()
  /** The waiting signals by their JSON text, so that equal signals are sent only once. */
  readonly #waiting = new Map<string, StoreSignal>()
  #hasChanges = false
  #sending: Promise<void> | undefined

  constructor(sendNotice: SendNotice) {
    this.#sendNotice = sendNotice
  }

  add(signals: readonly StoreSignal[]): void {
    for (const signal of signals) if (this.#waiting.size < waitingAtMost) this.#waiting.set(JSON.stringify(signal), signal)
    if (this.#waiting.size > 0) this.#sending ??= this.#send()
  }

  /** Adds the notice that accounts, keys, endpoints or signing keys have changed. */
  addChange(): void {
    this.#hasChanges = true
    this.#sending ??= this.#send()
  }

  /** Sends the waiting signals and ends. */
  async close(): Promise<void> {
    this.#stop.abort()
    await this.#sending
  }

  async #send(): Promise<void> {
    // Commits of the same turn of the event loop share the first notification.
    await Promise.resolve()
    while (this.#waiting.size > 0 || this.#hasChanges) {
      const notice = { signals: [...this.#waiting.values()], hasChanges: this.#hasChanges }
      this.#waiting.clear()
      this.#hasChanges = false
      await this.#sendNotice(notice)
      await sleep(spacingMs, undefined, { signal: this.#stop.signal, ref: false }).catch(() => {})
    }
    this.#sending = undefined
  }
}
