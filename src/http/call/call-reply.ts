import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { GatewayError, toGatewayError } from '@generation-gateway/kit/errors.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Family } from '../../contract/family.ts'
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
import type { HttpDeps } from '../deps.ts'
import { awaitSilence, endSilence, isOpened, type SilentAnswer } from '../events/silence.ts'
import { type EventStream, openEventStream, openForSilence } from '../events/sse.ts'
import { failureFrames as framesOfFailure, logFailure } from '../failures.ts'
import { serveFile } from '../files.ts'
import { rawHeaders } from '../raw-headers.ts'
import { fillJson } from './fill-json.ts'
import { untilWritable } from './until-writable.ts'

interface Answering {
  deps: HttpDeps
  family: Family
  request: FastifyRequest
  reply: FastifyReply
  status: number
  /** Without a byte, after which a stream opens with a comment; 0: never. */
  silenceSeconds: number
  /** When the silence began: of `silenceTick`. */
  silentSince: number
}

/** Sends what a handler gave. Resolves when it is out, or the client has left. A stream that fails before its first frame throws: nothing has been sent then, but for the head and comments of one that was silent too long (`isOpened`). */
export async function sendReply(answering: Answering, answer: unknown): Promise<FastifyReply> {
  const { reply, status } = answering
  if (answer instanceof StreamedReply) return sendStream(answering, answer)
  if (answer instanceof BytesReply) return sendBytes(answering, answer)
  if (answer instanceof FileReply) return sendFile(answering, answer)
  if (answer instanceof TextReply) return reply.code(status).header('content-type', `${answer.mediaType}; charset=utf-8`).send(answer.text)
  if (answer instanceof RedirectReply) return reply.redirect(answer.url, 302)
  return sendJson(answering, gappedJson(answer))
}

async function sendJson({ deps, request, reply, status }: Answering, json: GappedJson): Promise<FastifyReply> {
  const contentType = 'application/json; charset=utf-8'
  if (json.files.length === 0) return reply.code(status).header('content-type', contentType).send(json.texts[0])
  const filled = await fillJson(deps, json)
  reply.hijack()
  const { raw } = reply
  raw.writeHead(status, { ...rawHeaders(reply), 'content-type': contentType, 'content-length': filled.bytes })
  await pipeline(filled.chunks, raw).catch(cause => {
    // The caller has left: nothing is wrong here.
    if (cause.code !== 'ERR_STREAM_PREMATURE_CLOSE') logFailure(deps, toGatewayError(cause), request.id)
  })
  return reply
}

async function sendStream(answering: Answering, { frames }: StreamedReply): Promise<FastifyReply> {
  const { deps, family, request, reply } = answering
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
    if (!stream.isClosed) await sendFrames(stream, failureFrames({ deps, family, request }, error))
  } finally {
    // Stops the model when the client has left.
    await iterator.return?.()
    stream.end()
  }
  return reply
}

/** The first frame and the stream it goes out on, which is open already when the frame was long in coming. */
async function begun(
  { reply, status, silenceSeconds, silentSince }: Answering,
  iterator: AsyncIterator<ReplyFrame>,
): Promise<{ stream: EventStream; first: IteratorResult<ReplyFrame> }> {
  const { raw } = reply
  const options = () => ({ status, headers: rawHeaders(reply) })
  let stream = isOpened(raw) ? openEventStream(raw) : undefined
  const silence: SilentAnswer = {
    breakSilence: () => {
      // A caller who has left is noticed elsewhere.
      if (raw.destroyed) return
      reply.hijack()
      stream = openForSilence(raw, options())
    },
  }
  if (!stream) awaitSilence(silence, silenceSeconds, silentSince)
  try {
    const first = await iterator.next()
    if (!stream) reply.hijack()
    return { stream: stream ?? openEventStream(raw, options()), first }
  } catch (error) {
    stream?.leave()
    throw error
  } finally {
    endSilence(silence)
  }
}

/** The frame with the files that stand in it. A promise only for one that has some: most are words, and there are many. */
function filledFrame(deps: HttpDeps, frame: ReplyFrame): ReplyFrame | Promise<ReplyFrame> {
  if (typeof frame.data === 'string') return frame
  const json = gappedJson(frame.data)
  if (json.files.length === 0) return { ...frame, data: json.texts[0] ?? '' }
  return fillJson(deps, json).then(async ({ chunks }) => ({ ...frame, data: await text(chunks) }))
}

/** The first bytes decide whether there is an answer at all; what breaks after them cuts the connection, which is all that HTTP has to say so. */
async function sendBytes({ deps, request, reply, status }: Answering, { mediaType, chunks }: BytesReply): Promise<FastifyReply> {
  const iterator = chunks[Symbol.asyncIterator]()
  let next = await iterator.next()
  reply.hijack()
  const { raw } = reply
  raw.writeHead(status, { ...rawHeaders(reply), 'content-type': mediaType, 'x-content-type-options': 'nosniff' })
  try {
    // Who asks for the head alone does not wait for the rest.
    while (!next.done && !raw.destroyed && request.method !== 'HEAD') {
      if (!raw.write(next.value)) await untilWritable(raw)
      next = await iterator.next()
    }
    raw.end()
  } catch (cause) {
    logFailure(deps, toGatewayError(cause), request.id)
    raw.destroy()
  } finally {
    // Stops whoever makes them when the client has left.
    await iterator.return?.()
  }
  return reply
}

async function sendFile({ deps, request, reply }: Answering, { artifact }: FileReply): Promise<FastifyReply> {
  const blob = await deps.store.blob(artifact.id)
  if (!blob) throw new GatewayError('gone', 'The file was swept.')
  const now = deps.clock.now()
  await serveFile(request.raw, reply.raw, { blob, blobs: deps.blobs, expiresAt: blob.expiresAt, now, headers: rawHeaders(reply) })
  return reply.hijack()
}

function failureFrames({ deps, family, request }: Pick<Answering, 'deps' | 'family' | 'request'>, cause: unknown): ReplyFrame[] {
  const error = toGatewayError(cause)
  logFailure(deps, error, request.id)
  return framesOfFailure(family, error, request.id)
}

async function sendFrames(stream: EventStream, frames: readonly ReplyFrame[]): Promise<void> {
  for (const frame of frames) await stream.send(frame)
}
