/** Finds the key of a recording. The key is derived from the strength of the twelve pitch classes
 *  (the notes without their octave). */
import type { Key } from '../theory/key.ts'
import { createSpectrum } from './spectrum.ts'

/** Returns the strength of the twelve pitch classes, C first. The values add up to 1; for silence,
 *  all are 0. */
export function chromaOf(sound: Float32Array, sampleRate: number): number[] {
  const size = 8192
  const spectrum = createSpectrum(size)
  const chroma = new Array<number>(12).fill(0)
  const from = Math.ceil((65 * size) / sampleRate)
  const to = Math.floor((1900 * size) / sampleRate)
  for (let start = 0; start + size <= sound.length; start += size) {
    const powers = spectrum.of(sound, start)
    for (let index = from; index <= to; index++) {
      const power = powers[index]!
      // Only local peaks of the spectrum count. Other frequencies are side lobes of a peak, or
      // noise.
      if (power < powers[index - 1]! || power < powers[index + 1]!) continue
      const pitch = 69 + 12 * Math.log2((index * sampleRate) / size / 440)
      const offset = pitch - Math.round(pitch)
      const tone = ((Math.round(pitch) % 12) + 12) % 12
      chroma[tone] = (chroma[tone] ?? 0) + Math.sqrt(power) * Math.max(0, 1 - 2.2 * Math.abs(offset))
    }
  }
  const sum = chroma.reduce((total, value) => total + value, 0)
  return chroma.map(value => (sum > 0 ? value / sum : 0))
}

/** How well each of the twelve pitch classes fits a key, as rated by listeners (Krumhansl and
 *  Kessler, 1982); the tonic first. */
const profiles = {
  major: [6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88],
  minor: [6.33, 2.68, 3.52, 5.38, 2.6, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17],
} as const

/** Returns the key whose profile correlates best with `chroma`, the strengths of the twelve pitch
 *  classes. */
export function keyOf(chroma: readonly number[]): Key {
  let best: Key = { tonic: 0, mode: 'major' }
  let most = Number.NEGATIVE_INFINITY
  for (const mode of ['major', 'minor'] as const) {
    for (let tonic = 0; tonic < 12; tonic++) {
      const fit = correlation(
        chroma,
        profiles[mode].map((_, tone) => profiles[mode][(tone - tonic + 12) % 12] ?? 0),
      )
      if (fit <= most) continue
      most = fit
      best = { tonic, mode }
    }
  }
  return best
}

function correlation(one: readonly number[], other: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [a, b] = [mean(one), mean(other)]
  const product = (left: readonly number[], right: readonly number[], [x, y]: readonly [number, number]) =>
    left.reduce((sum, value, index) => sum + (value - x) * ((right[index] ?? 0) - y), 0)
  return product(one, other, [a, b]) / Math.sqrt(product(one, one, [a, a]) * product(other, other, [b, b]) || 1)
}
