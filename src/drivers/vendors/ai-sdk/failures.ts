/** Maps errors of provider packages to errors for a caller. The SDK's errors are recognized by
 *  their marker symbols, which are the same in all its versions. */

import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { objectOf, textOf } from '@generation-gateway/kit/json.ts'
import { missingModel } from '../../shared/upstream/paid-submit.ts'
import { withoutSecrets } from '../../shared/upstream/secrets.ts'
import {
  type AnswerHeaders,
  answerBehind,
  networkFailure,
  streamFailure,
  UpstreamAnswerError,
  upstreamFailure,
} from '../../shared/upstream/upstream-failures.ts'
import { isRefusal, type ServiceExchange, stopped } from './service-exchange.ts'
import type { TargetFacts } from './settings.ts'
import { StreamedError } from './text/answer-reader.ts'

export interface FailedRun {
  /** The kind of output that the run produces. */
  kind: 'image' | 'video' | 'language' | 'embedding' | 'reranking'
  facts: TargetFacts
  /** The service's own name of the model. */
  model: string
  exchange: ServiceExchange
  /** True when the run ended because the job's signal fired; false when the run itself failed. */
  isAborted: boolean
}

const deepestCause = 6
const longestFunctionality = 200
const passingStatuses = new Set([401, 403, 408, 425, 429])

/** Returns the error for a failed run: `outcome_unknown`, with the failure as its cause, when the
 *  service may have accepted the request. Never throws. */
export function failureOf(error: unknown, run: FailedRun): GatewayError {
  const { facts, exchange, kind } = run
  const failure = run.isAborted ? stopped() : mapped(error, run)
  if (!exchange.mayBePaid && !bypassedExchange(error, exchange)) return failure
  const message = `The service behind ${facts.package} had the request and gave no usable answer: whether it made the ${kind} is not known.`
  return new GatewayError('outcome_unknown', message, { cause: failure })
}

/** Returns true when the package sent its request without the `fetch` that it was given, and its
 *  error does not prove a refusal. The gateway cannot see such a request, so only the status in the
 *  error can prove that it was refused. */
function bypassedExchange(error: unknown, { hasSent }: ServiceExchange): boolean {
  if (hasSent || !isKind(error, 'AI_APICallError') || ownError(error) !== undefined) return false
  const { statusCode } = objectOf(error)
  return typeof statusCode !== 'number' || !isRefusal(statusCode)
}

/** Returns the error for a failed poll. A poll is not paid, so the error is never
 *  `outcome_unknown`. */
export function pollFailureOf(error: unknown, run: FailedRun): GatewayError {
  if (run.isAborted) return stopped()
  const failure = mapped(error, run)
  if (failure.code !== 'not_implemented') return failure
  return new GatewayError('upstream_error', `The package ${run.facts.package} cannot query the state of the ${run.kind}.`)
}

/** Returns the error for a failed conversation, embedding or ranking. It is never
 *  `outcome_unknown`, because such a request may be sent again. */
export function textFailureOf(error: unknown, run: FailedRun): GatewayError {
  if (run.isAborted) return stopped()
  const reported = error instanceof StreamedError ? error.reported : error
  if (error instanceof StreamedError && ownError(reported) === undefined && !isKind(reported))
    return streamFailure(reported, run.facts.secrets)
  const functionality = isKind(reported, 'AI_UnsupportedFunctionalityError') ? textOf(objectOf(reported).functionality) : undefined
  if (functionality === undefined || run.exchange.hasSent) return mapped(reported, run)
  const says = withoutSecrets(functionality, run.facts.secrets).slice(0, longestFunctionality)
  return new GatewayError('not_implemented', `The model ${run.model} of ${run.facts.package} does not take this: ${says}.`)
}

/** Returns the error when the last answer was a refusal that says nothing about the video: the
 *  service is busy, or a credential has expired. Undefined otherwise. */
export function passingFailure(run: FailedRun): GatewayError | undefined {
  const { refusal } = run.exchange
  return refusal !== undefined && (refusal.status >= 500 || passingStatuses.has(refusal.status)) ? refusalOf(run) : undefined
}

/** Returns the error for the last answer when it was a refusal; undefined otherwise. */
export function refusalOf({ facts, exchange: { refusal } }: FailedRun): GatewayError | undefined {
  return refusal && upstreamFailure(refusal.status, { headers: refusal.headers, body: refusal.body, secrets: facts.secrets })
}

