/** How many gateways a request has passed: a gateway that is configured as its own upstream, directly or in a ring, would send it round for ever. */
import { GatewayError } from '../errors.ts'

/** Carries the count: 1 from the first gateway, one more from each that passes it on. */
export const hopsHeader = 'x-gateway-hops'

/** Chains in earnest have two or three gateways (a team's, a company's, a region's). Each round of a ring costs a connection at every gateway in it, so the limit stays near that. */
const maxHops = 8

const count = /^\d{1,9}$/

/** Whether the header is absent, or a count that may go on. */
export function mayPass(header: string | string[] | undefined): boolean {
  return header === undefined || (count.test(String(header)) && Number(header) <= maxHops)
}

/** The gateways passed so far; 0 without the header. Throws `invalid_request` for what is no count, `loop_detected` for more than `maxHops`. */
export function hopsOf(header: string | string[] | undefined): number {
  if (header === undefined) return 0
  const text = String(header)
  if (!count.test(text)) throw new GatewayError('invalid_request', `${hopsHeader} has to be a whole number.`, { field: hopsHeader })
  const hops = Number(text)
  if (hops <= maxHops) return hops
  const message = `The request has passed ${hops} gateways; at most ${maxHops}. One of them is probably its own upstream.`
  throw new GatewayError('loop_detected', message)
}

/** The header with which a request goes on that has passed so many; none for one that came without a count: then a target's own 1 is right. */
export function nextHop(hops: number | undefined): Record<string, string> {
  return hops ? { [hopsHeader]: String(hops + 1) } : {}
}
