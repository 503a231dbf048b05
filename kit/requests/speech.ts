/** Neutral request, events and result of `speech.synthesize`. */
import { capability } from './capability.ts'

export type SoundFormat = {
  /** Format of the file, always mono. `opus` is in an Ogg container, `aac` in ADTS. `pcm` (signed
   *  16 bit, little-endian), `ulaw` and `alaw` have no header. */
  container: 'mp3' | 'opus' | 'aac' | 'm4a' | 'flac' | 'wav' | 'pcm' | 'ulaw' | 'alaw'
  /** Sample rate, Hz; the model's own when absent. */
  sampleRate?: number
  /** Bit rate of a compressed format, bits per second. */
  bitRate?: number
}

/** A sound that a service has created. `id` is the service's id of the sound. `service` identifies
 *  the service and the account there. */
export type ServiceSound = { service: string; id: string }

/** A request for speech. The output has the role `speech`. */
export type SpeechRequest = {
  /** Number of gateways the request has passed before this one. */
  hops?: number
  text: string
  /** Texts that are spoken at their times (ms), in place of `text`. */
  cues?: { startMs: number; endMs: number; text: string }[]
  /** Texts that are spoken one after another, in place of `text`. `pauseMs` is the silence before
   *  the text. `voice` replaces the voice of the request. A passage without text is only the
   *  silence. */
  passages?: { text: string; voice?: string; pauseMs: number }[]
  /** Name of a voice: one that the interface defines (`alloy`), or one that only the target knows.
   *  The target's default voice when absent. */
  voice?: string
  /** Quality of the voice. `best`: the best quality, however slow; the target's default when
   *  absent. */
  quality?: 'best'
  /** Instructions for the manner of speaking. */
  instructions?: string
  /** Speed, where 1 is the normal pace and 2 twice as fast. */
  speed: number
  /** Gain in decibels; or `normalized`, which gives all outputs the same loudness. */
  volume: number | 'normalized'
  format: SoundFormat
  /** Language as ISO 639-1; detected from the text when absent. */
  language?: string
  /** The texts that precede and follow this text, so that the target can match the intonation. */
  previousText?: string
  nextText?: string
  /** The service's ids of the sounds of the preceding texts, in order. Absent unless this service
   *  spoke all of these texts; then the target gets only `previousText`. */
  previousSounds?: ServiceSound[]
  nextSounds?: ServiceSound[]
  /** Manner of speaking; each number is 0 to 1. */
  style?: { stability?: number; similarity?: number; exaggeration?: number; boost?: boolean }
  /** Words with a different pronunciation. */
  pronunciations?: { word: string; say: string }[]
  seed?: number
  /** True when text and sound must not be stored. A target that supports private requests must
   *  stream the sound, because a file would be stored. */
  isPrivate?: true
}

/** A field that the target follows only partly or not at all; `says` is what the target does
 *  instead. */
export type SpeechNotice = { field: keyof SpeechRequest; says: string }

/** Events of a run: the file's bytes in order while they are being produced. All notices come
 *  before the first bytes. */
export type SpeechEvent = { type: 'sound'; bytes: Uint8Array } | ({ type: 'notice' } & SpeechNotice)

export type SpeechResult = {
  seconds: number
  /** Number of code points spoken. */
  characters: number
  /** Names of the fields that the target ignored. */
  notFollowed?: string[]
  /** The notices of the run, for callers who get only its file. */
  notices?: SpeechNotice[]
  /** The service's own id of the sound. Later requests may contain it in `previousSounds` or
   *  `nextSounds`. */
  sound?: ServiceSound
}

export const speechSynthesize = capability<SpeechRequest, SpeechResult, SpeechEvent>({
  failover: 'paid',
  extras: { isPrivate: 'refused', instructions: 'told', style: 'told', pronunciations: 'told', previousText: 'told', nextText: 'told' },
  keptEvents: ({ notices = [] }) => notices.map(notice => ({ type: 'notice', ...notice })),
  expectedUnits: request => [{ unit: 'characters', units: spokenCharacters(request) }],
})

/** Returns the spoken texts in order: `text`, or the cues or passages in its place. */
export function spokenTexts({ text, cues, passages }: Pick<SpeechRequest, 'text' | 'cues' | 'passages'>): string[] {
  return (cues ?? passages)?.map(part => part.text) ?? [text]
}

/** Returns the number of code points that are spoken. */
export function spokenCharacters(request: Pick<SpeechRequest, 'text' | 'cues' | 'passages'>): number {
  return spokenTexts(request).reduce((sum, text) => sum + [...text].length, 0)
}
