/** A piece as it is written: what sounds when, in beats, before a sample of it is made. */
import type { Chord } from './theory/chord.ts'
import type { Key } from './theory/key.ts'

/** General MIDI program, from 0; or one of our own generators (`scripts/generators.ts`). */
export type Instrument = number | OwnInstrument
export type OwnInstrument = 'pulse' | 'square' | 'triangle' | 'chip drums' | 'saw' | 'acid' | 'sub' | 'reese' | 'pluck' | 'supersaw'

export interface Note {
  /** Beats from the beginning of the piece. */
  beat: number
  beats: number
  /** MIDI pitch; of drums the key of the kit. */
  pitch: number
  /** 1 to 127. */
  velocity: number
}

export type Bus = 'drums' | 'bass' | 'music' | 'lead'

export interface Track {
  name: string
  bus: Bus
  instrument: Instrument
  /** A drum track's instrument is the program of its kit. */
  isDrums: boolean
  /** Decibels. */
  gain: number
  /** -1 left to 1 right. */
  pan: number
  notes: Note[]
}

export type SectionKind = 'intro' | 'verse' | 'prechorus' | 'chorus' | 'bridge' | 'solo' | 'break' | 'outro'

export interface Section {
  kind: SectionKind
  /** As the lyrics call it, or the kind. */
  name: string
  /** Beats from the beginning. */
  start: number
  bars: number
  /** 0 to 1. */
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
  /** As it was written. */
  text: string
  /** A further phrase of the line before. */
  goesOn?: true
  syllables: Syllable[]
}

/** A syllable on its note. */
interface Syllable {
  /** Phones of the voice, in order. */
  phones: readonly string[]
  /** Begins a word. */
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
  /** Of the whole, with the last sound's dying away. */
  seconds: number
  /** Where the music is written to end, in beats. */
  beats: number
}
