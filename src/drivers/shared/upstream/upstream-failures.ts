/** Maps failures of an upstream to errors for the caller (table in
 *  docs/vendors/README.md#errors-of-upstreams). */
import { defined } from '@generation-gateway/kit/defined.ts'
import { type ErrorCode, GatewayError, toGatewayError } from '@generation-gateway/kit/errors.ts'
import { isObject, type JsonObject, objectsOf, parsedJson, textOf } from '@generation-gateway/kit/json.ts'
import { proxyErrorBehind } from '@generation-gateway/kit/outbound/proxy.ts'
import { isModelGone, isModelGoneText, isNoSuchPath } from './gone-model.ts'
import { withoutSecrets } from './secrets.ts'

export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>

/** An upstream's answer, kept as the cause of an error. It is for the log and for code that
 *  examines it, and is never shown to a caller. */
export class UpstreamAnswerError extends Error {
  readonly status: number
  /** The upstream's own id of the request, which its support can look up. */
  readonly upstreamRequestId: string | undefined
  /** The upstream's own error code. */
  readonly upstreamCode: string | undefined
  /** The body is a private field, so that no logger prints it. */
  readonly #body: unknown

  constructor(status: number, upstreamRequestId: string | undefined, upstreamCode: string | undefined, body?: unknown) {
    const named = [upstreamCode, upstreamRequestId && `request ${upstreamRequestId}`].filter(Boolean).join(', ')
    super(`the upstream answered ${status}${named === '' ? '' : ` (${named})`}`)
    this.name = 'UpstreamAnswerError'
    this.status = status
    this.upstreamRequestId = upstreamRequestId
    this.upstreamCode = upstreamCode
    this.#body = body
  }

  /** Returns the JSON of the answer, as far as it was read, for drivers that know the error format
   *  of their vendor. Undefined when it is not JSON. May contain secrets and prompts. */
  get body(): unknown {
    return this.#body
  }
}

/** Returns the upstream's answer that caused the error; undefined when no answer did. */
export function answerBehind(error: unknown): UpstreamAnswerError | undefined {
  return error instanceof GatewayError && error.cause instanceof UpstreamAnswerError ? error.cause : undefined
}

/** Returns true when the upstream may have carried out the request. This is so when it gave no
 *  usable answer, answered with status 408, or answered with a status of 500 or above that is no
 *  refusal (501, 503, 508 and 529 are refusals). */
export function isFateUnknown(error: unknown): boolean {
  if (!(error instanceof GatewayError)) return false
  if (error.code === 'upstream_timeout' || error.code === 'upstream_unreachable') return true
  return error.code === 'upstream_error' && (answerBehind(error)?.status ?? 500) >= 500
}

export interface FailureContext {
  headers: AnswerHeaders
  /** The body of the answer, as far as it was read. */
  body: Buffer
  /** Secrets that are removed wherever the upstream's texts repeat them. */
  secrets: readonly string[]
  /** True when the request refers to an object stored at the upstream: a 404 then means that the
   *  object is missing, not the model. */
  isStored?: boolean
}

interface WireError {
  message: string
  code: string | null
  type: string | null
  param: string | null
  requestId: string | undefined
}

const maxRetryAfterSeconds = 60
/** Statuses that mean a fault of the path, the proxy or the connection, and not of the caller's
 *  request. */
const pathStatuses = new Set([405, 407, 421, 425, 426])
/** Statuses that, in an answer without an error object, mean that the model or something that it
 *  needs no longer exists. */
const goneStatuses = new Set([410, 424])
const quotaStatuses = new Set([401, 402, 403, 429])
const requestIdHeaders = ['x-request-id', 'request-id', 'apim-request-id', 'x-client-request-id']
const quota =
  /insufficient[ _](quota|balance|credits?|funds)|billing|quota[ _]?exceeded|AccountOverdue|in arrears|out of (credits|balance)|exceeded your current quota/i
const tooLong = /context_length_exceeded|maximum context length|context window|exceed_context_size|exceeds the available context size/i
const moderated =
  /RiskDetection|request_moderated|SensitiveContentDetected|content_policy|content_filter|moderation_blocked|flagged by moderation|input was flagged|requires moderation/i
const overload = /ServerOverloaded|overloaded|slow_down/i

