/** The neutral request, events and result of `speech.synthesize`. */
import { capability } from './capability.ts'

export type SoundFormat = {
  /** `opus` in Ogg, `aac` in ADTS; `pcm` is signed 16 bit, little-endian, without a header, like `ulaw` and `alaw`. Always mono. */
  container: 'mp3' | 'opus' | 'aac' | 'm4a' | 'flac' | 'wav' | 'pcm' | 'ulaw' | 'alaw'
  /** Hertz; absent: the model's own. */
  sampleRate?: number
  /** Bits a second of a compressed one. */
  bitRate?: number
}

/** What a service calls a sound that it has made; `service` tells it and whose account there from others. */
export type ServiceSound = { service: string; id: string }

/** Output: `speech`. */
export type SpeechRequest = {
  /** Gateways the request has passed before this one. */
  hops?: number
  text: string
  /** Each spoken at its time, in the place of the text. Milliseconds. */
  cues?: { startMs: number; endMs: number; text: string }[]
  /** Spoken one after another, in the place of the text: each behind so much silence (milliseconds), in a voice of its own where it names one. One without a text is the silence alone. */
  passages?: { text: string; voice?: string; pauseMs: number }[]
  /** A voice as the interface names it (`alloy`), or the target's own name of one; absent: the target's usual voice. */
  voice?: string
  /** `best`: the voice as good as the target can, however slow; absent: as it is usual there. */
  quality?: 'best'
  /** How it is to be said, in words. */
  instructions?: string
  /** 1 is its usual pace, 2 twice as fast. */
  speed: number
  /** Gain in decibels, or `normalized` to the usual loudness. */
  volume: number | 'normalized'
  format: SoundFormat
  /** ISO 639-1; absent: told from the text. */
  language?: string
  /** What stands before and after it, for the tone. */
  previousText?: string
  nextText?: string
  /** The same as services know it, in the order of the text, where they spoke all of it: what was spoken by another service has the text alone. */
  previousSounds?: ServiceSound[]
  nextSounds?: ServiceSound[]
  /** How it is said, 0 to 1 each. */
  style?: { stability?: number; similarity?: number; exaggeration?: number; boost?: boolean }
  /** Words that are said another way. */
  pronunciations?: { word: string; say: string }[]
  seed?: number
  /** Nobody keeps the text or the sound: whoever follows this streams, since a file would not be kept either. */
  isPrivate?: true
}

/** The file from its beginning, as it is made. Before its first bytes, a notice for each field that is followed in part or not at all: what is done instead. */
export type SpeechEvent = { type: 'sound'; bytes: Uint8Array } | { type: 'notice'; field: keyof SpeechRequest; says: string }

export type SpeechResult = {
  seconds: number
  /** Code points that were spoken. */
  characters: number
  /** Fields that were left out (`extras`). */
  notFollowed?: string[]
  /** The service's own name of it, where later requests may name it as their neighbour. */
  sound?: ServiceSound
}

export const speechSynthesize = capability<SpeechRequest, SpeechResult, SpeechEvent>({
  failover: 'paid',
  extras: { isPrivate: 'refused', instructions: 'told', style: 'told', pronunciations: 'told', previousText: 'told', nextText: 'told' },
  expectedUnits: request => [{ unit: 'characters', units: charactersSaid(request) }],
})

/** What is spoken, in its order: the text, or what stands in its place. */
export function saidIn({ text, cues, passages }: Pick<SpeechRequest, 'text' | 'cues' | 'passages'>): string[] {
  return (cues ?? passages)?.map(part => part.text) ?? [text]
}

/** Code points of what is spoken. */
export function charactersSaid(request: Pick<SpeechRequest, 'text' | 'cues' | 'passages'>): number {
  return saidIn(request).reduce((sum, text) => sum + [...text].length, 0)
}
