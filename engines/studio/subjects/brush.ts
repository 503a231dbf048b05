/** Functions with which rigs and things are drawn: shapes with a lit and a shaded side. Lengths
 *  are in units (most things are 100 units high); the light comes from the upper left. */
import { Path2D, type SKRSContext2D } from '@napi-rs/canvas'
import type { Point } from './artwork.ts'
import { shade } from './colour.ts'

interface FormOptions {
  /** Distance, in units, by which the lit part is shifted up and to the left. The part of the shape
   *  that it then does not cover is the shaded side. */
  depth?: number
  /** Darkening of the shaded side, 0 to 1. */
  amount?: number
}

/** Fills a shape with two tones, lit and shaded. */
export function form(context: SKRSContext2D, path: Path2D, colour: string, { depth = 3, amount = 0.2 }: FormOptions = {}): void {
  context.save()
  context.fillStyle = colour
  context.fill(path)
  context.clip(path)
  context.fillStyle = shade(colour, -amount)
  context.fill(path)
  context.fillStyle = colour
  context.translate(-depth, -depth * 0.55)
  context.fill(path)
  context.restore()
}

export function fill(context: SKRSContext2D, path: Path2D, colour: string | CanvasGradientLike): void {
  context.fillStyle = colour
  context.fill(path)
}

export type CanvasGradientLike = ReturnType<SKRSContext2D['createLinearGradient']>

/** Calls `paint` with the context clipped to `path`. */
export function inside(context: SKRSContext2D, path: Path2D, paint: () => void): void {
  context.save()
  context.clip(path)
  paint()
  context.restore()
}

interface LineOptions {
  width: number
  colour: string
}

/** Draws an open smooth line through the points. */
export function line(context: SKRSContext2D, points: Points, { width, colour }: LineOptions): void {
  context.lineCap = 'round'
  context.lineJoin = 'round'
  context.lineWidth = width
  context.strokeStyle = colour
  context.stroke(smooth(toPoints(points), false))
}

/** Returns a vertical gradient from `top` to `bottom`, colours spread evenly. */
export function vertical(context: SKRSContext2D, top: number, bottom: number, colours: readonly string[]): CanvasGradientLike {
  const gradient = context.createLinearGradient(0, top, 0, bottom)
  colours.forEach((colour, index) => void gradient.addColorStop(colours.length === 1 ? 0 : index / (colours.length - 1), colour))
  return gradient
}

export function horizontal(context: SKRSContext2D, left: number, right: number, colours: readonly string[]): CanvasGradientLike {
  const gradient = context.createLinearGradient(left, 0, right, 0)
  colours.forEach((colour, index) => void gradient.addColorStop(colours.length === 1 ? 0 : index / (colours.length - 1), colour))
  return gradient
}

/** Draws a round light spot that fades out towards its edge. `colour` is `#rrggbb`; `alpha` is the
 *  opacity in the middle, 0 to 1. */
export function glow(context: SKRSContext2D, center: Point, radius: number, colour: string, alpha = 0.8): void {
  const gradient = context.createRadialGradient(center.x, center.y, 0, center.x, center.y, radius)
  const hex = (share: number) =>
    Math.round(alpha * share * 255)
      .toString(16)
      .padStart(2, '0')
  gradient.addColorStop(0, `${colour}${hex(1)}`)
  gradient.addColorStop(0.35, `${colour}${hex(0.45)}`)
  gradient.addColorStop(1, `${colour}00`)
  context.fillStyle = gradient
  context.beginPath()
  context.arc(center.x, center.y, radius, 0, Math.PI * 2)
  context.fill()
}

export function ellipse(x: number, y: number, radiusX: number, radiusY: number, rotation = 0): Path2D {
  const path = new Path2D()
  path.ellipse(x, y, Math.max(0, radiusX), Math.max(0, radiusY), rotation, 0, Math.PI * 2)
  return path
}

export function rectangle(x: number, y: number, width: number, height: number, radius = 0): Path2D {
  const path = new Path2D()
  if (radius > 0) path.roundRect(x, y, width, height, radius)
  else path.rect(x, y, width, height)
  return path
}

