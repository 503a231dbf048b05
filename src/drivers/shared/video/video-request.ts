/** What drivers ask of a request for a video. */

import type { InputFacts } from '@generation-gateway/kit/requests/capability.ts'
import type { InputRole } from '@generation-gateway/kit/requests/field-names.ts'
import type { Done, OutputFile } from '@generation-gateway/kit/requests/job.ts'
import type { CameraMove } from '@generation-gateway/kit/requests/video.ts'
import { refused } from '../refusal.ts'
import { type AskedVideo, filmed, type VideoField } from './video-job.ts'

/** How far a rate may be off: 24000/1001 is one of 24. */
const rateTolerance = 0.5

/** The inputs of a role, in order. */
export function inputsOf<Input extends InputFacts>(inputs: readonly Input[], role: InputRole): Input[] {
  return inputs.filter(input => input.role === role)
}

/** Throws the refusal of inputs of other roles. `who` is the model, in sentences. */
export function assertRoles(inputs: readonly InputFacts[], roles: readonly InputRole[], who: string): void {
  for (const { role } of inputs) {
    // Roles of inputs are those of the request's capability.
    if (!roles.some(each => each === role)) throw refused(role as InputRole, `${who} takes no such input.`)
  }
}

/** Whether a size has this ratio, but for the rounding of its sides. */
export function hasRatio({ width, height }: { width: number; height: number }, ratio: number): boolean {
  return Math.abs(width / height / ratio - 1) < 0.02
}

/** Directions of a step that are not 0. */
export function directionsOf({ follow, ...amounts }: CameraMove): [direction: keyof typeof amounts, amount: number][] {
  const names = ['horizontal', 'vertical', 'depth', 'pan', 'tilt', 'roll', 'zoom', 'shake'] as const
  return names.flatMap(name =>
    amounts[name] ? [[name, amounts[name]] as const].map(([key, amount]): [typeof name, number] => [key, amount]) : [],
  )
}

/** The outcome of a job that made one video, and perhaps a marked copy of it. `left`: what was not followed beside the seed, which services of videos rarely take. */
export function filmedOne(job: AskedVideo, files: OutputFile[], left: VideoField[] = []): Done {
  const [video] = files
  const { seed, prompt } = job.request
  const isOther = video !== undefined && hasOtherRate(job.request, video)
  const notFollowed: VideoField[] = ['seed', ...left, ...(isOther ? (['framesPerSecond'] as const) : [])]
  return filmed(job, files, { seed, prompt, filtered: [], notFollowed })
}

/** Whether a video has other frames in a second than were asked for. */
export function hasOtherRate({ framesPerSecond: wanted }: Pick<AskedVideo['request'], 'framesPerSecond'>, video: OutputFile): boolean {
  return wanted !== undefined && Math.abs((video.framesPerSecond ?? wanted) - wanted) > rateTolerance
}
