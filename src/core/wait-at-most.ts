import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves when the work has ended, or after `ms` milliseconds even if the work is still
 *  running. Rejects when the work rejects within that time. */
export async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  const isOver = new AbortController()
  // When the work has ended, the sleep is aborted, so that its timer does not remain; the error of
  // the abort is ignored.
  const patience = sleep(ms, undefined, { signal: isOver.signal }).catch(() => {})
  try {
    await Promise.race([work, patience])
  } finally {
    isOver.abort()
  }
}
