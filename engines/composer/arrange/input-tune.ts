/** Uses a tune that the request provides as a recording or a MIDI file: finds chords that fit it,
 *  and distributes it over the sections of the piece. */
import type { PlacedChord, Section } from '../score.ts'
import type { Colour } from '../theory/chord.ts'
import { chordOf } from '../theory/chord.ts'
import { isMinor, type Key } from '../theory/key.ts'

export interface InputTune {
  /** The notes; times are in beats from the first bar line of the tune, pitches are those of the
   *  recording or file. */
  notes: readonly { beat: number; beats: number; pitch: number }[]
  /** Length of the tune in whole bars. */
  bars: number
  /** True when the piece contains the recording itself. No instrument plays the tune then. */
  isHeard: boolean
  /** Set when the tune begins with the piece and runs through all sections. The harmony of a
   *  recorded backing is such a tune. */
  isWhole?: true
}

/** Returns for each section the beat of the tune at which the section begins; undefined for
 *  sections in which the tune is silent. When the tune has ended, the next section starts it again,
 *  unless the tune is a recording that the piece contains. */
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

/** Returns the notes of the tune within a section, with times in beats of the piece. All notes are
 *  moved by the same number of octaves, so that the tune lies in the register. */
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

/** Returns the interval by which the tune is moved, in semitones (whole octaves). The interval
 *  brings the middle of the tune as near as possible to the middle of the register. */
function octaves({ notes }: InputTune, [low, high]: readonly [number, number]): number {
  const middle = notes.reduce((sum, { pitch }) => sum + pitch, 0) / Math.max(1, notes.length)
  return 12 * Math.round(((low + high) / 2 - middle) / 12)
}

const majorChords = ['I', 'ii', 'iii', 'IV', 'V', 'vi'] as const
const minorChords = ['i', 'bIII', 'iv', 'v', 'V', 'bVI', 'bVII'] as const

/** Returns one chord for each bar of a section. The chosen progression has the lowest cost: its
 *  chords contain most notes of the tune and follow each other in usual ways. */
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

/** Returns the cost of a chord for one bar of the tune. Each beat of a note outside the chord
 *  raises the cost, each beat of a note in the chord lowers the cost, and notes at the beginning of
 *  the bar count more. */
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

/** Returns the cost of moving from one root to the next. A fall by a fifth is the strongest move
 *  and has the lowest cost; repeating the chord has the highest. */
function moveCost(from: number, to: number): number {
  const interval = (to - from + 12) % 12
  if (interval === 0) return 0.5
  return interval === 5 ? -0.2 : interval === 7 ? 0 : 0.2
}
