/** Converts a body that creates a video into a neutral request, and finds its problems. */

import { invalidField } from '@generation-gateway/kit/errors.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import type { CallFile } from '../../contract/call-file.ts'
import type { CallContext } from '../../contract/context.ts'
import { usualVideo } from '../shared/usual-requests.ts'
import { countProblem } from './counts.ts'
import { oneSource } from './failure.ts'
import { type OperationError, storageProblem } from './gcs.ts'
import { groupOf, sides } from './models.ts'
import type { CreateBody, Instance, Media } from './schema.ts'

/** A place in an instance that holds a file. */
export interface MediaField {
  /** The path of the field as the caller wrote it: `instances[0].image`. */
  field: string
  role: string
  media: Media
}

/** Returns every file of the instance: `image`, `lastFrame`, `video`, then those of
 *  `referenceImages`. A file is given as base64 or as the name of a stored object. Throws
 *  `invalid_request` for one given in neither or in both ways. */
export function mediaOf({ instances: [instance = {}] }: CreateBody): MediaField[] {
  const at = 'instances[0]'
  const references = (instance.referenceImages ?? []).map(({ image, referenceType }, index) => {
    const field = `${at}.referenceImages[${index}].image`
    return [field, referenceType === 'style' ? 'style' : 'reference', image] as const
  })
  const single = [
    [`${at}.image`, 'first-frame', instance.image],
    [`${at}.lastFrame`, 'last-frame', instance.lastFrame],
    [`${at}.video`, 'earlier', instance.video],
  ] as const
  const all = [...single.filter(([, , media]) => media !== undefined), ...references]
  return all.map(([field, role, media]) => ({ field, role, media: wholeMedia(field, media) }))
}

/** Returns media that has exactly one source and a type. A missing source is reported before a
 *  missing type, because the interface calls a picture without a source empty
 *  (docs/interface/videos.md#v). */
function wholeMedia(field: string, media: Instance['image'] | Instance['video']): Media {
  const ways = [media?.bytesBase64Encoded, media?.gcsUri].filter(way => way !== undefined)
  if (ways.length === 0) throw invalidField(field, `${field} has neither bytesBase64Encoded nor gcsUri.`, oneSource)
  if (ways.length === 2) throw invalidField(field, `${field} has both bytesBase64Encoded and gcsUri; it takes one of them.`, 'both-sources')
  if (media?.gcsUri !== undefined && !media.gcsUri.startsWith('gs://'))
    throw invalidField(`${field}.gcsUri`, `${field}.gcsUri is ${media.gcsUri.slice(0, 100)}; it has to begin with gs://.`, 'scheme')
  const { mimeType } = media ?? {}
  if (mimeType === undefined) throw invalidField(`${field}.mimeType`, `${field}.mimeType is required.`, 'required')
  return { ...media, mimeType }
}

/** Returns the files with their roles. Throws `invalid_request` for a picture whose type is not the
 *  declared one. */
export function withRoles(given: readonly MediaField[], files: readonly CallFile[]): CallFile[] {
  return files.map(file => {
    const place = given.find(({ field }) => file.field === `${field}.bytesBase64Encoded`)
    if (!place) throw new TypeError(`no field has the file ${file.field}`)
    const said = place.media.mimeType
    if (said.startsWith('image/') && said !== file.mediaType)
      throw invalidField(`${place.field}.mimeType`, `${place.field}.mimeType is ${said}; the file is ${file.mediaType}.`, 'mime-type')
    return { ...file, role: place.role }
  })
}

export function requestOf(context: CallContext, { instances: [instance = {}], parameters }: CreateBody): VideoGenerateRequest {
  const { aspectRatio, resolution, durationSeconds, sampleCount, seed, personGeneration, resizeMode, negativePrompt } = parameters
  const [long, short] = sides[resolution]
  const request: VideoGenerateRequest = {
    ...usualVideo,
    prompt: instance.prompt ?? '',
    ...(aspectRatio === '16:9' ? { width: long, height: short } : { width: short, height: long }),
    seconds: durationSeconds,
    count: sampleCount,
    seed: seed === undefined ? context.randomSeed() : String(seed),
    sound: groupOf(context.model.group).hasSound && parameters.generateAudio !== false,
    expandPrompt: parameters.enhancePrompt,
    people: personGeneration === 'dont_allow' ? 'none' : 'adults',
  }
  if (negativePrompt !== undefined && negativePrompt.trim() !== '') request.negativePrompt = negativePrompt
  if (parameters.compressionQuality === 'lossless') request.lossless = true
  const hasPicture = instance.image !== undefined || instance.lastFrame !== undefined
  if (hasPicture) request.fit = resizeMode ?? 'pad'
  else if (resizeMode !== undefined) context.warn('parameters.resizeMode is left out: there is no picture to fit.')
  return request
}

/** Returns the problem of a request that breaks a limit or names a wrong place for the videos;
 *  undefined when there is none. The interface accepts such a request (docs/interface/videos.md#v):
 *  the operation is created and fails, and its query reports the problem. The code is 7 for a
 *  bucket that the caller may not use, else 3. */
export function problemOf(
  context: CallContext<'section'>,
  { instances: [instance = {}], parameters }: CreateBody,
): OperationError | undefined {
  const { sampleCount, durationSeconds, storageUri } = parameters
  const { image, lastFrame, referenceImages } = instance
  const problem = countProblem(context.model.group, { sampleCount, durationSeconds, image, lastFrame, referenceImages })
  if (problem) return { code: 3, message: problem.message }
  return storageUri === undefined ? undefined : storageProblem(context, storageUri)
}
