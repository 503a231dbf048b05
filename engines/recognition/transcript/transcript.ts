/** Converts recognised words to the events and results of the public interface. */
import type { TranscribeRequest, TranscriptSegment, TranscriptToken } from '@generation-gateway/kit/requests/transcript.ts'
import type { WindowTranscript } from '../recognise.ts'
import { frameSeconds } from '../voice/stretches.ts'
import { averageLogprob, compressionRatio, textOf } from './hallucinations.ts'
import { withProfanity } from './profanity.ts'
import type { SpokenSegment, SpokenWord } from './words.ts'

interface SegmentAnswer {
  segment: TranscriptSegment
  /** Log probabilities of the tokens, if they were requested. */
  logprobs?: TranscriptToken[]
}

interface TranscriptOptions {
  request: TranscribeRequest
  language: string
  /** Probability of speech (0 to 1) in each frame, by channel number. */
  probabilities: ReadonlyMap<number, Float32Array>
}

/** Returns the segments of a window as they appear in the response. */
export function segmentAnswer(
  { channel, segments }: WindowTranscript,
  { request, language, probabilities }: TranscriptOptions,
): SegmentAnswer[] {
  return segments.map(({ words, speaker }) => {
    const [startSeconds, endSeconds] = [words[0]?.startSeconds ?? 0, words.at(-1)?.endSeconds ?? 0]
    const said = textOf(words).trim()
    const averageLogprobs = averageLogprob(words)
    const segment: TranscriptSegment = {
      text: withProfanity(said, request.profanity, language).trim(),
      startSeconds: rounded(startSeconds),
      endSeconds: rounded(endSeconds),
      ...(request.words ? { words: words.flatMap(word => shownWord(word, request, language)) } : {}),
      ...(request.channels ? { channel } : {}),
      ...(speaker === undefined ? {} : { speaker }),
      language,
      confidence: Math.exp(averageLogprobs),
      tokens: words.flatMap(({ tokens }) => tokens.map(({ id }) => id)),
      averageLogprob: averageLogprobs,
      noSpeechProbability: 1 - voiceIn(probabilities.get(channel), { startSeconds, endSeconds }),
      compressionRatio: compressionRatio(said),
    }
    return request.logprobs ? { segment, logprobs: tokensOf({ words }) } : { segment }
  })
}

function shownWord({ text, startSeconds, endSeconds, tokens }: SpokenWord, { profanity }: TranscribeRequest, language: string) {
  const shownText = withProfanity(text.trim(), profanity, language).trim()
  if (shownText === '') return []
  const confidence = Math.exp(tokens.reduce((sum, { logprob }) => sum + logprob, 0) / Math.max(1, tokens.length))
  return [{ text: shownText, startSeconds: rounded(startSeconds), endSeconds: rounded(endSeconds), confidence }]
}

function tokensOf({ words }: SpokenSegment): TranscriptToken[] {
  return words.flatMap(({ tokens }) => tokens.map(({ token, logprob, bytes }) => ({ token, logprob, bytes })))
}

function voiceIn(
  probabilities: Float32Array | undefined,
  { startSeconds, endSeconds }: { startSeconds: number; endSeconds: number },
): number {
  const frames = Array.from(probabilities?.subarray(Math.floor(startSeconds / frameSeconds), Math.ceil(endSeconds / frameSeconds)) ?? [])
  return frames.reduce((sum, probability) => sum + probability, 0) / Math.max(1, frames.length)
}

/** Rounds to whole milliseconds. */
function rounded(seconds: number): number {
  return Math.round(seconds * 1000) / 1000
}
