import { GatewayError, toGatewayError } from '@generation-gateway/kit/errors.ts'
import type { FamilyEntry } from '../../contract/family.ts'
import type { Operation, TaskPlace } from '../../contract/operation.ts'
import type { AccessKey } from '../../core/ports/store.ts'
import { isFinal, type Task } from '../../core/records/task.ts'
import { findOwnTask, findTaskOfKey } from '../call/own-task.ts'
import type { HttpDeps } from '../deps.ts'
import { sendFailure } from '../failures.ts'
import { authenticate } from '../request/2-authenticate.ts'
import { limitKey } from '../request/3-limit.ts'
import type { Exchange, Handler } from '../request/exchange.ts'
import { openEventStream } from './sse.ts'

/** Returns the handler of `GET <path>/events`, which exists for every operation that reads a
 *  task: it sends the task's history as server-sent events, continues after the event named by
 *  `Last-Event-ID`, and ends after the final state. */
export function taskEventsHandler(deps: HttpDeps, entry: FamilyEntry, operation: Operation): Handler {
  return async exchange => {
    let read: TaskOfKey
    let after: number
    try {
      after = lastEventId(exchange)
      read = await readTask(deps, entry, operation, exchange)
    } catch (error) {
      return sendFailure(deps, exchange, { error: toGatewayError(error), failure: entry.family.failure })
    }
    await streamEvents(deps, exchange, { ...read, after })
  }
}

/** Returns a function that cancels the task for `DELETE <path>`. When the task cannot be
 *  cancelled, the function answers with the error and returns false. A task that has ended stays
 *  as it is. */
export function cancelTaskHandler(deps: HttpDeps, entry: FamilyEntry, operationName: string) {
  const operation = entry.family.operations[operationName]
  if (!operation) throw new TypeError(`no operation ${operationName}`)
  return async (exchange: Exchange): Promise<boolean> => {
    try {
      const { task } = await readTask(deps, entry, operation, exchange)
      await deps.tasks.cancel(task.id)
      return true
    } catch (error) {
      sendFailure(deps, exchange, { error: toGatewayError(error), failure: entry.family.failure })
      return false
    }
  }
}

interface TaskOfKey {
  key: AccessKey
  task: Task
}

async function readTask(deps: HttpDeps, entry: FamilyEntry, operation: Operation, exchange: Exchange): Promise<TaskOfKey> {
  const key = await authenticate(deps, exchange)
  await limitKey({ deps, entry, operation }, exchange, key)
  const { parameter, in: place, of }: TaskPlace = operation.readsTask ?? { parameter: 'id', in: 'query' }
  const id = (place === 'path' ? exchange.params : exchange.query)[parameter]
  if (typeof id !== 'string' || id === '') throw new GatewayError('invalid_request', `${parameter} is required.`, { field: parameter })
  if (of === 'account') return { key, task: await findTaskOfKey(deps, key, id) }
  const endpoint = await deps.access.endpoint(key, exchange.params.endpoint ?? 'default')
  return { key, task: await findOwnTask(deps, { id, key, endpoint: endpoint.name, family: entry.family }) }
}

/** Sends the events of a task after the one with the number `after`, until the task has ended,
 *  or its key is revoked or expires. */
async function streamEvents(
  deps: HttpDeps,
  exchange: Exchange,
  { key, task: { id: taskId }, after }: TaskOfKey & { after: number },
): Promise<void> {
  const stream = openEventStream(exchange.response, { headers: exchange.headers })
  let wake = () => {}
  const unwatch = deps.feed.watch(taskId, () => wake())
  // Signals about changes that other nodes write to the task may be lost, so the task is also
  // polled every 2 s.
  const timer = setInterval(() => wake(), 2_000)
  let last = after
  try {
    while (!stream.isClosed && !deps.feed.isClosed && (await isValid(deps, key))) {
      const changed = new Promise<void>(resolve => {
        wake = resolve
      })
      stream.onClose(wake)
      for (const event of await deps.store.events(taskId, last)) {
        last = event.sequence
        await stream.send({ id: String(event.sequence), event: event.type, data: { task_id: taskId, at: event.at, ...event.data } })
      }
      const task = await deps.store.get(taskId)
      if (!task || (isFinal(task.state) && (await deps.store.events(taskId, last)).length === 0)) break
      await changed
    }
  } catch (error) {
    deps.log.warn({ err: error, requestId: exchange.id }, 'a task event stream broke')
  } finally {
    unwatch()
    clearInterval(timer)
    stream.end()
  }
}

/** False when the key was revoked or has expired. Throws `store_unavailable`. */
async function isValid({ access }: Pick<HttpDeps, 'access'>, { id }: AccessKey): Promise<boolean> {
  try {
    await access.keyById(id)
    return true
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'invalid_api_key') return false
    throw error
  }
}

/** Returns the number of the last event that the client has; 0 when it has none. A client that
 *  resumes sends the `id` of that event back unchanged, so anything else is a mistake. Throws
 *  `invalid_request`. */
function lastEventId({ requestHeaders, query }: Exchange): number {
  const field = requestHeaders['last-event-id'] === undefined ? 'last_event_id' : 'Last-Event-ID'
  const value = requestHeaders['last-event-id'] ?? query.last_event_id ?? ''
  if (typeof value === 'string' && /^\d{0,15}$/.test(value)) return Number(value)
  throw new GatewayError('invalid_request', `${field} must be the id of an event of this task, a whole number.`, { field })
}
