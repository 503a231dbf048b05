/** Translates a neutral request into the vendor's fields. A request that a model cannot serve is
 *  refused here, before anything is sent; nothing is rounded or clamped. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { InputFacts } from '@generation-gateway/kit/requests/capability.ts'
import type { FieldName } from '@generation-gateway/kit/requests/field-names.ts'
import type { ImageEditRequest, ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import { countOf, type ImageJobFacts, isNewPicture, onlyPicture, plainFormat } from '../../shared/image/image-job.ts'
import { ratioOfSize } from '../../shared/image/ratio-of-size.ts'
import { type RefusedError, refused } from '../../shared/refusal.ts'
import type { ModelGroup } from './models.ts'
import { models } from './settings.ts'
import { owner } from './task-answer.ts'

export interface FieldContext {
  /** The vendor's name for the model. */
  model: string
  group: ModelGroup
}

/** Largest input picture in bytes that the vendor accepts; interface F1 has the same limit
 *  (docs/vendors/bfl.md#models). */
const mostInputBytes = 20 * 2 ** 20
const mostInputPixels = 20_000_000

/** Returns the fields of a request, without its seed and the picture. Throws a `RefusedError` for a
 *  request that the model cannot serve, so that another target is tried. */
export function fieldsOf({ request, inputs, model, settings }: ImageJobFacts): JsonObject {
  const requested = { model, group: models.known(settings, model) }
  return isNewPicture(request) ? generateFields(request, requested) : editFields(request, onlyPicture(inputs, nameOf(requested)), requested)
}

/** Returns the fields for a new picture, without its seed. Throws `not_implemented` for a request
 *  that the model cannot serve, so that another target is tried. */
export function generateFields(request: ImageGenerateRequest, context: FieldContext): JsonObject {
  if (request.negativePrompt !== undefined) throw refusal(context, 'negativePrompt', 'takes no negative prompt')
  return { ...commonFields(request, context, context.group.mostTolerance), ...sizeFields(request, context) }
}

/** Returns the fields for an edit, without its seed and the picture. Throws `not_implemented` for a
 *  request that the model cannot serve, so that another target is tried. */
export function editFields(request: ImageEditRequest, picture: InputFacts, context: FieldContext): JsonObject {
  const { mostEditTolerance } = context.group
  if (mostEditTolerance === undefined) throw refusal(context, 'image', 'cannot edit a picture')
  if (picture.bytes > mostInputBytes)
    throw refusal(context, 'image', `takes a picture of at most ${mostInputBytes} bytes, not ${picture.bytes}`)
  const pixels = (picture.width ?? 0) * (picture.height ?? 0)
  if (pixels > mostInputPixels) throw refusal(context, 'image', `takes a picture of at most ${mostInputPixels} pixels, not ${pixels}`)
  const { width, height, aspectRatio } = request
  const size = width === undefined || height === undefined ? {} : sizeFields({ width, height, aspectRatio }, context)
  return { ...commonFields(request, context, mostEditTolerance), ...size }
}

function commonFields(request: ImageGenerateRequest | ImageEditRequest, context: FieldContext, mostTolerance: number): JsonObject {
  const { prompt, expandPrompt, safetyTolerance } = request
  if (countOf(request) !== 1) throw refusal(context, 'count', `draws one picture per request, not ${countOf(request)}`)
  if (safetyTolerance < 0 || safetyTolerance > mostTolerance)
    throw refusal(context, 'safetyTolerance', `takes a safety tolerance of 0 to ${mostTolerance} for this, not ${safetyTolerance}`)
  const { hasUpsampling } = context.group
  if (expandPrompt && !hasUpsampling) throw refusal(context, 'expandPrompt', 'cannot enhance a prompt')
  // The field is sent even when false, because some models enhance the prompt by default.
  const upsampling = hasUpsampling ? { prompt_upsampling: expandPrompt } : {}
  return { prompt, ...upsampling, safety_tolerance: safetyTolerance, output_format: plainFormat(request) }
}

interface SizeFields {
  width: number
  height: number
  aspectRatio?: string | undefined
}

function sizeFields({ width, height, aspectRatio }: SizeFields, context: FieldContext): JsonObject {
  const named = (side: 'width' | 'height') => (aspectRatio === undefined ? side : 'aspectRatio')
  const { sizes } = context.group
  if (sizes.kind === 'ratio') {
    const ratio = ratioOfSize(width, height, sizes)
    if (ratio !== undefined) return { aspect_ratio: ratio }
    throw refusal(context, named('width'), `takes an aspect ratio from 3:7 to 7:3, and none gives ${width}x${height}`)
  }
  const { leastSide, mostSide, step, mostPixels } = sizes
  for (const [field, side] of [['width', width] as const, ['height', height] as const]) {
    if (side < leastSide || side > mostSide)
      throw refusal(context, named(field), `takes a ${field} of ${leastSide} to ${mostSide} pixels, not ${side}`)
    if (side % step !== 0) throw refusal(context, named(field), `takes a ${field} that is a multiple of ${step}, not ${side}`)
  }
  if (width * height > mostPixels) throw refusal(context, named('width'), `draws at most ${mostPixels} pixels, not ${width * height}`)
  return { width, height }
}

function refusal(context: FieldContext, field: FieldName, says: string): RefusedError {
  return refused(field, `${nameOf(context)} ${says}.`)
}

function nameOf({ model }: FieldContext): string {
  return `the model ${model} of ${owner}`
}
