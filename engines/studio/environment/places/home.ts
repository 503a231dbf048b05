import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Rgb } from '../../drawing.ts'
import { mix, rgb, shift } from '../colour.ts'
import { bookcase, chair, cupboards, curtains, desk, pendant, pottedPlant, rug, smallThings, wallPicture } from '../furniture.ts'
import { furniture, type Opening, type Room, tone } from '../room.ts'
import { fillRects, frontPlane } from '../solid.ts'
import { interior, wallColour, windowRow } from './interior.ts'

export const livingRoom = interior({ depth: 6.4, least: 2.9 }, (stage, { depth, half }) => {
  const random = stage.random.fork('living')
  const windows = windowRow(half, { width: 1.9, y: [0.95, 2.35], pitch: 4.6 })
  const accent = rgb(random.pick(['#4f7a78', '#b5654a', '#5b6b94', '#8a8f52', '#c79a4b']))
  return {
    underfoot: 'wood',
    height: 3.3,
    wall: {
      kind: random.pick(['plain', 'stripe', 'panel'] as const),
      colour: wallColour(stage, random.pick(['#e3d6c1', '#cfd8d2', '#dcc6b6', '#c9d2dc'])),
    },
    floor: { kind: 'wood', colour: rgb(random.pick(['#b98a5a', '#a9784c', '#c79c6b'])) },
    ceiling: rgb('#f4efe6'),
    windows,
    lamps: [{ x: half - 0.8, y: 1.55, z: depth - 0.7, power: 0.9 }],
    brightness: 1,
    furnish: (context, room) => furnishLivingRoom(context, room, { depth, half, windows, accent }),
  }
})

/** Draws the furniture of a living room: curtains, a bookcase, a sofa, a lamp, a rug, pictures and
 *  a plant. */
function furnishLivingRoom(
  context: SKRSContext2D,
  room: Room,
  at: { depth: number; half: number; windows: readonly Opening[]; accent: Rgb },
): void {
  const { stage } = room
  const { depth, half, windows, accent } = at
  const random = stage.random.fork('furniture')
  for (const { x } of windows) curtains(context, room, { x, y: [0.05, 2.55], colour: mix(accent, rgb('#f4ead8'), 0.45), width: 0.5 })
  for (let u = 2.3; u < half - 3; u += 4.6)
    for (const side of [-1, 1])
      wallPicture(
        context,
        room,
        { plane: frontPlane(stage.view, depth), u: [side * u - 0.4, side * u + 0.4], v: [1.4, 2.05], frame: rgb('#6b4a30') },
        random.fork(`wide ${side * u}`),
      )
  const plane = frontPlane(stage.view, depth - 0.3)
  if (!stage.isSubject(/book/))
    bookcase(context, room, { plane, u: [-half + 0.15, -half + 1.35], v: [0, 2.1], wood: rgb('#8a5f3c'), light: 0.6 }, random.fork('books'))
  if (!stage.isSubject(pictures))
    wallPicture(
      context,
      room,
      { plane: frontPlane(stage.view, depth), u: [half - 1.5, half - 0.75], v: [1.35, 2.0], frame: rgb('#6b4a30') },
      random.fork('picture'),
    )
  rug(context, room, { x: [-1.7, 1.7], z: [3.1, 5], colour: accent })
  if (!stage.isSubject(/couch|sofa|armchair|bed$/)) sofa(context, room, { x: [half - 2.3, half - 0.35], z: depth - 1.1, colour: accent })
  if (!stage.isSubject(/lamp/)) floorLamp(context, room, { x: half - 0.8 > 1.6 ? half - 0.25 : half - 0.8, z: depth - 0.7 })
  if (!stage.isSubject(/plant|flower/)) pottedPlant(context, room, { x: -half + 1.75, z: depth - 0.5, height: 1.1 }, random.fork('plant'))
}

const pictures = /painting|picture|poster|photo/

function sofa(context: SKRSContext2D, room: Room, at: { x: readonly [number, number]; z: number; colour: Rgb }): void {
  const [x0, x1] = at.x
  furniture(context, room, { x: [x0, x1], y: [0.12, 0.92], z: [at.z + 0.6, at.z + 0.85], colour: at.colour })
  furniture(context, room, { x: [x0, x1], y: [0.1, 0.46], z: [at.z, at.z + 0.62], colour: shift(at.colour, 0.06) })
  const middle = (x0 + x1) / 2
  const plane = frontPlane(room.stage.view, at.z)
  fillRects(context, plane, [[middle - 0.006, 0.1, middle + 0.006, 0.46]], 'rgba(0,0,0,0.22)')
  for (const x of [x0 - 0.14, x1])
    furniture(context, room, { x: [x, x + 0.16], y: [0, 0.64], z: [at.z, at.z + 0.85], colour: shift(at.colour, -0.06) })
  for (const [x, c] of [
    [x0 + 0.3, '#f2dfae'],
    [x1 - 0.4, '#e8ecec'],
  ] as const)
    furniture(context, room, { x: [x - 0.2, x + 0.2], y: [0.47, 0.82], z: [at.z + 0.42, at.z + 0.56], colour: rgb(c) })
}

