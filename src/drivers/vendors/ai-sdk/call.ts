/** Translates a neutral request into the arguments of an image model's `doGenerate`. A request that
 *  the AI SDK's interface or the target cannot express is refused, with the field's name, before
 *  anything is sent. */

import { refusedExtra } from '@generation-gateway/kit/requests/extras.ts'
import type { FieldName } from '@generation-gateway/kit/requests/field-names.ts'
import { sizeFields } from '@generation-gateway/kit/requests/image.ts'
import { countOf, type ImageJobFacts, type ImageRequest, isNewPicture } from '../../shared/image/image-job.ts'
import { RefusedError, refused } from '../../shared/refusal.ts'
import { aspectRatioOf, namedRatios } from './aspect-ratio.ts'
import { fieldsWithOptions, hasOptionFor, providerOptionsOf } from './documented-options.ts'
import type { CallFile, ImageCall, ImageModel } from './image-model.ts'
import { settings, type TargetFacts } from './settings.ts'

/** Throws the refusal of a request that no model of a target with these settings can serve. */
export function refuseUnsupportedByAll(jobFacts: ImageJobFacts): void {
  const { request } = jobFacts
  const { takesSeed, isSizeRatio, package: name } = settings.targetOf(jobFacts.settings)
  const { width, height, seed } = request
  const count = countOf(request)
  const extra = refusedExtra(capabilityOf(request), { offer: { follows: followedBy(jobFacts) }, request, who: nameOf(jobFacts) })
  if (extra !== undefined) throw new RefusedError(extra)
  if (!isNewPicture(request)) refuseInputs(jobFacts)
  if (request.negativePrompt !== undefined && !hasOptionFor(name, 'negativePrompt'))
    throw refusal(jobFacts, 'negativePrompt', 'takes no negative prompt.')
  if (request.expandPrompt) throw refusal(jobFacts, 'expandPrompt', 'cannot be told to enhance a prompt.')
  if (takesSeed && !Number.isSafeInteger(Number(seed)))
    throw refusal(jobFacts, 'seed', `takes a seed of at most ${Number.MAX_SAFE_INTEGER} either way of 0, not ${seed}.`)
  // Picture i must be drawn with seed + i, but a call of the model has only one seed for all of its
  // pictures.
  if (takesSeed && count > 1 && !request.series) throw refusal(jobFacts, 'count', `draws one picture per seed, not ${count}.`)
  if (!isSizeRatio || width === undefined || height === undefined || aspectRatioOf(width, height) !== undefined) return
  throw refusal(jobFacts, sizeFields(request)[0], `takes one of the aspect ratios ${namedRatios}, and none gives ${width}x${height}.`)
}

/** Throws the refusal of a request that this model cannot serve. */
export function refuseUnsupported(model: ImageModel, jobFacts: ImageJobFacts): void {
  const count = callsFor(jobFacts.request)
  if (count > model.maxImages) throw refusal(jobFacts, 'count', `draws at most ${model.maxImages} pictures per request, not ${count}.`)
  if (!isNewPicture(jobFacts.request) && !model.takesFiles)
    throw refusal(jobFacts, 'image', 'draws from words alone; it cannot edit a picture.')
}

/** Returns the number of pictures to request in one call of the model; a series is requested as
 *  one picture. */
function callsFor(request: ImageRequest): number {
  return request.series ? 1 : countOf(request)
}

function refuseInputs(jobFacts: ImageJobFacts): void {
  const { mostImages, mask } = settings.targetOf(jobFacts.settings)
  const [pictures, masks] = [true, false].map(isPicture => jobFacts.inputs.filter(({ role }) => (role === 'image') === isPicture).length)
  if (!pictures) throw refused('image', 'an edit needs a picture.')
  if (pictures > mostImages)
    throw refusal(
      jobFacts,
      'image',
      mostImages === 1 ? `takes one picture, not ${pictures}.` : `takes at most ${mostImages} pictures, not ${pictures}.`,
    )
  const regions = 'regions' in jobFacts.request && jobFacts.request.regions ? 1 : 0
  const all = regions + (masks ?? 0)
  if (all > (mask === undefined ? 0 : 1))
    throw refusal(jobFacts, regions ? 'regions' : 'mask', `takes ${mask === undefined ? 'no mask' : 'one mask'}.`)
}

export function capabilityOf(request: ImageRequest): 'image.generate' | 'image.edit' {
  return isNewPicture(request) ? 'image.generate' : 'image.edit'
}

/** Returns the extra fields that reach the model, which are those for which its package documents
 *  options. Regions are among them when the target accepts a mask, because they are sent as a
 *  mask. */
export function followedBy({ settings: given }: Pick<ImageJobFacts, 'settings'>): FieldName[] {
  const { package: name, mask } = settings.targetOf(given)
  return [...fieldsWithOptions(name), ...(mask === undefined ? [] : (['regions'] as const))]
}

function refusal(jobFacts: ImageJobFacts, field: FieldName, says: string): RefusedError {
  return refused(field, `${nameOf(jobFacts)} ${says}`)
}

function nameOf({ model, settings: given }: ImageJobFacts): string {
  return `the model ${model} of ${settings.targetOf(given).package}`
}

/** Returns the arguments of `doGenerate`. `pictures` are the files to edit; `mask` marks the area
 *  to change. */
export function callOf(
  request: ImageRequest,
  facts: TargetFacts,
  { pictures, mask, signal }: { pictures: CallFile[]; mask: CallFile | undefined; signal: AbortSignal },
): ImageCall {
  const { width, height } = request
  const isTier = request.tier !== undefined && hasOptionFor(facts.package, 'tier')
  const isSized = width !== undefined && height !== undefined && !isTier
  return {
    prompt: request.prompt,
    n: callsFor(request),
    size: isSized && !facts.isSizeRatio ? `${width}x${height}` : undefined,
    aspectRatio: isSized && facts.isSizeRatio ? aspectRatioOf(width, height) : undefined,
    seed: facts.takesSeed ? Number(request.seed) : undefined,
    files: pictures.length === 0 ? undefined : pictures,
    mask,
    providerOptions: providerOptionsOf(facts.package, request, facts.providerOptions),
    abortSignal: signal,
  }
}
