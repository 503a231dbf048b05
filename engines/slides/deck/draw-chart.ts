/** Draws charts for PDF and page pictures. The layout resembles the one that presentation programs
 *  give to the same chart in the PPTX. */
import type { SKRSContext2D } from '@napi-rs/canvas'
import { type ChartItem, pointsPerInch } from '../model/page.ts'
import { drawRun, type Style, widthOf } from '../type/measure.ts'
import { decimalsOf, hasRoomForValues, numberText, scaleOf } from './chart-numbers.ts'

interface Area {
  left: number
  top: number
  right: number
  bottom: number
}

const plain: Style = { face: 'sans', weight: 400 }
const bold: Style = { face: 'sans', weight: 700 }

export function drawChart(context: SKRSContext2D, item: ChartItem): void {
  const { x, y, w, h } = item.box
  const area = { left: x * pointsPerInch, top: y * pointsPerInch, right: (x + w) * pointsPerInch, bottom: (y + h) * pointsPerInch }
  if (item.chart === 'pie') {
    drawPie(context, item, area)
    return
  }
  const bottom =
    item.series.length > 1
      ? drawLegend(
          context,
          item,
          area,
          item.series.map(({ name }) => name),
        )
      : area.bottom
  drawAxes(context, item, { ...area, bottom })
}

function drawAxes(context: SKRSContext2D, item: ChartItem, area: Area): void {
  const { low, high, step } = scaleOf(item.series.flatMap(({ values }) => values))
  const size = item.size
  const ticks = Array.from({ length: Math.round((high - low) / step) + 1 }, (_tick, k) => low + k * step)
  const written = { unit: item.unit, decimals: decimalsOf(ticks) }
  const labelWidth = Math.max(...ticks.map(tick => widthOf(numberText(tick, written), plain, size)))
  const [left, right] = [area.left + labelWidth + 10, area.right]
  const slot = (right - left) / Math.max(1, item.labels.length)
  const isUpright = item.labels.some(label => !fitsInTwoLines(label, slot - 6, size))
  const below = isUpright
    ? Math.min(
        area.bottom - area.top,
        2.4 * size + Math.max(...item.labels.map(label => widthOf(shortOf(label, size), plain, size))) * slant,
      )
    : size * 2.6
  const plot = { left, right, top: area.top + size * 1.6, bottom: area.bottom - below }
  const yOf = (value: number) => plot.bottom - ((value - low) / (high - low)) * (plot.bottom - plot.top)
  for (const tick of ticks) {
    context.fillStyle = item.rule
    context.fillRect(plot.left, yOf(tick) - 0.4, plot.right - plot.left, 0.8)
    context.fillStyle = item.ink
    const text = numberText(tick, written)
    drawRun(context, { ...plain, text }, { x: plot.left - 8 - widthOf(text, plain, size), y: yOf(tick) + size * 0.35, size })
  }
  item.labels.forEach((label, k) => {
    const at = { middle: plot.left + slot * (k + 0.5), width: slot - 6, top: plot.bottom + size * 0.4, size }
    if (isUpright) drawSlanted(context, shortOf(label, size), at, item.ink)
    else drawLabel(context, label, at, item.ink)
  })
  if (item.chart === 'line') drawLines(context, item, plot, slot, yOf)
  else drawBars(context, item, plot, slot, yOf)
}

function drawBars(context: SKRSContext2D, item: ChartItem, plot: Area, slot: number, yOf: (value: number) => number): void {
  const count = item.series.length
  const wide = (slot * 0.66) / count
  const isTold = hasRoomForValues(item, plot.right - plot.left)
  const decimals = decimalsOf(item.series.flatMap(({ values }) => values))
  item.series.forEach(({ values }, s) => {
    values.forEach((value, k) => {
      const x = plot.left + slot * k + slot * 0.17 + wide * s
      context.fillStyle = item.colours[s % item.colours.length] ?? item.ink
      const [top, foot] = [Math.min(yOf(value), yOf(0)), Math.max(yOf(value), yOf(0))]
      context.fillRect(x, top, wide * (count > 1 ? 0.94 : 1), foot - top)
      if (!isTold) return
      const text = numberText(value, { decimals })
      context.fillStyle = item.ink
      drawRun(context, { ...bold, text }, { x: x + (wide - widthOf(text, bold, item.size)) / 2, y: top - 4, size: item.size })
    })
  })
}

