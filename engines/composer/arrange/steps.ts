/** Reads the patterns of the styles, in which each character is a sixteenth note. */
import type { Section } from '../score.ts'

const stepsPerBeat = 4

export interface PatternStep {
  /** Time at which the note begins, in beats from the beginning of the piece. */
  beat: number
  token: string
  /** Length of the note in beats, including the `-` characters after it. */
  beats: number
  /** Position in the bar, in beats. */
  inBar: number
  bar: number
}

/** Returns the notes of a pattern repeated over the bars of a section. A pattern that does not fill
 *  whole bars of this metre is repeated or cut to exactly one bar first. */
export function stepsOf(pattern: string, section: Pick<Section, 'start' | 'bars'>, beatsPerBar: number): PatternStep[] {
  const perBar = beatsPerBar * stepsPerBeat
  const plain = pattern.replaceAll(' ', '')
  const fitting = plain.length % perBar === 0 ? plain : plain.repeat(Math.ceil(perBar / plain.length)).slice(0, perBar)
  const count = section.bars * perBar
  const steps: PatternStep[] = []
  for (let index = 0; index < count; index++) {
    const token = fitting[index % fitting.length] ?? '.'
    if (token === '.' || token === '-') continue
    let length = 1
    while (index + length < count && fitting[(index + length) % fitting.length] === '-') length += 1
    const beat = section.start + index / stepsPerBeat
    steps.push({ beat, token, beats: length / stepsPerBeat, inBar: (index % perBar) / stepsPerBeat, bar: Math.floor(index / perBar) })
  }
  return steps
}

/** Returns the time of a note, in beats, after swing has been applied: in each pair of notes, the
 *  second one is delayed. */
export function swung(beat: number, swing: { beats: number; at: number } | undefined): number {
  if (!swing) return beat
  const pair = Math.floor(beat / swing.beats)
  const within = beat / swing.beats - pair
  const moved = within < 0.5 ? within * 2 * swing.at : swing.at + (within - 0.5) * 2 * (1 - swing.at)
  return (pair + moved) * swing.beats
}
