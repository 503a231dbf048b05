/** Pieces of sound that follow each other, some laid over the end of the one before. */

/** Length of the overlap of two pieces inside an utterance, milliseconds: one fades out while the
 *  other fades in. */
export const lapMs = 30

interface Joiner {
  /** Adds a piece and returns the sound that is now ready. `lap`: samples at its end over which the
   *  next piece is laid. */
  add(piece: Float32Array, lap?: number): Float32Array
  /** Returns the rest. */
  end(): Float32Array
}

export function createJoiner(): Joiner {
  let held = new Float32Array()
  return {
    add(piece, lap = 0) {
      const whole = new Float32Array(Math.max(piece.length, held.length))
      whole.set(piece)
      for (const [index, value] of held.entries()) whole[index]! += value
      const ready = Math.max(0, whole.length - lap)
      held = whole.slice(ready)
      return whole.subarray(0, ready)
    },
    end() {
      const last = held
      held = new Float32Array()
      return last
    },
  }
}
