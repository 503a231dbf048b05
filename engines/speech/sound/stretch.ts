/** Changes the pace at constant pitch, by overlapping segments of the sound where they match best
 *  (WSOLA: Verhelst and Roelands, 1993). */

const windowMs = 32
const searchMs = 9

/** Returns the sound at another pace: `speed` 2 makes it half as long. */
export function stretched(sound: Float32Array, sampleRate: number, speed: number): Float32Array {
  const hop = Math.round((windowMs * sampleRate) / 2000)
  if (Math.abs(speed - 1) < 0.001 || sound.length < 4 * hop) return sound
  const search = Math.round((searchMs * sampleRate) / 1000)
  const size = 2 * hop
  const window = Float32Array.from({ length: size }, (_, index) => 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / size))
  const length = Math.round(sound.length / speed)
  const out = new Float32Array(length + size)
  // Position in the input at which the last segment would continue if nothing were stretched.
  let natural = 0
  for (let to = -hop; to < length; to += hop) {
    const wanted = Math.round((to + hop) * speed) - hop
    const from = to === -hop ? wanted : bestFit(sound, { wanted, natural, search, size })
    for (let index = Math.max(0, -to); index < size; index++) out[to + index]! += (sound[from + index] ?? 0) * window[index]!
    natural = from + hop
  }
  return out.subarray(0, length)
}

interface Fit {
  wanted: number
  natural: number
  search: number
  size: number
}

/** Returns the position near `wanted` from which on the sound is most similar to the sound from
 *  `natural` on. */
function bestFit(sound: Float32Array, { wanted, natural, search, size }: Fit): number {
  let best = wanted
  let bestScore = -Infinity
  // For speed, only every second position and sample is compared; the difference is inaudible.
  for (let from = wanted - search; from <= wanted + search; from += 2) {
    let product = 0
    let energy = 1e-9
    for (let index = 0; index < size; index += 2) {
      const value = sound[from + index] ?? 0
      product += value * (sound[natural + index] ?? 0)
      energy += value * value
    }
    const score = product / Math.sqrt(energy)
    if (score > bestScore) {
      bestScore = score
      best = from
    }
  }
  return best
}
