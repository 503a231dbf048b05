/** Styles as data: rhythm, instruments, harmony and sound. */
import type { Instrument } from '../score.ts'
import type { Colour } from '../theory/chord.ts'
import type { Mode } from '../theory/key.ts'

/** Drum patterns, one character for each sixteenth; spaces are ignored. `X` loud stroke, `x`
 *  normal, `o` soft, `.` none. */
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
  /** The groove for sections with an energy below 0.7 (`low`), and for the others (`high`). */
  low: Groove
  high: Groove
  fill: 'toms' | 'snare' | 'claps' | 'brush' | 'timpani' | 'none'
}

/** A part that follows the chords. Characters of its patterns: `x` the chord, `d` and `u` strummed
 *  down and up, `1` to `5` one chord tone, from low to high, `R` the bass note and `r` the bass
 *  note an octave higher, `-` continues the last step, `.` nothing. A pattern may be longer than a
 *  bar. */
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
  /** Lowest and highest energy of the sections in which the part plays. */
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

/** A bass part. Characters of its patterns: `R` root, `5` fifth, `3` third, `7` seventh, `8`
 *  octave, `w` a step of a walking bass, `a` a semitone or tone from the next root, `-` continues
 *  the last step, `.` nothing. */
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
  /** Approximate number of notes per beat. */
  density: number
  /** Syncopation: 0 none; at 1, hardly any note falls on a beat. */
  syncopation: number
  gain: number
  /** Share of a note's time for which the note sounds. */
  legato: number
}

export interface Mix {
  /** Share of the sound that is sent to the reverb, and the decay time of the reverb in seconds. */
  reverb: number
  room: number
  /** Cut-off of a low-pass filter on the whole mix, in hertz. */
  cut?: number
  /** How far all tracks except the drums duck under the kick, 0 to 1. */
  pump?: number
  /** Noise of an old record, 0 to 1. */
  crackle?: number
  /** Amount of saturation on the music bus, 0 to 1. */
  drive?: number
  /** Echo of the lead: the share fed back, and the delay in beats. */
  echo?: { amount: number; beats: number }
}

export interface Progressions {
  /** Chord progression: one string per bar; two chords in one bar are separated by a comma. */
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
  /** Position of the second note of a pair within the pair: 0.5 is straight, 0.667 a triplet. */
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
  /** Suitable pace of singing, in syllables per second. */
  syllablesPerSecond: number
  /** Random deviation of the players from the exact time, in seconds. */
  looseness: number
  /** Number added to the energy of every section. */
  energy?: number
  /** How the piece ends: the sound fades, or a last chord ends the piece. */
  ending: 'chord' | 'fade'
}