function drawLines(context: SKRSContext2D, item: ChartItem, plot: Area, slot: number, yOf: (value: number) => number): void {
  const decimals = decimalsOf(item.series.flatMap(({ values }) => values))
  const isTold = hasRoomForValues(item, plot.right - plot.left)
  item.series.forEach(({ values }, s) => {
    const colour = item.colours[s % item.colours.length] ?? item.ink
    context.strokeStyle = colour
    context.lineWidth = 2.6
    context.lineJoin = 'round'
    context.beginPath()
    values.forEach((value, k) => {
      const [x, y] = [plot.left + slot * (k + 0.5), yOf(value)]
      if (k === 0) context.moveTo(x, y)
      else context.lineTo(x, y)
    })
    context.stroke()
    values.forEach((value, k) => {
      const [x, y] = [plot.left + slot * (k + 0.5), yOf(value)]
      context.fillStyle = item.paper
      context.beginPath()
      context.arc(x, y, 5, 0, Math.PI * 2)
      context.fill()
      context.fillStyle = colour
      context.beginPath()
      context.arc(x, y, 3.6, 0, Math.PI * 2)
      context.fill()
      if (!isTold) return
      const text = numberText(value, { decimals })
      context.fillStyle = item.ink
      drawRun(context, { ...bold, text }, { x: x - widthOf(text, bold, item.size) / 2, y: y - item.size * 0.75, size: item.size })
    })
  })
}

function drawPie(context: SKRSContext2D, item: ChartItem, area: Area): void {
  const values = item.series[0]?.values ?? []
  const total = values.reduce((sum, value) => sum + value, 0)
  const right = drawNames(context, item, area)
  const radius = Math.min(right - area.left, area.bottom - area.top) / 2 - 4
  const [x, y] = [(area.left + right) / 2, (area.top + area.bottom) / 2]
  let from = -Math.PI / 2
  values.forEach((value, k) => {
    const share = value / (total || 1)
    if (share === 0) return
    // The arc of a pie's only part is slightly less than a whole turn, because the canvas draws
    // nothing for a full circle.
    const to = from + Math.min(share, 0.99999) * Math.PI * 2
    context.fillStyle = item.colours[k % item.colours.length] ?? item.ink
    context.strokeStyle = item.paper
    context.lineWidth = 1.5
    context.beginPath()
    context.moveTo(x, y)
    context.arc(x, y, radius, from, to)
    context.closePath()
    context.fill()
    context.stroke()
    if (share >= 0.04) {
      const text = `${Math.round(share * 100)}%`
      const middle = (from + to) / 2
      const size = item.size * 1.1
      context.fillStyle = item.paper
      drawRun(
        context,
        { ...bold, text },
        {
          x: x + Math.cos(middle) * radius * 0.7 - widthOf(text, bold, size) / 2,
          y: y + Math.sin(middle) * radius * 0.7 + size * 0.35,
          size,
        },
      )
    }
    from = to
  })
}

/** Draws the names of a pie's parts on the right. Returns the right edge of the area that is left
 *  for the pie. */
function drawNames(context: SKRSContext2D, item: ChartItem, { top, right, bottom }: Area): number {
  const { size, labels } = item
  const pitch = Math.min(size * 1.9, (bottom - top) / labels.length)
  const names = labels.map(label => shortOf(label, size, longestName))
  const left = right - Math.max(...names.map(name => widthOf(name, plain, size))) - size * 1.4
  names.forEach((name, k) => {
    const y = (top + bottom) / 2 + (k - (names.length - 1) / 2) * pitch
    context.fillStyle = item.colours[k % item.colours.length] ?? item.ink
    context.fillRect(left, y - size * 0.4, size * 0.8, size * 0.8)
    context.fillStyle = item.ink
    drawRun(context, { ...plain, text: name }, { x: left + size * 1.4, y: y + size * 0.35, size })
  })
  return left - size * 1.5
}

