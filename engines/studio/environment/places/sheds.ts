import type { SKRSContext2D } from '@napi-rs/canvas'
import { pairs } from '../../pairs.ts'
import { css, rgb, shift } from '../colour.ts'
import { cupboards, desk, smallThings } from '../furniture.ts'
import { furniture, type Room, tone } from '../room.ts'
import { fillRects, frontPlane, type Plane } from '../solid.ts'
import type { Stage } from '../stage.ts'
import { interior, type RoomSize, wallColour } from './interior.ts'
import type { PlacePainter } from './place.ts'

const colours = ['#c9482f', '#d9a83a', '#3f6f94', '#6b7a4c', '#8a8f94', '#b5793f'].map(rgb)

export const workshop = shed('workshop')

export const garage = shed('garage')

function shed(kind: 'workshop' | 'garage'): PlacePainter {
  const isShop = kind === 'workshop'
  return interior({ depth: 6.4, least: 3 }, stage => ({
    underfoot: isShop ? 'wood' : 'stone',
    height: 3.3,
    wall: { kind: isShop ? 'wood' : 'brick', colour: wallColour(stage, isShop ? '#a97d50' : '#a08b7c') },
    floor: isShop ? { kind: 'wood', colour: rgb('#8f6c48') } : { kind: 'concrete', colour: rgb('#9a9a98') },
    ceiling: rgb(isShop ? '#8f7350' : '#c9c7c2'),
    windows: [{ x: [-0.8, 0.8], y: [1.35, 2.35] }],
    lamps: [-1.2, 1.2].map(x => ({ x, y: 2.4, z: 4.6, power: 0.8 })),
    brightness: 0.92,
    windowFrame: '#5a4634',
    furnish: (context, room, size) => furnishShed(context, room, { ...size, isShop }),
  }))
}

/** Draws the furniture of a workshop or garage: a long bench, tools on boards, shelves, and a table
 *  or tyres. */
function furnishShed(context: SKRSContext2D, room: Room, { depth, half, isShop }: RoomSize & { isShop: boolean }): void {
  const { stage } = room
  const random = stage.random.fork(isShop ? 'workshop' : 'garage')
  const wall = frontPlane(stage.view, depth - 0.05)
  for (const u of [
    [-half + 0.3, -1.1],
    [1.1, half - 0.3],
  ] as const) {
    fillRects(context, wall, [[u[0], 1.3, u[1], 2.4]], tone(room, '#c9a878', 0.6))
    hungTools(context, room, wall, u, random)
  }
  const shelf = frontPlane(stage.view, depth - 0.2)
  fillRects(context, shelf, [[-half + 0.2, 2.55, half - 0.2, 2.6]], tone(room, '#8a6238', 0.7))
  smallThings(context, room, { plane: shelf, u: [-half + 0.3, half - 0.3], v: 2.6, size: 0.26, count: 14, colours }, random)
  furniture(context, room, { x: [-half + 0.2, half - 0.2], y: [0.82, 0.92], z: [depth - 0.8, depth - 0.05], colour: rgb('#b98a55') })
  cupboards(context, room, {
    plane: frontPlane(stage.view, depth - 0.72),
    u: [-half + 0.3, half - 0.3],
    v: [0.05, 0.82],
    colour: rgb(isShop ? '#7f5a36' : '#b0402f'),
    pitch: 0.7,
    light: 0.5,
  })
  smallThings(
    context,
    room,
    { plane: frontPlane(stage.view, depth - 0.5), u: [-half + 0.4, half - 0.4], v: 0.92, size: 0.24, count: 9, colours },
    random,
  )
  if (isShop) desk(context, room, { x: [-half + 0.4, -half + 1.9], z: [3.9, 4.6], height: 0.8, colour: rgb('#9a7040') })
  else tyres(context, room, { x: -half + 0.7, z: 4.8 })
}

function hungTools(context: SKRSContext2D, room: Room, wall: Plane, u: readonly [number, number], random: Stage['random']): void {
  for (let x = u[0] + 0.15; x < u[1] - 0.1; x += 0.24) {
    for (const v of [2.25, 1.72]) {
      const length = random.between(0.2, 0.36)
      const metal = tone(room, '#4f565c', 0.7)
      const handle = tone(room, random.pick(['#c9482f', '#8a5a34', '#d9a83a', '#3f6f94']), 0.7)
      fillRects(context, wall, [[x - 0.015, v - length * 0.55, x + 0.015, v]], metal)
      fillRects(context, wall, [[x - 0.028, v - length, x + 0.028, v - length * 0.5]], handle)
      if (random.next() < 0.5) fillRects(context, wall, [[x - 0.07, v - 0.07, x + 0.07, v]], metal)
    }
  }
}

function tyres(context: SKRSContext2D, room: Room, at: { x: number; z: number }): void {
  for (let i = 0; i < 3; i++) {
    const plane = frontPlane(room.stage.view, at.z)
    const c = plane(at.x, 0.12 + i * 0.22)
    const r = (0.34 * room.stage.view.focal) / at.z
    const gradient = context.createLinearGradient(c.x - r, 0, c.x + r, 0)
    for (const [t, k] of pairs([0, -0.2, 0.3, 0.12, 1, -0.5])) gradient.addColorStop(t, css(room.shine.tone(shift(rgb('#3a3a3c'), k), 0.6)))
    context.fillStyle = gradient
    context.beginPath()
    context.roundRect(c.x - r, c.y - r * 0.3, r * 2, r * 0.62, r * 0.2)
    context.fill()
    context.fillStyle = tone(room, '#1c1c1e', 0.4)
    context.beginPath()
    context.ellipse(c.x, c.y - r * 0.3, r * 0.6, r * 0.12, 0, 0, 7)
    context.fill()
  }
}
