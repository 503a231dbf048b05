import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Random } from '../../drawing.ts'
import { rgb } from '../colour.ts'
import { cupboards, curtains, pendant, pottedPlant, smallThings, wallPicture } from '../furniture.ts'
import { furniture, type Room, tone } from '../room.ts'
import { type Cell, fillRects, frontPlane } from '../solid.ts'
import { diningSet } from './home.ts'
import { interior, type RoomSize, wallColour } from './interior.ts'
import type { PlacePainter } from './place.ts'

const lampXs = [-1.7, 0, 1.7]

export const cafe = diningRoom('cafe')

export const restaurant = diningRoom('restaurant')

function diningRoom(kind: 'cafe' | 'restaurant'): PlacePainter {
  const isCafe = kind === 'cafe'
  return interior({ depth: 6.8, least: 3 }, (stage, { half }) => ({
    underfoot: 'wood',
    height: 3.4,
    wall: isCafe
      ? { kind: 'brick', colour: wallColour(stage, '#a9674c') }
      : { kind: 'plain', colour: wallColour(stage, '#8f5548'), lower: rgb('#5a3a2c') },
    floor: { kind: isCafe ? 'wood' : 'check', colour: rgb(isCafe ? '#9c7148' : '#d9c4a0') },
    ceiling: rgb(isCafe ? '#d9cdb8' : '#e8dcc8'),
    windows: [{ x: [-half + 0.5, -half + 2.5], y: [0.75, 2.5] }],
    lamps: lampXs.map(x => ({ x, y: 2.15, z: 5, power: 0.75 })),
    brightness: 0.92,
    windowFrame: '#3d3630',
    furnish: (context, room, size) => furnishDiningRoom(context, room, { ...size, isCafe }),
  }))
}

/** Draws the furniture of a cafe or restaurant: tables for guests, lamps and a plant; in a cafe
 *  also a counter, in a restaurant also curtains and a picture. */
function furnishDiningRoom(context: SKRSContext2D, room: Room, { depth, half, isCafe }: RoomSize & { isCafe: boolean }): void {
  const { stage } = room
  const random = stage.random.fork(isCafe ? 'cafe' : 'restaurant')
  if (isCafe) cafeCounter(context, room, { half, depth }, random)
  else {
    curtains(context, room, { x: [-half + 0.5, -half + 2.5], y: [0.3, 2.7], colour: rgb('#7a2f33'), width: 0.4 })
    wallPicture(
      context,
      room,
      { plane: frontPlane(stage.view, depth), u: [0.7, 1.9], v: [1.5, 2.3], frame: rgb('#c79a4b') },
      random.fork('picture'),
    )
  }
  for (const [x, z] of [
    [-half + 1.3, 5.4],
    [half - 0.9, 4.5],
    [-half + 0.9, 4.2],
  ] as const) {
    diningSet(context, room, { x, z, colour: rgb('#6b4630') })
    smallThings(
      context,
      room,
      {
        plane: frontPlane(stage.view, z + 0.3),
        u: [x - 0.2, x + 0.2],
        v: 0.74,
        size: 0.16,
        count: 2,
        colours: ['#f4efe6', '#c46b48'].map(rgb),
      },
      random,
    )
  }
  for (const x of lampXs) pendant(context, room, { x, y: 2.15, z: 5, colour: rgb(isCafe ? '#2f3a3c' : '#b98a3e'), radius: 0.2 })
  pottedPlant(context, room, { x: -half + 0.4, z: 5.9, height: 1.2 }, random.fork('plant'))
}

interface Counter {
  half: number
  depth: number
}

const crockery = ['#e8dfcf', '#c46b48', '#6f8f86', '#d9b25a', '#8a5a44'].map(rgb)

/** Draws the counter of a cafe with a coffee machine, shelves with cups, and a menu board. */
function cafeCounter(context: SKRSContext2D, room: Room, c: Counter, random: Random): void {
  const { view } = room.stage
  const back = frontPlane(view, c.depth - 0.05)
  const left = -c.half + 3
  menuBoard(context, room, { left: left + 0.2, right: c.half - 0.3, z: c.depth - 0.05 }, random)
  for (const v of [1.25, 1.62]) {
    fillRects(context, back, [[left + 0.2, v - 0.04, c.half - 0.3, v]], tone(room, '#8a5f3c', 0.7))
    smallThings(context, room, { plane: back, u: [left + 0.3, c.half - 0.4], v, size: 0.26, count: 12, colours: crockery }, random)
  }
  const brown = rgb('#7a5438')
  const front = c.depth - 1.5
  furniture(context, room, { x: [left, c.half - 0.1], y: [0, 1.02], z: [front, front + 0.6], colour: brown })
  cupboards(context, room, {
    plane: frontPlane(view, front),
    u: [left, c.half - 0.1],
    v: [0.08, 0.98],
    colour: brown,
    pitch: 0.6,
    light: 0.55,
  })
  furniture(context, room, { x: [left - 0.06, c.half - 0.04], y: [1.02, 1.08], z: [front - 0.06, front + 0.65], colour: rgb('#d2b48a') })
  const top = frontPlane(view, front + 0.3)
  fillRects(context, top, [[left + 0.35, 1.08, left + 1, 1.48]], tone(room, '#c9ced0', 0.8))
  fillRects(context, top, [[left + 0.4, 1.12, left + 0.95, 1.26]], tone(room, '#3a3f42', 0.5))
  smallThings(context, room, { plane: top, u: [left + 1.1, c.half - 0.3], v: 1.08, size: 0.24, count: 5, colours: crockery }, random)
}

/** Draws a dark board with lines that look like words and prices in handwriting. */
function menuBoard(context: SKRSContext2D, room: Room, at: { left: number; right: number; z: number }, random: Random): void {
  const plane = frontPlane(room.stage.view, at.z)
  fillRects(context, plane, [[at.left, 2, at.right, 2.75]], tone(room, '#2b3330', 0.5))
  const rows = [2.13, 2.28, 2.43, 2.58]
  const words = rows.map((v): Cell => [at.left + 0.2, v - 0.035, at.left + 0.2 + random.between(0.6, 1.3), v])
  fillRects(context, plane, [...words, ...rows.map((v): Cell => [at.right - 0.6, v - 0.035, at.right - 0.25, v])], 'rgba(242,234,216,0.55)')
}
