import Type from 'typebox'
import { modelGroups } from '../../shared/upstream/model-groups.ts'
import { serviceSettings, settingText } from '../../shared/upstream/service-settings.ts'
import { groups } from './models.ts'

/** Name of the vendor, for messages. */
export const owner = 'MiniMax'
const usualBaseUrl = 'https://api.minimax.io'

export const models = modelGroups({ driver: 'minimax', groups })

export const settings = serviceSettings({
  driver: 'minimax',
  baseUrl: `The vendor's API, with or without /v1. Default: ${usualBaseUrl}; https://api.minimaxi.com in China, with keys of its own.`,
  usualBaseUrl,
  apiKey: 'A key of the vendor.',
  needsKey: true,
  version: '/v1',
  own: {
    ...models.setting,
    group_id: Type.Optional(Type.String({ description: 'Only for older accounts: sent as GroupId in requests for files.' })),
  },
  facts: ({ group_id }) => ({ groupId: settingText(group_id) }),
})
