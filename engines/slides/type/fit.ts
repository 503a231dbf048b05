/** Fits text into a box at the largest possible type size between two limits, and returns undefined
 *  when it does not fit. */
import { type Box, pointsPerInch, type SetParagraph, type TextItem } from '../model/page.ts'
import type { Face } from './faces.ts'
import { breakLines, type Run, widthOf } from './measure.ts'

export interface Paragraph {
  runs: Run[]
  bullet?: { sign: string; colour: string; indent: number }
}

export interface Sizes {
  largest: number
  smallest: number
}

export interface Setting extends Pick<TextItem, 'align' | 'valign' | 'colour'> {
  box: Box
  sizes: Sizes
  /** Distance between lines, as a multiple of the type size; default 1.2. */
  leading?: number
  /** Gap between paragraphs, as a multiple of the type size; default 0.5. */
  gap?: number
  isTitle?: boolean
  /** How lines are broken. `even`: lines of about equal length; `no-orphan`: as full as possible,
   *  but the last line must not be a single word; absent: as full as possible. */
  rag?: 'even' | 'no-orphan'
}

/** Share of the line width that is used. The rest is a reserve, because the reader's font may be
 *  slightly wider, above all when Georgia or Calibri is missing and replaced. */
const used: Readonly<Record<Face, number>> = { sans: 0.985, serif: 0.89, humanist: 0.93, mono: 0.98 }
/** Difference between two type sizes that are tried, in points. */
const step = 0.5

/** Returns the text at the largest type size at which it fits, in steps of half a point; undefined
 *  when it does not fit at the smallest size. */
export function fitText(paragraphs: readonly Paragraph[], setting: Setting): TextItem | undefined {
  const fitted = largestText(paragraphs, setting)
  return fitted && setting.rag !== undefined ? evened(paragraphs, setting, fitted) : fitted
}

function largestText(paragraphs: readonly Paragraph[], setting: Setting): TextItem | undefined {
  const { largest, smallest } = setting.sizes
  const atLargest = setText(paragraphs, setting, largest)
  if (fits(atLargest)) return atLargest
  let best = setText(paragraphs, setting, smallest)
  if (!fits(best)) return undefined
  // A binary search suffices: a text that fits at a size fits at nearly every smaller size.
  let [low, high] = [0, Math.floor((largest - smallest) / step)]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    const item = setText(paragraphs, setting, smallest + middle * step)
    if (fits(item)) [low, best] = [middle, item]
    else high = middle
  }
  return best
}

/** Least length of the last line of a paragraph, as a share of the longest line; a shorter one
 *  counts as an orphan. */
const leastLast = 0.34

/** Returns the text in a narrower box with the same number of lines: for `even`, lines of about
 *  equal length; for `no-orphan`, no last line that is too short (`leastLast`). The box is
 *  chosen so that other programs break the text in the same places. Returns the text unchanged
 *  when that is not needed or not possible. */
function evened(paragraphs: readonly Paragraph[], setting: Setting, fitted: TextItem): TextItem {
  if (fitted.paragraphs.every(({ lines }) => lines.length < 2)) return fitted
  const isGood = setting.rag === 'even' ? () => false : (item: TextItem) => item.paragraphs.every(({ lines }) => !isOrphaned(lines))
  if (isGood(fitted)) return fitted
  let best = fitted
  // The box is narrowed step by step. For even lines, the narrowest box is taken; to avoid an
  // orphan, the first box in which no orphan is left.
  for (let share = 0.98; share >= 0.45 && !isGood(best); share -= 0.02) {
    const item = setText(paragraphs, { ...setting, box: narrowed(setting.box, share, setting.align) }, fitted.size)
    if (item.height > fitted.height + 0.01 || !fits(item)) break
    best = item
  }
  if (best === fitted || (setting.rag === 'no-orphan' && !isGood(best))) return fitted
  const width = widthBetween(best)
  return { ...best, box: narrowed(setting.box, Math.min(1, width / (setting.box.w * pointsPerInch)), setting.align) }
}

/** Returns a box width in points: halfway between the longest line and the width at which the first
 *  word of a next line would move up. With this reserve on both sides, small differences between
 *  fonts do not change the line breaks. */
function widthBetween({ paragraphs, size }: TextItem): number {
  let [needed, next] = [0, Number.POSITIVE_INFINITY]
  for (const { lines, bullet } of paragraphs) {
    const indent = (bullet?.indent ?? 0) * pointsPerInch
    for (const [k, { width }] of lines.entries()) {
      needed = Math.max(needed, width + indent)
      const piece = lines[k + 1]?.pieces[0]
      const word = piece && (/^[^\s\u3000-\u9fff]+|^./u.exec(piece.text)?.[0] ?? '')
      if (piece && word !== undefined) next = Math.min(next, width + indent + widthOf(` ${word}`, piece, size))
    }
  }
  return needed + Math.max(0, next - needed) / 2
}

