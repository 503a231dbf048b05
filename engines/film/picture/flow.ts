/** Measures the optical flow between two pictures (block matching from coarse to fine), and draws
 *  intermediate pictures from it. */
import { type Canvas, createCanvas } from '@napi-rs/canvas'
import type { Pen } from '../raster/pen.ts'

/** The shift from the first picture to the second at each point of a grid, as shares of the width
 *  and height. */
interface Flow {
  columns: number
  rows: number
  x: Float32Array
  y: Float32Array
}

const columns = 24
const rows = 14
const detail = { width: 192, height: 112 }
/** Largest mean grey difference (0 to 255) between matching blocks. A larger difference means that
 *  the two pictures show different things. */
const mostDifference = 17

/** Returns the flow from one picture to the other; undefined when they have too little in
 *  common. */
export function flowBetween(first: Canvas, last: Canvas): Flow | undefined {
  const [from, to] = [greyOf(first), greyOf(last)]
  let flow: Flow = { columns, rows, x: new Float32Array(columns * rows), y: new Float32Array(columns * rows) }
  let difference = 255
  for (const { reach, step, size } of [
    { reach: 36, step: 4, size: 16 },
    { reach: 6, step: 2, size: 10 },
    { reach: 2, step: 1, size: 7 },
  ]) {
    const found = refined(from, to, flow, { reach, step, size })
    flow = smoothed(found.flow)
    difference = found.difference
  }
  return difference > mostDifference ? undefined : flow
}

interface Search {
  reach: number
  step: number
  /** Half the side of a block. */
  size: number
}

function refined(from: Float32Array, to: Float32Array, flow: Flow, { reach, step, size }: Search): { flow: Flow; difference: number } {
  const next: Flow = { ...flow, x: flow.x.slice(), y: flow.y.slice() }
  let sum = 0
  for (let i = 0; i < columns * rows; i++) {
    const px = Math.round((((i % columns) + 0.5) / columns) * detail.width)
    const py = Math.round(((Math.floor(i / columns) + 0.5) / rows) * detail.height)
    const baseX = Math.round((flow.x[i] ?? 0) * detail.width)
    const baseY = Math.round((flow.y[i] ?? 0) * detail.height)
    let best = { cost: Infinity, plain: 255, x: baseX, y: baseY }
    for (let dy = -reach; dy <= reach; dy += step)
      for (let dx = -reach; dx <= reach; dx += step) {
        const plain = blockDifference(from, to, { px, py, dx: baseX + dx, dy: baseY + dy, size })
        // A distant match must be clearly better than a near one, because a block of a plain area
        // matches nearly everywhere.
        const cost = plain + Math.hypot(baseX + dx, baseY + dy) * 0.08
        if (cost < best.cost) best = { cost, plain, x: baseX + dx, y: baseY + dy }
      }
    next.x[i] = best.x / detail.width
    next.y[i] = best.y / detail.height
    sum += best.plain
  }
  return { flow: next, difference: sum / (columns * rows) }
}

function blockDifference(
  from: Float32Array,
  to: Float32Array,
  { px, py, dx, dy, size }: { px: number; py: number; dx: number; dy: number; size: number },
): number {
  let sum = 0
  let count = 0
  for (let y = -size; y <= size; y += 2)
    for (let x = -size; x <= size; x += 2) {
      const [ax, ay, bx, by] = [px + x, py + y, px + x + dx, py + y + dy]
      if (ax < 0 || ay < 0 || ax >= detail.width || ay >= detail.height) continue
      if (bx < 0 || by < 0 || bx >= detail.width || by >= detail.height) {
        sum += 40
        count++
        continue
      }
      sum += Math.abs((from[ay * detail.width + ax] ?? 0) - (to[by * detail.width + bx] ?? 0))
      count++
    }
  return count === 0 ? 255 : sum / count
}

/** Returns the flow with each value replaced by the median of its neighbours, and then by their
 *  mean. These two steps correct single blocks that were matched wrongly. */
function smoothed(flow: Flow): Flow {
  const around = (values: Float32Array, combine: (list: number[]) => number): Float32Array =>
    values.map((_, i) => {
      const list: number[] = []
      for (let dy = -1; dy <= 1; dy++)
        for (let dx = -1; dx <= 1; dx++) {
          const x = Math.max(0, Math.min(columns - 1, (i % columns) + dx))
          const y = Math.max(0, Math.min(rows - 1, Math.floor(i / columns) + dy))
          list.push(values[y * columns + x] ?? 0)
        }
      return combine(list)
    })
  const median = (list: number[]) => list.sort((a, b) => a - b)[4] ?? 0
  const mean = (list: number[]) => list.reduce((sum, value) => sum + value, 0) / list.length
  return { ...flow, x: around(around(flow.x, median), mean), y: around(around(flow.y, median), mean) }
}

function greyOf(canvas: Canvas): Float32Array {
  const small = createCanvas(detail.width, detail.height)
  const context = small.getContext('2d')
  context.imageSmoothingQuality = 'high'
  context.drawImage(canvas, 0, 0, detail.width, detail.height)
  const { data } = context.getImageData(0, 0, detail.width, detail.height)
  const grey = new Float32Array(detail.width * detail.height)
  for (let i = 0; i < grey.length; i++) grey[i] = (data[i * 4] ?? 0) * 0.3 + (data[i * 4 + 1] ?? 0) * 0.59 + (data[i * 4 + 2] ?? 0) * 0.11
  return grey
}

/** Draws a picture with its points moved by `share` of the flow: 0 to 1 forwards, 0 to -1
 *  backwards. Strictly, the flow should be read at the point from which a pixel comes; for
 *  simplicity it is read at the point to which the pixel moves. The two differ little, because
 *  the flow is smoothed and changes little from one grid point to the next. */
export function warp(pen: Pen, picture: Canvas, flow: Flow, share: number): void {
  const { width, height } = picture
  const sprite = pen.store.sprite(picture, { left: true, right: true, top: true, bottom: true })
  // Grid points beyond the outermost cells lie on the picture's edge and do not move.
  const at = (values: Float32Array, column: number, row: number) =>
    column < 0 || row < 0 || column >= columns || row >= rows ? 0 : (values[row * columns + column] ?? 0)
  const edge = (index: number, cells: number, length: number) => Math.round(Math.max(0, Math.min(1, (index + 0.5) / cells)) * length)
  for (let row = -1; row < rows; row++) {
    const [top, bottom] = [edge(row, rows, height), edge(row + 1, rows, height)]
    for (let column = -1; column < columns; column++) {
      const [left, right] = [edge(column, columns, width), edge(column + 1, columns, width)]
      const corner = (dx: number, dy: number) => ({
        x: left + (right - left) * dx - at(flow.x, column + dx, row + dy) * width * share,
        y: top + (bottom - top) * dy - at(flow.y, column + dx, row + dy) * height * share,
      })
      pen.patch(sprite, { left, right, top, bottom }, [corner(0, 0), corner(1, 0), corner(0, 1), corner(1, 1)])
    }
  }
}
