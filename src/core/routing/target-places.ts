import { FairQueue, type FairRequest, type Place } from '@generation-gateway/kit/process/fair-queue.ts'
import type { Target } from './catalogue.ts'

/** The places of targets with a limit of their own (`max_concurrent`), for tasks, calls and relays alike. Knows this process only. */
export class TargetPlaces {
  readonly #queues = new Map<string, { limit: number; queue: FairQueue }>()

  /** Whether a call to the target would begin at once. */
  hasRoom(target: Target): boolean {
    return this.#queueOf(target)?.hasFree ?? true
  }

  /** A place at the target, to be disposed of at the end of the exchange, in turn between accounts. Undefined where the target has no limit. Rejects with the signal's reason. */
  enter(target: Target, request: FairRequest): Promise<Place> | undefined {
    return this.#queueOf(target)?.take(request)
  }

  #queueOf({ id, maxConcurrent: limit }: Target): FairQueue | undefined {
    if (limit === undefined) return undefined
    const known = this.#queues.get(id)
    if (known?.limit === limit) return known.queue
    // After a reload with another limit, what runs under the old one is counted there until it ends.
    const queue = new FairQueue({ places: limit })
    this.#queues.set(id, { limit, queue })
    return queue
  }
}
