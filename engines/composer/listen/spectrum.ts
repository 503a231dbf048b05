/** Computes the power spectrum of a sound. */
import { createFft } from '@generation-gateway/kit/audio/fft.ts'

interface Spectrum {
  /** Returns the powers of `size / 2 + 1` frequencies from 0 to half the sample rate, for the frame
   *  that begins at sample `from`. The next call overwrites the returned array. */
  of(sound: Float32Array, from: number): Float64Array
}

/** Creates a spectrum analyser for frames of `size` samples with a Hann window. `size` must be even
 *  and have no prime factor above 7. Samples after the end of the sound count as zero. */
export function createSpectrum(size: number): Spectrum {
  const window = Float64Array.from({ length: size }, (_, index) => 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / size))
  const fft = createFft(size)
  const real = new Float64Array(size)
  const imaginary = new Float64Array(size)
  const powers = new Float64Array(size / 2 + 1)
  return {
    of(sound, from) {
      for (let index = 0; index < size; index++) real[index] = (sound[from + index] ?? 0) * window[index]!
      imaginary.fill(0)
      fft.forward(real, imaginary)
      for (let index = 0; index <= size / 2; index++) powers[index] = real[index]! ** 2 + imaginary[index]! ** 2
      return powers
    },
  }
}
