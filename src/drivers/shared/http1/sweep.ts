/** One clock with coarse ticks for the time limits of all connections. With thousands of streams, a
 *  timer for each would cost too much time (docs/measured.md#event-streams). */

export interface ExpiringEntry {
  /** The tick at which `expire` is called; Infinity for never. */
  expiresAt: number
  expire(): void
}

const tickMs = 250

class Sweep {
  /** Number of ticks so far. No ticks are counted while the event loop is blocked, so that a busy
   *  moment of this process is not mistaken for silence of an upstream. */
  tick = 0
  readonly #watched = new Set<ExpiringEntry>()
  #interval: NodeJS.Timeout | undefined

  watch(each: ExpiringEntry): void {
    this.#watched.add(each)
    this.#interval ??= setInterval(this.#run, tickMs).unref()
  }

  forget(each: ExpiringEntry): void {
    if (!this.#watched.delete(each) || this.#watched.size > 0) return
    clearInterval(this.#interval)
    this.#interval = undefined
  }

  readonly #run = (): void => {
    this.tick += 1
    for (const each of this.#watched) if (each.expiresAt <= this.tick) each.expire()
  }
}

export const sweep = new Sweep()

/** Returns the number of ticks after which a time limit ends: never early, at most half a second
 *  late. */
export function ticksOf(milliseconds: number): number {
  return Math.ceil(milliseconds / tickMs) + 1
}
