import type { StoreAlarm } from '../store-alarm.ts'
import { keepTrying } from './keep-trying.ts'

/** Makes writes that no other code would repeat if they failed, such as the ends of runs. Each
 *  write is retried until it succeeds or `signal` is aborted. `what` is the name of these writes in
 *  log lines, which also contain the number of waiting writes. */
export class FinalWrites {
  readonly #what: string
  readonly #alarm: StoreAlarm
  readonly #signal: AbortSignal
  #waiting = 0

  constructor(what: string, { alarm, signal }: { alarm: StoreAlarm; signal: AbortSignal }) {
    this.#what = what
    this.#alarm = alarm
    this.#signal = signal
  }

  /** Returns the result of the write once it has succeeded; undefined when the signal was
   *  aborted first. */
  async make<Result>(write: () => Promise<Result>): Promise<Result | undefined> {
    let isWaiting = false
    const onError = (error: unknown): void => {
      if (!isWaiting) this.#waiting += 1
      isWaiting = true
      this.#alarm.failed(this.#what, error, this.#waiting)
    }
    const result = await keepTrying(write, { signal: this.#signal, onError })
    if (!isWaiting) return result
    this.#waiting -= 1
    if (this.#waiting === 0) this.#alarm.worked(this.#what)
    return result
  }
}
