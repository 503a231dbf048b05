/** Interface of the speaker identification, which tells speakers apart by their voices.
 *  `openSpeakers` (identify.ts) creates one. The identification needs much computation, so it runs
 *  in the engine's child process. */
export interface Speakers {
  /** Returns a speaker name for each of `words`, in order: the name of a known speaker, else A, B,
   *  C ... in order of appearance. */
  identify(recording: Recording): Promise<string[]>
}

export interface Recording {
  sound: Sound
  /** Stretches with speech, in order. */
  voiced: readonly Stretch[]
  /** Times of the words (or of whole segments), in order; `identify` names a speaker for each. */
  words: readonly Stretch[]
  /** Largest number of different speakers, including the known ones. */
  most?: number
  /** A sound sample of each known speaker. */
  known: readonly { name: string; sound: Sound }[]
}

/** Mono sound at 16 kHz, values -1 to 1. It is read in pieces of a few seconds, so that a recording
 *  of several hours is never in memory as a whole. */
export interface Sound {
  seconds: number
  /** Returns samples from number `from` on; fewer than `count` at the end. */
  read(from: number, count: number): Promise<Float32Array>
}

/** A part of a recording; start and end in seconds. */
export interface Stretch {
  startSeconds: number
  endSeconds: number
}
