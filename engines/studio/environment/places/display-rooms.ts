import type { SKRSContext2D } from '@napi-rs/canvas'
import { rgb, shift } from '../colour.ts'
import { pendant, smallThings, wallPicture } from '../furniture.ts'
import { furniture, type Room, tone } from '../room.ts'
import { fillPolygon, fillRects, frontPlane, sidePlane } from '../solid.ts'
import { interior, type RoomSize, wallColour } from './interior.ts'
import type { PlacePainter } from './place.ts'

const goods = ['#d9573f', '#f0b23e', '#4f9d69', '#3d7fb5', '#8a5aa8', '#f2e6d0', '#e58aa0'].map(rgb)

export const shop: PlacePainter = stage => (stage.has('aisle') ? aisle(stage) : store(stage))

/** Paints a supermarket: a passage between two long shelves of goods. */
const aisle = interior({ depth: 17, least: 5 }, stage => ({
  underfoot: 'tile',
  height: 3.6,
  wall: { kind: 'plain', colour: wallColour(stage, '#dfe6ea') },
  floor: { kind: 'tile', colour: rgb('#dcdcd6') },
  ceiling: rgb('#f5f6f4'),
  lamps: [4, 7.5, 11, 14.5].map(z => ({ x: 0, y: 3.1, z, power: 0.55 })),
  brightness: 1.08,
  furnish: furnishAisle,
}))

const store = interior({ depth: 6.5, least: 3 }, stage => ({
  underfoot: 'tile',
  height: 3.3,
  wall: { kind: 'plain', colour: wallColour(stage, '#e9e1d0') },
  floor: { kind: 'tile', colour: rgb('#d5cdbd') },
  ceiling: rgb('#f5f2ea'),
  lamps: [-1.5, 1.5].map(x => ({ x, y: 2.5, z: 4.5, power: 0.7 })),
  brightness: 1.05,
  furnish: furnishShop,
}))

function furnishAisle(context: SKRSContext2D, room: Room, { depth }: RoomSize): void {
  const { stage } = room
  const random = stage.random.fork('aisle')
  const end = frontPlane(stage.view, depth - 0.5)
  fillRects(context, end, [[-2.6, 0, 2.6, 2.3]], tone(room, '#c9d6dc', 0.6))
  for (let v = 0.25; v < 2; v += 0.5)
    smallThings(context, room, { plane: end, u: [-2.5, 2.5], v, size: 0.36, count: 26, colours: goods }, random)
  const side = 1.75
  for (const edge of [-side, side]) {
    const plane = sidePlane(stage.view, edge)
    fillRects(context, plane, [[0.9, 0, depth - 2.2, 2.35]], tone(room, '#7f8a90', 0.4))
    fillRects(context, plane, [[0.9, 2.22, depth - 2.2, 2.35]], tone(room, '#c8402f', 0.8))
    for (let v = 0.16; v < 2; v += 0.5) {
      smallThings(context, room, { plane, u: [1, depth - 2.3], v, size: 0.4, count: 78, colours: goods }, random)
      fillRects(context, plane, [[0.9, v - 0.09, depth - 2.2, v]], tone(room, '#f2f4f4', 0.95))
      const labels = Array.from({ length: 30 }, (_, i) => [1.2 + i * 0.45, v - 0.075, 1.42 + i * 0.45, v - 0.015] as const)
      fillRects(context, plane, labels, tone(room, '#f2c83e', 0.9))
    }
  }
  for (const z of [13, 9, 5.6]) {
    const sign = frontPlane(stage.view, z)
    fillRects(context, sign, [[-0.9, 2.55, 0.9, 3]], tone(room, '#2f6fa8', 0.8))
    fillRects(
      context,
      sign,
      [
        [-0.7, 2.72, 0.1, 2.78],
        [-0.7, 2.84, 0.5, 2.9],
      ],
      tone(room, '#ffffff', 0.95),
    )
  }
}

