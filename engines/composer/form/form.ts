/** Decides which sections a piece has, in which order, and how many bars each has. */
import type { SectionKind } from '../score.ts'

export interface FormSection {
  kind: SectionKind
  name: string
  bars: number
  energy: number
  lines: readonly FormLine[]
}

/** A line of the lyrics and the number of bars in which it is sung. */
export interface FormLine {
  text: string
  bars: number
  /** Set when this phrase is the continuation of the line before it. */
  goesOn?: true
}

const energies: Record<SectionKind, number> = {
  intro: 0.35,
  verse: 0.52,
  prechorus: 0.66,
  chorus: 0.88,
  bridge: 0.62,
  solo: 0.78,
  break: 0.3,
  outro: 0.4,
}

const plans: readonly (readonly SectionKind[])[] = [
  ['chorus'],
  ['verse', 'chorus'],
  ['intro', 'verse', 'chorus'],
  ['intro', 'verse', 'chorus', 'outro'],
  ['intro', 'verse', 'chorus', 'verse', 'chorus', 'outro'],
  ['intro', 'verse', 'chorus', 'verse', 'chorus', 'bridge', 'chorus', 'outro'],
  ['intro', 'verse', 'verse', 'chorus', 'break', 'verse', 'chorus', 'bridge', 'chorus', 'chorus', 'outro'],
  [
    'intro',
    'verse',
    'verse',
    'chorus',
    'break',
    'verse',
    'chorus',
    'solo',
    'bridge',
    'verse',
    'chorus',
    'chorus',
    'solo',
    'chorus',
    'outro',
  ],
]
const short = new Set<SectionKind>(['intro', 'outro', 'break'])

interface FormRequest {
  /** Requested length, in bars. */
  bars: number
  /** Usual length of a section in bars: 4, 8, 12 or 16. */
  unit: number
  /** Number that is added to the energy of every section. */
  force: number
}

/** Returns the sections of a piece without singing. Their lengths add up to exactly `bars`. */
export function instrumentalForm({ bars, unit, force }: FormRequest): FormSection[] {
  let best: { kinds: readonly SectionKind[]; unit: number; distance: number } | undefined
  for (const kinds of plans) {
    for (const each of [unit, unit / 2, unit * 2]) {
      if (each < 4 && bars >= 8) continue
      const sum = kinds.reduce((total, kind) => total + barsOf(kind, each), 0)
      // A plan with sections of an unusual length gets a handicap, so it is chosen only if its
      // total length fits clearly better.
      const distance = Math.abs(bars - sum) + (each === unit ? 0 : unit * 0.4)
      if (sum <= bars + each / 2 && (!best || distance <= best.distance)) best = { kinds, unit: each, distance }
    }
  }
  const { kinds, unit: each } = best ?? { kinds: ['chorus'] as const, unit: bars }
  const sections = kinds.map(kind => sectionOf(kind, { bars: barsOf(kind, each), force }))
  return fitted(sections, bars)
}

/** Returns the sections with their lengths changed, so that they add up to `bars`. Missing bars are
 *  added to openings, breaks and endings; surplus bars are taken from the sections at the end. */
function fitted(sections: FormSection[], bars: number): FormSection[] {
  let missing = bars - sections.reduce((sum, section) => sum + section.bars, 0)
  const growing = sections.filter(({ kind }) => short.has(kind) || sections.length < 3)
  for (let turn = growing.length - 1; missing > 0 && growing.length > 0; turn--) {
    const section = growing[((turn % growing.length) + growing.length) % growing.length]
    const step = Math.min(missing, missing >= 4 ? 2 : 1)
    if (section) section.bars += step
    missing -= step
  }
  const last = sections.at(-1)
  if (missing > 0 && last) last.bars += missing
  for (let index = sections.length - 1; missing < 0 && index >= 0; index--) {
    const section = sections[index]
    if (!section) break
    const step = Math.min(-missing, section.bars - 1)
    section.bars -= step
    missing += step
  }
  return sections.filter(section => section.bars > 0)
}

function barsOf(kind: SectionKind, unit: number): number {
  return short.has(kind) ? Math.max(1, Math.round(unit / 2)) : unit
}

