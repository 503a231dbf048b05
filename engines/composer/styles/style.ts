/** The data that describe a style: its rhythms, instruments, harmony and sound. */
import type { Instrument } from '../score.ts'
import type { Colour } from '../theory/chord.ts'
import type { Mode } from '../theory/key.ts'

/** Drum patterns. Each character is a sixteenth note: `X` a loud stroke, `x` a normal one, `o` a
 *  soft one, `.` none. Spaces are ignored. */
export type Groove = Partial<Record<DrumVoice, string>>
export type DrumVoice = keyof typeof drumKeys

/** Keys of the drums in the drum kits of General MIDI. */
export const drumKeys = {
  kick: 36,
  rim: 37,
  snare: 38,
  clap: 39,
  closed: 42,
  pedal: 44,
  open: 46,
  lowTom: 45,
  midTom: 47,
  highTom: 50,
  crash: 49,
  ride: 51,
  bell: 53,
  tambourine: 54,
  cowbell: 56,
  bongoHigh: 60,
  bongoLow: 61,
  congaMute: 62,
  congaHigh: 63,
  congaLow: 64,
  timbale: 65,
  cabasa: 69,
  shaker: 70,
  claves: 75,
  block: 76,
  triangle: 81,
} as const

export interface Drums {
  /** Program number of the drum kit: 0 standard, 8 room, 16 power, 24 electronic, 25 TR-808, 32
   *  jazz, 40 brush, 48 orchestra. */
  instrument: Instrument
  gain: number
  /** Patterns for sections with an energy below 0.7 (`low`), and for sections with more energy
   *  (`high`). */
  low: Groove
  high: Groove
  fill: 'toms' | 'snare' | 'claps' | 'brush' | 'timpani' | 'none'
}

/** A part that plays the chords. In its patterns, each character is a sixteenth note: `x` the whole
 *  chord, `d` and `u` the chord strummed down or up, `1` to `5` a single chord tone (1 is the
 *  lowest), `R` the bass note, `r` the bass note an octave higher, `-` the last note continues, `.`
 *  nothing. A pattern may be longer than a bar. */
export interface Layer {
  name: string
  /** The seed chooses one of these instruments. */
  instruments: readonly Instrument[]
  patterns: readonly string[]
  register: readonly [number, number]
  voices: number
  /** Gain in decibels. */
  gain: number
  pan: number
  /** The part plays in sections whose energy is at least `from` and at most `to`. */
  from: number
  to?: number
}

/** Returns a layer of a style (a part that plays the chords) from its instruments and patterns. */
export function layer(
  name: string,
  instruments: Layer['instruments'],
  patterns: Layer['patterns'],
  rest: Omit<Layer, 'name' | 'instruments' | 'patterns'>,
): Layer {
  return { name, instruments, patterns, ...rest }
}

/** A bass part. In its patterns, each character is a sixteenth note: `R` the root, `3`, `5`, `7`
 *  and `8` the third, fifth, seventh and octave, `w` a note of a walking bass, `a` a note a
 *  semitone or a tone beside the next root, `-` the last note continues, `.` nothing. */
export interface Bass {
  instruments: readonly Instrument[]
  low: readonly string[]
  high: readonly string[]
  /** Lowest pitch that the root of a chord may have. */
  lowest: number
  gain: number
}

export interface Lead {
  instruments: readonly Instrument[]
  register: readonly [number, number]
  /** Approximate number of notes per beat. */
  density: number
  /** Share of the notes that avoid the beats: 0 means none, 1 nearly all. */
  syncopation: number
  gain: number
  /** Share of the time from one note to the next for which the note sounds. */
  legato: number
}

export interface Mix {
  /** `reverb` is the share of the sound that is sent to the reverb, `room` the decay time of the
   *  reverb in seconds. */
  reverb: number
  room: number
  /** Cut-off frequency, in hertz, of a low-pass filter for the whole mix. */
  cut?: number
  /** How much all tracks except the drums get softer at each stroke of the kick drum, 0 to 1. */
  pump?: number
  /** Loudness of the noise of an old record, 0 to 1. */
  crackle?: number
  /** Amount of saturation on the music bus, 0 to 1. */
  drive?: number
  /** Echo of the lead instrument and, softer, of the voice: `amount` is the level of the echo,
   *  `beats` the delay. */
  echo?: { amount: number; beats: number }
}

export interface Progressions {
  /** Progressions of which the seed chooses one. In each, spaces separate the bars, and commas
   *  the chords of a bar. */
  verse: readonly string[]
  chorus: readonly string[]
  bridge: readonly string[]
}

export interface Style {
  id: string
  title: string
  /** Names of the style in prompts, in lower case. */
  words: readonly string[]
  /** Range of the tempo in beats per minute. */
  tempo: readonly [number, number]
  beatsPerBar: 3 | 4
  /** Swing: `beats` is the length of a pair of notes, `at` the time of the second note as a
   *  share of this length: 0.5 is even, 0.667 a triplet. */
  swing?: { beats: 0.5 | 1; at: number }
  /** Modes that the seed chooses from, each with its weight. */
  modes: Readonly<Partial<Record<Mode, number>>>
  colour: Colour
  major: Progressions
  minor: Progressions
  drums?: Drums
  bass?: Bass
  layers: readonly Layer[]
  lead: Lead
  mix: Mix
  /** How fast lyrics are usually sung in this style, in syllables per second. */
  syllablesPerSecond: number
  /** Random deviation of the players from the exact time, in seconds. */
  looseness: number
  /** Number that is added to the energy of every section (0.05 to 1: how loud and full it is). */
  energy?: number
  /** How the sound ends: `fade` fades it out over up to 8 seconds; `chord` lets the last chord
   *  sound, and fades only its last 0.8 seconds. */
  ending: 'chord' | 'fade'
}
