import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Random, Rgb } from '../drawing.ts'
import { pairs } from '../pairs.ts'
import { css, hsl, mix, rgb, shift } from './colour.ts'
import { floorShadow, furniture, type Room, tone } from './room.ts'
import {
  addRect,
  cells,
  fillPolygon,
  fillRects,
  frontPlane,
  levelPlane,
  outline,
  type Plane,
  placed,
  placedCells,
  type Spot,
} from './solid.ts'

type Pair = readonly [number, number]

const bookColours = [
  '#8c3b34',
  '#2f5d62',
  '#c08a3e',
  '#3b4a6b',
  '#6b7a3c',
  '#7a4a63',
  '#d0b98a',
  '#42665a',
  '#a85c3a',
  '#5a5560',
  '#b7a04f',
  '#304e7a',
].map(rgb)

/** Draws the front of a bookcase full of books, with a shelf every 0.36 m. */
export function bookcase(
  context: SKRSContext2D,
  room: Room,
  at: { plane: Plane; u: Pair; v: Pair; wood: Rgb; light: number; side?: -1 | 1 },
  random: Random,
): void {
  const { plane, u, v } = at
  fillRects(context, plane, [[u[0], v[0], u[1], v[1]]], tone(room, shift(at.wood, -0.55), at.light * 0.6))
  const pitch = 0.36
  const books = new Map<Rgb, (readonly [number, number, number, number])[]>()
  for (let shelf = v[0] + 0.1; shelf + pitch < v[1] + 0.02; shelf += pitch) {
    for (let x = u[0] + 0.06; x < u[1] - 0.08; ) {
      if (random.next() < 0.035) {
        x += random.between(0.08, 0.2)
        continue
      }
      const wide = random.between(0.022, 0.055)
      const colour = random.pick(bookColours)
      const list = books.get(colour) ?? []
      list.push([x, shelf, Math.min(u[1] - 0.06, x + wide * 0.9), shelf + random.between(0.2, 0.3)])
      books.set(colour, list)
      x += wide
    }
  }
  for (const [colour, rects] of books) fillRects(context, plane, rects, tone(room, colour, at.light))
  const boards: (readonly [number, number, number, number])[] = []
  for (let shelf = v[0] + 0.06; shelf < v[1] + 0.02; shelf += pitch) boards.push([u[0], shelf, u[1], shelf + 0.04])
  for (let x = u[0]; x <= u[1] + 0.01; x += (u[1] - u[0]) / Math.max(1, Math.round((u[1] - u[0]) / 1.1)))
    boards.push([x - 0.025, v[0], x + 0.025, v[1]])
  fillRects(context, plane, boards, tone(room, at.wood, at.light + 0.1))
}

/** Draws a table or desk: a top on four legs. */
export function desk(context: SKRSContext2D, room: Room, at: { x: Pair; z: Pair; height: number; colour: Rgb; thick?: number }): void {
  const leg = 0.06
  const thick = at.thick ?? 0.05
  floorShadow(context, room, at)
  for (const z of [at.z[1] - leg, at.z[0]])
    for (const x of [at.x[0], at.x[1] - leg])
      furnitureLeg(context, room, { x: [x, x + leg], y: [0, at.height - thick], z: [z, z + leg], colour: shift(at.colour, -0.2) })
  furniture(context, room, { x: at.x, y: [at.height - thick, at.height], z: at.z, colour: at.colour })
}

function furnitureLeg(context: SKRSContext2D, room: Room, box: Parameters<typeof furniture>[2]): void {
  const plane = frontPlane(room.stage.view, box.z[0])
  fillRects(context, plane, [[box.x[0], box.y[0], box.x[1], box.y[1]]], tone(room, box.colour, 0.45))
}