export function sectionOf(
  kind: SectionKind,
  { bars, force, name = kind, lines = [] }: { bars: number; force: number; name?: string; lines?: readonly FormLine[] },
): FormSection {
  return { kind, name, bars, energy: Math.max(0.05, Math.min(1, energies[kind] + force)), lines }
}

interface SungFormRequest {
  /** Sections of the lyrics; each line has its number of bars. */
  sections: readonly { kind: SectionKind; name: string; lines: readonly FormLine[] }[]
  /** Requested number of bars; undefined when the lyrics decide the length. */
  bars?: number
  /** Largest number of bars when the lyrics decide the length. */
  mostBars: number
  unit: number
  force: number
}

/** Returns the sections of a song: an opening, the sections of the lyrics, and an ending; when
 *  bars remain, also further choruses or a solo. When the requested number of bars is too small,
 *  the last lines are left out and returned as `leftOut`. */
export function sungForm({ sections, bars, mostBars, unit, force }: SungFormRequest): { sections: FormSection[]; leftOut: string[] } {
  const sung = sections.map(({ kind, name, lines }) => {
    const words = lines.reduce((sum, line) => sum + line.bars, 0)
    const played = words === 0 ? Math.max(2, Math.round(unit / 2)) : words
    // An odd number of bars is rounded up to an even one.
    return sectionOf(kind, { bars: played + (played % 2), force, name, lines })
  })
  const verses = sung.filter(({ kind }) => kind === 'chorus')
  // Each chorus has more energy than the one before it.
  verses.forEach((section, index) => {
    section.energy = Math.min(1, section.energy + (index * 0.1) / Math.max(1, verses.length - 1))
  })
  const opening = Math.max(2, Math.round(unit / 2))
  const form = [...sung]
  if (form[0]?.kind !== 'intro') form.unshift(sectionOf('intro', { bars: opening, force }))
  if (form.at(-1)?.kind !== 'outro') form.push(sectionOf('outro', { bars: opening, force }))
  const natural = form.reduce((sum, section) => sum + section.bars, 0)
  if (bars === undefined && natural <= mostBars) return { sections: form, leftOut: [] }
  return sungFormOf(form, bars ?? mostBars, { unit, force })
}

function sungFormOf(
  given: FormSection[],
  bars: number,
  { unit, force }: { unit: number; force: number },
): { sections: FormSection[]; leftOut: string[] } {
  const form = [...given]
  const total = () => form.reduce((sum, section) => sum + section.bars, 0)
  const leftOut: string[] = []
  const shorten = (least: number) => {
    for (const section of form) {
      if (section.lines.length > 0) continue
      const step = Math.min(Math.max(0, total() - bars), Math.max(0, section.bars - least))
      section.bars -= step
    }
  }
  shorten(1)
  while (total() > bars) {
    const wordless = form.findIndex(section => section.lines.length === 0)
    const last = form.findLastIndex(section => section.lines.length > 0)
    if (wordless >= 0) form.splice(wordless, 1)
    else if (last < 0) break
    else dropLine(form, last, leftOut)
  }
  // If bars remain, the last chorus is repeated as often as it fits; the rest becomes a solo, or
  // makes the ending longer.
  const chorus = form.findLast(({ kind, lines }) => kind === 'chorus' && lines.length > 0)
  while (chorus && leftOut.length === 0 && bars - total() >= chorus.bars + unit * 2)
    form.splice(form.lastIndexOf(chorus) + 1, 0, { ...chorus })
  const room = bars - total()
  if (room >= unit && leftOut.length === 0)
    form.splice(Math.max(1, form.length - 2), 0, sectionOf('solo', { bars: room - (room % 2), force }))
  return { sections: fitted(form, bars), leftOut }
}

function dropLine(form: FormSection[], index: number, leftOut: string[]): void {
  const section = form[index]
  const line = section?.lines.at(-1)
  if (!section || !line) return
  leftOut.unshift(line.text)
  const lines = section.lines.slice(0, -1)
  if (lines.length === 0) form.splice(index, 1)
  else form[index] = { ...section, lines, bars: lines.reduce((sum, each) => sum + each.bars, 0) }
}
