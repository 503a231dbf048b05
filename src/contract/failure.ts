import type { GatewayError } from '../core/errors.ts'
import type { JsonObject } from '../core/task.ts'
import type { Failure } from './family.ts'

/** The error object every family carries: code, message (with the field, the value and the limit), type, param and the request id. */
export function errorObject(error: GatewayError, requestId: string): JsonObject {
  return { code: error.code, message: error.message, type: error.type, param: error.field ?? null, request_id: requestId }
}

/** The default answer to an error. */
export function defaultFailure(error: GatewayError, requestId: string): Failure {
  return { status: error.status, body: { error: errorObject(error, requestId) } }
}
