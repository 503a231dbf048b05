/** Passes on the number of gateways that a request has passed, for drivers whose upstream may
 *  itself be a gateway. */
import { hopsHeader } from '@generation-gateway/kit/requests/hops.ts'
import type { RelayRequest } from '@generation-gateway/kit/requests/relay.ts'
import type { UpstreamTarget } from './upstream-target.ts'

/** Headers of a target's own requests: this gateway is the first hop. */
export const firstHop = { [hopsHeader]: '1' }

/** Returns the target without its own hop count of 1 when the request has a count of its own;
 *  otherwise the target itself. */
export function targetFor(target: UpstreamTarget, { headers }: Pick<RelayRequest, 'headers'>): UpstreamTarget {
  const hops = headers[hopsHeader]
  if (hops === undefined) return target
  return { ...target, headers: without(target.headers), withBody: without(target.withBody) }
}

/** Returns a list of names and values in turn without the hop count. */
function without(pairs: readonly string[]): string[] {
  return pairs.filter((_, index) => pairs[index - (index % 2)] !== hopsHeader)
}
