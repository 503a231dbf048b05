import Type from 'typebox'
import { serviceSettings } from '../../shared/upstream/service-settings.ts'
import type { UpstreamTarget } from '../../shared/upstream/upstream-target.ts'

const usualDays = 30

export const settings = serviceSettings({
  driver: 'justone',
  baseUrl: 'Where the service is. Default: https://api.justoneapi.com.',
  usualBaseUrl: 'https://api.justoneapi.com',
  apiKey: 'A token of the service.',
  needsKey: true,
  // The wait is long, because the service advises clients to wait at least a minute
  // (docs/vendors/justone.md#keyword-search).
  usualWaits: { firstByteMs: 90_000, idleMs: 60_000 },
  own: {
    days: Type.Optional(
      Type.Integer({
        ...{ minimum: 1, maximum: 365 },
        description: `Days back of a search that names none: the service searches within two times. Default ${usualDays}.`,
      }),
    ),
  },
  facts: ({ days, api_key }, { upstream }) => ({
    days: typeof days === 'number' ? days : usualDays,
    upstream: withToken(upstream, typeof api_key === 'string' ? api_key.trim() : ''),
  }),
})

/** Returns the target with the token in its query; the service does not accept it in a header. */
function withToken(target: UpstreamTarget, token: string): UpstreamTarget {
  const open = (pairs: readonly string[]) => pairs.filter((_, k) => pairs[k - (k % 2)] !== 'authorization')
  const query = [target.query, `token=${encodeURIComponent(token)}`].filter(part => part !== '').join('&')
  const secrets = [...target.secrets, encodeURIComponent(token)].filter(secret => secret.length >= 6)
  return { ...target, query, headers: open(target.headers), withBody: open(target.withBody), secrets }
}
