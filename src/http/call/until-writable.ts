import { type EventEmitter, once } from 'node:events'

/** Resolves when a response under back-pressure accepts bytes again, or when its connection has
 *  closed. Removes its listeners in both cases. */
export async function untilWritable(response: EventEmitter): Promise<void> {
  const settled = new AbortController()
  const { signal } = settled
  try {
    await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })])
  } finally {
    settled.abort()
  }
}
