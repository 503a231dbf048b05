/** What drivers ask of an image job, whether it draws a new picture or edits one. */
import type { InputFacts } from '@generation-gateway/kit/requests/capability.ts'
import type { ImageEditRequest, ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import { onePicture, pictureOf } from '@generation-gateway/kit/requests/image-inputs.ts'
import type { AskedJob, Job } from '@generation-gateway/kit/requests/job.ts'
import { RefusedError } from '../refusal.ts'

export type ImageRequest = ImageGenerateRequest | ImageEditRequest
export type ImageJob = Job<ImageRequest>
export type AskedImage = AskedJob<ImageRequest>

/** Sides of an edit whose request names none are those of its input, rounded to this (`kit/requests/image.ts`). */
const sideStep = 32

/** Else it is an edit. */
export function isNewPicture(request: ImageRequest): request is ImageGenerateRequest {
  return 'count' in request
}

/** How many pictures the request asks for. */
export function countOf(request: ImageRequest): number {
  return isNewPicture(request) ? request.count : (request.variants ?? 1)
}

/** What a service is asked for that gives JPEG and PNG only: what comes is converted without loss. */
export function plainFormat({ format }: ImageRequest): 'jpeg' | 'png' {
  return format === 'webp' ? 'png' : format
}

export function negativePromptOf(request: ImageRequest): string | undefined {
  return isNewPicture(request) ? request.negativePrompt : undefined
}

/** The one picture that is edited. Throws the refusal of other inputs. `who` is the model, in sentences. */
export function onlyPicture<Input extends InputFacts>(inputs: readonly Input[], who: string): Input {
  const found = onePicture(inputs, who)
  if ('refusal' in found) throw new RefusedError(found.refusal)
  return found.picture
}

/** The sides asked for; of an edit that names none those of its input, rounded. Undefined where that is not known. */
export function sidesOf({ request, inputs }: Pick<AskedImage, 'request' | 'inputs'>): { width: number; height: number } | undefined {
  const { width = rounded(pictureOf(inputs)?.width), height = rounded(pictureOf(inputs)?.height) } = request
  return width === undefined || height === undefined ? undefined : { width, height }
}

function rounded(side: number | undefined): number | undefined {
  return side === undefined ? undefined : Math.max(sideStep, Math.round(side / sideStep) * sideStep)
}
