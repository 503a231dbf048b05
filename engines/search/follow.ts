/** Fetches a URL and follows its redirects safely. */
import { BlockedAddressError, type LookupSettings } from '@generation-gateway/kit/checked-lookup.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { OutboundRoute } from '@generation-gateway/kit/outbound/outbound.ts'
import { type OutboundRequest, requestOnce } from '@generation-gateway/kit/outbound/request.ts'
import { strangersLookups } from '@generation-gateway/kit/outbound/strangers-lookup.ts'

const mostHops = 5

interface FollowOptions {
  route: OutboundRoute
  headers: Readonly<Record<string, string>>
  signal: AbortSignal
  /** True when a redirect may lead to an address in a private network. */
  allowPrivate: boolean
  /** Returns all IP addresses of the host name of a redirect. By default, the look-up for names
   *  that the operator did not choose is used. */
  lookup?: LookupSettings['lookup']
}

/** Returns the response of a URL after at most five redirects. The URL comes from the operator's
 *  settings and may have any address. A redirect to another origin must not lead to this machine
 *  or to a private network, unless `allowPrivate` is true, and only the headers `accept` and
 *  `user-agent` are sent there. The host name is resolved once for each connection, so the
 *  connection goes to exactly the address that was checked. Throws `upstream_error`, network
 *  errors, or the signal's reason. */
export async function fetchFollowing(url: string, options: FollowOptions): Promise<Response> {
  const { headers, signal, route, allowPrivate, lookup = strangersLookups.links } = options
  const origin = new URL(url).origin
  const plain = { accept: headers.accept ?? '*/*', 'user-agent': headers['user-agent'] ?? 'generation-gateway' }
  let at = new URL(url)
  for (let hop = 0; hop <= mostHops; hop++) {
    const isOwn = at.origin === origin
    const answer = await get(at, isOwn ? { route, headers, signal } : { route, headers: plain, signal, rule: { lookup, allowPrivate } })
    const next = [301, 302, 303, 307, 308].includes(answer.status) ? answer.headers.get('location') : null
    if (next === null) return answer
    await answer.body?.cancel()
    at = target(next, at)
  }
  throw new GatewayError('upstream_error', `The source at ${new URL(url).host} redirects more than ${mostHops} times.`)
}

function target(location: string, from: URL): URL {
  const to = URL.parse(location, from)
  if (to && /^https?:$/.test(to.protocol) && to.username === '') return to
  throw new GatewayError(
    'upstream_error',
    `The source at ${from.host} redirects to something that is not an http or https URL without a user name.`,
  )
}

/** Sends one request over a new connection. */
async function get(url: URL, request: OutboundRequest): Promise<Response> {
  try {
    return await requestOnce(url, request)
  } catch (error) {
    throw error instanceof BlockedAddressError ? refused(url) : error
  }
}

function refused({ hostname }: URL): GatewayError {
  return new GatewayError('upstream_error', `The source redirects to ${hostname}, an address of this machine or a private network.`)
}
