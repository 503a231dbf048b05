/** Runs `video.generate` over OpenAI's videos interface: creates a job at the service and polls it
 *  until its video is ready (docs/vendors/openai-videos.md). */
import { join } from 'node:path'
import { polled } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type JsonObject, objectOf, textOf } from '@generation-gateway/kit/json.ts'
import type { Inspection } from '@generation-gateway/kit/media/inspection.ts'
import {
  type Failed,
  type Outcome,
  type OutputFile,
  type PolledOffer,
  type Refusal,
  type Running,
  refusal,
  type Started,
} from '@generation-gateway/kit/requests/job.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import { failed, failedAfterPay } from '../../shared/failed.ts'
import { fetchOutput, isLinkGone } from '../../shared/output/fetch-output.ts'
import { refused } from '../../shared/refusal.ts'
import { refusalInWords } from '../../shared/sound/speech-words.ts'
import { askJson } from '../../shared/upstream/ask-json.ts'
import { beforeSubmit } from '../../shared/upstream/before-submit.ts'
import { isTaskGoneInWords, unlessGone } from '../../shared/upstream/gone-task.ts'
import { submitNamed } from '../../shared/upstream/paid-submit.ts'
import { idOf } from '../../shared/upstream/read-json.ts'
import { formBody, jsonBody, type SentBody } from '../../shared/upstream/sent-body.ts'
import type { ServiceTools } from '../../shared/upstream/service-driver.ts'
import { answerBehind } from '../../shared/upstream/upstream-failures.ts'
import { headersOf } from '../../shared/upstream/upstream-target.ts'
import { frameOf, isOtherSize } from '../../shared/video/frame.ts'
import { maxVideoBytes, missedBy, videoIn } from '../../shared/video/video-file.ts'
import {
  doneWithVideo,
  leftOut,
  refusedField,
  refusedInput,
  type VideoField,
  type VideoJob,
  type VideoJobFacts,
} from '../../shared/video/video-job.ts'
import { refusedLimit } from '../../shared/video/video-limits.ts'
import { owner, settings } from './settings.ts'
import { videoDetail, videoIdIn } from './video-detail.ts'
import { videoFactsOf } from './video-settings.ts'

const words = { prompt: 'prompt', size: 'width', seconds: 'seconds', input_reference: 'first-frame' } as const
/** The fields of a request that are sent to the service; all others are ignored or refused. */
const known: readonly VideoField[] = ['prompt', 'width', 'height', 'seconds', 'fit']
const mostPrompt = 32_000
const maxThumbnailBytes = 16 * 1024 * 1024
/** Milliseconds between two polls; the service recommends 10 to 20 seconds. */
const pollEveryMs = 10_000

/** Returns the offer with which the driver serves `video.generate`. A start is paid and has no
 *  idempotency key, so it is sent only once. When its outcome is unknown, it cannot be looked up
 *  either, because the service's list of videos does not show an id of the client. */
export function videoOffer(tools: ServiceTools): PolledOffer<VideoGenerateRequest> {
  return polled<VideoGenerateRequest>({
    pollEveryMs,
    refuses,
    start: job => start(tools, job),
    check: (job, handle) => check(tools, job, String(handle.id)),
    cancel: async (job, handle) => cancel(tools, job, String(handle.id)),
  })
}

/** Returns the refusal of a request that the target's model cannot serve; undefined when it can.
 *  Seed and safety tolerance never cause a refusal, because every request has them, even when the
 *  caller did not set them. */
function refuses(jobFacts: VideoJobFacts): Refusal | undefined {
  const { request, inputs, settings: given, model } = jobFacts
  const { width, height, count, prompt, fit } = request
  const size = `${width}x${height}`
  const who = `the model ${model}`
  const frame = inputs.find(({ role }) => role === 'first-frame')
  if (count > 1) return refusal('count', `${who} makes one video per request, not ${count}.`)
  const isRemix = inputs.some(({ role }) => role === 'base')
  const limit = isRemix ? undefined : refusedLimit(request, videoFactsOf(given, model), who)
  if (limit) return limit
  if (isRemix && frame) return refusal('first-frame', 'a remix takes none.')
  if (prompt.trim() === '') return refusal('prompt', `${who} needs one.`)
  if (prompt.length > mostPrompt) return refusal('prompt', `${who} takes at most ${mostPrompt} characters.`)
  if (!request.sound) return refusal('sound', `${who} always makes some.`)
  if (request.people === 'none') return refusal('people', `${who} cannot be told to show none.`)
  if (frame && isOtherSize(frame, request) && fit === undefined)
    return refusal('first-frame', `is ${frame.width}x${frame.height}; ${who} takes ${size}, the size of the video.`)
  return refusedField(jobFacts, known, who) ?? refusedInput(jobFacts, { 'first-frame': 1, base: 1 }, who)
}

