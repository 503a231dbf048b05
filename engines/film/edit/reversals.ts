import type { FairQueue, QueueSlot } from '@generation-gateway/kit/process/fair-queue.ts'
import type { Job } from '@generation-gateway/kit/requests/job.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import { readVideoEdit } from './words.ts'

/** Returns the result of `make`, which makes one video of the job. A reversed video occupies a
 *  place of `reversals` while it is made. `make` calls `onTurn` when the engine has a process for
 *  the video, and must fail with the error that `onTurn` throws.
 *
 *  The place is taken in `onTurn` and not earlier: a reversed video that still waits for a process,
 *  behind other videos of its account, would block the reversed videos of other accounts. When no
 *  place is free in `onTurn`, the process is returned to the pool. The video then waits until
 *  another reversed video has ended, and after that for a process again. */
export async function inReversal<Result>(
  reversals: FairQueue,
  job: Job<VideoGenerateRequest>,
  make: (onTurn: () => void) => Promise<Result>,
): Promise<Result> {
  if (!isReversed(job)) return make(() => {})
  const request = { account: job.account, signal: job.signal }
  for (;;) {
    const free = await reversals.take(request)
    free[Symbol.dispose]()
    let place: QueueSlot | undefined
    try {
      return await make(() => {
        place = reversals.tryTake(request)
        if (!place) throw new NoPlace()
      })
    } catch (error) {
      if (!(error instanceof NoPlace)) throw error
    } finally {
      place?.[Symbol.dispose]()
    }
  }
}

class NoPlace extends Error {}

function isReversed({ request, inputs }: Job<VideoGenerateRequest>): boolean {
  return inputs.some(({ role }) => role === 'base') && readVideoEdit(request).isReversed
}
