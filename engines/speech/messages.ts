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

/** What is spoken at a time: long texts let others speak between two of their parts. */
export interface SpeakJob {
  maker: Maker
  files: ModelFiles
  threads: number
  /** The model's own name of the voice. */
  voice: string
  part: SpokenPart
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
}

/** Sound that is to be said faster. */
export interface HastenJob {
  samples: Float32Array
  /** Hertz. */
  rate: number
  /** 1 to 2. */
  factor: number
}

export interface SpeakAnswer {
  /** Without silence at its ends. */
  samples: Float32Array
}
