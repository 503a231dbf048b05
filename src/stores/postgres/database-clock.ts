import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Clock } from '../../core/ports/store.ts'

/** The two clocks of this node, in milliseconds. */
export interface NodeClocks {
  /** Returns Unix time. It jumps when the clock of the machine is set. */
  wall(): number
  /** Returns the time since an arbitrary moment. It never jumps, but may stop while the machine
   *  is suspended. */
  steady(): number
}

export const systemClocks: NodeClocks = { wall: () => Date.now(), steady: () => performance.now() }

/** When the difference between the two clocks of the node changes by more than this, in
 *  milliseconds, one of them has jumped. */
const jumpMs = 2_000
/** Number of measurements at the start and after a jump. The one with the shortest round trip to
 *  the server is used, because it is the most exact. */
const firstMeasurements = 5

/** A node's estimate of the database's clock. It is measured at the start and at every poll of
 *  `Watch`, and continued with the node's steady clock in between. In this way, nodes whose own
 *  clocks differ agree about the time at which a lease ends. */
export class DatabaseClock implements Clock {
  readonly #clocks: NodeClocks
  readonly #read: () => Promise<number>
  /** Time of the database's clock when the steady clock was 0. */
  #base = 0
  /** Time of the wall clock when the steady clock was 0; undefined from a jump until the next
   *  measurement. */
  #wallBase: number | undefined
  #measuring: Promise<void> | undefined

  /** `read` queries the server's time, in Unix milliseconds. */
  constructor(read: () => Promise<number>, clocks: NodeClocks = systemClocks) {
    this.#read = read
    this.#clocks = clocks
  }

  /** Returns Unix milliseconds, a whole number. */
  now(): number {
    this.#noticeJump()
    return Math.round(this.#base + this.#clocks.steady())
  }

  /** Throws `store_unavailable` after one of the node's clocks has jumped, until the next
   *  measurement. */
  assertMeasured(): void {
    this.#noticeJump()
    if (this.#wallBase !== undefined) return
    // `Watch` also measures at its next poll; this call only makes the measurement earlier. Its
    // failure is ignored.
    this.measure().catch(() => {})
    throw new GatewayError(
      'store_unavailable',
      'The clock of this node has jumped; it takes no work until it has compared it with the database.',
      {
        retryAfterSeconds: 2,
      },
    )
  }

  /** Measures the database's clock. Throws the error of the database. */
  measure(): Promise<void> {
    this.#measuring ??= this.#measureNow().finally(() => {
      this.#measuring = undefined
    })
    return this.#measuring
  }

  async #measureNow(): Promise<void> {
    this.#noticeJump()
    const isFirst = this.#wallBase === undefined
    let best = { base: 0, error: Number.POSITIVE_INFINITY }
    for (let count = 0; count < (isFirst ? firstMeasurements : 1); count++) {
      const sample = await this.#sample()
      if (sample.error < best.error) best = sample
    }
    // The first measurement sets the estimate. A later measurement yields the range `best.base` ±
    // `best.error`; an estimate outside this range is moved to its nearer end.
    this.#base = isFirst ? best.base : Math.min(best.base + best.error, Math.max(best.base - best.error, this.#base))
    this.#noticeJump()
    if (isFirst) this.#wallBase = this.#clocks.wall() - this.#clocks.steady()
  }

  /** Measures once. The server has read its clock at some moment between request and reply:
   *  `base` assumes that this was in the middle between the two, and `error` is half of the time
   *  between them. */
  async #sample(): Promise<{ base: number; error: number }> {
    const start = this.#clocks.steady()
    const time = await this.#read()
    const end = this.#clocks.steady()
    return { base: time - (start + end) / 2, error: (end - start) / 2 }
  }

  /** Detects a jump of either clock. The clocks may run at slightly different speeds, so the
   *  difference between them is compared with that of the previous call, not with the first one. */
  #noticeJump(): void {
    if (this.#wallBase === undefined) return
    const wallBase = this.#clocks.wall() - this.#clocks.steady()
    this.#wallBase = Math.abs(wallBase - this.#wallBase) > jumpMs ? undefined : wallBase
  }
}