/** Returns true when the service itself reported that the video failed. Packages throw such reports
 *  as errors with a name such as `REPLICATE_VIDEO_GENERATION_FAILED`. */
export function isFinal(error: unknown): boolean {
  return isKind(error) && error instanceof Error && /_(FAILED|CANCELED|CANCELLED|EXPIRED|MODERATION_ERROR)$/.test(error.name)
}

function mapped(error: unknown, run: FailedRun): GatewayError {
  const { facts, model, exchange, kind } = run
  const own = ownError(error)
  if (own !== undefined) return own
  const { package: name } = facts
  if (isKind(error, 'AI_APICallError')) return missing(callFailure(error, facts.secrets), run)
  if (isKind(error, 'AI_LoadAPIKeyError') || isKind(error, 'AI_LoadSettingError')) {
    const says = `The package ${name} lacks a key or another setting: give it as api_key, in options or in its environment variable.`
    return new GatewayError('capability_unavailable', says)
  }
  if (isKind(error, 'AI_NoSuchModelError'))
    return new GatewayError('capability_unavailable', `The package ${name} has no ${kind} model ${model}.`)
  const refusal = refusalOf(run)
  if (refusal !== undefined) return missing(refusal, run)
  const cause = error instanceof Error ? error.name : 'unknown'
  if (exchange.hasSent) return new GatewayError('upstream_error', `The package ${name} could not use the answer of its service (${cause}).`)
  return new GatewayError(
    'not_implemented',
    `The package ${name} refused the request before it sent anything (${cause}); the log says why.`,
  )
}

/** Returns `capability_unavailable` when the failure is a missing model. The operator configured
 *  that model by mistake and the request cost nothing, so another target is tried. Other failures
 *  are returned unchanged. So are missing models of conversations, embeddings and rankings, because
 *  every driver reports them as `model_not_found`. */
function missing(failure: GatewayError, { facts: { package: name }, model, kind }: FailedRun): GatewayError {
  if (kind !== 'image' && kind !== 'video' && failure.code === 'model_not_found') return failure
  return failure.code === 'model_not_found' || answerBehind(failure)?.status === 404
    ? missingModel(model, `the service of ${name}`, failure)
    : failure
}

/** Returns the error for a failed HTTP request of the package. The SDK's error does not become its
 *  cause, because it contains the prompt and the service's answer. */
function callFailure(error: unknown, secrets: readonly string[]): GatewayError {
  const { statusCode, responseHeaders, responseBody } = objectOf(error)
  if (typeof statusCode !== 'number') {
    const [root] = causesOf(error).slice(1).reverse()
    if (root !== undefined) return networkFailure(root, false)
    return new GatewayError('upstream_error', 'The provider package reports a failed request, and neither a status nor a cause.')
  }
  if (statusCode < 300) {
    const cause = new UpstreamAnswerError(statusCode, undefined, undefined)
    return new GatewayError('upstream_error', 'The upstream service answered with something unusable.', { cause })
  }
  const body = Buffer.from(typeof responseBody === 'string' ? responseBody : '')
  return upstreamFailure(statusCode, { headers: headersOf(responseHeaders), body, secrets })
}

function headersOf(value: unknown): AnswerHeaders {
  return Object.fromEntries(Object.entries(objectOf(value)).map(([name, each]) => [name.toLowerCase(), String(each)]))
}

/** Returns the first `GatewayError` among an error of a package and its causes; undefined when
 *  there is none. The gateway's own `fetch` throws such errors, and packages may wrap them. */
function ownError(error: unknown): GatewayError | undefined {
  return causesOf(error).find(each => each instanceof GatewayError)
}

function causesOf(error: unknown): unknown[] {
  const causes = [error]
  for (let at = error; at instanceof Error && at.cause !== undefined && causes.length < deepestCause; at = at.cause) causes.push(at.cause)
  return causes
}

/** Returns true for an error of the SDK of this kind; when `kind` is absent, for any error of the
 *  SDK. */
function isKind(error: unknown, kind?: string): boolean {
  return error instanceof Error && Reflect.get(error, Symbol.for(`vercel.ai.error${kind === undefined ? '' : `.${kind}`}`)) === true
}
