/** Measures the pitch of a single voice or instrument over time, and splits it into notes. */

interface PitchTrack {
  /** Seconds between two values of `hertz`. */
  hop: number
  /** Pitch in hertz; 0 where the sound has no pitch. */
  hertz: Float32Array
}

const window = 0.046
const hop = 0.01
/** Threshold of the YIN algorithm: how much the sound may differ from one period to the next, as a
 *  share of its energy. */
const clear = 0.22

/** Returns the pitch over time, between 60 and 1000 Hz. At each time, it is derived from the
 *  shortest lag after which the sound repeats (YIN: de Cheveigné and Kawahara, 2002). */
export function pitchOf(sound: Float32Array, sampleRate: number): PitchTrack {
  const size = Math.round(window * sampleRate)
  const step = Math.round(hop * sampleRate)
  const shortest = Math.floor(sampleRate / 1000)
  const longest = Math.min(size, Math.ceil(sampleRate / 60))
  const count = Math.max(0, Math.floor((sound.length - size - longest) / step))
  const loud = loudestPower(sound, size)
  const difference = new Float64Array(longest + 2)
  const hertz = Float32Array.from({ length: count }, (_, index) => {
    const from = index * step
    if (power(sound, from, size) < loud * 0.002) return 0
    return frameHertz(sound, { from, size, shortest, longest, difference, sampleRate })
  })
  return { hop: step / sampleRate, hertz }
}

interface Frame {
  from: number
  size: number
  shortest: number
  longest: number
  difference: Float64Array
  sampleRate: number
}

function frameHertz(sound: Float32Array, { from, size, shortest, longest, difference, sampleRate }: Frame): number {
  let sum = 0
  for (let lag = 1; lag <= longest + 1; lag++) {
    let total = 0
    for (let index = from; index < from + size; index += 2) {
      const gap = sound[index]! - sound[index + lag]!
      total += gap * gap
    }
    sum += total
    difference[lag] = sum > 0 ? (total * lag) / sum : 1
  }
  for (let lag = shortest; lag <= longest; lag++) {
    if (difference[lag]! > clear) continue
    while (lag < longest && difference[lag + 1]! < difference[lag]!) lag += 1
    const [before, here, after] = [difference[lag - 1]!, difference[lag]!, difference[lag + 1]!]
    const curve = before - 2 * here + after
    return sampleRate / (lag + (curve > 0 ? (0.5 * (before - after)) / curve : 0))
  }
  return 0
}

function power(sound: Float32Array, from: number, size: number): number {
  let sum = 0
  for (let index = from; index < from + size; index += 4) sum += sound[index]! * sound[index]!
  return sum / (size / 4)
}

function loudestPower(sound: Float32Array, size: number): number {
  let most = 0
  for (let from = 0; from + size <= sound.length; from += size) most = Math.max(most, power(sound, from, size))
  return most
}

export interface DetectedNote {
  /** Start and end, seconds. */
  start: number
  end: number
  /** MIDI pitch. */
  pitch: number
}

const leastSeconds = 0.08

/** Returns the notes: parts of the sound in which the pitch stays within about one semitone. */
export function notesOf({ hop: step, hertz }: PitchTrack): DetectedNote[] {
  const notes: DetectedNote[] = []
  let from = -1
  let values: number[] = []
  const close = (at: number) => {
    if (from >= 0 && (at - from) * step >= leastSeconds)
      notes.push({ start: from * step, end: at * step, pitch: Math.round(median(values)) })
    from = -1
    values = []
  }
  hertz.forEach((value, index) => {
    const pitch = value > 0 ? 69 + 12 * Math.log2(value / 440) : Number.NaN
    if (Number.isNaN(pitch)) {
      close(index)
      return
    }
    // Vibrato moves the pitch, but stays within this distance (0.75 semitones) of the middle of the
    // note.
    if (from >= 0 && Math.abs(pitch - median(values.slice(-12))) > 0.75) close(index)
    if (from < 0) from = index
    values.push(pitch)
  })
  close(hertz.length)
  return notes
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0
}
