/** Limits how many runs hold files in memory at the same time. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { FairQueue } from '@generation-gateway/kit/process/fair-queue.ts'

export interface CallSlots {
  /** Runs `work` as soon as fewer runs than the limit are in progress. Accounts take turns,
   *  and waiting calls of an account are served in the order in which they were made. Throws
   *  `cancelled` when the signal fires first, else the errors of `work`. */
  in<Result>(job: { account?: string | undefined; signal: AbortSignal }, work: () => Promise<Result>): Promise<Result>
}

export function createCallSlots(most: number): CallSlots {
  const queue = new FairQueue({ places: most })
  return {
    in: async ({ account, signal }, work) => {
      using _place = await queue.take({ account, signal }).catch(() => {
        throw new GatewayError('cancelled', 'The task was stopped before anything was sent.')
      })
      return await work()
    },
  }
}
