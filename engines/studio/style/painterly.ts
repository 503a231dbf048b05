import type { Random } from '../drawing.ts'
import { softBlur } from './blur.ts'
import { keepDetails } from './details.ts'
import { gradientPlane, lumaPlane } from './edges.ts'
import { edgeFlow, type Flow } from './flow.ts'
import { kuwahara } from './kuwahara.ts'
import { type Plane, type Raster, shortSide } from './pixels.ts'
import { brushKinds, createPaint, layStroke, lightRelief, makeBrushes, type PaintLayer } from './strokes.ts'
import { evenTones } from './tones.ts'

interface Pass {
  /** Sizes of a stroke, as shares of the short side. */
  width: number
  length: number
  spacing: number
  /** Strokes of this pass are painted only where the picture has at least this much detail (0 to
   *  1). */
  detail: number
  /** Largest random change of a stroke's brightness, in steps of 1/255. Red and blue change by up
   *  to half as much again. */
  jitter: number
  leash: number
  opacity: number
}

/** Paints in oil: a blurred ground, then several layers of strokes that follow the shapes, each
 *  layer with finer strokes than the one before. The bristles leave ridges, which are lit from the
 *  upper left. */
export function oil(raster: Raster, random: Random): Raster {
  const unit = shortSide(raster)
  const base = evenTones(raster, 100, 0.35)
  const guide = keepDetails(kuwahara(base, unit / 150), base, { radius: unit / 900, least: 30 })
  const flow = edgeFlow(guide, random.fork('flow'), { whirls: 0, turbulence: 0.25 })
  const paint = createPaint(softBlur(guide, unit / 100))
  paintPasses({ paint, guide, flow, random: random.fork('strokes') }, [
    { width: 0.03, length: 0.13, spacing: 0.029, detail: 0, jitter: 16, leash: 150, opacity: 0.95 },
    { width: 0.015, length: 0.065, spacing: 0.0145, detail: 0.12, jitter: 12, leash: 110, opacity: 0.9 },
    { width: 0.0065, length: 0.03, spacing: 0.006, detail: 0.4, jitter: 8, leash: 80, opacity: 0.9 },
  ])
  lightRelief(paint, 26)
  // Restores the smallest details, as a painter adds them with the tip of a fine brush.
  return keepDetails(paint.picture, base, { radius: unit / 900, least: 54 })
}

/** Paints in the manner of van Gogh: long curved strokes of pure colour in thick paint. The strokes
 *  follow the shapes, and form whirls in areas without detail. */
export function impressionist(raster: Raster, random: Random): Raster {
  const unit = shortSide(raster)
  const base = evenTones(raster, 112, 0.5)
  const guide = keepDetails(kuwahara(base, unit / 130), base, { radius: unit / 700, least: 30 })
  const flow = edgeFlow(guide, random.fork('flow'), { whirls: 7, turbulence: 1 })
  const paint = createPaint(dim(guide, 0.86))
  paintPasses({ paint, guide, flow, random: random.fork('strokes') }, [
    { width: 0.019, length: 0.13, spacing: 0.023, detail: 0, jitter: 40, leash: 170, opacity: 1 },
    { width: 0.012, length: 0.08, spacing: 0.0165, detail: 0.08, jitter: 34, leash: 130, opacity: 1 },
    { width: 0.0062, length: 0.035, spacing: 0.007, detail: 0.42, jitter: 22, leash: 90, opacity: 1 },
  ])
  lightRelief(paint, 40)
  return keepDetails(paint.picture, base, { radius: unit / 700, least: 66 })
}

interface PaintingPass {
  paint: PaintLayer
  guide: Raster
  flow: Flow
  random: Random
}

function paintPasses(painting: PaintingPass, passes: Pass[]): void {
  const unit = shortSide(painting.guide)
  const detail = detailPlane(painting.guide)
  const brushes = makeBrushes(painting.random)
  for (const pass of passes) {
    const spacing = Math.max(1.5, pass.spacing * unit)
    const columns = Math.ceil(painting.guide.width / spacing)
    const rows = Math.ceil(painting.guide.height / spacing)
    for (const cell of shuffled(columns * rows, painting.random)) {
      const x = ((cell % columns) + painting.random.next()) * spacing
      const y = (Math.floor(cell / columns) + painting.random.next()) * spacing
      brushAt(painting, pass, { brushes, detail, unit, x, y })
    }
  }
}

