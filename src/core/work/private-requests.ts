/** Requests that nobody keeps: the store has a mark in their place, and they are in this process alone until their run begins. What such a run makes is told to its caller and not stored. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'

/** By the ids of their tasks. */
export type PrivateRequests = Map<string, JsonObject>

/** What is stored in the place of a private one. */
export const privateMark = { isPrivate: true } as const

export function isPrivate(request: JsonObject): boolean {
  return request.isPrivate === true
}

/** The request itself where the stored one is the mark; it is not kept any longer. Throws `gone` when the process that had it has ended. */
export function revealed(stored: JsonObject, taskId: string, requests: PrivateRequests | undefined): JsonObject {
  if (!isPrivate(stored)) return stored
  const request = requests?.get(taskId)
  requests?.delete(taskId)
  if (request) return request
  throw new GatewayError('gone', 'The request was private, and is gone with the process that had it.')
}
