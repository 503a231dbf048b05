/** The catalogue of every error with which the gateway can answer; families, docs and tests read
 *  it. */
import { defined } from './defined.ts'

type RetryAdvice = 'never' | 'later' | 'after-change'

interface ErrorKind {
  /** HTTP status of the default answer; the `failure` function of a family may answer with another
   *  status. */
  status: number
  /** The `type` member of the default error object. */
  type: string
  retry: RetryAdvice
  /** One sentence for the reference page. */
  says: string
}

const invalid = kindsOf('invalid_request_error')
const authentication = kindsOf('authentication_error')
const permission = kindsOf('permission_error')
const notFound = kindsOf('not_found_error')
const conflict = kindsOf('conflict_error')
const rateLimit = kindsOf('rate_limit_error')
const timeout = kindsOf('timeout_error')
const server = kindsOf('server_error')
const upstream = kindsOf('upstream_error')
const moderation = kindsOf('moderation_error')

export const errorCatalogue = {
  invalid_request: invalid(400, 'A field is missing, unknown for the model, of the wrong type or outside its limits.'),
  invalid_json: invalid(400, 'The body is not valid JSON, or not a JSON object.'),
  missing_api_key: authentication(401, 'No access key was sent.'),
  invalid_api_key: authentication(401, 'The access key is unknown, expired or revoked.'),
  not_allowed: permission(403, 'The access key is valid but its scopes do not allow this endpoint, family or model.'),
  invalid_signature: permission(403, 'The signature of the link does not fit.'),
  not_found: notFound(404, 'There is nothing at this path.'),
  endpoint_not_found: notFound(404, 'The account has no endpoint of this name.'),
  model_not_found: notFound(404, 'There is no such model for this family.'),
  task_not_found: notFound(404, 'The account has no such task.'),
  method_not_allowed: invalid(405, 'The path exists, but not with this method.'),
  request_timeout: timeout(408, 'The body arrived too slowly.', 'later'),
  conflict: conflict(409, 'The state of the thing does not allow this.'),
  idempotency_conflict: conflict(409, 'The Idempotency-Key was used before with another body.'),
  gone: kindsOf('gone_error')(410, 'The link has expired, or what it points to was swept.'),
  payload_too_large: invalid(413, 'The body or one of its files is larger than its limit.'),
  unsupported_media_type: invalid(415, 'The content type, content encoding or file format is not supported here.'),
  rate_limited: rateLimit(429, 'The rate limit of the access key or the account is used up for now.', 'later'),
  quota_exceeded: rateLimit(429, 'A quota or the budget of the access key or the account is used up for now.', 'later'),
  engine_busy: rateLimit(429, 'The engine and its queue are full.', 'later'),
  engine_timeout: timeout(
    504,
    'The engine did not finish in the time that one piece of work may take. It is not tried again: the same request would take as long.',
  ),
  internal_error: server(500, 'The gateway failed; the log has the details under the request id.', 'later'),
  not_implemented: server(501, 'The chosen target cannot do this.', 'never'),
  context_length_exceeded: invalid(400, 'The conversation and the answer that was asked for have more tokens than the model can hold.'),
  response_not_found: invalid(404, 'There is no stored response with this id at this endpoint.'),
  previous_response_not_found: invalid(400, 'The response that previous_response_id names is not stored.'),
  invalid_cursor: invalid(400, 'The cursor of a page is none of this gateway, or belongs to another search.'),
  upstream_unreachable: upstream(502, 'No connection to the upstream service, or it broke before any byte of an answer.', 'later'),
  upstream_auth_error: upstream(502, 'The upstream service refused the credential of the gateway.', 'never'),
  too_many_connections: server(503, 'The gateway, or the address for callers without a key, has too many connections open.', 'later'),
  upstream_quota_exhausted: upstream(503, 'The quota of the gateway at the upstream service is used up.', 'never'),
  overloaded: upstream(503, 'The upstream service has too much to do, or failed so often that it is left alone for a while.', 'later'),
  upstream_error: upstream(502, 'The upstream service failed or answered with something unusable.', 'later'),
  capability_unavailable: server(503, 'No usable target offers this capability; the message says how to enable one.'),
  inspection_busy: server(
    503,
    'The processes that look at files had no time for one within 15 seconds, could not be started, or were ended from outside. The file may be in order.',
    'later',
  ),
  store_unavailable: server(503, 'The store cannot be written at the moment.', 'later'),
  disk_full: server(503, 'Free disk space is below the floor; nothing new is accepted.', 'later'),
  draining: server(503, 'The gateway is stopping.', 'later'),
  upstream_timeout: upstream(504, 'The upstream service did not answer in time.', 'later'),
  loop_detected: server(508, 'The request has passed too many gateways; one of them is probably configured as its own upstream.'),
  request_moderated: moderation(400, 'The prompt or an input was refused by the safety rules.'),
  content_moderated: moderation(400, 'The output was refused by the safety rules.'),
  instruction_not_followed: invalid(400, 'The editing instruction could not be followed; the message says why.'),
  language_not_identified: invalid(422, 'No language was found in the recording; naming the one that is spoken helps.'),
  invalid_input_file: invalid(400, 'An input file cannot be decoded.'),
  deadline_exceeded: timeout(504, 'The task did not finish before its deadline.', 'later'),
  cancelled: conflict(409, 'The task was cancelled.'),
  outcome_unknown: upstream(502, 'It is not known whether the upstream accepted the task; it is never sent twice.', 'never'),
} as const satisfies Record<string, ErrorKind>

export type ErrorCode = keyof typeof errorCatalogue

/** One violation in a request: the path of the value (`['body', 'width']`), a sentence, and the
 *  rule or schema keyword that it violates. */
