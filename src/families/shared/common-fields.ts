/** Fields that several families have, written once. */
import { MiB } from '@generation-gateway/kit/units.ts'
import Type, { type TSchemaOptions } from 'typebox'

/** Words for a model. `description` says what they ask of it. */
export const promptField = (description: string, { maxLength = 8192, ...further }: TSchemaOptions & { maxLength?: number } = {}) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', mustBe: 'not only spaces', description, ...further })

const modelName = { minLength: 1, maxLength: 200 } as const

/** A model of the family, where the interface leaves open how one is chosen. */
export const modelField = () =>
  Type.String({
    ...modelName,
    source: 'ours',
    description: 'A model of this family; absent: the route of the endpoint, else chosen by the fields.',
  })

/** The same where the interface has the field. */
export const namedModelField = (description: string) => Type.String({ ...modelName, description })

/** Words of a prompt that the picture does not show, in an answer. */
export const notDrawnField = () =>
  Type.Array(Type.String(), { source: 'ours', description: 'Words of the prompt that could not be drawn or followed.' })

/** Bounds of a picture's side in pixels, and of its area: those of the built-in engine
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

/** Where the end of a task is told, in families whose interface has no such field. */
export const callbackField = (description: string) =>
  Type.String({
    format: 'http-url',
    maxLength: 2083,
    mustBe: 'an http or https URL',
    source: 'ours',
    description: `${description} Signed after Standard Webhooks.`,
  })
