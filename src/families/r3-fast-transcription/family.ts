/** Family R3 (docs/interface/sound.md#r3): synchronous transcription. The answer contains phrases
 *  and the words of each phrase (docs/vendors/azure-speech.md#fast-transcription). */

import type { ErrorCode } from '@generation-gateway/kit/errors.ts'
import type { FileFacts } from '@generation-gateway/kit/requests/capability.ts'
import type { FieldNames } from '@generation-gateway/kit/requests/field-names.ts'
import { dayMs, hourMs, minuteMs } from '@generation-gateway/kit/units.ts'
import Type from 'typebox'
import { transcriptionFailures } from '../../contract/description/error-answers.ts'
import { defineFamily, operation } from '../../contract/family.ts'
import type { BrokenRule } from '../../contract/neutral-call.ts'
import { inputsOf, neutralForm } from '../../contract/neutral-form.ts'
import type { Rule } from '../../contract/operation.ts'
import { namedObject, optional, words } from '../../contract/schemas.ts'
import { modelField } from '../shared/common-fields.ts'
import { exampleSound, soundField, soundUrl } from '../shared/sound-fields.ts'
import { failure } from './failure.ts'

/** The API version that the interface documents. Any other version is accepted as well, because
 *  later versions only add fields. */
const apiVersion = '2024-11-15'

/** Locales of the interface (docs/interface/sound.md#r3). Any other locale in a request is
 *  ignored. */
export const supportedLocales = 'de-DE en-IN en-US es-ES es-MX fr-FR hi-IN it-IT ja-JP ko-KR pt-BR zh-CN'.split(' ')
export const profanityModes = { None: 'kept', Masked: 'masked', Removed: 'removed', Tags: 'tagged' } as const
export type ProfanityMode = keyof typeof profanityModes
const mostChannels = 2
/** Largest number of speakers that diarization distinguishes by default. */
export const usualSpeakers = 10

const audioUrl = (description: string) => soundUrl({ source: 'ours', description })
const oneUrl = (description: string) => optional.array(audioUrl(''), { minItems: 1, maxItems: 1, source: 'ours', description })

const definition = namedObject('FastTranscriptionDefinition', {
  audioUrl: Type.Optional(audioUrl('Where the recording is, in the place of `audio`.')),
  contentUrls: oneUrl('The same as a list of one.'),
  content_urls: oneUrl('The same in another spelling.'),
  channels: optional.array(Type.Integer(), {
    description: `From 0, each transcribed by itself; absent: all mixed. Different ones that the recording has: at most ${mostChannels}, with diarization one. For a mono recording they are ignored, whatever they are.`,
  }),
  diarization: optional.object({
    enabled: optional.boolean({ description: 'Phrases then have their speaker. Absent: true if maxSpeakers is set.' }),
    maxSpeakers: optional.integer({ minimum: 2, maximum: 35, description: `Speakers at most; ${usualSpeakers} when absent.` }),
  }),
  locales: optional.array(Type.String({ maxLength: 100 }), {
    maxItems: 100,
    description: `Expected locales: ${supportedLocales.join(', ')}. One forces it, of several it is told; others are left out. Without any it is told from the speech.`,
  }),
  phraseList: optional.object({
    phrases: Type.Array(Type.String({ maxLength: 1_000 }), { maxItems: 1_000, description: 'Words that are to be expected.' }),
  }),
  profanityFilterMode: words(Object.keys(profanityModes) as ProfanityMode[], {
    default: 'Masked',
    description: 'What becomes of swear words.',
  }),
})

const body = Type.Object({
  audio: Type.Optional(
    soundField(
      'The recording, unless the definition has its URL: WAV (also A-law and mu-law), MP3, Opus or Speex in Ogg, FLAC, WMA, AAC, AMR, WebM, M4A. In JSON base64, a data URL or an http(s) URL.',
    ),
  ),
  definition: Type.Optional(definition),
  model: modelField(),
})

interface RuleFields {
  audio?: string
  definition?: {
    audioUrl?: string
    contentUrls?: string[]
    content_urls?: string[]
  }
}

const rules: Rule<RuleFields>[] = [
  {
    id: 'audio-there',
    says: 'There is audio, or its URL in the definition.',
    field: 'audio',
    holds: body => recordingsIn(body) > 0,
    explain: () => 'audio is required, or definition.audioUrl.',
  },
  {
    id: 'audio-once',
    says: 'The recording is one: audio, audioUrl or contentUrls.',
    field: 'definition.audioUrl',
    source: 'ours',
    holds: body => recordingsIn(body) < 2,
    explain: body => `The request has ${recordingsIn(body)} recordings; one, as audio, definition.audioUrl or definition.contentUrls.`,
  },
]

const recordingForm = neutralForm({
  capabilities: ['audio.transcribe'],
  rules,
  bodyOf: () => ({ audio: '' }),
  problem: call =>
    channelProblem(call.request.channels ?? [], { isDiarized: call.request.speakers !== undefined, audio: inputsOf(call, 'audio')[0] }),
})

/** Returns what is wrong with the requested channels: one does not exist in the recording, one is
 *  named twice, there are more than two, or there are several together with diarization. Undefined
 *  when nothing is wrong. */
