/** Private requests, which are never stored. The store contains only a mark in place of the
 *  request. The request itself stays in the memory of this process until its run begins, and its
 *  output is streamed to the caller and not stored. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'

/** Private requests by task id. */
export type PrivateRequests = Map<string, JsonObject>

/** The mark that is stored instead of a private request. */
export const privateMark = { isPrivate: true } as const

export function isPrivate(request: JsonObject): boolean {
  return request.isPrivate === true
}

/** Returns the stored request. When it is the mark of a private request, returns that request
 *  from memory, and removes it there. Throws `gone` when the process that had the request in
 *  memory has ended. */
export function revealed(stored: JsonObject, taskId: string, requests: PrivateRequests | undefined): JsonObject {
  if (!isPrivate(stored)) return stored
  const request = requests?.get(taskId)
  requests?.delete(taskId)
  if (request) return request
  throw new GatewayError('gone', 'The request was private, and is gone with the process that had it.')
}
