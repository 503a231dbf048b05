/** Reads the answers of the vendor (docs/vendors/kling.md#envelope, #states, #error-codes). Errors
 *  are recognized by the code in the body, because HTTP statuses are ambiguous: 429 can mean a rate
 *  limit or an unpaid account. */
import { type ErrorCode, GatewayError } from '@generation-gateway/kit/errors.ts'
import { type Json, type JsonObject, objectOf, textOf } from '@generation-gateway/kit/json.ts'
import type { Failed, Running } from '@generation-gateway/kit/requests/job.ts'
import { failed, failedAfterPay } from '../../shared/failed.ts'
import { idOf } from '../../shared/upstream/read-json.ts'
import { withoutSecrets } from '../../shared/upstream/secrets.ts'
import { answerBehind } from '../../shared/upstream/upstream-failures.ts'
import { owner } from './settings.ts'

/** Vendor codes that mean a fault of the request; the task then fails. */
const requestFaults: Readonly<Record<number, ErrorCode>> = {
  1200: 'invalid_request',
  1201: 'invalid_request',
  1300: 'request_moderated',
  1301: 'request_moderated',
}
/** Vendor codes that mean a fault of the gateway's account or of the vendor; they are thrown as
 *  errors, so that another target may be tried. */
const ownFaults: Readonly<Record<number, readonly [code: ErrorCode, says: string]>> = {
  1000: ['upstream_auth_error', 'The upstream service refused the credential of the gateway.'],
  1001: ['upstream_auth_error', 'The upstream service refused the credential of the gateway.'],
  1002: ['upstream_auth_error', 'The upstream service refused the credential of the gateway.'],
  1003: ['upstream_auth_error', 'The upstream service says that the token of the gateway is not valid yet; the clock may be wrong.'],
  1004: ['upstream_auth_error', 'The upstream service says that the token of the gateway has expired; the clock may be wrong.'],
  1100: ['upstream_auth_error', 'The account of the gateway at the upstream service is blocked.'],
  1101: ['upstream_quota_exhausted', 'The account of the gateway at the upstream service is in arrears.'],
  1102: ['upstream_quota_exhausted', 'The quota of the gateway at the upstream service is used up.'],
  1103: ['upstream_auth_error', 'The upstream service does not allow this to the gateway.'],
  1304: ['upstream_auth_error', 'The upstream service does not allow the address of the gateway.'],
  1302: ['rate_limited', 'The upstream service limits the rate of the gateway for now.'],
  1303: ['rate_limited', 'The upstream service has as many tasks of the gateway as it takes at once.'],
  5000: ['upstream_error', 'The upstream service failed.'],
  5001: ['overloaded', 'The upstream service is not available for now.'],
  5002: ['upstream_timeout', 'The upstream service did not answer in time.'],
}
/** Code 1202 means that the method does not exist; code 1203, that the model or the task does not
 *  exist. */
const [noSuchMethod, noSuchTask] = [1202, 1203]
/** Sentence of the failure of a task that the vendor does not have. */
export const notFound = `${owner} does not have the task, or no longer.`
const tokenFaults = new Set([1003, 1004])
const moderation = /risk|sensitive|safety|policy|violat|moderat/i
const maxReasonLength = 300

/** Returns the error code of an answer; undefined for a successful one. */
export function faultIn(answer: Json): number | undefined {
  const { code } = objectOf(answer)
  return typeof code === 'number' && code !== 0 ? code : undefined
}

/** Returns the vendor's code and the answer that caused a thrown error. */
function faultBehind(error: unknown): { code: number | undefined; body: Json } {
  const body = answerBehind(error)?.body
  // The casts are safe: the body was parsed from JSON. When there is no body, there is no code
  // either, and without a code no caller reads the body.
  return { code: faultIn(body as Json), body: body as Json }
}

export function isTokenFault(error: unknown): boolean {
  return tokenFaults.has(faultBehind(error).code ?? 0)
}

/** Returns true when the answer says that the vendor does not have the task, whatever its HTTP
 *  status is. */
export function isNotFound(answer: Json): boolean {
  return faultIn(answer) === noSuchTask
}

/** Returns the failure for an error code in the answer to a submit: a fault of the request, or a
 *  code that is not known. Throws for the codes of `ownFaults`, and for a missing model or path. */
export function faultOf(answer: Json, code: number, secrets: readonly string[]): Failed {
  const own = ownFaults[code]
  if (own) throw new GatewayError(own[0], own[1])
  if (code === noSuchMethod || code === noSuchTask)
    throw new GatewayError('capability_unavailable', `${owner} has no such model or path (${code}).`)
  return failed(requestFaults[code] ?? 'upstream_error', reported(answer, code, secrets))
}

/** Returns the error for an error code in the answer to a poll. Such a code does not mean that the
 *  task has failed, so the error lets the poll be tried again. */
function pollFault(answer: Json, code: number, secrets: readonly string[]): GatewayError {
  const [ours, says] = ownFaults[code] ?? ['upstream_error', reported(answer, code, secrets)]
  return new GatewayError(ours, says)
}

function reported(answer: Json, code: number, secrets: readonly string[]): string {
  const says = withoutSecrets(textOf(objectOf(answer).message) ?? 'no reason was told', secrets).slice(0, maxReasonLength)
  return `${owner} answered with ${code}: ${says}`
}

/** Returns the failure for a submit that the vendor answered with an HTTP error status and with a
 *  code for a fault of the request. Throws the error of `ownFaults` for the codes that are listed
 *  there. In all other cases, and whenever it is an `outcome_unknown`, throws `error` unchanged. */
export function refusedStart(error: unknown, secrets: readonly string[]): Failed {
  const { code, body } = faultBehind(error)
  if (!(error instanceof GatewayError) || code === undefined || error.code === 'outcome_unknown') throw error
  if (requestFaults[code] !== undefined) return faultOf(body, code, secrets)
  const own = ownFaults[code]
  if (own && own[0] !== error.code) throw new GatewayError(own[0], own[1], { cause: error.cause })
  throw error
}

export function taskIdIn(answer: Json): string | undefined {
  return idOf(objectOf(objectOf(answer).data).task_id)
}

/** Returns the state of a task from the answer to a poll. The output of a finished task is its
 *  `task_result`. Throws `upstream_error` for an unknown state. An error code other than that of a
 *  missing task throws the error of `pollFault`: a failed task is reported by its state and not by
 *  an error code. */
export function taskStateIn(answer: Json, secrets: readonly string[]): Running | Failed | { state: 'ready'; output: JsonObject } {
  const code = faultIn(answer)
  if (code === noSuchTask) return failedAfterPay('upstream_error', notFound)
  if (code !== undefined) throw pollFault(answer, code, secrets)
  const { task_status, task_status_msg, task_result } = objectOf(objectOf(answer).data)
  if (task_status === 'submitted' || task_status === 'processing') return { state: 'running' }
  if (task_status === 'succeed') return { state: 'ready', output: objectOf(task_result) }
  if (task_status !== 'failed') throw new GatewayError('upstream_error', `${owner} answered with a state that is not known.`)
  const says = withoutSecrets(textOf(task_status_msg) ?? '', secrets).slice(0, maxReasonLength)
  if (moderation.test(says)) return failed('content_moderated', `${owner} refused it: ${says}`, [says])
  return failed('upstream_error', `${owner} failed on the task${says === '' ? '' : `: ${says}`}.`)
}