export interface Issue {
  path: (string | number)[]
  message: string
  rule: string
}

const longestMessage = 5_000
const longestField = 500

export interface ErrorDetails {
  /** The field at fault. A family states the name that the caller used (`width`, `mask.areas`); a
   *  driver or an engine states the gateway's neutral name (`requests/field-names.ts`). */
  field?: string
  issues?: Issue[]
  /** Reasons of a moderation verdict that the caller sees. */
  reasons?: string[]
  /** Seconds after which a retry may succeed; at most 60. */
  retryAfterSeconds?: number
  /** Id of the object (a task, a file, a response) to which the error refers, for families whose
   *  error body repeats it. */
  subject?: string
  /** The error object that an upstream sent, if the upstream and the caller use the same protocol.
   *  It is sent to the caller in place of an error object of the gateway. */
  wire?: { code: string | null; type: string; param: string | null }
  cause?: unknown
}

/** The class of every error with which the gateway answers. `message` is a sentence for the caller,
 *  which states what was wrong, which field and which limit. It never contains a secret or a whole
 *  upstream body. When an upstream has refused the request, `message` is that of the upstream. A
 *  `message` is cut after 5,000 characters and a `field` after 500, because both may contain texts
 *  of the caller. */
export class GatewayError extends Error {
  readonly code: ErrorCode
  readonly field: string | undefined
  readonly issues: Issue[]
  readonly reasons: string[]
  readonly retryAfterSeconds: number | undefined
  readonly subject: string | undefined
  readonly wire: ErrorDetails['wire']

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(shortened(message, longestMessage), details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'GatewayError'
    this.code = code
    this.field = details.field === undefined ? undefined : shortened(details.field, longestField)
    this.issues = details.issues ?? []
    this.reasons = details.reasons ?? []
    this.retryAfterSeconds = details.retryAfterSeconds
    this.subject = details.subject
    this.wire = details.wire
  }

  get status(): number {
    return errorCatalogue[this.code].status
  }

  get type(): string {
    return errorCatalogue[this.code].type
  }

  /** Returns a copy of the error with another message, and with another field or none. The copy of
   *  a `NotSentError` is a `NotSentError` as well. */
  inWords(field: string | undefined, message: string): GatewayError {
    return copied(this, this instanceof NotSentError ? NotSentError : GatewayError, { field, message })
  }
}

function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 3).toWellFormed()}...`
}

/** Returns a copy of the error that has the class `Copy`, this message, and this field or none. */
function copied(
  { code, issues, reasons, retryAfterSeconds, subject, wire, cause }: GatewayError,
  Copy: typeof GatewayError,
  { field, message }: Pick<GatewayError, 'field' | 'message'>,
): GatewayError {
  return new Copy(code, message, { ...{ issues, reasons, cause }, ...defined({ field, retryAfterSeconds, subject, wire }) })
}

/** Thrown when no configured target serves the model now, although a later configuration may. Tasks
 *  wait for such a configuration until their deadline; calls are refused. */
export class NotServedError extends GatewayError {}

/** Thrown when a target refuses the request before it has cost anything. The gateway then tries
 *  another target; when there is none, the caller gets this refusal. */
export class TargetRefusal extends GatewayError {}

/** Thrown when the work stopped before its request was sent to the upstream as a whole, so the
 *  upstream cannot have charged for it. */
export class NotSentError extends GatewayError {
  /** Returns the error as a `NotSentError`. An error of another subclass of GatewayError is
   *  returned unchanged, because its class already determines whether the work may be charged or
   *  repeated. */
  static of(error: unknown): GatewayError {
    if (error instanceof GatewayError && error.constructor !== GatewayError) return error
    const known = toGatewayError(error)
    return copied(known, NotSentError, known)
  }
}

/** Thrown when the process or node that did the work ended in the middle of it. Nothing has been
 *  charged. The work may be repeated, but only a few times, because the work itself may have caused
 *  the process to end. */
export class LostRunError extends GatewayError {}

/** Thrown when reading a file used more CPU time or memory than any file of its kind needs, or
 *  crashed the process that read it. The file is not read again, because reading it again would
 *  fail in the same way. */
export class UnsafeFileError extends GatewayError {
  constructor(cause?: unknown) {
    super('invalid_input_file', 'The file is damaged: reading it takes more CPU time or memory than a file may take.', { cause })
  }
}

/** Returns the error as a GatewayError: itself if it already is one, `disk_full` when the disk was
 *  full, else an `internal_error` that hides the details from the caller and keeps the error as
 *  `cause`. */
export function toGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error
  const isFull = error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
  if (isFull) return new GatewayError('disk_full', 'There is no room on disk for the files of this request.', { cause: error })
  return new GatewayError('internal_error', 'The gateway failed on this request.', { cause: error })
}

/** Returns the message of an error; for any other thrown value, the value as text. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Never called. Makes the compiler report a `switch` that lacks a case. */
export function assertNever(value: never): never {
  throw new TypeError(`unexpected value ${JSON.stringify(value)}`)
}

/** Returns a function that declares errors of this type, each by its HTTP status, a sentence and
 *  the retry advice. */
function kindsOf(type: string) {
  return (status: number, says: string, retry: RetryAdvice = 'after-change'): ErrorKind => ({ status, type, retry, says })
}

/** Returns the refusal of one field of a body. `field` is the path of the field as the caller wrote
 *  it (`input[0].content`), `rule` the name of the violated rule. */
export function invalidField(field: string, message: string, rule: string): GatewayError {
  return new GatewayError('invalid_request', message, { field, issues: [{ path: ['body', field], message, rule }] })
}
