import type { ServerResponse } from 'node:http'
import type { ErrorCode, GatewayError } from '@generation-gateway/kit/errors.ts'
import { defaultFailure } from '../contract/failure.ts'
import type { Family } from '../contract/family.ts'
import type { ReplyFrame } from '../contract/replies.ts'
import { isStoreUnavailable } from '../core/store-alarm.ts'
import type { HttpDeps } from './deps.ts'
import { frameText } from './events/sse.ts'
import type { Exchange } from './request/exchange.ts'

/** Error codes that a retry cannot fix. Their answers carry the header `x-should-retry: false`,
 *  because the official clients would otherwise retry. */
const noRetry: ReadonlySet<ErrorCode> = new Set([
  'conflict',
  'engine_timeout',
  'not_implemented',
  'capability_unavailable',
  'upstream_auth_error',
  'upstream_quota_exhausted',
  'loop_detected',
])
/** Error codes that describe the state of the gateway rather than a fault of the request.
 *  Changes of this state are logged elsewhere, so the many requests that get such an error are
 *  not logged. */
const statesOfTheGateway: ReadonlySet<ErrorCode> = new Set(['draining', 'capability_unavailable', 'not_implemented'])

/** Ends a stream that was opened because it had no output for too long. Sends the error as the
 *  events in which the family reports errors. */
export function endOpened(
  response: ServerResponse,
  { error, family, requestId }: { error: GatewayError; family: Pick<Family, 'failure' | 'streamFailure'>; requestId: string },
): void {
  if (!response.destroyed) response.end(failureFrames(family, error, requestId).map(frameText).join(''))
}

/** Returns the events with which a failed stream ends. */
export function failureFrames(
  { failure, streamFailure }: Pick<Family, 'failure' | 'streamFailure'>,
  error: GatewayError,
  requestId: string,
): ReplyFrame[] {
  return streamFailure?.(error, requestId) ?? [{ event: 'error', data: failure(error, requestId).body }]
}

interface FailureContext {
  error: GatewayError
  failure?: Family['failure']
}

/** Sends an error in the family's format, with headers about retries. Counts it, and logs it
 *  once with the request id when the gateway or an upstream caused it (`logFailure`). When the head
 *  of an answer was sent before, the error is only counted and logged, and an answer that has not
 *  ended is cut off: HTTP has no other way to report the error. */
export function sendFailure(deps: HttpDeps, exchange: Exchange, { error, failure }: FailureContext): void {
  const { response } = exchange
  if (response.headersSent) {
    logFailure(deps, error, exchange.id)
    if (!response.writableEnded) response.destroy()
    return
  }
  const { status, headers, body } = failureAnswer(deps, { error, failure: failure ?? defaultFailure, requestId: exchange.id })
  exchange.addHeaders(headers)
  exchange.send(status, body)
}

/** Returns the answer (status, headers, body) for an error; the caller of this function sends
 *  it. */
export function failureAnswer(
  deps: Pick<HttpDeps, 'log' | 'metrics' | 'alarm'>,
  { error, failure, requestId }: { error: GatewayError; failure: Family['failure']; requestId: string },
): { status: number; headers: Record<string, string>; body: string } {
  logFailure(deps, error, requestId)
  const answer = failure(error, requestId)
  // A request may be refused before any header was set, so the headers that every answer needs are
  // added here.
  const headers: Record<string, string> = {
    'content-type': 'application/json; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
  }
  if (error.retryAfterSeconds !== undefined || error.status === 429 || error.status === 503)
    headers['retry-after'] = String(Math.min(60, Math.max(1, error.retryAfterSeconds ?? 5)))
  if (error.status === 401) headers['www-authenticate'] = 'Bearer'
  // The error means that no node runs the engine at the moment. A node with the engine may come
  // back soon, so a retry may succeed.
  const isPassing = error.code === 'capability_unavailable' && error.retryAfterSeconds !== undefined
  if (noRetry.has(error.code) && !isPassing) headers['x-should-retry'] = 'false'
  return { status: answer.status, headers, body: JSON.stringify(answer.body) }
}

/** Counts an error in the metrics. If the gateway or an upstream caused it, also logs it once,
 *  with the request id. */
export function logFailure(deps: Pick<HttpDeps, 'log' | 'metrics' | 'alarm'>, error: GatewayError, requestId: string): void {
  deps.metrics.errors.inc({ code: error.code })
  if (isStoreUnavailable(error)) deps.alarm.missed('a call could not be stored', error, { requestId })
  else if (error.status >= 500 && !statesOfTheGateway.has(error.code))
    deps.log.error({ err: error.cause ?? error, code: error.code, requestId }, 'a call failed')
}
