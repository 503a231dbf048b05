/** A score: all notes of a piece with their times in beats. No sound has been rendered yet. */
import type { Chord } from './theory/chord.ts'
import type { Key } from './theory/key.ts'

/** An instrument: a General MIDI program, counted from 0, or one of the engine's own
 *  synthesisers. */
export type Instrument = number | OwnInstrument
export type OwnInstrument = 'pulse' | 'square' | 'triangle' | 'chip drums' | 'saw' | 'acid' | 'sub' | 'reese' | 'pluck' | 'supersaw'

export interface Note {
  /** Time at which the note begins, in beats from the beginning of the piece. */
  beat: number
  beats: number
  /** MIDI pitch. For drums, the key of the drum kit. */
  pitch: number
  /** MIDI velocity (loudness), 1 to 127. */
  velocity: number
}

export type Bus = 'drums' | 'bass' | 'music' | 'lead'

export interface Track {
  name: string
  bus: Bus
  instrument: Instrument
  /** True for drums. `instrument` is then the program number of the drum kit. */
  isDrums: boolean
  /** Gain in decibels. */
  gain: number
  /** Position between left (-1) and right (1). */
  pan: number
  notes: Note[]
}

export type SectionKind = 'intro' | 'verse' | 'prechorus' | 'chorus' | 'bridge' | 'solo' | 'break' | 'outro'

export interface Section {
  kind: SectionKind
  /** Name of the section in the lyrics, or else its kind. */
  name: string
  /** Time at which the section begins, in beats from the beginning of the piece. */
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
  /** True when this phrase continues the line before it. */
  goesOn?: true
  syllables: Syllable[]
}

/** A syllable and its note. */
interface Syllable {
  /** Phones (speech sounds) of the syllable in order, in the alphabet of the voice. */
  phones: readonly string[]
  /** True for the first syllable of a word. */
  isFirst: boolean
  note: Note
}

export interface Score {
  title: string
  style: string
  key: Key
  /** Quarter notes per minute. */
  bpm: number
  beatsPerBar: number
  sections: Section[]
  tracks: Track[]
  /** Length of the piece in seconds, including the time in which the last sound fades away. */
  seconds: number
  /** Time at which the written music ends, in beats. */
  beats: number
}
