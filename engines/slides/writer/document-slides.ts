/** Makes a deck from a document. The deck keeps the document's words and their order; headings,
 *  lists, tables and quotations of the document decide how they are divided into slides. */
import type { Slide } from '@generation-gateway/kit/requests/slides.ts'
import { cut } from '../layouts/words.ts'

/** Largest number of points on one slide; further points go to another slide. */
const mostPoints = 6

type Block =
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'points'; points: string[]; isNumbered: boolean }
  | { kind: 'paragraph'; text: string }
  | { kind: 'quote'; text: string }
  | { kind: 'table'; rows: string[][] }
  | { kind: 'picture'; text: string }

/** Returns the slides of the document's contents, without a title slide, and the document's own
 *  title if it has one. `text` is Markdown or plain text. */
export function slidesOfDocument(text: string, origin: string): { title?: string; slides: Slide[] } {
  const blocks = blocksOf(text)
  const [first] = blocks
  const title = first?.kind === 'heading' && first.level === 1 ? plain(first.text) : undefined
  const rest = title === undefined ? blocks : blocks.slice(1)
  const top = Math.min(...rest.flatMap(block => (block.kind === 'heading' ? [block.level] : [])))
  const hasDeeper = rest.some(block => block.kind === 'heading' && block.level > top)
  const slides: Slide[] = []
  let head = title ?? ''
  let isBare = false
  for (const [k, block] of rest.entries()) {
    if (block.kind !== 'heading') {
      slides.push(...slidesOfBlock(block, head === '' ? short(block) : head, origin))
      isBare = false
      continue
    }
    head = plain(block.text)
    const next = rest[k + 1]
    // A top-level heading without text of its own, directly before another heading or at the end,
    // becomes a section slide.
    if (hasDeeper && block.level === top && (!next || next.kind === 'heading')) slides.push({ layout: 'section', title: head, points: [] })
    else isBare = true
  }
  if (isBare && head !== '') slides.push({ layout: 'section', title: head, points: [] })
  return { ...(title === undefined ? {} : { title }), slides: merged(slides) }
}

function slidesOfBlock(block: Exclude<Block, { kind: 'heading' }>, title: string, origin: string): Slide[] {
  const notes = origin
  switch (block.kind) {
    case 'quote': {
      const [, text = block.text, by] = /^(.+?)\s*[—–-]{1,2}\s*([^—–.]{2,60})$/u.exec(block.text) ?? []
      return [{ layout: 'quote', title, points: [], quote: { text: cut(text, 590), ...(by === undefined ? {} : { by }) }, notes }]
    }
    case 'table':
      return slidesOfTable(block.rows, title, notes)
    case 'picture':
      return [{ layout: 'picture', title, points: [], picture: block.text || title, notes }]
    case 'points': {
      const steps = block.points.map(point => /^([^:：]{2,40})[:：]\s*(.+)$/u.exec(point) ?? [point, point, ''])
      const isTimeline =
        block.isNumbered &&
        block.points.length >= 3 &&
        block.points.length <= 8 &&
        steps.every(([, lead = '', rest = '']) => lead.length <= 60 && rest.length <= 140)
      if (!isTimeline) return inParts(block.points, title, notes)
      return [
        {
          layout: 'timeline',
          title,
          points: [],
          steps: steps.map(([, lead = '', rest = ''], k) => ({
            label: String(k + 1),
            title: lead,
            ...(rest === '' ? {} : { text: rest }),
          })),
          notes,
        },
      ]
    }
    case 'paragraph':
      return inParts(sentencesOf(block.text), title, `${notes} ${block.text}`.slice(0, 19_000))
  }
}

/** Returns a slide with the table, and slides with charts of the columns of numbers. */
function slidesOfTable(rows: string[][], title: string, notes: string): Slide[] {
  const [head = [], ...cells] = rows
  const columns = Math.min(8, head.length)
  const table: Slide = {
    layout: 'table',
    title,
    points: [],
    table: {
      head: head.slice(0, columns).map(cell => cut(cell, 390)),
      rows: cells.slice(0, 60).map(row => Array.from({ length: columns }, (_cell, k) => cut(row[k] ?? '', 390))),
    },
    notes,
  }
  const series = head.slice(1, 7).flatMap((name, k) => {
    const texts = cells.map(row => row[k + 1] ?? '')
    const values = texts.map(numberOf)
    return cells.length >= 2 && values.every(Number.isFinite) ? [{ name: cut(name, 58), values, unit: unitOf(texts) }] : []
  })
  if (cells.length > 24) return [table]
  const labels = cells.map(([label = '']) => cut(label, 58))
  const groups = comparable(series)
  return [table, ...groups.map(group => chartOf(group, { labels, title: groups.length > 1 ? headOf(title, group) : title, notes }))]
}

interface Column {
  name: string
  values: number[]
  unit: string
}

/** Groups number columns that can share a chart axis. All columns of a group have the unit of its
 *  first column, and are at most 20 times larger or smaller than this column, so that small bars
 *  stay visible. */
function comparable(columns: readonly Column[]): Column[][] {
  const groups: Column[][] = []
  for (const column of columns) {
    const size = sizeOf(column)
    const fitting = groups.find(
      ([first]) => first && first.unit === column.unit && Math.max(size, sizeOf(first)) <= 20 * Math.min(size, sizeOf(first)),
    )
    if (fitting) fitting.push(column)
    else groups.push([column])
  }
  return groups
}

