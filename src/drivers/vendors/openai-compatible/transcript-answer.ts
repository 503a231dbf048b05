/** Reads the answers of OpenAI's transcription interface, which are a stream of events or one JSON
 *  object (docs/vendors/openai-audio.md#transcription-answers, #transcription-stream). */
import { type JsonObject, objectOf, objectsOf, textOf } from '@generation-gateway/kit/json.ts'
import { spokenLanguage } from '@generation-gateway/kit/languages.ts'
import type { Job, Outcome, StreamEvent } from '@generation-gateway/kit/requests/job.ts'
import type {
  TranscribeRequest,
  TranscriptEvent,
  TranscriptResult,
  TranscriptSegment,
  TranscriptToken,
} from '@generation-gateway/kit/requests/transcript.ts'
import { failedAfterPay } from '../../shared/failed.ts'
import type { Parts } from '../../shared/upstream/post-body.ts'
import { countOf, secondsOf } from '../../shared/upstream/read-json.ts'
import type { UpstreamAnswer } from '../../shared/upstream/upstream-answer.ts'
import { streamFailure } from '../../shared/upstream/upstream-failures.ts'
import { owner } from './settings.ts'

const maxBytes = 64 * 1024 * 1024

interface TranscriptContext {
  job: Pick<Job<TranscribeRequest>, 'request'>
  secrets: readonly string[]
  /** Length in seconds of the recording that was sent. */
  seconds: number
}

/** Yields the words as they arrive and returns the outcome. When the answer ends early, the failure
 *  may be charged. */
export async function* readTranscript(answer: UpstreamAnswer, reading: TranscriptContext): Parts<StreamEvent<TranscriptEvent>, Outcome> {
  if (answer.mediaType !== 'text/event-stream') {
    const body = objectOf(await answer.json(maxBytes))
    if (typeof body.text !== 'string') return failedAfterPay('upstream_error', `The answer of ${owner} has no text.`)
    const segments = objectsOf(body.segments).map(segmentOf)
    for (const segment of segments) yield { type: 'event', event: { type: 'segment', segment } }
    if (segments.length === 0 && body.text !== '') yield { type: 'event', event: { type: 'text', delta: body.text } }
    return doneTranscript(body, { ...reading, segments: withWords(segments, body) })
  }
  const segments: TranscriptSegment[] = []
  for await (const { data } of answer.events()) {
    if (data === '[DONE]') break
    const event = parsed(data)
    if (event.error || event.type === 'error') throw streamFailure(event, reading.secrets)
    if (event.type === 'transcript.text.delta' && typeof event.delta === 'string') {
      const logprobs = tokensOf(event.logprobs)
      yield { type: 'event', event: { type: 'text', delta: event.delta, ...(logprobs ? { logprobs } : {}) } }
    }
    if (event.type === 'transcript.text.segment') {
      const segment = segmentOf(event)
      segments.push(segment)
      yield { type: 'event', event: { type: 'segment', segment } }
    }
    if (event.type === 'transcript.text.done') {
      answer.finish()
      return doneTranscript(event, { ...reading, segments })
    }
  }
  return failedAfterPay('upstream_error', `The answer of ${owner} broke off before its end.`)
}

function parsed(data: string): JsonObject {
  try {
    return objectOf(JSON.parse(data))
  } catch {
    return {}
  }
}

function doneTranscript(body: JsonObject, { job, seconds, segments }: TranscriptContext & { segments: TranscriptSegment[] }): Outcome {
  const [requested = 'und'] = job.request.languages
  const logprobs = tokensOf(body.logprobs)
  const usage = objectOf(body.usage)
  const details = objectOf(usage.input_token_details)
  const lasts = secondsOf(body.duration) ?? seconds
  const report: TranscriptResult = {
    text: typeof body.text === 'string' ? body.text : '',
    language: spokenLanguage(textOf(body.language) ?? '') ?? requested,
    seconds: lasts,
    segments,
    ...(logprobs ? { logprobs } : {}),
    ...(usage.type === 'tokens' || usage.total_tokens !== undefined
      ? {
          usage: {
            textTokens: countOf(details.text_tokens),
            audioTokens: countOf(details.audio_tokens),
            outputTokens: countOf(usage.output_tokens),
          },
        }
      : {}),
  }
  const counts = (['input_tokens', 'output_tokens'] as const)
    .map(unit => ({ unit, units: countOf(usage[unit]) }))
    .filter(({ units }) => units > 0)
  return { state: 'done', files: [], report: { ...report }, usage: [{ unit: 'seconds', units: lasts }, ...counts] }
}

function segmentOf(given: JsonObject): TranscriptSegment {
  const { text, start, end, speaker, avg_logprob, no_speech_prob, compression_ratio, tokens } = given
  const number = (value: unknown): number | undefined => (typeof value === 'number' && Number.isFinite(value) ? value : undefined)
  const mean = number(avg_logprob)
  const segment: TranscriptSegment = {
    text: typeof text === 'string' ? text.trim() : '',
    startSeconds: number(start) ?? 0,
    endSeconds: number(end) ?? 0,
  }
  if (textOf(speaker) !== undefined) segment.speaker = textOf(speaker) ?? ''
  if (mean !== undefined) Object.assign(segment, { averageLogprob: mean, confidence: Math.min(1, Math.exp(mean)) })
  if (number(no_speech_prob) !== undefined) segment.noSpeechProbability = number(no_speech_prob) ?? 0
  if (number(compression_ratio) !== undefined) segment.compressionRatio = number(compression_ratio) ?? 0
  if (Array.isArray(tokens)) segment.tokens = tokens.filter(token => typeof token === 'number')
  return segment
}

/** Returns the segments, each with the words that begin within its time. */
function withWords(segments: TranscriptSegment[], { words, text }: JsonObject): TranscriptSegment[] {
  const all = objectsOf(words).flatMap(({ word, start, end }) =>
    typeof word === 'string' && typeof start === 'number' && typeof end === 'number'
      ? [{ text: word, startSeconds: start, endSeconds: end }]
      : [],
  )
  if (all.length === 0) return segments
  const last = all.at(-1)?.endSeconds ?? 0
  const within = segments.length > 0 ? segments : [{ text: typeof text === 'string' ? text : '', startSeconds: 0, endSeconds: last }]
  return within.map((segment, index) => {
    const from = index === 0 ? Number.NEGATIVE_INFINITY : segment.startSeconds
    const to = within[index + 1]?.startSeconds ?? Number.POSITIVE_INFINITY
    return { ...segment, words: all.filter(word => word.startSeconds >= from && word.startSeconds < to) }
  })
}

function tokensOf(value: unknown): TranscriptToken[] | undefined {
  if (!Array.isArray(value)) return undefined
  return objectsOf(value).flatMap(({ token, logprob, bytes }) =>
    typeof token === 'string' && typeof logprob === 'number'
      ? [{ token, logprob, bytes: Array.isArray(bytes) ? bytes.filter(byte => typeof byte === 'number') : [...Buffer.from(token)] }]
      : [],
  )
}
