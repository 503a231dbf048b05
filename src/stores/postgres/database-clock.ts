import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Clock } from '../../core/ports/store.ts'

/** The clocks of this node, both in milliseconds. */
export interface NodeClocks {
  /** Unix time, which the machine's operator may set. */
  wall(): number
  /** Time since some moment; it never jumps, but may stand still while the machine is suspended. */
  steady(): number
}

export const systemClocks: NodeClocks = { wall: () => Date.now(), steady: () => performance.now() }

/** Once the two clocks of the node differ by this much more than before, one of them has jumped. */
const jumpMs = 2_000
/** The measurement with the shortest way to the server and back is the best one. */
const firstMeasurements = 5

/** The database's clock, as a node knows it: measured at the start and at every look of the watch,
 *  and continued by the node's steady clock in between. Nodes whose own clocks differ thus agree
 *  about the ends of leases. */
export class DatabaseClock implements Clock {
  readonly #clocks: NodeClocks
  readonly #read: () => Promise<number>
  /** The database's time at steady time 0. */
  #base = 0
  /** Wall time at steady time 0; undefined while a new measurement is due. */
  #wallBase: number | undefined
  #measuring: Promise<void> | undefined

  /** `read` asks the server for its time, in Unix milliseconds. */
  constructor(read: () => Promise<number>, clocks: NodeClocks = systemClocks) {
    this.#read = read
    this.#clocks = clocks
  }

  /** Unix milliseconds, a whole number. */
  now(): number {
    this.#noticeJump()
    return Math.round(this.#base + this.#clocks.steady())
  }

  /** Throws `store_unavailable` from a jump of the node's clocks until the next measurement. */
  assertMeasured(): void {
    this.#noticeJump()
    if (this.#wallBase !== undefined) return
    // The looks of the watch measure as well; this one only makes it sooner.
    this.measure().catch(() => {})
    throw new GatewayError(
      'store_unavailable',
      'The clock of this node has jumped; it takes no work until it has compared it with the database.',
      {
        retryAfterSeconds: 2,
      },
    )
  }

  /** Compares the clocks. Throws the error of the database. */
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
    // A later measurement only says between which bounds the clock is.
    this.#base = isFirst ? best.base : Math.min(best.base + best.error, Math.max(best.base - best.error, this.#base))
    this.#noticeJump()
    if (isFirst) this.#wallBase = this.#clocks.wall() - this.#clocks.steady()
  }

  /** The answer was made somewhere between request and reply: `error` is half of that time. */
  async #sample(): Promise<{ base: number; error: number }> {
    const start = this.#clocks.steady()
    const time = await this.#read()
    const end = this.#clocks.steady()
    return { base: time - (start + end) / 2, error: (end - start) / 2 }
  }

  /** The wall clock may run a little faster or slower, so it is compared with its last reading. */
  #noticeJump(): void {
    if (this.#wallBase === undefined) return
    const wallBase = this.#clocks.wall() - this.#clocks.steady()
    this.#wallBase = Math.abs(wallBase - this.#wallBase) > jumpMs ? undefined : wallBase
  }
}
