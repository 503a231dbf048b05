/** Returns a function that generates pseudo-random numbers from 0 up to, but not including, 1. The
 *  sequence depends only on the lowest 32 bits of `seed`. Algorithm: mulberry32, with 32 bits of
 *  state and two multiplications per number. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
