/** Computes how long responses are stored (docs/vendors/openai-responses.md#keeping). */

import type { Json } from '@generation-gateway/kit/json.ts'
import { dayMs } from '@generation-gateway/kit/units.ts'

export const keepMs = 30 * dayMs
const longestMs = 7 * dayMs

/** Returns true when `expire_at` (Unix seconds) is after `now` (Unix milliseconds) and at most 7
 *  days ahead. */
export function isExpiryAllowed(seconds: number, now: number): boolean {
  const at = seconds * 1000
  return at > now && at <= now + longestMs
}

/** Returns the time at which a response created now expires; Unix milliseconds. */
export function expiryOf(seconds: Json | undefined, now: number): number {
  return typeof seconds === 'number' ? seconds * 1000 : now + keepMs
}
