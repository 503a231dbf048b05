/** The singing voice of a piece: finds the time of each line and renders lines when they are
 *  needed. */
import { randomOf } from '../random.ts'
import { sampleRate } from '../render/rate.ts'
import type { Score, SungLine } from '../score.ts'
import { type Key, scaleOf } from '../theory/key.ts'
import { leadSeconds, type Singer, singLine, speakLine } from './line.ts'
import { resample } from './resample.ts'
import { voiceRate } from './revoice.ts'
import type { Speaker } from './speaker.ts'

/** A function that returns mono samples of the singing, `count` of them from sample `from` of the
 *  piece on. */
type Vocal = (from: number, count: number) => Promise<Float32Array>

interface PlacedLine {
  line: SungLine
  /** Start and end, seconds. */
  start: number
  end: number
  /** Seconds from the end of the previous line to the beginning of this one. */
  rest: number
  /** The line for a second, softer voice: the same words, a third below the tune. Undefined when
   *  only one voice sings. */
  second: SungLine | undefined
}

const marginSeconds = 0.7

interface VocalOptions {
  singer: Singer
  speaker: Speaker
  /** Called and awaited before each line is rendered, so that other work of the process can run. */
  giveWay?(): Promise<void>
}

export function createVocal(score: Score, { singer, speaker, giveWay }: VocalOptions): Vocal {
  const lines = placedLines(score)
  const made = new Map<string, Promise<Float32Array>>()
  const finished = new Map<PlacedLine, Promise<{ from: number; samples: Float32Array }>>()
  const soundOf = (placed: PlacedLine) => {
    const known = finished.get(placed) ?? finish(placed, { score, singer, speaker, made })
    finished.set(placed, known)
    return known
  }
  return async (from, count) => {
    const out = new Float32Array(count)
    const wanted = lines.filter(
      ({ start, end }) => (start - marginSeconds) * sampleRate < from + count && (end + marginSeconds) * sampleRate > from,
    )
    for (const placed of wanted) {
      if (!finished.has(placed)) await giveWay?.()
      const { from: begin, samples } = await soundOf(placed)
      const first = Math.max(0, begin - from)
      for (let index = first; index < count && from + index - begin < samples.length; index++)
        out[index] = (out[index] ?? 0) + (samples[from + index - begin] ?? 0)
    }
    return out
  }
}

interface LineTime {
  text: string
  startSeconds: number
  endSeconds: number
}

/** Returns the start and end of each line in seconds, in order. A line that was split into phrases
 *  counts as one line. */
export function lineTimes(score: Score): LineTime[] {
  const times: LineTime[] = []
  for (const { line, start, end } of placedLines(score)) {
    const last = times.at(-1)
    const endSeconds = Math.round(Math.min(end, score.seconds) * 1000) / 1000
    if (line.goesOn && last) {
      last.text += line.text
      last.endSeconds = endSeconds
    } else times.push({ text: line.text, startSeconds: Math.round(start * 1000) / 1000, endSeconds })
  }
  return times.map(each => ({ ...each, text: each.text.trimEnd() }))
}

function placedLines({ sections, bpm, key }: Score): PlacedLine[] {
  const beat = 60 / bpm
  let before = Number.NEGATIVE_INFINITY
  return sections
    .flatMap(({ lines, kind }) => lines.map(line => ({ line, isFull: kind === 'chorus' })))
    .flatMap(({ line, isFull }) => {
      const first = line.syllables[0]
      const last = line.syllables.at(-1)
      if (!first || !last) return []
      const start = first.note.beat * beat
      const end = (last.note.beat + last.note.beats) * beat
      const rest = start - before
      before = end
      return [{ line, start, end, rest, second: isFull ? thirdBelow(line, key) : undefined }]
    })
}

/** Returns the line a third lower: each note goes down by 3 or 4 semitones, so that it stays in the
 *  scale. In scales with fewer than seven notes, 5 semitones are also possible. A note for which
 *  none of these steps leads to a note of the scale goes down by 4 semitones. */
function thirdBelow(line: SungLine, key: Key): SungLine {
  const scale = scaleOf(key)
  const lowered = (pitch: number) => {
    for (const step of scale.length < 7 ? [5, 4, 3] : [3, 4]) if (scale.includes((pitch - step + 120) % 12)) return pitch - step
    return pitch - 4
  }
  return { ...line, syllables: line.syllables.map(each => ({ ...each, note: { ...each.note, pitch: lowered(each.note.pitch) } })) }
}

interface VocalContext {
  score: Score
  singer: Singer
  speaker: Speaker
  /** Rendered lines by name. A line that is repeated with the same tune is rendered once. */
  made: Map<string, Promise<Float32Array>>
}

