/** Responses that a durable task makes: their state is the task's. */
import { setTimeout as sleep } from 'node:timers/promises'
import { assertNever, GatewayError } from '@generation-gateway/kit/errors.ts'
import { sentenceIn } from '@generation-gateway/kit/requests/field-names.ts'
import type { TextItem, TextResult } from '@generation-gateway/kit/requests/text.ts'
import type { CallContext } from '../../contract/context.ts'
import type { ResponseRecord } from '../../core/ports/store.ts'
import { isFinal, type Task } from '../../core/records/task.ts'
import { fieldNames } from './field-names.ts'
import { placedId } from './ids.ts'
import { ToolNames } from './input/namespaces.ts'
import { outputItemOf } from './input/neutral.ts'
import { failedResponse, finishedResponse, incompleteReason } from './response.ts'
import type { WireResponse } from './schema/response-schema.ts'
import type { OutputItem } from './schema/wire.ts'

/** What the worker stores of a finished conversation. */
type StoredResult = TextResult & { output: TextItem[] }

/** How long a cancel waits for the model to have stopped. */
const cancelWaitMs = 5_000

/** The response as it is now; undefined when its task has been swept. */
export async function currentResponse(
  context: CallContext,
  record: ResponseRecord,
  response: WireResponse,
): Promise<WireResponse | undefined> {
  if (record.taskId === undefined) return response
  const task = await taskOf(context, record.taskId)
  return task && responseOfTask(response, task)
}

/** Waits until the task is as wanted, or `forMs` have passed; looks at it every 50 ms at first, every second in the end. Throws when the caller leaves. */
export async function awaitTask(
  context: CallContext,
  taskId: string,
  { until, forMs = Number.POSITIVE_INFINITY }: { until: (task: Task) => boolean; forMs?: number },
): Promise<Task> {
  let waitedMs = 0
  for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 1.25, 1_000)) {
    const task = await context.task(taskId)
    if (until(task) || waitedMs >= forMs) return task
    await sleep(pauseMs, undefined, { signal: context.signal })
    waitedMs += pauseMs
  }
}

/** Ends the task and gives it as it then is: a model stops within a token, so the wait is short; one that does not is still in progress. */
export async function cancelAndAwait(context: CallContext<'taskEnding'>, taskId: string): Promise<Task> {
  await context.taskEnding.cancel(taskId)
  return awaitTask(context, taskId, { until: task => isFinal(task.state), forMs: cancelWaitMs })
}

/** The response object for the task's state. Item ids follow from the response's id and the item's place. */
export function responseOfTask(response: WireResponse, task: Task): WireResponse {
  switch (task.state) {
    case 'queued':
      return { ...response, status: 'queued' }
    case 'running':
    case 'cancelling':
    case 'unknown':
      return { ...response, status: 'in_progress' }
    case 'succeeded':
      return finishedOf(response, task)
    case 'cancelled':
      return { ...response, status: 'cancelled' }
    case 'failed':
    case 'expired':
      return failedOf(response, task)
    default:
      return assertNever(task.state)
  }
}

function failedOf(response: WireResponse, { failure }: Task): WireResponse {
  const { code, message } = failure ?? { code: 'internal_error' as const, message: 'The task failed.' }
  // It is stored as the driver said it.
  return failedResponse(response, { code, message: sentenceIn(fieldNames, message) })
}

function finishedOf(response: WireResponse, task: Task): WireResponse {
  // The worker stores what the driver reported, with the items that were said: a text task has no other result.
  const { output, ...result } = task.result as StoredResult
  const names = new ToolNames(response.tools)
  const isCut = incompleteReason(result.finish) !== undefined
  const items = output.flatMap((item, index): OutputItem[] => {
    const status = isCut && index === output.length - 1 ? 'incomplete' : 'completed'
    const shown = outputItemOf(item, { id: type => placedId(response.id, type, 'output', index), status, names })
    return shown ? [shown] : []
  })
  return finishedResponse(response, { ...result, output: items, at: task.finishedAt ?? task.createdAt })
}

async function taskOf(context: CallContext, taskId: string): Promise<Task | undefined> {
  try {
    return await context.task(taskId)
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'task_not_found') return undefined
    throw error
  }
}
