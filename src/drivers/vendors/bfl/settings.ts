import type { JsonObject } from '@generation-gateway/kit/json.ts'
import Type from 'typebox'
import { serviceSettings } from '../../shared/upstream/service-settings.ts'
import { groupNames, groupOfModel, groups, type ModelGroup } from './models.ts'

/** The domain of all API hosts of the vendor. */
export const vendorDomain = 'bfl.ai'
const usualBaseUrl = `https://api.${vendorDomain}`

export const settings = serviceSettings({
  driver: 'bfl',
  baseUrl: `The vendor's API, with or without /v1. Default: ${usualBaseUrl}; https://api.eu.${vendorDomain} and https://api.us.${vendorDomain} keep the data in a region.`,
  usualBaseUrl,
  apiKey: 'A key of the vendor, sent as x-key.',
  needsKey: true,
  keyHeader: 'x-key',
  usualWaits: { firstByteMs: 60_000, idleMs: 60_000 },
  own: {
    model_group: Type.Optional(
      Type.Enum([...groupNames], { description: 'What the model takes. Only for a model whose name the driver does not know.' }),
    ),
  },
  facts: (_settings, { upstream }) => ({ upstream: { ...upstream, path: `${upstream.path.replace(/\/v1$/, '')}/v1` } }),
})

export function unknownModel(model: string): string {
  return `The driver bfl does not know the model ${model}; say with model_group what it takes.`
}

/** The limits of the target's model; undefined when neither the settings nor the model's name
 *  determine them. */
export function groupOf({ model_group: named }: JsonObject, model: string): ModelGroup | undefined {
  const name = groupNames.find(each => each === named) ?? groupOfModel(model)
  return name && groups[name]
}
