/** Translates the names that a service uses for the fields of a speech request into the neutral
 *  ones. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { FieldName } from '@generation-gateway/kit/requests/field-names.ts'
import { type Refusal, refusal } from '@generation-gateway/kit/requests/job.ts'
import type { SpeechRequest } from '@generation-gateway/kit/requests/speech.ts'
import Type from 'typebox'
import { settingText, settingTexts } from '../upstream/service-settings.ts'

/** Returns the upstream's refusal with the neutral name of its field. A name that is not in
 *  `words` is left out. Any other error is returned unchanged. */
export function refusalInWords(words: Readonly<Record<string, FieldName>>, error: unknown): unknown {
  if (!(error instanceof GatewayError) || error.field === undefined) return error
  const field = Object.hasOwn(words, error.field) ? words[error.field] : undefined
  return error.inWords(field, error.message)
}

/** Settings of targets that synthesize speech. */
export const voiceSettings = {
  voices: Type.Optional(
    Type.Record(Type.String(), Type.String({ minLength: 1 }), {
      description: "The service's own name of each voice that callers may name; others are sent as they are.",
    }),
  ),
  voice: Type.Optional(Type.String({ minLength: 1, description: 'The voice of requests that name none.' })),
}

export interface VoiceFactsOfTarget {
  voices: Readonly<Record<string, string>>
  voice: string | undefined
}

/** Returns the voice settings of a target: names of voices, and the default voice. */
export function voiceFacts({ voices, voice }: Readonly<Record<string, unknown>>): VoiceFactsOfTarget {
  return { voices: settingTexts(voices), voice: settingText(voice) }
}

/** Returns the service's own name for the requested voice; undefined when neither the caller nor
 *  the settings name one. */
export function voiceOf({ voice }: Pick<SpeechRequest, 'voice'>, target: VoiceFactsOfTarget): string | undefined {
  const name = voice ?? target.voice
  if (name === undefined) return undefined
  return Object.hasOwn(target.voices, name) ? target.voices[name] : name
}

interface SpeechLimits {
  /** The name of the service in messages. */
  owner: string
  /** Slowest and fastest speed of speech that the service accepts; 1 is normal speed. */
  slowest: number
  fastest: number
}

/** Returns the refusal of a request without a voice, with a speed outside the limits, or with
 *  subtitles, stage directions or a volume; undefined for other requests. It is meant for
 *  services that speak one text at one loudness. */
export function refusalOfSpeech(request: SpeechRequest, target: VoiceFactsOfTarget, limits: SpeechLimits): Refusal | undefined {
  const { owner, slowest, fastest } = limits
  const { speed, cues, passages, volume } = request
  if (voiceOf(request, target) === undefined)
    return refusal('voice', `is missing; ${owner} needs one, or a usual one in the settings of the target.`)
  if (speed < slowest || speed > fastest) return refusal('speed', `is ${speed}; ${owner} speaks at ${slowest} to ${fastest}.`)
  if (cues) return refusal('cues', `are subtitles; ${owner} speaks texts without times.`)
  if (passages) return refusal('passages', `have stage directions; ${owner} speaks texts without them.`)
  return volume === 0 ? undefined : refusal('volume', `is ${volume}; ${owner} has one loudness.`)
}
