/** Reads the answers of the vendor. An answer with HTTP status 200 is an error when its
 *  `base_resp.status_code` is not 0 (docs/vendors/minimax.md#transport, #states, #error-codes). */
import { type ErrorCode, GatewayError } from '@generation-gateway/kit/errors.ts'
import { type Json, objectOf, textOf } from '@generation-gateway/kit/json.ts'
import type { Failed, Running } from '@generation-gateway/kit/requests/job.ts'
import { failed } from '../../shared/failed.ts'
import { idOf } from '../../shared/upstream/read-json.ts'
import { withoutSecrets } from '../../shared/upstream/secrets.ts'
import { owner } from './settings.ts'

/** Vendor codes that mean a fault of the request; the task then fails. */
const requestFaults: Readonly<Record<number, ErrorCode>> = {
  1026: 'request_moderated',
  1027: 'content_moderated',
  1042: 'invalid_request',
  2013: 'invalid_request',
}
/** Vendor codes that mean a fault of the gateway's account or of the vendor; they are thrown as
 *  errors, so that another target may be tried. */
const ownFaults: Readonly<Record<number, ErrorCode>> = {
  1002: 'rate_limited',
  1039: 'rate_limited',
  1041: 'rate_limited',
  2045: 'rate_limited',
  1004: 'upstream_auth_error',
  2049: 'upstream_auth_error',
  1008: 'upstream_quota_exhausted',
  2056: 'upstream_quota_exhausted',
  1000: 'overloaded',
  1024: 'overloaded',
  1033: 'overloaded',
}
const timeout = 1001

/** Returns the error code and the message of an answer; any of the `secrets` in the message are
 *  removed. Undefined for a successful answer and for one without a code. */
export function baseFault(answer: Json, secrets: readonly string[]): { code: number; says: string } | undefined {
  const { status_code: code, status_msg: says } = objectOf(objectOf(answer).base_resp)
  if (typeof code !== 'number' || code === 0) return undefined
  return { code, says: withoutSecrets(textOf(says) ?? 'no reason was told', secrets) }
}

/** Returns the failure for an error code that means a fault of the request or is not known.
 *  Throws `outcome_unknown` for a timeout of the vendor, and the errors of `ownFaults`. */
export function faultOf({ code, says }: { code: number; says: string }): Failed {
  const reported = `${owner} answered with ${code}: ${says}.`
  const fault = requestFaults[code]
  if (fault !== undefined) return failed(fault, reported)
  if (code === timeout)
    throw new GatewayError('outcome_unknown', `${owner} took too long over the request; it may make the video all the same.`)
  const own = ownFaults[code]
  if (own === 'upstream_auth_error') throw new GatewayError(own, 'The upstream service refused the credential of the gateway.')
  if (own === 'upstream_quota_exhausted') throw new GatewayError(own, 'The quota of the gateway at the upstream service is used up.')
  if (own !== undefined) throw new GatewayError(own, reported)
  return failed('upstream_error', reported)
}

export function taskIdIn(answer: Json): string | undefined {
  return idOf(idText(objectOf(answer).task_id))
}

/** Returns the state of a task, from the answer to a poll. The names of states are accepted in
 *  lower case, too, as the vendor's callbacks write them. Throws `upstream_error` for an unknown
 *  state, and the errors for faults of the account or the vendor. */
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
      return fault && requestFaults[fault.code]
        ? faultOf(fault)
        : failed('upstream_error', `${owner} failed on the video${fault ? `: ${fault.says}` : ''}.`)
    case 'success': {
      const file = idText(file_id)
      if (file !== undefined) return { state: 'ready', output: file }
      throw new GatewayError('upstream_error', `${owner} calls the task done and gives no file.`)
    }
    default: {
      if (fault?.code === timeout) throw new GatewayError('upstream_timeout', `${owner} did not answer in time.`)
      if (fault) return faultOf(fault)
      throw new GatewayError('upstream_error', `${owner} answered with a state that is not known.`)
    }
  }
}

/** Returns the download link in the answer about a file, or the failure that the answer reports. */
export function linkIn(answer: Json, secrets: readonly string[]): string | Failed {
  const fault = baseFault(answer, secrets)
  if (fault && fault.code !== timeout) return faultOf(fault)
  const url = textOf(objectOf(objectOf(answer).file).download_url)
  if (url !== undefined) return url
  throw new GatewayError('upstream_error', `${owner} has no link for the file.`)
}

/** Returns the id as text. An id that the vendor sends as a number is small enough to be read
 *  exactly; it sends larger ones as text. */
function idText(id: Json | undefined): string | undefined {
  return typeof id === 'number' && Number.isSafeInteger(id) ? String(id) : textOf(id)
}
