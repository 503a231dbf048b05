/** Keeps peaks, also those between the samples, below a ceiling. */
import { type Stereo, sampleRate, stereo } from './rate.ts'

/** Samples that it looks ahead. */
export const lookAhead = 192
const releaseSeconds = 0.12
/** Windowed sine at a quarter, a half and three quarters between samples; eight taps. */
const phases = [0.25, 0.5, 0.75].map(phase =>
  Array.from({ length: 8 }, (_, tap) => {
    const x = tap - 3 - phase
    const sinc = Math.abs(x) < 1e-9 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x)
    return sinc * Math.cos((Math.PI * x) / 9) ** 2
  }),
)

export interface Limiter {
  /** What came `lookAhead` samples before, multiplied by `gain` and held below the ceiling. */
  process(sound: Stereo, gain: number): Stereo
}

export function createLimiter(ceiling: number): Limiter {
  const kept = stereo(lookAhead)
  /** Gains that the samples on their way need at most. */
  const needed = new Float32Array(lookAhead).fill(1)
  let at = 0
  let current = 1
  const release = 1 - Math.exp(-1 / (releaseSeconds * sampleRate))
  const attack = 1 - Math.exp(-6 / lookAhead)
  const window = lowestOf(lookAhead)
  const tail = [new Float32Array(8), new Float32Array(8)] as const
  return {
    process({ left, right }, gain) {
      const out = stereo(left.length)
      for (let index = 0; index < left.length; index++) {
        const l = left[index]! * gain
        const r = right[index]! * gain
        const peak = Math.max(peakOf(tail[0], l, ceiling), peakOf(tail[1], r, ceiling))
        const leaving = needed[at]!
        needed[at] = peak > ceiling ? ceiling / peak : 1
        const least = window(needed[at]!)
        current += (least < current ? attack : release) * (least - current)
        // The smooth way down may be a little late: the sample itself must still be held.
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

/** The highest of the newest sample and of the curve through the last eight; the curve is looked at only near the ceiling. */
function peakOf(tail: Float32Array, value: number, ceiling: number): number {
  tail.copyWithin(0, 1)
  tail[7] = value
  let peak = Math.abs(value)
  if (Math.max(Math.abs(tail[3]!), Math.abs(tail[4]!)) < ceiling * 0.7) return peak
  for (const taps of phases) {
    let sum = 0
    for (let tap = 0; tap < 8; tap++) sum += taps[tap]! * tail[tap]!
    peak = Math.max(peak, Math.abs(sum))
  }
  return peak
}

/** The lowest of the last `length` values. Those that a later, lower one hides are dropped, so that each is looked at about once. */
function lowestOf(length: number): (value: number) => number {
  const values = new Float32Array(length + 1)
  const times = new Float64Array(length + 1)
  let first = 0
  let count = 0
  let now = 0
  return value => {
    while (count > 0 && values[(first + count - 1) % (length + 1)]! >= value) count -= 1
    const place = (first + count) % (length + 1)
    values[place] = value
    times[place] = now
    count += 1
    while (times[first]! <= now - length) {
      first = (first + 1) % (length + 1)
      count -= 1
    }
    now += 1
    return values[first]!
  }
}
