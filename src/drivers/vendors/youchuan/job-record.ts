/** Reads the vendor's records of jobs and its errors (docs/vendors/youchuan.md#job-record,
 *  #errors). Some words are misspelt, because the vendor spells them like that. */
import { type ErrorCode, GatewayError } from '@generation-gateway/kit/errors.ts'
import { type Json, type JsonObject, objectOf, textOf } from '@generation-gateway/kit/json.ts'
import type { RefusedPicture } from '@generation-gateway/kit/requests/image.ts'
import type { Failed } from '@generation-gateway/kit/requests/job.ts'
import { failed } from '../../shared/failed.ts'
import type { TaskState } from '../../shared/output/poll-and-fetch.ts'
import { withoutSecrets } from '../../shared/upstream/secrets.ts'
import { answerBehind } from '../../shared/upstream/upstream-failures.ts'
import { owner } from './settings.ts'

/** A job that has ended with pictures. */
export interface EndedJob {
  /** The vendor's number and link of each picture. */
  pictures: { imageNo: number; url: string }[]
  refused: RefusedPicture[]
  /** The seed that the vendor reports; undefined when it reports none. */
  seed: number | undefined
}

const mostPictures = 4
const maxReasonLength = 200

const commentCodes: Readonly<Record<string, ErrorCode>> = {
  Reject: 'content_moderated',
  TextReject: 'request_moderated',
  ImagePromptDenied: 'request_moderated',
  BadPrompt: 'invalid_request',
  InvalidParameter: 'invalid_request',
  DuplicateImage: 'invalid_request',
  InvalidImagePromptLink: 'invalid_input_file',
  Timeout: 'upstream_timeout',
  RequestTimeout: 'upstream_timeout',
  MaxConcurrentLimited: 'rate_limited',
  CreditNotEnough: 'upstream_quota_exhausted',
}

/** Maps the vendor's error reasons to error codes, where the HTTP status alone would give another
 *  code. */
const reasonCodes: Readonly<Record<string, ErrorCode>> = {
  Msg_Sensitive: 'request_moderated',
  Invalid_Prompt_Parameter: 'invalid_request',
  Relax_Not_Allow: 'invalid_request',
  Upscale_Not_Support: 'invalid_request',
  Job_ReUpscale_Not_Support: 'invalid_request',
  Not_Support: 'invalid_request',
  No_Avaliable_Plan: 'upstream_quota_exhausted',
  No_More_Relax_Credit: 'upstream_quota_exhausted',
  Account_Fee_Not_Enough: 'upstream_quota_exhausted',
}

/** Returns the state of a job, from its record. Removes the `secrets` from the vendor's texts.
 *  Throws `upstream_error` for an invalid record. */
export function jobStateIn(answer: Json, secrets: readonly string[]): TaskState<EndedJob> {
  const { status, comment, urls, audits, seed } = objectOf(answer)
  const links = Array.isArray(urls) ? urls.slice(0, mostPictures).map(url => textOf(url)) : []
  const reasons = (Array.isArray(audits) ? audits : []).map(audit => withoutSecrets(textOf(audit) ?? '', secrets).slice(0, maxReasonLength))
  if (status === 0 || status === 1) return { state: 'running' }
  if (status === 3) return failureOf(textOf(comment), reasons)
  if (status !== 2) throw new GatewayError('upstream_error', `${owner} answered with a state that is not known.`)
  if (links.length === 0) throw new GatewayError('upstream_error', `${owner} calls the job done and gives no picture.`)
  if (links.every(url => url === undefined)) return failureOf('Reject', reasons)
  return {
    state: 'ready',
    output: {
      pictures: links.flatMap((url, imageNo) => (url === undefined ? [] : [{ imageNo, url }])),
      refused: links.flatMap((url, picture) => (url === undefined ? [{ picture, reasons: [reasons[picture] ?? ''].filter(Boolean) }] : [])),
      seed: typeof seed === 'number' && Number.isSafeInteger(seed) ? seed : undefined,
    },
  }
}

/** Returns the failure of a job. The vendor does not charge for failed jobs. A job that failed
 *  because too many jobs ran is submitted again later, as after the vendor's status 429. */
function failureOf(comment: string | undefined, reasons: readonly string[]): Failed {
  const word = comment !== undefined && /^[A-Za-z]{1,40}$/.test(comment) ? comment : undefined
  const code = (word === undefined ? undefined : commentCodes[word]) ?? 'upstream_error'
  const message = `${owner} failed on the job${word === undefined ? '' : ` (${word})`}.`
  const failure = failed(code, message, [...new Set(reasons.filter(Boolean))])
  return code === 'rate_limited' ? { ...failure, isTemporary: true } : failure
}

/** Returns true for an error object of the vendor's own: only these have a `reason`. */
export function hasReason({ reason }: JsonObject): boolean {
  return textOf(reason) !== undefined
}

/** Returns the error code and the reason for a refused submit; undefined when the reason says no
 *  more than the HTTP status. */
export function refusalIn(error: unknown): { code: ErrorCode; reason: string } | undefined {
  const reason = textOf(objectOf(answerBehind(error)?.body).reason)
  const code = reason !== undefined && Object.hasOwn(reasonCodes, reason) ? reasonCodes[reason] : undefined
  return reason === undefined || code === undefined ? undefined : { code, reason }
}

/** Returns true when the vendor's own processing of the request timed out. The vendor may have
 *  started the job nevertheless. */
export function mayHaveStarted(error: unknown): boolean {
  return objectOf(answerBehind(error)?.body).reason === 'Request_Timout'
}
