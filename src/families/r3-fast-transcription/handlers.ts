import { GatewayError, invalidField } from '@generation-gateway/kit/errors.ts'
import { localeOf } from '@generation-gateway/kit/languages.ts'
import type { TranscribeRequest, TranscriptResult, TranscriptSegment } from '@generation-gateway/kit/requests/transcript.ts'
import type { Static } from 'typebox'
import type { CallFile } from '../../contract/call-file.ts'
import type { CallContext } from '../../contract/context.ts'
import { type Input, implement } from '../../contract/family.ts'
import { resultOf } from '../../core/records/task.ts'
import { runToEnd } from '../shared/run-end.ts'
import { usualRecognition } from '../shared/usual-requests.ts'
import { channelProblem, profanityModes, r3, supportedLocales, tellsSpeakers, usualSpeakers } from './family.ts'

type Operation = (typeof r3)['operations']['transcribe']
type Definition = NonNullable<Input<Operation>['body']['definition']>
type Reply = Static<Operation['reply']['schema']>
type Phrase = Reply['phrases'][number]

const usualDefinition: Definition = { profanityFilterMode: 'Masked' }

export const r3Entry = implement(r3, { transcribe, transcribeForAzure: transcribe })

async function transcribe(
  context: CallContext,
  { body: { definition = usualDefinition }, files }: Pick<Input<Operation>, 'body' | 'files'>,
): Promise<Reply> {
  // These fields are ignored: they belong to later API versions, or have no meaning for this
  // gateway.
  for (const name of ['enhancedMode', 'models'].filter(each => Object.hasOwn(definition, each)))
    context.warn(`definition.${name} is not followed.`)
  const request = requestOf(definition, files)
  const task = await runToEnd(context, { capability: 'audio.transcribe', request, inputs: files })
  return replyOf(request, resultOf(task, 'audio.transcribe'))
}

function requestOf(
  { locales = [], diarization, phraseList, profanityFilterMode, ...asked }: Definition,
  files: readonly CallFile[],
): TranscribeRequest {
  const languages = locales.flatMap(name => supportedLocales.find(locale => locale.toLowerCase() === name.trim().toLowerCase()) ?? [])
  const isDiarized = tellsSpeakers(diarization)
  const channels = channelsOf(asked.channels, { isDiarized, audio: files.find(({ role }) => role === 'audio') })
  return {
    ...usualRecognition,
    languages: [...new Set(languages)],
    ...(phraseList && phraseList.phrases.length > 0 ? { prompt: phraseList.phrases.join(', ') } : {}),
    words: true,
    profanity: profanityModes[profanityFilterMode],
    ...(isDiarized ? { speakers: { most: diarization?.maxSpeakers ?? usualSpeakers, names: [] } } : {}),
    ...(channels ? { channels } : {}),
  }
}

/** Returns the channels to transcribe; undefined means that all channels are mixed into one, as for
 *  a mono recording (docs/interface/sound.md#r3). Throws `invalid_request` for channels that
 *  `channelProblem` refuses. */
function channelsOf(
  channels: number[] = [],
  { isDiarized, audio }: { isDiarized: boolean; audio: CallFile | undefined },
): number[] | undefined {
  if (channels.length === 0 || audio?.channels === 1) return undefined
  const problem = channelProblem(channels, { isDiarized, audio })
  if (problem) throw invalidField(problem.field, problem.message, problem.id)
  return channels
}

function replyOf(request: TranscribeRequest, result: TranscriptResult): Reply {
  const segments = result.segments.toSorted((a, b) => a.startSeconds - b.startSeconds)
  // Without speech the language is unknown, unless the request names only one.
  if (segments.length === 0 && request.languages.length !== 1)
    throw new GatewayError(
      'language_not_identified',
      'No language was identified: the recording has no speech. Naming one in definition.locales helps where it has.',
      {
        field: 'definition.locales',
      },
    )
  const speakers = [...new Set(segments.map(({ speaker }) => speaker))]
  return {
    durationMilliseconds: toMs(result.seconds),
    combinedPhrases: combined(request, result, segments),
    phrases: segments.map(segment => ({
      ...phraseOf(segment, localeIn(segment.language ?? result.language, request)),
      ...(request.channels && segment.channel !== undefined ? { channel: segment.channel } : {}),
      ...(request.speakers ? { speaker: speakers.indexOf(segment.speaker) + 1 } : {}),
    })),
  }
}

function combined(
  { channels }: TranscribeRequest,
  { text }: TranscriptResult,
  segments: readonly TranscriptSegment[],
): Reply['combinedPhrases'] {
  if (!channels) return text === '' ? [] : [{ text }]
  return channels.map(channel => ({
    channel,
    text: segments
      .filter(segment => segment.channel === channel)
      .map(segment => segment.text.trim())
      .join(' '),
  }))
}

function phraseOf({ text, startSeconds, endSeconds, words = [], confidence }: TranscriptSegment, locale: string): Phrase {
  const reported = words.flatMap(word => word.confidence ?? [])
  const mean = reported.reduce((sum, each) => sum + each, 0) / Math.max(1, reported.length)
  return {
    ...placeOf(startSeconds, endSeconds),
    text: text.trim(),
    words: words.map(word => ({ text: word.text.trim(), ...placeOf(word.startSeconds, word.endSeconds) })),
    locale,
    confidence: confidence ?? mean,
  }
}

/** Returns the locale of a language: from the request's locales if one matches, else from those
 *  that the interface supports. A language without a locale is returned unchanged. */
function localeIn(language: string, { languages }: TranscribeRequest): string {
  return localeOf(language, languages) ?? localeOf(language, ['en-US', ...supportedLocales]) ?? language
}

function placeOf(start: number, end: number): { offsetMilliseconds: number; durationMilliseconds: number } {
  return { offsetMilliseconds: toMs(start), durationMilliseconds: toMs(end) - toMs(start) }
}

function toMs(seconds: number): number {
  return Math.round(seconds * 1000)
}
