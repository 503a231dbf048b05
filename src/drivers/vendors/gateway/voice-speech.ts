/** Speech over T3 of another gateway: a voice by its id, as early as it is made. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { FieldName } from '@generation-gateway/kit/requests/field-names.ts'
import { type AskedJob, type Outcome, type Refusal, refusal } from '@generation-gateway/kit/requests/job.ts'
import type { SoundFormat, SpeechRequest } from '@generation-gateway/kit/requests/speech.ts'
import { refusalInWords, refusalOfCues, voiceOf } from '../../shared/sound/speech-words.ts'
import { encodedFrom, type SpeechJob, type SpeechPart, soundIn, spokenParts } from '../../shared/sound/spoken.ts'
import { submitPaidInParts } from '../../shared/upstream/paid-submit.ts'
import { present } from '../../shared/upstream/read-json.ts'
import { sentBody } from '../../shared/upstream/sent-body.ts'
import type { ServiceTools } from '../../shared/upstream/service-driver.ts'
import { settings } from './settings.ts'
import { gatewayName, soundTarget } from './sound-target.ts'

const words = {
  ...{ text: 'text', voice_id: 'voice', 'voice_settings.speed': 'speed', voice_settings: 'style', language_code: 'language' },
  ...{ previous_text: 'previousText', next_text: 'nextText', seed: 'seed', output_format: 'format' },
} as const satisfies Record<string, FieldName>
const slowest = 0.7
const fastest = 1.2
const mostSeed = 2 ** 32 - 1
/** The models that are told the language. */
const toldLanguage = /v2_5/
/** What is asked for where no format of the family fits, and encoded here. */
const plainRate = 24_000

export function refusesVoice({ request }: AskedJob<SpeechRequest>, voice: string | undefined): Refusal | undefined {
  const { speed, seed } = request
  if (voice === undefined) return refusal('voice', `is missing; ${gatewayName} needs one, or a usual one in the settings of the target.`)
  if (speed < slowest || speed > fastest) return refusal('speed', `is ${speed}; ${gatewayName} speaks at ${slowest} to ${fastest} (T3).`)
  if (seed !== undefined && !(seed >= 0 && seed <= mostSeed)) return refusal('seed', `is ${seed}; ${gatewayName} takes 0 to ${mostSeed}.`)
  return refusalOfCues(request, gatewayName)
}

export async function* speakInVoice({ submits, inspection }: ServiceTools, job: SpeechJob): AsyncGenerator<SpeechPart> {
  const { model, request, signal } = job
  const { upstream: target, waits } = soundTarget(job)
  const voice = encodeURIComponent(voiceOf(request, settings.targetOf(job.settings)) ?? '')
  const own = formatWord(request.format)
  const query = new URLSearchParams({
    output_format: own ?? `pcm_${plainRate}`,
    ...(request.isPrivate ? { enable_logging: 'false' } : {}),
  })
  try {
    const outcome = yield* submitPaidInParts<SpeechPart, Outcome>({
      ...{ upstream: submits, target, path: `/tts-e/text-to-speech/${voice}/stream?${query}`, model, owner: gatewayName, signal, ...waits },
      body: sentBody({ contentType: 'application/json', tail: Buffer.from(JSON.stringify(bodyOf(request, model))) }),
      read: answer => {
        const chunks = soundIn(answer, gatewayName)
        return spokenParts({
          chunks: own === undefined ? encodedFrom(chunks, { sampleRate: plainRate, job }) : chunks,
          ...{ job, inspection, owner: gatewayName },
        })
      },
    })
    yield { type: 'outcome', outcome }
  } catch (error) {
    throw refusalInWords(words, error)
  }
}

/** Rates of kbit/s, and of samples, that the family has names for (docs/interface/sound.md#t3). */
const mp3s: Readonly<Record<number, readonly number[]>> = { 22050: [32], 24000: [48], 44100: [32, 64, 96, 128, 192] }
const rawRates = [8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]
const usualMp3 = { sampleRate: 44_100, bitRate: 128_000 } as const

/** Undefined where the family has no such format. */
function formatWord({ container, ...asked }: SoundFormat): string | undefined {
  if (container === 'mp3') {
    const { sampleRate, bitRate } = { ...usualMp3, ...asked }
    return mp3s[sampleRate]?.includes(bitRate / 1000) ? `mp3_${sampleRate}_${bitRate / 1000}` : undefined
  }
  const { sampleRate } = asked
  if (container === 'ulaw' || container === 'alaw') return sampleRate === 8_000 ? `${container}_8000` : undefined
  if (container !== 'pcm' && container !== 'wav') return undefined
  const rate = sampleRate ?? plainRate
  return rawRates.includes(rate) ? `${container}_${rate}` : undefined
}

function bodyOf({ text, language, style, speed, seed, previousText, nextText }: SpeechRequest, model: string): JsonObject {
  const { stability, similarity, exaggeration, boost } = style ?? {}
  const voice = present({
    ...{ stability, similarity_boost: similarity, style: exaggeration, use_speaker_boost: boost },
    speed: speed === 1 ? undefined : speed,
  })
  return present({
    text,
    model_id: model,
    language_code: toldLanguage.test(model) ? language?.split('-')[0] : undefined,
    voice_settings: Object.keys(voice).length > 0 ? voice : undefined,
    ...{ seed, previous_text: previousText, next_text: nextText },
  })
}
