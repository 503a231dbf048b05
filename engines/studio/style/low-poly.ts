import type { Random, Rgb } from '../drawing.ts'
import { triangulate } from './delaunay.ts'
import { contrastPlane, gradientPlane } from './edges.ts'
import { kuwahara } from './kuwahara.ts'
import { type Plane, type Raster, shortSide } from './pixels.ts'
import { resizeRaster } from './resize.ts'
import { evenTones } from './tones.ts'

/** Draws the picture as flat triangles. The corners of the triangles lie on the outlines of the
 *  picture, and areas with more detail have smaller triangles. */
export function lowPoly(raster: Raster, random: Random): Raster {
  const scale = Math.min(1, 400 / shortSide(raster))
  const small = resizeRaster(raster, Math.max(2, Math.round(raster.width * scale)), Math.max(2, Math.round(raster.height * scale)))
  // The tones are spread over the whole range first; otherwise a night scene would become a single
  // dark area.
  const simple = kuwahara(evenTones(small, 116, 0.6), 3)
  const points = meshPoints(simple, random)
  const triangles = triangulate(points.xs, points.ys)
  const out = resizeRaster(simple, raster.width, raster.height)
  const toX = raster.width / small.width
  const toY = raster.height / small.height
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [triangles[t]!, triangles[t + 1]!, triangles[t + 2]!].map(k => ({ x: points.xs[k]!, y: points.ys[k]! }))
    const colour = facet(meanColour(simple, corners), corners, random)
    fillTriangle(
      out,
      corners.map(({ x, y }) => ({ x: x * toX, y: y * toY })),
      colour,
    )
  }
  return out
}

interface Point {
  x: number
  y: number
}

/** Returns the corners of the triangles. Those inside the picture are sorted so that neighbours in
 *  the list are near each other. Corners at the border lie outside the picture, so that the
 *  triangles cover all of it. */
function meshPoints(simple: Raster, random: Random): { xs: Float64Array; ys: Float64Array } {
  const { width, height } = simple
  const edges = gradientPlane(contrastPlane(simple), 1)
  const unit = shortSide(simple)
  const points: Point[] = []
  const pitch = Math.max(3, unit / 46)
  for (let row = 0; row * pitch < height; row++) {
    const inRow: Point[] = []
    for (let column = 0; column * pitch < width; column++) {
      const spot = strongest(edges, { left: column * pitch, top: row * pitch, size: pitch })
      const even = spot.value < 14
      if (even && random.next() < 0.78) continue
      inRow.push(
        even
          ? { x: (column + random.next()) * pitch, y: (row + random.next()) * pitch }
          : { x: spot.x + random.between(-0.4, 0.4), y: spot.y + random.between(-0.4, 0.4) },
      )
    }
    points.push(...(row % 2 ? inRow.reverse() : inRow))
  }
  const step = unit / 12
  for (let x = -1; x <= width + step; x += step)
    points.push({ x: x + random.next(), y: -2 - random.next() }, { x: x + random.next(), y: height + 1 + random.next() })
  for (let y = -1; y <= height + step; y += step)
    points.push({ x: -2 - random.next(), y: y + random.next() }, { x: width + 1 + random.next(), y: y + random.next() })
  return { xs: Float64Array.from(points, point => point.x), ys: Float64Array.from(points, point => point.y) }
}

function strongest(edges: Plane, cell: { left: number; top: number; size: number }): Point & { value: number } {
  const best = { x: cell.left + cell.size / 2, y: cell.top + cell.size / 2, value: -1 }
  const right = Math.min(edges.width, Math.ceil(cell.left + cell.size))
  const bottom = Math.min(edges.height, Math.ceil(cell.top + cell.size))
  for (let y = Math.floor(cell.top); y < bottom; y++) {
    for (let x = Math.floor(cell.left); x < right; x++) {
      const value = edges.data[y * edges.width + x]!
      if (value <= best.value) continue
      best.value = value
      best.x = x + 0.5
      best.y = y + 0.5
    }
  }
  return best
}

