/** Extends a video: the new part begins with the last frame of the given video, and both are joined
 *  to one file. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Inspection } from '@generation-gateway/kit/media/inspection.ts'
import type { FairQueue } from '@generation-gateway/kit/process/fair-queue.ts'
import type { InputFile, Job, Outcome, OutputFile, Refusal } from '@generation-gateway/kit/requests/job.ts'
import { refusal } from '@generation-gateway/kit/requests/job.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import { joinVideos, lastFrameOf, type Shape } from './join.ts'

/** Longest extended video, seconds: the limit of family K
 *  (docs/vendors/kling.md#video-extension). */
const mostTotalSeconds = 180
const usualRate = 24

type ExtensionRequest = Pick<Job<VideoGenerateRequest>, 'request'> & { inputs: readonly Pick<InputFile, 'role' | 'durationSeconds'>[] }

/** Returns the reason why this engine cannot extend the video of a request; undefined when it can,
 *  or when the request has no video to extend. */
export function refusesExtension({ request, inputs }: ExtensionRequest): Refusal | undefined {
  const earlier = inputs.filter(({ role }) => role === 'earlier')
  if (earlier.length === 0) return undefined
  if (earlier.length > 1) return refusal('earlier', `one video is continued at a time, not ${earlier.length}.`)
  const beside = inputs.find(({ role }) => role === 'first-frame' || role === 'base')
  if (beside)
    return refusal(
      'earlier',
      `stands without ${beside.role === 'base' ? 'a video to edit' : 'a first frame'}: its last frame is the first one.`,
    )
  const total = (earlier[0]?.durationSeconds ?? 0) + request.seconds
  if (total > mostTotalSeconds)
    return refusal(
      'earlier',
      `and what follows it last ${Math.round(total * 10) / 10} seconds together; at most ${mostTotalSeconds} are made.`,
    )
  return request.watermark ? refusal('watermark', 'this engine marks no video that goes on with another.') : undefined
}

interface ExtensionTools {
  /** Makes the new part of the video, as a separate film. */
  film(job: Job<VideoGenerateRequest>): Promise<Outcome>
  /** Queue for decoding and joining videos. */
  joins: FairQueue
  inspection: Pick<Inspection, 'probeVideo'>
}

/** Returns the outcome of `film`. When the request extends a video, each new video is joined to the
 *  end of that video; only the new part is charged. */
export async function extendVideo(
  job: Job<VideoGenerateRequest>,
  { film, joins, inspection: { probeVideo } }: ExtensionTools,
): Promise<Outcome> {
  const earlier = job.inputs.find(({ role }) => role === 'earlier')
  if (!earlier) return film(job)
  const { request, scratch, signal } = job
  const { width, height, fit = 'pad' } = request
  const framesPerSecond = request.framesPerSecond ?? rateOf(earlier)
  const shape: Shape = { width, height, fit, framesPerSecond }
  const inTurn = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    using _place = await joins.take({ account: job.account, signal })
    return await work()
  }
  const lastFrame = await inTurn(() => lastFrameOf(earlier.path, { shape, to: join(scratch, 'last-frame.png'), signal }))
  const frame: InputFile = { ...lastFrame, role: 'first-frame' }
  const inputs = [frame, ...job.inputs.filter(each => each !== earlier)]
  const made = await film({ ...job, request: { ...request, framesPerSecond }, inputs })
  if (made.state !== 'done') return made
  const files: OutputFile[] = []
  for (const file of made.files) {
    if (file.role !== 'video') {
      files.push(file)
      continue
    }
    const joining = { earlier: earlier.path, later: file, shape, mostSeconds: mostTotalSeconds, probeVideo, account: job.account, signal }
    files.push(await inTurn(() => joinVideos(joining)))
    await rm(file.path, { force: true })
  }
  await rm(frame.path, { force: true })
  return { ...made, files }
}

/** Returns the frame rate of a video, rounded to a whole number (24000/1001 becomes 24). A rate
 *  outside 1 to 60 is replaced by the usual rate of 24. */
function rateOf({ framesPerSecond = usualRate }: InputFile): number {
  const rate = Math.round(framesPerSecond)
  return rate >= 1 && rate <= 60 ? rate : usualRate
}