/** Returns the error for an answer with status 300 or above. When the upstream refuses the request
 *  as invalid or by moderation, the error has the upstream's message and field, and for status 400
 *  also its code. The error for status 501 has the upstream's message. All other errors have a
 *  message of the gateway. */
export function upstreamFailure(status: number, context: FailureContext): GatewayError {
  // The body may be something other than JSON, such as the error page of a proxy; it is then
  // undefined here.
  const body = parsedJson(context.body.toString())
  const wire = hideSecrets(wireErrorOf(body), context.secrets)
  const requestId = requestIdOf(context.headers) ?? wire?.requestId
  const cause = new UpstreamAnswerError(status, requestId, shortCode(wire), body)
  const words = `${wire?.code ?? ''} ${wire?.type ?? ''} ${wire?.message ?? ''}`
  const error = (code: ErrorCode, message: string) => new GatewayError(code, message, { cause })
  if (status < 400) return error('upstream_error', `The upstream service answered with a redirect (${status}), which is never followed.`)
  if (wire !== undefined && !context.isStored && isModelGone(status, wire)) return modelGone(cause)
  if (status === 400 || (status === 403 && moderated.test(words))) return refused(wire, words, cause)
  if (quotaStatuses.has(status) && quota.test(words))
    return error('upstream_quota_exhausted', 'The quota of the gateway at the upstream service is used up.')
  if (status === 401) return error('upstream_auth_error', 'The upstream service refused the credential of the gateway.')
  if (status === 402) return error('upstream_quota_exhausted', 'The upstream service asks the gateway for payment.')
  if (status === 403) return error('upstream_auth_error', 'The upstream service does not allow this to the gateway.')
  if (status === 404) return notFound(wire, context, cause)
  if (wire === undefined && !context.isStored && goneStatuses.has(status)) return modelGone(cause)
  if (status === 408) return error('upstream_timeout', 'The upstream service waited too long for the request.')
  if (status === 413) return error('payload_too_large', 'The request is larger than the upstream service takes.')
  if (status === 429) return limited(words, context.headers, cause)
  if (status === 508) return error('loop_detected', 'The upstream service says that the request goes in a circle of gateways.')
  if (status < 500 && !pathStatuses.has(status)) return refused(wire, words, cause)
  // Status 501: the server lacks a feature that the request needs. For example, llama.cpp sends it
  // when the model has no template for tools.
  if (status === 501) return error('not_implemented', wire?.message ?? 'The upstream service does not support this request.')
  if (status === 503 || status === 529) return busy(context.headers, cause)
  return error('upstream_error', `The upstream service failed with status ${status}.`)
}

/** Returns the error that the upstream reported although the status of its answer was successful.
 *  `value` is the whole answer, an event of a stream, or the object in the member `error` of
 *  either. */
export function streamFailure(
  value: unknown,
  secrets: readonly string[],
  message = 'The upstream service failed in the middle of its answer.',
): GatewayError {
  const wire = hideSecrets(wireErrorOf(value), secrets)
  const words = `${wire?.code ?? ''} ${wire?.type ?? ''} ${wire?.message ?? ''}`
  const cause = new UpstreamAnswerError(200, undefined, shortCode(wire))
  if (tooLong.test(words) || moderated.test(words)) return refused(wire, words, cause)
  if (wire !== undefined && isModelGoneText(wire)) return modelGone(cause)
  if (quota.test(words))
    return new GatewayError('upstream_quota_exhausted', 'The quota of the gateway at the upstream service is used up.', { cause })
  if (/rate_?limit/i.test(words) || overload.test(words)) return limited(words, {}, cause)
  if (/invalid_request|invalid_prompt|image|BadRequest|InvalidParameter/i.test(`${wire?.code ?? ''} ${wire?.type ?? ''}`))
    return refused(wire, words, cause)
  return new GatewayError('upstream_error', message, { cause })
}

/** Returns the error for a request or an answer that a network failure ended. `hasHead` is true
 *  when the answer had begun. A `GatewayError` is returned unchanged. */