/** A list of points: as `Point`s, as `[x, y]` pairs, or flat as x, y, x, y. */
type Points = readonly Point[] | readonly Pair[] | readonly number[]
type Pair = readonly [number, number]

function toPoints(points: Points): Point[] {
  const result: Point[] = []
  for (let i = 0; i < points.length; i++) {
    const item = points[i]
    if (item === undefined) continue
    if (typeof item === 'number') {
      const next = points[++i]
      result.push({ x: item, y: typeof next === 'number' ? next : 0 })
    } else if ('x' in item) result.push(item)
    else result.push({ x: item[0], y: item[1] })
  }
  return result
}

/** Converts a flat list of x and y, given as shares of a width and a height, to points, and moves
 *  them by `[x, y]`. */
export function scaled(points: readonly number[], [width, height]: Pair, [x, y]: Pair = [0, 0]): number[] {
  return points.map((part, index) => (index % 2 === 0 ? x + width * part : y + height * part))
}

export function polygon(points: Points): Path2D {
  const path = new Path2D()
  toPoints(points).forEach(({ x, y }, index) => void (index === 0 ? path.moveTo(x, y) : path.lineTo(x, y)))
  path.closePath()
  return path
}

/** Returns a closed smooth shape through the points. */
export function blob(points: Points): Path2D {
  return smooth(toPoints(points), true)
}

/** Returns a curve through all points (Catmull-Rom). */
function smooth(points: readonly Point[], isClosed: boolean): Path2D {
  const path = new Path2D()
  const count = points.length
  const at = (index: number): Point => {
    const wrapped = isClosed ? ((index % count) + count) % count : Math.min(count - 1, Math.max(0, index))
    return points[wrapped] ?? { x: 0, y: 0 }
  }
  path.moveTo(at(0).x, at(0).y)
  for (let i = 0; i < (isClosed ? count : count - 1); i++) {
    const [before, from, to, after] = [at(i - 1), at(i), at(i + 1), at(i + 2)]
    path.bezierCurveTo(
      from.x + (to.x - before.x) / 6,
      from.y + (to.y - before.y) / 6,
      to.x - (after.x - from.x) / 6,
      to.y - (after.y - from.y) / 6,
      to.x,
      to.y,
    )
  }
  if (isClosed) path.closePath()
  return path
}

/** Returns the outline around two circles and the space between them: the shape of an arm or a
 *  leg. */
export function capsule(a: Point, radiusA: number, b: Point, radiusB: number): Path2D {
  const distance = Math.hypot(b.x - a.x, b.y - a.y)
  if (distance <= Math.abs(radiusA - radiusB))
    return radiusA > radiusB ? ellipse(a.x, a.y, radiusA, radiusA) : ellipse(b.x, b.y, radiusB, radiusB)
  const angle = Math.atan2(b.y - a.y, b.x - a.x)
  const spread = Math.acos((radiusA - radiusB) / distance)
  const path = new Path2D()
  path.arc(a.x, a.y, radiusA, angle + spread, angle - spread + Math.PI * 2)
  path.arc(b.x, b.y, radiusB, angle - spread, angle + spread)
  path.closePath()
  return path
}

/** Returns the outline of a bent arm or leg as one path: from `a` over the joint `b` to `c`, with
 *  the radius at each of the three points. */
export function limb(a: Point, b: Point, c: Point, radii: readonly [number, number, number]): Path2D {
  const path = capsule(a, radii[0], b, radii[1])
  path.addPath(capsule(b, radii[1], c, radii[2]))
  return path
}

/** Returns the end point of a segment of length `length`, at `degrees` from straight down, positive
 *  to the right. */
export function reach(from: Point, length: number, degrees: number): Point {
  const angle = (degrees * Math.PI) / 180
  return { x: from.x + Math.sin(angle) * length, y: from.y + Math.cos(angle) * length }
}

export function between(a: Point, b: Point, share: number): Point {
  return { x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share }
}

/** Rotates a point clockwise around a centre. */
export function turned(point: Point, center: Point, degrees: number): Point {
  const angle = (degrees * Math.PI) / 180
  const [x, y] = [point.x - center.x, point.y - center.y]
  return { x: center.x + x * Math.cos(angle) - y * Math.sin(angle), y: center.y + x * Math.sin(angle) + y * Math.cos(angle) }
}
