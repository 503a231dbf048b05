/** Errors in the format that Google's clients read (google.rpc.Status). */
import type { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import Type from 'typebox'
import type { Failure } from '../../contract/family.ts'
import { namedObject, orNull } from '../../contract/schemas.ts'

const errorBody = namedObject('GoogleRefusalBody', {
  error: namedObject('GoogleRefusal', {
    code: Type.Integer({ description: 'The HTTP status.' }),
    message: Type.String({ description: 'What was wrong, with the field, its value and its limit.' }),
    status: Type.String({ description: '`INVALID_ARGUMENT`, `NOT_FOUND`, ...' }),
    details: Type.Array(Type.Unsafe<JsonObject>({ type: 'object' }), { description: 'BadRequest with the field, RetryInfo with a delay.' }),
    gateway_code: Type.String({ source: 'ours', description: 'The code of the gateway.' }),
    param: orNull<string>('string', { source: 'ours', description: 'The field at fault.' }),
    request_id: Type.String({ source: 'ours' }),
  }),
})

const words: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  410: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  501: 'UNIMPLEMENTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

/** Returns the name that Google's protocol uses for an HTTP status. */
export function statusWord(status: number): string {
  return words[status] ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL')
}

/** Returns status and body of an error: `{ error: { code, message, status, details, ... } }`. */
export function googleFailure(error: GatewayError, requestId: string, message = error.message): Failure {
  const { status, code, field } = error
  const named = { code: status, message, status: statusWord(status), details: detailsOf(error) }
  return { status, schema: errorBody, body: { error: { ...named, gateway_code: code, param: field ?? null, request_id: requestId } } }
}

function detailsOf({ field, message, retryAfterSeconds }: GatewayError): JsonObject[] {
  const details: JsonObject[] = []
  if (field !== undefined) details.push({ '@type': `${types}BadRequest`, fieldViolations: [{ field, description: message }] })
  if (retryAfterSeconds !== undefined) details.push({ '@type': `${types}RetryInfo`, retryDelay: `${retryAfterSeconds}s` })
  return details
}

const types = 'type.googleapis.com/google.rpc.'
