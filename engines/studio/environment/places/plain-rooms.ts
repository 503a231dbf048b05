import type { SKRSContext2D } from '@napi-rs/canvas'
import { mix, rgb, shift } from '../colour.ts'
import { pendant, rug, wallPicture } from '../furniture.ts'
import { furniture, type Room, tone } from '../room.ts'
import { addRect, fillRects, frontPlane, type Plane, sidePlane } from '../solid.ts'
import type { Stage } from '../stage.ts'
import { type Interior, interior, type RoomSize, wallColour, windowRow } from './interior.ts'
import type { PlacePainter } from './place.ts'

/** Paints a tiled bathroom with a bathtub, a basin below a mirror, and a mat. If the prompt names a
 *  bathtub or shower, it is a subject of the scene, and the room has none. */
export const bathroom = interior({ depth: 4.8, least: 2.3 }, (stage, { depth }) => {
  const hasTub = stage.scene.subjects.some(({ art }) => /bathtub|shower/.test(art))
  return {
    underfoot: 'tile',
    height: 2.9,
    wall: { kind: 'tile', colour: wallColour(stage, '#dfe9ea') },
    floor: { kind: 'check', colour: rgb('#b9cbd0') },
    ceiling: rgb('#f7f8f6'),
    windows: [{ x: [-1.6, -0.5], y: [1.35, 2.15] }],
    lamps: [{ x: 1.1, y: 2.1, z: depth - 0.3, power: 0.5 }],
    brightness: 1.04,
    furnish: (context, room) => {
      basin(context, room, { x: [0.55, 1.65], z: depth - 0.5 })
      towels(context, room, { plane: frontPlane(stage.view, depth), u: 1.95 })
      if (!hasTub) tub(context, room, { x: [-2.1, -0.3], z: [depth - 1, depth - 0.15] })
      rug(context, room, { x: [-0.7, 0.9], z: [2.7, 3.6], colour: rgb('#7fa9b4') })
    },
  }
})

function tub(context: SKRSContext2D, room: Room, at: { x: readonly [number, number]; z: readonly [number, number] }): void {
  furniture(context, room, { x: at.x, y: [0, 0.58], z: at.z, colour: rgb('#fbfbf8') })
  const rim = frontPlane(room.stage.view, at.z[0])
  fillRects(context, rim, [[at.x[0] - 0.03, 0.54, at.x[1] + 0.03, 0.62]], tone(room, '#ffffff', 0.95))
  const wall = frontPlane(room.stage.view, at.z[1])
  fillRects(
    context,
    wall,
    [
      [at.x[0] + 0.26, 0.62, at.x[0] + 0.32, 0.9],
      [at.x[0] + 0.26, 0.86, at.x[0] + 0.5, 0.92],
    ],
    tone(room, '#9aa6ae', 0.8),
  )
}

function basin(context: SKRSContext2D, room: Room, at: { x: readonly [number, number]; z: number }): void {
  const [x0, x1] = at.x
  furniture(context, room, { x: [x0, x1], y: [0, 0.74], z: [at.z, at.z + 0.46], colour: rgb('#8a6a4c') })
  furniture(context, room, { x: [x0 - 0.05, x1 + 0.05], y: [0.74, 0.84], z: [at.z - 0.04, at.z + 0.46], colour: rgb('#fbfbf8') })
  const face = frontPlane(room.stage.view, at.z)
  const middle = (x0 + x1) / 2
  fillRects(context, face, [[middle - 0.01, 0.06, middle + 0.01, 0.7]], tone(room, '#5f4631', 0.5))
  const wall = frontPlane(room.stage.view, room.plan.depth - 0.02)
  fillRects(context, wall, [[x0 + 0.02, 1.08, x1 - 0.02, 2.06]], tone(room, '#8d97a0', 0.7))
  const [a, b] = [wall(x0 + 0.07, 2.01), wall(x1 - 0.07, 1.13)]
  const glass = context.createLinearGradient(a.x, a.y, b.x, b.y)
  glass.addColorStop(0, '#eaf4f7')
  glass.addColorStop(0.5, '#b9d3dc')
  glass.addColorStop(0.52, '#d9e9ee')
  glass.addColorStop(1, '#a9c6d0')
  fillRects(context, wall, [[x0 + 0.07, 1.13, x1 - 0.07, 2.01]], glass)
  fillRects(
    context,
    wall,
    [
      [middle - 0.03, 0.84, middle + 0.03, 1.04],
      [middle - 0.03, 1, middle + 0.16, 1.06],
    ],
    tone(room, '#9aa6ae', 0.8),
  )
}

function towels(context: SKRSContext2D, room: Room, at: { plane: Plane; u: number }): void {
  fillRects(context, at.plane, [[at.u - 0.06, 1.42, at.u + 0.5, 1.46]], tone(room, '#9aa6ae', 0.8))
  fillRects(context, at.plane, [[at.u, 0.82, at.u + 0.24, 1.46]], tone(room, '#5f9aa8', 0.75))
  fillRects(context, at.plane, [[at.u + 0.26, 0.95, at.u + 0.46, 1.46]], tone(room, '#e3b7a0', 0.75))
}

