/** Converts a create into a neutral request, and finds its problems. */

import { invalidField } from '@generation-gateway/kit/errors.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import type { CallFile } from '../../contract/call-file.ts'
import type { CallContext } from '../../contract/context.ts'
import { usualVideo } from '../shared/usual-requests.ts'
import { oneSource } from './failure.ts'
import { type OperationError, storageProblem } from './gcs.ts'
import { type Feature, groupOf } from './models.ts'
import { type CreateBody, type Instance, type Media, mostSamples, type Parameters } from './schema.ts'

/** Pixels of the longer and the shorter side. */
const sides = { '720p': [1280, 720], '1080p': [1920, 1080], '4k': [3840, 2160] } as const

/** A place in an instance that holds a file. */
export interface MediaField {
  /** The path as the caller wrote it: `instances[0].image`. */
  field: string
  role: string
  media: Media | Instance['video']
}

/** Every file of the instance, in the order of the body. Throws `invalid_request` for one given in
 *  neither or in both ways. */
export function mediaOf({ instances: [instance = {}] }: CreateBody): MediaField[] {
  const at = 'instances[0]'
  const references = (instance.referenceImages ?? []).map(({ image, referenceType }, index) => {
    const field = `${at}.referenceImages[${index}].image`
    if (image === undefined) throw invalidField(field, `${field} is required.`, oneSource)
    return { field, role: referenceType === 'style' ? 'style' : 'reference', media: image }
  })
  const single = [
    { field: `${at}.image`, role: 'first-frame', media: instance.image },
    { field: `${at}.lastFrame`, role: 'last-frame', media: instance.lastFrame },
    { field: `${at}.video`, role: 'earlier', media: instance.video },
  ]
  const all = [...single.filter(({ media }) => media !== undefined), ...references]
  for (const { field, media } of all) assertOneSource(field, media)
  return all
}

function assertOneSource(field: string, media: MediaField['media']): void {
  const ways = [media?.bytesBase64Encoded, media?.gcsUri].filter(way => way !== undefined)
  if (ways.length === 0) throw invalidField(field, `${field} has neither bytesBase64Encoded nor gcsUri.`, oneSource)
  if (ways.length === 2) throw invalidField(field, `${field} has both bytesBase64Encoded and gcsUri; it takes one of them.`, 'both-sources')
  if (media?.gcsUri !== undefined && !media.gcsUri.startsWith('gs://'))
    throw invalidField(`${field}.gcsUri`, `${field}.gcsUri is ${media.gcsUri.slice(0, 100)}; it has to begin with gs://.`, 'scheme')
}

/** The files with their roles. Throws `invalid_request` for a picture whose type is not the
 *  declared one. */
export function withRoles(given: readonly MediaField[], files: readonly CallFile[]): CallFile[] {
  return files.map(file => {
    const place = given.find(({ field }) => file.field === `${field}.bytesBase64Encoded`)
    if (!place) throw new TypeError(`no field has the file ${file.field}`)
    const said = place.media?.mimeType
    if (said?.startsWith('image/') && said !== file.mediaType)
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
    sound: groupOf(context.model).hasSound && parameters.generateAudio !== false,
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

/** The problem of an accepted create that the query reports with code 3
 *  (docs/interface/videos.md#v); undefined when there is none. */
export function problemOf(
  context: CallContext<'section'>,
  { instances: [instance = {}], parameters }: CreateBody,
): OperationError | undefined {
  const { sampleCount, storageUri } = parameters
  if (sampleCount < 1 || sampleCount > mostSamples)
    return { code: 3, message: `Invalid sample count ${sampleCount}; the sample count should be in the range of [1, ${mostSamples}]` }
  return (
    mixProblem(context, instance) ??
    durationProblem(context, instance, parameters) ??
    (storageUri === undefined ? undefined : storageProblem(context, storageUri))
  )
}

function mixProblem(context: CallContext, { referenceImages = [] }: Partial<Instance>): OperationError | undefined {
  const styles = referenceImages.filter(({ referenceType }) => referenceType === 'style').length
  const { references } = groupOf(context.model)
  const isTaken = styles === 0 || (styles === 1 && referenceImages.length === 1 && references.includes('style'))
  return isTaken ? undefined : { code: 3, message: 'Reference to video does not support this mix of reference images' }
}

function durationProblem(context: CallContext, instance: Partial<Instance>, { durationSeconds }: Parameters): OperationError | undefined {
  const feature = featureOf(instance)
  const supported = feature === 'reference_to_video' ? [8] : groupOf(context.model).seconds
  if (supported.includes(durationSeconds)) return undefined
  const listed = `[${supported.join(',')}] for feature ${feature}`
  return { code: 3, message: `Unsupported output duration ${durationSeconds} seconds, supported durations are ${listed}` }
}

function featureOf({ image, lastFrame, referenceImages = [] }: Partial<Instance>): Feature {
  if (referenceImages.length > 0) return 'reference_to_video'
  return image === undefined && lastFrame === undefined ? 'text_to_video' : 'image_to_video'
}
