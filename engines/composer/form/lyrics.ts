/** Splits lyrics into sections, and sections into lines. */
import type { SectionKind } from '../score.ts'

export interface LyricSection {
  kind: SectionKind
  /** Name of the section in brackets. For lyrics without brackets, it is the kind of the
   *  section. */
  name: string
  lines: readonly string[]
}

/** Words that name each kind of section. `prechorus` is tried first, because its words
 *  ("pre-chorus") would also match the pattern of `chorus`. */
const kindWords: readonly (readonly [SectionKind, RegExp])[] = [
  ['prechorus', /pre[- ]?chorus|pre[- ]?hook|build|lift|导歌|预副歌|プリコーラス/],
  ['chorus', /chorus|refrain|hook|drop|副歌|サビ|후렴|estribillo|refrão/],
  ['bridge', /bridge|middle ?(?:8|eight)|桥段|过渡|ブリッジ|브릿지|puente/],
  ['intro', /intro|opening|前奏|イントロ|인트로/],
  ['outro', /outro|ending|coda|end|fade|尾奏|尾声|结尾|アウトロ|아웃트로/],
  ['solo', /solo|instrumental|interlude|间奏|独奏|間奏|ソロ|간주/],
  ['break', /break|breakdown|pause/],
  ['verse', /verse|strophe|stanza|rap|主歌|第.段|Aメロ|Bメロ|절|verso|couplet/],
]

const mostRepeats = 8
/** Number of lines after which repeats are not written out any more. No song has time for more
 *  lines, and a short text could otherwise ask for millions of them by repeating long sections. */
const mostLines = 600

/** Returns the sections in order, with repeats written out. A heading without lines repeats the
 *  lines of the last section of the same kind, if there is one; an intro, outro, solo or break
 *  stays without lines. */
export function parseLyrics(lyrics: string): LyricSection[] {
  const rows = lyrics
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map(row => row.trim().replace(/\s+/g, ' '))
  return rows.some(row => headOf(row)) ? byBrackets(rows) : byStanzas(rows)
}

interface Head {
  name: string
  repeats: number
  /** Words that follow the heading in the same row. */
  rest: string
}

function headOf(row: string): Head | undefined {
  const found = /^(?:\[([^\]]{1,60})\]|【([^】]{1,60})】|\(([^)]{1,60})\)|（([^）]{1,60})）)\s*:?\s*(.*)$/.exec(row)
  if (found) {
    const inside =
      found
        .slice(1, 5)
        .find(part => part !== undefined)
        ?.trim() ?? ''
    const behind = found[5] ?? ''
    const isSquare = /^[[【]/.test(row)
    // Round brackets often mark backing vocals. They are a heading only if they contain a known
    // section name.
    if (!isSquare && (behind !== '' || !kindOf(inside) || inside.split(/\s+/).length > 3)) return undefined
    const { text, repeats } = withoutRepeat(inside)
    const tail = withoutRepeat(behind)
    return { name: text, repeats: Math.max(repeats, tail.text === '' ? tail.repeats : 1), rest: tail.text === '' ? '' : behind }
  }
  // A heading without brackets: "Verse 1:" in a row of its own.
  const plain = /^([\p{L} -]{3,20}?\s*\d*)\s*[:：]$/u.exec(row)
  return plain && kindOf(plain[1] ?? '') ? { name: (plain[1] ?? '').trim(), repeats: 1, rest: '' } : undefined
}

/** Returns the text without its repeat count (`Chorus x2`, `(x2)`, `×2`, `2x`), and the count,
 *  at most 8; 1 when there is none. */
function withoutRepeat(text: string): { text: string; repeats: number } {
  const found = /[(（]?\s*(?:[x×]\s*(\d)|(\d)\s*[x×])\s*[)）]?\s*$/i.exec(text)
  const repeats = Number(found?.[1] ?? found?.[2] ?? 1)
  if (!found || repeats < 1) return { text: text.trim(), repeats: 1 }
  return { text: text.slice(0, found.index).trim(), repeats: Math.min(mostRepeats, repeats) }
}

function kindOf(name: string): SectionKind | undefined {
  const lower = name.toLowerCase()
  return kindWords.find(([, words]) => words.test(lower))?.[0]
}

function byBrackets(rows: readonly string[]): LyricSection[] {
  const parts: { head: Head | undefined; lines: string[] }[] = []
  for (const row of rows) {
    const head = headOf(row)
    if (head) parts.push({ head, lines: head.rest === '' ? [] : linesOf(head.rest) })
    else if (row !== '') {
      if (parts.length === 0) parts.push({ head: undefined, lines: [] })
      parts.at(-1)?.lines.push(...linesOf(row))
    }
  }
  const sections: LyricSection[] = []
  let count = 0
  for (const { head, lines } of parts) {
    const name = head?.name ?? 'verse'
    const kind = kindOf(name) ?? 'verse'
    const isPlayed = ['intro', 'outro', 'solo', 'break'].includes(kind)
    const before = lines.length > 0 || isPlayed ? undefined : sections.findLast(section => section.kind === kind)
    const sung = before?.lines ?? lines
    for (let turn = 0; turn < (head?.repeats ?? 1); turn++) {
      const isAgain = before !== undefined || turn > 0
      if (isAgain && count + sung.length > mostLines) break
      sections.push({ kind, name, lines: sung })
      count += sung.length
    }
  }
  return sections
}

/** Splits lyrics without headings at empty rows. A stanza that occurs several times is a chorus;
 *  the others are verses. */
function byStanzas(rows: readonly string[]): LyricSection[] {
  const stanzas: string[][] = [[]]
  for (const row of rows) {
    if (row === '') stanzas.push([])
    else stanzas.at(-1)?.push(...linesOf(row))
  }
  const filled = stanzas.filter(lines => lines.length > 0)
  const plain = filled.map(lines =>
    lines
      .join('\n')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\n]/gu, ''),
  )
  return filled.map((lines, index) => {
    const comesAgain = plain.filter(each => each === plain[index]).length > 1
    const kind: SectionKind = comesAgain ? 'chorus' : 'verse'
    return { kind, name: kind, lines }
  })
}

/** Returns the row as often as its repeat count says, without the count. */
function linesOf(row: string): string[] {
  const { text, repeats } = withoutRepeat(row)
  return text === '' ? [] : Array.from({ length: repeats }, () => text)
}
