/** Makes the rhythm of sung lines: stressed syllables fall on strong beats, and each syllable is
 *  long enough to be understood. */
import { randomOf } from '../random.ts'
import { weightOf } from './rhythm.ts'

export interface WordSyllable {
  phones: readonly string[]
  /** Stress of the syllable: 0 none, 1 for a word of little weight, 2 for the main syllable of a
   *  word. */
  stress: 0 | 1 | 2
  /** True for the first syllable of a word. */
  isFirst: boolean
}

interface SungRhythm {
  /** Time of the note in beats, counted from the first beat of the line. */
  beat: number
  beats: number
  weight: number
}

interface LineRequest {
  syllables: readonly WordSyllable[]
  bars: number
  beatsPerBar: number
  bpm: number
  syncopation: number
  seed: string
}

/** Shortest duration of a sung syllable, in seconds. With 0.15, listeners could not tell
 *  neighbouring words apart. */
const shortest = 0.19

/** Returns the number of whole bars that `count` syllables need at the style's pace. The number
 *  includes one beat of rest in which the singer breathes. */
export function barsFor(
  count: number,
  { bpm, beatsPerBar, syllablesPerSecond }: { bpm: number; beatsPerBar: number; syllablesPerSecond: number },
): number {
  const beats = (count / syllablesPerSecond) * (bpm / 60) + 1
  const bars = Math.max(1, Math.ceil(beats / beatsPerBar - 0.15))
  // A phrase has an even number of bars. In slow music, with bars longer than 2.2 s, an odd number
  // is also allowed.
  const isSlow = (beatsPerBar * 60) / bpm > 2.2
  if (bars === 1) return isSlow ? 1 : 2
  return bars % 2 === 0 || isSlow ? bars : bars + 1
}

/** Returns one note for each syllable of a line. Notes begin on eighths, or on sixteenths when
 *  there are many syllables. The distribution of the syllables with the lowest total cost is
 *  chosen. */
export function lineRhythm({ syllables, bars, beatsPerBar, bpm, syncopation, seed }: LineRequest): SungRhythm[] {
  const count = syllables.length
  if (count === 0) return []
  const beats = bars * beatsPerBar
  const breath = Math.min(1, beats * 0.15)
  const grid = count > (beats - breath) * 1.55 ? 0.25 : 0.5
  const places = Math.max(count, Math.floor((beats - breath) / grid))
  const step = places === count ? (beats - breath) / count : grid
  const least = Math.max(1, Math.min(Math.floor(places / count), Math.ceil((shortest * bpm) / 60 / step)))
  const chosen = cheapest({ syllables, places, step, least, beatsPerBar, syncopation, seed })
  return chosen.map((place, index) => {
    const beat = place * step
    const next = (chosen[index + 1] ?? Math.min(places + breath / step / 2, place + 2.5 / step)) * step
    return { beat, beats: next - beat, weight: Math.max(weightOf(beat, beatsPerBar), (syllables[index]?.stress ?? 0) / 2) }
  })
}

interface SyllablePlaces {
  syllables: readonly WordSyllable[]
  places: number
  step: number
  /** Least distance between two syllables, in places of the grid. */
  least: number
  beatsPerBar: number
  syncopation: number
  seed: string
}

function cheapest(ask: SyllablePlaces): number[] {
  const { syllables, places, least, step, beatsPerBar, seed } = ask
  const count = syllables.length
  // Distance between syllables, in places of the grid, if they were distributed evenly. The last
  // syllable gets the time that remains.
  const even = Math.min((places * 0.86) / count, 2.2 / step)
  const taste = randomOf(seed)
  const fancies = Array.from({ length: places }, () => taste.next() * (0.25 + ask.syncopation))
  const costOf = (index: number, place: number) => {
    const stress = (syllables[index]?.stress ?? 0) / 2
    const heavy = weightOf(place * step, beatsPerBar)
    return 2.2 * stress * (1 - heavy) + 0.9 * (1 - stress) * heavy * (1 - ask.syncopation * 0.5) + (fancies[place] ?? 0)
  }
  let costs = Array.from({ length: places }, (_, place) => costOf(0, place) + 0.5 * place * step)
  const back: number[][] = []
  for (let index = 1; index < count; index++) {
    const from: number[] = []
    const wide = 1 + ((syllables[index - 1]?.stress ?? 0) - 1) * 0.22
    costs = Array.from({ length: places }, (_, place) => {
      let best = Number.POSITIVE_INFINITY
      let at = 0
      for (let before = index - 1; before <= place - least; before++) {
        const gap = (place - before) / (even * wide)
        const cost = (costs[before] ?? best) + 1.3 * Math.log2(gap) ** 2
        if (cost >= best) continue
        best = cost
        at = before
      }
      from.push(at)
      return best + costOf(index, place)
    })
    back.push(from)
  }
  let at = costs.indexOf(Math.min(...costs))
  const path = [at]
  for (const from of back.toReversed()) {
    at = from[at] ?? 0
    path.unshift(at)
  }
  return path
}