function brushAt(
  painting: PaintingPass,
  pass: Pass,
  spot: { brushes: Float32Array; detail: Plane; unit: number; x: number; y: number },
): void {
  const { guide, flow, random } = painting
  const { x, y, unit, detail } = spot
  const { width, height, data } = guide
  const px = Math.min(width - 1, Math.floor(x))
  const py = Math.min(height - 1, Math.floor(y))
  const seen = detail.data[Math.floor((py * detail.height) / height) * detail.width + Math.floor((px * detail.width) / width)]!
  const lightShift = (random.next() - 0.5) * 2 * pass.jitter
  const warmShift = (random.next() - 0.5) * pass.jitter
  const size = 0.75 + random.next() * 0.5
  const brush = Math.floor(random.next() * brushKinds)
  const sway = (random.next() - 0.5) * 0.3
  if (seen < pass.detail) return
  const angle = flow.at(x / width, y / height) + sway
  const half = pass.length * unit * size * 0.5
  const ahead = march(guide, { x: px, y: py, angle, limit: half, leash: pass.leash })
  const behind = march(guide, { x: px, y: py, angle: angle + Math.PI, limit: half, leash: pass.leash })
  const bend = bendAt(flow, { x, y, angle, reach: half, width, height })
  const j = (py * width + px) * 4
  layStroke(
    painting.paint,
    spot.brushes,
    {
      x,
      y,
      angle,
      ahead,
      behind,
      bend,
      brush,
      width: Math.max(1.6, pass.width * unit * size),
      r: tint(data[j]! + lightShift + warmShift),
      g: tint(data[j + 1]! + lightShift),
      b: tint(data[j + 2]! + lightShift - warmShift),
      opacity: pass.opacity,
    },
    { raster: guide, leash: pass.leash + pass.jitter * 3 },
  )
}

/** Returns a channel value rounded to a whole number and limited to 0 to 255. */
function tint(value: number): number {
  return Math.round(Math.min(255, Math.max(0, value)))
}

/** Returns how far, in pixels, a brush can move from a point until the picture's colour differs too
 *  much from the colour at the point. */
function march(guide: Raster, from: { x: number; y: number; angle: number; limit: number; leash: number }): number {
  const { data, width, height } = guide
  const step = Math.max(1, from.limit / 6)
  const dx = Math.cos(from.angle) * step
  const dy = Math.sin(from.angle) * step
  const j = (from.y * width + from.x) * 4
  let x = from.x
  let y = from.y
  for (let k = 1; k <= 6; k++) {
    x += dx
    y += dy
    const px = Math.round(x)
    const py = Math.round(y)
    if (px < 0 || py < 0 || px >= width || py >= height) return Math.max(step, k * step)
    const i = (py * width + px) * 4
    const off = Math.abs(data[i]! - data[j]!) + Math.abs(data[i + 1]! - data[j + 1]!) + Math.abs(data[i + 2]! - data[j + 2]!)
    if (off > from.leash * 0.6) return Math.max(step * 0.8, (k - 0.5) * step)
  }
  return from.limit
}

/** Returns the curvature of a stroke (see `Stroke.bend`), from the brush directions at its two
 *  ends. */
function bendAt(flow: Flow, at: { x: number; y: number; angle: number; reach: number; width: number; height: number }): number {
  const dx = Math.cos(at.angle) * at.reach
  const dy = Math.sin(at.angle) * at.reach
  const turn = difference(
    flow.at((at.x + dx) / at.width, (at.y + dy) / at.height),
    flow.at((at.x - dx) / at.width, (at.y - dy) / at.height),
  )
  return Math.max(-0.8, Math.min(0.8, turn)) / (4 * at.reach)
}

/** Returns the difference between two undirected angles, -pi/2 to pi/2. */
function difference(a: number, b: number): number {
  let turn = (a - b) % Math.PI
  if (turn > Math.PI / 2) turn -= Math.PI
  if (turn < -Math.PI / 2) turn += Math.PI
  return turn
}

/** Returns how detailed each area is, 0 to 1. The plane has about 256 pixels on its short side. */
function detailPlane(guide: Raster): Plane {
  const unit = shortSide(guide)
  const plane = gradientPlane(lumaPlane(guide), Math.max(1, Math.round(unit / 512)))
  const cell = Math.max(1, Math.round(unit / 256))
  const width = Math.ceil(guide.width / cell)
  const height = Math.ceil(guide.height / cell)
  const out: Plane = { data: new Float32Array(width * height), width, height }
  for (let y = 0; y < guide.height; y++) {
    const base = Math.floor(y / cell) * width
    for (let x = 0; x < guide.width; x++) {
      const i = base + Math.floor(x / cell)
      const value = Math.min(1, plane.data[y * guide.width + x]! / 60)
      if (value > out.data[i]!) out.data[i] = value
    }
  }
  return out
}

function shuffled(count: number, random: Random): Uint32Array {
  const order = new Uint32Array(count)
  for (let i = 0; i < count; i++) {
    const j = Math.floor(random.next() * (i + 1))
    order[i] = order[j]!
    order[j] = i
  }
  return order
}

function dim(raster: Raster, factor: number): Raster {
  const soft = softBlur(raster, shortSide(raster) / 100)
  for (let i = 0; i < soft.data.length; i++) if (i % 4 !== 3) soft.data[i] = soft.data[i]! * factor
  return soft
}