function floorLamp(context: SKRSContext2D, room: Room, at: { x: number; z: number }): void {
  const plane = frontPlane(room.stage.view, at.z)
  fillRects(
    context,
    plane,
    [
      [at.x - 0.015, 0, at.x + 0.015, 1.45],
      [at.x - 0.15, 0, at.x + 0.15, 0.03],
    ],
    tone(room, '#3a312a', 0.5),
  )
  const p = [plane(at.x - 0.15, 1.75), plane(at.x + 0.15, 1.75), plane(at.x + 0.24, 1.42), plane(at.x - 0.24, 1.42)]
  context.fillStyle = room.isEvening ? '#ffe2a6' : tone(room, '#f3e6cc', 0.9)
  context.beginPath()
  p.forEach((q, i) => void (i === 0 ? context.moveTo(q.x, q.y) : context.lineTo(q.x, q.y)))
  context.fill()
}

export const bedroom = interior({ depth: 6, least: 2.7 }, (stage, { depth, half }) => {
  const random = stage.random.fork('bedroom')
  const linen = rgb(random.pick(['#8fa7bf', '#c9a9a0', '#a7b59a', '#d8c7a4']))
  return {
    underfoot: 'wood',
    height: 3.2,
    wall: {
      kind: random.pick(['plain', 'stripe'] as const),
      colour: wallColour(stage, random.pick(['#d9dde3', '#e6d8cf', '#dfe3d5', '#d4cfe0'])),
    },
    floor: { kind: 'wood', colour: rgb('#b08a62') },
    ceiling: rgb('#f6f2ea'),
    windows: [{ x: [0.2, 1.7], y: [0.95, 2.2] }],
    lamps: [{ x: -half + 0.4, y: 0.95, z: depth - 0.6, power: 0.8 }],
    brightness: 0.98,
    furnish: (context, room) => {
      curtains(context, room, { x: [0.2, 1.7], y: [0.2, 2.4], colour: mix(linen, rgb('#ffffff'), 0.3), width: 0.4 })
      wallPicture(
        context,
        room,
        { plane: frontPlane(stage.view, depth), u: [-1.9, -1.1], v: [1.5, 2.1], frame: rgb('#c9b28c') },
        random.fork('picture'),
      )
      if (!stage.isSubject(/bed$|mattress/)) bed(context, room, { x: [-2.3, -0.6], z: [3.9, depth - 0.1], colour: linen })
      rug(context, room, { x: [-0.4, 1.9], z: [3.4, 4.9], colour: mix(linen, rgb('#8a6a58'), 0.4) })
      furniture(context, room, { x: [half - 0.9, half - 0.1], y: [0, 1.0], z: [depth - 0.6, depth - 0.1], colour: rgb('#9a7048') })
      pottedPlant(context, room, { x: half - 0.5, z: depth - 0.5, height: 0.55, base: 1 }, random.fork('plant'))
    },
  }
})

function bed(context: SKRSContext2D, room: Room, at: { x: readonly [number, number]; z: readonly [number, number]; colour: Rgb }): void {
  const [x0, x1] = at.x
  furniture(context, room, { x: [x0 - 0.05, x1 + 0.05], y: [0, 1.15], z: [at.z[1] - 0.08, at.z[1]], colour: rgb('#8a6242') })
  furniture(context, room, { x: [x0, x1], y: [0.1, 0.42], z: at.z, colour: rgb('#f1ece2') })
  for (const x of [x0 + 0.15, (x0 + x1) / 2 + 0.08])
    furniture(context, room, { x: [x, x + 0.62], y: [0.43, 0.58], z: [at.z[1] - 0.55, at.z[1] - 0.15], colour: rgb('#fbf8f2') })
  furniture(context, room, { x: [x0 - 0.03, x1 + 0.03], y: [0.2, 0.5], z: [at.z[0] - 0.04, at.z[1] - 0.75], colour: at.colour })
  furniture(context, room, {
    x: [x0 - 0.05, x1 + 0.05],
    y: [0.12, 0.52],
    z: [at.z[0] - 0.08, at.z[0] + 0.5],
    colour: shift(at.colour, -0.14),
  })
}

