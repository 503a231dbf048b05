/** A neutral request as the call of an image model. What the interface or the target cannot express is refused by name, before anything is sent. */
import type { FieldName } from '@generation-gateway/kit/requests/field-names.ts'
import { sizeFields } from '@generation-gateway/kit/requests/image.ts'
import { type AskedImage, countOf, type ImageRequest, isNewPicture, negativePromptOf, onlyPicture } from '../image/image-job.ts'
import { type RefusedError, refused } from '../refusal.ts'
import { aspectRatioOf, namedRatios } from './aspect-ratio.ts'
import type { ImageCall, ImageModel } from './image-model.ts'
import { settings, type TargetFacts } from './settings.ts'

/** Throws a refusal of what no model behind these settings can do. */
export function refuseWhatNoneCan(asked: AskedImage): void {
  const { request, inputs } = asked
  const { takesSeed, isSizeRatio } = settings.targetOf(asked.settings)
  const { width, height, seed } = request
  const count = countOf(request)
  if (!isNewPicture(request)) onlyPicture(inputs, nameOf(asked))
  if (negativePromptOf(request) !== undefined) throw refusal(asked, 'negativePrompt', 'takes no negative prompt.')
  if (request.expandPrompt) throw refusal(asked, 'expandPrompt', 'cannot be told to enhance a prompt.')
  if (takesSeed && !Number.isSafeInteger(Number(seed)))
    throw refusal(asked, 'seed', `takes a seed of at most ${Number.MAX_SAFE_INTEGER} either way of 0, not ${seed}.`)
  // Picture i is drawn with seed + i, and a call has one seed.
  if (takesSeed && count > 1) throw refusal(asked, 'count', `draws one picture per seed, not ${count}.`)
  if (!isSizeRatio || width === undefined || height === undefined || aspectRatioOf(width, height) !== undefined) return
  throw refusal(asked, sizeFields(request)[0], `takes one of the aspect ratios ${namedRatios}, and none gives ${width}x${height}.`)
}

/** Throws a refusal of what this very model cannot do. */
export function refuseWhatItCannot(model: ImageModel, asked: AskedImage): void {
  const count = countOf(asked.request)
  if (count > model.maxImages) throw refusal(asked, 'count', `draws at most ${model.maxImages} pictures per request, not ${count}.`)
  if (!isNewPicture(asked.request) && !model.takesFiles) throw refusal(asked, 'image', 'draws from words alone; it cannot edit a picture.')
}

function refusal(asked: AskedImage, field: FieldName, says: string): RefusedError {
  return refused(field, `${nameOf(asked)} ${says}`)
}

function nameOf({ model, settings: given }: AskedImage): string {
  return `the model ${model} of ${settings.targetOf(given).package}`
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
    size: isSized && !facts.isSizeRatio ? `${width}x${height}` : undefined,
    aspectRatio: isSized && facts.isSizeRatio ? aspectRatioOf(width, height) : undefined,
    seed: facts.takesSeed ? Number(request.seed) : undefined,
    files: picture === undefined ? undefined : [{ type: 'file', ...picture }],
    mask: undefined,
    providerOptions: facts.providerOptions,
    abortSignal: signal,
  }
}
