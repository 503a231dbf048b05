/** Limits how many runs hold files in memory at the same time. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { FairQueue } from '@generation-gateway/kit/process/fair-queue.ts'

export interface CallSlots {
  /** Runs `work` as soon as fewer runs than the limit are in progress. Waiting calls are served in
   *  the order in which they were made. Throws `cancelled` when the signal fires first, else the
   *  errors of `work`. */
  in<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result>
}

export function createCallSlots(most: number): CallSlots {
  const queue = new FairQueue({ places: most })
  return {
    in: async (signal, work) => {
      using _place = await queue.take({ signal }).catch(() => {
        throw new GatewayError('cancelled', 'The task was stopped before anything was sent.')
      })
      return await work()
    },
  }
}
