/** Limits the peaks of a sound, including those between two samples, to a ceiling. */
import { type Stereo, sampleRate, stereo } from './rate.ts'

/** Number of samples that the limiter reads ahead, so that it can lower the gain before a peak. */
export const lookAhead = 192
const releaseSeconds = 0.12
/** Filters that interpolate the sound at a quarter, a half and three quarters between two samples.
 *  Each is a windowed sinc function with eight taps. */
const phases = [0.25, 0.5, 0.75].map(phase =>
  Array.from({ length: 8 }, (_, tap) => {
    const x = tap - 3 - phase
    const sinc = Math.abs(x) < 1e-9 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x)
    return sinc * Math.cos((Math.PI * x) / 9) ** 2
  }),
)

interface Limiter {
  /** Returns the sound delayed by `lookAhead` samples, multiplied by `gain` and kept below the
   *  ceiling. */
  process(sound: Stereo, gain: number): Stereo
}

export function createLimiter(ceiling: number): Limiter {
  const kept = stereo(lookAhead)
  /** For each delayed sample, the largest gain, at most 1, at which it does not exceed the
   *  ceiling. */
  const needed = new Float32Array(lookAhead).fill(1)
  let at = 0
  let current = 1
  const release = 1 - Math.exp(-1 / (releaseSeconds * sampleRate))
  const attack = 1 - Math.exp(-6 / lookAhead)
  const window = lowestOf(lookAhead)
  const peaks = [peakMeter(ceiling), peakMeter(ceiling)] as const
  return {
    process({ left, right }, gain) {
      const out = stereo(left.length)
      for (let index = 0; index < left.length; index++) {
        const l = left[index]! * gain
        const r = right[index]! * gain
        const peak = Math.max(peaks[0](l), peaks[1](r))
        const leaving = needed[at]!
        needed[at] = peak > ceiling ? ceiling / peak : 1
        const least = window(needed[at]!)
        current += (least < current ? attack : release) * (least - current)
        // The smoothed gain may fall a little too late, so it is also limited to the gain that this
        // sample needs.
        const safe = Math.min(current, leaving)
        out.left[index] = kept.left[at]! * safe
        out.right[index] = kept.right[at]! * safe
        kept.left[at] = l
        kept.right[at] = r
        at = at + 1 === lookAhead ? 0 : at + 1
      }
      return out
    },
  }
}

/** Returns a function that takes the next sample and returns its peak: the larger of the sample
 *  itself and the values interpolated between the last eight samples. Interpolation is skipped when
 *  the samples are far below the ceiling. */
function peakMeter(ceiling: number): (value: number) => number {
  // Each value is stored twice, at a distance of eight, so that the last eight values always follow
  // one another in the array.
  const kept = new Float32Array(16)
  const near = ceiling * 0.7
  let at = 0
  return value => {
    kept[at] = value
    kept[at + 8] = value
    at = (at + 1) & 7
    let peak = Math.abs(value)
    if (Math.abs(kept[at + 3]!) < near && Math.abs(kept[at + 4]!) < near) return peak
    for (let phase = 0; phase < 3; phase++) {
      const taps = phases[phase]!
      let sum = 0
      for (let tap = 0; tap < 8; tap++) sum += taps[tap]! * kept[at + tap]!
      peak = Math.max(peak, Math.abs(sum))
    }
    return peak
  }
}

/** Returns a function that takes the next value and returns the lowest of the last `length` values.
 *  A stored value is dropped as soon as a lower one follows, so each call makes about one
 *  comparison. */
function lowestOf(length: number): (value: number) => number {
  // The size is a power of two above `length`, so that positions in the ring are computed with a
  // bit mask.
  const size = 2 ** Math.ceil(Math.log2(length + 1))
  const around = size - 1
  const values = new Float32Array(size)
  const times = new Float64Array(size)
  let first = 0
  let count = 0
  let now = 0
  return value => {
    while (count > 0 && values[(first + count - 1) & around]! >= value) count -= 1
    const place = (first + count) & around
    values[place] = value
    times[place] = now
    count += 1
    while (times[first]! <= now - length) {
      first = (first + 1) & around
      count -= 1
    }
    now += 1
    return values[first]!
  }
}
