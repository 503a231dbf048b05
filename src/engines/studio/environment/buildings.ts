import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Random, Rgb } from '../drawing.ts'
import { css, mix, rgb, shift } from './colour.ts'
import { lit } from './palette.ts'
import { drawAwning, drawShop } from './shop-front.ts'
import { addRect, fall, fillRects, frontPlane, type Plane, sidePlane } from './solid.ts'
import type { Stage } from './stage.ts'

export interface FacadeStyle {
  wall: Rgb
  trim: Rgb
  /** Window size and spacing in metres. */
  window: { width: number; height: number; pitchX: number; pitchY: number; sill: number }
  /** Share of windows lit after dark. */
  litShare: number
  /** Glass curtain instead of single windows. */
  glass: boolean
  shop?: Rgb
}

/** A surface colour at a distance: lit, then faded into the haze. */
export function farTone(stage: Stage, colour: Rgb, amount: number, z: number, clearness: number): Rgb {
  const { palette } = stage
  const fade = palette.hazeStrength * (1 - Math.exp(-Math.max(0, z) / clearness))
  return mix(lit(palette, colour, amount), palette.haze, fade)
}

export interface FacadePlace {
  plane: Plane
  /** Extent along the plane and height, metres. */
  from: number
  to: number
  height: number
  /** Distance used for haze. */
  z: number
  light: number
  clearness: number
}

/** One face of a house with its windows, cornice and perhaps a shop front. */
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

function drawWindows(context: SKRSContext2D, stage: Stage, style: FacadeStyle, place: FacadePlace, random: Random): void {
  const { window } = style
  const { plane, from, to, height } = place
  const columns = Math.max(1, Math.floor((to - from - 0.6) / window.pitchX))
  const start = style.shop === undefined ? window.sill : 3.6
  const floors = Math.max(0, Math.floor((height - start - 0.5) / window.pitchY))
  const margin = (to - from - columns * window.pitchX) / 2
  const dark: [number, number, number, number][] = []
  const lights: [number, number, number, number][][] = [[], [], []]
  const dim = stage.palette.isDim
  for (let floor = 0; floor < floors; floor++) {
    for (let column = 0; column < columns; column++) {
      const u = from + margin + column * window.pitchX + (window.pitchX - window.width) / 2
      const v = start + floor * window.pitchY
      const cell: [number, number, number, number] = [u, v, u + window.width, v + window.height]
      if (dim && random.next() < style.litShare) lights[random.integer(0, 2)]!.push(cell)
      else dark.push(cell)
    }
  }
  const tone = (c: Rgb, amount: number) => farTone(stage, c, amount, place.z, place.clearness)
  const glass = mix(tone(rgb('#4d6680'), 0.7), stage.palette.sky[1], style.glass ? 0.55 : 0.32)
  const frame = tone(style.trim, place.light)
  if (!style.glass) frames(context, plane, dark.concat(...lights), css(frame, 0.9))
  // Panes differ a little, as each mirrors another piece of sky.
  for (const [part, change] of [
    [0, 0],
    [1, 0.1],
    [2, -0.14],
  ] as const) {
    const cells = dark.filter((_, i) => (i * 7 + (i >> 3)) % 5 === part || (part === 0 && (i * 7 + (i >> 3)) % 5 > 2))
    fillRects(
      context,
      plane,
      cells,
      fall(context, plane, [from, 0, to, height], shift(mix(glass, stage.palette.sky[2], 0.45), change), shift(glass, change - 0.3)),
    )
  }
  const glow = ['#ffd27a', '#ffe6b0', '#ffb75e']
  lights.forEach(
    (cells, i) =>
      void fillRects(context, plane, cells, css(mix(rgb(glow[i]!), stage.palette.haze, Math.min(0.4, place.z / place.clearness / 3)))),
  )
  if (!style.glass) {
    const bars = dark.concat(...lights).map(([u0, v0, u1, v1]) => [(u0 + u1) / 2 - 0.03, v0, (u0 + u1) / 2 + 0.03, v1] as const)
    if (place.z < 45) fillRects(context, plane, bars, css(frame, 0.8))
  }
}

/** Window sills with their shadows, a string course above the ground floor and corner stones. */
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

/** A street-side house as a box: the face along the street, and the face towards the camera. */
export function drawStreetHouse(
  context: SKRSContext2D,
  stage: Stage,
  house: { side: -1 | 1; x: number; depth: number; z0: number; z1: number; height: number; style: FacadeStyle; clearness: number },
  random: Random,
): void {
  const { view, sun } = stage
  const lightSide = Math.sign(sun.side) === -house.side ? 0.85 : 0.22
  const outer = house.x + house.side * house.depth
  const from = Math.min(house.x, outer)
  const to = Math.max(house.x, outer)
  if (house.z0 > 0.6) {
    drawFacade(
      context,
      stage,
      { ...house.style, shop: house.style.wall },
      { plane: frontPlane(view, house.z0), from, to, height: house.height, z: house.z0, light: 0.5, clearness: house.clearness },
      random.fork('front'),
    )
  }
  drawFacade(
    context,
    stage,
    house.style,
    {
      plane: sidePlane(view, house.x),
      from: Math.max(0.5, house.z0),
      to: house.z1,
      height: house.height,
      z: (house.z0 + house.z1) / 2,
      light: lightSide,
      clearness: house.clearness,
    },
    random.fork('side'),
  )
  if (house.style.shop === undefined || random.next() < 0.3) return
  drawAwning(context, stage, {
    x: house.x,
    side: house.side,
    z0: house.z0 + 0.5,
    z1: house.z1 - 0.5,
    colour: house.style.shop,
    light: Math.min(1, lightSide + 0.35),
    clearness: house.clearness,
  })
}
