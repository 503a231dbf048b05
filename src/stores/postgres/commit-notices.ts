import { setTimeout as sleep } from 'node:timers/promises'
import type { StoreSignal } from '../../core/ports/store.ts'
import type { SendNotice } from './notices.ts'

/** Signals of commits within this time after a notification share the next one: each wakes every
 *  node. */
const spacingMs = 10
/** Further signals are not kept. */
const waitingAtMost = 4_000

/** Tells the other nodes about commits: the first at once, those that follow within 10 ms together.
 *  They are sent after the commit and outside of its transaction, so that no writer waits for them.
 *  Those sent while the database cannot be reached are lost; the others look every 2 s. */
export class CommitNotices {
  readonly #sendNotice: SendNotice
  readonly #stop = new AbortController()
  /** By their JSON: repeats are sent once. */
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

  /** Notes a change of accounts, keys, endpoints or signing keys. */
  addChange(): void {
    this.#hasChanges = true
    this.#sending ??= this.#send()
  }

  /** Sends what waits. */
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