/** Draws the names of the series below the chart, centred in rows. Returns the lower edge of the
 *  area that is left for the chart. */
function drawLegend(context: SKRSContext2D, item: ChartItem, area: Area, names: readonly string[]): number {
  const { size } = item
  const rows: { name: string; k: number; width: number }[][] = [[]]
  let used = 0
  names.forEach((name, k) => {
    const width = size + 6 + widthOf(name, plain, size) + 18
    if (used + width > area.right - area.left && used > 0) {
      rows.push([])
      used = 0
    }
    rows.at(-1)?.push({ name, k, width })
    used += width
  })
  const top = area.bottom - rows.length * size * 1.6
  rows.forEach((row, r) => {
    let x = (area.left + area.right - row.reduce((sum, { width }) => sum + width, 0)) / 2
    for (const { name, k, width } of row) {
      const y = top + (r + 0.8) * size * 1.6
      context.fillStyle = item.colours[k % item.colours.length] ?? item.ink
      context.fillRect(x, y - size * 0.75, size * 0.8, size * 0.8)
      context.fillStyle = item.ink
      drawRun(context, { ...plain, text: name }, { x: x + size + 6, y, size })
      x += width
    }
  })
  return top - size * 0.5
}

/** Sine of 45 degrees. Labels that are too wide to stand side by side are drawn at this angle. */
const slant = Math.SQRT1_2
/** Longest slanted label, as a multiple of the type size. */
const longestSlanted = 11
/** Longest name of a pie's part, as a multiple of the type size. */
const longestName = 17

/** Draws a label in one line, or in two when it is too wide. */
function drawLabel(
  context: SKRSContext2D,
  label: string,
  { middle, width, top, size }: { middle: number; width: number; top: number; size: number },
  ink: string,
): void {
  context.fillStyle = ink
  linesOf(label, width, size).forEach((line, k) => {
    drawRun(context, { ...plain, text: line }, { x: middle - widthOf(line, plain, size) / 2, y: top + size * (0.9 + k * 1.15), size })
  })
}

/** Draws a label at 45 degrees. The label rises from the lower left and ends at `middle`, the place
 *  on the axis that it names. */
function drawSlanted(
  context: SKRSContext2D,
  text: string,
  { middle, top, size }: { middle: number; top: number; size: number },
  ink: string,
) {
  context.save()
  context.translate(middle + size * 0.3, top + size * 0.5)
  context.rotate(-Math.PI / 4)
  context.fillStyle = ink
  drawRun(context, { ...plain, text }, { x: -widthOf(text, plain, size), y: size * 0.35, size })
  context.restore()
}

function linesOf(label: string, width: number, size: number): string[] {
  const lines: string[] = ['']
  for (const word of label.match(/[^\s\u3000-\u9fff]+\s*|[\u3000-\u9fff]\s*/gu) ?? []) {
    const last = lines.at(-1) ?? ''
    if (last !== '' && widthOf(last + word.trimEnd(), plain, size) > width) lines.push(word)
    else lines[lines.length - 1] = last + word
  }
  return lines.map(line => line.trim())
}

function fitsInTwoLines(label: string, width: number, size: number): boolean {
  const lines = linesOf(label, width, size)
  return lines.length <= 2 && lines.every(line => widthOf(line, plain, size) <= width)
}

function shortOf(label: string, size: number, most = longestSlanted): string {
  let text = label
  while (text.length > 1 && widthOf(`${text}…`, plain, size) > most * size) text = text.slice(0, -1)
  return text === label ? label : `${text.trim()}…`
}
