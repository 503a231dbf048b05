/** Reads and cancels background responses. A background response is created by a durable task,
 *  and its state is derived from the state of that task. */
import { setTimeout as sleep } from 'node:timers/promises'
import { assertNever } from '@generation-gateway/kit/errors.ts'
import { sentenceIn } from '@generation-gateway/kit/requests/field-names.ts'
import type { TextItem, TextResult } from '@generation-gateway/kit/requests/text.ts'
import type { CallContext } from '../../contract/context.ts'
import type { ResponseRecord } from '../../core/ports/store.ts'
import { isFinal, type Task } from '../../core/records/task.ts'
import { ifFound } from '../shared/task-answers.ts'
import { fieldNames } from './field-names.ts'
import { placedId } from './ids.ts'
import { ToolNames } from './input/namespaces.ts'
import { outputItemOf } from './input/neutral.ts'
import { failedResponse, finishedResponse, incompleteReason } from './response.ts'
import type { WireResponse } from './schema/response-schema.ts'
import type { OutputItem } from './schema/wire.ts'

/** The result that the worker stores for a finished conversation. */
type StoredResult = TextResult & { output: TextItem[] }

/** Longest time in milliseconds that a cancellation waits for the model to stop. */
const cancelWaitMs = 5_000

/** Returns the response in its current state; undefined when its task was deleted after its
 *  lifetime. */
export async function currentResponse(
  context: CallContext,
  record: ResponseRecord,
  response: WireResponse,
): Promise<WireResponse | undefined> {
  if (record.taskId === undefined) return response
  const task = await ifFound(context.task(record.taskId))
  return task && responseOfTask(response, task)
}

/** Waits until the task satisfies the condition or `forMs` have passed. Polls every 50 ms at first,
 *  slowing to once a second. Throws when the caller disconnects. */
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

/** Cancels the task and waits up to five seconds for it to end. Returns the task, which is still
 *  in progress when its model has not stopped by then; usually a model stops within a token. */
export async function cancelAndAwait(context: CallContext<'taskEnding'>, taskId: string): Promise<Task> {
  await context.taskEnding.cancel(taskId)
  return awaitTask(context, taskId, { until: task => isFinal(task.state), forMs: cancelWaitMs })
}

/** Builds the response object for the state of the task. Item ids are derived from the response's
 *  id and the position of the item. */
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
  // The stored message contains the neutral names of fields, which are replaced here by the names
  // of this family.
  return failedResponse(response, { code, message: sentenceIn(fieldNames, message) })
}

function finishedOf(response: WireResponse, task: Task): WireResponse {
  // The cast is safe: the worker stores the driver's result with the items of the answer; a text
  // task has no other result.
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