function sizeOf({ values }: Column): number {
  return Math.max(...values.map(Math.abs))
}

function headOf(title: string, group: readonly Column[]): string {
  return `${title}: ${group.map(({ name }) => name).join(', ')}`
}

function chartOf(group: readonly Column[], { labels, title, notes }: { labels: string[]; title: string; notes: string }): Slide {
  const unit = group[0]?.unit ?? ''
  const isTime = labels.every(label => /^\d{4}|^[qQ][1-4]\b|^\d{1,2}月|^(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i.test(label))
  const [only] = group
  const isWhole = group.length === 1 && unit === '%' && labels.length <= 6 && only !== undefined && isSumOfParts(only.values)
  return {
    layout: 'chart',
    title: cut(title, 290),
    points: [],
    chart: {
      kind: isWhole && !isTime ? 'pie' : isTime && labels.length > 4 ? 'line' : 'bar',
      labels,
      series: group.map(({ name, values }) => ({ name, values })),
      ...(unit === '' ? {} : { unit }),
    },
    notes,
  }
}

/** True for values that add up to a whole (100 %), up to rounding. */
function isSumOfParts(values: readonly number[]): boolean {
  return values.every(value => value > 0) && Math.abs(values.reduce((sum, value) => sum + value, 0) - 100) <= 1
}

function numberOf(text: string): number {
  const clean = text.replace(/[\s,_%€$£¥]|(?<=\d)\s*[a-z]{1,3}$/giu, '')
  return /^-?\d+(\.\d+)?$/.test(clean) ? Number(clean) : Number.NaN
}

function unitOf(texts: readonly string[]): string {
  return texts.every(text => text.trim().endsWith('%')) ? '%' : ''
}

function inParts(points: readonly string[], title: string, notes: string): Slide[] {
  const count = Math.ceil(points.length / mostPoints)
  const each = Math.ceil(points.length / count)
  return Array.from({ length: count }, (_part, k) => ({
    layout: 'points',
    title,
    points: points.slice(k * each, (k + 1) * each).map(point => cut(point, 1900)),
    notes,
  }))
}

/** Merges neighbouring slides of points with the same title, unless the merged slide would have too
 *  many points. */
function merged(slides: readonly Slide[]): Slide[] {
  const all: Slide[] = []
  for (const slide of slides) {
    const last = all.at(-1)
    const isJoined =
      last?.layout === 'points' &&
      slide.layout === 'points' &&
      last.title === slide.title &&
      last.points.length + slide.points.length <= mostPoints
    if (isJoined)
      all[all.length - 1] = {
        ...last,
        points: [...last.points, ...slide.points],
        notes: [...new Set([last.notes, slide.notes])].join(' ').slice(0, 19_000),
      }
    else all.push(slide)
  }
  return all
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  for (const raw of text
    .replace(/\r\n?/g, '\n')
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replace(/```[\s\S]*?```/g, '')
    .split('\n')) {
    const line = raw.trim()
    const last = blocks.at(-1)
    const heading = /^(#{1,6})\s+(.+?)\s*#*$/.exec(line)
    const item = /^(?:([-*+•])|(\d{1,2})[.)、])\s+(.+)$/u.exec(line)
    const picture = /^!\[([^\]]*)\]\([^)]*\)$/.exec(line)
    if (heading) blocks.push({ kind: 'heading', level: heading[1]?.length ?? 1, text: heading[2] ?? '' })
    else if (picture) blocks.push({ kind: 'picture', text: plain(picture[1] ?? '') })
    else if (item) {
      const isNumbered = item[2] !== undefined
      if (last?.kind === 'points' && last.isNumbered === isNumbered) last.points.push(plain(item[3] ?? ''))
      else blocks.push({ kind: 'points', points: [plain(item[3] ?? '')], isNumbered })
    } else if (/^\|.*\|$/.test(line)) {
      const row = line.slice(1, -1).split('|').map(plain)
      const isRule = row.every(cell => /^:?-+:?$/.test(cell))
      if (last?.kind === 'table') {
        if (!isRule) last.rows.push(row)
      } else blocks.push({ kind: 'table', rows: [row] })
    } else if (line.startsWith('>')) {
      const said = plain(line.slice(1))
      if (last?.kind === 'quote') last.text += ` ${said}`
      else blocks.push({ kind: 'quote', text: said })
    } else if (line === '') blocks.push({ kind: 'paragraph', text: '' })
    else if (last?.kind === 'paragraph' && last.text !== '') last.text += ` ${plain(line)}`
    else if (last?.kind === 'points' && /^\s{2,}/.test(raw)) last.points[last.points.length - 1] += ` ${plain(line)}`
    else blocks.push({ kind: 'paragraph', text: plain(line) })
  }
  return blocks.filter(block => !(block.kind === 'paragraph' && block.text === ''))
}

function sentencesOf(text: string): string[] {
  return [...new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text)]
    .map(({ segment }) => segment.trim())
    .filter(sentence => sentence !== '')
}

/** Returns a title for a part of the document (`block`) that has no heading: the first words of
 *  this part. */
function short(block: Exclude<Block, { kind: 'heading' }>): string {
  const text = block.kind === 'points' ? (block.points[0] ?? '') : block.kind === 'table' ? (block.rows[0]?.join(', ') ?? '') : block.text
  return cut(sentencesOf(text)[0] ?? text, 60)
}

function plain(text: string): string {
  return text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_`]{1,3}(\S(?:.*?\S)?)[*_`]{1,3}/g, '$1')
    .trim()
}
