/** Serves the operation that creates a response: the answer is returned as a whole, streamed, or
 *  created in the background. */

import type { TextRequest, TextResult } from '@generation-gateway/kit/requests/text.ts'
import type { CallContext } from '../../contract/context.ts'
import { StreamedReply } from '../../contract/replies.ts'
import { unixSeconds } from '../shared/task-answers.ts'
import { placeInput } from './conversation.ts'
import { expiryOf } from './expiry.ts'
import { newResponseId, responseIdOfTask } from './ids.ts'
import { placedRequest } from './model-request.ts'
import { closeOutput, newOutput, takeEvent } from './output.ts'
import { type CreateBody, includesEncrypted } from './request.ts'
import { finishedResponse, incompleteReason, shownResponse } from './response.ts'
import type { WireResponse } from './schema/response-schema.ts'
import type { Item } from './schema/wire.ts'
import { saveTurn, turnOf } from './stored.ts'
import { liveFrames, storedFrames, unfinished } from './stream.ts'

type ResponseContext = CallContext<'respond' | 'responses'>

/** A new turn that has been read and checked. */
interface PreparedTurn {
  context: ResponseContext
  body: CreateBody
  request: TextRequest
  input: Item[]
  response: WireResponse
  include: string[]
  expiresAt: number
}

export async function createResponse(context: ResponseContext, body: CreateBody): Promise<WireResponse | StreamedReply> {
  const now = Date.now()
  const expiresAt = expiryOf(body.expire_at, now)
  const id = newResponseId()
  const { request, input, echo } = await placedRequest(context, id, body)
  const prepared: PreparedTurn = {
    context,
    body,
    input,
    expiresAt,
    include: body.include ?? [],
    request,
    response: {
      ...echo,
      id,
      created_at: unixSeconds(now),
      model: context.model.id,
      previous_response_id: body.previous_response_id ?? null,
    },
  }
  if (body.background) return createInBackground(prepared)
  return body.stream ? createStreamed(prepared) : createAtOnce(prepared)
}

async function createAtOnce(prepared: PreparedTurn): Promise<WireResponse> {
  const { context, request, response } = prepared
  const showsEncrypted = includesEncrypted(prepared.include)
  const output = newOutput(response, showsEncrypted)
  let result: TextResult | undefined
  for await (const event of context.respond(request)) {
    if (event.type === 'finish') result = event.result
    else takeEvent(output, event)
  }
  if (!result) throw unfinished()
  closeOutput(output, incompleteReason(result.finish) ? 'incomplete' : 'completed')
  const ended = finishedResponse(response, { ...result, output: output.items, at: Date.now() })
  await save(prepared, ended)
  return shownResponse(ended, showsEncrypted)
}

function createStreamed(prepared: PreparedTurn): StreamedReply {
  const { context, request, response } = prepared
  const frames = liveFrames({
    context,
    run: context.respond(request),
    response,
    showsEncrypted: includesEncrypted(prepared.include),
    save: ended => save(prepared, ended),
  })
  return new StreamedReply(frames)
}

async function save({ context, body, input, include, expiresAt }: PreparedTurn, response: WireResponse): Promise<void> {
  if (body.store === false) return
  await saveTurn(context, { content: { input, response, include }, expiresAt })
}

/** Creates a background response. Its id is derived from the task's id, so that a repeat with the
 *  same `Idempotency-Key` finds the first response. */
async function createInBackground(prepared: PreparedTurn): Promise<WireResponse | StreamedReply> {
  const { context, body, request, include, expiresAt } = prepared
  const task = await context.submit({ capability: 'text.respond', request })
  const id = responseIdOfTask(task.id)
  const known = await context.responses.get(id)
  const turn = known && (await turnOf(context, known))
  const response: WireResponse = turn?.response ?? { ...prepared.response, id, created_at: unixSeconds(task.createdAt), status: 'queued' }
  if (!turn) {
    const input = placeInput(prepared.input, id)
    await saveTurn(context, { content: { input, response, include }, expiresAt, taskId: task.id })
  }
  const showsEncrypted = includesEncrypted(include)
  if (!body.stream) return shownResponse(response, showsEncrypted)
  return new StreamedReply(storedFrames({ context, response, taskId: task.id, showsEncrypted }))
}
