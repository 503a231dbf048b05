import type { Random } from '../drawing.ts'
import { copyRaster, createPlane, type Plane, type Raster } from './pixels.ts'

/** Wet paint on a canvas: its colour, and its thickness at each pixel (0 to about 1), which
 *  `lightRelief` makes visible. */
export interface PaintLayer {
  picture: Raster
  /** The bytes of `picture` as a `Uint8Array`. Writing to it is faster, because it does not limit
   *  values to 0 to 255. */
  colour: Uint8Array
  relief: Plane
}

interface Stroke {
  x: number
  y: number
  /** Direction of the stroke in radians. */
  angle: number
  /** Length of the stroke from its centre forwards and backwards, in pixels. */
  ahead: number
  behind: number
  width: number
  /** Curvature of the stroke: at the distance u (pixels) from the centre, the stroke lies bend *
   *  u^2 pixels to the side. */
  bend: number
  r: number
  g: number
  b: number
  /** Opacity of the paint, 0 to 1. */
  opacity: number
  /** Index of the bristle pattern, below `brushKinds`. */
  brush: number
}

const bristleSteps = 64
const brushCount = 12

/** Returns random bristle patterns. Each lists the thickness of the paint across the brush: uneven
 *  from bristle to bristle, and greater at both edges. */
export function makeBrushes(random: Random): Float32Array {
  const brushes = new Float32Array(brushCount * bristleSteps)
  for (let brush = 0; brush < brushCount; brush++) {
    let previous = random.next()
    for (let i = 0; i < bristleSteps; i++) {
      previous = previous * 0.55 + random.next() * 0.45
      const edge = Math.abs((i + 0.5) / bristleSteps - 0.5) * 2
      brushes[brush * bristleSteps + i] = 0.25 + previous * 0.75 + (edge > 0.8 ? 0.18 : 0)
    }
  }
  return brushes
}

/** Number of bristle patterns. */
export const brushKinds = brushCount

export function createPaint(base: Raster): PaintLayer {
  const picture = copyRaster(base)
  const colour = new Uint8Array(picture.data.buffer)
  return { picture, colour, relief: createPlane(base.width, base.height) }
}

/** Paints one stroke, but not across edges of the picture that is painted (`guide.raster`). The
 *  stroke's colour is compared with that of the picture at each pixel, by the sum of the
 *  differences of red, green and blue. Up to half of `leash` the pixel gets all of its paint,
 *  beyond that less and less, and none from `leash` on. */
export function layStroke(paint: PaintLayer, brushes: Float32Array, stroke: Stroke, guide: { raster: Raster; leash: number }): void {
  const { height } = paint.picture
  const cos = Math.cos(stroke.angle)
  const sin = Math.sin(stroke.angle)
  const half = stroke.width / 2
  const longest = Math.max(stroke.ahead, stroke.behind)
  const sag = Math.abs(stroke.bend) * longest * longest
  const across = half + sag
  const reachY = Math.ceil(Math.abs(sin) * longest + Math.abs(cos) * across)
  const reachX = Math.ceil(Math.abs(cos) * longest + Math.abs(sin) * across)
  const top = Math.max(0, Math.floor(stroke.y - reachY))
  const bottom = Math.min(height - 1, Math.ceil(stroke.y + reachY))
  const row = { cos, sin, half, across, reachX }
  for (let y = top; y <= bottom; y++) layRow(paint, brushes, stroke, guide, row, y)
}

/** First and last column that a stroke covers in a row, relative to the stroke's centre. `rowSpan`
 *  writes them and `layRow` reads them directly afterwards. The object is shared, because making
 *  one for every row of every stroke would be slow. */
const span = { low: 0, high: 0 }

