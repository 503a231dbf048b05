/** Styles as data: rhythm, instruments, harmony and sound. */
import type { Instrument } from '../score.ts'
import type { Colour } from '../theory/chord.ts'
import type { Mode } from '../theory/key.ts'

/** Steps are sixteenths; blanks are only for the eye. Drums: `X` loud, `x`, `o` soft, `.`
 *  nothing. */
export type Groove = Partial<Record<DrumVoice, string>>
export type DrumVoice = keyof typeof drumKeys

/** Keys of General MIDI's drum kits. */
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
  /** Program of the kit: 0 standard, 8 room, 16 power, 24 electronic, 25 808, 32 jazz, 40 brush,
   *  48 orchestra. */
  instrument: Instrument
  gain: number
  /** Groove that is played below and from energy 0.7. */
  low: Groove
  high: Groove
  fill: 'toms' | 'snare' | 'claps' | 'brush' | 'timpani' | 'none'
}

/** A part that follows the chords. Steps: `x` the chord, `d` and `u` strummed down and up, `1` to
 *  `5` one tone of it, from low to high, `R` its bass note and `r` the bass note an octave higher,
 *  `-` continues the last step, `.` nothing. A pattern may be longer than a bar. */
export interface Layer {
  name: string
  /** Instruments from which the seed chooses one. */
  instruments: readonly Instrument[]
  patterns: readonly string[]
  register: readonly [number, number]
  voices: number
  /** Gain in decibels. */
  gain: number
  pan: number
  /** Least and greatest energy of the sections in which it sounds. */
  from: number
  to?: number
}

/** Returns a layer of a style from its instruments and patterns. */
export function layer(
  name: string,
  instruments: Layer['instruments'],
  patterns: Layer['patterns'],
  rest: Omit<Layer, 'name' | 'instruments' | 'patterns'>,
): Layer {
  return { name, instruments, patterns, ...rest }
}

/** Steps: `R` root, `5` fifth, `3` third, `7` seventh, `8` octave, `w` a step of a walk, `a` a
 *  semitone or tone from the next root, `-` and `.` as above. */
export interface Bass {
  instruments: readonly Instrument[]
  low: readonly string[]
  high: readonly string[]
  /** Lowest pitch of a root. */
  lowest: number
  gain: number
}

export interface Lead {
  instruments: readonly Instrument[]
  register: readonly [number, number]
  /** About the number of notes a beat. */
  density: number
  /** Syncopation: 0 none, 1 hardly a note on the beat. */
  syncopation: number
  gain: number
  /** Share of a note's time for which the note sounds. */
  legato: number
}

export interface Mix {
  /** Part of the sound sent to the room, and how long the room rings, in seconds. */
  reverb: number
  room: number
  /** Cut-off of the whole, in hertz. */
  cut?: number
  /** How far all tracks except the drums duck under the kick, 0 to 1. */
  pump?: number
  /** Noise of an old record, 0 to 1. */
  crackle?: number
  /** How hard the music's bus is driven, 0 to 1. */
  drive?: number
  /** Echo of the lead: part sent back, in beats of delay. */
  echo?: { amount: number; beats: number }
}

export interface Progressions {
  /** Progression: one word for each bar; two chords of one bar have a comma between them. */
  verse: readonly string[]
  chorus: readonly string[]
  bridge: readonly string[]
}

export interface Style {
  id: string
  title: string
  /** Names of the style in prompts, lower case. */
  words: readonly string[]
  /** Beats a minute, from and to. */
  tempo: readonly [number, number]
  beatsPerBar: 3 | 4
  /** Position of the second of two such notes: 0.5 is straight, 0.667 a triplet. */
  swing?: { beats: 0.5 | 1; at: number }
  /** Modes with their relative likelihood. */
  modes: Readonly<Partial<Record<Mode, number>>>
  colour: Colour
  major: Progressions
  minor: Progressions
  drums?: Drums
  bass?: Bass
  layers: readonly Layer[]
  lead: Lead
  mix: Mix
  /** Suitable number of syllables a second. */
  syllablesPerSecond: number
  /** How far players are from the grid, in seconds. */
  looseness: number
  /** Number added to the energy of every section. */
  energy?: number
  /** How the piece ends: the sound fades, or a last chord ends the piece. */
  ending: 'chord' | 'fade'
}
