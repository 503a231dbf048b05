/** Speech of an even pitch onto a melody: grains of two periods, laid down at the melody's periods (TD-PSOLA). */
import { randomOf } from '../random.ts'
import { spokenRate } from './flite.ts'

/** A stretch of the target that a stretch of the source fills. All in samples. */
export interface Stretch {
  from: number
  to: number
  sourceFrom: number
  sourceTo: number
  isVoiced: boolean
  /** Factor on the sound, at its beginning and at its end. */
  gains: readonly [number, number]
}

export interface ShiftAsk {
  source: Float32Array
  /** Hertz of the source where it is voiced. */
  sourceHertz: number
  /** In order, without gaps inside; what no stretch covers is silent. */
  stretches: readonly Stretch[]
  /** Hertz at a sample of the target. */
  hertzAt(at: number): number
  length: number
}

export function shift({ source, sourceHertz, stretches, hertzAt, length }: ShiftAsk): Float32Array {
  const out = new Float32Array(length)
  const period = spokenRate / sourceHertz
  const marks = marksOf(source, period)
  const chance = randomOf('grains')
  let at = 0
  for (const stretch of stretches) {
    const { from, to, sourceFrom, sourceTo, gains } = stretch
    at = Math.max(at, from)
    const pace = (sourceTo - sourceFrom) / Math.max(1, to - from)
    const gainAt = (place: number) => gains[0] + ((gains[1] - gains[0]) * (place - from)) / Math.max(1, to - from)
    if (!stretch.isVoiced) {
      // Noise has no period; where it is drawn out, its grains are taken from here and there, or it would hum.
      const hop = 80
      for (; at < to; at += hop) {
        const wander = pace < 0.8 ? (chance.next() - 0.5) * 160 * (1 - pace) : 0
        addGrain(out, source, { at, from: sourceFrom + (at - from) * pace + wander, half: hop, gain: gainAt(at) })
      }
      continue
    }
    for (; at < to; ) {
      const target = spokenRate / hertzAt(at)
      const mark = nearestOf(marks, sourceFrom + (at - from) * pace)
      // Closer grains sum to more.
      addGrain(out, source, { at, from: mark, half: Math.round(period), gain: gainAt(at) * Math.min(1.6, target / period) ** 0.9 })
      at += target
    }
  }
  return out
}

function addGrain(
  out: Float32Array,
  source: Float32Array,
  { at, from, half, gain }: { at: number; from: number; half: number; gain: number },
): void {
  // The grain lies between two samples; it is moved by its fraction, or the pitch would waver by whole samples.
  const whole = Math.floor(at)
  const fraction = at - whole
  const start = Math.round(from)
  for (let offset = -half; offset <= half; offset++) {
    const place = whole + offset
    if (place < 0 || place >= out.length) continue
    const x = offset - fraction
    if (Math.abs(x) >= half) continue
    const below = source[start + offset - 1] ?? 0
    const here = source[start + offset] ?? 0
    const value = here + fraction * (below - here)
    out[place] = (out[place] ?? 0) + gain * value * (0.5 + 0.5 * Math.cos((Math.PI * x) / half))
  }
}

/** Where each period has its peak, as far as it goes on evenly; across what is voiceless the marks just follow one another. */
function marksOf(source: Float32Array, period: number): Float64Array {
  const marks: number[] = []
  const reach = period * 0.22
  let at = period
  while (at < source.length - period) {
    let best = Math.round(at)
    let most = Number.NEGATIVE_INFINITY
    for (let place = Math.ceil(at - reach); place <= at + reach; place++) {
      // The middle is preferred, so that noise does not draw the marks about.
      const value = (source[place] ?? 0) * (1 - (0.3 * Math.abs(place - at)) / reach)
      if (value <= most) continue
      most = value
      best = place
    }
    const mark = most > 0.003 ? best : at
    marks.push(mark)
    at = mark + period
  }
  return Float64Array.from(marks)
}

function nearestOf(marks: Float64Array, place: number): number {
  let low = 0
  let high = marks.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (marks[middle]! < place) low = middle + 1
    else high = middle
  }
  const after = marks[low] ?? place
  const before = marks[low - 1] ?? after
  return place - before < after - place ? before : after
}
