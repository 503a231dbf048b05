/** Checks values of settings, and creates the errors for wrong values. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'

/** Returns the error for a setting whose value is not allowed. `shown` is the value as the message
 *  contains it, such as `"80.5"`. */
export function wrongSetting(variable: string, shown: string, mustBe: string): GatewayError {
  return new GatewayError('invalid_request', `${variable} is ${shown}; it must be ${mustBe}.`, { field: variable })
}

/** Returns true for an http or https URL without query, fragment, user name or password. */
export function isBaseUrl(url: URL | null): url is URL {
  return url !== null && /^https?:$/.test(url.protocol) && url.search + url.hash + url.username + url.password === ''
}

/** Returns an address in the form in which a message may contain it. Everything between `//` and
 *  the last @ is hidden, because it may be a password, which may itself contain any character. */
export function withoutPassword(address: string): string {
  return address.replace(/\/\/.*@/s, '//...@')
}
