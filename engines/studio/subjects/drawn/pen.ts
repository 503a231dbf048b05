import type { Path2D, SKRSContext2D } from '@napi-rs/canvas'
import type { Random } from '../../drawing.ts'
import type { PaintedPart } from '../../scene.ts'
import type { Anchors } from '../artwork.ts'
import {
  blob,
  type CanvasGradientLike,
  ellipse,
  fill,
  form,
  glow,
  horizontal,
  inside,
  line,
  polygon,
  rectangle,
  vertical,
} from '../brush.ts'
import { shade } from '../colour.ts'

/** A light in a drawing: a window or a lamp, which shines at night, or an aura, which always
 *  shines. */
export type NightLight =
  | { kind: 'pane'; path: Path2D }
  | { kind: 'lamp'; x: number; y: number; radius: number; colour: string }
  | { kind: 'aura'; x: number; y: number; radius: number; colour: string; alpha: number }

/** Helper functions to draw things. All lengths are in units; y grows downwards, and the ground
 *  is at y = 0. Points are flat lists x, y, x, y. Functions whose name ends in `Flat` draw no
 *  shaded side. */
export interface Pen {
  context: SKRSContext2D
  random: Random
  /** Returns the colour that the prompt gives to the thing, else `natural`. */
  main(natural: string): string
  /** Returns the colour that the prompt gives to a part of the thing, else `natural`. */
  part(name: string, natural: string): string
  /** Draws a smooth closed shape. */
  shape(points: number[], colour: string, depth?: number): Path2D
  shapeFlat(points: number[], colour: string): void
  /** Draws a straight-edged shape. */
  poly(points: number[], colour: string, depth?: number): Path2D
  polyFlat(points: number[], colour: string): void
  box(x: number, y: number, width: number, height: number, colour: string, radius?: number): Path2D
  boxFlat(x: number, y: number, width: number, height: number, colour: string | CanvasGradientLike, radius?: number): void
  oval(x: number, y: number, radiusX: number, radiusY: number, colour: string, turn?: number): Path2D
  ovalFlat(x: number, y: number, radiusX: number, radiusY: number, colour: string, turn?: number): void
  ring(x: number, y: number, radiusX: number, radiusY: number, width: number, colour: string): void
  line(points: number[], width: number, colour: string): void
  clip(path: Path2D, paint: () => void): void
  /** Fills a round body with the shading of a cylinder, from left to right. */
  barrel(path: Path2D, colour: string): void
  /** Draws a window with its frame; its glass is blue by day and lit at night. */
  window(x: number, y: number, width: number, height: number, options?: { frame?: string; arched?: boolean; bars?: boolean }): void
  /** Draws a lamp: a pale shape by day, which glows at night. */
  lamp(x: number, y: number, radius: number, colour?: string): void
  /** Draws a round spot of light inside the drawing, which fades out towards its edge. */
  glow(x: number, y: number, radius: number, colour: string, alpha?: number): void
  /** Draws light around the drawing, by day and by night. The light does not count as a part of the
   *  drawing when its size is measured. */
  aura(x: number, y: number, radius: number, colour: string, alpha?: number): void
  down(top: number, bottom: number, colours: string[]): CanvasGradientLike
  across(left: number, right: number, colours: string[]): CanvasGradientLike
}

export interface Drawing {
  paint(pen: Pen): void
  anchors?: Anchors
  /** True for a drawing that shows the thing from the side, facing right; false when it faces the
   *  viewer. */
  isSided?: boolean
  isLuminous?: boolean
}

interface PenOptions {
  context: SKRSContext2D
  random: Random
  colour: string | undefined
  parts?: readonly PaintedPart[]
  /** The lights that have been drawn so far. */
  lights: NightLight[]
}

const glass = '#8fb6cc'

