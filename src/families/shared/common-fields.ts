/** Fields that several families share. */
import { MiB } from '@generation-gateway/kit/units.ts'
import Type, { type TSchemaOptions } from 'typebox'
import { optional } from '../../contract/schemas.ts'

/** A text with more than spaces. */
export const notBlank = { pattern: '\\S', mustBe: 'not only spaces' } as const

/** A prompt field. `description` says what the words are for. */
export const promptField = (description: string, { maxLength = 8192, ...further }: TSchemaOptions & { maxLength?: number } = {}) =>
  Type.String({ minLength: 1, maxLength, ...notBlank, description, ...further })

const modelName = { minLength: 1, maxLength: 200 } as const

/** The `model` field, for families whose interface does not define how a model is chosen. */
export const modelField = (description = 'A model of this family; absent: the route of the endpoint, else chosen by the fields.') =>
  optional.string({ ...modelName, source: 'ours', description })

/** The `model` field, for families whose interface has one. */
export const namedModelField = (description: string) => Type.String({ ...modelName, description })

/** Words of the prompt that the picture does not show, as a field of an answer. */
export const notDrawnField = () =>
  Type.Array(Type.String(), { source: 'ours', description: 'Words of the prompt that could not be drawn or followed.' })

/** Fields of the request that the model did not follow, as a field of an answer. */
export const notFollowedField = (description = 'Fields that the model did not follow, by name.') =>
  Type.Array(Type.String(), { source: 'ours', description })

/** Bounds of a picture's side in pixels, and of its area: the limits of the built-in engine
 *  (docs/interface.md#all-families). */
export const pictureSide = { minimum: 64, maximum: 16_384 } as const
export const pictureMostPixels = 16_777_216

/** Limits of a picture to edit: 20 MB and 20 million pixels (docs/interface/pictures.md#f1). MB is
 *  2^20 bytes and inclusive (docs/interface.md#all-families). */
export const inputImageLimits = {
  maxBytes: 20 * MiB,
  maxPixels: 20_000_000,
  mediaTypes: ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/bmp', 'image/tiff'],
} as const

/** Limits of a link that a caller sends. */
export const linkLimits = { format: 'http-url', maxLength: 2083, mustBe: 'an http or https URL' } as const

/** The webhook URL, for families whose interface has no such field. */
export const callbackField = (description: string) =>
  optional.string({ ...linkLimits, source: 'ours', description: `${description} Signed after Standard Webhooks.` })
