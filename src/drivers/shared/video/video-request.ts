/** Functions that drivers share to read video requests and to report one video per job. */

import type { InputFacts } from '@generation-gateway/kit/requests/capability.ts'
import type { InputRole } from '@generation-gateway/kit/requests/field-names.ts'
import type { Done, OutputFile } from '@generation-gateway/kit/requests/job.ts'
import type { CameraMove } from '@generation-gateway/kit/requests/video.ts'
import { refused } from '../refusal.ts'
import { doneWithVideo, type VideoField, type VideoJobFacts } from './video-job.ts'

/** Allowed difference between requested and delivered frame rate, in frames per second: 24000/1001
 *  counts as 24. */
const rateTolerance = 0.5

/** Returns the inputs with a role, in order. */
export function inputsOf<Input extends InputFacts>(inputs: readonly Input[], role: InputRole): Input[] {
  return inputs.filter(input => input.role === role)
}

/** Throws the refusal of the first input whose role is not in `roles`. `who` names the model in
 *  messages. */
export function assertRoles(inputs: readonly InputFacts[], roles: readonly InputRole[], who: string): void {
  for (const { role } of inputs) {
    // The cast is safe: every input of a job has a role that its capability defines.
    if (!roles.some(each => each === role)) throw refused(role as InputRole, `${who} takes no such input.`)
  }
}

/** Returns true when a size has this aspect ratio. A difference of less than 2 % is allowed,
 *  because each side may be rounded. */
export function hasRatio({ width, height }: { width: number; height: number }, ratio: number): boolean {
  return Math.abs(width / height / ratio - 1) < 0.02
}

/** Returns those directions of a camera movement whose amount is not 0, each with its amount. */
export function directionsOf({ follow, ...amounts }: CameraMove): [direction: keyof typeof amounts, amount: number][] {
  const names = ['horizontal', 'vertical', 'depth', 'pan', 'tilt', 'roll', 'zoom', 'shake'] as const
  return names.flatMap(name =>
    amounts[name] ? [[name, amounts[name]] as const].map(([key, amount]): [typeof name, number] => [key, amount]) : [],
  )
}

/** Returns the outcome of a job that produced one video and possibly a watermarked copy of it. The
 *  outcome lists ignored fields: the seed, which video services rarely accept, and those in
 *  `left`. */
export function doneWithOneVideo(job: VideoJobFacts, files: OutputFile[], left: VideoField[] = []): Done {
  const [video] = files
  const { seed, prompt } = job.request
  const isOther = video !== undefined && hasOtherRate(job.request, video)
  const notFollowed: VideoField[] = ['seed', ...left, ...(isOther ? (['framesPerSecond'] as const) : [])]
  return doneWithVideo(job, files, { seed, prompt, filtered: [], notFollowed })
}

/** Returns true when a video has another frame rate than requested. */
export function hasOtherRate({ framesPerSecond: wanted }: Pick<VideoJobFacts['request'], 'framesPerSecond'>, video: OutputFile): boolean {
  return wanted !== undefined && Math.abs((video.framesPerSecond ?? wanted) - wanted) > rateTolerance
}

/** Number of pixels above which a size counts as 1080P; a value between 1280x720 and 1920x1080. */
const middlePixels = 1_400_000

/** Returns true when the better of a model's two quality grades must be used. The request's `grade`
 *  decides; without it, the better grade is used for sizes that count as 1080P. */
export function isHighGrade({ grade, width, height }: Pick<VideoJobFacts['request'], 'grade' | 'width' | 'height'>): boolean {
  return grade === undefined ? width * height > middlePixels : grade === 'high'
}
