/** Draws the charts that a PPTX has as charts of its own, as those programs set them. */
import type { SKRSContext2D } from '@napi-rs/canvas'
import { type ChartItem, pointsPerInch } from '../model/page.ts'
import { drawRun, type Style, widthOf } from '../type/measure.ts'

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

/** Round numbers from 0, or below it, to above the largest value: about five steps. */
export function scaleOf(values: readonly number[]): { low: number; high: number; step: number } {
  const most = Math.max(0, ...values)
  const least = Math.min(0, ...values)
  const rough = (most - least || 1) / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5, 10].find(factor => factor * power >= rough) ?? 10) * power
  return { low: Math.floor(least / step) * step, high: Math.ceil(most / step) * step || step, step }
}

export function numberText(value: number, unit: string): string {
  const text = new Intl.NumberFormat('en-US', { maximumFractionDigits: Math.abs(value) < 10 ? 2 : 1 }).format(value)
  return unit === '' ? text : unit === '%' ? `${text}%` : `${text} ${unit}`
}

function drawAxes(context: SKRSContext2D, item: ChartItem, area: Area): void {
  const { low, high, step } = scaleOf(item.series.flatMap(({ values }) => values))
  const size = item.size
  const ticks = Array.from({ length: Math.round((high - low) / step) + 1 }, (_tick, k) => low + k * step)
  const labelWidth = Math.max(...ticks.map(tick => widthOf(numberText(tick, item.unit), plain, size)))
  const plot = { left: area.left + labelWidth + 10, top: area.top + size * 1.6, right: area.right, bottom: area.bottom - size * 2.6 }
  const yOf = (value: number) => plot.bottom - ((value - low) / (high - low)) * (plot.bottom - plot.top)
  for (const tick of ticks) {
    context.fillStyle = item.rule
    context.fillRect(plot.left, yOf(tick) - 0.4, plot.right - plot.left, 0.8)
    context.fillStyle = item.ink
    const text = numberText(tick, item.unit)
    drawRun(context, { ...plain, text }, { x: plot.left - 8 - widthOf(text, plain, size), y: yOf(tick) + size * 0.35, size })
  }
  const slot = (plot.right - plot.left) / Math.max(1, item.labels.length)
  item.labels.forEach((label, k) => {
    drawLabel(context, label, { middle: plot.left + slot * (k + 0.5), width: slot - 6, top: plot.bottom + size * 0.4, size }, item.ink)
  })
  if (item.chart === 'line') drawLines(context, item, plot, slot, yOf)
  else drawBars(context, item, plot, slot, yOf)
}

function drawBars(context: SKRSContext2D, item: ChartItem, plot: Area, slot: number, yOf: (value: number) => number): void {
  const count = item.series.length
  const wide = (slot * 0.66) / count
  item.series.forEach(({ values }, s) => {
    values.forEach((value, k) => {
      const x = plot.left + slot * k + slot * 0.17 + wide * s
      context.fillStyle = item.colours[s % item.colours.length] ?? item.ink
      const [top, foot] = [Math.min(yOf(value), yOf(0)), Math.max(yOf(value), yOf(0))]
      context.fillRect(x, top, wide * (count > 1 ? 0.94 : 1), foot - top)
      const text = numberText(value, '')
      if (count > 1 && widthOf(text, bold, item.size * 0.9) > wide) return
      context.fillStyle = item.ink
      drawRun(context, { ...bold, text }, { x: x + (wide - widthOf(text, bold, item.size)) / 2, y: top - 4, size: item.size })
    })
  })
}

function drawLines(context: SKRSContext2D, item: ChartItem, plot: Area, slot: number, yOf: (value: number) => number): void {
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
    })
  })
}

function drawPie(context: SKRSContext2D, item: ChartItem, area: Area): void {
  const values = item.series[0]?.values ?? []
  const total = values.reduce((sum, value) => sum + value, 0)
  const bottom = drawLegend(context, item, area, item.labels)
  const radius = Math.min(area.right - area.left, bottom - area.top) / 2 - 4
  const [x, y] = [(area.left + area.right) / 2, (area.top + bottom) / 2]
  let from = -Math.PI / 2
  values.forEach((value, k) => {
    const to = from + (value / (total || 1)) * Math.PI * 2
    context.fillStyle = item.colours[k % item.colours.length] ?? item.ink
    context.strokeStyle = item.paper
    context.lineWidth = 1.5
    context.beginPath()
    context.moveTo(x, y)
    context.arc(x, y, radius, from, to)
    context.closePath()
    context.fill()
    context.stroke()
    const share = value / (total || 1)
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

/** Names below the chart, centred in rows; returns where the rest of the chart ends. */
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

/** In two lines where one is too narrow, cut where two are. */
function drawLabel(
  context: SKRSContext2D,
  label: string,
  at: { middle: number; width: number; top: number; size: number },
  ink: string,
): void {
  const { size } = at
  const lines: string[] = ['']
  for (const word of label.match(/\S+\s*|[\u3000-\u9fff]/gu) ?? []) {
    const last = lines.at(-1) ?? ''
    if (last !== '' && widthOf(last + word.trimEnd(), plain, size) > at.width) lines.push(word)
    else lines[lines.length - 1] = last + word
  }
  context.fillStyle = ink
  lines.slice(0, 2).forEach((line, k) => {
    let text = line.trim()
    const isCut = (k === 1 && lines.length > 2) || widthOf(text, plain, size) > at.width
    while (isCut && text.length > 1 && widthOf(`${text}…`, plain, size) > at.width) text = text.slice(0, -1)
    if (isCut) text = `${text}…`
    drawRun(context, { ...plain, text }, { x: at.middle - widthOf(text, plain, size) / 2, y: at.top + size * (0.9 + k * 1.15), size })
  })
}
