/** Finds the ends of sentences, lines and paragraphs, for all supported languages. */
import { endsInAbbreviation } from './abbreviations.ts'

export interface Sentence {
  text: string
  /** The largest unit of text that ends with this sentence. The kind of this unit decides the
   *  length of the pause after the sentence. */
  end: 'sentence' | 'line' | 'heading' | 'paragraph'
}

/** Largest number of characters of a sentence; a longer one is split, if possible between words. */
const longest = 1200
/** A line with at least this many characters is taken as wrapped, so its paragraph continues in the
 *  next line, unless the line ends with a colon. */
const wrappedLine = 50

/** Yields sentences in order, each when the caller requests it; the time grows linearly with the
 *  text. Markdown marks of headings and list items are left out. */
export function* sentencesOf(text: string): Generator<Sentence> {
  for (const block of blocksOf(text)) {
    let held: string | undefined
    for (const sentence of sentencesIn(block.text)) {
      if (held !== undefined) yield { text: held, end: 'sentence' }
      held = sentence
    }
    if (held !== undefined) yield { text: held, end: block.end }
  }
}

interface Block {
  text: string
  end: 'line' | 'heading' | 'paragraph'
}

/** Yields blocks of text. The lines of a block belong together, such as those of a paragraph, and
 *  are joined by spaces. */
function* blocksOf(text: string): Generator<Block> {
  let held: string[] = []
  let isHeading = false
  const block = (end: Block['end']): Block => ({ text: held.join(' '), end: isHeading ? 'heading' : end })
  for (const raw of linesOf(text)) {
    const line = raw.trim()
    if (line === '' || isRule(line)) {
      if (held.length > 0) yield block('paragraph')
      held = []
      isHeading = false
      continue
    }
    if (held.length > 0 && !goesOn(held.at(-1)!, line, isHeading)) {
      yield block('line')
      held = []
    }
    if (held.length === 0) isHeading = /^#{1,6}\s/.test(line)
    held.push(held.length === 0 ? line.replace(/^(?:#{1,6}|[-*+•‣▪◦])\s+/u, '') : line)
  }
  if (held.length > 0) yield block('paragraph')
}

function* linesOf(text: string): Generator<string> {
  let from = 0
  for (const match of text.matchAll(/\r\n|[\n\r\u2028\u2029\f\v\u0085]/g)) {
    yield text.slice(from, match.index)
    from = match.index + match[0].length
  }
  yield text.slice(from)
}

/** True for a line that only separates: `---`, `* * *`. */
function isRule(line: string): boolean {
  return /^(?:[-*_=~–—]\s*){3,}$/.test(line)
}

function goesOn(before: string, line: string, isHeading: boolean): boolean {
  if (isHeading || isItem(line) || /^#{1,6}\s/.test(line)) return false
  if (/[.!?…:;。！？：；।]["'”’)\]»」』]*$/u.test(before)) return before.length >= wrappedLine && !/[:：]$/u.test(before)
  return before.length >= wrappedLine || /^\p{Ll}/u.test(line)
}

function isItem(line: string): boolean {
  return /^(?:[-*+•‣▪◦]\s|\(?(?:\d{1,3}|[A-Za-z])[.)]\s)/u.test(line)
}

const ending = /(?<mark>[.!?…]+["'”’»)\]]*)|[。！？｡]+["'”’」』）》]*|।+|॥/gu

function* sentencesIn(block: string): Generator<string> {
  let from = 0
  for (const match of block.matchAll(ending)) {
    const to = match.index + match[0].length
    if (to - from > longest) {
      yield* pieces(block.slice(from, match.index))
      from = match.index
    }
    if (match.groups?.mark !== undefined && !isEnd(block, from, match.index, to)) continue
    yield* trimmed(block.slice(from, to))
    from = to
  }
  yield* pieces(block.slice(from))
}

/** True when the punctuation mark at `index` ends the sentence that began at `from`. */
function isEnd(block: string, from: number, index: number, to: number): boolean {
  if (!/^\s/.test(block.charAt(to))) return false
  const mark = block.slice(index, to)
  const next = /^\s+["'“‘«(¿¡[]*(\S{1,20})/u.exec(block.slice(to, to + 40))?.[1] ?? ''
  if (/^(?:\.{2,}|…)/.test(mark)) return !/^\p{Ll}/u.test(next)
  if (mark.startsWith('.')) return !endsInAbbreviation(block.slice(Math.max(from, index - 24), index), next, mark.length === 1)
  return !/^\p{Ll}/u.test(next) || /^[!?]$/.test(mark)
}

/** Yields pieces of at most `longest` characters. A text is split after a clause if possible, else
 *  between words, else between any two characters. */
function* pieces(text: string): Generator<string> {
  let from = 0
  while (text.length - from > longest) {
    const window = text.slice(from, from + longest)
    const clause = Math.max(...[', ', '; ', ': ', ' — ', '，', '、', '；'].map(mark => window.lastIndexOf(mark) + 1))
    const space = window.search(/\s\S*$/)
    let to = clause > longest / 2 ? clause : space > longest / 2 ? space : longest
    const last = window.charCodeAt(to - 1)
    if (last >= 0xd800 && last < 0xdc00) to--
    yield* trimmed(window.slice(0, to))
    from += to
  }
  yield* trimmed(text.slice(from))
}

function* trimmed(text: string): Generator<string> {
  const sentence = text.trim()
  if (sentence !== '') yield sentence
}
