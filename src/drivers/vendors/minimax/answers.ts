/** Reads the answers of the vendor. An answer with HTTP status 200 is an error when its
 *  `base_resp.status_code` is not 0 (docs/vendors/minimax.md#transport, #states, #error-codes). */
import { type ErrorCode, GatewayError } from '@generation-gateway/kit/errors.ts'
import { type Json, objectOf, textOf } from '@generation-gateway/kit/json.ts'
import type { Failed, Running } from '@generation-gateway/kit/requests/job.ts'
import { failed, failedAfterPay } from '../../shared/failed.ts'
import { idOf } from '../../shared/upstream/read-json.ts'
import { withoutSecrets } from '../../shared/upstream/secrets.ts'
import { owner } from './settings.ts'

/** Vendor codes which report that moderation refused the input or the video. */
const reviewFaults: Readonly<Record<number, ErrorCode>> = { 1026: 'request_moderated', 1027: 'content_moderated' }
/** Vendor codes that mean a fault of the request. When the answer to a submit or a failed task has
 *  one of them, the caller's request is at fault and the task fails. */
const requestFaults: Readonly<Record<number, ErrorCode>> = { ...reviewFaults, 1042: 'invalid_request', 2013: 'invalid_request' }
/** Vendor codes that mean a fault of the gateway's account; they are thrown as errors, so that
 *  another target may be tried. */
const accountFaults: Readonly<Record<number, ErrorCode>> = {
  1002: 'rate_limited',
  1039: 'rate_limited',
  1041: 'rate_limited',
  2045: 'rate_limited',
  1004: 'upstream_auth_error',
  2049: 'upstream_auth_error',
  1008: 'upstream_quota_exhausted',
  2056: 'upstream_quota_exhausted',
}
/** Vendor codes that mean a fault of the vendor: unknown, timeout, and internal errors. The vendor
 *  may have accepted a submit that it answers with one of them. */
const vendorFaults: Readonly<Record<number, ErrorCode>> = {
  1000: 'upstream_error',
  1001: 'upstream_timeout',
  1024: 'upstream_error',
  1033: 'upstream_error',
}

interface Fault {
  code: number
  says: string
}

/** Returns the error code and the message of an answer; `secrets` are removed from the message.
 *  Returns undefined for a successful answer and for one without a code. */
export function baseFault(answer: Json, secrets: readonly string[]): Fault | undefined {
  const { status_code: code, status_msg: says } = objectOf(objectOf(answer).base_resp)
  if (typeof code !== 'number' || code === 0) return undefined
  return { code, says: withoutSecrets(textOf(says) ?? 'no reason was told', secrets) }
}

/** Returns the failure for an error code in the answer to a submit: a fault of the request, or a
 *  code that is not known. Throws `outcome_unknown` for the codes of `vendorFaults`, and the errors
 *  of `accountFaults`. */
export function refusedStart(fault: Fault): Failed {
  const { code } = fault
  if (vendorFaults[code] !== undefined)
    throw new GatewayError('outcome_unknown', `${owner} failed on the request (${code}); it may make the video all the same.`)
  if (accountFaults[code] !== undefined) throw passingFault(fault)
  return failed(requestFaults[code] ?? 'upstream_error', reported(fault))
}

/** Returns the error for an error code in the answer to a poll or to the look-up of a file. Such a
 *  code does not mean that the video has failed, so the error lets the poll be tried again. */
function passingFault(fault: Fault): GatewayError {
  const { code } = fault
  const own = accountFaults[code] ?? vendorFaults[code] ?? 'upstream_error'
  if (own === 'upstream_auth_error') return new GatewayError(own, 'The upstream service refused the credential of the gateway.')
  if (own === 'upstream_quota_exhausted') return new GatewayError(own, 'The quota of the gateway at the upstream service is used up.')
  return new GatewayError(own, reported(fault))
}

function reported({ code, says }: Fault): string {
  return `${owner} answered with ${code}: ${says}.`
}

export function taskIdIn(answer: Json): string | undefined {
  return idIn(objectOf(answer).task_id)
}

/** Returns the state of a task from the answer to a poll. The names of states are also accepted in
 *  lower case, which the vendor's callbacks use. When an answer has an error code but no state, the
 *  code of a review fails the task; for every other code, throws the error of `passingFault`.
 *  Throws `upstream_error` for an unknown state. */
export function taskStateIn(answer: Json, secrets: readonly string[]): Running | Failed | { state: 'ready'; output: string } {
  const { status, file_id } = objectOf(answer)
  const fault = baseFault(answer, secrets)
  switch (textOf(status)?.toLowerCase()) {
    case 'preparing':
    case 'queueing':
    case 'processing':
      return { state: 'running' }
    case 'fail':
    case 'failed':
      return failureOf(fault)
    case 'success': {
      const file = idIn(file_id)
      if (file !== undefined) return { state: 'ready', output: file }
      throw new GatewayError('upstream_error', `${owner} calls the task done and gives no file.`)
    }
    default: {
      if (fault === undefined) throw new GatewayError('upstream_error', `${owner} answered with a state that is not known.`)
      const review = reviewFaults[fault.code]
      if (review !== undefined) return failed(review, reported(fault))
      throw passingFault(fault)
    }
  }
}

/** Returns the download link in the answer about a file, or the failure that the answer reports;
 *  the video is made, so the failure may be charged. Throws the errors for faults of the account or
 *  the vendor, and `upstream_error` when there is no link. */
export function linkIn(answer: Json, secrets: readonly string[]): string | Failed {
  const fault = baseFault(answer, secrets)
  if (fault && (accountFaults[fault.code] ?? vendorFaults[fault.code]) !== undefined) throw passingFault(fault)
  if (fault) return failedAfterPay(reviewFaults[fault.code] ?? 'upstream_error', reported(fault))
  const url = textOf(objectOf(objectOf(answer).file).download_url)
  if (url !== undefined) return url
  throw new GatewayError('upstream_error', `${owner} has no link for the file.`)
}

/** Returns the failure of a task that the vendor reports as failed. */
function failureOf(fault: Fault | undefined): Failed {
  const ours = fault && requestFaults[fault.code]
  return ours ? failed(ours, reported(fault)) : failed('upstream_error', `${owner} failed on the video${fault ? `: ${fault.says}` : ''}.`)
}

/** Returns the id as text. An id that the vendor sends as a number is small enough to be read
 *  exactly; it sends larger ones as text. */
function idIn(id: Json | undefined): string | undefined {
  return typeof id === 'number' && Number.isSafeInteger(id) ? String(id) : idOf(id)
}
