import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Rgb } from '../drawing.ts'
import { css, shift } from './colour.ts'
import type { View } from './view.ts'

type Gradient = ReturnType<SKRSContext2D['createLinearGradient']>

/** Maps a position on a flat surface in space, in metres, to a point of the picture, in pixels. */
export type Plane = (u: number, v: number) => { x: number; y: number }

/** Least distance from the camera in metres. A corner that is nearer, or behind the camera, is
 *  moved to it. */
const nearest = 0.25

/** Returns a vertical surface that faces the camera at a distance of `z` metres. `u` is the
 *  position to the right, `v` the height. */
export function frontPlane(view: View, z: number): Plane {
  const depth = Math.max(nearest, z)
  return (u, v) => ({ x: view.column(u, depth), y: view.row(v, depth) })
}

/** Returns a vertical surface that runs away from the camera, `x` metres to the right of the
 *  middle. `u` is the distance, `v` the height. */
export function sidePlane(view: View, x: number): Plane {
  return (u, v) => {
    const depth = Math.max(nearest, u)
    return { x: view.column(x, depth), y: view.row(v, depth) }
  }
}

/** Returns a horizontal surface at a height of `y` metres. `u` is the position to the right, `v`
 *  the distance. */
export function levelPlane(view: View, y: number): Plane {
  return (u, v) => {
    const depth = Math.max(nearest, v)
    return { x: view.column(u, depth), y: view.row(y, depth) }
  }
}

/** Adds a rectangle on a plane to the current path. */
export function addRect(context: SKRSContext2D, plane: Plane, rect: readonly [number, number, number, number]): void {
  const [u0, v0, u1, v1] = rect
  const a = plane(u0, v0)
  const b = plane(u1, v0)
  const c = plane(u1, v1)
  const d = plane(u0, v1)
  context.moveTo(a.x, a.y)
  context.lineTo(b.x, b.y)
  context.lineTo(c.x, c.y)
  context.lineTo(d.x, d.y)
  context.closePath()
}

export function fillRects(
  context: SKRSContext2D,
  plane: Plane,
  rects: readonly (readonly [number, number, number, number])[],
  style: string | Gradient,
): void {
  context.fillStyle = style
  context.beginPath()
  for (const rect of rects) addRect(context, plane, rect)
  context.fill()
}

/** Adds a polygon on a plane to the current path. */
function addPolygon(context: SKRSContext2D, plane: Plane, points: readonly (readonly [number, number])[]): void {
  points.forEach(([u, v], i) => {
    const p = plane(u, v)
    if (i === 0) context.moveTo(p.x, p.y)
    else context.lineTo(p.x, p.y)
  })
  context.closePath()
}

export function fillPolygon(
  context: SKRSContext2D,
  plane: Plane,
  points: readonly (readonly [number, number])[],
  style: string | Gradient,
): void {
  context.fillStyle = style
  context.beginPath()
  addPolygon(context, plane, points)
  context.fill()
}

export type Corner = readonly [number, number]
export type Cell = readonly [number, number, number, number]

/** Parses the corners of a shape from a text such as `'-1 0, 1 0, 0 2'`. The corners are in units
 *  of the shape. */
export function outline(text: string): Corner[] {
  return text.split(',').map(pair => {
    const [u, v] = pair.trim().split(/\s+/).map(Number)
    if (u === undefined || v === undefined || Number.isNaN(u + v)) throw new RangeError(`not a corner: ${pair}`)
    return [u, v]
  })
}

/** Parses rectangles from a text such as `'left bottom right top, ...'`. The rectangles are in
 *  units of a shape. */
export function cells(text: string): Cell[] {
  return text.split(',').map(four => {
    const [u0, v0, u1, v1] = four.trim().split(/\s+/).map(Number)
    if (u0 === undefined || v0 === undefined || u1 === undefined || v1 === undefined) throw new RangeError(`not a rectangle: ${four}`)
    return [u0, v0, u1, v1]
  })
}

export interface Spot {
  u: number
  v: number
  /** Size in metres of one unit of the shape: `width` across, `height` up. */
  width: number
  height: number
}

/** Returns the corners of a shape in metres, moved to a spot and scaled to its size. */
export function placed(corners: readonly Corner[], at: Spot): Corner[] {
  return corners.map(([u, v]) => [at.u + u * at.width, at.v + v * at.height])
}

/** Returns the rectangles of a shape in metres, moved to a spot and scaled to its size. */
export function placedCells(list: readonly Cell[], at: Spot): Cell[] {
  return list.map(([a, b, c, d]) => [at.u + a * at.width, at.v + b * at.height, at.u + c * at.width, at.v + d * at.height])
}

/** Returns a vertical gradient over a rectangle on an upright surface. */
export function fall(
  context: SKRSContext2D,
  plane: Plane,
  rect: readonly [number, number, number, number],
  top: Rgb,
  bottom: Rgb,
): Gradient {
  const a = plane(rect[0], rect[3])
  const b = plane(rect[0], rect[1])
  const gradient = context.createLinearGradient(0, a.y, 0, b.y)
  gradient.addColorStop(0, css(top))
  gradient.addColorStop(1, css(bottom))
  return gradient
}

export interface Box {
  /** Left and right, bottom and top, near and far, in metres. */
  x: readonly [number, number]
  y: readonly [number, number]
  z: readonly [number, number]
  colour: Rgb
}

export interface Shine {
  /** Side from which the light comes: -1 (left) to 1 (right). */
  side: number
  /** Returns the colour of a surface at `amount` light. */
  tone: (colour: Rgb, amount: number) => Rgb
}

/** Draws the visible faces of an upright box, the farthest first. The box is lit from one side and
 *  from above. */
export function drawBox(context: SKRSContext2D, view: View, box: Box, shine: Shine): void {
  const [x0, x1] = box.x
  const [y0, y1] = box.y
  const [z0, z1] = box.z
  if (z1 < nearest) return
  const near = Math.max(nearest, z0)
  const face = (amount: number) => shine.tone(box.colour, amount)
  if (view.eye > y1) fillRects(context, levelPlane(view, y1), [[x0, near, x1, z1]], css(face(0.95)))
  if (view.eye < y0) fillRects(context, levelPlane(view, y0), [[x0, near, x1, z1]], css(face(0.1)))
  const toward = shine.side
  if (x0 > 0) shadedSide(context, sidePlane(view, x0), [near, y0, z1, y1], face(0.42 - 0.3 * toward))
  if (x1 < 0) shadedSide(context, sidePlane(view, x1), [near, y0, z1, y1], face(0.42 + 0.3 * toward))
  const front = frontPlane(view, near)
  const colour = face(0.6)
  fillRects(context, front, [[x0, y0, x1, y1]], fall(context, front, [x0, y0, x1, y1], shift(colour, 0.05), shift(colour, -0.1)))
}

function shadedSide(context: SKRSContext2D, plane: Plane, rect: readonly [number, number, number, number], colour: Rgb): void {
  fillRects(context, plane, [rect], fall(context, plane, rect, shift(colour, 0.04), shift(colour, -0.14)))
}
