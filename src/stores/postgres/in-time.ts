import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/** Returns the answer of the server. Throws when it does not come within `ms` milliseconds. */
export async function inTime<Answer>(answer: Promise<Answer>, ms: number): Promise<Answer> {
  const late = new AbortController()
  const end = sleep(ms, undefined, { signal: late.signal, ref: false }).then(async () => {
    // When this process was suspended for a while, the answer may already be in the socket. These
    // two turns of the event loop read it, so that it counts as in time.
    await nextTurn()
    await nextTurn()
    throw new Error('The connection timed out.')
  })
  try {
    return await Promise.race([answer, end])
  } finally {
    late.abort()
    end.catch(() => {})
  }
}