function isOrphaned(lines: readonly { width: number }[]): boolean {
  return lines.length > 1 && (lines.at(-1)?.width ?? 0) < leastLast * Math.max(...lines.map(({ width }) => width))
}

function narrowed(box: Box, share: number, align: TextItem['align']): Box {
  const w = box.w * share
  return { ...box, w, x: box.x + (align === 'left' ? 0 : align === 'center' ? (box.w - w) / 2 : box.w - w) }
}

/** Returns the text with larger gaps between paragraphs, so that a short list does not leave the
 *  page empty below it. `most` is the largest gap as a multiple of the type size, `share` the
 *  largest part of the box that the text may fill. */
export function spaced(item: TextItem, { most, share }: { most: number; share: number }): TextItem {
  const gaps = item.paragraphs.length - 1
  const room = item.box.h * pointsPerInch * share - item.height
  if (gaps < 1 || room <= 0) return item
  const wider = Math.min(room / gaps, Math.max(0, most * item.size - item.gap))
  return { ...item, gap: item.gap + wider, height: item.height + wider * gaps }
}

/** Lays out the text at the given type size, whether it fits its box or not. */
export function setText(paragraphs: readonly Paragraph[], setting: Setting, size: number): TextItem {
  const { box, leading = 1.2, gap = 0.5, align, valign, colour, isTitle } = setting
  const set = paragraphs.map((paragraph): SetParagraph => {
    const indent = paragraph.bullet?.indent ?? 0
    const share = Math.min(...paragraph.runs.map(({ face }) => used[face]))
    return { ...paragraph, lines: breakLines(paragraph.runs, size, (box.w - indent) * pointsPerInch * share, isTitle) }
  })
  const lines = set.reduce((sum, { lines }) => sum + lines.length, 0)
  const height = lines * size * leading + Math.max(0, set.length - 1) * gap * size
  return {
    kind: 'text',
    box,
    paragraphs: set,
    size,
    leading,
    gap: gap * size,
    align,
    valign,
    colour,
    height,
    ...(isTitle ? { isTitle } : {}),
  }
}

/** True when the text fits its box: no line is wider than the box, and all lines together are not
 *  higher. */
function fits(item: TextItem): boolean {
  const isNarrow = item.paragraphs.every(({ lines, bullet }) =>
    lines.every(({ width }) => width <= (item.box.w - (bullet?.indent ?? 0)) * pointsPerInch + 0.01),
  )
  return isNarrow && item.height <= item.box.h * pointsPerInch + 0.01
}

/** Divides paragraphs into as few boxes as hold them at the smallest size, and fills the boxes
 *  about equally. A paragraph that is too long for one box is cut between sentences, or if
 *  necessary between words. */
export function spreadText(paragraphs: readonly Paragraph[], setting: Setting): Paragraph[][] {
  const small = setting.sizes.smallest
  const isHeld = (some: readonly Paragraph[]) => fits(setText(some, setting, small))
  if (isHeld(paragraphs)) return [[...paragraphs]]
  const parts = paragraphs.flatMap(paragraph => (isHeld([paragraph]) ? [paragraph] : cutParagraph(paragraph, some => isHeld([some]))))
  const fill = (most: number): Paragraph[][] => {
    const boxes: Paragraph[][] = [[]]
    for (const part of parts) {
      const box = boxes.at(-1) ?? []
      const next = [...box, part]
      if (box.length > 0 && (!isHeld(next) || setText(next, setting, small).height > most)) boxes.push([part])
      else boxes[boxes.length - 1] = next
    }
    return boxes
  }
  const count = fill(Number.POSITIVE_INFINITY).length
  const whole = setText(parts, setting, small).height
  for (const share of [1, 1.1, 1.2, 1.35, 1.5]) {
    const boxes = fill((whole / count) * share)
    if (boxes.length === count) return boxes
  }
  return fill(Number.POSITIVE_INFINITY)
}

/** Cuts a paragraph into parts that each fit, with as many sentences as possible in each. The text
 *  keeps the style of its run. */
function cutParagraph(paragraph: Paragraph, isHeld: (some: Paragraph) => boolean): Paragraph[] {
  const pieces = paragraph.runs.flatMap(run =>
    (run.text.match(/[^.!?;。！？；]+[.!?;。！？；]*\s*/gu) ?? [run.text]).map(text => ({ ...run, text })),
  )
  const fine = pieces.flatMap(run => (isHeld({ ...paragraph, runs: [run] }) ? [run] : splitWords(run)))
  const parts: Paragraph[] = []
  let runs: Run[] = []
  for (const run of fine) {
    if (runs.length > 0 && !isHeld({ ...paragraph, runs: [...runs, run] })) {
      parts.push({ ...paragraph, runs })
      runs = []
    }
    runs.push(run)
  }
  return [...parts, { ...paragraph, runs }]
}

function splitWords(run: Run): Run[] {
  const words = run.text.match(/\S{1,40}\s*/gu) ?? [run.text]
  // Chinese has no spaces, so a long sentence would be one word; it is cut into pieces of forty
  // characters.
  return words.map(text => ({ ...run, text }))
}
