/** Makes the rhythm of a tune that is not sung to lyrics. */
import { type Random, randomOf } from '../random.ts'
import type { Section } from '../score.ts'
import type { Lead } from '../styles/style.ts'
import type { TuneSlot } from './tune.ts'

const phraseNames = ['a', 'a', 'b', 'a', 'c', 'c', 'b', 'a'] as const

interface RhythmRequest {
  section: Section
  lead: Lead
  beatsPerBar: number
  seed: string
}

/** Returns the notes of a tune without pitches (slots), in phrases of two bars, or of four bars for
 *  a tune with few notes. Phrases with the same name have the same rhythm. A phrase of two bars
 *  ends with a rest, which is longer in every second phrase. */
export function phraseSlots({ section, lead, beatsPerBar, seed }: RhythmRequest): TuneSlot[] {
  const length = lead.density < 0.6 ? 4 : 2
  const slots: TuneSlot[] = []
  const phrases = Math.ceil(section.bars / length)
  for (let number = 0; number < phrases; number++) {
    const bars = Math.min(length, section.bars - number * length)
    const name = `${section.kind}/${phraseNames[number % phraseNames.length]}`
    const isAnswer = number % 2 === 1
    const onsets = onsetsOf({ lead, beats: bars * beatsPerBar, beatsPerBar, random: randomOf(`${seed}/${name}/${bars}`), isAnswer })
    const start = section.start + number * length * beatsPerBar
    onsets.forEach(({ beat, beats, weight }, index) => {
      // In every second phrase (the answer), the first 60 % of the notes have pitches like other
      // phrases of the same name. The remaining notes get another phrase name, so that their
      // pitches differ.
      const phrase = isAnswer && index > onsets.length * 0.6 ? `${name}/answer` : name
      const isLast = number === phrases - 1 && index === onsets.length - 1
      slots.push({ beat: start + beat, beats, weight, phrase, index, count: onsets.length, isLast })
    })
  }
  return slots
}

interface Onset {
  beat: number
  beats: number
  weight: number
}

interface OnsetRequest {
  lead: Lead
  beats: number
  beatsPerBar: number
  random: Random
  isAnswer: boolean
}

function onsetsOf({ lead, beats, beatsPerBar, random, isAnswer }: OnsetRequest): Onset[] {
  const { density, syncopation } = lead
  const grid = density > 2 ? 0.25 : density < 0.6 ? 1 : 0.5
  // The phrase ends with a rest, in which a singer would breathe. A tune with few notes needs no
  // such rest.
  const rest = density < 0.6 ? 0 : isAnswer ? beatsPerBar * 0.4 : beatsPerBar * 0.2
  const starts: number[] = []
  const pickup = random.chance(0.4 * (1 - density / 4)) ? grid : 0
  for (let beat = pickup; beat < beats - rest - 0.01; beat += grid) {
    if (random.chance(chanceAt(beat, { density, syncopation, beatsPerBar }))) starts.push(beat)
  }
  if (starts.length === 0) starts.push(0)
  const held = density < 0.6 ? 8 : 2.5
  return starts.map((beat, index) => {
    const next = starts[index + 1] ?? beats
    const room = index === starts.length - 1 ? Math.max(0.5, beats - beat - rest * 0.4) : next - beat
    return { beat, beats: Math.min(held, room) * lead.legato, weight: weightOf(beat, beatsPerBar) }
  })
}

function chanceAt(
  beat: number,
  { density, syncopation, beatsPerBar }: { density: number; syncopation: number; beatsPerBar: number },
): number {
  const inBar = beat % beatsPerBar
  if (inBar % 1 === 0) {
    const base = inBar === 0 ? 0.95 : inBar === 2 ? 0.8 : 0.68
    return Math.min(1, density * base) * (1 - syncopation * (inBar === 0 ? 0.3 : 0.6))
  }
  if (inBar % 0.5 === 0) return Math.min(0.9, Math.max(0, density - 0.35) * 0.42 * (0.7 + syncopation))
  return Math.max(0, density - 1.6) * 0.3
}

/** Returns how strong a position in the bar is: 1 for the first beat, less for the others. */
export function weightOf(beat: number, beatsPerBar: number): number {
  const inBar = ((beat % beatsPerBar) + beatsPerBar) % beatsPerBar
  if (inBar === 0) return 1
  if (inBar === beatsPerBar / 2) return 0.8
  if (inBar % 1 === 0) return 0.6
  return inBar % 0.5 === 0 ? 0.25 : 0.05
}