export function channelProblem(
  channels: readonly number[],
  { isDiarized, audio }: { isDiarized: boolean; audio: Pick<FileFacts, 'channels'> | undefined },
): BrokenRule | undefined {
  const field = 'definition.channels'
  const { channels: most = Number.POSITIVE_INFINITY } = audio ?? {}
  const missing = channels.find(channel => channel < 0 || channel >= most)
  if (missing !== undefined) {
    const message = `${field} has ${missing}; the recording has the channels 0 to ${(audio?.channels ?? 1) - 1}.`
    return { id: 'channel', field, message }
  }
  const seen = new Set<number>()
  const twice = channels.find(channel => seen.size === seen.add(channel).size)
  if (twice !== undefined) return { id: 'channels-once', field, message: `${field} has ${twice} twice; channels are different ones.` }
  if (!isDiarized && channels.length > mostChannels) {
    const message = `${field} has ${channels.length} channels; without diarization at most ${mostChannels}.`
    return { id: 'channels-at-most', field, message }
  }
  if (!isDiarized || channels.length < 2) return undefined
  const message = `${field} has ${channels.length} channels; with diarization the recording is taken mixed, or one of them.`
  return { id: 'diarized-channels', field, message }
}

/** Returns true when the request asks to distinguish speakers. When `enabled` is absent,
 *  `maxSpeakers` alone counts as such a request, because clients often send only this number. */
export function tellsSpeakers(diarization: { enabled?: boolean; maxSpeakers?: number } = {}): boolean {
  return diarization.enabled ?? diarization.maxSpeakers !== undefined
}

function recordingsIn({ audio, definition }: RuleFields): number {
  return [audio, definition?.audioUrl, definition?.contentUrls, definition?.content_urls].filter(each => each !== undefined).length
}

const ms = (description: string) => Type.Integer({ unit: 'ms', description })
const channel = optional.integer({ description: 'Where channels were asked for.' })

const reply = namedObject('FastTranscription', {
  durationMilliseconds: ms('Of the recording.'),
  combinedPhrases: Type.Array(namedObject('FastTranscriptionText', { channel, text: Type.String() }), {
    description: 'The whole text of each channel.',
  }),
  phrases: Type.Array(
    namedObject('FastTranscriptionPhrase', {
      channel,
      speaker: optional.integer({ description: 'From 1, with diarization.' }),
      offsetMilliseconds: ms('Where it begins.'),
      durationMilliseconds: ms('How long it is.'),
      text: Type.String(),
      words: Type.Array(
        namedObject('FastTranscriptionWord', {
          text: Type.String(),
          offsetMilliseconds: ms('Where it begins.'),
          durationMilliseconds: ms('How long it is.'),
        }),
      ),
      locale: Type.String(),
      confidence: Type.Number({ description: '0 to 1; 0 where the model does not tell it.' }),
    }),
  ),
})

const fieldNames: FieldNames = {
  languages: 'definition.locales',
  channels: 'definition.channels',
  speakers: 'definition.diarization',
  profanity: 'definition.profanityFilterMode',
}

const failures: readonly ErrorCode[] = [...transcriptionFailures, 'language_not_identified']

/** The members that the operation at the interface's path and the one for Azure's clients have in
 *  common. */
const transcribe = {
  method: 'POST' as const,
  summary: 'Transcribe a recording at once',
  description: '`definition` is JSON, as a text, a JSON part or a file part. `Ocp-Apim-Subscription-Key` carries the access key as well.',
  choosesModel: true,
  body: { kinds: ['multipart', 'json'] as const, schema: body },
  rules,
  neutralForm: recordingForm,
  failsWith: failures,
  reply: { schema: reply },
  examples: [
    {
      title: 'A recording in English',
      query: { 'api-version': apiVersion },
      body: { audio: exampleSound, definition: { locales: ['en-US'], profanityFilterMode: 'Masked' } },
      reply: { durationMilliseconds: 10, combinedPhrases: [], phrases: [] },
    },
  ],
}

export const r3 = defineFamily({
  id: 'R3',
  title: 'Fast transcription',
  source: 'docs/interface/sound.md#r3',
  description:
    'What is said in a recording, in phrases with the times of their words, channel by channel or with its speakers. A recording without speech has no phrases; where its language was to be told from it, that is an error. Each call is a task behind its answer: with an `Idempotency-Key` a repeat finds it.',
  models: [{ id: 'fast-transcription', title: 'Fast transcription', capability: 'audio.transcribe' }],
  fieldNames,
  deadlineMs: 10 * minuteMs,
  linkLifetimeMs: hourMs,
  keepMs: dayMs,
  failure,
  operations: {
    transcribe: operation({
      ...transcribe,
      operationId: 'transcribeFast',
      path: '/v1/ai/{endpoint}/speechtotext/transcriptions:transcribe',
      query: Type.Object({ 'api-version': Type.Literal(apiVersion, { description: 'Version of the interface.' }) }),
    }),
    transcribeForAzure: operation({
      ...transcribe,
      operationId: 'transcribeFastForAzure',
      path: '/speechtotext/transcriptions:transcribe',
      source: 'ours',
      query: Type.Object({
        'api-version': Type.String({
          minLength: 1,
          maxLength: 64,
          examples: [apiVersion],
          description: `Any, because Azure's clients send their own; what is answered is that of ${apiVersion}.`,
        }),
      }),
    }),
  },
})
