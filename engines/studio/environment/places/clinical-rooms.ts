import type { SKRSContext2D } from '@napi-rs/canvas'
import { rgb } from '../colour.ts'
import { cupboards, curtains, desk, pottedPlant, smallThings } from '../furniture.ts'
import { furniture, type Room, tone } from '../room.ts'
import { fillRects, frontPlane } from '../solid.ts'
import { interior, type RoomSize, wallColour } from './interior.ts'
import { monitor } from './work-rooms.ts'

const glass = ['#6fd0c2', '#e8a0c0', '#f2d060', '#8fb8f0', '#b8e07a', '#dfe9ee'].map(rgb)

export const laboratory = interior({ depth: 6.2, least: 3 }, (stage, { half }) => ({
  underfoot: 'tile',
  height: 3.3,
  wall: { kind: 'tile', colour: wallColour(stage, '#e3ecef') },
  floor: { kind: 'tile', colour: rgb('#cfd8da') },
  ceiling: rgb('#f6f8f8'),
  windows: [{ x: [-half + 0.5, -half + 2], y: [1.2, 2.3] }],
  lamps: [{ x: 0, y: 2.95, z: 4.4, power: 0.6 }],
  brightness: 1.06,
  windowFrame: '#d5dde0',
  furnish: furnishLaboratory,
}))

/** Draws a long bench with a monitor, glassware on shelves, and a table. */
function furnishLaboratory(context: SKRSContext2D, room: Room, { depth, half }: RoomSize): void {
  const { stage } = room
  const random = stage.random.fork('laboratory')
  const wall = frontPlane(stage.view, depth - 0.25)
  for (const v of [1.45, 1.95]) {
    fillRects(context, wall, [[-half + 2.4, v - 0.04, half - 0.3, v]], tone(room, '#b8c4c8', 0.8))
    smallThings(context, room, { plane: wall, u: [-half + 2.5, half - 0.4], v, size: 0.3, count: 11, colours: glass }, random)
  }
  furniture(context, room, { x: [-half + 0.05, half - 0.05], y: [0, 0.88], z: [depth - 0.7, depth], colour: rgb('#eef2f3') })
  cupboards(context, room, {
    plane: frontPlane(stage.view, depth - 0.7),
    u: [-half + 0.05, half - 0.05],
    v: [0.08, 0.84],
    colour: rgb('#dbe5e8'),
    pitch: 0.6,
    light: 0.66,
  })
  furniture(context, room, { x: [-half, half], y: [0.88, 0.93], z: [depth - 0.74, depth], colour: rgb('#4c565c') })
  const top = frontPlane(stage.view, depth - 0.45)
  smallThings(context, room, { plane: top, u: [-half + 0.3, -0.4], v: 0.93, size: 0.34, count: 6, colours: glass }, random)
  monitor(context, room, { x: half - 0.9, z: depth - 0.4, base: 0.93 })
  desk(context, room, { x: [-half + 0.6, -half + 2.2], z: [4.1, 4.7], height: 0.88, colour: rgb('#e9eef0') })
  smallThings(
    context,
    room,
    { plane: frontPlane(stage.view, 4.35), u: [-half + 0.8, -half + 2], v: 0.88, size: 0.3, count: 5, colours: glass },
    random,
  )
}

export const hospital = interior({ depth: 6.2, least: 2.9 }, (stage, { depth, half }) => ({
  underfoot: 'tile',
  height: 3.3,
  wall: { kind: 'plain', colour: wallColour(stage, '#dcebe6'), lower: rgb('#b4d3cb') },
  floor: { kind: 'tile', colour: rgb('#d6dedc') },
  ceiling: rgb('#f8faf9'),
  windows: [{ x: [-0.9, 0.7], y: [1.1, 2.3] }],
  lamps: [{ x: 0, y: 2.85, z: 4.4, power: 0.5 }],
  brightness: 1.08,
  furnish: (context, room) => {
    curtains(context, room, { x: [-0.9, 0.7], y: [1, 2.45], colour: rgb('#bfe0dc'), width: 0.4 })
    const x = half - 1.5
    furniture(context, room, { x: [x - 0.5, x + 0.5], y: [0, 1.1], z: [depth - 0.1, depth - 0.05], colour: rgb('#c4ccd0') })
    furniture(context, room, { x: [x - 0.5, x + 0.5], y: [0.45, 0.7], z: [4.2, depth - 0.1], colour: rgb('#f7fafa') })
    furniture(context, room, { x: [x - 0.52, x + 0.52], y: [0.5, 0.74], z: [4.15, depth - 0.9], colour: rgb('#9fcfd6') })
    furniture(context, room, { x: [x - 0.35, x + 0.35], y: [0.71, 0.84], z: [depth - 0.6, depth - 0.2], colour: rgb('#ffffff') })
    monitor(context, room, { x: x - 0.95, z: depth - 0.4, base: 1.1 })
    fillRects(context, frontPlane(stage.view, depth - 0.4), [[x - 0.97, 0, x - 0.93, 1.12]], tone(room, '#9aa4a8', 0.7))
    furniture(context, room, { x: [-half + 0.2, -half + 0.8], y: [0, 0.8], z: [depth - 0.6, depth - 0.1], colour: rgb('#e6ecec') })
    pottedPlant(context, room, { x: -half + 0.5, z: depth - 0.4, height: 0.5, base: 0.8 }, stage.random.fork('plant'))
  },
}))
