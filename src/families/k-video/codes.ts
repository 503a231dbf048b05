/** Codes of errors (docs/vendors/kling.md#error-codes). */
import { type ErrorCode, errorCatalogue, type GatewayError } from '@generation-gateway/kit/errors.ts'
import Type from 'typebox'
import { errorObject, gatewayError } from '../../contract/failure.ts'
import type { Failure } from '../../contract/family.ts'
import { namedObject } from '../../contract/schemas.ts'

export const codes = {
  1001: 'no access key',
  1002: 'invalid access key',
  1102: 'a quota is used up',
  1103: 'not allowed',
  1200: 'invalid request',
  1201: 'invalid parameter',
  1202: 'no such method',
  1203: 'no such model, task or endpoint',
  1301: 'refused by the safety rules',
  1302: 'too many requests',
  1303: 'too many at once',
  5000: 'internal error',
  5001: 'not available',
  5002: 'timeout',
} as const
type Code = keyof typeof codes

const own: Partial<Record<ErrorCode, Code>> = {
  missing_api_key: 1001,
  invalid_api_key: 1002,
  not_allowed: 1103,
  quota_exceeded: 1102,
  rate_limited: 1302,
  engine_busy: 1303,
  too_many_connections: 1303,
  invalid_request: 1201,
  invalid_input_file: 1201,
  conflict: 1201,
  idempotency_conflict: 1201,
  method_not_allowed: 1202,
  request_moderated: 1301,
  content_moderated: 1301,
  gone: 1203,
}

/** Returns the vendor's code for an error. An error that is not listed gets a code by its HTTP
 *  status. */
function codeOf(code: ErrorCode): Code {
  const { status } = errorCatalogue[code]
  if (own[code] !== undefined) return own[code]
  if (status === 404) return 1203
  if (status < 500) return 1200
  return status === 503 ? 5001 : status === 504 ? 5002 : 5000
}

const failed = namedObject('VideoTaskError', {
  code: Type.Integer({
    description: Object.entries(codes)
      .map(([code, says]) => `${code}: ${says}`)
      .join(', '),
  }),
  message: Type.String(),
  request_id: Type.String(),
  error: gatewayError,
})

export function failure(error: GatewayError, requestId: string): Failure {
  const body = { code: codeOf(error.code), message: error.message, request_id: requestId, error: errorObject(error, requestId) }
  return { status: error.status, schema: failed, body }
}
