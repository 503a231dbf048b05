import type { UncountedRequests } from '../ports/rates.ts'

const slotMs = 500
const keptMs = 60_000

/** The accepted requests of the last minute, counted in slots of half a second. */
export class RecentUses {
  /** Start times of the slots, oldest first. */
  readonly #starts: number[] = []
  readonly #counts: number[] = []

  /** Counts a request that was accepted at `now` (milliseconds). `now` is never earlier than in the
   *  previous call. */
  add(now: number): void {
    const last = this.#starts.length - 1
    const start = this.#starts[last]
    if (start !== undefined && now < start + slotMs) {
      this.#counts[last]! += 1
      return
    }
    this.#forget(now)
    this.#starts.push(now)
    this.#counts.push(1)
  }

  /** Returns the number of requests in the minute before `now`. The slot in which this minute
   *  begins is counted as a whole. */
  lastMinute(now: number): number {
    const from = now - keptMs
    let sum = 0
    for (let at = this.#starts.length - 1; at >= 0 && this.#starts[at]! + slotMs > from; at--) sum += this.#counts[at]!
    return sum
  }

  /** Returns the requests since `time`, but only those of the last minute, grouped by slot, with
   *  their ages at `now`. All requests of a slot get the age of the youngest request that can be
   *  in it, so no request is treated as older than it is. */
  agesSince(time: number, now: number): UncountedRequests[] {
    const from = Math.max(time, now - keptMs)
    const ages: UncountedRequests[] = []
    for (const [at, start] of this.#starts.entries())
      if (start + slotMs > from) ages.push({ requests: this.#counts[at]!, ageMs: Math.max(0, Math.floor(now - start - slotMs)) })
    return ages
  }

  #forget(now: number): void {
    while (this.#starts.length > 0 && this.#starts[0]! + slotMs <= now - keptMs) {
      this.#starts.shift()
      this.#counts.shift()
    }
  }
}
