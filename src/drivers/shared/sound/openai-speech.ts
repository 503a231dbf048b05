/** `speech.synthesize` over OpenAI's `POST /audio/speech`: the answer is the sound, streamed to the
 *  caller (docs/vendors/openai-audio.md#speech). */
import { streamed } from '@generation-gateway/kit/driver.ts'
import type { JobFacts, Refusal, StreamedOffer } from '@generation-gateway/kit/requests/job.ts'
import { refusal } from '@generation-gateway/kit/requests/job.ts'
import type { SpeechEvent, SpeechRequest } from '@generation-gateway/kit/requests/speech.ts'
import { submitPaidInParts } from '../upstream/paid-submit.ts'
import { present } from '../upstream/read-json.ts'
import { sentBody } from '../upstream/sent-body.ts'
import type { ServiceTools } from '../upstream/service-driver.ts'
import type { Waits } from '../upstream/service-settings.ts'
import type { UpstreamTarget } from '../upstream/upstream-target.ts'
import { encodedFrom, type SpeechJob, type SpeechPart, soundIn, speechParts } from './speech-parts.ts'
import { refusalInWords, refusalOfCues, type VoiceFactsOfTarget, voiceOf } from './speech-words.ts'

/** A service that offers this path. */
export interface SpeechService {
  /** The owner of the service, as messages name it. */
  owner: string
  /** The upstream, waits and voices for this request. */
  targetOf(requested: Pick<SpeechJob, 'settings' | 'request'>): VoiceFactsOfTarget & { upstream: UpstreamTarget; waits: Waits }
}

const words = { input: 'text', voice: 'voice', speed: 'speed', instructions: 'instructions', response_format: 'format' } as const
/** Formats that the service encodes itself; `pcm` is at 24 kHz. */
const ownFormats: ReadonlySet<string> = new Set(['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'])
const pcmRate = 24_000
const fastest = 4
const slowest = 0.25

/** The offer. Its calls are paid and cannot be repeated, because the interface has no idempotency
 *  key. Formats that the service cannot encode are encoded here. */
export function openaiSpeech(tools: ServiceTools, service: SpeechService): StreamedOffer<SpeechRequest, SpeechEvent> {
  return streamed<SpeechRequest, SpeechEvent>(job => speakOpenai(tools, service, job), {
    follows: ['instructions'],
    refuses: jobFacts => refusesOpenai(service, jobFacts),
  })
}

/** Refuses requests that the path has no field for. */
export function refusesOpenai({ owner, targetOf }: SpeechService, jobFacts: JobFacts<SpeechRequest>): Refusal | undefined {
  const { request } = jobFacts
  if (voiceOf(request, targetOf(jobFacts)) === undefined)
    return refusal('voice', `is missing; ${owner} needs one, or a usual one in the settings of the target.`)
  const { speed } = request
  if (speed < slowest || speed > fastest) return refusal('speed', `is ${speed}; ${owner} speaks at ${slowest} to ${fastest}.`)
  return refusalOfCues(request, owner)
}

/** Sends the request and yields the sound. Throws the errors of `submitPaidInParts`. */
export async function* speakOpenai(
  { submits, inspection }: ServiceTools,
  { owner, targetOf }: SpeechService,
  job: SpeechJob,
): AsyncGenerator<SpeechPart> {
  const { model, request, signal } = job
  const { text, format, speed, instructions } = request
  const target = targetOf(job)
  const isOwn = ownFormats.has(format.container) && format.bitRate === undefined && (format.sampleRate ?? pcmRate) === pcmRate
  const response_format = isOwn ? format.container : 'pcm'
  const fields = present({
    model,
    input: text,
    voice: voiceOf(request, target),
    response_format,
    speed: speed === 1 ? undefined : speed,
    instructions,
  })
  try {
    const outcome = yield* submitPaidInParts({
      ...{ upstream: submits, target: target.upstream, path: '/audio/speech', model, owner, signal, ...target.waits },
      body: sentBody({ contentType: 'application/json', tail: Buffer.from(JSON.stringify(fields)) }),
      read: answer => {
        const chunks = soundIn(answer, owner)
        return speechParts({ chunks: isOwn ? chunks : encodedFrom(chunks, { sampleRate: pcmRate, job }), job, inspection, owner })
      },
    })
    yield { type: 'outcome', outcome }
  } catch (error) {
    throw refusalInWords(words, error)
  }
}