async function start({ submits, inspection }: ServiceTools, job: VideoJob): Promise<Started | Failed> {
  const target = settings.targetOf(job.settings)
  const base = job.inputs.find(({ role }) => role === 'base')
  const { path, body } =
    base === undefined ? await beforeSubmit(() => created(job, inspection)) : remixed(job, videoIdIn(target.upstream, base))
  try {
    const id = await submitNamed({
      ...{ submits, job, target, path, body, owner, what: 'the video it makes' },
      nameIn: answer => idOf(answer.id),
    })
    return { state: 'started', handle: { id } }
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'request_moderated')
      return failed('request_moderated', 'The upstream service refused the prompt or the input picture.')
    // Either the video was created with another key of the same service, or the service has deleted
    // it.
    if (base !== undefined && isNotFound(error)) throw refused('base', 'the upstream service does not have the video, or not any more.')
    throw refusalInWords(words, error)
  }
}

/** Returns true when an error of `submitPaid` was caused by status 404. */
function isNotFound(error: unknown): boolean {
  return error instanceof GatewayError && error.code === 'capability_unavailable' && answerBehind(error.cause)?.status === 404
}

async function created(job: VideoJob, inspection: Inspection): Promise<{ path: string; body: SentBody }> {
  const { model, request, inputs } = job
  const { prompt, width, height, seconds } = request
  const frames = await Promise.all(inputs.map(input => frameOf(input, job, inspection)))
  const files = frames.map(input => ({ field: 'input_reference', name: `frame.${input.mediaType.split('/')[1]}`, input }))
  return { path: '/videos', body: formBody({ model, prompt, seconds: String(seconds), size: `${width}x${height}` }, ...files) }
}

/** Returns path and body of a remix. The body contains only the prompt, because a remix has the
 *  model, size and length of the original video. */
function remixed({ request: { prompt } }: VideoJob, id: string): { path: string; body: SentBody } {
  return { path: `/videos/${encodeURIComponent(id)}/remix`, body: jsonBody({ prompt }) }
}

async function ask({ upstream }: ServiceTools, job: VideoJob, method: 'GET' | 'DELETE', id: string): Promise<JsonObject> {
  const question = { method, path: `/videos/${encodeURIComponent(id)}`, signal: job.signal }
  return objectOf(await askJson(upstream, settings.targetOf(job.settings), question))
}

async function check(tools: ServiceTools, job: VideoJob, id: string): Promise<Running | Outcome> {
  const state = ask(tools, job, 'GET', id).then(stateIn)
  const seen = await unlessGone(state, { says: `${owner} does not know the video any more.`, isIn: isTaskGoneInWords })
  return seen.state === 'ready' ? outcomeOf(tools, job, id) : seen
}

/** Returns the state of a video. Throws `upstream_error` for an unknown state. */
function stateIn(video: JsonObject): Running | Failed | { state: 'ready' } {
  switch (video.status) {
    case 'queued':
    case 'in_progress':
      return typeof video.progress === 'number' ? { state: 'running', progress: clamped(video.progress / 100) } : { state: 'running' }
    case 'failed':
      return failureOf(objectOf(video.error))
    case 'completed':
      return { state: 'ready' }
    default:
      throw new GatewayError('upstream_error', `${owner} answered with a state that is not known.`)
  }
}

function clamped(fraction: number): number {
  return Math.min(1, Math.max(0, fraction))
}

/** Returns the failure of a job. The interface defines no code for moderation, so it is recognized
 *  by words that services use in their codes and messages
 *  (docs/vendors/openai-videos.md#video-object). */
