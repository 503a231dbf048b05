/** The neutral requests and the result of `music.song` and `music.instrumental`. */
import { capability, type FileFacts, type InputFacts, type UsageUnits } from './capability.ts'

/** A piece that is expected where nobody says how long it shall be: what the vendors' songs come to. */
const usualSeconds = 180
/** No engine makes longer ones. */
const mostSeconds = 600
/** What a sung line takes at most, and what goes before, between and after: the slowest of the composer's 24 styles, for lines of up to 45 characters. */
const lineSeconds = 9
const lineCharacters = 45
const beside = 40

/** Inputs, by role: `reference`, `vocal`, `melody`, `instrumental`. Outputs for each piece, one piece behind the other: `song`, then `lossless` and `cover` where there are such. */
export type MusicRequest = {
  /** Gateways the request has passed before this one. */
  hops?: number
  /** What is sung; absent for an instrumental. Sections in brackets: `[verse]`, `[chorus]`, ... */
  lyrics?: string
  /** Style, in words. */
  prompt?: string
  /** Pieces wanted; piece i uses seed + i. */
  count: number
  seconds?: number
  /** Somebody may listen while it is made (`MusicEvent`). Whoever cannot tell sound early makes the pieces all the same. */
  stream?: true
  /** Decimal digits of a signed 64-bit integer. */
  seed: string
}

export type MusicResult = {
  /** One for each piece, in order. */
  pieces: {
    seed: string
    seconds: number
    style: string
    title?: string
    /** Quarter notes a minute. */
    bpm?: number
    /** `D minor`. */
    key?: string
    /** Lines of the lyrics that the wanted length has no room for. */
    notSung?: string[]
    /** When each line is sung, in seconds from the beginning. */
    lines: { text: string; startSeconds: number; endSeconds: number }[]
  }[]
  /** Fields and inputs by role that were not followed. */
  notFollowed?: string[]
}

/** Sound while it is made, MP3, in the order of the pieces. */
export type MusicEvent = { type: 'sound'; piece: number; bytes: Uint8Array }

const early = {
  isWanted: ({ stream }: MusicRequest) => stream === true,
  partOf: ({ piece, bytes }: MusicEvent) => ({ index: piece, bytes }),
}

export const musicSong = capability<MusicRequest, MusicResult, MusicEvent>({ failover: 'paid', expectedUnits, unitsOf, early })
export const musicInstrumental = capability<MusicRequest, MusicResult, MusicEvent>({ failover: 'paid', expectedUnits, unitsOf, early })

/** A piece counts once, by its MP3. */
function unitsOf({ mediaType, durationSeconds = 0 }: FileFacts): UsageUnits[] {
  return mediaType === 'audio/mpeg' ? [{ unit: 'seconds', units: durationSeconds }] : []
}

/** Rather too much than too little: it is what a quota has to have left. */
function expectedUnits({ count, seconds, lyrics = '' }: MusicRequest, inputs: readonly InputFacts[]): UsageUnits[] {
  const backing = inputs.find(({ role }) => role === 'instrumental')?.durationSeconds ?? 0
  const sung = Math.max(usualSeconds, beside + lineSeconds * linesIn(lyrics), backing)
  return [{ unit: 'seconds', units: count * (seconds ?? Math.min(mostSeconds, Math.ceil(sung))) }]
}

/** Lines that are sung, long ones as several; sections that come again count as often as any of them may. */
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
