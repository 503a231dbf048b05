/** Messages between the gateway's process and the child processes for speech. */
import type { Chunk, SpokenText } from './language/index.ts'
import type { Maker } from './voices.ts'

/** Paths of a model's files, by name. */
export type ModelFiles = Readonly<Record<string, string>>

/** A request for the next chunk of a text. Only the first request for a text contains the text. */
export interface ReadJob {
  id: string
  text?: SpokenText
  /** The files in the pack of the speech model Hibari. */
  files: ModelFiles
}

export interface ReadAnswer {
  /** The next chunk; absent at the end of the text. */
  chunk?: Chunk
}

/** A part of a text to speak. `sound` is set when eSpeak, which is a separate program, has already
 *  spoken it. */
export interface SpokenPart extends Chunk {
  sound?: Float32Array
}

/** A job that speaks one part of a text; jobs of other accounts may run between two parts. */
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
  /** True when the loudness of this sound is measured and brought to the common loudness; otherwise
   *  `gain` is applied. */
  isNormalized: boolean
  isBoosted: boolean
  /** Variation of the melody: from 0 (flatter) to 1 (livelier); 0.5 leaves the model unchanged. */
  liveliness: number
  /** Similarity of the sound to the chosen voice: from 0 (nearer to the mean of all voices) to 1;
   *  from 0.75 on, it is the voice itself. */
  likeness: number
  seed: number
}

/** A job that speeds up a sound. */
export interface HastenJob {
  samples: Float32Array
  /** Sample rate, Hz. */
  rate: number
  /** Speed-up, 1 to 2. */
  factor: number
}

export interface SpeakAnswer {
  /** The sound of the part, without silence where an utterance begins or ends. For a job that
   *  speeds up a sound, the faster sound. */
  samples: Float32Array
}
