import type { FastifyReply, FastifyRequest } from 'fastify'
import { defaultFailure } from '../contract/failure.ts'
import type { Family } from '../contract/family.ts'
import type { ErrorCode, GatewayError } from '../core/errors.ts'
import type { HttpDeps } from './deps.ts'

/** Answers of these codes say what state the gateway is in; that state is logged where it changes, not for every caller who meets it. */
const statesOfTheGateway: ReadonlySet<ErrorCode> = new Set(['draining', 'disk_full', 'capability_unavailable', 'not_implemented'])

/** Sends an error in the family's shape, with retry headers, and logs the ones that are our own fault once, with the request id. */
export function sendFailure(
  deps: HttpDeps,
  reply: FastifyReply,
  { error, failure, request }: { error: GatewayError; failure?: Family['failure']; request: FastifyRequest },
): FastifyReply {
  if (error.status >= 500 && !statesOfTheGateway.has(error.code))
    deps.log.error({ err: error.cause ?? error, code: error.code, requestId: request.id }, 'a call failed')
  const answer = (failure ?? defaultFailure)(error, request.id)
  deps.metrics.errors.inc({ code: error.code })
  if (error.retryAfterSeconds !== undefined || error.status === 429 || error.status === 503) {
    reply.header('retry-after', String(Math.min(60, Math.max(1, error.retryAfterSeconds ?? 5))))
  }
  if (error.status === 401) reply.header('www-authenticate', 'Bearer')
  if (error.code === 'not_implemented' || error.code === 'capability_unavailable') reply.header('x-should-retry', 'false')
  // The framework refuses some requests before any hook has run.
  reply.header('x-request-id', request.id)
  return reply.code(answer.status).header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(answer.body))
}
