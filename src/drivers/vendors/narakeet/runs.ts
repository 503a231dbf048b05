/** Runs a narration: submits the text, polls its status and downloads its sound. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defined } from '@generation-gateway/kit/defined.ts'
import { polled } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type JsonObject, objectOf, textOf } from '@generation-gateway/kit/json.ts'
import { type JobFacts, type Outcome, type PolledOffer, type Refusal, type Running, refusal } from '@generation-gateway/kit/requests/job.ts'
import type { SpeechRequest } from '@generation-gateway/kit/requests/speech.ts'
import { failed, failedAfterPay } from '../../shared/failed.ts'
import { fetchOutput, isLinkGone, type LinkedOutput } from '../../shared/output/fetch-output.ts'
import { saveBody } from '../../shared/output/save-body.ts'
import { convertSound } from '../../shared/sound/convert-sound.ts'
import { doneSpeech, type SpeechJob } from '../../shared/sound/speech-parts.ts'
import { refusalInWords, voiceOf } from '../../shared/sound/speech-words.ts'
import { submitPaid } from '../../shared/upstream/paid-submit.ts'
import { upstreamJson } from '../../shared/upstream/read-json.ts'
import { sentBody } from '../../shared/upstream/sent-body.ts'
import type { ServiceTools } from '../../shared/upstream/service-driver.ts'
import type { UpstreamAnswer } from '../../shared/upstream/upstream-answer.ts'
import { headerOf } from '../../shared/upstream/upstream-failures.ts'
import { withHeaders } from '../../shared/upstream/upstream-target.ts'
import { scriptOf } from './script.ts'
import { owner, settings } from './settings.ts'
import { subtitlesOf } from './subtitles.ts'

const words = { voice: 'voice', 'voice-speed': 'speed', 'voice-volume': 'volume' } as const
const ownFormats: ReadonlySet<string> = new Set(['mp3', 'm4a', 'wav'])
const slowest = 0.3
const fastest = 2
/** Maps a gain in decibels to the vendor's word for it; the interface T2 uses the same words. */
const volumes = new Map<number | 'normalized', string>([
  [6, 'x-loud'],
  [3, 'loud'],
  [0, 'standard'],
  [-6, 'soft'],
  [-12, 'x-soft'],
  ['normalized', 'normalized'],
])
const maxStatusBytes = 64 * 1024
/** Largest sound in bytes: 45 minutes of WAV. */
const maxSoundBytes = 512 * 1024 * 1024
const maxAnswerBytes = 64 * 1024
const maxShortBytes = 16 * 1024 * 1024

export function narrations(tools: ServiceTools): PolledOffer<SpeechRequest> {
  return polled<SpeechRequest>({
    pollEveryMs: 5_000,
    refuses,
    start: async job => (isShort(job.request) ? streamShort(tools, job) : { state: 'started', handle: await submit(tools, job) }),
    check: (job, handle) => poll(tools, job, handle),
  })
}

function refuses({ request }: JobFacts<SpeechRequest>): Refusal | undefined {
  const { speed, volume } = request
  if (speed < slowest || speed > fastest) return refusal('speed', `is ${speed}; ${owner} speaks at ${slowest} to ${fastest}.`)
  return volumes.has(volume) ? undefined : refusal('volume', `is ${volume} dB; ${owner} has ${[...volumes.keys()].join(', ')}.`)
}

/** Formats for which the vendor answers a short text immediately with its sound
 *  (docs/vendors/narakeet.md#requests). */
const streamedFormats: ReadonlySet<string> = new Set(['mp3', 'm4a'])
const mostStreamedBytes = 1024

function isShort({ cues, passages, text, format }: SpeechRequest): boolean {
  return !cues && !passages && streamedFormats.has(format.container) && Buffer.byteLength(text) <= mostStreamedBytes
}

async function submit(tools: ServiceTools, job: SpeechJob): Promise<JsonObject> {
  return send(tools, job, async answer => {
    const { statusUrl } = objectOf(await answer.json(maxAnswerBytes))
    const link = textOf(statusUrl)
    if (link === undefined) throw new GatewayError('upstream_error', `${owner} did not say where the narration is.`)
    return { statusUrl: link }
  })
}

async function streamShort(tools: ServiceTools, job: SpeechJob): Promise<Outcome> {
  const path = join(job.scratch, `narration.${job.request.format.container}`)
  return send(tools, job, async answer => {
    const bytes = await saveBody(answer.chunks(), path, maxShortBytes)
    const reported = Number(headerOf(answer.headers, 'x-duration-seconds'))
    const seconds = reported > 0 ? reported : (await tools.inspection.readMedia(path, job))?.durationSeconds
    if (bytes === 0 || seconds === undefined) return failedAfterPay('upstream_error', `What ${owner} gave is no sound.`)
    return doneSpeech(job.request, { path, seconds })
  })
}

