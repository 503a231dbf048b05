/** The errors of an operation, derived from its declaration: OpenAPI lists them, and
 *  `openapi-failures.test.ts` provokes each 4xx status, except some that other tests cover. */

import { type ErrorCode, errorCatalogue, GatewayError } from '@generation-gateway/kit/errors.ts'
import type { TSchema } from 'typebox'
import type { Family } from '../family.ts'
import type { Operation } from '../operation.ts'

/** One HTTP status with which an operation may fail. */
export interface ErrorAnswer {
  status: number
  codes: ErrorCode[]
  /** Schemas of the bodies that answers with this status may have, in the family's error format. */
  schemas: TSchema[]
}

/** The call that is documented: the operation itself at one of its paths, or, when the operation
 *  reads a task, one of its extensions (`<path>/events` and the cancellation). */
interface AnsweringPart {
  path: string
  part: 'operation' | 'events' | 'cancel'
}

const atAll = ['invalid_request', 'internal_error', 'too_many_connections', 'store_unavailable', 'loop_detected'] as const
const everywhere: readonly ErrorCode[] = [...atAll, 'missing_api_key', 'invalid_api_key', 'rate_limited']
/** Errors of operations with a signed link, whose holder needs no key. */
const behindLinks: readonly ErrorCode[] = [...atAll, 'invalid_signature', 'gone']
const atEndpoint: readonly ErrorCode[] = ['not_allowed', 'endpoint_not_found']
const withBody: readonly ErrorCode[] = ['invalid_json', 'request_timeout', 'payload_too_large', 'unsupported_media_type', 'disk_full']
const withModel: readonly ErrorCode[] = ['not_allowed', 'model_not_found', 'quota_exceeded', 'capability_unavailable', 'draining']
/** Errors of operations that take an `Idempotency-Key`. `gone`: the task that an earlier request
 *  with this key created was deleted after its lifetime. */
const withIdempotency: readonly ErrorCode[] = ['idempotency_conflict', 'gone']

/** Failures of an upstream service that is called during the request. */
export const upstreamFailures = [
  'upstream_unreachable',
  'upstream_auth_error',
  'upstream_quota_exhausted',
  'upstream_error',
  'upstream_timeout',
  'overloaded',
] as const satisfies ErrorCode[]

const ofConversation = ['context_length_exceeded', 'request_moderated', 'engine_busy', 'engine_timeout'] as const

/** Codes of the operation's errors, in the order of the catalogue. */
function errorCodesOf(family: Family, operation: Operation, { path, part }: AnsweringPart): ErrorCode[] {
  if (operation.access === 'signed') {
    const forKey = operation.actsFor === undefined ? [] : ([...atEndpoint, ...withModel, 'invalid_api_key', 'rate_limited'] as const)
    return inOrder(new Set([...behindLinks, ...forKey, ...(operation.failsWith ?? [])]))
  }
  const isAnywhere = family.isOpen === true && !path.includes('{endpoint}')
  const codes = new Set<ErrorCode>([
    ...everywhere,
    ...(isAnywhere ? [] : atEndpoint),
    // Only the operation itself reads a body. The extensions of the operation (its events and its
    // cancellation) get the same values from the query.
    ...(operation.body && part === 'operation' ? withBody : []),
    ...(operation.choosesModel ? withModel.filter(code => code !== 'quota_exceeded' || !countsOnly(operation)) : []),
    ...(isSubmit(operation) ? withIdempotency : []),
    ...(operation.relays || runsModel(operation) ? [...upstreamFailures, ...ofConversation] : []),
    ...(operation.readsTask || operation.continuesTask !== undefined ? (['task_not_found'] as const) : []),
    ...(operation.readsResponse ? ([...upstreamFailures, 'response_not_found'] as const) : []),
    ...(part === 'events' ? [] : (operation.failsWith ?? [])),
  ])
  return inOrder(codes)
}

function inOrder(codes: ReadonlySet<ErrorCode>): ErrorCode[] {
  // The cast is safe: the keys of the catalogue are the codes, but Object.keys is typed as string.
  return (Object.keys(errorCatalogue) as ErrorCode[]).filter(code => codes.has(code))
}

/** Returns true when an `Idempotency-Key` has an effect, which is when the operation creates a
 *  task. */
export function isSubmit(operation: Operation): boolean {
  const isCall = operation.relays !== undefined || runsModel(operation)
  const isTask = Boolean(operation.choosesModel) && operation.method !== 'GET' && !isCall
  return isTask || operation.failsWith?.includes('idempotency_conflict') === true
}

/** Returns true when the operation runs a model, or counts the tokens of a conversation, during the
 *  request. */
function runsModel({ needs }: Operation): boolean {
  return (['respond', 'infer', 'countInput'] as const).some(name => needs?.includes(name))
}

/** Returns true when the operation only counts the tokens of a conversation, which costs
 *  nothing. */
function countsOnly({ needs }: Operation): boolean {
  return needs?.includes('countInput') === true
}

/** Returns the statuses of the operation's errors, lowest first, as the family maps them. */
export function errorAnswersOf(family: Family, operation: Operation, requested: AnsweringPart): ErrorAnswer[] {
  const isChecked = requested.part === 'operation' && (operation.body ?? operation.query) !== undefined
  const answers = new Map<number, ErrorAnswer>()
  for (const code of errorCodesOf(family, operation, requested)) {
    for (const error of samplesOf(code, isChecked)) {
      const { status, schema } = family.failure(error, '')
      const answer = answers.get(status) ?? { status, codes: [], schemas: [] }
      answers.set(status, answer)
      if (!answer.codes.includes(code)) answer.codes.push(code)
      if (!answer.schemas.includes(schema)) answer.schemas.push(schema)
    }
  }
  return [...answers.values()].sort((a, b) => a.status - b.status)
}

/** Returns sample errors with this code, from which the statuses are derived. For
 *  `invalid_request` there are two, because some families use another status for a field that
 *  fails the schema check than for a request that is refused before this check. */
function samplesOf(code: ErrorCode, isChecked: boolean): GatewayError[] {
  const { says } = errorCatalogue[code]
  const plain = new GatewayError(code, says)
  if (code !== 'invalid_request' || !isChecked) return [plain]
  return [plain, new GatewayError(code, says, { issues: [{ path: ['body'], message: says, rule: 'type' }] })]
}

/** Errors of a task that runs during the request (`CallContext.run`). */
export const runFailures: readonly ErrorCode[] = [
  'request_moderated',
  'content_moderated',
  'instruction_not_followed',
  'engine_busy',
  'engine_timeout',
  'deadline_exceeded',
  'outcome_unknown',
  ...upstreamFailures,
]

/** Errors of a transcription that runs during the request. */
export const transcriptionFailures: readonly ErrorCode[] = [...runFailures, 'invalid_input_file']
