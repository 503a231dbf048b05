import Type from 'typebox'
import type { TextFacts } from '../../shared/text/text-target.ts'
import { firstHop } from '../../shared/upstream/hops.ts'
import { textsOf } from '../../shared/upstream/read-json.ts'
import { serviceSettings, settingText } from '../../shared/upstream/service-settings.ts'
import type { UpstreamTarget } from '../../shared/upstream/upstream-target.ts'
import { type SoundFacts, soundFacts, soundSettings } from './sound-settings.ts'

/** How a model of F1 is told the size: group P takes pixels, group KG an aspect ratio. */
const sizeForms = ['pixels', 'aspect_ratio'] as const
export type SizeForm = (typeof sizeForms)[number]

export const imageFamilies = ['F1', 'F2', 'F3', 'F4'] as const
export type ImageFamily = (typeof imageFamilies)[number]
export const videoFamilies = ['S', 'V', 'H', 'K'] as const
export type VideoFamily = (typeof videoFamilies)[number]

interface GatewayFacts extends TextFacts, SoundFacts {
  /** The other gateway itself; `upstream` is its endpoint. */
  whole: UpstreamTarget
  /** As a segment of a path. */
  endpoint: string
  imageSize: SizeForm | undefined
  /** Undefined where the settings do not say. */
  families: readonly ImageFamily[] | undefined
  videoFamilies: readonly VideoFamily[] | undefined
  group: string | undefined
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
    families: Type.Optional(
      Type.Array(Type.Enum([...imageFamilies, ...videoFamilies]), {
        minItems: 1,
        uniqueItems: true,
        description:
          'Families of pictures or videos that serve its model there; a request goes to the first that has a field for everything it asks. Default: that of the gateway model of this name (MaaS_ImgB_large: F2), else F1, for videos V.',
      }),
    ),
    group: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 40,
        description:
          'Parameter set or group of its model there (P, KG, KE; fast, large; N1 to N3, O1, O2; of V 3.1, 3.1_fast, 3, 2; of H 02, t2v, ...; of K V1, V1.6, ..., omni video). Default: that of the gateway model of this name, else none.',
      }),
    ),
    image_size: Type.Optional(
      Type.Enum([...sizeForms], {
        description: 'How its model takes the size of a picture. Default: aspect_ratio for the group KG, else pixels.',
      }),
    ),
    ...soundSettings,
  },
  facts: ({ endpoint, image_size: form, families, group, ...further }, { upstream }) => ({
    ...soundFacts(further),
    upstream: { ...upstream, path: `${upstream.path}/v1/ai/${segmentOf(endpoint)}` },
    whole: upstream,
    endpoint: segmentOf(endpoint),
    // It understands all of both, since this gateway does.
    dialect: 'openai',
    protocols: ['chat', 'responses'],
    isStateless: false,
    imageSize: sizeForms.find(each => each === form),
    families: namedOf(imageFamilies, families),
    videoFamilies: namedOf(videoFamilies, families),
    group: settingText(group),
  }),
})

function segmentOf(endpoint: unknown): string {
  return encodeURIComponent(settingText(endpoint) ?? 'default')
}

/** Those of them that are named; undefined where none is. */
function namedOf<Family extends string>(all: readonly Family[], families: unknown): readonly Family[] | undefined {
  const named = textsOf(families)
  const found = all.filter(family => named.includes(family))
  return found.length > 0 ? found : undefined
}
