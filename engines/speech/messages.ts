/** Messages between the gateway's process and the speech processes. */
import type { Chunk, SpokenText } from './language/index.ts'
import type { Maker } from './voices.ts'

/** Paths of the files in a model's pack, by name. */
export type ModelFiles = Readonly<Record<string, string>>

/** Requests the next chunk of a text; only the first request contains the text. */
export interface ReadJob {
  id: string
  text?: SpokenText
  /** Files of Hibari's pack. */
  files: ModelFiles
}

export interface ReadAnswer {
  /** The next chunk; absent at the end of the text. */
  chunk?: Chunk
}

/** A chunk with the sound that a program has made, when no model speaks it. */
export interface SpokenPart extends Chunk {
  sound?: Float32Array
}

/** One unit of speech: others may speak between two parts of a long text. */
export interface SpeakJob {
  maker: Maker
  files: ModelFiles
  threads: number
  /** The model's own name of the voice. */
  voice: string
  part: SpokenPart
  /** 1 is the normal pace. */
  speed: number
  /** Gain, decibels. */
  gain: number
  /** True when the sound is brought to the common loudness, whatever the level of the voice. */
  isNormalized: boolean
  isBoosted: boolean
  /** 0 (flat) to 1; 0.5 leaves the model unchanged. */
  liveliness: number
  /** 0 (the mean of all voices) to 1 (the voice itself). */
  likeness: number
  seed: number
}

/** Sound to speed up. */
export interface HastenJob {
  samples: Float32Array
  /** Sample rate, Hz. */
  rate: number
  /** Speed-up, 1 to 2. */
  factor: number
}

export interface SpeakAnswer {
  /** Samples without silence at either end. */
  samples: Float32Array
}