function failureOf({ code, message }: JsonObject): Failed {
  const word = textOf(code) ?? ''
  const said = `${word} ${textOf(message) ?? ''}`
  if (/moderat|safety|policy|sentinel|sensitive/i.test(said)) {
    const isInput = /input|prompt|request/i.test(word)
    return isInput
      ? failed('request_moderated', 'The upstream service refused the prompt or the input picture.')
      : failed('content_moderated', 'The upstream service withheld the video.')
  }
  if (/time_?out|expired/i.test(word)) return failed('upstream_timeout', 'The upstream service did not make the video in time.')
  const named = /^[\w.-]{1,60}$/.test(word) ? ` (${word})` : ''
  return failed('upstream_error', `The upstream service could not make the video${named}.`)
}

async function outcomeOf(tools: ServiceTools, job: VideoJob, id: string): Promise<Outcome> {
  const path = join(job.scratch, 'video')
  const fetched = await fetchContent(tools, job, { id, variant: '', path, maxBytes: maxVideoBytes })
  if ('state' in fetched) return fetched
  const video = await videoIn(path, { inspection: tools.inspection, owner, asker: job })
  if ('state' in video) return video
  const { request } = job
  // The length of a remix is not compared with the request: a remix is as long as the original
  // video.
  const missed = missedBy(video, request).filter(field => field !== 'seconds' || !job.inputs.some(({ role }) => role === 'base'))
  const notFollowed = [...leftOut(job, known), ...missed]
  const files = [video, ...(await thumbnailOf(tools, job, id))]
  const done = doneWithVideo(job, files, { seed: request.seed, prompt: request.prompt, filtered: [], notFollowed })
  return { ...done, detail: videoDetail(settings.targetOf(job.settings).upstream, id) }
}

interface Content {
  id: string
  /** Part of the query that selects a variant of the content; '' for the video itself. */
  variant: string
  path: string
  maxBytes: number
}

/** Downloads the video or one of its variants. The service may redirect to a storage host; the
 *  credential is sent only to the service's own origin. */
async function fetchContent({ guard }: ServiceTools, job: VideoJob, content: Content): Promise<{ bytes: number } | Failed> {
  const { upstream: target, waits } = settings.targetOf(job.settings)
  const { origin, query, route } = target
  const search = [query, content.variant].filter(part => part !== '').join('&')
  try {
    return await fetchOutput({
      ...{ guard, title: `The video of ${owner}`, toFile: content.path, maxBytes: content.maxBytes, signal: job.signal, ...waits },
      url: `${origin}${target.path}/videos/${encodeURIComponent(content.id)}/content${search === '' ? '' : `?${search}`}`,
      route,
      trustedOrigin: origin,
      trustedHeaders: headersOf(target),
    })
  } catch (error) {
    if (isLinkGone(error)) return failedAfterPay('upstream_error', `The video of ${owner} cannot be had any more.`)
    throw error
  }
}

/** Returns the thumbnail; an empty list when it cannot be fetched or read, because a missing
 *  thumbnail does not fail the job. Throws when the job is stopped, and any error that is not a
 *  `GatewayError`. */
async function thumbnailOf(tools: ServiceTools, job: VideoJob, id: string): Promise<OutputFile[]> {
  const path = join(job.scratch, 'thumbnail')
  try {
    const fetched = await fetchContent(tools, job, { id, variant: 'variant=thumbnail', path, maxBytes: maxThumbnailBytes })
    if ('state' in fetched) return []
    const { mediaType = '', width = 0, height = 0 } = (await tools.inspection.readMedia(path, job)) ?? {}
    return mediaType.startsWith('image/') ? [{ role: 'thumbnail', path, mediaType, width, height }] : []
  } catch (error) {
    if (error instanceof GatewayError && !job.signal.aborted) return []
    throw error
  }
}

/** Cancels a video by deleting it, the only way that the interface has. Services also delete videos
 *  that have been made, and charge for them, so the state is queried first. Throws the service's
 *  error when it refuses, and `conflict` when the video has been made or the answer says neither
 *  that it was deleted nor that it has failed. In all of these cases the video is not stopped. */
async function cancel(tools: ServiceTools, job: VideoJob, id: string): Promise<void> {
  const { state } = stateIn(await ask(tools, job, 'GET', id))
  if (state === 'failed') return
  if (state === 'running') {
    const { deleted, status } = await ask(tools, job, 'DELETE', id)
    if (deleted === true || status === 'failed') return
  }
  throw new GatewayError('conflict', `${owner} did not stop the video.`)
}
