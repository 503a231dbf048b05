/** Who speaks when, by the sound of the voices. `openSpeakers` makes one; heavy work, for the engine's process. */
export interface Speakers {
  /** A speaker for each of `words`, in their order: the name of a known one, else A, B, C ... in order of appearance. */
  identify(recording: Recording): Promise<string[]>
}

export interface Recording {
  /** Mono, 16 kHz, -1 to 1. */
  samples: Float32Array
  /** Stretches with speech, in order. */
  voiced: readonly Stretch[]
  /** Words or segments, in order. */
  words: readonly Stretch[]
  /** Different speakers there are at most, those that are known included. */
  most?: number
  /** A sample of each known speaker, mono, 16 kHz. */
  known: readonly { name: string; samples: Float32Array }[]
}

/** Seconds from the beginning. */
export interface Stretch {
  startSeconds: number
  endSeconds: number
}
