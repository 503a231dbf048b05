/** Converts Whisper's tokens to words with their times in the recording. */
import type { TranscriptToken } from '@generation-gateway/kit/requests/transcript.ts'
import { frameSeconds } from '../voice/stretches.ts'
import { type SpeechWindow, timeInRecording } from '../voice/windows.ts'
import type { WhisperSegment, WhisperToken } from '../whisper/output.ts'

/** A word with its punctuation; times in seconds of the recording. */
export interface SpokenWord {
  /** Text of the word, including the space before it. */
  text: string
  startSeconds: number
  endSeconds: number
  tokens: (TranscriptToken & { id: number })[]
}

/** A segment of the transcript as whisper.cpp divides it; about a sentence. */
export interface SpokenSegment {
  words: SpokenWord[]
  /** Speaker, when speakers are identified. */
  speaker?: string
}

/** Matches scripts without spaces between words, in which each character counts as a word. */
const unspaced =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u
const punctuation = /^[\s\p{P}\p{S}]+$/u
/** Longest word in seconds. When Whisper reports a longer word, the time of this word begins with a
 *  pause, which is cut off. */
const longestSeconds = 1.5
const leastSeconds = 0.02

interface VoiceTrack {
  probabilities: Float32Array
}

/** Returns the words of a segment. Their start times are moved to the points where the voice
 *  begins, because Whisper's times include the pause before a word. */
export function wordsOf({ tokens }: WhisperSegment, window: SpeechWindow, voice: VoiceTrack): SpokenWord[] {
  const words: SpokenWord[] = []
  for (const group of charactersOf(tokens)) {
    const text = Buffer.concat(group.map(({ bytes }) => bytes)).toString('utf8')
    const [first] = group
    const last = group.at(-1)
    if (!first || !last) continue
    const parts = group.map(({ id, bytes, logprob }) => ({ id, token: bytes.toString('utf8'), logprob, bytes: [...bytes] }))
    const current = words.at(-1)
    const begins = /^\s/.test(text) || (unspaced.test(text) && !punctuation.test(text))
    if (current && (!begins || punctuation.test(text))) {
      current.text += text
      current.tokens.push(...parts)
      // Whisper's times for punctuation cover the pause after the word, so they are ignored.
      if (!punctuation.test(text)) current.endSeconds = timeInRecording(window, last.endSeconds)
    } else {
      const startSeconds = timeInRecording(window, first.startSeconds)
      words.push({ text, startSeconds, endSeconds: timeInRecording(window, last.endSeconds), tokens: parts })
    }
  }
  return words.map((word, index) => atVoice(word, { before: words[index - 1], voice }))
}

/** Groups tokens so that each group consists of whole characters. */
function charactersOf(tokens: readonly WhisperToken[]): WhisperToken[][] {
  const groups: WhisperToken[][] = []
  let open: WhisperToken[] = []
  for (const token of tokens) {
    open.push(token)
    if (isWhole(Buffer.concat(open.map(({ bytes }) => bytes))) || open.length > 4) {
      groups.push(open)
      open = []
    }
  }
  if (open.length > 0) groups.push(open)
  return groups
}

function isWhole(bytes: Buffer): boolean {
  return !bytes.toString('utf8').endsWith('\uFFFD')
}

const voiced = 0.3

/** Returns the word with a corrected start time: not before the end of the word before it, and,
 *  after a silence, the point where the voice begins again. */
function atVoice(word: SpokenWord, { before, voice }: { before: SpokenWord | undefined; voice: VoiceTrack }): SpokenWord {
  const endSeconds = Math.max(word.endSeconds, word.startSeconds + leastSeconds)
  const earliest = Math.max(word.startSeconds, before?.endSeconds ?? 0, endSeconds - longestSeconds)
  const startSeconds = Math.min(endSeconds - leastSeconds, voiceFrom(voice, { from: earliest, to: endSeconds }))
  return { ...word, startSeconds: Math.max(0, startSeconds), endSeconds }
}

/** Returns the end of the last silence between the two times; `from` when there is none. */
function voiceFrom({ probabilities }: VoiceTrack, { from, to }: { from: number; to: number }): number {
  const first = Math.floor(from / frameSeconds)
  const last = Math.min(probabilities.length, Math.ceil(to / frameSeconds)) - 1
  // The voice may end before the word does, so the silence at the end of the word is skipped first.
  let frame = last
  while (frame >= first && (probabilities[frame] ?? 0) < voiced) frame -= 1
  if (frame < first) return from
  while (frame >= first && (probabilities[frame] ?? 0) >= voiced) frame -= 1
  return Math.max(from, (frame + 1) * frameSeconds)
}
