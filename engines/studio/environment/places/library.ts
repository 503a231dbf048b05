import type { SKRSContext2D } from '@napi-rs/canvas'
import { pairs } from '../../pairs.ts'
import { rgb } from '../colour.ts'
import { bookcase, desk, pendant, rug, smallThings } from '../furniture.ts'
import { type Room, tone } from '../room.ts'
import { fillPolygon, fillRects, frontPlane, sidePlane } from '../solid.ts'
import { interior, type RoomSize, wallColour } from './interior.ts'

const wood = rgb('#7d5233')

export const library = interior({ depth: 7.5, least: 3 }, stage => ({
  underfoot: 'wood',
  height: 4,
  wall: { kind: 'wood', colour: wallColour(stage, '#8a623f') },
  floor: { kind: 'wood', colour: rgb('#9a6c42') },
  ceiling: rgb('#d9c4a4'),
  windows: [{ x: [-0.75, 0.75], y: [1.2, 3.3] }],
  lamps: [-1.2, 1.2].map(x => ({ x, y: 2.7, z: 4.8, power: 0.8 })),
  brightness: 0.9,
  windowFrame: '#6b4a30',
  furnish: furnishLibrary,
}))

/** Draws full bookshelves on three walls, a ladder, a rug and a reading table. */
function furnishLibrary(context: SKRSContext2D, room: Room, { depth, half }: RoomSize): void {
  const { stage } = room
  const random = stage.random.fork('library')
  const back = frontPlane(stage.view, depth - 0.3)
  const top = Math.min(9, room.plan.height - 0.3)
  bookcase(context, room, { plane: back, u: [-half, -0.95], v: [0, top], wood, light: 0.62 }, random.fork('left'))
  bookcase(context, room, { plane: back, u: [0.95, half], v: [0, top], wood, light: 0.62 }, random.fork('right'))
  for (const side of [-1, 1] as const)
    bookcase(
      context,
      room,
      {
        plane: sidePlane(stage.view, side * (half - 0.3)),
        u: [1.3, depth - 0.3],
        v: [0, top],
        wood,
        light: side * stage.sun.side > 0 ? 0.4 : 0.72,
      },
      random.fork(`side ${side}`),
    )
  rug(context, room, { x: [-1.4, 1.4], z: [3.3, 5.6], colour: rgb('#8a3b3a') })
  desk(context, room, { x: [half - 2.1, half - 0.8], z: [5.4, 6.1], height: 0.76, colour: wood })
  smallThings(
    context,
    room,
    {
      plane: frontPlane(stage.view, 5.6),
      u: [half - 2, half - 1.2],
      v: 0.77,
      size: 0.2,
      count: 3,
      colours: ['#8c3b34', '#2f5d62', '#d0b98a'].map(rgb),
    },
    random,
  )
  ladder(context, room, { x: -half + 0.9, z: depth - 0.75 })
  for (const x of [-1.2, 1.2]) pendant(context, room, { x, y: 2.7, z: 4.8, colour: rgb('#3f5c4a'), radius: 0.22 })
}

function ladder(context: SKRSContext2D, room: Room, at: { x: number; z: number }): void {
  const plane = frontPlane(room.stage.view, at.z)
  const lean = 0.3
  const c = tone(room, '#a97a4a', 0.7)
  for (const u of [0, 0.45])
    fillPolygon(context, plane, pairs([at.x + u, 0, at.x + u + 0.05, 0, at.x + u + 0.05 + lean, 3, at.x + u + lean, 3]), c)
  for (let i = 1; i < 10; i++) {
    const t = i / 10
    fillRects(context, plane, [[at.x + lean * t, t * 3, at.x + 0.48 + lean * t, t * 3 + 0.035]], c)
  }
}
