/** What services call the parts of a request for speech. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { FieldName } from '@generation-gateway/kit/requests/field-names.ts'
import { type Refusal, refusal } from '@generation-gateway/kit/requests/job.ts'
import type { SpeechRequest } from '@generation-gateway/kit/requests/speech.ts'
import Type from 'typebox'
import { settingText, settingTexts } from '../upstream/service-settings.ts'

/** A refusal of the upstream with its field in our words; a field that is none of the request's is not named. Anything else is as it was. */
export function refusalInWords(words: Readonly<Record<string, FieldName>>, error: unknown): unknown {
  if (!(error instanceof GatewayError) || error.field === undefined) return error
  const field = Object.hasOwn(words, error.field) ? words[error.field] : undefined
  return error.inWords(field, error.message)
}

/** Settings of targets that speak. */
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

/** What follows from them. */
export function voiceFacts({ voices, voice }: Readonly<Record<string, unknown>>): VoiceFactsOfTarget {
  return { voices: settingTexts(voices), voice: settingText(voice) }
}

/** The service's own name of the voice that is asked for; undefined where neither the caller nor the settings name one. */
export function voiceOf({ voice }: Pick<SpeechRequest, 'voice'>, target: VoiceFactsOfTarget): string | undefined {
  const name = voice ?? target.voice
  if (name === undefined) return undefined
  return Object.hasOwn(target.voices, name) ? target.voices[name] : name
}

/** What services that speak one text at one loudness cannot do. */
export function refusalOfCues({ cues, passages, volume }: SpeechRequest, owner: string): Refusal | undefined {
  if (cues) return refusal('cues', `are subtitles; ${owner} speaks texts without times.`)
  if (passages) return refusal('passages', `have stage directions; ${owner} speaks texts without them.`)
  return volume === 0 ? undefined : refusal('volume', `is ${volume}; ${owner} has one loudness.`)
}
