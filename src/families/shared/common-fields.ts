/** Fields that several families share. */
import { MiB } from '@generation-gateway/kit/units.ts'
import Type, { type TSchemaOptions } from 'typebox'
import { optional } from '../../contract/schemas.ts'

/** Keywords of a schema for a text that must contain at least one character other than white
 *  space. */
export const notBlank = { pattern: '\\S', mustBe: 'not only spaces' } as const

/** Returns a field for a prompt. `description` says what the prompt is for. */
export const promptField = (description: string, { maxLength = 8192, ...further }: TSchemaOptions & { maxLength?: number } = {}) =>
  Type.String({ minLength: 1, maxLength, ...notBlank, description, ...further })

const modelName = { minLength: 1, maxLength: 200 } as const

/** Returns the `model` field, for families whose interface does not define how a model is
 *  chosen. */
export const modelField = (description = 'A model of this family; absent: the route of the endpoint, else chosen by the fields.') =>
  optional.string({ ...modelName, source: 'ours', description })

/** Returns the `model` field, for families whose interface has one. */
export const namedModelField = (description: string) => Type.String({ ...modelName, description })

/** Returns the field of an answer that lists words of the prompt which the picture does not
 *  show. */
export const notDrawnField = () =>
  Type.Array(Type.String(), { source: 'ours', description: 'Words of the prompt that could not be drawn or followed.' })

/** Returns the field of an answer that lists fields of the request which the model ignored. */
export const notFollowedField = (description = 'Fields that the model did not follow, by name.') =>
  Type.Array(Type.String(), { source: 'ours', description })

/** Bounds of a picture's side in pixels, and of its area: the limits of the built-in engine
 *  (docs/interface.md#all-families). */
export const pictureSide = { minimum: 64, maximum: 16_384 } as const
export const pictureMostPixels = 16_777_216

/** Limits of a picture to edit: 20 MB and 20 million pixels (docs/interface/pictures.md#f1). One
 *  MB is 2^20 bytes, and a file of exactly the limit is accepted
 *  (docs/interface.md#all-families). */
export const inputImageLimits = {
  maxBytes: 20 * MiB,
  maxPixels: 20_000_000,
  mediaTypes: ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/bmp', 'image/tiff'],
} as const

/** Limits of a link that a caller sends. */
export const linkLimits = { format: 'http-url', maxLength: 2083, mustBe: 'an http or https URL' } as const

/** Returns the field for a webhook URL, for families whose interface has no such field. */
export const callbackField = (description: string) =>
  optional.string({ ...linkLimits, source: 'ours', description: `${description} Signed after Standard Webhooks.` })
