/** Yields the events of a response: live while the model answers, or later, for a response that is
 *  stored or still running in the background. */

import { GatewayError, toGatewayError } from '@generation-gateway/kit/errors.ts'
import type { CallContext } from '../../contract/context.ts'
import type { TextRunEvent } from '../../contract/needs/respond.ts'
import type { ReplyFrame } from '../../contract/replies.ts'
import { isFinal } from '../../core/records/task.ts'
import { awaitTask, responseOfTask } from './background.ts'
import { errorEvent } from './error-event.ts'
import { itemEvents, type WireEvent } from './item-events.ts'
import { closeOutput, newOutput, takeEvent } from './output.ts'
import { failedResponse, finishedResponse, incompleteReason, sampledResponse, shownResponse } from './response.ts'
import type { WireResponse } from './schema/response-schema.ts'

interface LiveStream {
  context: Pick<CallContext, 'signal' | 'requestId'>
  /** The events of the model. */
  run: AsyncIterable<TextRunEvent>
  /** The response object at the beginning, without output. */
  response: WireResponse
  showsEncrypted: boolean
  /** Stores the ended response; called before its last event is sent. */
  save(response: WireResponse): Promise<void>
}

/** Streams the answer live. An error before the model's first event is thrown; a later one is
 *  reported by an `error` event and `response.failed`. */
export async function* liveFrames(given: LiveStream): AsyncGenerator<ReplyFrame> {
  const number = numbered()
  let hasBegun = false
  const stream = { ...given }
  const output = newOutput(stream.response, stream.showsEncrypted)
  try {
    for await (const event of stream.run) {
      if (event.type === 'sampling') {
        stream.response = sampledResponse(stream.response, event)
        continue
      }
      if (!hasBegun) yield* opening(stream.response, number)
      hasBegun = true
      if (event.type !== 'finish') {
        yield* takeEvent(output, event).map(number)
        continue
      }
      yield* closeOutput(output, incompleteReason(event.result.finish) ? 'incomplete' : 'completed').map(number)
      const ended = finishedResponse(stream.response, { ...event.result, output: output.items, at: Date.now() })
      await stream.save(ended)
      yield number({ type: `response.${ended.status}`, response: shownResponse(ended, stream.showsEncrypted) })
      yield { data: '[DONE]' }
      return
    }
    throw unfinished()
  } catch (error) {
    if (!hasBegun || stream.context.signal.aborted) throw error
    closeOutput(output, 'incomplete')
    yield* failing(stream, { error: toGatewayError(error), output: output.items, number })
  }
}

/** Returns the error for a model whose stream ends without a result. */
export function unfinished(): GatewayError {
  return new GatewayError('upstream_error', 'The answer of the model broke off.')
}

type EventNumbering = (event: WireEvent) => ReplyFrame

/** Returns a function that gives events their sequence numbers, from 0. */
function numbered(): EventNumbering {
  let next = 0
  return ({ type, ...rest }) => ({ event: type, data: { type, sequence_number: next++, ...rest } })
}

function* opening(response: WireResponse, number: EventNumbering): Generator<ReplyFrame> {
  yield number({ type: 'response.created', response })
  yield number({ type: 'response.in_progress', response })
}

interface StreamFailure {
  error: GatewayError
  output: WireResponse['output']
  number: EventNumbering
}

/** Yields the last frames of an answer that failed: an `error` event in the formats that clients
 *  know, the event `response.failed`, and the terminator. */
async function* failing(stream: LiveStream, { error, output, number }: StreamFailure): AsyncGenerator<ReplyFrame> {
  const failed = failedResponse(stream.response, error, output)
  // A failure to store the response is ignored: the caller learns of the error either way, and the
  // store itself may be what failed.
  await stream.save(failed).catch(() => undefined)
  yield number(errorEvent(error, stream.context.requestId))
  yield number({ type: 'response.failed', response: shownResponse(failed, stream.showsEncrypted) })
  yield { data: '[DONE]' }
}

interface StoredStream {
  context: CallContext
  /** The response as it was first sent to the caller. */
  response: WireResponse
  /** The task that runs a background response. */
  taskId?: string
  showsEncrypted: boolean
  /** Skips events up to this sequence number. */
  startingAfter?: number
}

/** Yields the events of a stored response, with one delta for each part, so that they are the
 *  same every time. Waits for the end of a response that is still running. */
export async function* storedFrames({ startingAfter = -1, ...stream }: StoredStream): AsyncGenerator<ReplyFrame> {
  const number = numbered()
  let sequence = 0
  for await (const event of storedEvents(stream)) {
    const frame = number(event)
    if (sequence++ > startingAfter) yield frame
  }
  yield { data: '[DONE]' }
}

async function* storedEvents({
  context,
  response,
  taskId,
  showsEncrypted,
}: Omit<StoredStream, 'startingAfter'>): AsyncGenerator<WireEvent> {
  const begun = { ...begin(response), status: taskId === undefined ? 'in_progress' : 'queued' }
  yield { type: 'response.created', response: begun }
  if (taskId !== undefined) {
    yield { type: 'response.queued', response: begun }
    await awaitTask(context, taskId, { until: task => task.state !== 'queued' })
  }
  yield { type: 'response.in_progress', response: { ...begun, status: 'in_progress' } }
  const ended =
    taskId === undefined ? response : responseOfTask(response, await awaitTask(context, taskId, { until: task => isFinal(task.state) }))
  const shown = shownResponse(ended, showsEncrypted)
  for (const [index, item] of shown.output.entries()) yield* itemEvents(item, index)
  // The interface has no event for a cancelled response, so the stream ends with `response.failed`.
  // The `status` in this event says that the response was cancelled.
  const type = shown.status === 'completed' || shown.status === 'incomplete' ? shown.status : 'failed'
  yield { type: `response.${type}`, response: shown }
}

/** Returns the response in its state before the first output. */
function begin(response: WireResponse): WireResponse {
  return { ...response, completed_at: null, error: null, incomplete_details: null, output: [], usage: null }
}
