/** Draws a page on a canvas whose unit is the point; used for PDF and for pictures of pages. */
import type { Image, SKRSContext2D } from '@napi-rs/canvas'
import {
  type Box,
  type Item,
  type Page,
  pageHeight,
  pageWidth,
  pointsPerInch,
  type ShapeItem,
  type TableItem,
  type TextItem,
} from '../model/page.ts'
import { drawRun } from '../type/measure.ts'
import { drawChart } from './draw-chart.ts'

/** Draws a page. Images must be decoded first: `pictureOf` returns the image for the bytes of a
 *  picture item. */
export function drawPage(context: SKRSContext2D, page: Page, images: { ground: Image; pictureOf(bytes: Buffer): Image }): void {
  context.drawImage(images.ground, 0, 0, pageWidth * pointsPerInch, pageHeight * pointsPerInch)
  for (const item of page.items) drawItem(context, item, images.pictureOf)
}

function drawItem(context: SKRSContext2D, item: Item, pictureOf: (bytes: Buffer) => Image): void {
  switch (item.kind) {
    case 'text':
      drawText(context, item)
      return
    case 'shape':
      drawShape(context, item)
      return
    case 'picture': {
      const { x, y, w, h } = inPoints(item.box)
      context.drawImage(pictureOf(item.bytes), x, y, w, h)
      return
    }
    case 'chart':
      drawChart(context, item)
      return
    case 'table':
      drawTable(context, item)
      return
  }
}

function drawText(context: SKRSContext2D, item: TextItem): void {
  const { x, y, w, h } = inPoints(item.box)
  const line = item.size * item.leading
  let top = y + (item.valign === 'top' ? 0 : item.valign === 'middle' ? (h - item.height) / 2 : h - item.height)
  context.textAlign = 'left'
  context.textBaseline = 'alphabetic'
  for (const { lines, bullet } of item.paragraphs) {
    const indent = (bullet?.indent ?? 0) * pointsPerInch
    lines.forEach(({ pieces, width }, k) => {
      // Centres the letters vertically in the line: the middle of a letter is about a third of the
      // type size above the baseline, so the baseline is that much below the middle of the line.
      const base = top + line / 2 + item.size * 0.34
      if (bullet && k === 0 && pieces[0]) {
        context.fillStyle = bullet.colour
        drawRun(context, { ...pieces[0], weight: 400, isItalic: false, text: bullet.sign }, { x, y: base, size: item.size })
      }
      const room = w - indent - width
      const from = x + indent + (item.align === 'left' ? 0 : item.align === 'center' ? room / 2 : room)
      for (const piece of pieces) {
        context.fillStyle = piece.colour ?? item.colour
        drawRun(context, piece, { x: from + piece.x, y: base, size: item.size })
      }
      top += line
    })
    top += item.gap
  }
}

function drawShape(context: SKRSContext2D, { shape, box, fill, opacity = 1, radius = 0, line }: ShapeItem): void {
  const { x, y, w, h } = inPoints(box)
  context.save()
  context.globalAlpha = opacity
  context.beginPath()
  if (shape === 'ellipse') context.ellipse(x + w / 2, y + h / 2, w / 2, h / 2, 0, 0, Math.PI * 2)
  else if (shape === 'rounded') context.roundRect(x, y, w, h, radius * pointsPerInch)
  else context.rect(x, y, w, h)
  context.fillStyle = fill
  context.fill()
  if (line) {
    context.strokeStyle = line.colour
    context.lineWidth = line.points
    context.stroke()
  }
  context.restore()
}

function drawTable(context: SKRSContext2D, table: TableItem): void {
  let { y } = table.box
  table.rows.forEach((row, r) => {
    const h = table.rowHeights[r] ?? 0
    let { x } = table.box
    row.forEach(({ text, fill }, k) => {
      const w = table.columnWidths[k] ?? 0
      drawShape(context, { kind: 'shape', shape: 'rectangle', box: { x, y, w: w + 0.004, h }, fill })
      drawText(context, { ...text, box: { x: x + table.inset, y, w: w - 2 * table.inset, h } })
      x += w
    })
    y += h
    drawShape(context, {
      kind: 'shape',
      shape: 'rectangle',
      box: { x: table.box.x, y: y - 0.006, w: table.box.w, h: 0.012 },
      fill: table.rule,
    })
  })
}

function inPoints({ x, y, w, h }: Box): Box {
  return { x: x * pointsPerInch, y: y * pointsPerInch, w: w * pointsPerInch, h: h * pointsPerInch }
}
