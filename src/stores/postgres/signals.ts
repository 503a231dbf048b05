import type { NodeSignal, Signals } from '../../core/ports/signals.ts'
import { Listeners } from '../listeners.ts'
import type { SendNotice } from './notices.ts'

/** Largest number of signals that wait while others are being sent; further ones are dropped. */
const waitingAtMost = 1_000

/** Implements `Signals` between the nodes of a database. Signals that are published while others
 *  are being sent are collected into one notification. Signals that are published while the
 *  database cannot be reached do not get to the other nodes. */
export class PostgresSignals implements Signals {
  readonly #sendNotice: SendNotice
  readonly #listeners = new Listeners<NodeSignal>()
  /** The waiting signals by their JSON text, so that equal signals are sent only once. */
  readonly #waiting = new Map<string, NodeSignal>()
  #isSending = false

  constructor(sendNotice: SendNotice) {
    this.#sendNotice = sendNotice
  }

  publish(signal: NodeSignal): void {
    this.#listeners.publish(signal)
    if (this.#waiting.size < waitingAtMost) this.#waiting.set(JSON.stringify(signal), signal)
    if (!this.#isSending) void this.#send()
  }

  subscribe(listener: (signal: NodeSignal) => void): () => void {
    return this.#listeners.subscribe(listener)
  }

  /** Passes signals from other nodes to the subscribers. */
  hear(signals: readonly NodeSignal[]): void {
    this.#listeners.publish(...signals)
  }

  async #send(): Promise<void> {
    this.#isSending = true
    // Signals of the same turn of the event loop share the first notification.
    await Promise.resolve()
    while (this.#waiting.size > 0) {
      const news = [...this.#waiting.values()]
      this.#waiting.clear()
      await this.#sendNotice({ news })
    }
    this.#isSending = false
  }
}
