/** Sends a text to be spoken and streams its sound. */
import { hash } from 'node:crypto'
import { defined } from '@generation-gateway/kit/defined.ts'
import { streamed } from '@generation-gateway/kit/driver.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { type JobFacts, type Outcome, type Refusal, refusal, type StreamedOffer } from '@generation-gateway/kit/requests/job.ts'
import type { ServiceSound, SpeechEvent, SpeechRequest } from '@generation-gateway/kit/requests/speech.ts'
import { mostTokens } from '@generation-gateway/kit/requests/text.ts'
import { type SpeechJob, type SpeechPart, spokenParts } from '../../shared/sound/speech-parts.ts'
import { refusalOfSpeech, voiceOf } from '../../shared/sound/speech-words.ts'
import { jsonBody } from '../../shared/upstream/sent-body.ts'
import type { ServiceTools } from '../../shared/upstream/service-driver.ts'
import { headerOf } from '../../shared/upstream/upstream-failures.ts'
import { formatPlan } from './formats.ts'
import { owner, settings } from './settings.ts'

const words = {
  text: 'text',
  voice_id: 'voice',
  voice_settings: 'style',
  'voice_settings.speed': 'speed',
  language_code: 'language',
  seed: 'seed',
  output_format: 'format',
} as const
const limits = { owner, slowest: 0.7, fastest: 1.2 }

/** Returns the offer with which the driver serves `speech.synthesize`. A run sends one paid request
 *  and never repeats it, because the service has no idempotency key. */
export function speechRuns(tools: ServiceTools): StreamedOffer<SpeechRequest, SpeechEvent> {
  return streamed<SpeechRequest, SpeechEvent>(job => speak(tools, job), {
    follows: ['style', 'isPrivate', 'previousText', 'nextText'],
    refuses,
  })
}

function refuses({ request, settings: given }: JobFacts<SpeechRequest>): Refusal | undefined {
  const target = settings.targetOf(given)
  const voice = voiceOf(request, target)
  // As a segment of a path, these two names lead to another path of the service.
  if (voice === '.' || voice === '..') return refusal('voice', `is ${voice}; ${owner} has no such voice.`)
  return refusalOfSpeech(request, target, limits)
}

function speak(tools: ServiceTools, job: SpeechJob): AsyncGenerator<SpeechPart> {
  const { request } = job
  const model = modelName(job.model)
  const target = settings.targetOf(job.settings)
  const { name, encodeFrom } = formatPlan(request.format)
  const service = serviceName(target)
  const query = new URLSearchParams({ output_format: name, ...(request.isPrivate ? { enable_logging: 'false' } : {}) })
  // A URL cannot contain half of a surrogate pair. The service does not know such a voice anyway.
  const voice = encodeURIComponent(voiceOf(request, target)?.toWellFormed() ?? '')
  return spokenParts(
    tools,
    { ...job, model },
    {
      ...{ target, path: `/v1/text-to-speech/${voice}/stream?${query}`, owner, encodeFrom, words },
      body: jsonBody(bodyOf(request, { model, service })),
      ended: (outcome, { headers }) => {
        const costed = withCost(outcome, headerOf(headers, 'character-cost'))
        return request.isPrivate ? costed : withSound(costed, { service, id: headerOf(headers, 'request-id') })
      },
    },
  )
}

/** Returns the vendor's name of a model; the gateway's interface has other names for some models
 *  (docs/vendors/elevenlabs.md#models). */
function modelName(model: string): string {
  return model.startsWith('tts_') ? `eleven_${model.slice(4)}` : model
}

/** Returns a name for the vendor's account that this target uses. The name is stored with the id of
 *  each sound, because the vendor knows the id only under that account. */
function serviceName({ upstream: { origin, headers } }: ReturnType<typeof settings.targetOf>): string {
  return `elevenlabs ${origin} ${hash('sha256', headers.join('\n')).slice(0, 12)}`
}

/** Returns the ids of the given sounds. Undefined when no sounds are given, when one of them was
 *  created under another account, and for private requests, which must not refer to stored
 *  sounds. */
function idsOf({ isPrivate }: SpeechRequest, sounds: readonly ServiceSound[] | undefined, service: string): string[] | undefined {
  if (!sounds || isPrivate || sounds.some(sound => sound.service !== service)) return undefined
  return sounds.map(({ id }) => id)
}

function bodyOf(request: SpeechRequest, { model, service }: { model: string; service: string }): JsonObject {
  const { text, language, style, speed, seed, previousText, nextText } = request
  const before = idsOf(request, request.previousSounds, service)
  const after = idsOf(request, request.nextSounds, service)
  const { stability, similarity, exaggeration, boost } = style ?? {}
  const voice = defined({
    stability,
    similarity_boost: similarity,
    style: exaggeration,
    use_speaker_boost: boost,
    speed: speed === 1 ? undefined : speed,
  })
  return defined({
    text,
    model_id: model,
    // Only these models accept `language_code`; other models refuse it and detect the language
    // themselves.
    language_code: /v2_5|v3/.test(model) ? language?.split('-')[0] : undefined,
    voice_settings: Object.keys(voice).length > 0 ? voice : undefined,
    seed,
    // The service ignores texts when ids are sent, so the texts are left out then.
    previous_text: before ? undefined : previousText,
    next_text: after ? undefined : nextText,
    previous_request_ids: before,
    next_request_ids: after,
  })
}

/** Returns the outcome with the number of characters that the vendor charged, because some models
 *  charge only half of the text's characters. A cost that is not a possible count is ignored. */
function withCost(done: Outcome, cost: string | undefined): Outcome {
  const units = Number(cost)
  if (done.state !== 'done' || !cost || !(units >= 0 && units <= mostTokens)) return done
  return { ...done, usage: [{ unit: 'characters', units }] }
}

function withSound(done: Outcome, { service, id }: { service: string; id: string | undefined }): Outcome {
  return done.state === 'done' && id !== undefined ? { ...done, report: { ...done.report, sound: { service, id } } } : done
}
