import type { FairQueue, FairRequest, Place } from './fair-queue.ts'

interface WorkThrough {
  queue: FairQueue
  /** For further places, and for all waiting between items. */
  request: FairRequest
  /** A place that is held already. It is still held at the end, unless this throws. */
  first: Place
  /** Items at a time, each on a place of its own. */
  atOnce: number
}

/** Works on the items in their order, several at a time where the queue has places, and gives way between two items.
 *  Throws what `work` throws first, and the signal's reason; no item is begun after that. Resolves, and throws, once no item is being worked on. */
export async function workThrough<Item>(
  items: readonly Item[],
  { queue, request, first, atOnce }: WorkThrough,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  let next = 0
  /** Nothing is left to begin: those that wait for a further place need it no more. */
  const over = new AbortController()
  const workOn = async (place: Place): Promise<void> => {
    while (next < items.length && !over.signal.aborted) {
      const item = items[next]!
      next += 1
      if (next === items.length) over.abort()
      await work(item)
      if (next < items.length) await place.giveWay()
    }
  }
  const further = async (): Promise<void> => {
    const signal = AbortSignal.any([request.signal, over.signal])
    const place = await queue.take({ ...request, signal }).catch((error: unknown) => {
      if (request.signal.aborted || !over.signal.aborted) throw error
      return undefined
    })
    try {
      if (place) await workOn(place)
    } catch (error) {
      // It had given way, and meanwhile the last item was begun elsewhere.
      if (error !== signal.reason || request.signal.aborted) throw error
    } finally {
      place?.[Symbol.dispose]()
    }
  }
  const lines = [workOn(first), ...Array.from({ length: Math.min(atOnce, items.length) - 1 }, further)]
  const stop = (): void => over.abort()
  for (const line of lines) line.catch(stop)
  const failed = (await Promise.allSettled(lines)).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}
