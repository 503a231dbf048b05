/** The tune that a request provides as a recording or a MIDI file: chords under it, and its place
 *  in the piece. */
import type { PlacedChord, Section } from '../score.ts'
import type { Colour } from '../theory/chord.ts'
import { chordOf } from '../theory/chord.ts'
import { isMinor, type Key } from '../theory/key.ts'

export interface InputTune {
  /** Notes in beats from the tune's own first bar line; pitches as recorded. */
  notes: readonly { beat: number; beats: number; pitch: number }[]
  /** Length of the tune in whole bars. */
  bars: number
  /** True when the piece contains the recording itself, so that no instrument plays the tune. */
  isHeard: boolean
  /** Set when the tune runs from the first beat of the piece through all sections, as the harmony
   *  of a recorded backing does. */
  isWhole?: true
}

/** Returns the beat of the tune at which each section begins; undefined where the tune is silent.
 *  When the tune has ended, the next section starts it again. */
export function placesOf(sections: readonly Section[], { bars, isHeard, isWhole }: InputTune, beatsPerBar: number): (number | undefined)[] {
  if (isWhole) return sections.map(({ start }) => start)
  let bar = 0
  return sections.map(({ kind, bars: length }) => {
    if (kind === 'intro' || kind === 'outro' || kind === 'break') return undefined
    if (bar >= bars) {
      if (isHeard) return undefined
      bar = 0
    }
    const place = bar * beatsPerBar
    bar += length
    return place
  })
}

/** Returns the notes of the tune within a section, in beats of the piece, moved by octaves into the
 *  register. */
export function tuneIn(
  tune: InputTune,
  { start, bars }: Section,
  { place, beatsPerBar, register }: { place: number; beatsPerBar: number; register: readonly [number, number] },
): InputTune['notes'] {
  const end = place + bars * beatsPerBar
  const lift = octaves(tune, register)
  return tune.notes
    .filter(({ beat }) => beat >= place - 0.01 && beat < end - 0.01)
    .map(({ beat, beats, pitch }) => ({ beat: start + beat - place, beats: Math.min(beats, end - beat), pitch: pitch + lift }))
}

/** Returns the semitones that bring the middle of the tune nearest to the register's middle. */
function octaves({ notes }: InputTune, [low, high]: readonly [number, number]): number {
  const middle = notes.reduce((sum, { pitch }) => sum + pitch, 0) / Math.max(1, notes.length)
  return 12 * Math.round(((low + high) / 2 - middle) / 12)
}

const majorChords = ['I', 'ii', 'iii', 'IV', 'V', 'vi'] as const
const minorChords = ['i', 'bIII', 'iv', 'v', 'V', 'bVI', 'bVII'] as const

/** Returns a chord for each bar of a section: the progression that contains most notes of the tune
 *  and moves in the usual ways. */
export function harmonised(
  notes: InputTune['notes'],
  section: Section,
  { key, colour, beatsPerBar }: { key: Key; colour: Colour; beatsPerBar: number },
): PlacedChord[] {
  const chords = (isMinor(key.mode) ? minorChords : majorChords).map(numeral => chordOf(numeral, key, colour))
  const bars = Array.from({ length: section.bars }, (_, bar) => section.start + bar * beatsPerBar)
  const costs = bars.map(from => chords.map(chord => misfit(notes, { from, to: from + beatsPerBar, tones: chord.tones.slice(0, 3) })))
  let sums = chords.map((chord, index) => (costs[0]?.[index] ?? 0) + (chord.root === key.tonic ? 0 : 0.6))
  const back: number[][] = []
  for (const column of costs.slice(1)) {
    const from: number[] = []
    sums = chords.map((chord, to) => {
      const ways = chords.map((before, index) => (sums[index] ?? 0) + moveCost(before.root, chord.root))
      const best = ways.indexOf(Math.min(...ways))
      from.push(best)
      return (ways[best] ?? 0) + (column[to] ?? 0)
    })
    back.push(from)
  }
  let at = sums.indexOf(Math.min(...sums))
  const path = [at]
  for (const from of back.toReversed()) {
    at = from[at] ?? 0
    path.unshift(at)
  }
  return path.flatMap((index, bar) => {
    const chord = chords[index]
    return chord ? [{ beat: section.start + bar * beatsPerBar, beats: beatsPerBar, chord }] : []
  })
}

/** Returns how many beats of the tune in this bar are outside the chord; notes on the first beat
 *  count more. */
function misfit(notes: InputTune['notes'], { from, to, tones }: { from: number; to: number; tones: readonly number[] }): number {
  let cost = 0
  for (const { beat, beats, pitch } of notes) {
    const overlap = Math.min(to, beat + beats) - Math.max(from, beat)
    if (overlap <= 0) continue
    const weight = overlap * (beat < from + 0.3 ? 1.6 : 1)
    cost += tones.includes(((pitch % 12) + 12) % 12) ? -weight : weight * 0.6
  }
  return cost
}

/** Returns the cost of a move between chords: fifths down are the strongest move, staying is the
 *  dullest. */
function moveCost(from: number, to: number): number {
  const interval = (to - from + 12) % 12
  if (interval === 0) return 0.5
  return interval === 5 ? -0.2 : interval === 7 ? 0 : 0.2
}
