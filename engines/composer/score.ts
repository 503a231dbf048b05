/** A written piece: its notes and their times, in beats, before any sample is made. */
import type { Chord } from './theory/chord.ts'
import type { Key } from './theory/key.ts'

/** General MIDI program, from 0; or one of the engine's own synthesisers
 *  (`scripts/generators.ts`). */
export type Instrument = number | OwnInstrument
export type OwnInstrument = 'pulse' | 'square' | 'triangle' | 'chip drums' | 'saw' | 'acid' | 'sub' | 'reese' | 'pluck' | 'supersaw'

export interface Note {
  /** Beats from the beginning of the piece. */
  beat: number
  beats: number
  /** MIDI pitch; for drums the key of the kit. */
  pitch: number
  /** Velocity, 1 to 127. */
  velocity: number
}

export type Bus = 'drums' | 'bass' | 'music' | 'lead'

export interface Track {
  name: string
  bus: Bus
  instrument: Instrument
  /** True for drums; the instrument is then the program of the kit. */
  isDrums: boolean
  /** Gain in decibels. */
  gain: number
  /** Position, -1 (left) to 1 (right). */
  pan: number
  notes: Note[]
}

export type SectionKind = 'intro' | 'verse' | 'prechorus' | 'chorus' | 'bridge' | 'solo' | 'break' | 'outro'

export interface Section {
  kind: SectionKind
  /** The section's name in the lyrics, or its kind. */
  name: string
  /** Beats from the beginning. */
  start: number
  bars: number
  /** Energy, 0 to 1. */
  energy: number
  chords: PlacedChord[]
  lines: SungLine[]
}

export interface PlacedChord {
  beat: number
  beats: number
  chord: Chord
}

export interface SungLine {
  /** The line of lyrics as the user wrote it. */
  text: string
  /** True when this phrase continues the line of the phrase before it. */
  goesOn?: true
  syllables: Syllable[]
}

/** A syllable and its note. */
interface Syllable {
  /** Phones in the alphabet of the voice, in order. */
  phones: readonly string[]
  /** True for the first syllable of a word. */
  isFirst: boolean
  note: Note
}

export interface Score {
  title: string
  style: string
  key: Key
  /** Quarter notes a minute. */
  bpm: number
  beatsPerBar: number
  sections: Section[]
  tracks: Track[]
  /** Length of the whole, including the decay of the last sound. */
  seconds: number
  /** Written end of the music, in beats. */
  beats: number
}
