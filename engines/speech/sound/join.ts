/** Joins pieces of sound, with a crossfade between parts of one utterance. */

/** Length of the crossfade between two parts of an utterance, in ms. */
export const lapMs = 30

interface Joiner {
  /** Adds a piece and returns the sound that is now complete. The last `lap` samples of the piece
   *  are held back, because the next piece is crossfaded with them. */
  add(piece: Float32Array, lap?: number): Float32Array
  /** Returns the remaining sound. */
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
