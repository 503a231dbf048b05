import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Random, Rgb } from '../drawing.ts'
import { css, mix, rgb, shift } from './colour.ts'
import type { FacadePlace, FacadeStyle } from './facade.ts'
import { farTone } from './far-tone.ts'
import { drawAwning, drawShop } from './shop-front.ts'
import { addRect, type Cell, fall, fillRects, frontPlane, type Plane, sidePlane } from './solid.ts'
import type { Stage } from './stage.ts'

/** Draws one face of a house with its windows, cornice and perhaps a shop front. */
function drawFacade(context: SKRSContext2D, stage: Stage, style: FacadeStyle, place: FacadePlace, random: Random): void {
  const { plane, from, to, height } = place
  const tone = (c: Rgb, amount: number) => farTone(stage, c, amount, place.z, place.clearness)
  const wall = tone(style.wall, place.light)
  const rect = [from, 0, to, height] as const
  fillRects(context, plane, [rect], fall(context, plane, rect, shift(wall, 0.05), shift(wall, -0.22)))
  drawWindows(context, stage, style, place, random)
  const trim = tone(style.trim, Math.min(1, place.light + 0.15))
  const band = Math.min(0.5, height * 0.03)
  fillRects(context, plane, [[from, height - band, to, height + band * 0.4]], css(trim))
  fillRects(context, plane, [[from, height - band * 1.7, to, height - band]], css(shift(wall, -0.35), 0.5))
  if (!style.glass && place.z < 60) drawLedges(context, stage, style, place)
  if (style.shop !== undefined) drawShop(context, stage, style, place, random)
}

/** Returns the windows of a facade: `dark` ones, and those lit by lamps, grouped by the three tones
 *  of the lamp light. */
function windowCells(
  stage: Stage,
  style: FacadeStyle,
  place: FacadePlace,
  random: Random,
): { dark: Cell[]; lights: [Cell[], Cell[], Cell[]] } {
  const { window } = style
  const { from, to, height } = place
  const columns = Math.max(1, Math.floor((to - from - 0.6) / window.pitchX))
  const start = style.shop === undefined ? window.sill : 3.6
  const floors = Math.max(0, Math.floor((height - start - 0.5) / window.pitchY))
  const margin = (to - from - columns * window.pitchX) / 2
  const dark: Cell[] = []
  const lights: [Cell[], Cell[], Cell[]] = [[], [], []]
  for (let i = 0; i < floors * columns; i++) {
    const u = from + margin + (i % columns) * window.pitchX + (window.pitchX - window.width) / 2
    const v = start + Math.floor(i / columns) * window.pitchY
    const cell: Cell = [u, v, u + window.width, v + window.height]
    if (stage.palette.isDim && random.next() < style.litShare) lights[random.integer(0, 2)]?.push(cell)
    else dark.push(cell)
  }
  return { dark, lights }
}

const lampTones = ['#ffd27a', '#ffe6b0', '#ffb75e'].map(rgb)

function drawWindows(context: SKRSContext2D, stage: Stage, style: FacadeStyle, place: FacadePlace, random: Random): void {
  const { plane, from, to, height } = place
  const { dark, lights } = windowCells(stage, style, place, random)
  const all = dark.concat(...lights)
  const tone = (c: Rgb, amount: number) => farTone(stage, c, amount, place.z, place.clearness)
  const glass = mix(tone(rgb('#4d6680'), 0.7), stage.palette.sky[1], style.glass ? 0.55 : 0.32)
  const frame = tone(style.trim, place.light)
  if (!style.glass) frames(context, plane, all, css(frame, 0.9))
  const upper = mix(glass, stage.palette.sky[2], 0.45)
  // The panes get three slightly different tones, as if each reflected another part of the sky.
  // Three fifths of them get the first tone.
  const part = (i: number) => Math.max(0, ((i * 7 + (i >> 3)) % 5) - 2)
  for (const [kind, change] of paneTones.entries()) {
    const style = fall(context, plane, [from, 0, to, height], shift(upper, change), shift(glass, change - 0.3))
    fillRects(
      context,
      plane,
      dark.filter((_, i) => part(i) === kind),
      style,
    )
  }
  const faded = Math.min(0.4, place.z / place.clearness / 3)
  lights.forEach((list, i) => void fillRects(context, plane, list, css(mix(lampTones[i]!, stage.palette.haze, faded))))
  if (style.glass || place.z > 45) return
  fillRects(
    context,
    plane,
    all.map(([u0, v0, u1, v1]) => [(u0 + u1) / 2 - 0.03, v0, (u0 + u1) / 2 + 0.03, v1]),
    css(frame, 0.8),
  )
}
const paneTones = [0, 0.1, -0.14]