function rowSpan(stroke: Stroke, shape: RowShape, dy: number): void {
  const { cos, sin, across } = shape
  let low = -shape.reachX
  let high = shape.reachX
  // A pixel belongs to the stroke if v = dy * cos - dx * sin (its distance to the side) is between
  // -across and across, and u = dx * cos + dy * sin (its distance along the stroke) is within the
  // stroke's length.
  if (Math.abs(sin) > 1e-3) {
    const a = (dy * cos - across) / sin
    const b = (dy * cos + across) / sin
    low = Math.max(low, Math.min(a, b))
    high = Math.min(high, Math.max(a, b))
  }
  if (Math.abs(cos) > 1e-3) {
    const a = (-stroke.behind - dy * sin) / cos
    const b = (stroke.ahead - dy * sin) / cos
    low = Math.max(low, Math.min(a, b))
    high = Math.min(high, Math.max(a, b))
  }
  span.low = low
  span.high = high
}

interface RowShape {
  cos: number
  sin: number
  half: number
  across: number
  reachX: number
}

function layRow(
  paint: PaintLayer,
  brushes: Float32Array,
  stroke: Stroke,
  guide: { raster: Raster; leash: number },
  shape: RowShape,
  y: number,
): void {
  const { width } = paint.picture
  const { cos, sin, half } = shape
  const dy = y - stroke.y
  rowSpan(stroke, shape, dy)
  const from = Math.max(0, Math.ceil(stroke.x + span.low))
  const to = Math.min(width - 1, Math.floor(stroke.x + span.high))
  const { colour } = paint
  const relief = paint.relief.data
  const wanted = guide.raster.data
  const { r, g, b, bend, ahead, behind } = stroke
  const opacity = stroke.opacity * 256
  const pattern = stroke.brush * bristleSteps
  const toBristle = bristleSteps / (half * 2)
  const fade = 2.2 / half
  const leash = guide.leash
  const aheadShare = 2.6 / ahead
  const behindShare = 2.6 / behind
  let u = (from - stroke.x) * cos + dy * sin - cos
  let line = dy * cos - (from - stroke.x) * sin + sin
  for (let x = from, i = y * width + from; x <= to; x++, i++) {
    u += cos
    line -= sin
    const v = line - bend * u * u
    const side = half - (v < 0 ? -v : v)
    if (side <= 0) continue
    const j = i * 4
    const dr = wanted[j]! - r
    const dg = wanted[j + 1]! - g
    const db = wanted[j + 2]! - b
    const off = (dr < 0 ? -dr : dr) + (dg < 0 ? -dg : dg) + (db < 0 ? -db : db)
    if (off >= leash) continue
    const bristle = brushes[pattern + (((v + half) * toBristle) | 0)]!
    // Towards the ends of the stroke the paint fades, first under the bristles that carry little
    // paint.
    let alpha = (u > 0 ? (ahead - u) * aheadShare : (behind + u) * behindShare) + bristle - 0.55
    const soft = side * fade
    if (soft < alpha) alpha = soft
    if (alpha > 1) alpha = 1
    if (off * 2 > leash) alpha *= 2 - (off * 2) / leash
    if (alpha <= 0) continue
    const mix = (alpha * opacity) | 0
    colour[j] = colour[j]! + (((r - colour[j]!) * mix) >> 8)
    colour[j + 1] = colour[j + 1]! + (((g - colour[j + 1]!) * mix) >> 8)
    colour[j + 2] = colour[j + 2]! + (((b - colour[j + 2]!) * mix) >> 8)
    relief[i] = relief[i]! + (bristle - relief[i]!) * alpha
  }
}

/** Lights the relief of the paint from the upper left, in place. `depth` is the strength of the
 *  light in steps of 1/255. */
export function lightRelief(paint: PaintLayer, depth: number): void {
  const { width, height, data } = paint.picture
  const relief = paint.relief.data
  for (let y = 0; y < height; y++) {
    const above = Math.max(0, y - 1) * width
    const below = Math.min(height - 1, y + 1) * width
    for (let x = 0; x < width; x++) {
      const left = x > 0 ? x - 1 : 0
      const right = x < width - 1 ? x + 1 : x
      const slope = relief[below + right]! - relief[above + left]! + (relief[y * width + right]! - relief[y * width + left]!) * 0.5
      const light = slope > 1 ? depth : slope < -1 ? -depth : slope * depth
      const j = (y * width + x) * 4
      data[j] = data[j]! + light
      data[j + 1] = data[j + 1]! + light
      data[j + 2] = data[j + 2]! + light * 0.9
    }
  }
}