/** Draws a chair seen from behind or the front: seat, back and legs. */
export function chair(context: SKRSContext2D, room: Room, at: { x: number; z: number; colour: Rgb; back: boolean; size?: number }): void {
  const s = at.size ?? 1
  const half = 0.21 * s
  desk(context, room, { x: [at.x - half, at.x + half], z: [at.z, at.z + 0.4 * s], height: 0.45 * s, colour: at.colour, thick: 0.04 })
  const z = at.back ? at.z : at.z + 0.38 * s
  furniture(context, room, { x: [at.x - half, at.x + half], y: [0.46 * s, 0.88 * s], z: [z, z + 0.03], colour: at.colour })
}

/** Draws a hanging lamp: its cord, its shade, and the bright opening of the shade. */
export function pendant(context: SKRSContext2D, room: Room, at: { x: number; y: number; z: number; colour: Rgb; radius: number }): void {
  const plane = frontPlane(room.stage.view, at.z)
  const { x, y, radius } = at
  fillRects(context, plane, [[x - 0.008, y, x + 0.008, room.plan.height]], tone(room, '#2c2622', 0.4))
  fillPolygon(
    context,
    plane,
    pairs([x - radius * 0.25, y + radius * 0.9, x + radius * 0.25, y + radius * 0.9, x + radius, y, x - radius, y]),
    tone(room, at.colour, 0.7),
  )
  const c = plane(x, y)
  const size = (radius * room.stage.view.focal) / at.z
  context.fillStyle = room.isEvening ? '#fff3cf' : tone(room, '#fff1d2', 1)
  context.beginPath()
  context.ellipse(c.x, c.y, size, size * 0.22, 0, 0, 7)
  context.fill()
}

/** Draws a framed picture on a wall; the picture is a landscape of a few strokes. */
export function wallPicture(context: SKRSContext2D, room: Room, at: { plane: Plane; u: Pair; v: Pair; frame: Rgb }, random: Random): void {
  const { plane, u, v } = at
  const b = Math.min(0.06, (u[1] - u[0]) * 0.07)
  fillRects(context, plane, [[u[0] - b + 0.03, v[0] - b - 0.05, u[1] + b + 0.03, v[1] + b - 0.03]], 'rgba(20,14,10,0.28)')
  fillRects(context, plane, [[u[0] - b, v[0] - b, u[1] + b, v[1] + b]], tone(room, at.frame, 0.7))
  const hue = random.between(0, 360)
  fillRects(context, plane, [[u[0], v[0], u[1], v[1]]], tone(room, hsl(hue, 0.3, 0.8), 0.8))
  const layers = 4
  for (let i = 0; i < layers; i++) {
    const top = v[1] - ((v[1] - v[0]) * (i + 1.3)) / (layers + 1.2)
    const points: [number, number][] = [[u[0], v[0]]]
    for (let k = 0; k <= 8; k++) points.push([u[0] + ((u[1] - u[0]) * k) / 8, top + Math.sin(k * 1.1 + i * 2 + hue) * (v[1] - v[0]) * 0.07])
    points.push([u[1], v[0]])
    fillPolygon(context, plane, points, tone(room, hsl(hue + 25 * i, 0.4, 0.66 - i * 0.13), 0.75))
  }
}

interface PlantPlace {
  x: number
  z: number
  height: number
  /** Height in metres of the surface on which the plant stands; default 0. */
  base?: number
}
const pot = { body: outline('-.38 0, .38 0, .52 1, -.52 1'), rim: cells('-.58 .86 .58 1') }