export const kitchen = interior({ depth: 5.6, least: 2.6 }, (stage, { depth, half }) => {
  const random = stage.random.fork('kitchen')
  const front = rgb(random.pick(['#7f9c8f', '#e7e0d2', '#5f7a94', '#c9825e', '#9db0a0']))
  return {
    underfoot: 'tile',
    height: 3.1,
    wall: { kind: 'tile', colour: wallColour(stage, '#f0ebdf') },
    floor: { kind: random.pick(['check', 'tile', 'wood'] as const), colour: rgb('#d9c8ad') },
    ceiling: rgb('#f6f3ec'),
    windows: [{ x: [-0.75, 0.75], y: [1.2, 2.15] }],
    lamps: [-1.1, 1.1].map(x => ({ x, y: 2, z: 4.4, power: 0.6 })),
    brightness: 1.02,
    furnish: (context, room) => kitchenUnits(context, room, { half, depth, front }, random),
  }
})

function kitchenUnits(
  context: SKRSContext2D,
  room: Room,
  k: { half: number; depth: number; front: Rgb },
  random: ReturnType<Room['stage']['random']['fork']>,
): void {
  const { view } = room.stage
  const face = frontPlane(view, k.depth - 0.6)
  const back = frontPlane(view, k.depth - 0.34)
  const wood = rgb('#c2935c')
  for (const u of [
    [-k.half + 0.05, -0.95],
    [0.95, k.half - 0.05],
  ] as const) {
    furniture(context, room, { x: u, y: [1.55, 2.35], z: [k.depth - 0.34, k.depth], colour: k.front })
    cupboards(context, room, { plane: back, u, v: [1.55, 2.35], colour: k.front, pitch: 0.5, light: 0.64 })
  }
  furniture(context, room, { x: [-k.half + 0.02, k.half - 0.02], y: [0, 0.86], z: [k.depth - 0.6, k.depth], colour: k.front })
  cupboards(context, room, { plane: face, u: [-k.half + 0.02, k.half - 0.02], v: [0.1, 0.84], colour: k.front, pitch: 0.55, light: 0.6 })
  fillRects(context, face, [[-k.half, 0, k.half, 0.1]], tone(room, shift(k.front, -0.6), 0.4))
  furniture(context, room, { x: [-k.half, k.half], y: [0.86, 0.91], z: [k.depth - 0.64, k.depth], colour: wood })
  if (!room.stage.isSubject(/oven|stove/)) oven(context, room, face)
  const shelf = frontPlane(view, k.depth - 0.25)
  const colours = ['#d9734e', '#e8dfcf', '#6f8f86', '#e0b45a', '#8a5a44', '#b7c4c2'].map(rgb)
  smallThings(context, room, { plane: shelf, u: [-k.half + 0.2, -0.9], v: 0.91, size: 0.28, count: 5, colours }, random)
  smallThings(context, room, { plane: shelf, u: [1.75, k.half - 0.15], v: 0.91, size: 0.26, count: 4, colours }, random)
  pottedPlant(context, room, { x: 0.35, z: k.depth - 0.2, height: 0.36, base: 0.91 }, random)
  for (const x of [-1.1, 1.1]) pendant(context, room, { x, y: 2, z: 4.4, colour: rgb('#3d4a50'), radius: 0.16 })
}

function oven(context: SKRSContext2D, room: Room, face: ReturnType<typeof frontPlane>): void {
  fillRects(context, face, [[0.95, 0.1, 1.6, 0.85]], tone(room, '#d5d6d4', 0.7))
  fillRects(context, face, [[1.03, 0.2, 1.52, 0.58]], tone(room, '#2b2f33', 0.6))
  fillRects(context, face, [[1.06, 0.42, 1.5, 0.56]], 'rgba(255,255,255,0.14)')
  fillRects(context, face, [[1.03, 0.61, 1.52, 0.64]], tone(room, '#f2f2f0', 0.9))
  for (let i = 0; i < 4; i++) fillRects(context, face, [[1.06 + i * 0.13, 0.71, 1.1 + i * 0.13, 0.77]], tone(room, '#3b3f44', 0.5))
}

export const diningSet = (context: SKRSContext2D, room: Room, at: { x: number; z: number; colour: Rgb }): void => {
  chair(context, room, { x: at.x - 0.1, z: at.z + 0.7, colour: at.colour, back: false })
  desk(context, room, { x: [at.x - 0.42, at.x + 0.42], z: [at.z, at.z + 0.7], height: 0.74, colour: shift(at.colour, 0.12) })
}