export function createPen({ context, random, colour, parts = [], lights }: PenOptions): Pen {
  const solid = (path: Path2D, tone: string, depth = 2.5) => {
    form(context, path, tone, { depth })
    return path
  }
  const pen: Pen = {
    context,
    random,
    main: natural => colour ?? natural,
    part: (name, natural) => parts.find(one => one.part === name)?.colour.hex ?? natural,
    shape: (points, tone, depth) => solid(blob(points), tone, depth),
    shapeFlat: (points, tone) => fill(context, blob(points), tone),
    poly: (points, tone, depth) => solid(polygon(points), tone, depth),
    polyFlat: (points, tone) => fill(context, polygon(points), tone),
    box: (x, y, width, height, tone, radius = 0) =>
      solid(rectangle(x, y, width, height, radius), tone, Math.min(2.5, width * 0.1, height * 0.12)),
    boxFlat: (x, y, width, height, tone, radius = 0) => fill(context, rectangle(x, y, width, height, radius), tone),
    oval: (x, y, radiusX, radiusY, tone, turn = 0) =>
      solid(ellipse(x, y, radiusX, radiusY, turn), tone, Math.min(3, radiusX * 0.14, radiusY * 0.2)),
    ovalFlat: (x, y, radiusX, radiusY, tone, turn = 0) => fill(context, ellipse(x, y, radiusX, radiusY, turn), tone),
    ring: (x, y, radiusX, radiusY, width, tone) => {
      context.lineWidth = width
      context.strokeStyle = tone
      context.stroke(ellipse(x, y, radiusX, radiusY))
    },
    line: (points, width, tone) => line(context, points, { width, colour: tone }),
    clip: (path, paint) => inside(context, path, paint),
    barrel: (path, tone) => {
      fill(context, path, tone)
      inside(context, path, () =>
        fill(
          context,
          rectangle(-240, -300, 480, 400),
          horizontal(context, -50, 50, ['#00000055', '#00000000', '#ffffff30', '#00000000', '#00000066']),
        ),
      )
    },
    window: (x, y, width, height, options) => paintWindow({ context, lights, x, y, width, height }, options),
    lamp: (x, y, radius, tone = '#ffd98a') => {
      fill(context, ellipse(x, y, radius, radius), shade(tone, 0.3))
      lights.push({ kind: 'lamp', x, y, radius, colour: tone })
    },
    glow: (x, y, radius, tone, alpha) => glow(context, { x, y }, radius, tone, alpha),
    aura: (x, y, radius, tone, alpha = 0.6) => void lights.push({ kind: 'aura', x, y, radius, colour: tone, alpha }),
    down: (top, bottom, colours) => vertical(context, top, bottom, colours),
    across: (left, right, colours) => horizontal(context, left, right, colours),
  }
  return pen
}

/** Paints those lights that lie within the drawing and shine at night: windows and lamps. */
export function paintLights(context: SKRSContext2D, lights: readonly NightLight[]): void {
  for (const light of lights) {
    if (light.kind === 'lamp') fill(context, ellipse(light.x, light.y, light.radius, light.radius), shade(light.colour, 0.5))
    if (light.kind !== 'pane') continue
    fill(context, light.path, '#ffd271')
    inside(context, light.path, () => fill(context, rectangle(-240, -300, 480, 400), '#ffb24a30'))
  }
}

/** Paints the light around the drawing: auras always, lamps at night. */
export function paintAuras(context: SKRSContext2D, lights: readonly NightLight[], isNight: boolean): void {
  for (const light of lights) {
    if (light.kind === 'aura') glow(context, light, light.radius, light.colour, light.alpha)
    if (light.kind === 'lamp' && isNight) glow(context, light, light.radius * 6, light.colour, 0.8)
  }
}

interface WindowPlace {
  context: SKRSContext2D
  lights: NightLight[]
  x: number
  y: number
  width: number
  height: number
}

function paintWindow(
  { context, lights, x, y, width, height }: WindowPlace,
  { frame = '#f4efe4', arched = false, bars = true }: Parameters<Pen['window']>[4] = {},
): void {
  const pane = arched ? rectangle(x, y, width, height) : rectangle(x, y, width, height, Math.min(width, height) * 0.06)
  if (arched) pane.addPath(ellipse(x + width / 2, y, width / 2, width / 2))
  const edge = Math.min(width, height) * 0.16
  const outer = rectangle(x - edge, y - edge, width + edge * 2, height + edge * 2, edge * 0.4)
  if (arched) outer.addPath(ellipse(x + width / 2, y, width / 2 + edge, width / 2 + edge))
  fill(context, outer, frame)
  fill(context, pane, vertical(context, y - width * 0.5, y + height, [shade(glass, -0.32), glass, shade(glass, 0.3)]))
  lights.push({ kind: 'pane', path: pane })
  if (!bars) return
  const rise = arched ? width / 2 : 0
  fill(context, rectangle(x + width / 2 - edge * 0.25, y - rise, edge * 0.5, height + rise), frame)
  fill(context, rectangle(x, y + height * 0.45, width, edge * 0.5), frame)
}
