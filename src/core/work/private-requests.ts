/** Private requests, which are never stored: the store contains a mark instead, and only the memory
 *  of this process contains the request until its run begins. The output is streamed to the caller
 *  and not stored. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'

/** Private requests by task id. */
export type PrivateRequests = Map<string, JsonObject>

/** The mark that is stored instead of a private request. */
export const privateMark = { isPrivate: true } as const

export function isPrivate(request: JsonObject): boolean {
  return request.isPrivate === true
}

/** Returns the stored request; when it is the mark, returns the private request and removes it from
 *  memory. Throws `gone` when the process that had it in memory has ended. */
export function revealed(stored: JsonObject, taskId: string, requests: PrivateRequests | undefined): JsonObject {
  if (!isPrivate(stored)) return stored
  const request = requests?.get(taskId)
  requests?.delete(taskId)
  if (request) return request
  throw new GatewayError('gone', 'The request was private, and is gone with the process that had it.')
}