/** Draws a leafy plant in a pot. */
export function pottedPlant(context: SKRSContext2D, room: Room, at: PlantPlace, random: Random): void {
  const base = at.base ?? 0
  const plane = frontPlane(room.stage.view, at.z)
  const size = at.height * 0.26
  if (base === 0) floorShadow(context, room, { x: [at.x - size * 0.6, at.x + size * 0.6], z: [at.z - 0.1, at.z + 0.2] })
  for (let i = 0; i < 26; i++) {
    const root = { x: at.x + random.between(-0.25, 0.25) * size, y: base + size }
    const angle = (random.next() * 2 - 1) * 1.15
    const length = at.height * random.between(0.42, 0.78)
    context.fillStyle = tone(room, mix(rgb('#4f8a4a'), rgb('#8fb85a'), random.next() * 0.7), 0.4 + 0.5 * random.next())
    bladeLeaf(context, plane, root, { x: root.x + Math.sin(angle) * length, y: root.y + Math.cos(angle) * length })
  }
  const spot: Spot = { u: at.x, v: base, width: size, height: size }
  fillPolygon(context, plane, placed(pot.body, spot), tone(room, random.pick(['#c46b48', '#e6dccb', '#5a6d78', '#d8a25c']), 0.66))
  fillRects(context, plane, placedCells(pot.rim, spot), 'rgba(0,0,0,0.14)')
}

/** Draws one long leaf that bends over at its tip. */
function bladeLeaf(context: SKRSContext2D, plane: Plane, root: { x: number; y: number }, tip: { x: number; y: number }): void {
  const length = Math.hypot(tip.x - root.x, tip.y - root.y)
  const w = length * 0.09
  const middle = { x: (root.x + tip.x) / 2, y: (root.y + tip.y) / 2 + length * 0.08 }
  const p0 = plane(root.x, root.y)
  const p1 = plane(tip.x, tip.y - length * 0.12)
  const m1 = plane(middle.x - w, middle.y + w)
  const m2 = plane(middle.x + w, middle.y - w)
  context.beginPath()
  context.moveTo(p0.x, p0.y)
  context.quadraticCurveTo(m1.x, m1.y, p1.x, p1.y)
  context.quadraticCurveTo(m2.x, m2.y, p0.x, p0.y)
  context.fill()
}

/** Draws a flat rug with a border on the floor. */
export function rug(context: SKRSContext2D, room: Room, at: { x: Pair; z: Pair; colour: Rgb }): void {
  const plane = levelPlane(room.stage.view, 0.005)
  fillRects(context, plane, [[at.x[0], at.z[0], at.x[1], at.z[1]]], tone(room, shift(at.colour, -0.25), 0.7))
  fillRects(context, plane, [[at.x[0] + 0.12, at.z[0] + 0.12, at.x[1] - 0.12, at.z[1] - 0.12]], tone(room, at.colour, 0.75))
  context.fillStyle = css(room.shine.tone(mix(at.colour, rgb('#fff4dc'), 0.6), 0.75), 0.55)
  context.beginPath()
  const cells = 7
  const du = (at.x[1] - at.x[0] - 0.5) / cells
  const dv = (at.z[1] - at.z[0] - 0.5) / 4
  for (let i = 0; i < cells; i++) {
    for (let k = 0; k < 4; k++) {
      const cu = at.x[0] + 0.25 + du * (i + 0.5)
      const cv = at.z[0] + 0.25 + dv * (k + 0.5)
      const p = [plane(cu - du * 0.3, cv), plane(cu, cv + dv * 0.3), plane(cu + du * 0.3, cv), plane(cu, cv - dv * 0.3)]
      p.forEach((q, n) => void (n === 0 ? context.moveTo(q.x, q.y) : context.lineTo(q.x, q.y)))
      context.closePath()
    }
  }
  context.fill()
}

/** Draws curtains at both sides of an opening in the back wall. */
export function curtains(context: SKRSContext2D, room: Room, at: { x: Pair; y: Pair; colour: Rgb; width: number }): void {
  const plane = frontPlane(room.stage.view, room.plan.depth - 0.08)
  for (const side of [0, 1]) {
    const inner = side === 0 ? at.x[0] + at.width * 0.3 : at.x[1] - at.width * 0.3
    const outer = side === 0 ? at.x[0] - at.width * 0.7 : at.x[1] + at.width * 0.7
    const folds = 9
    for (let i = 0; i < folds; i++) {
      const u0 = outer + ((inner - outer) * i) / folds
      const u1 = outer + ((inner - outer) * (i + 1)) / folds
      const gather = (u: number) => outer + (u - outer) * 0.9
      const light = 0.5 + 0.4 * Math.sin(i * 2.1)
      fillPolygon(context, plane, pairs([gather(u0), at.y[0], gather(u1), at.y[0], u1, at.y[1], u0, at.y[1]]), tone(room, at.colour, light))
    }
  }
  fillRects(context, plane, [[at.x[0] - at.width, at.y[1], at.x[1] + at.width, at.y[1] + 0.05]], tone(room, '#8a6a48', 0.6))
}

