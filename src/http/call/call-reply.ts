import { toGatewayError } from '@generation-gateway/kit/errors.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Family, type ReplyFrame, StreamedReply } from '../../contract/family.ts'
import type { HttpDeps } from '../deps.ts'
import { type EventStream, openEventStream } from '../events/sse.ts'
import { logFailure } from '../failures.ts'
import { rawHeaders } from '../raw-headers.ts'

interface Answering {
  deps: HttpDeps
  family: Family
  request: FastifyRequest
  reply: FastifyReply
  status: number
}

/** Sends what a handler gave. Resolves when it is out, or the client has left. A stream that fails before its first frame throws: nothing has been sent then. */
export async function sendReply(answering: Answering, answer: unknown): Promise<FastifyReply> {
  const { reply, status } = answering
  if (answer instanceof StreamedReply) return sendStream(answering, answer)
  return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(answer))
}

async function sendStream({ deps, family, request, reply, status }: Answering, { frames }: StreamedReply): Promise<FastifyReply> {
  const iterator = frames[Symbol.asyncIterator]()
  let next = await iterator.next()
  reply.hijack()
  const stream = openEventStream(reply.raw, { status, headers: rawHeaders(reply) })
  try {
    while (!next.done && !stream.isClosed) {
      await stream.send(next.value)
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

function failureFrames({ deps, family, request }: Pick<Answering, 'deps' | 'family' | 'request'>, cause: unknown): ReplyFrame[] {
  const error = toGatewayError(cause)
  logFailure(deps, error, request.id)
  return family.streamFailure?.(error, request.id) ?? [{ event: 'error', data: family.failure(error, request.id).body }]
}

async function sendFrames(stream: EventStream, frames: readonly ReplyFrame[]): Promise<void> {
  for (const frame of frames) await stream.send(frame)
}
