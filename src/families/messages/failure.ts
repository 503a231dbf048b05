/** Errors in the format that Anthropic's clients read
 *  (docs/vendors/anthropic-messages.md#errors). */
import type { ErrorCode, GatewayError } from '@generation-gateway/kit/errors.ts'
import Type from 'typebox'
import { gatewayCodeField } from '../../contract/failure.ts'
import type { Failure } from '../../contract/family.ts'
import { namedObject, orNull } from '../../contract/schemas.ts'

const schema = namedObject('MessagesError', {
  type: Type.Literal('error'),
  error: Type.Object({
    type: Type.String({ description: '`invalid_request_error`, `authentication_error`, `rate_limit_error`, `overloaded_error`, ...' }),
    message: Type.String({ description: 'What was wrong, with the field, its value and its limit.' }),
    code: gatewayCodeField,
    param: orNull<string>('string', { source: 'ours', description: 'The field at fault.' }),
  }),
  request_id: Type.String(),
})

const byCode: Partial<Record<ErrorCode, { type: string; status?: number }>> = {
  payload_too_large: { type: 'request_too_large' },
  overloaded: { type: 'overloaded_error', status: 529 },
  engine_busy: { type: 'overloaded_error', status: 529 },
  upstream_quota_exhausted: { type: 'api_error' },
}

const byStatus: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  429: 'rate_limit_error',
  504: 'timeout_error',
}

/** Returns status and body of an error: `{ type: 'error', error: { type, message, code, param },
 *  request_id }`. */
export function messagesFailure(error: GatewayError, requestId: string): Failure {
  const { type, status = error.status } = byCode[error.code] ?? { type: typeOf(error.status) }
  const body = {
    type: 'error',
    error: { type, message: error.message, code: error.code, param: error.field ?? null },
    request_id: requestId,
  }
  return { status, body, schema }
}

function typeOf(status: number): string {
  return byStatus[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')
}
