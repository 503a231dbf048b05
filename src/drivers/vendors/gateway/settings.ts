import Type from 'typebox'
import type { TextFacts } from '../../shared/text/text-target.ts'
import { firstHop } from '../../shared/upstream/hops.ts'
import { serviceSettings, settingText } from '../../shared/upstream/service-settings.ts'

interface GatewayFacts extends TextFacts {
  /** Name of the endpoint at the other gateway. */
  endpoint: string
  /** The voice for speech requests that name no voice. */
  voice: string | undefined
}

/** Name of the service in messages. */
export const owner = 'the other gateway'
const usualEndpoint = 'default'
const ignored = (says: string) => ({ description: `Without effect since gateways speak in neutral words: ${says}` })

export const settings = serviceSettings<GatewayFacts>({
  driver: 'gateway',
  baseUrl: 'Where the other gateway is, without /v1: https://gateway.example, or with the path it lies under.',
  apiKey: 'An access key of the other gateway.',
  needsKey: true,
  usualWaits: { firstByteMs: 600_000, idleMs: 120_000 },
  openHeaders: () => firstHop,
  own: {
    endpoint: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'The endpoint that is called there. Default: default.' }),
    ),
    voice: Type.Optional(Type.String({ minLength: 1, description: 'The voice of requests for speech that name none.' })),
    families: Type.Optional(Type.Array(Type.String(), ignored('the model there has its families.'))),
    group: Type.Optional(Type.String(ignored('the model there has its group.'))),
    image_size: Type.Optional(Type.String(ignored('sizes go as they are.'))),
    speech: Type.Optional(Type.String(ignored('the model there has its family.'))),
    recognition: Type.Optional(Type.String(ignored('the model there has its family.'))),
  },
  facts: ({ endpoint, voice }, { upstream }) => {
    const named = settingText(endpoint) ?? usualEndpoint
    return {
      upstream: { ...upstream, path: `${upstream.path}/v1/ai/${encodeURIComponent(named)}` },
      // The other gateway supports all features of all protocols.
      dialect: 'openai',
      protocols: ['chat', 'responses', 'messages', 'generate-content'],
      isStateless: false,
      endpoint: named,
      voice: settingText(voice),
    }
  },
})
