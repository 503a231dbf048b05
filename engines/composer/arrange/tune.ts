/** Chooses the pitches of a tune whose rhythm is given: the sequence of pitches with the lowest
 *  total cost. Pitches outside the chord or the scale, large leaps and an unusual contour cost
 *  more; the seed adds small random costs. */
import { itemAt, randomOf } from '../random.ts'
import type { PlacedChord } from '../score.ts'
import { type Key, scaleOf } from '../theory/key.ts'
import { chordAt } from './harmony.ts'

export interface TuneSlot {
  beat: number
  beats: number
  /** Weight of the note: 0 for a weak one to 1 for the first beat of a bar or a stressed word. */
  weight: number
  /** Name of the phrase. Phrases with the same name have similar pitches. */
  phrase: string
  /** Number of the note in its phrase, and the number of notes of the phrase. */
  index: number
  count: number
  /** True for the last note of a section. */
  isLast: boolean
}

interface TuneRequest {
  slots: readonly TuneSlot[]
  chords: readonly PlacedChord[]
  key: Key
  /** Lowest and highest pitch. */
  register: readonly [number, number]
  /** Preferred height of the tune in the register: 0 low, 1 high. */
  height: number
  /** Largest leap, in semitones. */
  widest: number
  seed: string
}

/** Cost of each interval between two notes, by its number of semitones. Seconds are the most
 *  singable; sixths and larger intervals are rare. */
const moves = [1, 0.1, 0, 0.35, 0.5, 0.8, 2.6, 1.1, 2, 2.2, 3.6, 4.5, 2.8] as const

/** Returns a MIDI pitch for each slot (a note of the tune that has a rhythm, but no pitch yet). */
export function tuneOf(ask: TuneRequest): number[] {
  const { slots, key, register } = ask
  const scale = scaleOf(key)
  const pitches = Array.from({ length: register[1] - register[0] + 1 }, (_, index) => register[0] + index)
  const columns = slots.map(slot => columnOf(slot, { ask, scale, pitches }))
  const back: number[][] = []
  let costs = columns[0] ?? []
  for (let index = 1; index < columns.length; index++) {
    const column = columns[index] ?? []
    const isBreath = slots[index]?.index === 0
    const from: number[] = []
    costs = column.map((own, to) => {
      let best = Number.POSITIVE_INFINITY
      let at = 0
      for (let candidate = 0; candidate < costs.length; candidate++) {
        const before = costs[candidate] ?? best
        // A move never has a negative cost. So a candidate that already costs as much as the best
        // one cannot become better, and is skipped.
        if (before >= best) continue
        const cost = before + moveCost(Math.abs(candidate - to), ask.widest, isBreath)
        if (cost >= best) continue
        best = cost
        at = candidate
      }
      from.push(at)
      return best + own
    })
    back.push(from)
  }
  return traced(costs, back, pitches)
}

function moveCost(semitones: number, widest: number, isBreath: boolean): number {
  const usual = (moves[semitones] ?? 6) + (semitones > widest ? 4 : 0)
  return isBreath ? usual * 0.35 : usual
}

function traced(costs: readonly number[], back: readonly number[][], pitches: readonly number[]): number[] {
  if (costs.length === 0) return []
  let at = costs.indexOf(Math.min(...costs))
  const path = [at]
  for (let index = back.length - 1; index >= 0; index--) {
    at = back[index]?.[at] ?? at
    path.unshift(at)
  }
  return path.map(index => itemAt(pitches, index))
}

interface Column {
  ask: TuneRequest
  scale: readonly number[]
  pitches: readonly number[]
}

function columnOf(slot: TuneSlot, { ask, scale, pitches }: Column): number[] {
  const { chord } = chordAt(ask.chords, slot.beat)
  const taste = randomOf(`${ask.seed}/${slot.phrase}/${slot.index}`)
  const target = targetOf(slot, ask)
  // The longer and the stronger a note is, the more it costs if it does not belong to the chord.
  const gravity = 0.6 + 1.6 * slot.weight + Math.min(1.6, slot.beats)
  const isEnd = slot.index === slot.count - 1
  return pitches.map(pitch => {
    const tone = pitch % 12
    const fancy = taste.next() * 1.3
    const inChord = chord.tones.slice(0, 4).includes(tone)
    if (!inChord && !scale.includes(tone)) return 60
    const rub = !inChord && chord.tones.some(each => (each + 1) % 12 === tone) ? 0.8 * gravity : 0
    const outside = inChord ? (scale.includes(tone) ? 0 : 0.5) : gravity * 0.8
    const close = isEnd ? closeCost(tone, chord.tones, slot.isLast ? ask.key.tonic : undefined) : 0
    return fancy + rub + outside + close + 0.16 * Math.abs(pitch - target)
  })
}

function closeCost(tone: number, tones: readonly number[], tonic: number | undefined): number {
  if (tonic !== undefined && tone === tonic && tones.includes(tonic)) return -1
  return tones.slice(0, 3).includes(tone) ? 0 : 2.5
}

const contours: readonly ((part: number) => number)[] = [
  part => Math.sin(Math.PI * part),
  part => 1 - part,
  part => part * 0.9,
  part => 0.5 + 0.5 * Math.cos(2 * Math.PI * part),
  part => 0.7 * Math.sin(Math.PI * Math.min(1, part * 1.4)),
]

function targetOf({ phrase, index, count }: TuneSlot, { register: [low, high], height, seed }: TuneRequest): number {
  const choice = randomOf(`${seed}/${phrase}/contour`)
  const contour = choice.pick(contours)
  const span = (high - low) * 0.5
  const middle = low + (high - low) * (0.22 + 0.36 * height) + choice.wobble() * 1.5
  return middle + span * (contour(index / Math.max(1, count - 1)) - 0.4)
}
