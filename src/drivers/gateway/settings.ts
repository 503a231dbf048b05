import type { JsonObject } from '@generation-gateway/kit/json.ts'
import Type from 'typebox'
import { remembered, settingMs, settingText, type TextTarget } from '../text/text-target.ts'
import { firstHop } from '../upstream/hops.ts'
import { baseUrlProblem, headerProblem, type UpstreamTarget, upstreamTarget } from '../upstream/upstream-target.ts'

/** How a model of F1 is told the size: group P takes pixels, group KG an aspect ratio. */
export type SizeForm = 'pixels' | 'aspect_ratio'

export const settingsSchema = Type.Object(
  {
    base_url: Type.String({
      description: 'Where the other gateway is, without /v1: https://gateway.example, or with the path it lies under.',
    }),
    api_key: Type.String({ secret: true, description: 'An access key of the other gateway.' }),
    endpoint: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'The endpoint that is called there. Default: default.' }),
    ),
    image_size: Type.Optional(
      Type.Enum(['pixels', 'aspect_ratio'], {
        description: 'How its model takes the size of a picture. Default: aspect_ratio for MaaS_ImgF_KG, else pixels.',
      }),
    ),
    timeout_seconds: Type.Optional(
      Type.Number({
        minimum: 1,
        maximum: 3600,
        description: 'Longest wait for the first byte. Default 600 for conversations, 60 for tasks, which are answered at once.',
      }),
    ),
    idle_seconds: Type.Optional(Type.Number({ minimum: 1, maximum: 3600, description: 'Longest wait between two parts. Default 120.' })),
  },
  { additionalProperties: false },
)

export interface TargetFacts extends TextTarget {
  imageSize: SizeForm | undefined
}

const nowhere = upstreamTarget('http://localhost')

/** The facts of a target; worked out at the first look at these very settings. */
export const factsOf = remembered(work)

/** Settings were checked by the schema when the file was read. */
function work(settings: JsonObject): TargetFacts {
  const baseUrl = settingText(settings.base_url) ?? ''
  const apiKey = settingText(settings.api_key) ?? ''
  const endpoint = settingText(settings.endpoint) ?? 'default'
  const problem =
    baseUrlProblem(baseUrl) ?? (apiKey === '' ? 'api_key is empty.' : undefined) ?? headerProblem('authorization', `Bearer ${apiKey}`)
  return {
    upstream: problem === undefined ? endpointOf(upstreamTarget(baseUrl, { apiKey, open: firstHop }), endpoint) : nowhere,
    // It understands all of both, since this gateway does.
    dialect: 'openai',
    protocols: ['chat', 'responses'],
    isStateless: false,
    imageSize: settings.image_size === 'pixels' || settings.image_size === 'aspect_ratio' ? settings.image_size : undefined,
    firstByteMs: settingMs(settings.timeout_seconds),
    idleMs: settingMs(settings.idle_seconds),
    problem: problem === undefined ? undefined : `Settings of the driver gateway: ${problem}`,
  }
}

function endpointOf(target: UpstreamTarget, endpoint: string): UpstreamTarget {
  return { ...target, path: `${target.path}/v1/ai/${encodeURIComponent(endpoint)}` }
}
