import type { FairQueue, FairRequest, QueueSlot } from './fair-queue.ts'

interface SharedWorkOptions {
  queue: FairQueue
  /** The account, expected duration and signal with which further places are requested from the
   *  queue. */
  request: FairRequest
  /** A place of the queue that the caller already holds. Items run in this place as well. The
   *  caller still holds this place when the function returns; when the function throws, the
   *  place may be lost. */
  first: QueueSlot
  /** Number of items that run at the same time, each in a place of its own. */
  atOnce: number
}

/** Runs `work` on the items in order: several at a time when the queue has free places. Calls
 *  `giveWay` between two items. After the first error no further item begins; items in progress are
 *  finished before this function returns or throws. Throws an error of `work`, or the signal's
 *  reason. */
export async function runInTurns<Item>(
  items: readonly Item[],
  { queue, request, first, atOnce }: SharedWorkOptions,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  let next = 0
  /** Aborted when no item is left to begin or an item has failed, so that waits for a further place
   *  end. */
  const over = new AbortController()
  const workOn = async (place: QueueSlot): Promise<void> => {
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
      // While this worker was paused in `giveWay`, another one may have begun the last item and
      // aborted the wait. That is not an error of the job.
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