async function finish(placed: PlacedLine, finishing: VocalContext): Promise<{ from: number; samples: Float32Array }> {
  const { line, start, rest } = placed
  const { made } = finishing
  const name = nameOf(placed)
  const known = made.get(name) ?? sing(placed, finishing)
  made.set(name, known)
  // The sound of a line always begins `leadSeconds` before its first note, so a sound that was
  // rendered for an earlier repetition fits, too.
  const from = Math.round((start - leadSeconds) * sampleRate)
  const samples = await known
  return { from, samples: rest > 0.4 ? breathed(samples, `${line.text}/${start.toFixed(2)}`) : samples }
}

/** Returns a key for the line; lines that sound the same have the same key. */
function nameOf({ line: { syllables }, second }: PlacedLine): string {
  const origin = syllables[0]?.note.beat ?? 0
  return JSON.stringify([
    second !== undefined,
    syllables.map(({ phones, isFirst, note: { beat, beats, pitch, velocity } }) => {
      return [phones, isFirst, (beat - origin).toFixed(4), beats.toFixed(4), pitch, velocity]
    }),
  ])
}

async function sing({ line, second }: PlacedLine, { score: { bpm }, singer, speaker }: VocalContext): Promise<Float32Array> {
  const spoken = await speakLine(line, { bpm, speaker })
  const sung = singLine(line, { bpm, singer, spoken }).samples
  const both = second ? blended(sung, singLine(second, { bpm, singer, spoken }).samples) : sung
  return polished(resample(both, voiceRate, sampleRate))
}

/** Returns both voices mixed. The second one is softer and slightly late, so that its consonants do
 *  not coincide with those of the first. */
function blended(first: Float32Array, second: Float32Array): Float32Array {
  const late = Math.round(0.012 * voiceRate)
  return first.map((value, index) => value + 0.1 * (second[index - late] ?? 0))
}

/** Returns a sound processed like the recording of a singer: low rumble is removed, the frequencies
 *  that make words clear are raised, and loud parts are compressed. The highest octave is missing
 *  in synthesised speech, so it is added. */
function polished(sound: Float32Array): Float32Array {
  const clean = filtered(filtered(sound, highPass(140)), peak(3000, 0.9, 4))
  const air = filtered(clean, highPass(4200))
  for (let index = 0; index < air.length; index++) air[index] = Math.abs(air[index]!)
  const above = filtered(air, highPass(7600))
  let level = 0
  for (let index = 0; index < clean.length; index++) {
    const sum = clean[index]! + above[index]! * 0.9
    level = Math.max(Math.abs(sum), level * 0.9997)
    // Compresses values above a tenth of full scale with a ratio of 3:1.
    const over = level / 0.1
    clean[index] = over > 1 ? sum / Math.cbrt(over * over) : sum
  }
  return clean
}

/** Returns the sound with an intake of breath right before its first sound. */
function breathed(sound: Float32Array, name: string): Float32Array {
  const samples = sound.slice()
  const chance = randomOf(name)
  const length = Math.round(0.22 * sampleRate)
  const air = new Float32Array(Math.min(length, samples.length))
  let soft = 0
  for (let index = 0; index < air.length; index++) {
    soft += 0.45 * (chance.next() - 0.5 - soft)
    air[index] = soft
  }
  filtered(air, highPass(900)).forEach((value, index) => {
    const shape = Math.sin((Math.PI * index) / length) ** 2 * (index / length)
    samples[index]! += 0.035 * shape * value
  })
  return samples
}

/** A biquad filter. Its output is the weighted sum (`b`) of the last inputs minus the weighted sum
 *  (`a`) of its last outputs. */
interface TwoPoles {
  b: readonly [number, number, number]
  a: readonly [number, number, number]
}

function highPass(hertz: number): TwoPoles {
  const w = (2 * Math.PI * hertz) / sampleRate
  const alpha = Math.sin(w) / Math.SQRT2
  const cosine = Math.cos(w)
  return { b: [(1 + cosine) / 2, -(1 + cosine), (1 + cosine) / 2], a: [1 + alpha, -2 * cosine, 1 - alpha] }
}

function peak(hertz: number, q: number, decibels: number): TwoPoles {
  const w = (2 * Math.PI * hertz) / sampleRate
  const alpha = Math.sin(w) / (2 * q)
  const gain = 10 ** (decibels / 40)
  const cosine = Math.cos(w)
  return { b: [1 + alpha * gain, -2 * cosine, 1 - alpha * gain], a: [1 + alpha / gain, -2 * cosine, 1 - alpha / gain] }
}

function filtered(sound: Float32Array, { b, a }: TwoPoles): Float32Array {
  const [b0, b1, b2] = [b[0] / a[0], b[1] / a[0], b[2] / a[0]]
  const [a1, a2] = [a[1] / a[0], a[2] / a[0]]
  let [x1, x2, y1, y2] = [0, 0, 0, 0]
  const out = new Float32Array(sound.length)
  for (let index = 0; index < out.length; index++) {
    const value = sound[index]!
    const result = b0 * value + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2
    x2 = x1
    x1 = value
    y2 = y1
    y1 = result
    out[index] = result
  }
  return out
}
