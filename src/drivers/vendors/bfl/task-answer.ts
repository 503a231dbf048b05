/** Reads the vendor's answers about tasks (docs/vendors/bfl.md#bodies, #task-states, #errors). */
import { type ErrorCode, GatewayError } from '@generation-gateway/kit/errors.ts'
import { type Json, type JsonObject, objectOf } from '@generation-gateway/kit/json.ts'
import type { Failed } from '@generation-gateway/kit/requests/job.ts'
import { failed, failedAfterPay } from '../../shared/failed.ts'
import type { TaskState } from '../../shared/output/poll-and-fetch.ts'
import { isTaskGoneInWords } from '../../shared/upstream/gone-task.ts'
import { withoutSecrets } from '../../shared/upstream/secrets.ts'

/** Name of the vendor, for messages. */
export const owner = 'Black Forest Labs'

/** Sentence of the failure of a task that the vendor does not have. */
export const notFound = `${owner} does not have the task, or no longer.`
const missing = 'Task not found'

/** The finished picture of a task. */
export interface ReadyPicture {
  /** Link to the picture, valid for ten minutes. */
  url: string
  /** The seed that the vendor reports; undefined when it reports none. */
  seed: number | undefined
  /** The prompt that the vendor reports; undefined when it reports none. */
  prompt: string | undefined
}

/** Maps the vendor's reasons for a failed task to the gateway's error codes. */
const failureCodes: Readonly<Record<string, ErrorCode>> = {
  content_policy_violation: 'content_moderated',
  invalid_image: 'invalid_input_file',
  generation_timeout: 'upstream_timeout',
}
const word = /^[a-z][a-z_]{0,60}$/
const maxReasons = 20
const maxReasonLength = 200

/** Returns the state of a task, read from the vendor's answer. Removes the `secrets` from the
 *  vendor's texts. Throws `upstream_error` for an invalid answer. */
export function taskStateIn(answer: Json, secrets: readonly string[]): TaskState<ReadyPicture> {
  const task = objectOf(answer)
  switch (task.status) {
    case 'Pending':
    case 'Queued':
    case 'Processing':
      return { state: 'running', ...progressOf(task.progress) }
    case 'Ready':
      return { state: 'ready', output: pictureOf(objectOf(task.result)) }
    case 'Request Moderated':
      return failed('request_moderated', 'Black Forest Labs refused the prompt or the input picture.', reasonsOf(task, secrets))
    case 'Content Moderated':
      return failed('content_moderated', 'Black Forest Labs refused the picture that was drawn.', reasonsOf(task, secrets))
    case 'Error':
    case 'Failed':
      return failureOf(task)
    case missing:
      // The vendor keeps results only for a while, so it may have drawn the picture and charged for
      // it.
      return failedAfterPay('upstream_error', notFound)
    default:
      throw new GatewayError('upstream_error', 'Black Forest Labs answered with a state that is not known.')
  }
}

/** Returns true for the body of a 404 that reports a missing task: an answer with that state, or an
 *  error object about the task. */
export function isNotFound(body: JsonObject): boolean {
  return body.status === missing || isTaskGoneInWords(body)
}

function progressOf(progress: Json | undefined): { progress?: number } {
  return typeof progress === 'number' && progress >= 0 && progress <= 1 ? { progress } : {}
}

function pictureOf({ sample, seed, prompt }: JsonObject): ReadyPicture {
  if (typeof sample !== 'string') throw new GatewayError('upstream_error', 'Black Forest Labs calls the task ready and gives no picture.')
  return {
    url: sample,
    seed: typeof seed === 'number' && Number.isFinite(seed) ? seed : undefined,
    prompt: typeof prompt === 'string' ? prompt : undefined,
  }
}

/** Returns the failure of a task. The vendor writes the reason as a word into `error`, into
 *  `details`, or into the member `error` of `details`. */
function failureOf({ error, details }: JsonObject): Failed {
  const said = [error, details, objectOf(details).error].find(value => typeof value === 'string' && word.test(value))
  const reason = typeof said === 'string' ? said : undefined
  const code = (reason === undefined ? undefined : failureCodes[reason]) ?? 'upstream_error'
  return failed(code, `Black Forest Labs failed on the task${reason === undefined ? '' : ` (${reason})`}.`)
}

function reasonsOf({ details }: JsonObject, secrets: readonly string[]): string[] {
  const reported = objectOf(details)['Moderation Reasons']
  const reasons = Array.isArray(reported) ? reported : [reported]
  return reasons
    .filter(reason => typeof reason === 'string')
    .slice(0, maxReasons)
    .map(reason => withoutSecrets(reason, secrets).slice(0, maxReasonLength))
}
