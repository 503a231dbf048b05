import type { FairQueue, QueueSlot } from '@generation-gateway/kit/process/fair-queue.ts'
import type { Job } from '@generation-gateway/kit/requests/job.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import { readVideoEdit } from './words.ts'

/** Returns the result of `make`, which makes one video of the job. A reversed video has a place of
 *  `reversals` meanwhile. `make` calls `onTurn` when the engine has a process for the video, and
 *  ends with the error that `onTurn` throws.
 *
 *  The place is taken only then: a reversed video that waits for a process, behind other videos of
 *  its account, would keep those of other accounts waiting. When no place is free then, the process
 *  is given back, and the video waits for a process again once another reversed video has ended. */
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
