/** Speech over T2 of another gateway: a text or subtitles as a task there. */

import { join } from 'node:path'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { objectOf, textOf } from '@generation-gateway/kit/json.ts'
import { type AskedJob, type Outcome, type Refusal, refusal } from '@generation-gateway/kit/requests/job.ts'
import type { SpeechRequest } from '@generation-gateway/kit/requests/speech.ts'
import { failedAfterPay } from '../../shared/failed.ts'
import { fetchOutput, isLinkGone } from '../../shared/output/fetch-output.ts'
import { convertSound } from '../../shared/sound/convert-sound.ts'
import { refusalInWords, voiceOf } from '../../shared/sound/speech-words.ts'
import { doneSpeech, type SpeechJob, type SpeechPart } from '../../shared/sound/spoken.ts'
import { submitPaid } from '../../shared/upstream/paid-submit.ts'
import { sentBody } from '../../shared/upstream/sent-body.ts'
import type { ServiceTools } from '../../shared/upstream/service-driver.ts'
import { wait } from '../../shared/upstream/wait.ts'
import { settings } from './settings.ts'
import { gatewayName, soundTarget, withHeaders } from './sound-target.ts'
import { maxAnswerBytes } from './task-paths.ts'
import { taskThere } from './task-there.ts'

const words = { 'voice-speed': 'speed', 'voice-volume': 'volume', voice: 'voice', body: 'text', responseFormat: 'format' } as const
const slowest = 0.3
const fastest = 2
/** Gains in decibels that the family has words for (docs/interface/sound.md#t2). */
const volumes = new Map<SpeechRequest['volume'], string>([
  ...([6, 3, 0, -6, -12] as const).map((gain, index) => [gain, ['x-loud', 'loud', 'standard', 'soft', 'x-soft'][index] ?? ''] as const),
  ['normalized', 'normalized'],
])
/** What it makes; anything else is made of its WAV here. */
const formats: ReadonlySet<string> = new Set(['mp3', 'm4a', 'wav'])
const mostTextBytes = 1024 * 1024
/** Two hours of WAV. */
const maxFileBytes = 1024 * 1024 * 1024
const lookWaits = { first: 250, longest: 3_000 }

export function refusesNarration({ request: { speed, volume, text, cues } }: AskedJob<SpeechRequest>): Refusal | undefined {
  if (speed < slowest || speed > fastest) return refusal('speed', `is ${speed}; ${gatewayName} speaks at ${slowest} to ${fastest} (T2).`)
  if (!volumes.has(volume)) return refusal('volume', `is ${volume}; ${gatewayName} knows ${[...volumes.keys()].join(', ')} (T2).`)
  const bytes = Buffer.byteLength(cues ? subtitlesOf(cues) : text)
  return bytes > mostTextBytes ? refusal('text', `has ${bytes} bytes; ${gatewayName} takes ${mostTextBytes} (T2).`) : undefined
}

export async function* narrate(tools: ServiceTools, job: SpeechJob): AsyncGenerator<SpeechPart> {
  const container = isOwn(job) ? job.request.format.container : 'wav'
  const id = await submit(tools, job, container).catch(error => {
    throw refusalInWords(words, error)
  })
  const url = await resultOf(tools, job, id)
  const outcome = typeof url === 'string' ? await fetched(tools, job, { url, id, container }) : url
  yield { type: 'outcome', outcome }
}

function isOwn({ request: { format } }: SpeechJob): boolean {
  return formats.has(format.container) && format.sampleRate === undefined && format.bitRate === undefined
}

/** The id of the task: its key there is this job, so the same one is never spoken twice. */
function submit({ submits }: ServiceTools, job: SpeechJob, container: string): Promise<string> {
  const { model, request, signal, settings: given } = job
  const { upstream, waits } = soundTarget(job)
  const { text, cues, speed, volume } = request
  const voice = voiceOf(request, settings.targetOf(given))
  const query = new URLSearchParams({
    ...(voice === undefined ? {} : { voice }),
    ...{ 'voice-speed': String(speed), 'voice-volume': volumes.get(volume) ?? '', model },
  })
  return submitPaid({
    ...{ upstream: submits, target: withHeaders(upstream, { 'idempotency-key': job.id }), model, owner: gatewayName, signal, ...waits },
    path: `/tts-n/text-to-speech/${container}?${query}`,
    body: sentBody({ contentType: cues ? 'application/x-subrip' : 'text/plain', tail: Buffer.from(cues ? subtitlesOf(cues) : text) }),
    read: async answer => {
      const id = textOf(objectOf(await answer.json(maxAnswerBytes)).taskId)
      if (id !== undefined) return id
      throw new GatewayError('upstream_error', 'The other gateway did not name the task it made.')
    },
  })
}

/** The link to its sound, or how it ended without one. */
async function resultOf(tools: ServiceTools, job: SpeechJob, id: string): Promise<string | Outcome> {
  for (let waitMs = lookWaits.first; ; waitMs = Math.min(lookWaits.longest, 2 * waitMs)) {
    const seen = await taskThere(tools, job, id)
    if (seen.state === 'failed') return seen
    if (seen.state === 'ready')
      return seen.urls.get('output') ?? failedAfterPay('upstream_error', 'The other gateway calls the speech done and gives no sound.')
    if (seen.progress !== undefined) job.progress(seen.progress)
    await wait(waitMs, job.signal, 'The speech is not wanted any more.')
  }
}

interface Finished {
  url: string
  id: string
  container: string
}

async function fetched(tools: ServiceTools, job: SpeechJob, { url, id, container }: Finished): Promise<Outcome> {
  const toFile = join(job.scratch, `fetched.${container}`)
  const title = `The sound of ${gatewayName}`
  const { origin } = settings.targetOf(job.settings).whole
  const link = { guard: tools.guard, title, toFile, maxBytes: maxFileBytes, signal: job.signal, trustedOrigin: origin }
  const got = await fetchOutput({ ...link, url }).catch(async error => {
    if (!isLinkGone(error)) throw error
    const again = await resultOf(tools, job, id)
    return typeof again === 'string' ? fetchOutput({ ...link, url: again }) : Promise.reject(error)
  })
  if ('state' in got) return got
  const header = await tools.inspection.readMedia(toFile, job)
  if (header?.durationSeconds === undefined) return failedAfterPay('upstream_error', `${title} is no sound.`)
  const path = isOwn(job) ? toFile : await convertSound(toFile, job)
  return doneSpeech(job.request, { path, seconds: header.durationSeconds })
}

/** SRT. */
function subtitlesOf(cues: NonNullable<SpeechRequest['cues']>): string {
  return cues
    .map(({ startMs, endMs, text }, index) => `${index + 1}\n${clock(startMs)} --> ${clock(endMs)}\n${text.replace(/\n{2,}/g, '\n')}\n`)
    .join('\n')
}

function clock(ms: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const rest = String(Math.round(ms % 1000)).padStart(3, '0')
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)},${rest}`
}
