/** Writes the accompanying parts, which play the chords: strummed, plucked or held. */
import type { Random } from '../random.ts'
import type { Note, PlacedChord, Section } from '../score.ts'
import type { Layer } from '../styles/style.ts'
import { voicing } from '../theory/voicing.ts'
import { chordAt } from './harmony.ts'
import { type PatternStep, stepsOf } from './steps.ts'

interface LayerRequest {
  layer: Layer
  sections: readonly Section[]
  beatsPerBar: number
  bpm: number
  random: Random
}

/** Seconds between the attacks of two neighbouring strings in a strum. */
const strumSeconds = 0.014

export function layerNotes({ layer, sections, beatsPerBar, bpm, random }: LayerRequest): Note[] {
  const voiced = new Map<PlacedChord, number[]>()
  let last: readonly number[] = []
  const pitchesOf = (chord: PlacedChord): number[] => {
    const known = voiced.get(chord)
    if (known) return known
    const pitches = voicing(chord.chord, { low: layer.register[0], high: layer.register[1] }, { voices: layer.voices, last })
    voiced.set(chord, pitches)
    last = pitches
    return pitches
  }
  return sections.flatMap((section, index) => {
    if (section.energy < layer.from || section.energy > (layer.to ?? 1)) return []
    const pattern = random.fork(section.kind).pick(layer.patterns)
    const isLast = index === sections.length - 1
    const end = section.start + section.bars * beatsPerBar
    const steps = stepsOf(pattern, section, beatsPerBar).filter(step => !isLast || step.beat < end - beatsPerBar)
    if (isLast) steps.push({ beat: end - beatsPerBar, token: 'd', beats: beatsPerBar, inBar: 0, bar: section.bars - 1 })
    return steps.flatMap(step => {
      const velocity = 66 + 30 * section.energy + (step.inBar % 1 === 0 ? 6 : 0) + (step.inBar === 0 ? 4 : 0) + 6 * random.wobble()
      return struck(step, { section, layer, pitchesOf, velocity: Math.round(velocity), strum: (strumSeconds * bpm) / 60 })
    })
  })
}

interface Strike {
  section: Section
  layer: Layer
  pitchesOf(chord: PlacedChord): number[]
  velocity: number
  /** Beats between the attacks of two neighbouring strings in a strum. */
  strum: number
}

/** Returns the notes of one step of the pattern. When the chord changes before the step ends, the
 *  new chord is played at the change. */
function struck(step: PatternStep, { section, layer, pitchesOf, velocity, strum }: Strike): Note[] {
  const notes: Note[] = []
  const end = step.beat + step.beats
  for (let beat = step.beat; beat < end - 1e-6; ) {
    const placed = chordAt(section.chords, beat)
    const until = Math.min(end, placed.beat + placed.beats > beat + 1e-6 ? placed.beat + placed.beats : end)
    const beats = (until - beat) * (step.beats > 0.3 ? 0.97 : 0.8)
    const pitches = pitchesOf(placed)
    const chosen = chosenOf(step.token, pitches, { low: layer.register[0], bass: placed.chord.bass })
    chosen.forEach((pitch, index) => {
      const late = step.token === 'd' ? index * strum : step.token === 'u' ? (chosen.length - 1 - index) * strum : 0
      notes.push({ beat: beat + late, beats: Math.max(0.05, beats - late), pitch, velocity: step.token === 'u' ? velocity - 10 : velocity })
    })
    beat = until
  }
  return notes
}

function chosenOf(token: string, pitches: readonly number[], { low, bass }: { low: number; bass: number }): readonly number[] {
  if (token === 'x' || token === 'd') return pitches
  if (token === 'u') return pitches.slice(-3)
  if (token === 'R' || token === 'r') {
    const lowest = low - 12
    const root = lowest + ((bass - lowest + 120) % 12)
    return [token === 'R' ? root : root + 12]
  }
  const number = Number(token) - 1
  const pitch = pitches[number % pitches.length]
  return pitch === undefined || Number.isNaN(number) ? [] : [pitch + 12 * Math.floor(number / pitches.length)]
}
