/** Turns a body with a conversation into the neutral request for the model. */

import type { TextRequest } from '@generation-gateway/kit/requests/text.ts'
import type { CallContext } from '../../contract/context.ts'
import { readConversation } from './conversation.ts'
import { textItemOf } from './input/neutral.ts'
import { refuse } from './input/refuse.ts'
import { type CreateBody, type ResponseEcho, readRequest } from './request.ts'
import { createBody, inputLimit } from './schema/request-schema.ts'
import type { Item } from './schema/wire.ts'

// The cast is safe: `Object.keys` of a schema's own properties.
const responseFields = Object.keys(createBody.properties) as (keyof CreateBody)[]

interface PlacedRequest {
  request: TextRequest
  /** Items of the earlier turns, oldest first. */
  history: Item[]
  /** Items of the body's own input. */
  input: Item[]
  /** Fields that the response object repeats. */
  echo: ResponseEcho
}

/** Returns the request with the whole conversation. `id` is the id of the response, from which the
 *  ids of the input items are derived. Throws `invalid_request` naming the field, and
 *  `previous_response_not_found`. */
export async function placedRequest(context: CallContext<'responses'>, id: string, body: CreateBody): Promise<PlacedRequest> {
  checkLengths(body)
  const { modelRequest, echo, names, leftOut } = readRequest(body)
  if (leftOut.length > 0) context.warn(`tools: ${leftOut.join(', ')} left out; this model has no hosted tools.`)
  const { history, input } = await readConversation(context, id, body)
  const items = [...history, ...input].map(item => textItemOf(item, names))
  const instructions = body.instructions ? [developerMessage(body.instructions)] : []
  return { request: { items: [...instructions, ...items], ...modelRequest }, history, input, echo }
}

/** Adds the fields of a request for a response to a body that contains only a conversation, and
 *  returns the body. Fields of a response that the operation's `schema` does not declare are
 *  removed, because their values were not checked. Changes the body itself, because copying a
 *  hostile body with many members would take long. */
export function createBodyOf(body: Partial<CreateBody>, { properties }: { properties: object }): CreateBody {
  for (const name of responseFields) if (!Object.hasOwn(properties, name)) delete body[name]
  const { store = false, stream = false, background = false, parallel_tool_calls = true, input } = body
  return Object.assign(body, { store, stream, background, parallel_tool_calls, input: input ?? [] })
}

/** Checks the lengths of long texts. The schema could not check them: a very long text is
 *  written to a file while the body arrives, and the body then contains only a placeholder. Here
 *  the texts are complete. */
function checkLengths(body: CreateBody): void {
  for (const field of ['input', 'instructions'] as const) {
    const text = body[field]
    if (typeof text !== 'string' || text.length <= inputLimit) continue
    throw refuse(field, `${field} has ${text.length} characters; at most ${inputLimit}.`)
  }
}

export function developerMessage(text: string): TextRequest['items'][number] {
  return { type: 'message', role: 'developer', parts: [{ type: 'text', text }] }
}