/** Sends the text and returns what `read` derives from a successful answer. The request is paid and
 *  has no idempotency key, so it is sent only once. */
async function send<Result>({ submits }: ServiceTools, job: SpeechJob, read: (answer: UpstreamAnswer) => Promise<Result>): Promise<Result> {
  const { request } = job
  const target = settings.targetOf(job.settings)
  const query = new URLSearchParams({
    ...defined({ voice: voiceOf(request, target), 'voice-speed': request.speed === 1 ? undefined : String(request.speed) }),
    'voice-volume': volumes.get(request.volume) ?? 'standard',
    ...defined({ language: request.language }),
  })
  const { cues, passages, text, format } = request
  const contentType = cues ? 'application/x-subrip' : 'text/plain'
  const container = ownFormats.has(format.container) ? format.container : 'wav'
  const accept = isShort(request) ? { accept: 'application/octet-stream' } : {}
  try {
    return await submitPaid<Result>({
      ...{ submits, job, path: `/text-to-speech/${container}?${query}`, owner },
      target: { upstream: withHeaders(target.upstream, accept), waits: target.waits },
      body: sentBody({ contentType, tail: Buffer.from(cues ? subtitlesOf(cues) : passages ? scriptOf(passages, target) : text) }),
      read,
    })
  } catch (error) {
    throw refusalInWords(words, error)
  }
}

async function poll(tools: ServiceTools, job: SpeechJob, { statusUrl }: JsonObject): Promise<Running | Outcome> {
  const status = await statusAt(tools, job, textOf(statusUrl) ?? '')
  const { finished, succeeded, percent, result, message } = status
  if (finished !== true)
    return { state: 'running', ...(typeof percent === 'number' ? { progress: Math.min(1, Math.max(0, percent / 100)) } : {}) }
  if (succeeded !== true)
    return failed('upstream_error', `${owner} did not narrate it: ${(textOf(message) ?? 'no reason was given').slice(0, 500)}`)
  const link = textOf(result)
  if (link === undefined) return failedAfterPay('upstream_error', `${owner} says that the sound is there and does not link to it.`)
  return soundAt(tools, job, link)
}

/** Returns the status of a narration. The link alone is enough to read it, so the credential is
 *  not sent to the link's host. */
async function statusAt({ guard }: ServiceTools, job: SpeechJob, url: string): Promise<JsonObject> {
  const toFile = join(job.scratch, 'status.json')
  const fetched = await fetchFor({ guard, job, url, title: `The status of ${owner}`, toFile, maxBytes: maxStatusBytes })
  if ('state' in fetched) throw new GatewayError('upstream_error', fetched.message)
  return objectOf(upstreamJson(await readFile(toFile, 'utf8'), `The status of ${owner} is no JSON.`))
}

async function soundAt({ guard, inspection }: ServiceTools, job: SpeechJob, url: string): Promise<Running | Outcome> {
  const { format } = job.request
  const isOwn = ownFormats.has(format.container)
  const toFile = join(job.scratch, `narration.${isOwn ? format.container : 'wav'}`)
  try {
    const fetched = await fetchFor({ guard, job, url, title: `The sound of ${owner}`, toFile, maxBytes: maxSoundBytes })
    if ('state' in fetched) return fetched
  } catch (error) {
    // The link to the sound has expired. The narration is reported as running, so that the status
    // is read again: each reading returns a new link.
    if (isLinkGone(error)) return { state: 'running' }
    throw error
  }
  const path = isOwn ? toFile : await convertSound(toFile, job)
  const seconds = (await inspection.readMedia(toFile, job))?.durationSeconds
  if (seconds === undefined) return failedAfterPay('upstream_error', `What ${owner} gave is no sound.`)
  return doneSpeech(job.request, { path, seconds })
}

interface SoundFetch extends Pick<LinkedOutput, 'guard' | 'url' | 'title' | 'toFile' | 'maxBytes'> {
  job: SpeechJob
}

function fetchFor({ job, ...output }: SoundFetch): ReturnType<typeof fetchOutput> {
  const { origin: trustedOrigin, route } = settings.targetOf(job.settings).upstream
  return fetchOutput({ ...output, signal: job.signal, trustedOrigin, route })
}
