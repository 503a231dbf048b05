/** Requests that are never stored: the store has a mark in their place, and only this process
 *  holds them until their run begins. The run's output is streamed to its caller and not stored. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'

/** By task id. */
export type PrivateRequests = Map<string, JsonObject>

/** Stored in the place of a private request. */
export const privateMark = { isPrivate: true } as const

export function isPrivate(request: JsonObject): boolean {
  return request.isPrivate === true
}

/** Returns the request itself when the stored one is the mark, and forgets it. Throws `gone` when
 *  the process that held it has ended. */
export function revealed(stored: JsonObject, taskId: string, requests: PrivateRequests | undefined): JsonObject {
  if (!isPrivate(stored)) return stored
  const request = requests?.get(taskId)
  requests?.delete(taskId)
  if (request) return request
  throw new GatewayError('gone', 'The request was private, and is gone with the process that had it.')
}
