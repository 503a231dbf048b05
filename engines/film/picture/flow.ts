/** Where the parts of one picture are in another, found block by block from coarse to fine, and pictures between the two. */
import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas'

/** Shifts of a grid of points, in shares of the width and height, from the first picture to the second. */
export interface Flow {
  columns: number
  rows: number
  x: Float32Array
  y: Float32Array
}

const columns = 24
const rows = 14
const detail = { width: 192, height: 112 }
/** Mean difference of grey, of 255, of blocks at their best place above which two pictures are of different things. */
const mostDifference = 17

/** Undefined where the pictures have too little in common for a way from one to the other. */
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
        // Far places must be clearly better: plain areas fit anywhere.
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

/** The median of neighbours, then their mean: single blocks that went astray come back. */
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

interface Blend {
  first: Canvas
  last: Canvas
  flow: Flow
  /** 0 the first, 1 the last. */
  share: number
}

/** The picture between two: both are warped towards each other in a mesh, and mixed. */
export function blendFlow(context: SKRSContext2D, { first, last, flow, share }: Blend): void {
  warp(context, first, flow, share)
  const { width, height } = first
  const second = createCanvas(width, height)
  warp(second.getContext('2d'), last, flow, share - 1)
  context.save()
  context.globalAlpha = share
  context.drawImage(second, 0, 0)
  context.restore()
}

/** The picture with its points moved by a share of the flow, cell by cell. */
function warp(context: SKRSContext2D, picture: Canvas, flow: Flow, share: number): void {
  const { width, height } = picture
  context.drawImage(picture, 0, 0)
  const at = (column: number, row: number) => {
    const x = Math.max(0, Math.min(columns - 1, column))
    const y = Math.max(0, Math.min(rows - 1, row))
    const i = y * columns + x
    // Points beyond the middles of the outermost cells lie on the edge and stay there.
    const sx = column < 0 ? 0 : column >= columns ? width : ((column + 0.5) / columns) * width
    const sy = row < 0 ? 0 : row >= rows ? height : ((row + 0.5) / rows) * height
    const isEdgeX = column < 0 || column >= columns
    const isEdgeY = row < 0 || row >= rows
    return { sx, sy, dx: sx + (isEdgeX ? 0 : (flow.x[i] ?? 0) * width * share), dy: sy + (isEdgeY ? 0 : (flow.y[i] ?? 0) * height * share) }
  }
  for (let row = -1; row < rows; row++)
    for (let column = -1; column < columns; column++) {
      const [a, b, c, d] = [at(column, row), at(column + 1, row), at(column, row + 1), at(column + 1, row + 1)]
      triangle(context, picture, [a, b, c])
      triangle(context, picture, [d, c, b])
    }
}

interface Corner {
  sx: number
  sy: number
  dx: number
  dy: number
}

function triangle(context: SKRSContext2D, picture: Canvas, [a, b, c]: [Corner, Corner, Corner]): void {
  const det = (b.sx - a.sx) * (c.sy - a.sy) - (c.sx - a.sx) * (b.sy - a.sy)
  if (Math.abs(det) < 1e-6) return
  const m11 = ((b.dx - a.dx) * (c.sy - a.sy) - (c.dx - a.dx) * (b.sy - a.sy)) / det
  const m12 = ((b.dy - a.dy) * (c.sy - a.sy) - (c.dy - a.dy) * (b.sy - a.sy)) / det
  const m21 = ((c.dx - a.dx) * (b.sx - a.sx) - (b.dx - a.dx) * (c.sx - a.sx)) / det
  const m22 = ((c.dy - a.dy) * (b.sx - a.sx) - (b.dy - a.dy) * (c.sx - a.sx)) / det
  context.save()
  context.beginPath()
  // Grown a little about its middle, so that no seam shows.
  const [mx, my] = [(a.dx + b.dx + c.dx) / 3, (a.dy + b.dy + c.dy) / 3]
  for (const [index, { dx, dy }] of [a, b, c].entries()) {
    const x = dx + Math.sign(dx - mx) * 0.7
    const y = dy + Math.sign(dy - my) * 0.7
    if (index === 0) context.moveTo(x, y)
    else context.lineTo(x, y)
  }
  context.clip()
  context.transform(m11, m12, m21, m22, a.dx - m11 * a.sx - m21 * a.sy, a.dy - m12 * a.sx - m22 * a.sy)
  context.drawImage(picture, 0, 0)
  context.restore()
}
