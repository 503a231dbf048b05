/** Computes the sections of a song and their times. The headers in the lyrics name the sections,
 *  and the result of the song contains the time of each sung line. */
import { normalForm } from '@generation-gateway/kit/normal-form.ts'
import type { MusicResult } from '@generation-gateway/kit/requests/music.ts'
import type { MusicSection } from './schema.ts'

type SungLine = MusicResult['pieces'][number]['lines'][number]

interface WrittenLine {
  /** The line in the normalized form that `plain` returns. */
  plain: string
  /** Index of the section, from 0. */
  section: number
  type: string
}

/** Type of the section for lyrics that begin without a section header. */
const usualType = 'verse'

const brackets = { open: '[(（【', close: '])）】' } as const

/** Returns the sung lines, grouped by the sections of the lyrics. A line that is not in the lyrics
 *  belongs to the section of the line before it. Times in milliseconds. */
export function sectionsOf(lyrics: string, lines: readonly SungLine[]): MusicSection[] {
  const written = writtenLines(lyrics)
  const sections: MusicSection[] = []
  let next = 0
  let current: WrittenLine | undefined
  let open: number | undefined
  for (const { text, startSeconds, endSeconds } of lines) {
    const sung = plain(text)
    const at = written.findIndex((line, index) => index >= next && line.plain === sung)
    if (at >= 0) {
      next = at + 1
      current = written[at]
    }
    const line = { start: milliseconds(startSeconds), end: milliseconds(endSeconds), text }
    const last = sections.at(-1)
    if (last && open === current?.section) {
      last.lines.push(line)
      last.end = Math.max(last.end, line.end)
      continue
    }
    open = current?.section
    sections.push({ section_type: current?.type ?? usualType, start: line.start, end: line.end, lines: [line] })
  }
  return sections
}

function writtenLines(lyrics: string): WrittenLine[] {
  const lines: WrittenLine[] = []
  let section = 0
  let type = usualType
  for (const each of lyrics.split(/\r\n|\r|\n/)) {
    const named = nameInBrackets(each)
    if (named !== undefined) {
      section += 1
      type = named.toLowerCase()
    } else if (each.trim() !== '') lines.push({ plain: plain(each), section, type })
  }
  return lines
}

/** Returns the name in a section header: `Verse` for `[Verse 2: softly]`; undefined for any
 *  other line. The header is parsed in steps, because a single regular expression takes minutes
 *  on a bracket followed by a run of spaces. */
function nameInBrackets(row: string): string | undefined {
  const line = row.trim()
  const inside = line.slice(1, -1)
  const isOne = line.length > 2 && brackets.open.includes(line[0] ?? '') && brackets.close.includes(line.at(-1) ?? '')
  if (!isOne || /[\])）】]/.test(inside)) return undefined
  const [called = ''] = inside.split(/[:：]/, 1)
  const name = called
    .trim()
    .replace(/(?<!\d)\d+$/, '')
    .trim()
  return name === '' || /\d/.test(name) ? undefined : name
}

/** Returns only the letters and digits of a line, because a singer may have changed the
 *  punctuation. */
function plain(text: string): string {
  const letters = normalForm(text, 'NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '')
  return letters === '' ? text.trim() : letters
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000)
}
