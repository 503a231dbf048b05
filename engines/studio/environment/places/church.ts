import type { SKRSContext2D } from '@napi-rs/canvas'
import { pairs } from '../../pairs.ts'
import { glowDisc } from '../celestial.ts'
import { css, mix, rgb, shift } from '../colour.ts'
import { rug } from '../furniture.ts'
import { furniture, type Room, tone } from '../room.ts'
import { screened } from '../screened.ts'
import { type Corner, fillPolygon, fillRects, frontPlane, type Plane, sidePlane } from '../solid.ts'
import { interior, type RoomSize, wallColour } from './interior.ts'

const glass = ['#c8434a', '#3f6fc4', '#e0b03a', '#4a9a6a', '#8a55a8', '#e07a3a'].map(rgb)

/** Paints the nave of a church: pews on both sides of an aisle, pillars, windows of coloured glass,
 *  and an altar below the largest window. */
export const churchNave = interior({ depth: 15, least: 4.6 }, (stage, { depth }) => ({
  underfoot: 'stone',
  height: 8.5,
  wall: { kind: 'plain', colour: wallColour(stage, '#e4d9c4'), lower: rgb('#cdbfa6') },
  floor: { kind: 'marble', colour: rgb('#cfc4b2') },
  ceiling: rgb('#d8cbb4'),
  lamps: [
    { x: 0, y: 3.4, z: depth - 1, power: 0.9 },
    { x: -2.4, y: 3, z: 8, power: 0.4 },
    { x: 2.4, y: 3, z: 8, power: 0.4 },
  ],
  brightness: 0.86,
  furnish: furnishNave,
}))

function furnishNave(context: SKRSContext2D, room: Room, { depth, half }: RoomSize): void {
  const { view } = room.stage
  const back = frontPlane(view, depth)
  stainedWindow(context, room, { plane: back, u: 0, v: 2.5, width: 2.6, height: 4.4, name: 'altar' })
  for (const side of [-1, 1])
    stainedWindow(context, room, { plane: back, u: side * half * 0.62, v: 2.7, width: 1.2, height: 2.9, name: `back ${side}` })
  for (const z of [13, 10.4, 7.8, 5.4])
    for (const side of [-1, 1])
      stainedWindow(context, room, {
        plane: sidePlane(view, side * half),
        u: z,
        v: 2.4,
        width: 1.3,
        height: 3.1,
        name: `side ${side} ${z}`,
      })
  rug(context, room, { x: [-0.75, 0.75], z: [1.6, depth - 1.6], colour: rgb('#8f2f34') })
  paintAltar(context, room, depth)
  for (const z of [13.4, 11, 8.6, 6.2]) {
    for (const side of [-1, 1]) pillar(context, room, { x: side * half * 0.74, z })
    for (const side of [-1, 1])
      for (const step of [0, 1.15]) if (z - step > 4.4) pew(context, room, { side, inner: 1.05, outer: half * 0.68, z: z - 1 - step })
  }
}

interface StainedGlass {
  plane: Plane
  u: number
  v: number
  width: number
  height: number
  name: string
}

/** Draws a window with a pointed arch: panes of coloured glass between strips of lead. */
function stainedWindow(context: SKRSContext2D, room: Room, at: StainedGlass): void {
  const { stage, isEvening } = room
  const random = stage.random.fork(`glass ${at.name}`)
  const arch = (grow: number): Corner[] => pointedArch(at.u, at.v - grow, at.width / 2 + grow, at.height + grow * 2)
  fillPolygon(context, at.plane, arch(0.16), tone(room, '#b9ab92', 0.6))
  fillPolygon(context, at.plane, arch(0.05), tone(room, '#3a3632', 0.4))
  context.save()
  context.beginPath()
  arch(0).forEach(([u, v], i) => {
    const p = at.plane(u, v)
    if (i === 0) context.moveTo(p.x, p.y)
    else context.lineTo(p.x, p.y)
  })
  context.clip()
  const columns = Math.max(3, Math.round(at.width / 0.42))
  const rows = Math.round(at.height / 0.42)
  const light = isEvening ? -0.45 : 0.12
  for (let column = 0; column < columns; column++)
    for (let row = 0; row < rows; row++) {
      const colour = mix(random.pick(glass), rgb('#ffffff'), random.between(0, 0.28))
      const [u0, v0] = [at.u - at.width / 2 + (column * at.width) / columns, at.v + (row * at.height) / rows]
      const [u1, v1] = [u0 + at.width / columns - 0.035, v0 + at.height / rows - 0.035]
      const middle = (v0 + v1) / 2
      const isDiamond = (column + row) % 2 === 0
      fillPolygon(context, at.plane, pairs([u0, v0, u1, v0, u1, v1, u0, v1]), css(shift(colour, light)))
      if (isDiamond)
        fillPolygon(
          context,
          at.plane,
          pairs([u0, middle, (u0 + u1) / 2, v0, u1, middle, (u0 + u1) / 2, v1]),
          css(shift(random.pick(glass), light + 0.18)),
        )
    }
  context.restore()
  if (isEvening) return
  const centre = at.plane(at.u, at.v + at.height / 2)
  const reach = Math.abs(at.plane(at.u, at.v + at.height).y - centre.y)
  screened(context, () => glowDisc(context, { ...centre, radius: reach * 1.9 }, rgb('#ffe2b0'), 0.24))
}

