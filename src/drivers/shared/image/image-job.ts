/** Functions with which drivers read image jobs. A job either creates new pictures or edits a
 *  picture. */
import type { InputFacts } from '@generation-gateway/kit/requests/capability.ts'
import type { ImageEditRequest, ImageGenerateRequest, PictureSize } from '@generation-gateway/kit/requests/image.ts'
import { onePicture, pictureOf } from '@generation-gateway/kit/requests/image-inputs.ts'
import type { Job, JobFacts } from '@generation-gateway/kit/requests/job.ts'
import { RefusedError } from '../refusal.ts'

export type ImageRequest = ImageGenerateRequest | ImageEditRequest
export type ImageJob = Job<ImageRequest>
export type ImageJobFacts = JobFacts<ImageRequest>

/** An edit without a size gets the sides of its input, each rounded to a multiple of this number of
 *  pixels (`kit/requests/image.ts`). */
const sideStep = 32

/** Returns true for a new picture, false for an edit. */
export function isNewPicture(request: ImageRequest): request is ImageGenerateRequest {
  return 'count' in request
}

/** Returns the number of pictures requested. */
export function countOf(request: ImageRequest): number {
  return isNewPicture(request) ? request.count : (request.variants ?? 1)
}

/** Returns the format to request from a service that provides only JPEG and PNG. For WebP it is
 *  PNG, so that nothing is lost before the conversion to WebP. */
export function plainFormat({ format }: ImageRequest): 'jpeg' | 'png' {
  return format === 'webp' ? 'png' : format
}

export function negativePromptOf(request: ImageRequest): string | undefined {
  return isNewPicture(request) ? request.negativePrompt : undefined
}

/** Returns the input of an edit that must have exactly one picture; refuses other inputs with a
 *  `RefusedError`. `who` names the model in messages. */
export function onlyPicture<Input extends InputFacts>(inputs: readonly Input[], who: string): Input {
  const found = onePicture(inputs, who)
  if ('refusal' in found) throw new RefusedError(found.refusal)
  return found.picture
}

/** Returns the requested width and height in pixels. An edit without a size gets the size of its
 *  input, rounded. Undefined when the size of the input is unknown as well. */
export function sidesOf({ request, inputs }: Pick<ImageJobFacts, 'request' | 'inputs'>): { width: number; height: number } | undefined {
  const { width = rounded(pictureOf(inputs)?.width), height = rounded(pictureOf(inputs)?.height) } = request
  return width === undefined || height === undefined ? undefined : { width, height }
}

function rounded(side: number | undefined): number | undefined {
  return side === undefined ? undefined : Math.max(sideStep, Math.round(side / sideStep) * sideStep)
}

/** Returns true when both pictures have about the same aspect ratio, or when the size of `other` is
 *  unknown. The ratios may differ by a factor of at most e^`tolerance`. */
export function haveSameShape({ width, height }: PictureSize, other: Partial<PictureSize> | undefined, tolerance: number): boolean {
  if (other?.width === undefined || other.height === undefined) return true
  return Math.abs(Math.log((width * other.height) / (height * other.width))) <= tolerance
}
