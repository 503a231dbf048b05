/** Measures text and breaks it into lines. Widths are in points. */
import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import { type Face, familyOf, isIdeographic, italicFamily, type Weight } from './faces.ts'

export interface Style {
  face: Face
  weight: Weight
  isItalic?: boolean
}

/** Text of one style. */
export interface Run extends Style {
  text: string
  /** Colour as #rrggbb; when absent, the colour of the whole text. */
  colour?: string
}

/** A part of a line; `x` is its distance from the start of the line, in points. */
interface Piece extends Run {
  x: number
  width: number
}

export interface Line {
  pieces: Piece[]
  width: number
}

const measuring = createCanvas(1, 1).getContext('2d')
/** Font family with which characters are drawn that none of the engine's fonts has. */
const missing = 'sans-serif'
/** Type size at which widths are measured. A width is proportional to the type size, so it is
 *  measured once and scaled. */
const unit = 100
const widths = new Map<string, number>()
/** Characters that must not begin a line, and characters that must not end one. */
const neverFirst = /^[,.;:!?)\]}%\u3001\u3002\uff0c\uff1a\uff1b\uff01\uff1f\uff09\u300b\u300d\u300f\u3011\u2019\u201d\u2026\u30fb\u30fc]/u
const neverLast = /[([{\uff08\u300a\u300c\u300e\u3010\u2018\u201c]$/u

/** Returns the width of a text in one line, points. */
export function widthOf(text: string, style: Style, size: number): number {
  const key = `${style.face}${style.weight}${style.isItalic ? 'i' : ''}${text}`
  const known = widths.get(key)
  if (known !== undefined) return known * size
  let width = 0
  for (const part of sameFamily(text, style)) {
    setFont(measuring, part.family, style, unit)
    width += measuring.measureText(part.text).width / unit
  }
  if (widths.size > 40_000) widths.clear()
  widths.set(key, width)
  return width * size
}

/** Draws a text with its left end at `x` and its baseline at `y`, in units of the context. */
export function drawRun(context: SKRSContext2D, run: Run, at: { x: number; y: number; size: number }): void {
  let { x } = at
  for (const { text, family } of sameFamily(run.text, run)) {
    setFont(context, family, run, at.size)
    context.fillText(text, x, at.y)
    x += widthOf(text, run, at.size)
  }
}

/** Breaks text into lines not wider than `width` (points) at type size `size`. Lines break
 *  between words, after a hyphen, dash or slash, between any two Chinese characters (in titles
 *  only between Chinese words), and inside a word only when it is wider than a line. */
export function breakLines(runs: readonly Run[], size: number, width: number, isTitle = false): Line[] {
  const lines: Line[] = []
  let line: Line = { pieces: [], width: 0 }
  const end = () => {
    trimEnd(line, size)
    lines.push(line)
    line = { pieces: [], width: 0 }
  }
  for (const word of words(runs, isTitle)) {
    const wide = word.reduce((sum, part) => sum + widthOf(part.text.trimEnd(), part, size), 0)
    if (line.pieces.length > 0 && line.width + wide > width) end()
    const parts = wide > width ? word.flatMap(part => [...part.text].map(text => ({ ...part, text }))) : word
    for (const part of parts) {
      if (line.pieces.length > 0 && wide > width && line.width + widthOf(part.text, part, size) > width) end()
      if (line.pieces.length === 0 && part.text.trim() === '') continue
      add(line, part, size)
    }
  }
  if (line.pieces.length > 0 || lines.length === 0) end()
  return lines
}

/** Returns the smallest parts of the text between which a line may break; each includes the space
 *  after it. A part may consist of several runs. */
function words(runs: readonly Run[], isTitle: boolean): Run[][] {
  const found: Run[][] = []
  let word: Run[] = []
  const starts = isTitle ? startsOfWords(runs) : undefined
  let at = 0
  const text = () => word.map(part => part.text).join('')
  for (const run of runs)
    for (const token of run.text.match(/\s+|[^\s]/gu) ?? []) {
      const before = text()
      const mayBreak =
        before !== '' &&
        token.trim() !== '' &&
        (/\s$/u.test(before) ||
          ((isIdeographic(token) || isIdeographic([...before].at(-1) ?? '')) &&
            !neverFirst.test(token) &&
            !neverLast.test(before) &&
            (starts?.has(at) ?? true)) ||
          (/[\u2014\-/]$/u.test(before) && before.length > 3))
      if (mayBreak) {
        found.push(word)
        word = []
      }
      const last = word.at(-1)
      const piece = token.trim() === '' ? ' ' : token
      if (last && sameStyle(last, run)) word[word.length - 1] = { ...last, text: last.text + piece }
      else word.push({ ...run, text: piece })
      at += token.length
    }
  if (word.length > 0) found.push(word)
  return found
}

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' })

/** Returns the positions (in UTF-16 units, over all runs) at which Chinese words start; undefined
 *  when the text has no Chinese. */
function startsOfWords(runs: readonly Run[]): Set<number> | undefined {
  const text = runs.map(run => run.text).join('')
  return /\p{sc=Han}/u.test(text) ? new Set(Array.from(segmenter.segment(text), ({ index }) => index)) : undefined
}

function add(line: Line, part: Run, size: number): void {
  const last = line.pieces.at(-1)
  if (last && sameStyle(last, part)) {
    last.text += part.text
    last.width += widthOf(part.text, part, size)
  } else line.pieces.push({ ...part, x: line.width, width: widthOf(part.text, part, size) })
  const end = line.pieces.at(-1)
  line.width = end ? end.x + end.width : 0
}

function trimEnd(line: Line, size: number): void {
  const last = line.pieces.at(-1)
  if (!last) return
  last.text = last.text.trimEnd()
  last.width = widthOf(last.text, last, size)
  line.width = last.x + last.width
}

function sameStyle(a: Run, b: Run): boolean {
  return a.face === b.face && a.weight === b.weight && a.isItalic === b.isItalic && a.colour === b.colour
}

function sameFamily(text: string, style: Style): { text: string; family: string }[] {
  const parts: { text: string; family: string }[] = []
  for (const character of text) {
    const last = parts.at(-1)
    const own = character === ' ' && last ? last.family : (familyOf(character, style.face, style.weight) ?? missing)
    const family = style.isItalic && style.face === 'serif' && own.includes(' latin ') ? italicFamily() : own
    if (last?.family === family) last.text += character
    else parts.push({ text: character, family })
  }
  return parts
}

function setFont(context: SKRSContext2D, family: string, style: Style, size: number): void {
  // Only Noto's files are variable fonts with a choice of weight; any other file has its own family
  // for each weight.
  context.font = family === missing ? `${size}px ${missing}` : `${size}px "${family}"`
  // Prevents ligatures, because a text with ligatures cannot be searched in a PDF: letters with any
  // letter spacing, even this tiny one, are drawn one by one.
  context.letterSpacing = '0.01px'
  context.fontVariationSettings = family.startsWith('Slides noto') ? `'wght' ${style.weight}` : 'normal'
}