function pointedArch(u: number, v: number, half: number, height: number): Corner[] {
  const spring = v + height * 0.62
  const bow = Array.from({ length: 9 }, (_, i): Corner => {
    const t = i / 8
    return [half * (1 - t ** 1.7), spring + height * 0.38 * Math.sin((t * Math.PI) / 2) ** 0.9]
  })
  return [[u - half, v], [u + half, v], ...bow.map(([x, y]): Corner => [u + x, y]), ...bow.reverse().map(([x, y]): Corner => [u - x, y])]
}

function pillar(context: SKRSContext2D, room: Room, at: { x: number; z: number }): void {
  const plane = frontPlane(room.stage.view, at.z)
  const top = room.plan.height
  furniture(context, room, { x: [at.x - 0.42, at.x + 0.42], y: [0, 0.5], z: [at.z - 0.2, at.z + 0.3], colour: rgb('#c4b69c') })
  const stripes = 8
  for (let i = 0; i < stripes; i++) {
    const from = at.x - 0.3 + (0.6 * i) / stripes
    const lightness = 0.42 + 0.5 * Math.sin((Math.PI * (i + 0.8)) / stripes)
    fillRects(context, plane, [[from, 0.5, from + 0.6 / stripes + 0.01, top]], tone(room, '#dccfb6', lightness))
  }
  fillPolygon(context, plane, pairs([at.x - 0.3, 4.6, at.x + 0.3, 4.6, at.x + 0.5, 5.1, at.x - 0.5, 5.1]), tone(room, '#cbbda2', 0.7))
}

function pew(context: SKRSContext2D, room: Room, at: { side: number; inner: number; outer: number; z: number }): void {
  const x = [Math.min(at.side * at.inner, at.side * at.outer), Math.max(at.side * at.inner, at.side * at.outer)] as const
  const wood = rgb('#7d4f2c')
  furniture(context, room, { x, y: [0.36, 0.44], z: [at.z + 0.06, at.z + 0.5], colour: shift(wood, 0.1) })
  furniture(context, room, { x, y: [0.1, 0.94], z: [at.z, at.z + 0.06], colour: wood })
  furniture(context, room, { x: [x[0] - 0.02, x[1] + 0.02], y: [0.9, 0.98], z: [at.z - 0.05, at.z + 0.08], colour: shift(wood, 0.16) })
  for (const end of x)
    furniture(context, room, { x: [end - 0.05, end + 0.05], y: [0, 1.04], z: [at.z - 0.06, at.z + 0.52], colour: shift(wood, -0.1) })
}

function paintAltar(context: SKRSContext2D, room: Room, depth: number): void {
  furniture(context, room, { x: [-2.6, 2.6], y: [0, 0.22], z: [depth - 2, depth], colour: rgb('#c9bca4') })
  furniture(context, room, { x: [-1.1, 1.1], y: [0.22, 1.2], z: [depth - 1.2, depth - 0.5], colour: rgb('#f2ece0') })
  const plane = frontPlane(room.stage.view, depth - 1.2)
  fillRects(context, plane, [[-0.34, 0.3, 0.34, 1.2]], tone(room, '#8f2f34', 0.7))
  fillRects(
    context,
    plane,
    [
      [-0.045, 1.2, 0.045, 2.35],
      [-0.3, 1.85, 0.3, 1.94],
    ],
    tone(room, '#d8ac4a', 0.95),
  )
  for (const x of [-0.8, -0.6, 0.6, 0.8]) {
    fillRects(context, plane, [[x - 0.03, 1.2, x + 0.03, 1.6]], tone(room, '#f6f0e2', 0.9))
    const flame = plane(x, 1.66)
    screened(context, () => glowDisc(context, { ...flame, radius: Math.abs(plane(x + 0.28, 1.66).x - flame.x) }, rgb('#ffc46a'), 0.9))
  }
}
