/** Neutral requests, events and results of `audio.transcribe` and `audio.translate`. Times are
 *  seconds from the beginning. */
import { capability, type InputFacts } from './capability.ts'

/** Inputs by role: `audio`; `speaker`, a voice sample of each known speaker. */
export type TranscribeRequest = {
  /** Number of gateways the request has passed before this one. */
  hops?: number
  /** Possible languages of the recording (BCP 47). With one language there is no detection. With
   *  several, the recognizer detects which of them is spoken; with none, it may detect any
   *  language. */
  languages: string[]
  /** When true, languages that the recognizer does not support are ignored and reported
   *  (`unheard`). When absent, the request is refused because of such a language. */
  candidates?: true
  /** True when the caller reads the text while it is recognized, so that the first words should
   *  arrive soon. */
  early?: true
  /** Words and style to expect. */
  prompt?: string
  /** Sampling temperature, 0 to 1. */
  temperature: number
  words: boolean
  logprobs: boolean
  /** Requests speaker diarization. `most` is the largest number of speakers; `names` are the
   *  names of the speakers in the `speaker` inputs, in the same order. */
  speakers?: { most?: number; names: string[] }
  /** Channels to transcribe separately, by index from 0. When absent, all channels are mixed into
   *  one. */
  channels?: number[]
  /** Requests that the recording is split at silence, with these settings. */
  voiceActivity?: { threshold?: number; silenceMs?: number; paddingMs?: number }
  profanity: 'kept' | 'masked' | 'removed' | 'tagged'
  /** Transcribes only this many seconds from the beginning; everything when absent. */
  firstSeconds?: number
}

export type TranslateRequest = TranscribeRequest & {
  /** Target languages (BCP 47). */
  targets: string[]
}

type TranscriptWord = { text: string; startSeconds: number; endSeconds: number; confidence?: number }

export type TranscriptSegment = {
  text: string
  startSeconds: number
  endSeconds: number
  words?: TranscriptWord[]
  speaker?: string
  channel?: number
  language?: string
  /** Confidence, 0 to 1. */
  confidence?: number
  /** Details that some recognizers report: the ids of the tokens, the mean of their log
   *  probabilities, the probability that nobody speaks, and the compression ratio of the text,
   *  which is high for text that repeats itself. */
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
  /** Language of the recording, BCP 47. */
  language: string
  seconds: number
  segments: TranscriptSegment[]
  /** Languages of the request that the recognizer does not support and has ignored. */
  unheard?: string[]
  logprobs?: TranscriptToken[]
  /** Token counts of the upstream. */
  usage?: { textTokens: number; audioTokens: number; outputTokens: number }
}

/** A transcript with translations. Its text and segments are in the language spoken. */
export type TranslateResult = TranscriptResult & {
  /** Translated text by target language, spelled as in the request. */
  translations: { [language: string]: string }
  /** Translated segments, for targets that are translated segment by segment. */
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