/** Returns the mean colour of a few points inside a triangle. The points lie near the centre of the
 *  triangle, because its edges lie on outlines of the picture, where colours mix. */
function meanColour(simple: Raster, corners: Point[]): Rgb {
  const sum = { r: 0, g: 0, b: 0 }
  const [a, b, c] = [corners[0]!, corners[1]!, corners[2]!]
  const shares = [
    [1 / 3, 1 / 3],
    [0.6, 0.2],
    [0.2, 0.6],
    [0.2, 0.2],
    [0.45, 0.45],
    [0.1, 0.45],
    [0.45, 0.1],
  ] as const
  for (const [u, v] of shares) {
    const x = Math.min(simple.width - 1, Math.max(0, Math.floor(a.x + (b.x - a.x) * u + (c.x - a.x) * v)))
    const y = Math.min(simple.height - 1, Math.max(0, Math.floor(a.y + (b.y - a.y) * u + (c.y - a.y) * v)))
    const i = (y * simple.width + x) * 4
    sum.r += simple.data[i]!
    sum.g += simple.data[i + 1]!
    sum.b += simple.data[i + 2]!
  }
  return { r: sum.r / shares.length, g: sum.g / shares.length, b: sum.b / shares.length }
}

/** Returns the colour of a triangle, with a slight random variation of brightness. */
function facet(colour: Rgb, corners: Point[], random: Random): Rgb {
  const [a, b, c] = [corners[0]!, corners[1]!, corners[2]!]
  const tilt = Math.sin(a.x * 0.9 + b.y * 1.7 + c.x * 2.3) * 9 + random.between(-6, 6)
  const luma = colour.r * 0.299 + colour.g * 0.587 + colour.b * 0.114
  const tone = (value: number) => Math.min(255, Math.max(0, luma + (value - luma) * 1.18 + tilt))
  return { r: tone(colour.r), g: tone(colour.g), b: tone(colour.b) }
}

/** Fills a triangle. The triangle is enlarged by a third of a pixel on each side, so that no gaps
 *  appear between neighbours. Pixels on its edges are blended. */
function fillTriangle(out: Raster, corners: Point[], colour: Rgb): void {
  const [a, b, c] = [corners[0]!, corners[1]!, corners[2]!]
  const { width, height, data } = out
  const area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
  if (Math.abs(area) < 1e-6) return
  const sign = area > 0 ? 1 : -1
  const edges = [edgeOf(a, b, sign), edgeOf(b, c, sign), edgeOf(c, a, sign)]
  const [e0, e1, e2] = [edges[0]!, edges[1]!, edges[2]!]
  const left = Math.max(0, Math.floor(Math.min(a.x, b.x, c.x)) - 1)
  const right = Math.min(width - 1, Math.ceil(Math.max(a.x, b.x, c.x)) + 1)
  const top = Math.max(0, Math.floor(Math.min(a.y, b.y, c.y)) - 1)
  const bottom = Math.min(height - 1, Math.ceil(Math.max(a.y, b.y, c.y)) + 1)
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      const px = x + 0.5
      const py = y + 0.5
      const inside = Math.min(e0.x * px + e0.y * py + e0.c, e1.x * px + e1.y * py + e1.c, e2.x * px + e2.y * py + e2.c) + 0.8
      if (inside <= 0) continue
      const cover = Math.min(inside, 1)
      const j = (y * width + x) * 4
      data[j] = data[j]! + (colour.r - data[j]!) * cover
      data[j + 1] = data[j + 1]! + (colour.g - data[j + 1]!) * cover
      data[j + 2] = data[j + 2]! + (colour.b - data[j + 2]!) * cover
    }
  }
}

/** Returns the distance from an edge as a linear function of the position: x * `x` + y * `y` + `c`,
 *  positive inside the triangle. */
function edgeOf(a: Point, b: Point, sign: number): { x: number; y: number; c: number } {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1
  const x = (-(b.y - a.y) / length) * sign
  const y = ((b.x - a.x) / length) * sign
  return { x, y, c: -(x * a.x + y * a.y) }
}
