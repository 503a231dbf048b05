import type { FastifyReply, FastifyRequest } from 'fastify'
import { defaultFailure } from '../contract/failure.ts'
import type { Family } from '../contract/family.ts'
import type { GatewayError } from '../core/errors.ts'
import type { HttpDeps } from './deps.ts'

/** Bodies above this that nobody read are not worth receiving to the end: the connection is closed after the answer. */
const unreadBodyWorthClosing = 64 * 1024

/** Sends an error in the family's shape, with retry headers, and logs the ones that are our own fault once, with the request id. */
export function sendFailure(
  deps: HttpDeps,
  reply: FastifyReply,
  { error, failure, request }: { error: GatewayError; failure?: Family['failure']; request: FastifyRequest },
): FastifyReply {
  if (error.status >= 500) deps.log.error({ err: error.cause ?? error, code: error.code, requestId: request.id }, 'a call failed')
  const answer = (failure ?? defaultFailure)(error, request.id)
  deps.metrics.errors.inc({ code: error.code })
  if (error.retryAfterSeconds !== undefined || error.status === 429 || error.status === 503) {
    reply.header('retry-after', String(Math.min(60, Math.max(1, error.retryAfterSeconds ?? 5))))
  }
  if (error.status === 401) reply.header('www-authenticate', 'Bearer')
  if (error.code === 'not_implemented' || error.code === 'capability_unavailable') reply.header('x-should-retry', 'false')
  if (!request.raw.readableEnded && Number(request.headers['content-length'] ?? 0) > unreadBodyWorthClosing)
    reply.header('connection', 'close')
  return reply.code(answer.status).header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(answer.body))
}