/** Draws the fronts of cupboards: panels with one handle each. */
export function cupboards(
  context: SKRSContext2D,
  room: Room,
  at: { plane: Plane; u: Pair; v: Pair; colour: Rgb; pitch: number; light: number },
): void {
  const { plane, u, v } = at
  fillRects(context, plane, [[u[0], v[0], u[1], v[1]]], tone(room, at.colour, at.light))
  const count = Math.max(1, Math.round((u[1] - u[0]) / at.pitch))
  const step = (u[1] - u[0]) / count
  const rim = 0.05
  const grooves: (readonly [number, number, number, number])[] = []
  const handles: (readonly [number, number, number, number])[] = []
  for (let i = 0; i < count; i++) {
    const a = u[0] + i * step
    grooves.push([a, v[0], a + 0.012, v[1]])
    for (const line of [
      [a + rim, v[0] + rim, a + step - rim, v[0] + rim + 0.012],
      [a + rim, v[1] - rim - 0.012, a + step - rim, v[1] - rim],
      [a + rim, v[0] + rim, a + rim + 0.012, v[1] - rim],
      [a + step - rim - 0.012, v[0] + rim, a + step - rim, v[1] - rim],
    ] as const)
      grooves.push(line)
    const hu = i % 2 === 0 ? a + step - 0.09 : a + 0.07
    handles.push([hu, (v[0] + v[1]) / 2 - 0.06, hu + 0.02, (v[0] + v[1]) / 2 + 0.06])
  }
  fillRects(context, plane, grooves, css(room.shine.tone(shift(at.colour, -0.35), at.light), 0.7))
  fillRects(context, plane, handles, tone(room, '#b9a27a', 0.9))
}

/** Draws small things, such as bottles, jars, boxes and bowls, in a row on a shelf or counter. */
export function smallThings(
  context: SKRSContext2D,
  room: Room,
  at: { plane: Plane; u: Pair; v: number; size: number; count: number; colours: readonly Rgb[] },
  random: Random,
): void {
  for (let i = 0; i < at.count; i++) {
    const u = at.u[0] + ((at.u[1] - at.u[0]) * (i + random.between(0.2, 0.8))) / at.count
    const h = at.size * random.between(0.5, 1)
    const w = Math.min(h * random.between(0.25, 0.6), ((at.u[1] - at.u[0]) / at.count) * 0.46)
    const colour = random.pick(at.colours)
    const kind = random.integer(0, 2)
    context.fillStyle = tone(room, colour, 0.7)
    context.beginPath()
    addRect(context, at.plane, [u - w, at.v, u + w, at.v + h * (kind === 0 ? 0.66 : 1)])
    if (kind === 0) addRect(context, at.plane, [u - w * 0.35, at.v + h * 0.6, u + w * 0.35, at.v + h])
    context.fill()
    fillRects(context, at.plane, [[u - w * 0.8, at.v + h * 0.06, u - w * 0.45, at.v + h * 0.6]], 'rgba(255,255,255,0.28)')
    if (kind === 1) fillRects(context, at.plane, [[u - w, at.v + h * 0.3, u + w, at.v + h * 0.55]], 'rgba(255,250,240,0.5)')
    fillRects(context, at.plane, [[u + w * 0.55, at.v, u + w, at.v + h * 0.66]], 'rgba(0,0,0,0.14)')
  }
}
