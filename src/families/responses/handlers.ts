import { defined } from '@generation-gateway/kit/defined.ts'
import type { CallContext } from '../../contract/context.ts'
import { implement } from '../../contract/family.ts'
import { StreamedReply } from '../../contract/replies.ts'
import { isFinal } from '../../core/records/task.ts'
import { cancelAndAwait, responseOfTask } from './background.ts'
import { compactConversation } from './compact.ts'
import { createResponse } from './create.ts'
import { responses } from './family.ts'
import { newResponseId } from './ids.ts'
import { refuseWith } from './input/refuse.ts'
import { itemPage } from './input-items.ts'
import { createBodyOf, placedRequest } from './model-request.ts'
import { includesEncrypted } from './request.ts'
import { shownResponse } from './response.ts'
import { countBody } from './schema/request-schema.ts'
import { notStored, readTurn, type Turn } from './stored.ts'
import { storedFrames } from './stream.ts'

export const responsesEntry = implement(responses, {
  create: (context, { body }) => createResponse(context, body),

  async countInput(context, { body }) {
    const { request } = await placedRequest(context, newResponseId(), createBodyOf(body, countBody))
    return { object: 'response.input_tokens', input_tokens: await context.countInput(request) } as const
  },

  compact: (context, { body }) => compactConversation(context, body),

  async get(context, { params, query }) {
    const turn = await readTurn(context, idOf(params))
    const showsEncrypted = shows(turn, includedIn(query))
    if (!query.stream) return shownResponse(turn.response, showsEncrypted)
    return new StreamedReply(
      storedFrames({
        context,
        response: turn.response,
        showsEncrypted,
        ...defined({ taskId: turn.record.taskId, startingAfter: query.starting_after }),
      }),
    )
  },

  async delete(context, { params }) {
    const { record } = await readTurn(context, idOf(params))
    await stopTask(context, record.taskId)
    if (!(await context.responses.remove(record.id))) throw notStored(record.id)
    return { id: record.id, object: 'response', deleted: true } as const
  },

  async cancel(context, { params }) {
    const turn = await readTurn(context, idOf(params))
    const { taskId } = turn.record
    if (taskId === undefined) {
      throw refuseWith(null, `The response '${turn.record.id}' was not made with background; only those can be cancelled.`)
    }
    const hasEnded = turn.response.status !== 'queued' && turn.response.status !== 'in_progress'
    const response = hasEnded ? turn.response : responseOfTask(turn.response, await cancelAndAwait(context, taskId))
    return shownResponse(response, shows(turn, []))
  },

  async inputItems(context, { params, query }) {
    return itemPage(context, idOf(params), { ...query, include: includedIn(query) })
  },
})

function idOf(params: Record<string, string>): string {
  return params.response_id ?? ''
}

/** Cancels the task of a background response that was deleted. Nobody can read the answer of such a
 *  task any more. */
async function stopTask(context: CallContext<'taskEnding'>, taskId: string | undefined): Promise<void> {
  if (taskId === undefined) return
  const task = await context.task(taskId)
  if (!isFinal(task.state)) await context.taskEnding.cancel(taskId)
}

/** Returns true when encrypted reasoning is to be shown, which is when this call or the call
 *  that created the response has requested it. */
function shows(turn: Turn, include: readonly string[]): boolean {
  return includesEncrypted(include) || includesEncrypted(turn.include)
}

interface IncludeQuery {
  include?: string | string[]
  'include[]'?: string | string[]
}

function includedIn(query: IncludeQuery): string[] {
  return [query.include ?? [], query['include[]'] ?? []].flat().flatMap(text => text.split(','))
}
