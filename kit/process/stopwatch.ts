/** Limits the time for which a job works; its pauses are not counted. Calls `onEnd` when no time
 *  is left. */
export class Stopwatch {
  #leftMs: number
  #since = 0
  #timer: NodeJS.Timeout | undefined
  readonly #onEnd: () => void

  constructor(ms: number, onEnd: () => void) {
    this.#leftMs = ms
    this.#onEnd = onEnd
  }

  /** Starts or continues the countdown. `ms` is the time left in milliseconds; when absent, it
   *  is the time that was left at the last `stop`. */
  start(ms = this.#leftMs): void {
    this.#leftMs = ms
    this.#since = performance.now()
    this.#timer = setTimeout(this.#onEnd, this.#leftMs)
  }

  stop(): void {
    if (this.#timer === undefined) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#leftMs = Math.max(1, this.#leftMs - (performance.now() - this.#since))
  }
}
