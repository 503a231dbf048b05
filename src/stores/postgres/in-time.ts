import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/** Returns the answer of the server. Throws when it does not come within `ms` milliseconds. */
export async function inTime<Answer>(answer: Promise<Answer>, ms: number): Promise<Answer> {
  const late = new AbortController()
  const end = sleep(ms, undefined, { signal: late.signal, ref: false }).then(async () => {
    // After a long pause of this process, an answer that has come is read first.
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
