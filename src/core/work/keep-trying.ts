import { setTimeout as sleep } from 'node:timers/promises'
import { secondsUntilRetry } from '../store-alarm.ts'

const firstWaitMs = 1_000
const longestWaitMs = 30_000
const againAfterMs = 500

/** Returns the result of the write once it succeeds; undefined when `signal` is aborted first.
 *  Retries after 1 s, 2 s, 4 s, ..., at most 30 s, and calls `onError` for every failed try.
 *  Used to store the ends of jobs and deliveries: this node keeps the lease of a job until its
 *  end is stored, so without the retries no other node could ever take the job over. */
export async function keepTrying<Result>(
  write: () => Promise<Result>,
  { signal, onError }: { signal: AbortSignal; onError(error: unknown): void },
): Promise<Result | undefined> {
  for (let tries = 0; ; tries++) {
    try {
      return await write()
    } catch (error) {
      onError(error)
    }
    // When the signal is aborted, the wait ends early; its error is ignored.
    await sleep(Math.min(longestWaitMs, firstWaitMs * 2 ** tries), undefined, { signal }).catch(() => {})
    if (signal.aborted) return undefined
  }
}

/** Returns the result of `write`, which is tried again while the store does not answer, until
 *  `signal` is aborted. The signal of a run is aborted at the latest when its node has sent no
 *  heartbeat for 10 s. Throws the errors of the last try. */
export async function onceStoreAnswers<Result>(write: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (signal.aborted || secondsUntilRetry(error) === undefined) throw error
    }
    // When the signal is aborted, the wait ends early; its error is ignored.
    await sleep(againAfterMs, undefined, { signal }).catch(() => {})
  }
}
