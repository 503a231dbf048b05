/** Transcribes recordings with Azure's fast transcription
 *  (docs/vendors/azure-speech.md#fast-transcription), which can separate channels, speakers and
 *  languages. */
import { defined } from '@generation-gateway/kit/defined.ts'
import { once } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type JsonObject, objectOf, objectsOf, textOf } from '@generation-gateway/kit/json.ts'
import {
  type Done,
  type Failed,
  type Job,
  type JobFacts,
  type OnceOffer,
  type Refusal,
  refusal,
} from '@generation-gateway/kit/requests/job.ts'
import type { TranscribeRequest, TranscriptResult, TranscriptSegment } from '@generation-gateway/kit/requests/transcript.ts'
import { failed, failedAfterPay } from '../../shared/failed.ts'
import { excerptOf } from '../../shared/sound/excerpt.ts'
import { beforeSubmit } from '../../shared/upstream/before-submit.ts'
import { submitPaid } from '../../shared/upstream/paid-submit.ts'
import { countOf, secondsOf } from '../../shared/upstream/read-json.ts'
import { formBody } from '../../shared/upstream/sent-body.ts'
import type { ServiceTools } from '../../shared/upstream/service-driver.ts'
import { answerBehind } from '../../shared/upstream/upstream-failures.ts'
import { owner, settings } from './settings.ts'

const apiVersion = '2024-11-15'
const maxAnswerBytes = 64 * 1024 * 1024
const mostSpeakers = 35
/** Media types that interface R3 accepts (docs/interface/sound.md#r3); other recordings are
 *  converted. */
const takes: ReadonlySet<string> = new Set([
  ...['audio/wav', 'audio/mpeg', 'audio/ogg', 'audio/flac', 'audio/x-ms-wma'],
  ...['audio/aac', 'audio/amr', 'audio/amr-wb', 'audio/webm', 'audio/mp4'],
])
const modes = { kept: 'None', masked: 'Masked', removed: 'Removed', tagged: 'Tags' } as const

/** Returns the offer with which the driver serves `audio.transcribe`. A run sends one paid request
 *  and never repeats it, because the service has no idempotency key. */
export function transcriptions(tools: ServiceTools): OnceOffer<TranscribeRequest> {
  return once<TranscribeRequest>(
    async job => (await transcribe(tools, job)) ?? failed('invalid_request', 'audio: no language was identified.'),
    { refuses },
  )
}

export function refuses({ request }: JobFacts<TranscribeRequest>): Refusal | undefined {
  const { logprobs, prompt, speakers } = request
  if (logprobs) return refusal('logprobs', `are asked for; ${owner} gives none.`)
  if (prompt) return refusal('prompt', `is given; ${owner} takes none.`)
  if (speakers && speakers.names.length > 0) return refusal('speakers', `are known by samples; ${owner} takes none.`)
  return undefined
}

/** Returns the transcript; undefined when no language was identified. Throws as `submitPaid`
 *  does. */
export async function transcribe({ submits }: ServiceTools, job: Job<TranscribeRequest>): Promise<Done | Failed | undefined> {
  const target = settings.targetOf(job.settings)
  const input = await beforeSubmit(() => excerptOf(job, takes))
  const definition = JSON.stringify(definitionOf(job.request))
  try {
    return await submitPaid<Done | Failed>({
      ...{ submits, job, target, path: `/speechtotext/transcriptions:transcribe?api-version=${apiVersion}`, owner },
      body: formBody({ definition }, { field: 'audio', name: 'recording', input }),
      read: async answer => transcriptOf(objectOf(await answer.json(maxAnswerBytes)), job, input.durationSeconds ?? 0),
    })
  } catch (error) {
    const inner = objectOf(objectOf(answerBehind(error)?.body).innerError)
    if (error instanceof GatewayError && inner.code === 'NoLanguageIdentified') return undefined
    throw error
  }
}

function definitionOf({ languages, channels, speakers, profanity }: TranscribeRequest): JsonObject {
  return defined({
    locales: languages.length > 0 ? languages : undefined,
    channels,
    profanityFilterMode: modes[profanity],
    diarization: speakers ? { enabled: true, maxSpeakers: Math.min(mostSpeakers, Math.max(2, speakers.most ?? 10)) } : undefined,
  })
}

function transcriptOf(body: JsonObject, { request }: Pick<Job<TranscribeRequest>, 'request'>, sent: number): Done | Failed {
  if (!Array.isArray(body.combinedPhrases)) return failedAfterPay('upstream_error', `The answer of ${owner} has no phrases.`)
  const segments = objectsOf(body.phrases).map(phrase => segmentOf(phrase, request))
  const { durationMilliseconds: ms } = body
  const seconds = secondsOf(Number(ms) / 1000) ?? sent
  const report: TranscriptResult = {
    text: objectsOf(body.combinedPhrases)
      .flatMap(({ text }) => textOf(text) ?? [])
      .join(' '),
    language: segments[0]?.language ?? request.languages[0] ?? 'und',
    seconds,
    segments,
  }
  return { state: 'done', files: [], report: { ...report }, usage: [{ unit: 'seconds', units: seconds }] }
}

function segmentOf(phrase: JsonObject, { words: wantsWords }: TranscribeRequest): TranscriptSegment {
  const { text, locale, confidence, speaker, channel, words } = phrase
  return {
    text: textOf(text) ?? '',
    ...timesOf(phrase),
    ...defined({
      words: wantsWords ? objectsOf(words).map(word => ({ text: textOf(word.text) ?? '', ...timesOf(word) })) : undefined,
      speaker: typeof speaker === 'number' ? String(speaker) : undefined,
      channel: typeof channel === 'number' ? countOf(channel) : undefined,
      language: textOf(locale),
      confidence: typeof confidence === 'number' && confidence >= 0 && confidence <= 1 ? confidence : undefined,
    }),
  }
}

function timesOf({ offsetMilliseconds: from, durationMilliseconds: lasts }: JsonObject): { startSeconds: number; endSeconds: number } {
  const startSeconds = countOf(from) / 1000
  return { startSeconds, endSeconds: startSeconds + countOf(lasts) / 1000 }
}
