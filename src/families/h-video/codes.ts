/** Codes of `base_resp.status_code` (docs/vendors/minimax.md#error-codes). */
import { type ErrorCode, errorCatalogue } from '@generation-gateway/kit/errors.ts'

export const baseCodes = {
  1000: 'failed for another reason',
  1001: 'timeout',
  1002: 'too many requests',
  1004: 'not authorised',
  1024: 'internal error',
  1026: 'the input was refused by the safety rules',
  1027: 'the video was refused by the safety rules',
  1041: 'too much at once',
  2013: 'invalid parameters',
  2049: 'invalid access key',
  2056: 'a quota is used up',
} as const
type BaseCode = keyof typeof baseCodes

const own: Partial<Record<ErrorCode, BaseCode>> = {
  missing_api_key: 1004,
  not_allowed: 1004,
  invalid_api_key: 2049,
  rate_limited: 1002,
  engine_busy: 1041,
  too_many_connections: 1041,
  overloaded: 1041,
  quota_exceeded: 2056,
  request_moderated: 1026,
  content_moderated: 1027,
  cancelled: 1000,
  outcome_unknown: 1000,
}

/** Returns the vendor's code for an error. An error that is not listed gets a code by its HTTP
 *  status: 2013 (invalid parameters) for 4xx, 1001 (timeout) for 504, and 1024 (internal error)
 *  for other 5xx. */
export function baseCodeOf(code: ErrorCode): BaseCode {
  const { status } = errorCatalogue[code]
  return own[code] ?? (status < 500 ? 2013 : status === 504 ? 1001 : 1024)
}
