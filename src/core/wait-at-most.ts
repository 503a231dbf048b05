import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves when the work has ended, or after `ms` milliseconds even if the work is still
 *  running. Rejects when the work rejects within that time. */
export async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  const isOver = new AbortController()
  // The sleep ends early, with a rejection, as soon as the work has ended.
  const patience = sleep(ms, undefined, { signal: isOver.signal }).catch(() => {})
  try {
    await Promise.race([work, patience])
  } finally {
    isOver.abort()
  }
}
