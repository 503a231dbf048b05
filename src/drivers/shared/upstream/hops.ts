/** Sets the hop count (the number of gateways that a request has passed) for drivers whose upstream
 *  may itself be a gateway. The target's headers contain the hop count 1. A request that has its
 *  own hop count is sent with that count instead. */
import { hopsHeader } from '@generation-gateway/kit/requests/hops.ts'
import type { ExchangeRequest } from '@generation-gateway/kit/requests/relay.ts'
import type { UpstreamTarget } from './upstream-target.ts'

/** Hop count of requests that this gateway makes itself. It is 1, because they have passed only
 *  this gateway. */
export const firstHop = { [hopsHeader]: '1' }

/** Returns the target without its hop count of 1 when the request brings its own hop count;
 *  otherwise the target unchanged. */
export function targetFor(target: UpstreamTarget, { headers }: Pick<ExchangeRequest, 'headers'>): UpstreamTarget {
  const hops = headers[hopsHeader]
  if (hops === undefined) return target
  return { ...target, headers: without(target.headers), withBody: without(target.withBody) }
}

/** Removes the hop count from a list in which header names and values alternate. */
function without(pairs: readonly string[]): string[] {
  return pairs.filter((_, index) => pairs[index - (index % 2)] !== hopsHeader)
}
