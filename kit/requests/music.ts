/** The neutral requests and the result of `music.song` and `music.instrumental`. */
import { capability, type FileFacts, type UsageUnits } from './capability.ts'

/** Longest piece that is expected where nobody says how long it shall be: what the vendors' songs come to. */
const usualSeconds = 180

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

function expectedUnits({ count, seconds = usualSeconds }: MusicRequest) {
  return [{ unit: 'seconds', units: count * seconds }]
}
