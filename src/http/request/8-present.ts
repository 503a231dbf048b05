/** The eighth step: sends the handler's answer to the caller. */
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { GatewayError, toGatewayError } from '@generation-gateway/kit/errors.ts'
import {
  BytesReply,
  FileReply,
  type GappedJson,
  gappedJson,
  RedirectReply,
  type ReplyFrame,
  StreamedReply,
  TextReply,
} from '../../contract/replies.ts'
import type { Call } from '../call/call.ts'
import { fillJson } from '../call/fill-json.ts'
import { untilWritable } from '../call/until-writable.ts'
import type { HttpDeps } from '../deps.ts'
import { awaitSilence, endSilence, isOpened, type SilentAnswer, usualSilenceSeconds } from '../events/silence.ts'
import { type EventStream, openEventStream, openForSilence } from '../events/sse.ts'
import { failureFrames as framesOfFailure, logFailure } from '../failures.ts'
import { serveFile } from '../files.ts'
import { warn } from './5-check.ts'
import type { Exchange } from './exchange.ts'
import type { OperationPlan } from './plan.ts'

interface Answering {
  plan: OperationPlan
  exchange: Exchange
  call: Call
  /** Time at which the wait for the answer began: the count of the coarse clock `silenceTick`
   *  (src/http/events/silence.ts), not milliseconds. */
  silentSince: number
}

/** Sends the answer of a handler. Resolves when it was sent or the client has disconnected;
 *  returns undefined when it was sent at once. Throws when a stream fails before its first
 *  event. By then, only the head and comments may have been sent, if the stream had no output
 *  for too long (`isOpened`). */
export function presentStep(answering: Answering, answer: unknown): Promise<void> | undefined {
  const { exchange, call } = answering
  warn(call, exchange)
  exchange.addHeaders(call.headers)
  call.isAnswered = true
  if (answer instanceof StreamedReply) return sendStream(answering, answer)
  if (answer instanceof BytesReply) return sendBytes(answering, answer)
  if (answer instanceof FileReply) return sendFile(answering, answer)
  if (answer instanceof TextReply) exchange.sendAs(`${answer.mediaType}; charset=utf-8`, answer.text)
  else if (answer instanceof RedirectReply) {
    exchange.headers.location = answer.url
    exchange.send(302)
  } else return sendJson(answering, gappedJson(answer))
  return undefined
}

function sendJson({ plan, exchange }: Answering, json: GappedJson): Promise<void> | undefined {
  if (json.files.length > 0) return sendFilled(plan, exchange, json)
  exchange.sendAs('application/json; charset=utf-8', json.texts[0] ?? '')
  return undefined
}

async function sendFilled({ deps }: OperationPlan, { response, headers, id }: Exchange, json: GappedJson): Promise<void> {
  const filled = await fillJson(deps, json)
  if (response.destroyed) return
  const contentType = 'application/json; charset=utf-8'
  response.writeHead(200, { ...headers, 'content-type': contentType, 'content-length': filled.bytes })
  await pipeline(filled.chunks, response).catch(cause => {
    // A disconnect of the caller is not logged as a failure.
    if (cause.code !== 'ERR_STREAM_PREMATURE_CLOSE') logFailure(deps, toGatewayError(cause), id)
  })
}

async function sendStream(answering: Answering, { frames }: StreamedReply): Promise<void> {
  const { deps } = answering.plan
  const iterator = frames[Symbol.asyncIterator]()
  const { stream, first } = await begun(answering, iterator)
  let next = first
  try {
    while (!next.done && !stream.isClosed) {
      const frame = filledFrame(deps, next.value)
      await stream.send(frame instanceof Promise ? await frame : frame)
      next = await iterator.next()
    }
  } catch (error) {
    if (!stream.isClosed) await sendFrames(stream, failureFrames(answering, error))
  } finally {
    // Stops the model when the client has disconnected before the end.
    await stopProducer(answering, iterator)
    stream.end()
  }
}

/** Returns the first event and the stream on which it is to be sent. When the first event takes too
 *  long, the stream is opened before the event. */