/** Draws goods on shelves along three walls and a counter. */
function furnishShop(context: SKRSContext2D, room: Room, { depth, half }: RoomSize): void {
  const { stage } = room
  const random = stage.random.fork('shop')
  const wall = frontPlane(stage.view, depth - 0.35)
  fillRects(context, wall, [[-half + 0.2, 0, half - 0.2, 2.35]], tone(room, '#b58b5c', 0.5))
  for (let v = 0.15; v < 2.1; v += 0.46) {
    fillRects(context, wall, [[-half + 0.2, v - 0.05, half - 0.2, v]], tone(room, '#d9b485', 0.85))
    smallThings(
      context,
      room,
      { plane: wall, u: [-half + 0.3, half - 0.3], v, size: 0.36, count: Math.round(half * 8), colours: goods },
      random,
    )
  }
  for (const side of [-1, 1]) {
    const plane = sidePlane(stage.view, side * (half - 0.35))
    for (let v = 0.15; v < 2.1; v += 0.46) {
      fillRects(context, plane, [[2, v - 0.05, depth - 0.35, v]], tone(room, '#c79f6f', 0.7))
      smallThings(context, room, { plane, u: [2.1, depth - 0.4], v, size: 0.34, count: 15, colours: goods }, random)
    }
  }
  furniture(context, room, { x: [half - 2, half - 0.6], y: [0, 0.98], z: [4.6, 5.2], colour: rgb('#8f6a44') })
  furniture(context, room, { x: [half - 2.05, half - 0.55], y: [0.98, 1.03], z: [4.55, 5.25], colour: rgb('#e0c79c') })
  for (const x of [-1.5, 1.5]) pendant(context, room, { x, y: 2.5, z: 4.5, colour: rgb('#d9573f'), radius: 0.22 })
}

export const museum = interior({ depth: 9, least: 3.6 }, (stage, { depth }) => ({
  underfoot: 'stone',
  height: 4.4,
  wall: { kind: 'plain', colour: wallColour(stage, '#8e4a44'), lower: rgb('#e2d8c4') },
  floor: { kind: 'marble', colour: rgb('#e3dccd') },
  ceiling: rgb('#f3eee2'),
  lamps: [-2.2, 0, 2.2].map(x => ({ x, y: 3.6, z: depth - 0.6, power: 0.8 })),
  brightness: 1,
  furnish: furnishMuseum,
}))

/** Draws framed pictures, vases on plinths and a bench. */
function furnishMuseum(context: SKRSContext2D, room: Room, { depth, half }: RoomSize): void {
  const { stage } = room
  const random = stage.random.fork('museum')
  const wall = frontPlane(stage.view, depth)
  for (let u = -half + 0.7; u < half - 1.2; ) {
    const w = random.between(0.9, 1.7)
    const h = random.between(0.9, 1.5)
    wallPicture(
      context,
      room,
      { plane: wall, u: [u, Math.min(half - 0.4, u + w)], v: [1.55, 1.55 + h], frame: rgb('#c79a4b') },
      random.fork(`p${u}`),
    )
    u += w + 0.8
  }
  for (const side of [-1, 1])
    for (let z = 3.6; z < depth - 1.5; z += 2)
      wallPicture(
        context,
        room,
        { plane: sidePlane(stage.view, side * half), u: [z, z + 1.2], v: [1.55, 2.7], frame: rgb('#b58a3f') },
        random.fork(`s${side}${z}`),
      )
  for (const x of [-half + 1.1, half - 1.1]) {
    furniture(context, room, { x: [x - 0.35, x + 0.35], y: [0, 1], z: [6.6, 7.3], colour: rgb('#f0eadf') })
    vase(context, room, { x, z: 6.95, base: 1 })
  }
  furniture(context, room, { x: [-0.9, 0.9], y: [0.28, 0.42], z: [6.4, 6.9], colour: rgb('#6b4630') })
}

function vase(context: SKRSContext2D, room: Room, at: { x: number; z: number; base: number }): void {
  const plane = frontPlane(room.stage.view, at.z)
  const half = [0.1, 0.17, 0.22, 0.23, 0.2, 0.13, 0.08, 0.09, 0.13]
  const right = half.map((h, i) => [at.x + h, at.base + i * 0.085] as const)
  const left = half.map((h, i) => [at.x - h, at.base + i * 0.085] as const).reverse()
  fillPolygon(context, plane, [...right, ...left], tone(room, '#b5583a', 0.7))
  fillPolygon(
    context,
    plane,
    [...right, ...half.map((h, i) => [at.x + h * 0.4, at.base + i * 0.085] as const).reverse()],
    'rgba(0,0,0,0.2)',
  )
  fillRects(context, plane, [[at.x - 0.21, at.base + 0.24, at.x + 0.21, at.base + 0.3]], tone(room, shift(rgb('#2b2622'), 0), 0.6))
}
