import Type from 'typebox'
import type { TextFacts } from '../../shared/text/text-target.ts'
import { textsOf } from '../../shared/upstream/read-json.ts'
import { serviceSettings, settingText } from '../../shared/upstream/service-settings.ts'
import { type UpstreamTarget, withHeaders } from '../../shared/upstream/upstream-target.ts'

const usualVersion = '2023-06-01'

interface AnthropicFacts extends TextFacts {
  /** The target without the headers for the API version and the beta features. The relay sets
   *  these two headers for each request, because the caller may send its own. */
  bare: UpstreamTarget
  version: string
  betas: readonly string[]
}

export const settings = serviceSettings<AnthropicFacts>({
  driver: 'anthropic',
  usualBaseUrl: 'https://api.anthropic.com',
  version: '/v1',
  apiKey: 'Sent as x-api-key.',
  keyHeader: 'x-api-key',
  usualWaits: { firstByteMs: 600_000, idleMs: 120_000 },
  own: {
    key_in: Type.Optional(
      Type.Enum(['x-api-key', 'authorization'], {
        description: 'Header in which the key is sent; in authorization it is a bearer token. Default: x-api-key.',
      }),
    ),
    anthropic_version: Type.Optional(
      Type.String({ description: `Sent as anthropic-version when the caller sends no version. Default: ${usualVersion}.` }),
    ),
    betas: Type.Optional(
      Type.Array(Type.String({ pattern: '^[\\w.-]+$' }), {
        description: 'Sent as anthropic-beta, in addition to the betas that the caller sends.',
      }),
    ),
  },
  facts: ({ key_in, api_key, anthropic_version, betas }, { upstream }) => {
    const version = settingText(anthropic_version) ?? usualVersion
    const named = textsOf(betas)
    const bare = key_in === 'authorization' ? bearer(upstream, settingText(api_key)) : upstream
    return {
      upstream: withHeaders(bare, versionHeaders(version, named)),
      bare,
      version,
      betas: named,
      dialect: 'native',
      protocols: ['messages'],
      isStateless: true,
    }
  },
})

/** Returns the headers with the version and the betas. `given` has the headers that the caller
 *  sent. */
export function versionHeaders(
  version: string,
  betas: readonly string[],
  given: Readonly<Record<string, string | undefined>> = {},
): Record<string, string> {
  const all = [...betas, ...(given['anthropic-beta'] ?? '').split(',').map(beta => beta.trim())].filter(beta => beta !== '')
  return {
    'anthropic-version': given['anthropic-version'] ?? version,
    ...(all.length === 0 ? {} : { 'anthropic-beta': [...new Set(all)].join(',') }),
  }
}

/** Returns the target with the key as a bearer token in the header `authorization`. */
function bearer(target: UpstreamTarget, key: string | undefined): UpstreamTarget {
  if (key === undefined) return target
  const moved = (pairs: readonly string[]) =>
    pairs.flatMap((name, index) => {
      if (index % 2 === 1) return []
      return name === 'x-api-key' ? ['authorization', `Bearer ${key}`] : [name, pairs[index + 1] ?? '']
    })
  return { ...target, headers: moved(target.headers), withBody: moved(target.withBody) }
}