async function begun(
  { exchange, call, silentSince }: Answering,
  iterator: AsyncIterator<ReplyFrame>,
): Promise<{ stream: EventStream; first: IteratorResult<ReplyFrame> }> {
  const { response, headers } = exchange
  let stream = isOpened(response) ? openEventStream(response) : undefined
  const silence: SilentAnswer = {
    breakSilence: () => {
      // When the caller has disconnected, no stream can be opened; other code handles the
      // disconnect.
      if (!response.destroyed) stream = openForSilence(response, { headers })
    },
  }
  if (!stream) awaitSilence(silence, silenceOf(call), silentSince)
  try {
    const first = await iterator.next()
    // A target reports the fields that it ignores before its first event, so all warnings are known
    // now.
    warn(call, exchange)
    return { stream: stream ?? openEventStream(response, { headers }), first }
  } catch (error) {
    stream?.leave()
    throw error
  } finally {
    endSilence(silence)
  }
}

/** Returns the number of seconds without output after which a stream opens with a comment, as
 *  configured for the first target; 0 means never. */
function silenceOf({ routes, model }: Call): number {
  return (routes?.[0]?.target ?? model?.targets[0])?.silenceSeconds ?? usualSilenceSeconds
}

/** Returns the event with its files filled in. Only an event with files returns a promise: most
 *  events are text, and a promise for each would be costly. */
function filledFrame(deps: HttpDeps, frame: ReplyFrame): ReplyFrame | Promise<ReplyFrame> {
  if (typeof frame.data === 'string') return frame
  const json = gappedJson(frame.data)
  if (json.files.length === 0) return { ...frame, data: json.texts[0] ?? '' }
  return fillJson(deps, json).then(async ({ chunks }) => ({ ...frame, data: await text(chunks) }))
}

/** Sends bytes to the caller; the head is sent only when the first bytes have come. A failure
 *  after that cuts the connection, because HTTP has no other way to report it. */
async function sendBytes(answering: Answering, { mediaType, chunks }: BytesReply): Promise<void> {
  const { plan, exchange } = answering
  const iterator = chunks[Symbol.asyncIterator]()
  let next = await iterator.next()
  const { response, headers, method, id } = exchange
  response.writeHead(200, { ...headers, 'content-type': mediaType, 'x-content-type-options': 'nosniff' })
  try {
    // The answer to a HEAD request has no body, so none of its bytes are written.
    while (!next.done && !response.destroyed && method !== 'HEAD') {
      if (!response.write(next.value)) await untilWritable(response)
      next = await iterator.next()
    }
    response.end()
  } catch (cause) {
    logFailure(plan.deps, toGatewayError(cause), id)
    response.destroy()
  } finally {
    // Stops the producer of the bytes when the client has disconnected before the end.
    await stopProducer(answering, iterator)
  }
}

/** Stops the producer of an answer, unless it has ended. An error is only counted and logged,
 *  because the answer has ended. */
async function stopProducer({ plan, exchange }: Answering, iterator: AsyncIterator<unknown>): Promise<void> {
  try {
    await iterator.return?.()
  } catch (cause) {
    logFailure(plan.deps, toGatewayError(cause), exchange.id)
  }
}

async function sendFile({ plan: { deps }, exchange: { request, response, headers } }: Answering, { artifact }: FileReply): Promise<void> {
  const blob = await deps.store.blob(artifact.id)
  if (!blob) throw new GatewayError('gone', 'The file was swept.')
  await serveFile(request, response, { blob, blobs: deps.blobs, expiresAt: blob.expiresAt, now: deps.clock.now(), headers })
}

function failureFrames({ plan: { deps, entry }, exchange }: Answering, cause: unknown): ReplyFrame[] {
  const error = toGatewayError(cause)
  logFailure(deps, error, exchange.id)
  return framesOfFailure(entry.family, error, exchange.id)
}

async function sendFrames(stream: EventStream, frames: readonly ReplyFrame[]): Promise<void> {
  for (const frame of frames) await stream.send(frame)
}