/** Paints a corridor with doors in both walls, lamps on the ceiling, a long carpet, and a window at
 *  the end. */
export const hallway = interior({ depth: 15, half: 1.75 }, (stage, { depth, half }) => {
  const door = rgb(stage.random.fork('door').pick(['#7a4f30', '#8a5a3a', '#5f4a3c', '#94684a']))
  const lamps = [4, 7.5, 11].map(z => ({ x: 0, y: 2.35, z, power: 0.5 }))
  return {
    underfoot: 'wood',
    height: 2.8,
    wall: { kind: 'panel', colour: wallColour(stage, '#e0d2bc'), lower: rgb('#c9b598') },
    floor: { kind: 'wood', colour: rgb('#a9784c') },
    ceiling: rgb('#f4efe6'),
    windows: [{ x: [-0.6, 0.6], y: [0.9, 2.2] }],
    lamps,
    brightness: 0.98,
    furnish: (context, room) => {
      rug(context, room, { x: [-0.7, 0.7], z: [1.4, depth - 0.4], colour: rgb('#8a3a34') })
      for (const z of [12.4, 9.8, 7.2, 4.9, 3])
        for (const side of [-1, 1]) sideDoor(context, room, { plane: sidePlane(stage.view, side * half), z, colour: door })
      for (const { x, y, z } of [...lamps].reverse()) pendant(context, room, { x, y, z, colour: rgb('#3d4a50'), radius: 0.16 })
    },
  }
})

function sideDoor(context: SKRSContext2D, room: Room, at: { plane: Plane; z: number; colour: ReturnType<typeof rgb> }): void {
  const { plane, z, colour } = at
  fillRects(context, plane, [[z - 0.58, 0, z + 0.58, 2.14]], tone(room, '#f1e8d8', 0.8))
  fillRects(context, plane, [[z - 0.48, 0, z + 0.48, 2.04]], tone(room, colour, 0.62))
  const panels: [number, number, number, number][] = [
    [z - 0.36, 0.2, z - 0.06, 0.9],
    [z + 0.06, 0.2, z + 0.36, 0.9],
    [z - 0.36, 1.05, z - 0.06, 1.85],
    [z + 0.06, 1.05, z + 0.36, 1.85],
  ]
  fillRects(context, plane, panels, tone(room, shift(colour, -0.2), 0.6))
  context.fillStyle = tone(room, '#d9b25a', 0.9)
  context.beginPath()
  addRect(context, plane, [z - 0.42, 0.96, z - 0.34, 1.06])
  context.fill()
}

/** Paints a nearly empty room. The subject, such as a table, a throne or a cradle, shows what kind
 *  of room it is. */
export const bareRoom: PlacePainter = stage => {
  const isGrand = stage.has('throne', 'ballroom', 'luxury', 'castle')
  return interior({ depth: isGrand ? 8 : 6.2, least: 2.8 }, (_stage, { depth, half }) => bare(stage, { depth, half, isGrand }))(stage)
}

function bare(stage: Stage, { depth, half, isGrand }: RoomSize & { isGrand: boolean }): Interior {
  const random = stage.random.fork('bare')
  const accent = rgb(isGrand ? '#8a2a34' : random.pick(['#4f7a78', '#b5654a', '#5b6b94']))
  const windows = windowRow(half, { width: 1.3, y: isGrand ? [1, 3.2] : [0.95, 2.3], pitch: 3.1 }).filter(
    ({ x }) => Math.abs(x[0] + x[1]) > 0.2,
  )
  return {
    underfoot: isGrand ? 'stone' : 'wood',
    height: isGrand ? 5 : 3.3,
    wall: {
      kind: isGrand ? 'panel' : random.pick(['plain', 'stripe'] as const),
      colour: wallColour(stage, isGrand ? '#d8c7a8' : random.pick(['#e3d6c1', '#cfd8d2', '#dcc6b6'])),
    },
    floor: isGrand ? { kind: 'marble', colour: rgb('#d9d2c6') } : { kind: 'wood', colour: rgb('#b98a5a') },
    ceiling: rgb('#f4efe6'),
    windows,
    brightness: 1,
    furnish: (context, room) => {
      for (const side of [-1, 1])
        wallPicture(
          context,
          room,
          {
            plane: frontPlane(stage.view, depth),
            u: [side * 0.8 - 0.35, side * 0.8 + 0.35],
            v: [1.5, 2.2],
            frame: rgb(isGrand ? '#b8923a' : '#6b4a30'),
          },
          random.fork(`picture ${side}`),
        )
      rug(
        context,
        room,
        isGrand
          ? { x: [-0.9, 0.9], z: [1.8, depth - 0.5], colour: accent }
          : { x: [-2, 2], z: [2.9, 5.2], colour: mix(accent, rgb('#f4ead8'), 0.15) },
      )
    },
  }
}
