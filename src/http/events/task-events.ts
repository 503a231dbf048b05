import { GatewayError, toGatewayError } from '@generation-gateway/kit/errors.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FamilyEntry } from '../../contract/family.ts'
import type { Operation, TaskPlace } from '../../contract/operation.ts'
import { isFinal, type Task } from '../../core/records/task.ts'
import { authorize } from '../call/authenticate.ts'
import { keysTask, ownTask } from '../call/own-task.ts'
import type { HttpDeps } from '../deps.ts'
import { sendFailure } from '../failures.ts'
import { rawHeaders } from '../raw-headers.ts'
import { paramsOf, queryOf } from '../request-parts.ts'
import { openEventStream } from './sse.ts'

/** Extension of every operation that reads a task: `GET <path>/events`, the task's history as server-sent events, resumed by `Last-Event-ID`, ended after the final state. */
export function taskEventsHandler(deps: HttpDeps, entry: FamilyEntry, operation: Operation) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    let task: Task
    try {
      task = await readTask(deps, entry, operation, { request, reply })
    } catch (error) {
      return sendFailure(deps, reply, { error: toGatewayError(error), failure: entry.family.failure, request })
    }
    reply.hijack()
    await streamEvents(deps, request, reply, task.id)
    return reply
  }
}

/** Extension: `DELETE <path>` asks for the end of the task and answers as the read operation does. Ending an ended task changes nothing. */
export function cancelTaskHandler(deps: HttpDeps, entry: FamilyEntry, operationName: string) {
  const operation = entry.family.operations[operationName]
  if (!operation) throw new TypeError(`no operation ${operationName}`)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    try {
      const task = await readTask(deps, entry, operation, { request, reply })
      await deps.tasks.cancel(task.id)
      return undefined
    } catch (error) {
      return sendFailure(deps, reply, { error: toGatewayError(error), failure: entry.family.failure, request })
    }
  }
}

async function readTask(
  deps: HttpDeps,
  entry: FamilyEntry,
  operation: Operation,
  call: { request: FastifyRequest; reply: FastifyReply },
): Promise<Task> {
  const key = await authorize(deps, entry, call.request, call.reply, operation)
  const { parameter, in: place, of }: TaskPlace = operation.readsTask ?? { parameter: 'id', in: 'query' }
  const id = (place === 'path' ? paramsOf(call.request) : queryOf(call.request))[parameter]
  if (typeof id !== 'string' || id === '') throw new GatewayError('invalid_request', `${parameter} is required.`, { field: parameter })
  if (of === 'account') return keysTask(deps, key, id)
  const endpoint = await deps.access.endpoint(key, paramsOf(call.request).endpoint ?? 'default')
  return ownTask(deps, { id, accountId: key.accountId, endpoint: endpoint.name, family: entry.family })
}

async function streamEvents(deps: HttpDeps, request: FastifyRequest, reply: FastifyReply, taskId: string): Promise<void> {
  const stream = openEventStream(reply.raw, { headers: rawHeaders(reply) })
  let wake = () => {}
  const unwatch = deps.feed.watch(taskId, () => wake())
  // Other nodes' writes give no signal here: look again now and then.
  const timer = setInterval(() => wake(), 2_000)
  let last = lastEventId(request)
  try {
    while (!stream.isClosed && !deps.feed.isClosed) {
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
    deps.log.warn({ err: error, requestId: request.id }, 'a task event stream broke')
  } finally {
    unwatch()
    clearInterval(timer)
    stream.end()
  }
}

function lastEventId(request: FastifyRequest): number {
  const value = Number(request.headers['last-event-id'] ?? queryOf(request).last_event_id ?? 0)
  return Number.isInteger(value) && value > 0 ? value : 0
}
