/** Lays out an editable table: column widths follow their contents, and long tables continue on
 *  further pages. */
import type { Slide } from '@generation-gateway/kit/requests/slides.ts'
import { type Page, pointsPerInch, type SetCell, type TableItem } from '../model/page.ts'
import { type Setting, setText } from '../type/fit.ts'
import { type Run, widthOf } from '../type/measure.ts'
import { body, bodyBox, contentPages, heading, type Scene, tonesOf } from './scene.ts'

const inset = 0.12
/** Space above and below the text of a cell, inches. */
const insetTop = 0.075
const leading = 1.2
const sizes = [20, 18, 16, 14, 13, 12, 11, 10]
/** Greatest height, in inches, to which a row is stretched when the page has room. */
const tallest = 0.95

export function tablePages(slide: Slide, scene: Scene): Omit<Page, 'slide'>[] {
  const { head = [], rows = [] } = slide.table ?? {}
  const size = sizeOf(head, rows, scene)
  const bodies = pagesAt(head, rows, scene, size).map((some): [TableItem] => [stretched(tableOf(head, some, scene, size))])
  return contentPages(slide, scene, bodies)
}

/** Returns the largest type size, from 13 points up, at which the table fits on one page. When
 *  there is none, returns the largest size from 13 down to 10 points that needs at most one page
 *  more than the smallest number of pages. */
function sizeOf(head: string[], rows: string[][], scene: Scene): number {
  const large = sizes.find(each => each >= 13 && pagesAt(head, rows, scene, each).length === 1)
  if (large !== undefined) return large
  const counts = sizes
    .filter(each => each <= 13 && isWide(head, rows, scene, each))
    .map(size => ({ size, pages: pagesAt(head, rows, scene, size).length }))
  const fewest = Math.min(...counts.map(({ pages }) => pages))
  // A larger type size is worth one additional page.
  return counts.find(({ pages }) => pages <= fewest + 1)?.size ?? 10
}

function stretched(table: TableItem): TableItem {
  const spare = bodyBox.h - table.box.h
  const each = spare / table.rowHeights.length
  const rowHeights = table.rowHeights.map(height => (height < tallest ? Math.min(tallest, height + each) : height))
  return { ...table, rowHeights, box: { ...table.box, h: rowHeights.reduce((sum, height) => sum + height, 0) } }
}

/** Returns the table's rows divided into pages, about equally full. */
function pagesAt(head: string[], rows: string[][], scene: Scene, size: number): string[][][] {
  const heights = tableOf(head, rows, scene, size).rowHeights
  const [top = 0, ...below] = heights
  const fill = (most: number): string[][][] => {
    const pages: string[][][] = []
    let used = 0
    rows.forEach((row, k) => {
      const height = below[k] ?? 0
      if (pages.length === 0 || used + height > most) {
        pages.push([])
        used = top
      }
      pages.at(-1)?.push(row)
      used += height
    })
    return pages.length === 0 ? [[]] : pages
  }
  const count = fill(bodyBox.h).length
  const whole = below.reduce((sum, height) => sum + height, 0)
  const even = fill(Math.min(bodyBox.h, top + (whole / count) * 1.15))
  return even.length === count ? even : fill(bodyBox.h)
}

/** True when every single row fits on a page at this size. */
function isWide(head: string[], rows: string[][], scene: Scene, size: number): boolean {
  const [top = 0, ...below] = tableOf(head, rows, scene, size).rowHeights
  return below.every(height => top + height <= bodyBox.h)
}

function tableOf(head: string[], rows: string[][], scene: Scene, size: number): TableItem {
  const tones = tonesOf(scene)
  const columnWidths = widthsOf(head, rows, scene, size)
  const aligns = head.map((_title, k) => (k > 0 && isNumbers(rows.map(row => row[k] ?? '')) ? 'right' : 'left'))
  const cell = (run: Run, k: number, colours: { fill: string; ink: string }): SetCell => {
    const setting: Setting = {
      box: { x: 0, y: 0, w: (columnWidths[k] ?? 1) - 2 * inset, h: 99 },
      sizes: { largest: size, smallest: size },
      leading,
      align: aligns[k] ?? 'left',
      valign: 'middle',
      colour: colours.ink,
    }
    return { text: setText([{ runs: [run] }], setting, size), fill: colours.fill }
  }
  const set = [
    head.map((text, k) => cell({ ...heading(text, scene), weight: 700 }, k, { fill: tones.accentFill, ink: tones.onAccent })),
    ...rows.map((row, r) =>
      row.map((text, k) => cell(body(text, scene, k === 0), k, { fill: r % 2 === 0 ? tones.paper : tones.panel, ink: tones.ink })),
    ),
  ]
  const rowHeights = set.map(row => Math.max(0.42, ...row.map(({ text }) => text.height / pointsPerInch + 2 * insetTop)))
  const h = rowHeights.reduce((sum, height) => sum + height, 0)
  return { kind: 'table', box: { ...bodyBox, h }, columnWidths, rowHeights, rows: set, size, leading, inset, rule: tones.rule }
}

/** True for a column of numbers, which are right-aligned. */
function isNumbers(cells: readonly string[]): boolean {
  return (
    cells.some(cell => cell.trim() !== '') && cells.every(cell => /^\s*(?:[-+−–]?[\d.,\s]*\d\s*(?:%|[a-z]{1,3})?|[-–—]?)\s*$/iu.test(cell))
  )
}

/** Returns the width of each column in inches: the more text, the wider, but at least as wide as
 *  the longest word (up to 3 inches), as far as the page has room. */
function widthsOf(head: string[], rows: string[][], scene: Scene, size: number): number[] {
  const wanted = head.map((title, k) => {
    const texts = [title, ...rows.map(row => row[k] ?? '')]
    const wide = texts.map(text => widthOf(text, body(text, scene, true), size) / pointsPerInch + 2 * inset + 0.1)
    return Math.min(Math.max(...wide), 1.2 + wide.reduce((sum, each) => sum + each, 0) / wide.length)
  })
  const least = head.map((title, k) => {
    const words = [title, ...rows.map(row => row[k] ?? '')]
      .flatMap(text => text.split(/[\s-]+/))
      .filter(word => !/[\u3000-\u9fff]/u.test(word))
    return Math.min(3, Math.max(0.8, ...words.map(word => widthOf(word, body(word, scene, true), size) / pointsPerInch + 2 * inset + 0.08)))
  })
  const total = wanted.reduce((sum, each) => sum + each, 0)
  const shares = wanted.map((each, k) => Math.max(least[k] ?? 0, (each / total) * bodyBox.w))
  const sum = shares.reduce((all, each) => all + each, 0)
  return shares.map(each => (each / sum) * bodyBox.w)
}
