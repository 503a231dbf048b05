/** What the gateway's process and the speech processes say to each other. */
import type { Chunk, SpokenText } from './language/index.ts'
import type { Maker } from './voices.ts'

/** Files of a model's pack, by their names in it. */
export type ModelFiles = Readonly<Record<string, string>>

/** Asks for the next chunks of a text; the first question carries the text. */
export interface ReadJob {
  id: string
  text?: SpokenText
  /** Of Hibari's pack. */
  files: ModelFiles
}

export interface ReadAnswer {
  /** The next one; none when the text is at its end. */
  chunk?: Chunk
}

/** With the sound that a program has made of it, where no model speaks. */
export interface SpokenPart extends Chunk {
  sound?: Float32Array
}

/** What is spoken together, as one sound. */
export interface SpeakJob {
  maker: Maker
  files: ModelFiles
  threads: number
  /** The model's own name of the voice. */
  voice: string
  parts: readonly SpokenPart[]
  /** 1 is the usual pace. */
  speed: number
  /** Decibels. */
  gain: number
  /** Brought to the common loudness, whatever the voice made of it. */
  isNormalized: boolean
  isBoosted: boolean
  /** 0 flat to 1; 0.5 as the model was made. */
  liveliness: number
  /** 0, the middle of all voices, to 1, the voice itself. */
  likeness: number
  seed: number
  /** What it may last; what is longer is made faster, at most twice as fast. */
  mostSeconds?: number
}

export interface SpeakAnswer {
  /** Without silence at its ends. */
  samples: Float32Array
}
