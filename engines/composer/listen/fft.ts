/** Power spectra of real sound. */

export interface Spectrum {
  /** Powers of the frequencies 0 to half the rate: `size / 2 + 1` of them. The array is used again by the next call. */
  of(sound: Float32Array, from: number): Float64Array
}

/** Frames of `size` samples, a power of two, under a Hann window; what is beyond the sound is silence. */
export function createSpectrum(size: number): Spectrum {
  const window = Float64Array.from({ length: size }, (_, index) => 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / size))
  const cosine = Float64Array.from({ length: size / 2 }, (_, index) => Math.cos((2 * Math.PI * index) / size))
  const sine = Float64Array.from({ length: size / 2 }, (_, index) => Math.sin((2 * Math.PI * index) / size))
  const order = reversed(size)
  const real = new Float64Array(size)
  const imaginary = new Float64Array(size)
  const powers = new Float64Array(size / 2 + 1)
  return {
    of(sound, from) {
      for (let index = 0; index < size; index++) {
        const place = order[index]!
        real[place] = (sound[from + index] ?? 0) * window[index]!
        imaginary[place] = 0
      }
      butterflies({ real, imaginary, cosine, sine, size })
      for (let index = 0; index <= size / 2; index++) powers[index] = real[index]! ** 2 + imaginary[index]! ** 2
      return powers
    },
  }
}

interface Work {
  real: Float64Array
  imaginary: Float64Array
  cosine: Float64Array
  sine: Float64Array
  size: number
}

function butterflies({ real, imaginary, cosine, sine, size }: Work): void {
  for (let width = 1; width < size; width *= 2) {
    const stride = size / (2 * width)
    for (let start = 0; start < size; start += 2 * width) {
      for (let index = 0; index < width; index++) {
        const one = start + index
        const other = one + width
        const c = cosine[index * stride]!
        const s = sine[index * stride]!
        const r = real[other]! * c + imaginary[other]! * s
        const i = imaginary[other]! * c - real[other]! * s
        real[other] = real[one]! - r
        imaginary[other] = imaginary[one]! - i
        real[one]! += r
        imaginary[one]! += i
      }
    }
  }
}

function reversed(size: number): Uint32Array {
  const order = new Uint32Array(size)
  for (let index = 1; index < size; index++) order[index] = (order[index >> 1]! >> 1) | (index & 1 ? size / 2 : 0)
  return order
}
