/** Measures how bright a sound is. */
import { createSpectrum } from './spectrum.ts'

/** Returns the spectral centroid in hertz: the mean of all frequencies, weighted by their
 *  amplitudes. Louder moments count more. */
export function brightnessOf(sound: Float32Array, sampleRate: number): number {
  const size = 2048
  const spectrum = createSpectrum(size)
  let moment = 0
  let weight = 0
  for (let start = 0; start + size <= sound.length; start += 4 * size) {
    const powers = spectrum.of(sound, start)
    for (let index = 1; index < powers.length; index++) {
      const level = Math.sqrt(powers[index]!)
      moment += level * index
      weight += level
    }
  }
  return weight > 0 ? ((moment / weight) * sampleRate) / size : 0
}
