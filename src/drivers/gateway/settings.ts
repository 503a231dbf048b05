import Type from 'typebox'
import type { TextFacts } from '../text/text-target.ts'
import { firstHop } from '../upstream/hops.ts'
import { serviceSettings, settingText } from '../upstream/service-settings.ts'

/** How a model of F1 is told the size: group P takes pixels, group KG an aspect ratio. */
const sizeForms = ['pixels', 'aspect_ratio'] as const
export type SizeForm = (typeof sizeForms)[number]

interface GatewayFacts extends TextFacts {
  imageSize: SizeForm | undefined
}

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
    image_size: Type.Optional(
      Type.Enum([...sizeForms], {
        description: 'How its model takes the size of a picture. Default: aspect_ratio for MaaS_ImgF_KG, else pixels.',
      }),
    ),
  },
  facts: ({ endpoint, image_size: form }, { upstream }) => ({
    upstream: { ...upstream, path: `${upstream.path}/v1/ai/${encodeURIComponent(settingText(endpoint) ?? 'default')}` },
    // It understands all of both, since this gateway does.
    dialect: 'openai',
    protocols: ['chat', 'responses'],
    isStateless: false,
    imageSize: sizeForms.find(each => each === form),
  }),
})
