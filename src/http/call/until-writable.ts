import { type EventEmitter, once } from 'node:events'

/** Resolves when an answer that is full takes bytes again, or its connection has gone. Leaves no listener behind, however often it is full. */
export async function untilWritable(response: EventEmitter): Promise<void> {
  const settled = new AbortController()
  const { signal } = settled
  try {
    await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })])
  } finally {
    settled.abort()
  }
}
