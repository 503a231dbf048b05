import { defined } from '@generation-gateway/kit/defined.ts'
import { languageName } from '@generation-gateway/kit/languages.ts'
import type {
  TranscribeRequest,
  TranscriptResult,
  TranscriptSegment,
  TranslateResult,
} from '@generation-gateway/kit/requests/transcript.ts'
import type { Static } from 'typebox'
import type { CallContext } from '../../contract/context.ts'
import { type Input, implement } from '../../contract/family.ts'
import { type OtherReply, StreamedReply, TextReply } from '../../contract/replies.ts'
import { resultOf } from '../../core/records/task.ts'
import { runToEnd } from '../shared/run-end.ts'
import { r1 } from './family.ts'
import { translatedTo, wantsWords } from './rules.ts'
import type { Format, transcriptionReply, translationReply } from './schema.ts'
import { transcribeScribe } from './scribe-handler.ts'
import { diarized, rounded } from './segments.ts'
import { framesOf } from './stream.ts'
import { srt, vtt } from './subtitles.ts'
import { durationUsage, tokenUsage } from './usage.ts'

type Operations = (typeof r1)['operations']
type Body = Input<Operations['transcribe']>['body']
type TranslationBody = Input<Operations['translate']>['body']
type Verbose = Extract<Static<typeof translationReply>, { duration: number }>

export const r1Entry = implement(r1, {
  transcribe: async (context, { body, files }) => {
    const submission = { capability: 'audio.transcribe', request: requestOf(context, body), inputs: files } as const
    if (submission.request.early)
      return new StreamedReply(framesOf(context.run(submission), { prompt: body.prompt, tellsSpeakers: tellsSpeakers(context, body) }))
    if (body.stream) context.warn('stream: this model answers in one piece.')
    return transcription(context, body, resultOf(await runToEnd(context, submission), 'audio.transcribe'))
  },
  translate: async (context, { body, files }) => {
    const request = { ...plainRequest(body, body.response_format), targets: [translatedTo] }
    const task = await runToEnd(context, { capability: 'audio.translate', request, inputs: files })
    return translation(body, resultOf(task, 'audio.translate'))
  },
  scribe: transcribeScribe,
})

function requestOf(context: CallContext, body: Body): TranscribeRequest {
  const { language, include, chunking_strategy: chunking, known_speaker_names: names = [] } = body
  const request = plainRequest(body, body.response_format)
  request.words ||= wantsWords(body)
  request.logprobs = include?.includes('logprobs') === true
  if (body.stream && !isOlder(context)) request.early = true
  if (language !== undefined) request.languages = [language]
  if (tellsSpeakers(context, body)) request.speakers = { names }
  if (chunking !== undefined) request.voiceActivity = activityOf(chunking)
  return request
}

function plainRequest({ prompt, temperature }: Pick<Body, 'prompt' | 'temperature'>, format: Format): TranscribeRequest {
  const isTimed = format === 'srt' || format === 'vtt'
  return { languages: [], ...(prompt ? { prompt } : {}), temperature, words: isTimed, logprobs: false, profanity: 'kept' }
}

function activityOf(chunking: NonNullable<Body['chunking_strategy']>): NonNullable<TranscribeRequest['voiceActivity']> {
  if (chunking === 'auto') return {}
  const { threshold, silence_duration_ms: silenceMs, prefix_padding_ms: paddingMs } = chunking
  return defined({ threshold, silenceMs, paddingMs })
}

function isOlder({ model }: CallContext): boolean {
  return model.group === 'basic'
}

function tellsSpeakers({ model }: CallContext, { response_format }: Body): boolean {
  return model.group === 'diarize' || response_format === 'diarized_json'
}

function transcription(context: CallContext, body: Body, result: TranscriptResult): Static<typeof transcriptionReply> | OtherReply {
  const { text, seconds, segments, logprobs } = result
  const usage = isOlder(context) ? durationUsage(result) : tokenUsage(result, body.prompt)
  if (body.response_format === 'diarized_json')
    return { task: 'transcribe', duration: rounded(seconds), text, segments: segments.map(diarized), usage }
  const other = inForm(body.response_format, text, segments)
  if (other) return other
  if (body.response_format !== 'verbose_json') return { text, ...(logprobs ? { logprobs } : {}), usage }
  const { timestamp_granularities: wanted = ['segment'] } = body
  const hasSegments = wanted.some(each => each === 'segment' || each === 'sentence')
  return {
    ...verbose('transcribe', text, result),
    ...(wanted.includes('word') ? { words: wordsOf(segments) } : {}),
    ...(hasSegments ? { segments: segments.map((segment, id) => verboseSegment(segment, id, body.temperature)) } : {}),
    usage,
  }
}

function translation(
  { response_format: format, temperature }: TranslationBody,
  result: TranslateResult,
): Static<typeof translationReply> | OtherReply {
  const text = result.translations.en ?? ''
  const segments = result.translatedSegments?.en ?? wholeSegment(text, result)
  const other = inForm(format, text, segments)
  if (other) return other
  const usage = durationUsage(result)
  if (format !== 'verbose_json') return { text, usage }
  const inEnglish = { ...result, language: 'en' }
  return {
    ...verbose('translate', text, inEnglish),
    segments: segments.map((segment, id) => verboseSegment(segment, id, temperature)),
    usage,
  }
}

/** Returns the translated text as one segment, from the start of the first segment of the
 *  recording to the end of the last; empty when there is no text. */
function wholeSegment(text: string, { segments }: TranscriptResult): TranscriptSegment[] {
  const [first, last] = [segments[0], segments.at(-1)]
  return first && last && text !== '' ? [{ text, startSeconds: first.startSeconds, endSeconds: last.endSeconds }] : []
}

/** Returns the answer in a format other than JSON; undefined for JSON. */
function inForm(format: Format, text: string, segments: readonly TranscriptSegment[]): TextReply | undefined {
  if (format === 'text') return new TextReply('text/plain', `${text}\n`)
  if (format === 'srt') return new TextReply('application/x-subrip', srt(segments))
  return format === 'vtt' ? new TextReply('text/vtt', vtt(segments)) : undefined
}

function verbose(task: Verbose['task'], text: string, { language, seconds }: TranscriptResult): Verbose {
  return { task, language: languageName(language) ?? language, duration: rounded(seconds), text }
}

function wordsOf(segments: readonly TranscriptSegment[]): NonNullable<Verbose['words']> {
  const words = segments.flatMap(segment => segment.words ?? [])
  return words.map(({ text, startSeconds, endSeconds }) => ({ word: text, start: rounded(startSeconds), end: rounded(endSeconds) }))
}

function verboseSegment(segment: TranscriptSegment, id: number, temperature: number): NonNullable<Verbose['segments']>[number] {
  const { text, startSeconds, endSeconds, tokens = [], averageLogprob = 0, compressionRatio = 0, noSpeechProbability = 0 } = segment
  return {
    ...{ id, seek: 0, start: rounded(startSeconds), end: rounded(endSeconds), text, tokens, temperature },
    ...{ avg_logprob: averageLogprob, compression_ratio: compressionRatio, no_speech_prob: noSpeechProbability },
  }
}
