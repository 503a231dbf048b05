/** Computes the mel spectrum in the same way as the training of the voice encoder did. A row has
 *  the power (not its logarithm) in 40 bands from 0 to 8 kHz on Slaney's mel scale; the filter of
 *  each band has the area 1. The spectrum is taken from Hann windows of 25 ms every 10 ms. The
 *  first window is centred on the first sample. */

export const bands = 40
export const hop = 160
const size = 400
const bins = size / 2 + 1
const sampleRate = 16_000
/** Step of the logarithmic part of Slaney's scale, from 1000 Hz on. */
const logStep = Math.log(6.4) / 27

const window = Float64Array.from({ length: size }, (_, index) => 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / size))
const cosines = Float64Array.from({ length: size }, (_, index) => Math.cos((2 * Math.PI * index) / size))
const filters = melFilters()

/** Returns `count` rows of 40 bands; frame n is centred on sample n x 160. Outside the samples
 *  there is silence. */
export function melFrames(samples: Float32Array, count: number): Float32Array {
  const frames = new Float32Array(count * bands)
  const even = new Float64Array(bins)
  const odd = new Float64Array(bins)
  const power = new Float64Array(bins)
  for (let frame = 0; frame < count; frame++) {
    const start = frame * hop - size / 2
    fold(samples, start, even, odd)
    for (let bin = 0; bin < bins; bin++) power[bin] = powerAt(bin, even, odd)
    for (const [band, { from, weights }] of filters.entries()) {
      let sum = 0
      for (let index = 0; index < weights.length; index++) sum += (weights[index] ?? 0) * (power[from + index] ?? 0)
      frames[frame * bands + band] = sum
    }
  }
  return frames
}

/** Writes the sums (`even`) and the differences (`odd`) of the windowed samples n and size - n. In
 *  the Fourier transform, both samples have the same cosine and opposite sines, so it needs only
 *  half the multiplications. */
function fold(samples: Float32Array, start: number, even: Float64Array, odd: Float64Array): void {
  const at = (index: number): number => (samples[start + index] ?? 0) * (window[index] ?? 0)
  even[0] = at(0)
  odd[0] = 0
  for (let index = 1; index < bins - 1; index++) {
    const one = at(index)
    const other = at(size - index)
    even[index] = one + other
    odd[index] = one - other
  }
  even[bins - 1] = at(size / 2)
  odd[bins - 1] = 0
}

function powerAt(bin: number, even: Float64Array, odd: Float64Array): number {
  let real = 0
  let imaginary = 0
  let angle = 0
  // A sine equals the cosine three quarters of a turn further, so it is read from the table of
  // cosines.
  let quarter = (3 * size) / 4
  for (let index = 0; index < bins; index++) {
    real += (even[index] ?? 0) * (cosines[angle] ?? 0)
    imaginary += (odd[index] ?? 0) * (cosines[quarter] ?? 0)
    angle += bin
    if (angle >= size) angle -= size
    quarter += bin
    if (quarter >= size) quarter -= size
  }
  return real * real + imaginary * imaginary
}

function melFilters(): { from: number; weights: Float64Array }[] {
  const top = toMel(sampleRate / 2)
  const edges = Array.from({ length: bands + 2 }, (_, index) => toHertz((top * index) / (bands + 1)))
  return Array.from({ length: bands }, (_, band) => {
    const [low = 0, middle = 0, high = 0] = edges.slice(band, band + 3)
    const weights = Array.from({ length: bins }, (_, bin) => {
      const hertz = (bin * sampleRate) / size
      return (Math.max(0, Math.min((hertz - low) / (middle - low), (high - hertz) / (high - middle))) * 2) / (high - low)
    })
    const from = weights.findIndex(weight => weight > 0)
    return { from, weights: Float64Array.from(weights.slice(from, weights.findLastIndex(weight => weight > 0) + 1)) }
  })
}

// Converts hertz to mel: linear below 1000 Hz (200/3 Hz a mel), logarithmic above.
function toMel(hertz: number): number {
  return hertz < 1000 ? (3 * hertz) / 200 : 15 + Math.log(hertz / 1000) / logStep
}

function toHertz(mel: number): number {
  return mel < 15 ? (200 * mel) / 3 : 1000 * Math.exp(logStep * (mel - 15))
}
