/** Finds the tempo of a recording from the time after which its onsets (the beginnings of notes and
 *  drum strokes) repeat. */
import { createSpectrum } from './spectrum.ts'

export interface Beat {
  /** Quarter notes per minute. When several tempos are plausible, one near 108 is preferred. */
  bpm: number
  /** Time of the first beat, seconds. */
  firstBeat: number
  /** How regular the beat is: 0 (no beat) to 1 (as regular as a machine). */
  clarity: number
}

const frame = 1024
const hop = 256

/** Returns the tempo; undefined for sound without a beat, or of less than four seconds. */
export function tempoOf(sound: Float32Array, sampleRate: number): Beat | undefined {
  if (sound.length < 4 * sampleRate) return undefined
  const onsets = onsetsOf(sound)
  const rate = sampleRate / hop
  const longest = Math.ceil((60 / 40) * rate)
  const correlation = correlate(onsets, Math.min(onsets.length >> 1, longest * 4))
  const zero = correlation[0] ?? 0
  if (zero === 0) return undefined
  let best = { score: Number.NEGATIVE_INFINITY, bpm: 0 }
  for (let bpm = 50; bpm <= 200; bpm += 0.25) {
    const lag = (60 / bpm) * rate
    // When the lag is the length of a beat, the onsets also repeat after two and four times the
    // lag. For other lags they do not. So the correlations at these multiples are added.
    const repeats = at(correlation, lag) + 0.7 * at(correlation, 2 * lag) + 0.9 * at(correlation, 4 * lag) + 0.4 * at(correlation, lag / 2)
    const usual = Math.exp(-0.5 * (Math.log2(bpm / 108) / 0.75) ** 2)
    const score = repeats * (0.4 + 0.6 * usual)
    if (score > best.score) best = { score, bpm }
  }
  const bpm = refined(correlation, best.bpm, rate)
  return {
    bpm,
    firstBeat: phaseOf(onsets, (60 / bpm) * rate) / rate,
    clarity: Math.max(0, Math.min(1, at(correlation, (60 / bpm) * rate) / zero)),
  }
}

/** Returns the tempo measured more precisely. Instead of one beat, a number of beats (2, 4, 8 ...)
 *  is measured, as long as the correlation still has a peak there; an error of the measured time is
 *  then divided by that number. */
function refined(correlation: Float64Array, bpm: number, rate: number): number {
  let lag = (60 / bpm) * rate
  for (let multiple = 1; multiple * lag < correlation.length - 4; multiple *= 2) {
    const around = multiple * lag
    let peak = Math.round(around)
    for (let place = Math.floor(around - 3); place <= around + 3; place++)
      if ((correlation[place] ?? 0) > (correlation[peak] ?? 0)) peak = place
    const [before = 0, middle = 0, after = 0] = [correlation[peak - 1], correlation[peak], correlation[peak + 1]]
    const curve = before - 2 * middle + after
    if (curve < 0) lag = (peak + (0.5 * (before - after)) / curve) / multiple
  }
  return (60 * rate) / lag
}

function at(values: Float64Array, place: number): number {
  const below = Math.floor(place)
  const part = place - below
  return (values[below] ?? 0) * (1 - part) + (values[below + 1] ?? 0) * part
}

/** Returns the strength of onsets in each frame: the rise of the spectrum since the frame before,
 *  minus the mean of such rises around it. */
export function onsetsOf(sound: Float32Array): Float64Array {
  const spectrum = createSpectrum(frame)
  const bands = 24
  const count = Math.max(0, Math.floor((sound.length - frame) / hop))
  let last: Float64Array = new Float64Array(bands)
  const rises = Float64Array.from({ length: count }, (_, index) => {
    const now = bandsOf(spectrum.of(sound, index * hop), bands)
    let sum = 0
    for (let band = 0; band < bands; band++) sum += Math.max(0, (now[band] ?? 0) - (last[band] ?? 0))
    last = now
    return index === 0 ? 0 : sum
  })
  const around = 40
  let total = rises.slice(0, around).reduce((sum, value) => sum + value, 0)
  return rises.map((value, index) => {
    total += (rises[index + around] ?? 0) - (rises[index - around - 1] ?? 0)
    const mean = total / (Math.min(count - 1, index + around) - Math.max(0, index - around) + 1)
    return Math.max(0, value - mean)
  })
}

/** Returns the logarithm of the power in each frequency band. High bands are wider than low
 *  ones. */
function bandsOf(powers: Float64Array, bands: number): Float64Array {
  const out = new Float64Array(bands)
  let from = 1
  for (let band = 0; band < bands; band++) {
    const to = Math.max(from + 1, Math.round(2 ** ((band + 1) * (Math.log2(powers.length) / bands))))
    let sum = 0
    for (let index = from; index < Math.min(to, powers.length); index++) sum += powers[index]!
    out[band] = Math.log(1e-4 + sum / (to - from))
    from = Math.min(to, powers.length - 1)
  }
  return out
}

function correlate(values: Float64Array, lags: number): Float64Array {
  return Float64Array.from({ length: lags }, (_, lag) => {
    let sum = 0
    for (let index = lag; index < values.length; index++) sum += values[index]! * values[index - lag]!
    return sum / (values.length - lag)
  })
}

/** Returns the time of the first beat in frames. This time is chosen so that the beats coincide
 *  with the strongest onsets. */
function phaseOf(onsets: Float64Array, period: number): number {
  let best = 0
  let most = Number.NEGATIVE_INFINITY
  for (let phase = 0; phase < period; phase += 0.5) {
    let sum = 0
    for (let place = phase; place < onsets.length - 1; place += period) sum += at(onsets, place)
    if (sum <= most) continue
    most = sum
    best = phase
  }
  return best
}
