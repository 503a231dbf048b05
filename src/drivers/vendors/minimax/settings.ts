import type { JsonObject } from '@generation-gateway/kit/json.ts'
import Type from 'typebox'
import { serviceSettings, settingText } from '../../shared/upstream/service-settings.ts'
import { type Group, groupNames, groupOfModel, groups } from '../../shared/video/hailuo-groups.ts'

/** Name of the vendor, for messages. */
export const owner = 'MiniMax'
const usualBaseUrl = 'https://api.minimax.io'

export const settings = serviceSettings({
  driver: 'minimax',
  baseUrl: `The vendor's API, with or without /v1. Default: ${usualBaseUrl}; https://api.minimaxi.com in China, with keys of its own.`,
  usualBaseUrl,
  apiKey: 'A key of the vendor.',
  needsKey: true,
  usualWaits: { firstByteMs: 60_000, idleMs: 60_000 },
  own: {
    model_group: Type.Optional(
      Type.Enum([...groupNames], { description: 'What the model takes. Only for a model whose name the driver does not know.' }),
    ),
    group_id: Type.Optional(Type.String({ description: 'Of older accounts: sent as GroupId where files are asked for.' })),
  },
  facts: ({ group_id }, { upstream }) => ({
    upstream: { ...upstream, path: `${upstream.path.replace(/\/v1$/, '')}/v1` },
    groupId: settingText(group_id),
  }),
})

export function unknownModel(model: string): string {
  return `The driver minimax does not know the model ${model}; say with model_group what it takes.`
}

/** The limits of the target's model; undefined when neither the settings nor the model's name
 *  determine them. */
export function groupOf({ model_group: named }: JsonObject, model: string): Group | undefined {
  const name = groupNames.find(each => each === named) ?? groupOfModel(model)
  return name && groups[name]
}
