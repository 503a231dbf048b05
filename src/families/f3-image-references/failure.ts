/** Errors with the codes that the family's clients know (docs/vendors/ark.md#errors). */
import type { ErrorCode, GatewayError } from '@generation-gateway/kit/errors.ts'
import Type from 'typebox'
import { gatewayCodeField } from '../../contract/failure.ts'
import type { Failure } from '../../contract/family.ts'
import { namedObject, orNull } from '../../contract/schemas.ts'

const errorBody = namedObject('ImageGroupErrorBody', {
  error: namedObject('ImageGroupError', {
    code: Type.String({ description: '`BadRequest` for a request that will not do, else the precise word: `RateLimitExceeded`, ...' }),
    message: Type.String({ description: 'What was wrong, with the field, its value and its limit, and the request id.' }),
    type: Type.String({ description: '`MissingParameter`, `InvalidParameter`, or the kind of the status.' }),
    param: orNull<string>('string', { description: 'The field at fault.' }),
    gateway_code: gatewayCodeField,
    request_id: Type.String({ source: 'ours' }),
  }),
})

/** The vendor's error codes by the gateway's own codes. An error that is not listed gets the
 *  vendor's code for its HTTP status. */
const wordOfCode: Partial<Record<ErrorCode, string>> = {
  request_moderated: 'InputTextSensitiveContentDetected',
  content_moderated: 'OutputImageSensitiveContentDetected',
  model_not_found: 'InvalidEndpointOrModel.NotFound',
  endpoint_not_found: 'InvalidEndpointOrModel.NotFound',
  quota_exceeded: 'QuotaExceeded',
  overloaded: 'ServerOverloaded',
  engine_busy: 'ServerOverloaded',
  capability_unavailable: 'ModelNotOpen',
}

const wordOfStatus: Readonly<Record<number, [code: string, type: string]>> = {
  400: ['BadRequest', 'BadRequest'],
  401: ['AuthenticationError', 'Unauthorized'],
  403: ['AccessDenied', 'Forbidden'],
  404: ['NotFound', 'NotFound'],
  409: ['Conflict', 'BadRequest'],
  429: ['RateLimitExceeded', 'TooManyRequests'],
}
const usualWords: [code: string, type: string] = ['InternalServiceError', 'InternalServerError']

export function failure(error: GatewayError, requestId: string): Failure {
  const { status, field } = error
  const message = `${error.message} Request id: ${requestId}`
  const ours = { gateway_code: error.code, request_id: requestId }
  return { status, schema: errorBody, body: { error: { ...wordsOf(error), message, param: field ?? null, ...ours } } }
}

function wordsOf({ code, status, issues }: GatewayError): { code: string; type: string } {
  if (code === 'invalid_request') return { code: 'BadRequest', type: isMissing(issues[0]?.rule) ? 'MissingParameter' : 'InvalidParameter' }
  const [word, type] = wordOfStatus[status] ?? (status < 500 ? (wordOfStatus[400] ?? usualWords) : usualWords)
  return { code: wordOfCode[code] ?? word, type }
}

function isMissing(rule: string | undefined): boolean {
  return rule === 'required' || rule?.endsWith('-required') === true
}

/** Returns the reason why one picture of several is missing. */
export function pictureFailure(code: ErrorCode, says: string, requestId: string): { code: string; message: string } {
  const isRefused = code === 'content_moderated' || code === 'request_moderated'
  const word = isRefused ? 'OutputImageSensitiveContentDetected' : 'InternalServiceError'
  return { code: word, message: `${says} Request id: ${requestId}` }
}
