/** Writes the drum part: the groove of the style, fills before the next section, and cymbals where
 *  a section begins. */
import type { Random } from '../random.ts'
import type { Note, Section } from '../score.ts'
import { type Drums, type DrumVoice, drumKeys, type Groove } from '../styles/style.ts'
import { stepsOf } from './steps.ts'

const velocities: Record<string, number> = { X: 112, x: 88, o: 52 }
/** Energy of a section (0 to 1: how loud and full it is) below which no drums play. */
const silentBelow = 0.34
const fullFrom = 0.7

interface DrumRequest {
  drums: Drums
  sections: readonly Section[]
  beatsPerBar: number
  random: Random
}

export function drumNotes({ drums, sections, beatsPerBar, random }: DrumRequest): Note[] {
  const notes: Note[] = []
  sections.forEach((section, index) => {
    const isLast = index === sections.length - 1
    const next = sections[index + 1]
    if (section.energy < silentBelow || (section.kind === 'break' && section.energy < 0.5)) {
      if (next && next.energy >= fullFrom) notes.push(...rise(drums, section, beatsPerBar))
      return
    }
    const hasFill = next !== undefined && section.bars >= 2 && drums.fill !== 'none' && next.energy >= section.energy - 0.3
    const fillBeats = section.bars >= 4 && random.chance(0.5) ? Math.min(2, beatsPerBar) : 1
    const end = section.start + section.bars * beatsPerBar
    const until = isLast ? end - beatsPerBar : hasFill ? end - fillBeats : end
    notes.push(...groove(section, { drums, beatsPerBar, random }).filter(note => note.beat < until - 1e-6))
    if (hasFill) notes.push(...fill(drums, { from: end - fillBeats, beats: fillBeats, random }))
    if (section.energy >= fullFrom && drums.fill !== 'none') notes.push(strike('crash', section.start, 104))
    if (isLast) notes.push(strike('kick', until, 104), strike(drums.fill === 'none' ? 'triangle' : 'crash', until, 92))
  })
  return notes
}

function groove(section: Section, { drums, beatsPerBar, random }: Pick<DrumRequest, 'drums' | 'beatsPerBar' | 'random'>): Note[] {
  const pattern: Groove = section.energy < fullFrom ? drums.low : drums.high
  const gain = 0.78 + 0.22 * section.energy
  const turn = random.fork(`turn/${section.kind}`).pick(turns)
  // `Object.entries` types the keys as strings; the keys of a groove are drum voices.
  const played = (Object.entries(pattern) as [DrumVoice, string][]).flatMap(([voice, steps]) =>
    stepsOf(steps, section, beatsPerBar).flatMap(({ beat, token, bar, inBar }) => {
      const isTurn = bar % 4 === 3 && inBar >= beatsPerBar - 1
      if (isTurn && turn === 'kick rests' && voice === 'kick') return []
      // In every second bar, each soft stroke is left out with a probability of 35 %.
      if (token === 'o' && bar % 2 === 1 && random.chance(0.35)) return []
      const lift = inBar === 0 ? 6 : 0
      return [strike(voice, beat, ((velocities[token] ?? 80) + lift + 5 * random.wobble()) * gain)]
    }),
  )
  return drums.fill === 'none' || turn === 'kick rests' ? played : [...played, ...pickups(section, { turn, pattern, beatsPerBar, gain })]
}

/** How the last beat of every fourth bar differs from the groove: without the kick drum, with an
 *  open hi-hat, or with soft strokes of the snare (or of clap or rim, where the groove has no
 *  snare). Where the groove has no hi-hat, `open` plays such soft strokes instead. The seed
 *  chooses one for each kind of section. */
const turns = ['kick rests', 'open', 'strokes'] as const

/** Returns the extra notes on the last beat of every fourth bar, which are added to the groove. */
function pickups(
  { start, bars }: Section,
  { turn, pattern, beatsPerBar, gain }: { turn: 'open' | 'strokes'; pattern: Groove; beatsPerBar: number; gain: number },
): Note[] {
  const voice: DrumVoice =
    turn === 'open' && (pattern.closed ?? pattern.open) ? 'open' : pattern.snare ? 'snare' : pattern.clap ? 'clap' : 'rim'
  const ends = Array.from({ length: Math.floor(bars / 4) }, (_, index) => start + (index + 1) * 4 * beatsPerBar)
  // A snare alternates between one extra stroke and two; an open hi-hat always plays one.
  return ends.flatMap((end, index) => {
    const places = voice === 'open' ? [0.5] : index % 2 === 0 ? [0.25] : [0.75, 0.25]
    return places.map(place => strike(voice, end - place, (voice === 'open' ? 74 : 56 + 14 * (1 - place)) * gain))
  })
}

/** Returns strokes that get louder and denser through the last two bars of a quiet section. These
 *  strokes lead to the next section, which is a loud one. */
function rise(drums: Drums, section: Section, beatsPerBar: number): Note[] {
  if (drums.fill === 'none' || drums.fill === 'brush') return []
  const bars = Math.min(2, section.bars)
  const from = section.start + (section.bars - bars) * beatsPerBar
  const voice: DrumVoice = drums.fill === 'timpani' ? 'lowTom' : drums.fill === 'claps' ? 'clap' : 'snare'
  const count = bars * beatsPerBar * 4
  return Array.from({ length: count }, (_, step) => step)
    .filter(step => step >= count / 2 || step % 2 === 0)
    .map(step => strike(voice, from + step / 4, 30 + (70 * step) / count))
}

function fill({ fill: kind }: Drums, { from, beats, random }: { from: number; beats: number; random: Random }): Note[] {
  const steps = beats * 4
  const toms: readonly DrumVoice[] = ['snare', 'highTom', 'midTom', 'lowTom']
  return Array.from({ length: steps }, (_, step) => {
    const voice: DrumVoice =
      kind === 'toms'
        ? (toms[Math.floor((step * toms.length) / steps)] ?? 'lowTom')
        : kind === 'claps'
          ? 'clap'
          : kind === 'timpani'
            ? 'lowTom'
            : 'snare'
    const isLeftOut = step > 0 && step < steps - 1 && random.chance(kind === 'brush' ? 0.5 : 0.2)
    return isLeftOut ? [] : [strike(voice, from + step / 4, 78 + (34 * step) / steps + 6 * random.wobble())]
  }).flat()
}

function strike(voice: DrumVoice, beat: number, velocity: number): Note {
  return { beat, beats: 0.2, pitch: drumKeys[voice], velocity: Math.max(1, Math.min(127, Math.round(velocity))) }
}
