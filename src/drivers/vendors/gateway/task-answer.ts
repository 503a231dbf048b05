/** What another gateway says about a task: `GET /v1/tasks/{id}`, the same for all families. */
import { type ErrorCode, GatewayError } from '@generation-gateway/kit/errors.ts'
import { type Json, type JsonObject, objectOf, objectsOf, textOf } from '@generation-gateway/kit/json.ts'
import type { ImageEditRequest, ImageField, RefusedPicture } from '@generation-gateway/kit/requests/image.ts'
import type { Failed } from '@generation-gateway/kit/requests/job.ts'
import { failed, failedAfterPay } from '../../shared/failed.ts'
import { fieldsNamed, type ImageWords, sentenceNamed } from '../../shared/image/image-words.ts'
import type { SeenTask } from '../../shared/image/picture-file.ts'
import { textsOf } from '../../shared/upstream/read-json.ts'
import { withoutSecrets } from '../../shared/upstream/secrets.ts'

/** In sentences. */
export const owner = 'the other gateway'

/** What a task there has made. */
export interface ReadyPictures {
  /** Signed links, valid for an hour. */
  urls: string[]
  seed: string
  prompt: string
  notDrawn: string[]
  notFollowed: ImageField[]
  refused: RefusedPicture[]
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
/** It has a line open for it. */
const mayHaveSpent = new Set<string>(['outcome_unknown'] satisfies ErrorCode[])
const maxSentence = 500
const maxReasons = 20

/** Neutral names, which mean the same at both. */
const sameNames = [
  ...(['prompt', 'negativePrompt', 'seed', 'count', 'variants', 'steps', 'tier', 'expandPrompt', 'safetyTolerance', 'format'] as const),
  ...(['series', 'watermark', 'guidance', 'webSearch', 'promptMode', 'flags', 'image', 'mask', 'regions', 'factor', 'mode'] as const),
] as const
export const ownWords: ImageWords = new Map<string, ImageField | 'size'>([
  ...(['width', 'height', 'aspectRatio'] as const).map(name => [name, 'size'] as const),
  ...sameNames.map(name => [name, name] as const),
])

interface Seeing {
  request: Pick<ImageEditRequest, 'width' | 'aspectRatio'>
  /** Hidden wherever the other gateway repeats them. */
  secrets: readonly string[]
}

/** The task as its answer tells it. Throws `upstream_error` for what is no such answer. */
export function seenTask(answer: Json, seeing: Seeing): SeenTask<ReadyPictures> {
  const task = objectOf(answer)
  const { state, progress, pictures, error } = task
  switch (state) {
    case 'queued':
    case 'running':
    case 'cancelling':
    case 'unknown':
      return { state: 'running', ...(typeof progress === 'number' ? { progress: progress / 100 } : {}) }
    case 'succeeded':
      return picturesOf(linksIn(task), objectOf(pictures), seeing)
    case 'failed':
    case 'expired':
    case 'cancelled':
      return brokenOff(objectOf(error), { ...seeing, hasGiven: linksIn(task).length > 0 })
    default:
      throw new GatewayError('upstream_error', 'The other gateway answered with a state that tasks do not have.')
  }
}

export function noTask(): Failed {
  return failedAfterPay('upstream_error', 'The other gateway no longer has the task.')
}

function linksIn({ outputs }: JsonObject): string[] {
  return objectsOf(outputs).flatMap(({ role, url }) => (role === 'output' ? (textOf(url) ?? []) : []))
}

function picturesOf(
  urls: string[],
  { seed, prompt, not_drawn: notDrawn, not_followed: notFollowed, refused }: JsonObject,
  { request }: Seeing,
): SeenTask<ReadyPictures> {
  if (typeof seed !== 'string' || !/^-?\d{1,20}$/.test(seed))
    throw new GatewayError(
      'upstream_error',
      'The other gateway calls the task done and does not tell of its pictures: it may be an older one.',
    )
  const withheld = objectsOf(refused).flatMap(({ index, reasons }) =>
    typeof index === 'number' ? [{ picture: index, reasons: textsOf(reasons) }] : [],
  )
  if (urls.length === 0) return withheld.length === 0 ? noTask() : allRefused(withheld)
  const words = { notDrawn: textsOf(notDrawn), notFollowed: fieldsNamed(ownWords, textsOf(notFollowed), request) }
  return { state: 'ready', picture: { urls, seed, prompt: textOf(prompt) ?? '', ...words, refused: withheld } }
}

function allRefused(refused: readonly RefusedPicture[]): Failed {
  const reasons = [...new Set(refused.flatMap(picture => picture.reasons))].slice(0, maxReasons)
  return failed('content_moderated', 'All pictures were refused by the safety rules of the other gateway.', reasons)
}

/** Why a task there has ended without a result. */
export function brokenOff({ code, message, reasons }: JsonObject, { hasGiven, request, secrets }: Seeing & { hasGiven: boolean }): Failed {
  const hidden = (text: string) => withoutSecrets(text, secrets).slice(0, maxSentence)
  const said = textOf(message)
  const sentence = said === undefined ? undefined : hidden(said)
  const why = textsOf(reasons).slice(0, maxReasons).map(hidden)
  if (!hasGiven && isAboutTheRequest(code))
    return failed(
      code,
      sentence === undefined ? 'The other gateway refused the request and does not say why.' : sentenceNamed(ownWords, sentence, request),
      why,
    )
  const says = code === 'cancelled' ? 'The task was cancelled at the other gateway.' : failureOf(sentence)
  return hasGiven || mayHaveSpent.has(String(code)) ? failedAfterPay('upstream_error', says) : failed('upstream_error', says)
}

function failureOf(sentence: string | undefined): string {
  return `The other gateway failed on the task${sentence === undefined ? '.' : `: ${sentence}`}`
}

function isAboutTheRequest(code: unknown): code is ErrorCode {
  return typeof code === 'string' && aboutTheRequest.has(code)
}
