/** The count of gateways, as drivers whose upstream may be one send it. */
import { hopsHeader } from '@generation-gateway/kit/requests/hops.ts'
import type { RelayRequest } from '@generation-gateway/kit/requests/relay.ts'
import type { UpstreamTarget } from './upstream-target.ts'

/** Headers of a target: this gateway is the first. */
export const firstHop = { [hopsHeader]: '1' }

/** The target with the count that the request brings in place of its own 1; the target itself when it brings none. */
export function targetFor(target: UpstreamTarget, { headers }: Pick<RelayRequest, 'headers'>): UpstreamTarget {
  const hops = headers[hopsHeader]
  if (hops === undefined) return target
  return { ...target, headers: without(target.headers), withBody: without(target.withBody) }
}

/** Name, value, name, value: all but the count. */
function without(pairs: readonly string[]): string[] {
  return pairs.filter((_, index) => pairs[index - (index % 2)] !== hopsHeader)
}
