import type { JsonObject } from '@generation-gateway/kit/json.ts'
import Type from 'typebox'
import { modelGroups } from '../../shared/upstream/model-groups.ts'
import { type ServiceAddress, serviceSettings, settingText } from '../../shared/upstream/service-settings.ts'
import { withHeaders } from '../../shared/upstream/upstream-target.ts'
import { groups } from './models.ts'
import { renewAfterMs, signedToken } from './token.ts'

/** Name of the vendor, for messages. */
export const owner = 'Kling'
const usualBaseUrl = 'https://api-singapore.klingai.com'

export const models = modelGroups({ driver: 'kling', groups })

export const settings = serviceSettings({
  driver: 'kling',
  baseUrl: `The vendor's API, with or without /v1. Default: ${usualBaseUrl}; https://api-beijing.klingai.com in China.`,
  usualBaseUrl,
  apiKey: 'A key of the vendor. Or access_key and secret_key in its place.',
  version: '/v1',
  own: {
    access_key: Type.Optional(Type.String({ description: 'Of the older pair of keys, which tokens are made of.' })),
    secret_key: Type.Optional(Type.String({ secret: true, description: 'What the tokens are signed with.' })),
    ...models.setting,
  },
  facts: ({ api_key, access_key, secret_key }, { upstream }) => {
    const [apiKey, accessKey, secretKey] = [settingText(api_key), settingText(access_key), settingText(secret_key)]
    const pair = accessKey !== undefined && secretKey !== undefined ? { accessKey, secretKey } : undefined
    return {
      upstream: { ...upstream, secrets: [...upstream.secrets, ...(secretKey === undefined ? [] : [secretKey])] },
      pair: apiKey === undefined ? pair : undefined,
      problem: apiKey === undefined && !pair ? 'it needs api_key, or access_key and secret_key.' : undefined,
    }
  },
})

/** Provides the address and headers of requests to a target. For targets with a pair of keys, the
 *  headers contain an access token, which is signed with them. */
export interface Credentials {
  addressOf(settings: JsonObject): ServiceAddress
  /** Drops the current token of a target, so that the next address contains a new one. Returns
   *  false when the target has no token. */
  renew(settings: JsonObject): boolean
}

/** `now` returns Unix milliseconds. */
export function createCredentials(now: () => number): Credentials {
  const signed = new WeakMap<JsonObject, { address: ServiceAddress; madeAt: number }>()
  return {
    addressOf: given => {
      const { upstream, pair, waits } = settings.targetOf(given)
      if (!pair) return { upstream, waits }
      const known = signed.get(given)
      if (known && now() - known.madeAt < renewAfterMs) return known.address
      const token = signedToken(pair, now())
      const secrets = [...upstream.secrets, token]
      const address = { upstream: { ...withHeaders(upstream, { authorization: `Bearer ${token}` }), secrets }, waits }
      signed.set(given, { address, madeAt: now() })
      return address
    },
    renew: given => signed.delete(given),
  }
}