export function networkFailure(error: unknown, hasHead: boolean): GatewayError {
  if (error instanceof GatewayError) return error
  const code = codeOf(error)
  const fail = (ours: ErrorCode, message: string) => new GatewayError(ours, message, { cause: error })
  const proxy = proxyErrorBehind(error)
  if (proxy) return fail('upstream_unreachable', proxy.message)
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return fail('upstream_timeout', 'The upstream service did not begin its answer in time.')
  if (code === 'UND_ERR_BODY_TIMEOUT') return fail('upstream_timeout', 'The upstream service fell silent in the middle of its answer.')
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') return fail('draining', 'The gateway is stopping.')
  if (hasHead) return fail('upstream_error', 'The upstream service broke off its answer.')
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET')
    return fail('upstream_unreachable', 'The upstream service closed the connection without an answer.')
  if (code === 'UND_ERR_INVALID_ARG') return fail('invalid_request', 'The request has characters that cannot be passed on.')
  if (/^HPE_|^UND_ERR_RES|^UND_ERR_HEADERS_OVERFLOW/.test(code)) return fail('upstream_error', 'The upstream service sent no valid HTTP.')
  if (/CERT|SELF_SIGNED|UNABLE_TO/.test(code))
    return fail('upstream_unreachable', 'The upstream service has no certificate that the gateway trusts.')
  if (/ERR_TLS|ERR_SSL|EPROTO/.test(code)) return fail('upstream_unreachable', 'The upstream service does not speak TLS as it should.')
  if (unreachable.test(code)) return fail('upstream_unreachable', 'The upstream service cannot be reached.')
  // Other failures are on the gateway's side: for example, the request's body cannot be read, or
  // there are no file handles left.
  return toGatewayError(error)
}

const unreachable =
  /^(ECONNREFUSED|ECONNABORTED|ENOTFOUND|EAI_\w+|ENODATA|ESERVFAIL|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|EHOSTDOWN|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT)$/

/** Returns the seconds until a retry may succeed, 1 to 60; undefined when the headers do not
 *  say. */
export function retryAfterOf(headers: AnswerHeaders): number | undefined {
  const milliseconds = Number.parseFloat(headerOf(headers, 'retry-after-ms') ?? '')
  if (Number.isFinite(milliseconds)) return capped(milliseconds / 1000)
  const text = headerOf(headers, 'retry-after')?.trim()
  if (text === undefined || text === '') return undefined
  return capped(/^\d+(\.\d+)?$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000)
}

function capped(seconds: number): number | undefined {
  if (Number.isNaN(seconds)) return undefined
  return Math.min(maxRetryAfterSeconds, Math.max(1, Math.ceil(seconds)))
}

function refused(wire: WireError | undefined, words: string, cause: UpstreamAnswerError): GatewayError {
  if (wire === undefined)
    return new GatewayError('invalid_request', 'The upstream service found the request invalid and does not say where.', { cause })
  const { message } = wire
  const rest = { code: wire.code, type: wire.type ?? 'invalid_request_error', param: wire.param }
  // The relayed protocols report refused requests with status 400. For other statuses, the
  // upstream's message is kept but its error object is not.
  const details = (own: NonNullable<GatewayError['wire']>) => ({
    cause,
    ...defined({ wire: cause.status === 400 ? own : undefined, field: wire.param ?? undefined }),
  })
  if (tooLong.test(words)) {
    const named = { ...rest, code: 'context_length_exceeded', type: 'invalid_request_error' }
    return new GatewayError('context_length_exceeded', message, details(named))
  }
  if (!moderated.test(words)) return new GatewayError('invalid_request', message, details(rest))
  return new GatewayError('request_moderated', message, details({ ...rest, code: 'content_policy_violation' }))
}

function notFound(wire: WireError | undefined, { isStored }: FailureContext, cause: UpstreamAnswerError): GatewayError {
  // A 404 without an error object means that the server does not have this path: the base_url is
  // wrong, while the model may exist.
  if (wire === undefined || (isStored !== true && isNoSuchPath(wire)))
    return new GatewayError('upstream_error', 'The upstream service has nothing at this path; its base_url may be wrong.', { cause })
  if (isStored) return new GatewayError('response_not_found', 'The upstream service has no response with this id.', { cause })
  // The caller's body names a file, a prompt or another object that the upstream does not have.
  return refused(wire, '', cause)
}

function modelGone(cause: UpstreamAnswerError): GatewayError {
  return new GatewayError('model_not_found', 'The upstream service does not have the model.', { cause })
}

function limited(words: string, headers: AnswerHeaders, cause: UpstreamAnswerError): GatewayError {
  if (overload.test(words)) return busy(headers, cause)
  const details = { cause, ...defined({ retryAfterSeconds: retryAfterOf(headers) }) }
  return new GatewayError('rate_limited', 'The upstream service limits the rate of the gateway for now.', details)
}

