/** The neutral requests, events and results of `audio.transcribe` and `audio.translate`. Times are seconds from the beginning. */
import { capability, type InputFacts } from './capability.ts'

/** Inputs, by role: `audio`; `speaker`, a sample of each known one. */
export type TranscribeRequest = {
  /** Gateways the request has passed before this one. */
  hops?: number
  /** Languages it may be in (BCP 47); one forces it, none has it told from the sound. */
  languages: string[]
  /** The languages are candidates: one that the recogniser does not know is left out and reported (`unheard`). Absent: it is refused. */
  candidates?: true
  /** The caller reads along: the first words are to come soon. */
  early?: true
  /** Words and style that are to be expected. */
  prompt?: string
  /** 0 to 1. */
  temperature: number
  words: boolean
  logprobs: boolean
  /** Who speaks; `names` are those of the `speaker` inputs, in order. */
  speakers?: { most?: number; names: string[] }
  /** From 0, each transcribed by itself; absent: all mixed. */
  channels?: number[]
  /** Cut where nobody speaks. */
  voiceActivity?: { threshold?: number; silenceMs?: number; paddingMs?: number }
  profanity: 'kept' | 'masked' | 'removed' | 'tagged'
  /** Of the sound, from its beginning; absent: all. */
  firstSeconds?: number
}

export type TranslateRequest = TranscribeRequest & {
  /** Languages it is translated into (BCP 47). */
  targets: string[]
}

export type TranscriptWord = { text: string; startSeconds: number; endSeconds: number; confidence?: number }

export type TranscriptSegment = {
  text: string
  startSeconds: number
  endSeconds: number
  words?: TranscriptWord[]
  speaker?: string
  channel?: number
  language?: string
  /** 0 to 1. */
  confidence?: number
  /** What a recogniser tells of its work, where it is one that does: ids of its tokens, mean of their log probabilities, probability that nobody speaks, how well the text compresses. */
  tokens?: number[]
  averageLogprob?: number
  noSpeechProbability?: number
  compressionRatio?: number
}

export type TranscriptToken = { token: string; logprob: number; bytes: number[] }

export type TranscriptEvent =
  | { type: 'text'; delta: string; logprobs?: TranscriptToken[] }
  | { type: 'segment'; segment: TranscriptSegment }

export type TranscriptResult = {
  text: string
  /** BCP 47. */
  language: string
  seconds: number
  segments: TranscriptSegment[]
  /** Candidates of the request that the recogniser does not know. */
  unheard?: string[]
  logprobs?: TranscriptToken[]
  /** As an upstream counts them. */
  usage?: { textTokens: number; audioTokens: number; outputTokens: number }
}

/** Text and segments are of what was said. */
export type TranslateResult = TranscriptResult & {
  /** By target, as the request has it. */
  translations: { [language: string]: string }
  /** The same piece by piece, of targets that are translated so. */
  translatedSegments?: { [language: string]: TranscriptSegment[] }
}

export const audioTranscribe = capability<TranscribeRequest, TranscriptResult, TranscriptEvent>({
  failover: 'paid',
  expectedUnits: ({ firstSeconds }, inputs) => seconds(inputs, firstSeconds),
})

export const audioTranslate = capability<TranslateRequest, TranslateResult, TranscriptEvent>({
  failover: 'paid',
  expectedUnits: ({ firstSeconds }, inputs) => seconds(inputs, firstSeconds),
})

function seconds(inputs: readonly InputFacts[], most = Number.POSITIVE_INFINITY) {
  const audio = inputs.find(input => input.role === 'audio')
  return [{ unit: 'seconds', units: Math.min(most, audio?.durationSeconds ?? 0) }]
}
