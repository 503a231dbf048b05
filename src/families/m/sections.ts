/** The sections of a song: its lyrics tell them, and the song tells when each line is sung. */
import type { MusicResult } from '@generation-gateway/kit/requests/music.ts'
import type { MusicSection } from './schema.ts'

type SungLine = MusicResult['pieces'][number]['lines'][number]

interface WrittenLine {
  text: string
  /** Counts the sections, from 0. */
  section: number
  type: string
}

/** Of lyrics that begin without one. */
const usualType = 'verse'

/** `[Verse 2: softly]` is a verse. */
const heading = /^\s*[[(（【]\s*([^\])）】:：\d]+?)\s*\d*\s*(?:[:：][^\])）】]*)?[\])）】]\s*$/u

/** Lines that were sung, by the sections of the lyrics. One that the lyrics do not have belongs to the section of the one before it. Milliseconds. */
export function sectionsOf(lyrics: string, lines: readonly SungLine[]): MusicSection[] {
  const written = writtenLines(lyrics)
  const sections: MusicSection[] = []
  let next = 0
  let current: WrittenLine | undefined
  let open: number | undefined
  for (const { text, startSeconds, endSeconds } of lines) {
    const at = written.findIndex((line, index) => index >= next && isSame(line.text, text))
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
    const named = heading.exec(each)?.[1]
    if (named !== undefined) {
      section += 1
      type = named.toLowerCase()
    } else if (each.trim() !== '') lines.push({ text: each, section, type })
  }
  return lines
}

/** Letters and digits alone: whoever sings may have changed the signs between them. */
function isSame(one: string, other: string): boolean {
  return plain(one) === plain(other)
}

function plain(text: string): string {
  const letters = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '')
  return letters === '' ? text.trim() : letters
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000)
}
