/** Writes the bass part of each section: a pattern of roots and fifths, or a walking bass, whose
 *  notes lead step by step to the next chord. */
import type { Random } from '../random.ts'
import type { Note, PlacedChord, Section } from '../score.ts'
import type { Bass } from '../styles/style.ts'
import { type Key, scaleOf } from '../theory/key.ts'
import { chordAt } from './harmony.ts'
import { type PatternStep, stepsOf } from './steps.ts'

interface BassRequest {
  bass: Bass
  sections: readonly Section[]
  beatsPerBar: number
  key: Key
  random: Random
}

export function bassNotes({ bass, sections, beatsPerBar, key, random }: BassRequest): Note[] {
  const all = sections.flatMap(section => section.chords)
  let last = bass.lowest + 5
  return sections.flatMap((section, index) => {
    if (section.energy < 0.25) return []
    const patterns = section.energy < 0.7 ? bass.low : bass.high
    const pattern = random.fork(section.kind).pick(patterns)
    const isLast = index === sections.length - 1
    const end = section.start + section.bars * beatsPerBar
    const steps = stepsOf(pattern, section, beatsPerBar).filter(step => !isLast || step.beat < end - beatsPerBar)
    if (isLast) steps.push({ beat: end - beatsPerBar, token: 'R', beats: beatsPerBar, inBar: 0, bar: section.bars - 1 })
    return steps.map(step => {
      const placed = chordAt(section.chords, step.beat)
      const next = all[all.indexOf(placed) + 1] ?? placed
      const pitch = pitchOf(step, { placed, next, lowest: bass.lowest, last, key, random })
      last = pitch
      const velocity = Math.round(84 + 18 * section.energy + (step.inBar === 0 ? 8 : 0) + 5 * random.wobble())
      return { beat: step.beat, beats: step.beats * 0.94, pitch, velocity: Math.min(127, velocity) }
    })
  })
}

interface At {
  placed: PlacedChord
  next: PlacedChord
  lowest: number
  last: number
  key: Key
  random: Random
}

function pitchOf(step: PatternStep, at: At): number {
  const { chord } = at.placed
  const root = above(chord.bass, at.lowest)
  const interval = (tone: number | undefined, usual: number) => (tone === undefined ? usual : (tone - chord.root + 12) % 12)
  switch (step.token) {
    case '3':
      return root + interval(chord.tones[1], 4)
    case '5':
      return root + interval(chord.tones[2], 7)
    case '7':
      return root + interval(chord.tones[3], 10)
    case '8':
      return root + 12
    case 'a':
      return approach(at)
    case 'w':
      return walked(step, at, root)
    default:
      return root
  }
}

/** Returns the MIDI pitch of an approach note: a semitone or a tone beside the root of the next
 *  chord, on the side on which the last note of the bass lies. */
function approach({ next, lowest, last, random }: At): number {
  const goal = above(next.chord.bass, lowest)
  const side = last < goal ? -1 : 1
  return goal + side * (random.chance(0.6) ? 1 : 2)
}

/** Returns the MIDI pitch of one note of a walking bass: the root on the first beat of a chord, an
 *  approach note on the chord's last beat, and a note of the scale or the chord on the beats
 *  between. */
function walked(step: PatternStep, at: At, root: number): number {
  const { placed, key, last, lowest, random } = at
  const into = step.beat - placed.beat
  if (into < 0.01) return root
  if (into + 1 > placed.beats - 0.01) return approach(at)
  const direction = last - root > 8 ? -1 : last < root + 4 ? 1 : random.chance(0.5) ? 1 : -1
  const wanted = random.chance(0.6) ? placed.chord.tones : scaleOf(key)
  for (let distance = 2; distance < 8; distance++) {
    const pitch = last + direction * distance
    if (wanted.includes(((pitch % 12) + 12) % 12) && pitch >= lowest && pitch <= lowest + 20) return pitch
  }
  return root + 7
}

function above(pitchClass: number, lowest: number): number {
  return lowest + ((pitchClass - lowest + 120) % 12)
}
