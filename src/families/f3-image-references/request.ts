/** Converts the body of a call into a neutral request. */

import { defined } from '@generation-gateway/kit/defined.ts'
import type { ImageEditRequest, ImageGenerateRequest, PictureSize } from '@generation-gateway/kit/requests/image.ts'
import type { CallFile } from '../../contract/call-file.ts'
import type { CallContext } from '../../contract/context.ts'
import type { Input } from '../../contract/family.ts'
import { usualPicture } from '../shared/usual-requests.ts'
import { type f3, maxImagesIn } from './family.ts'
import { mostPictures } from './schema.ts'
import { type Group, nearestPreset, sidesIn, sizesOfTier, tierIn, usualSize } from './sizes.ts'

export type Body = Input<(typeof f3)['operations']['generate']>['body']

/** Default guidance scale by model group (docs/vendors/ark.md#image-models). */
const usualGuidance: Partial<Record<string, number>> = { O1: 2.5, O2: 5.5 } satisfies Partial<Record<Group, number>>

export function generationOf(context: CallContext, body: Body): ImageGenerateRequest {
  return { ...commonOf(context, body, []), count: mostOf(body, 0) }
}

export function editOf(context: CallContext, body: Body, files: readonly CallFile[]): ImageEditRequest {
  return { ...commonOf(context, body, files), variants: mostOf(body, files.length), references: true }
}

/** Returns the `size` word of the body, or the group's default. */
export function sizeWordOf(body: Pick<Body, 'size'>, group: string | undefined): string {
  return body.size ?? (group === 'O2' ? 'adaptive' : usualSize)
}

function mostOf(body: Body, references: number): number {
  return body.sequential_image_generation === 'auto' ? (maxImagesIn(body) ?? mostPictures - references) : 1
}

function commonOf(context: CallContext, body: Body, files: readonly CallFile[]) {
  const { group = '' } = context.model
  const guidance = body.guidance_scale ?? usualGuidance[group]
  return {
    ...usualPicture,
    prompt: body.prompt,
    ...sizeOf(sizeWordOf(body, group), files),
    seed: body.seed === -1 ? context.randomSeed() : String(body.seed),
    format: body.output_format,
    ...(mostOf(body, files.length) > 1 ? { series: true as const } : {}),
    ...(body.watermark ? { watermark: true as const } : {}),
    ...defined({ guidance }),
    ...(body.tools && body.tools.length > 0 ? { webSearch: true as const } : {}),
    ...(body.optimize_prompt_options ? { promptMode: body.optimize_prompt_options.mode } : {}),
  }
}

/** Returns the size of the picture. For a tier (a class of sizes such as 2K) it is the first of
 *  the tier's sizes, which is square; for `adaptive` it is the preset nearest to the first
 *  picture. */
function sizeOf(word: string, files: readonly CallFile[]): PictureSize & Pick<ImageGenerateRequest, 'tier'> {
  const tier = tierIn(word)
  const sizes = tier === undefined ? [] : sizesOfTier(tier)
  const [square] = sizes
  if (square) return { ...square, tier: { name: word, sizes } }
  const [{ width = 1, height = 1 } = {}] = files
  return sidesIn(word) ?? nearestPreset({ width, height })
}
