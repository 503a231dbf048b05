/** Counts the gateways that a request has passed: a gateway configured as its own upstream,
 *  directly or in a ring, would forward it for ever. */
import { GatewayError } from '../errors.ts'

/** The header with the count: 1 from the first gateway, increased by one at each gateway that
 *  forwards the request. */
export const hopsHeader = 'x-gateway-hops'

/** Largest number of gateways in a chain. Real chains have two or three (a team's, a company's, a
 *  region's). The limit is only a little higher, because in a ring every pass of a request occupies
 *  one more connection at each gateway. */
const maxHops = 8

const count = /^\d{1,9}$/

/** Returns the number of gateways passed so far; 0 without the header. Throws `invalid_request` for
 *  a value that is not a count, and `loop_detected` above `maxHops`. */
export function hopsOf(header: string | string[] | undefined): number {
  if (header === undefined) return 0
  const text = String(header)
  if (!count.test(text)) throw new GatewayError('invalid_request', `${hopsHeader} has to be a whole number.`, { field: hopsHeader })
  const hops = Number(text)
  if (hops <= maxHops) return hops
  const message = `The request has passed ${hops} gateways; at most ${maxHops}. One of them is probably its own upstream.`
  throw new GatewayError('loop_detected', message)
}

/** Returns the header for a request that has passed this many gateways. Empty for a request without
 *  a count; the driver then adds the header with the value 1 (`firstHop`). */
export function nextHop(hops: number | undefined): Record<string, string> {
  return hops ? { [hopsHeader]: String(hops + 1) } : {}
}
