/** Identifies speakers by the sound of their voices. `openSpeakers` creates one; it is heavy work,
 *  for the engine's process. */
export interface Speakers {
  /** Returns a speaker for each of `words`, in their order: the name of a known one, else A, B, C
   *  ... in order of appearance. */
  identify(recording: Recording): Promise<string[]>
}

export interface Recording {
  sound: Sound
  /** Stretches with speech, in order. */
  voiced: readonly Stretch[]
  /** Words or segments, in order. */
  words: readonly Stretch[]
  /** Most different speakers, including the known ones. */
  most?: number
  /** A sample of each known speaker. */
  known: readonly { name: string; sound: Sound }[]
}

/** Mono, 16 kHz, -1 to 1. Read in pieces of a few seconds, so that a recording of hours need not
 *  be in memory. */
export interface Sound {
  seconds: number
  /** Returns samples from number `from` on; fewer than `count` at the end. */
  read(from: number, count: number): Promise<Float32Array>
}

/** Seconds from the beginning. */
export interface Stretch {
  startSeconds: number
  endSeconds: number
}
