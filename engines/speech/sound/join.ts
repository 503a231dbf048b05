/** Pieces of sound that follow each other, some laid over the end of the one before. */

/** Both pieces that meet inside of an utterance have so much of it: the one fades out while the
 *  other fades in. */
export const lapMs = 30

interface Joiner {
  /** What is ready once this piece is there. `lap`: samples at its end that the next piece is
   *  laid over. */
  add(piece: Float32Array, lap?: number): Float32Array
  /** What is left. */
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
