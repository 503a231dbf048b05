import type { JobFacts, Refusal } from '@generation-gateway/kit/requests/job.ts'
import { refusal } from '@generation-gateway/kit/requests/job.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import { refusesExtension } from './earlier/extend-video.ts'
import { editedSize, readVideoEdit, supportedVideoEdits } from './edit/words.ts'

/** Default when a request has no frame rate. */
export const usualFramesPerSecond = 24
/** Size in pixels, frame rate and length in seconds at which a feature video (whose camera and
 *  colours are copied) is analysed. */
export const featureSize = { width: 96, height: 54, framesPerSecond: 6, seconds: 10 } as const
const mostSeconds = 60
const mostPixels = 4096 * 2304
const leastSide = 64

/** Returns the reason why this engine cannot draw a film; undefined when it can. */
export function refusesFilm({ request, inputs }: JobFacts<VideoGenerateRequest>): Refusal | undefined {
  const { width, height, seconds, framesPerSecond = usualFramesPerSecond, shots, elements, paths } = request
  for (const [field, side] of [
    ['width', width],
    ['height', height],
  ] as const)
    if (side % 2 !== 0 || side < leastSide)
      return refusal(field, `is ${side}; a video has an even number of pixels, at least ${leastSide}.`)
  if (width * height > mostPixels)
    return refusal('width', `${width}x${height} are ${width * height} pixels; at most ${mostPixels} are drawn.`)
  if (!(seconds > 0 && seconds <= mostSeconds))
    return refusal('seconds', `is ${seconds}; more than 0 and at most ${mostSeconds} are drawn.`)
  if (!(framesPerSecond >= 1 && framesPerSecond <= 60)) return refusal('framesPerSecond', `is ${framesPerSecond}; 1 to 60 are drawn.`)
  if (elements?.length) return refusal('elements', 'this engine keeps no subjects; send pictures of them.')
  const count = (role: string) => inputs.filter(input => input.role === role).length
  if (count('base') > 1) return refusal('base', `one video is edited at a time, not ${count('base')}.`)
  const notEdited = refusesEdit({ request, inputs })
  if (notEdited) return notEdited
  const notGoneOn = refusesExtension({ request, inputs })
  if (notGoneOn) return notGoneOn
  const total = shots?.reduce((sum, shot) => sum + shot.seconds, 0)
  if (total !== undefined && shots?.length && Math.abs(total - seconds) > 0.05)
    return refusal('shots', `last ${total} seconds together, the video ${seconds}.`)
  const masks = count('motion-mask')
  if (masks !== (paths?.length ?? 0))
    return refusal('paths', `there are ${paths?.length ?? 0} for ${masks} motion masks; each mask has one.`)
  const short = paths?.find(path => path.length < 2)
  return short && refusal('paths', `a path has 2 points at least, not ${short.length}.`)
}

/** Largest number of bytes that the frames of a reversed video may take in memory. ffmpeg holds
 *  all of them until the last one has arrived. */
const mostReversedBytes = 2 ** 30
/** Bytes per pixel of a frame in YUV 4:2:0. */
const bytesOfPixel = 1.5

function refusesEdit({ request, inputs }: Pick<JobFacts<VideoGenerateRequest>, 'request' | 'inputs'>): Refusal | undefined {
  const base = inputs.find(({ role }) => role === 'base')
  if (!base) return undefined
  const { durationSeconds = 0 } = base
  if (Math.round(durationSeconds) > mostSeconds)
    return refusal('base', `lasts ${Math.round(durationSeconds)} seconds; at most ${mostSeconds} are edited.`)
  const edit = readVideoEdit(request)
  if (!edit.isSaid) return refusal('prompt', `says nothing that this engine can change in a video. ${supportedVideoEdits}`)
  const seconds = durationSeconds / edit.speed
  if (Math.round(seconds) > mostSeconds)
    return refusal('prompt', `makes the video ${Math.round(seconds)} seconds long; at most ${mostSeconds} are made.`)
  const { width, height } = editedSize(request, edit)
  const most = mostReversedBytes / (width * height * bytesOfPixel * (request.framesPerSecond ?? usualFramesPerSecond))
  if (edit.isReversed && seconds > most)
    return refusal('prompt', `runs ${Math.round(seconds)} seconds of ${width}x${height} backwards; at most ${Math.floor(most)} are.`)
  return undefined
}
