/** Settings of a target that draws pictures. The settings describe models whose features the driver
 *  cannot derive from their names. */

import { type JsonObject, objectOf } from '@generation-gateway/kit/json.ts'
import type { ImageFormat } from '@generation-gateway/kit/requests/image.ts'
import Type from 'typebox'
import { textsOf } from '../../shared/upstream/read-json.ts'
import { dialectNames, dialectOfModel, dialects, type ImageDialect, listed } from './image-dialects.ts'

/** The features and limits of a target's model. */
export interface ImageFacts extends ImageDialect {
  takesSeed: boolean
  takesNegativePrompt: boolean
}

/** Formats of pictures, best first. */
const formatNames: readonly ImageFormat[] = ['png', 'jpeg', 'webp']

export const imageSettings = Type.Object(
  {
    dialect: Type.Optional(
      Type.Enum([...dialectNames], {
        description: "Whose rules the model follows. Default: by the model's name, else open: any size, one picture per request, no seed.",
      }),
    ),
    sizes: Type.Optional(
      Type.Array(Type.String({ pattern: '^[1-9][0-9]{1,4}x[1-9][0-9]{1,4}$' }), {
        minItems: 1,
        description: 'The only sizes the model draws, as 1024x1536. Default: those of the dialect.',
      }),
    ),
    formats: Type.Optional(
      Type.Array(Type.Enum([...formatNames]), {
        minItems: 1,
        description: 'What the service takes as output_format; else the field is not sent. Default: those of the dialect.',
      }),
    ),
    most_images: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10,
        description: 'The largest number of pictures per request (n). Default: that of the dialect.',
      }),
    ),
    most_inputs: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 16, description: 'Pictures that one edit may be made with. Default: that of the dialect.' }),
    ),
    mask: Type.Optional(Type.Boolean({ description: 'Whether an edit may have a mask. Default: as the dialect has it.' })),
    seed: Type.Optional(Type.Boolean({ description: 'Whether the service takes the field seed. Default: false.' })),
    negative_prompt: Type.Optional(Type.Boolean({ description: 'Whether the service takes the field negative_prompt. Default: false.' })),
    fields: Type.Optional(
      Type.Record(Type.String({ pattern: '^[A-Za-z0-9_.-]{1,100}$' }), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
        additionalProperties: false,
        description: 'More fields for every request: quality, moderation, num_inference_steps, ...',
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'What the model supports when it draws. Needed only for models whose name the driver does not know.',
  },
)

/** Returns the features of the target's model. Settings override those of its dialect. */
export function imageFactsOf(settings: JsonObject, model: string): ImageFacts {
  const image = objectOf(settings.image)
  const base = dialects[dialectNames.find(name => name === image.dialect) ?? dialectOfModel(model)]
  return {
    ...base,
    sizes: image.sizes === undefined ? base.sizes : listed(...textsOf(image.sizes)),
    formats: image.formats === undefined ? base.formats : formatNames.filter(format => textsOf(image.formats).includes(format)),
    mostImages: typeof image.most_images === 'number' ? image.most_images : base.mostImages,
    mostInputs: typeof image.most_inputs === 'number' ? image.most_inputs : base.mostInputs,
    takesMask: typeof image.mask === 'boolean' ? image.mask : base.takesMask,
    takesSeed: image.seed === true,
    takesNegativePrompt: image.negative_prompt === true,
  }
}

/** Returns the additional request fields that the operator's settings state. */
export function furtherFields(settings: JsonObject): JsonObject {
  return objectOf(objectOf(settings.image).fields)
}
