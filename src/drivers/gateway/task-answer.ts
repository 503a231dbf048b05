/** What F1 of another gateway says about a task (Part A, F1; states of `vendors-media.md` 2.4). */
import { type ErrorCode, GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Json, JsonObject } from '@generation-gateway/kit/json.ts'
import type { ImageField } from '@generation-gateway/kit/requests/image.ts'
import type { Failed } from '@generation-gateway/kit/requests/job.ts'
import { failed, failedAfterPay } from '../failed.ts'
import type { ImageRequest } from '../image/image-job.ts'
import { fieldsNamed, fluxWords, sentenceNamed } from '../image/image-words.ts'
import type { SeenTask } from '../image/picture-file.ts'
import { objectOf, textsOf } from '../upstream/read-json.ts'
import { withoutSecrets } from '../upstream/secrets.ts'

/** In sentences. */
export const owner = 'the other gateway'

/** A picture that is ready. */
export interface ReadyPicture {
  /** Signed link, valid for minutes. */
  url: string
  seed: number
  prompt: string
  notDrawn: string[]
  notFollowed: ImageField[]
}

/** Codes that say something about the request: they mean the same here as there. All others are about the other gateway. */
const aboutTheRequest = new Set<string>([
  'invalid_request',
  'invalid_input_file',
  'instruction_not_followed',
  'unsupported_media_type',
  'payload_too_large',
  'request_moderated',
  'content_moderated',
] satisfies ErrorCode[])
const maxSentence = 500
const maxReasons = 20

interface Seeing {
  request: ImageRequest
  /** Hidden wherever the other gateway repeats them. */
  secrets: readonly string[]
}

/** The task as its answer tells it. Throws `upstream_error` for what is no such answer. */
export function seenTask(answer: Json, { request, secrets }: Seeing): SeenTask<ReadyPicture> {
  const { status, result, details, progress } = objectOf(answer)
  switch (status) {
    case 'Pending':
    case 'Queued':
    case 'Processing':
      return { state: 'running', ...(typeof progress === 'number' ? { progress } : {}) }
    case 'Ready':
      return { state: 'ready', picture: pictureOf(objectOf(result), request) }
    case 'Request Moderated':
      return moderated('request_moderated', objectOf(details), secrets)
    case 'Content Moderated':
      return moderated('content_moderated', objectOf(details), secrets)
    case 'Error':
    case 'Failed':
      return brokenOff(objectOf(details), { request, secrets })
    case 'Task not found':
      return noTask()
    default:
      throw new GatewayError('upstream_error', 'The other gateway answered with a state that F1 does not have.')
  }
}

export function noTask(): Failed {
  return failedAfterPay('upstream_error', 'The other gateway no longer has the task.')
}

function pictureOf(
  { sample, seed, prompt, not_drawn: notDrawn, not_followed: notFollowed }: JsonObject,
  request: Seeing['request'],
): ReadyPicture {
  if (typeof sample !== 'string' || typeof seed !== 'number')
    throw new GatewayError('upstream_error', 'The other gateway calls the task ready and gives no picture with its seed.')
  const words = { notDrawn: textsOf(notDrawn), notFollowed: fieldsNamed(fluxWords, textsOf(notFollowed), request) }
  return { url: sample, seed, prompt: typeof prompt === 'string' ? prompt : '', ...words }
}

function moderated(code: 'request_moderated' | 'content_moderated', details: JsonObject, secrets: readonly string[]): Failed {
  const reasons = textsOf(details['Moderation Reasons']).slice(0, maxReasons)
  const message = sentenceOf(details.message, secrets) ?? 'Refused by the safety rules of the other gateway.'
  return failed(
    code,
    message,
    reasons.map(reason => hidden(reason, secrets)),
  )
}

function brokenOff({ error, message }: JsonObject, { request, secrets }: Seeing): Failed {
  const sentence = sentenceOf(message, secrets)
  if (isAboutTheRequest(error))
    return failed(error, sentenceNamed(fluxWords, sentence ?? 'The other gateway refused the request and does not say why.', request))
  if (error === 'cancelled') return failed('upstream_error', 'The task was cancelled at the other gateway.')
  return failed('upstream_error', `The other gateway failed on the task${sentence === undefined ? '.' : `: ${sentence}`}`)
}

function isAboutTheRequest(code: unknown): code is ErrorCode {
  return typeof code === 'string' && aboutTheRequest.has(code)
}

function sentenceOf(value: Json | undefined, secrets: readonly string[]): string | undefined {
  return typeof value === 'string' && value !== '' ? hidden(value, secrets) : undefined
}

function hidden(text: string, secrets: readonly string[]): string {
  return withoutSecrets(text, secrets).slice(0, maxSentence)
}
