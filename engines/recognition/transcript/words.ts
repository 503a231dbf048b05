/** Whisper's tokens as words with their times in the recording. */
import type { TranscriptToken } from '@generation-gateway/kit/requests/transcript.ts'
import { frameSeconds } from '../voice/stretches.ts'
import { type SpeechWindow, timeInRecording } from '../voice/windows.ts'
import type { WhisperSegment, WhisperToken } from '../whisper/output.ts'

/** A word with the punctuation that stands at it; seconds of the recording. */
export interface SpokenWord {
  /** With the space before it. */
  text: string
  startSeconds: number
  endSeconds: number
  tokens: (TranscriptToken & { id: number })[]
}

/** A sentence or so, as the recogniser cut it. */
export interface SpokenSegment {
  words: SpokenWord[]
  /** Where speakers are told apart. */
  speaker?: string
}

/** Written without spaces between words: each character is taken for one. */
const unspaced =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u
const punctuation = /^[\s\p{P}\p{S}]+$/u
/** No word lasts longer; what is left over before it is a pause. */
const longestSeconds = 1.5
const leastSeconds = 0.02

interface VoiceTrack {
  probabilities: Float32Array
}

/** Words with their times brought to where somebody speaks. */
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
      // The time of punctuation is that of the pause behind the word.
      if (!punctuation.test(text)) current.endSeconds = timeInRecording(window, last.endSeconds)
    } else {
      const startSeconds = timeInRecording(window, first.startSeconds)
      words.push({ text, startSeconds, endSeconds: timeInRecording(window, last.endSeconds), tokens: parts })
    }
  }
  return words.map((word, index) => atVoice(word, { before: words[index - 1], voice }))
}

/** Tokens that are whole characters together. */
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

/** A word begins where the one before has ended, or where the voice sets in again after it. */
function atVoice(word: SpokenWord, { before, voice }: { before: SpokenWord | undefined; voice: VoiceTrack }): SpokenWord {
  const endSeconds = Math.max(word.endSeconds, word.startSeconds + leastSeconds)
  const earliest = Math.max(word.startSeconds, before?.endSeconds ?? 0, endSeconds - longestSeconds)
  const startSeconds = Math.min(endSeconds - leastSeconds, voiceFrom(voice, { from: earliest, to: endSeconds }))
  return { ...word, startSeconds: Math.max(0, startSeconds), endSeconds }
}

/** The end of the last silence between the two times. */
function voiceFrom({ probabilities }: VoiceTrack, { from, to }: { from: number; to: number }): number {
  const first = Math.floor(from / frameSeconds)
  const last = Math.min(probabilities.length, Math.ceil(to / frameSeconds)) - 1
  // Its own end may lie in the silence behind it.
  let frame = last
  while (frame >= first && (probabilities[frame] ?? 0) < voiced) frame -= 1
  if (frame < first) return from
  while (frame >= first && (probabilities[frame] ?? 0) >= voiced) frame -= 1
  return Math.max(from, (frame + 1) * frameSeconds)
}
