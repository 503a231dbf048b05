import { setTimeout as sleep } from 'node:timers/promises'
import { PassingFault } from './faults.ts'

/** The time limits of requests to the bucket, and the waits before repeats. All times are in
 *  milliseconds. */
export interface Patience {
  /** An operation is given up when this time has passed since its first failure. */
  deadlineMs: number
  /** An attempt fails when no byte was sent or received for this time. */
  stallMs: number
  /** The limit in place of `stallMs` while the service joins the parts of an upload, and a
   *  quarter of it while the service copies an object. Some services send nothing until they
   *  have finished. */
  workMs: number
  /** The first wait before another attempt is at most this long; each further one may be twice as
   *  long. */
  firstWaitMs: number
  longestWaitMs: number
}

export const usualPatience: Patience = { deadlineMs: 30_000, stallMs: 10_000, workMs: 120_000, firstWaitMs: 100, longestWaitMs: 5_000 }

/** Repeats an operation that fails with a `PassingFault`, after waits of random length (full
 *  jitter, plus the fault's `waitMs`). Throws the last fault when the next wait would pass the
 *  deadline, which counts from the first failure. Throws every other error at once. */
export async function retried<Result>(patience: Patience, operation: () => Promise<Result>): Promise<Result> {
  const waits = new Waits(patience)
  for (;;) {
    try {
      return await operation()
    } catch (error) {
      if (!(error instanceof PassingFault)) throw error
      await waits.wait(error)
    }
  }
}

/** The waits between the attempts of one operation. */
export class Waits {
  readonly #patience: Patience
  #failures = 0
  #firstAt = 0

  constructor(patience: Patience) {
    this.#patience = patience
  }

  /** Waits before another attempt. Throws the fault when the deadline would pass meanwhile. */
  async wait(fault: PassingFault): Promise<void> {
    const { deadlineMs, firstWaitMs, longestWaitMs } = this.#patience
    if (this.#failures === 0) this.#firstAt = performance.now()
    const mostMs = Math.min(longestWaitMs, firstWaitMs * 2 ** this.#failures)
    this.#failures += 1
    const waitMs = Math.random() * mostMs + fault.waitMs
    if (performance.now() - this.#firstAt + waitMs > deadlineMs) throw fault
    await sleep(waitMs)
  }

  /** Counts failures from the beginning again. Called after progress. */
  reset(): void {
    this.#failures = 0
  }
}
