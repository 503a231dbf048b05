import { GatewayError } from '@generation-gateway/kit/errors.ts'

/** Largest number of values in one body, unless an operation sets another one. Parsing and later
 *  steps block the event loop, and parsing takes about a microsecond per value
 *  (docs/measured.md#parsing). The limit keeps this time short. */
export const usualValues = 100_000

/** Throws `payload_too_large` when the body has more than `most` values; `what` is the word for
 *  them in the message. */
export function limitValues(count: number, most = usualValues, what = 'values'): void {
  if (count > most) throw new GatewayError('payload_too_large', `The body has more than ${most} ${what}.`)
}
