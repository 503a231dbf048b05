import { warningHeader } from '../call/warning-header.ts'
import type { Exchange } from './exchange.ts'

/** Headers of answers that web pages may read. The official clients read these
 *  (docs/interface.md#headers). */
const exposed = [
  'x-request-id',
  'request-id',
  'character-cost',
  'x-duration-seconds',
  'retry-after',
  warningHeader,
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-ratelimit-limit-requests',
  'x-ratelimit-remaining-requests',
  'x-ratelimit-reset-requests',
].join(', ')
const methods = 'GET, POST, DELETE, OPTIONS'
const maxAgeSeconds = '600'

/** Returns a step for requests from web pages of these origins (`*` means any origin): it adds
 *  the CORS headers and answers preflight requests. The step returns true when it has answered.
 *  Undefined when no origin is configured. */
export function corsStep(origins: readonly string[]): ((exchange: Exchange) => boolean) | undefined {
  if (origins.length === 0) return undefined
  const allowed = new Set(origins)
  return exchange => {
    const { headers, requestHeaders } = exchange
    const { origin } = requestHeaders
    headers.vary = 'Origin'
    if (allowed.has('*') ? origin !== undefined : allowed.has(origin ?? '')) headers['access-control-allow-origin'] = origin
    headers['access-control-expose-headers'] = exposed
    if (exchange.method !== 'OPTIONS') return false
    if (!origin || !requestHeaders['access-control-request-method']) exchange.sendAs('text/plain', 'Invalid Preflight Request', 400)
    else preflight(exchange)
    return true
  }
}

/** Allows every header that a preflight names, because clients of some families send headers of
 *  their own (x-stainless-*, openai-*). */
function preflight(exchange: Exchange): void {
  const { headers, requestHeaders } = exchange
  headers['access-control-allow-methods'] = methods
  headers.vary = 'Origin, Access-Control-Request-Headers'
  const wanted = requestHeaders['access-control-request-headers']
  if (wanted !== undefined) headers['access-control-allow-headers'] = wanted
  headers['access-control-max-age'] = maxAgeSeconds
  headers['content-length'] = '0'
  exchange.send(204)
}
