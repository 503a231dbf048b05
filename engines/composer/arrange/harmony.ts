/** Chooses the chords of every section. Sections of the same kind have the same chord
 *  progression. */

import type { FormSection } from '../form/form.ts'
import type { Random } from '../random.ts'
import type { PlacedChord, SectionKind } from '../score.ts'
import type { Progressions, Style } from '../styles/style.ts'
import { chordOf } from '../theory/chord.ts'
import { isMinor, type Key } from '../theory/key.ts'

interface Harmony {
  /** Returns the chords of one section that begins at `start` beats. */
  chordsOf(section: Pick<FormSection, 'kind' | 'bars'>, start: number, isLast: boolean): PlacedChord[]
  /** Number of bars of the verse's progression. */
  verseBars: number
}

export function harmonyOf({ style, key, random }: { style: Style; key: Key; random: Random }): Harmony {
  const progressions = isMinor(key.mode) ? style.minor : style.major
  const chosen = new Map<SectionKind, readonly string[]>()
  const barsFor = (kind: SectionKind): readonly string[] => {
    const known = chosen.get(kind) ?? barsOfKind(kind, progressions, random)
    chosen.set(kind, known)
    return known
  }
  return {
    verseBars: barsFor('verse').length,
    chordsOf({ kind, bars }, start, isLast) {
      const progression = barsFor(kind)
      return Array.from({ length: bars }, (_, bar) => {
        const isEnd = isLast && bar === bars - 1
        const numerals = isEnd ? [tonicOf(progressions)] : (progression[bar % progression.length] ?? 'I').split(',')
        const beats = style.beatsPerBar / numerals.length
        return numerals.map((numeral, part) => ({
          beat: start + bar * style.beatsPerBar + part * beats,
          beats,
          chord: chordOf(numeral, key, style.colour),
        }))
      }).flat()
    },
  }
}

function barsOfKind(kind: SectionKind, progressions: Progressions, random: Random): readonly string[] {
  const bars = (part: keyof Progressions) => random.fork(part).pick(progressions[part]).split(' ')
  switch (kind) {
    case 'chorus':
    case 'outro':
      return bars('chorus')
    case 'bridge':
      return bars('bridge')
    case 'prechorus':
      return bars('bridge').slice(-4)
    case 'solo':
      return random.fork('solo').chance(0.5) ? bars('verse') : bars('chorus')
    default:
      return bars('verse')
  }
}

/** Returns the numeral of the tonic chord, as the style writes it. In every style, the progression
 *  of the verse or of the chorus contains this chord. */
function tonicOf({ verse, chorus }: Progressions): string {
  const all = [...verse, ...chorus].flatMap(each => each.split(/[ ,]/))
  return all.find(numeral => /^i(?![iv])|^I(?![IV])/.test(numeral)) ?? 'I'
}

/** Returns the chord that sounds at a beat; throws for a section without chords. */
export function chordAt(chords: readonly PlacedChord[], beat: number): PlacedChord {
  const found = chords.findLast(chord => chord.beat <= beat + 1e-6) ?? chords[0]
  if (!found) throw new RangeError('a section without chords')
  return found
}