/** Draws the ledges of a facade: a band of stone with its shadow below each row of windows, and the
 *  stones of the corners. */
function drawLedges(context: SKRSContext2D, stage: Stage, style: FacadeStyle, place: FacadePlace): void {
  const { plane, from, to, height } = place
  const trim = farTone(stage, style.trim, Math.min(1, place.light + 0.1), place.z, place.clearness)
  const dark = css(shift(farTone(stage, style.wall, place.light, place.z, place.clearness), -0.4), 0.4)
  const start = style.shop === undefined ? style.window.sill : 3.6
  const courses: (readonly [number, number, number, number])[] = []
  for (let v = start; v < height - 1; v += style.window.pitchY) courses.push([from + 0.2, v - 0.26, to - 0.2, v - 0.16])
  fillRects(
    context,
    plane,
    courses.map(([a, b, c]) => [a, b - 0.14, c, b] as const),
    dark,
  )
  fillRects(context, plane, courses, css(trim, 0.9))
  const corners: (readonly [number, number, number, number])[] = []
  for (let v = 0.2; v < height - 0.6; v += 0.9)
    for (const [a, b] of [
      [from, from + 0.34],
      [to - 0.34, to],
    ] as const)
      corners.push([a, v, b, v + 0.46])
  fillRects(context, plane, corners, css(trim, 0.35))
}

function frames(context: SKRSContext2D, plane: Plane, cells: readonly (readonly [number, number, number, number])[], style: string): void {
  context.fillStyle = style
  context.beginPath()
  for (const [u0, v0, u1, v1] of cells) addRect(context, plane, [u0 - 0.1, v0 - 0.16, u1 + 0.1, v1 + 0.12])
  context.fill()
}

interface StreetHouse {
  side: -1 | 1
  /** X coordinate of the wall along the street, in metres. */
  x: number
  depth: number
  z0: number
  z1: number
  height: number
  style: FacadeStyle
  clearness: number
}

/** Draws a street-side house as a box: the face along the street, and the face towards the
 *  camera. */
export function drawStreetHouse(context: SKRSContext2D, stage: Stage, house: StreetHouse, random: Random): void {
  const { view, sun } = stage
  const { x, z0, z1, height, style, clearness, side } = house
  const light = Math.sign(sun.side) === -side ? 0.85 : 0.22
  const outer = x + side * house.depth
  if (z0 > 0.6) {
    const front = { plane: frontPlane(view, z0), from: Math.min(x, outer), to: Math.max(x, outer), height, z: z0, light: 0.5, clearness }
    drawFacade(context, stage, { ...style, shop: style.wall }, front, random.fork('front'))
  }
  const along = { plane: sidePlane(view, x), from: Math.max(0.5, z0), to: z1, height, z: (z0 + z1) / 2, light, clearness }
  drawFacade(context, stage, style, along, random.fork('side'))
  if (style.shop === undefined || random.next() < 0.3) return
  drawAwning(context, stage, { x, side, z0: z0 + 0.5, z1: z1 - 0.5, colour: style.shop, light: Math.min(1, light + 0.35), clearness })
}
