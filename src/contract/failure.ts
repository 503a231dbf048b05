import { type ErrorCode, errorCatalogue, type GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import Type from 'typebox'
import type { Failure } from './family.ts'
import { namedObject, orNull, words } from './schemas.ts'

// The cast is safe: the keys of the catalogue are the codes, but Object.keys is typed as string.
const errorCodes = Object.keys(errorCatalogue) as ErrorCode[]

/** Schema of a field with the gateway's own error code, for dialects that have other codes. */
export const gatewayCodeField = words(errorCodes, { source: 'ours', description: 'As other families have it in `code`.' })

/** Schema of the error object that is part of every family's error answers. */
export const gatewayError = namedObject('GatewayError', {
  code: words(errorCodes),
  message: Type.String({ description: 'What was wrong, with the field, its value and its limit.' }),
  type: Type.String(),
  param: orNull<string>('string', { description: 'The field at fault.' }),
  request_id: Type.String(),
})

const defaultError = namedObject('DefaultError', { error: gatewayError })

/** Returns the error object that is part of every family's error answers: code, message (with
 *  the field, the value and the limit), type, param and the request id. */
export function errorObject(error: GatewayError, requestId: string): JsonObject {
  return { code: error.code, message: error.message, type: error.type, param: error.field ?? null, request_id: requestId }
}

/** Returns status and body of an error, for families without an error format of their own. */
export function defaultFailure(error: GatewayError, requestId: string): Failure {
  return { status: error.status, body: { error: errorObject(error, requestId) }, schema: defaultError }
}
