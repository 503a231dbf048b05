/** Neutral requests and result of `music.song` and `music.instrumental`. */
import { capability, type FileFacts, type InputFacts, type UsageUnits } from './capability.ts'

/** Expected length in seconds of a piece when the request has none: the usual length of the
 *  vendors' songs. */
const usualSeconds = 180
/** Longest piece of any engine, seconds. */
const mostSeconds = 600
/** Longest time in seconds of a sung line with the pauses around it: measured with the slowest
 *  of the 24 styles of the engine `composer`, for lines of up to 45 characters. */
const lineSeconds = 9
const lineCharacters = 45
const beside = 40

/** Inputs by role: `reference`, `vocal`, `melody`, `instrumental`. Outputs, piece after piece:
 *  `song`, then `lossless` and `cover` if they exist. */
export type MusicRequest = {
  /** Number of gateways the request has passed before this one. */
  hops?: number
  /** Text to sing; absent for an instrumental. Section marks are in brackets: `[verse]`,
   *  `[chorus]`, ... */
  lyrics?: string
  /** Description of the style. */
  prompt?: string
  /** Number of pieces; piece i uses seed + i. */
  count: number
  seconds?: number
  /** True when the caller may listen while the piece is being produced (`MusicEvent`). A target
   *  that cannot stream sound ignores this and delivers the finished pieces. */
  stream?: true
  /** Seed as a signed 64-bit integer in decimal digits. */
  seed: string
}

export type MusicResult = {
  /** One entry for each piece, in order. */
  pieces: {
    seed: string
    seconds: number
    style: string
    title?: string
    /** Tempo, quarter notes a minute. */
    bpm?: number
    /** Key of the piece: `D minor`. */
    key?: string
    /** Lines of the lyrics that did not fit into the requested length. */
    notSung?: string[]
    /** Start and end of each sung line, seconds from the beginning. */
    lines: { text: string; startSeconds: number; endSeconds: number }[]
  }[]
  /** Fields, and inputs by role, that were ignored. */
  notFollowed?: string[]
}

/** MP3 sound while it is being produced, in the order of the pieces. */
export type MusicEvent = { type: 'sound'; piece: number; bytes: Uint8Array }

const early = {
  isWanted: ({ stream }: MusicRequest) => stream === true,
  partOf: ({ piece, bytes }: MusicEvent) => ({ index: piece, bytes }),
}

export const musicSong = capability<MusicRequest, MusicResult, MusicEvent>({ failover: 'paid', expectedUnits, unitsOf, early })
export const musicInstrumental = capability<MusicRequest, MusicResult, MusicEvent>({ failover: 'paid', expectedUnits, unitsOf, early })

/** Returns the units of an output. A piece counts once, by its MP3 file. */
function unitsOf({ mediaType, durationSeconds = 0 }: FileFacts): UsageUnits[] {
  return mediaType === 'audio/mpeg' ? [{ unit: 'seconds', units: durationSeconds }] : []
}

/** Returns the expected units. The estimate is on the high side: the quota must have this much left
 *  for the request to be accepted. */
function expectedUnits({ count, seconds, lyrics = '' }: MusicRequest, inputs: readonly InputFacts[]): UsageUnits[] {
  const backing = inputs.find(({ role }) => role === 'instrumental')?.durationSeconds ?? 0
  const sung = Math.max(usualSeconds, beside + lineSeconds * linesIn(lyrics), backing)
  return [{ unit: 'seconds', units: count * (seconds ?? Math.min(mostSeconds, Math.ceil(sung))) }]
}

/** Returns the largest number of lines to sing. A line of more than 45 characters counts as
 *  several. Sections may be repeated, so the number of lines of the whole text is added once more
 *  for each mark that may stand for a repetition, and eight times for a mark with a factor, such as
 *  `(x2)`. */
function linesIn(lyrics: string): number {
  let lines = 0
  let again = 1
  let isBelowHead = false
  for (const row of lyrics.split(/[\r\n]+/)) {
    const text = row.trim()
    if (text === '') continue
    const isHead = /^[[【(（]/.test(text)
    if (isHead && isBelowHead) again += 1
    if (isHead && /[x×]\s*\d|\d\s*[x×]/i.test(text)) again += 8
    isBelowHead = isHead
    lines += Math.ceil(text.length / lineCharacters)
  }
  return lines * (isBelowHead ? again + 1 : again)
}
