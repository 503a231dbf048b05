/** A neutral request as the call of an image model. What the interface or the target cannot express is refused by name, before anything is sent. */
import type { FieldName } from '@generation-gateway/kit/requests/field-names.ts'
import { type ImageEditRequest, type ImageGenerateRequest, sizeFields } from '@generation-gateway/kit/requests/image.ts'
import { type AskedJob, type Refusal, refusal } from '@generation-gateway/kit/requests/job.ts'
import { aspectRatioOf, namedRatios } from './aspect-ratio.ts'
import type { ImageCall, ImageModel } from './image-model.ts'
import { factsOf, type TargetFacts } from './settings.ts'

export type ImageRequest = ImageGenerateRequest | ImageEditRequest
export type AskedImage = AskedJob<ImageRequest>

export function countOf(request: ImageRequest): number {
  return 'count' in request ? request.count : 1
}

/** Why no model behind these settings can do the request; undefined when one may. */
export function refusalOf(asked: AskedImage): Refusal | undefined {
  const { request, inputs, model } = asked
  const facts = factsOf(asked.settings)
  const refuse = (field: FieldName, says: string): Refusal => refusal(field, `the model ${model} of ${facts.package} ${says}`)
  if (!('count' in request) && inputs[0] === undefined) return refusal('image', 'an edit needs a picture.')
  if ('negativePrompt' in request && request.negativePrompt !== undefined) return refuse('negativePrompt', 'takes no negative prompt.')
  if (request.expandPrompt) return refuse('expandPrompt', 'cannot be told to enhance a prompt.')
  if (facts.takesSeed && !Number.isSafeInteger(Number(request.seed)))
    return refuse('seed', `takes a seed of at most ${Number.MAX_SAFE_INTEGER} either way of 0, not ${request.seed}.`)
  // Picture i is drawn with seed + i, and a call has one seed.
  if (facts.takesSeed && countOf(request) > 1) return refuse('count', `draws one picture per seed, not ${countOf(request)}.`)
  const { width, height } = request
  if (facts.sizeAs === 'size' || width === undefined || height === undefined || aspectRatioOf(width, height) !== undefined) return undefined
  return refuse(sizeFields(request)[0], `takes one of the aspect ratios ${namedRatios}, and none gives ${width}x${height}.`)
}

/** Why this very model cannot do the request. */
export function refusalBy(model: ImageModel, asked: AskedImage): Refusal | undefined {
  const { request } = asked
  const count = countOf(request)
  const name = `the model ${asked.model} of ${factsOf(asked.settings).package}`
  if (count > model.maxImages) return refusal('count', `${name} draws at most ${model.maxImages} pictures per request, not ${count}.`)
  if (!('count' in request) && !model.takesFiles) return refusal('image', `${name} draws from words alone; it cannot edit a picture.`)
  return undefined
}

/** `picture`: the file to edit. */
export function callOf(
  request: ImageRequest,
  facts: TargetFacts,
  { picture, signal }: { picture: { mediaType: string; data: Uint8Array } | undefined; signal: AbortSignal },
): ImageCall {
  const { width, height } = request
  const isSized = width !== undefined && height !== undefined
  return {
    prompt: request.prompt,
    n: countOf(request),
    size: isSized && facts.sizeAs === 'size' ? `${width}x${height}` : undefined,
    aspectRatio: isSized && facts.sizeAs === 'aspect_ratio' ? aspectRatioOf(width, height) : undefined,
    seed: facts.takesSeed ? Number(request.seed) : undefined,
    files: picture === undefined ? undefined : [{ type: 'file', ...picture }],
    mask: undefined,
    providerOptions: facts.providerOptions,
    abortSignal: signal,
  }
}
