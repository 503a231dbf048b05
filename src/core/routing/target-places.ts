import { FairQueue, type FairRequest, type QueueSlot } from '@generation-gateway/kit/process/fair-queue.ts'
import type { Target } from './catalogue.ts'

/** Limits how many exchanges with a target this process runs at a time, for targets with such a
 *  limit (`max_concurrent`). Tasks, calls and relays count together. */
export class TargetPlaces {
  readonly #queues = new Map<string, { limit: number; queue: FairQueue }>()

  /** True when a call to the target would begin at once. */
  hasRoom(target: Target): boolean {
    return this.#queueOf(target)?.hasFree ?? true
  }

  /** Waits for a place at the target; the accounts that wait get places in turn. The caller of
   *  this method disposes of the place when the exchange has ended. Undefined when the target
   *  has no limit. Rejects with the signal's reason. */
  enter(target: Target, request: FairRequest): Promise<QueueSlot> | undefined {
    return this.#queueOf(target)?.take(request)
  }

  #queueOf({ id, maxConcurrent: limit }: Target): FairQueue | undefined {
    if (limit === undefined) return undefined
    const known = this.#queues.get(id)
    if (known?.limit === limit) return known.queue
    // When a reload has changed the limit, a new queue is created. Exchanges that began under the
    // old limit still count in the old queue until they end.
    const queue = new FairQueue({ places: limit })
    this.#queues.set(id, { limit, queue })
    return queue
  }
}
