import type { JsonObject } from '@generation-gateway/kit/json.ts'
import Type from 'typebox'
import { serviceSettings, settingText } from '../../shared/upstream/service-settings.ts'
import type { UpstreamTarget } from '../../shared/upstream/upstream-target.ts'
import { type Group, groupNames, groupOfModel, groups } from '../../shared/video/kling-groups.ts'
import { renewAfterMs, signedToken } from './token.ts'

/** Name of the vendor, for messages. */
export const owner = 'Kling'
const usualBaseUrl = 'https://api-singapore.klingai.com'

export const settings = serviceSettings({
  driver: 'kling',
  baseUrl: `The vendor's API, with or without /v1. Default: ${usualBaseUrl}; https://api-beijing.klingai.com in China.`,
  usualBaseUrl,
  apiKey: 'A key of the vendor. Or access_key and secret_key in its place.',
  usualWaits: { firstByteMs: 60_000, idleMs: 60_000 },
  own: {
    access_key: Type.Optional(Type.String({ description: 'Of the older pair of keys, which tokens are made of.' })),
    secret_key: Type.Optional(Type.String({ secret: true, description: 'What the tokens are signed with.' })),
    model_group: Type.Optional(
      Type.Enum([...groupNames], { description: 'What the model takes. Only for a model whose name the driver does not know.' }),
    ),
  },
  facts: ({ api_key, access_key, secret_key }, { upstream, problem }) => {
    const [accessKey, secretKey] = [settingText(access_key), settingText(secret_key)]
    const pair = accessKey !== undefined && secretKey !== undefined ? { accessKey, secretKey } : undefined
    const lacking =
      settingText(api_key) === undefined && !pair
        ? 'Settings of the driver kling: it needs api_key, or access_key and secret_key.'
        : undefined
    return {
      upstream: {
        ...upstream,
        path: `${upstream.path.replace(/\/v1$/, '')}/v1`,
        secrets: [...upstream.secrets, ...(secretKey === undefined ? [] : [secretKey])],
      },
      pair: settingText(api_key) === undefined ? pair : undefined,
      problem: problem ?? lacking,
    }
  },
})

export function unknownModel(model: string): string {
  return `The driver kling does not know the model ${model}; say with model_group what it takes.`
}

/** The limits of the target's model; undefined when neither the settings nor the model's name
 *  determine them. */
export function groupOf({ model_group: named }: JsonObject, model: string): Group | undefined {
  const name = groupNames.find(each => each === named) ?? groupOfModel(model)
  return name && groups[name]
}

interface SignedTarget {
  target: UpstreamTarget
  madeAt: number
}

/** Targets with their current token. */
export interface Credentials {
  targetOf(settings: JsonObject): UpstreamTarget
  /** Makes the next target carry a new token. False for targets without tokens. */
  renew(settings: JsonObject): boolean
}

/** `now` returns Unix milliseconds. */
export function createCredentials(now: () => number): Credentials {
  const signed = new WeakMap<JsonObject, SignedTarget>()
  return {
    targetOf: given => {
      const { upstream, pair } = settings.targetOf(given)
      if (!pair) return upstream
      const known = signed.get(given)
      if (known && now() - known.madeAt < renewAfterMs) return known.target
      const token = signedToken(pair, now())
      const target = {
        ...upstream,
        headers: [...upstream.headers, 'authorization', `Bearer ${token}`],
        withBody: [...upstream.withBody, 'authorization', `Bearer ${token}`],
        secrets: [...upstream.secrets, token],
      }
      signed.set(given, { target, madeAt: now() })
      return target
    },
    renew: given => signed.delete(given),
  }
}
