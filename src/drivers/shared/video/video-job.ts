/** Functions that drivers share to check video requests and to report their outcomes. */

import type { InputRole } from '@generation-gateway/kit/requests/field-names.ts'
import type { Done, Job, JobFacts, OutputFile, Refusal } from '@generation-gateway/kit/requests/job.ts'
import { refusal } from '@generation-gateway/kit/requests/job.ts'
import { countedSeconds, type VideoGenerateRequest, type VideoResult } from '@generation-gateway/kit/requests/video.ts'

export type VideoJob = Job<VideoGenerateRequest>
export type VideoJobFacts = JobFacts<VideoGenerateRequest>
export type VideoField = keyof VideoGenerateRequest

/** Fields that change the picture or the sound of a video. A target that does not support one of
 *  them must refuse the request. */
const essential = ['negativePrompt', 'camera', 'shots', 'paths', 'keepBaseSound', 'elements'] as const satisfies VideoField[]

/** Returns the refusal of a request that has an essential field or a watermark which the target
 *  does not support; undefined for other requests. `known` lists the supported fields; `who` names
 *  the target in messages. */
export function refusedField({ request }: VideoJobFacts, known: readonly VideoField[], who: string): Refusal | undefined {
  const left = essential.find(field => request[field] !== undefined && !known.includes(field))
  if (left !== undefined) return refusal(left, `${who} has no such thing.`)
  if (request.watermark && !known.includes('watermark')) return refusal('watermark', `${who} makes no marked copies.`)
  return undefined
}

/** Returns the refusal of a request with more inputs of a role than the target accepts;
 *  undefined for any other request. `most` states the accepted number by role; it is 0 for other
 *  roles. */
export function refusedInput({ inputs }: VideoJobFacts, most: Partial<Record<InputRole, number>>, who: string): Refusal | undefined {
  const counts = new Map<string, number>()
  for (const { role } of inputs) counts.set(role, (counts.get(role) ?? 0) + 1)
  for (const [role, count] of counts) {
    // The cast is safe: every input of a job has a role that its capability defines.
    const name = role as InputRole
    const taken = most[name] ?? 0
    if (count > taken) return refusal(name, taken === 0 ? `${who} takes none.` : `${who} takes ${taken}, not ${count}.`)
  }
  return undefined
}

/** Returns the requested fields that a target ignores when it supports only the fields in
 *  `known`. Ignored fields affect only the quality of the video. */
export function leftOut({ request }: VideoJobFacts, known: readonly VideoField[]): VideoField[] {
  const isAsked: readonly (readonly [VideoField, boolean])[] = [
    ['seed', true],
    ['expandPrompt', request.expandPrompt],
    ['framesPerSecond', request.framesPerSecond !== undefined],
    ['promptStrength', request.promptStrength !== undefined],
    ['lossless', request.lossless === true],
  ]
  return isAsked.flatMap(([field, requested]) => (requested && !known.includes(field) ? [field] : []))
}

/** Returns the outcome of a job whose videos are finished. */
export function doneWithVideo({ request, inputs }: VideoJobFacts, files: OutputFile[], report: VideoResult): Done {
  const videos = files.filter(({ role }) => role === 'video')
  const units = videos.reduce((sum, { durationSeconds }) => sum + countedSeconds(request, inputs, durationSeconds), 0)
  return { state: 'done', files, report, usage: [{ unit: 'seconds', units }] }
}
