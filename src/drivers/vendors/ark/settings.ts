import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { MiB } from '@generation-gateway/kit/units.ts'
import Type from 'typebox'
import { serviceSettings } from '../../shared/upstream/service-settings.ts'
import { groupNames, groupOfModel, groups, type ModelGroup } from './models.ts'

/** Name of the vendor, for messages. */
export const owner = 'Volcengine Ark'

const usualBaseUrl = 'https://ark.cn-beijing.volces.com/api/v3'
/** Megabytes, from docs/interface/pictures.md#f3. The vendor itself accepts 30 for its newer models
 *  (docs/vendors/ark.md#image-models). */
const usualInputMb = 10

export const settings = serviceSettings({
  driver: 'ark',
  baseUrl: `The vendor's API, whose regions have keys of their own. Default: ${usualBaseUrl}; ModelArk: https://ark.ap-southeast.bytepluses.com/api/v3, https://ark.eu-west.bytepluses.com/api/v3.`,
  usualBaseUrl,
  apiKey: 'A key of the vendor, sent as a bearer token.',
  needsKey: true,
  // The answer to a single picture begins when it is drawn, and a stream is silent while a picture
  // is drawn (docs/vendors/ark.md#images).
  usualWaits: { firstByteMs: 600_000, idleMs: 600_000 },
  own: {
    model_group: Type.Optional(
      Type.Enum([...groupNames], {
        description: 'What the model takes. Only for an endpoint (ep-...) and for a model whose name the driver does not know.',
      }),
    ),
    most_input_mb: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 64, description: `Largest reference picture, in units of 2^20 bytes. Default ${usualInputMb}.` }),
    ),
  },
  facts: ({ most_input_mb: most }) => ({ mostInputBytes: (typeof most === 'number' ? most : usualInputMb) * MiB }),
})

export function unknownModel(model: string): string {
  return `The driver ark does not know the model ${model}; say with model_group what it takes.`
}

/** The limits of the target's model; undefined when neither the settings nor the model's name
 *  determine them. */
export function groupOf({ model_group: named }: JsonObject, model: string): ModelGroup | undefined {
  const name = groupNames.find(each => each === named) ?? groupOfModel(model)
  return name && groups[name]
}