function busy(headers: AnswerHeaders, cause: UpstreamAnswerError): GatewayError {
  const details = { cause, ...defined({ retryAfterSeconds: retryAfterOf(headers) }) }
  return new GatewayError('overloaded', 'The upstream service has too much to do.', details)
}

/** Returns the error in an answer. Services report errors in these forms: `{error: {...}}`,
 *  `{error: "..."}`, FastAPI's `{detail}`, MiniMax's `{base_resp}`, an `error` event without
 *  nesting, the error object alone (`{object: "error", message}` or `{code, msg}`), or a list whose
 *  first item has one of these forms (Gemini). Returns undefined for every other value. */
export function wireErrorOf(answer: unknown): WireError | undefined {
  let value = Array.isArray(answer) ? answer[0] : answer
  // A loop is used instead of recursion, because an upstream could nest errors deeper than the
  // stack allows.
  while (isObject(value)) {
    const { error, detail, base_resp: base } = value
    if (typeof error === 'string' && error !== '') return { ...nothingMore, message: error }
    if (isObject(error)) value = error
    else if (isObject(detail)) value = detail
    else if (detail !== undefined) return detailOf(detail)
    else if (isObject(base)) value = { message: base.status_msg, code: base.status_code }
    else return errorAlone(value)
  }
  return undefined
}

/** Reads an error object that contains no other error object. */
function errorAlone(value: JsonObject): WireError | undefined {
  const message = textOf(value.message) ?? textOf(value.msg) ?? textOf(value.error_msg) ?? textOf(value.errmsg)
  if (message === undefined) return undefined
  // In an error event, `type` is the name of the event and not a code, so it is not read.
  const type = wordOf(value.type)
  return {
    message,
    code: codeIn(value),
    type: type === 'error' ? null : type,
    param: wordOf(value.param),
    requestId: textOf(value.request_id),
  }
}

/** Reads FastAPI's `detail`. It is a text or a list of `{loc: ["body", "width"], msg, type}`; the
 *  first item states the field. */
function detailOf(detail: unknown): WireError | undefined {
  // This is FastAPI's answer for an unknown path, so it names no error of the request.
  if (detail === 'Not Found') return undefined
  if (typeof detail === 'string') return detail === '' ? undefined : { ...nothingMore, message: detail }
  const issues = objectsOf(detail).flatMap(({ loc, msg, type }) => {
    const said = textOf(msg)
    const field = Array.isArray(loc) ? loc.findLast(part => typeof part === 'string') : undefined
    return said === undefined ? [] : [{ said, field: wordOf(field), type: wordOf(type) }]
  })
  const [first] = issues
  if (first === undefined) return undefined
  const sentences = issues.slice(0, maxIssues).map(({ said, field }) => (field === null ? said : `${field}: ${said}`))
  return { ...nothingMore, message: sentences.join('; '), code: first.type, param: first.field }
}

const nothingMore = { code: null, type: null, param: null, requestId: undefined }
const maxIssues = 5
/** Smallest number that counts as a code of the vendor; smaller numbers only repeat the HTTP
 *  status. */
const leastOwnCode = 1000

/** Returns a code that is a word, or the vendor's own number, such as Kling's 1201 or MiniMax's
 *  2013. */
function codeIn({ code, status }: JsonObject): string | null {
  if (typeof code === 'number') return code >= leastOwnCode ? String(code) : null
  return wordOf(code) ?? wordOf(status)
}

function wordOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value !== 'null' ? value : null
}

function hideSecrets(wire: WireError | undefined, secrets: readonly string[]): WireError | undefined {
  return wire && { ...wire, message: withoutSecrets(wire.message, secrets) }
}

function shortCode(wire: WireError | undefined): string | undefined {
  return (wire?.code ?? wire?.type)?.slice(0, 100)
}

function requestIdOf(headers: AnswerHeaders): string | undefined {
  for (const name of requestIdHeaders) {
    const id = headerOf(headers, name)
    if (id !== undefined) return id.slice(0, 200)
  }
  return undefined
}

/** Returns the first value of a header. */
export function headerOf(headers: AnswerHeaders, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** Returns the code of an error. For an AggregateError, which Node throws when the attempts to
 *  connect to several addresses all failed, it is the code of its first error. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return codeOf(error.cause)
}
