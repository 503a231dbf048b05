import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, mix, rgb } from '../colour.ts'
import { bookcase, chair, desk, pottedPlant } from '../furniture.ts'
import { type Room, tone } from '../room.ts'
import { fillRects, frontPlane } from '../solid.ts'
import type { Stage } from '../stage.ts'
import { interior, type RoomSize, wallColour } from './interior.ts'

export const classroom = interior({ depth: 7.5, least: 3.4 }, stage => ({
  underfoot: 'wood',
  height: 3.1,
  wall: { kind: 'plain', colour: wallColour(stage, '#e6dfc9'), lower: rgb('#9db39b') },
  floor: { kind: 'wood', colour: rgb('#bd9465') },
  ceiling: rgb('#f6f3ea'),
  lamps: [-1.5, 1.5].map(x => ({ x, y: 3, z: 4.5, power: 0.5 })),
  brightness: 1.05,
  furnish: furnishClassroom,
}))

/** Draws a blackboard, clock, pictures, and desks with chairs in rows. */
function furnishClassroom(context: SKRSContext2D, room: Room, { depth, half }: RoomSize): void {
  const { stage } = room
  const random = stage.random.fork('classroom')
  const wall = frontPlane(stage.view, depth)
  if (!stage.isSubject(/board$/)) {
    fillRects(context, wall, [[-1.95, 0.92, 1.95, 2.38]], tone(room, '#b98a55', 0.7))
    fillRects(context, wall, [[-1.88, 1, 1.88, 2.3]], tone(room, '#2f5145', 0.62))
    chalk(context, wall, random)
    fillRects(context, wall, [[-1.95, 0.86, 1.95, 0.93]], tone(room, '#cfa570', 0.8))
  }
  clock(context, room, wall, { u: 0, v: 2.72 })
  for (const [u, c] of [
    [-half + 0.35, '#e0b45a'],
    [-half + 0.95, '#6f9fb8'],
    [half - 0.85, '#d4785e'],
    [half - 1.45, '#8fb07a'],
  ] as const)
    fillRects(context, wall, [[u, 1.4, u + 0.45, 2.0]], tone(room, c, 0.75))
  desk(context, room, { x: [1.2, 2.6], z: [6.2, 6.8], height: 0.78, colour: rgb('#9a6c42') })
  for (const z of [5.1, 4])
    for (const x of [-2.4, -1.2, 1.2, 2.4]) {
      if (Math.abs(x) > half - 0.5) continue
      desk(context, room, { x: [x - 0.42, x + 0.42], z: [z, z + 0.45], height: 0.7, colour: rgb('#c69a62') })
      chair(context, room, { x, z: z - 0.45, colour: rgb('#5f7f94'), back: true, size: 0.92 })
    }
}

function chalk(context: SKRSContext2D, wall: ReturnType<typeof frontPlane>, random: ReturnType<Stage['random']['fork']>): void {
  context.save()
  context.lineCap = 'round'
  context.strokeStyle = 'rgba(240,244,236,0.55)'
  const a = wall(0, 0)
  const b = wall(1, 0)
  context.lineWidth = (b.x - a.x) * 0.014
  for (let row = 0; row < 5; row++) {
    for (let u = -1.7; u < -0.3; ) {
      const w = random.between(0.06, 0.2)
      context.beginPath()
      for (let i = 0; i <= 6; i++) {
        const p = wall(u + (w * i) / 6, 2.1 - row * 0.2 + Math.sin(i * 2.4 + u * 9) * 0.03)
        if (i === 0) context.moveTo(p.x, p.y)
        else context.lineTo(p.x, p.y)
      }
      context.stroke()
      u += w + 0.07
    }
  }
  const c = wall(0.9, 1.65)
  context.beginPath()
  context.arc(c.x, c.y, (b.x - a.x) * 0.32, 0, 7)
  context.moveTo(c.x, c.y)
  context.lineTo(c.x + (b.x - a.x) * 0.32, c.y)
  context.moveTo(c.x, c.y)
  context.lineTo(c.x + (b.x - a.x) * 0.2, c.y - (b.x - a.x) * 0.25)
  context.stroke()
  context.restore()
}

function clock(context: SKRSContext2D, room: Room, wall: ReturnType<typeof frontPlane>, at: { u: number; v: number }): void {
  const c = wall(at.u, at.v)
  const r = (wall(1, 0).x - wall(0, 0).x) * 0.17
  context.fillStyle = tone(room, '#3a3f44', 0.6)
  context.beginPath()
  context.arc(c.x, c.y, r * 1.12, 0, 7)
  context.fill()
  context.fillStyle = tone(room, '#fbf8f0', 0.9)
  context.beginPath()
  context.arc(c.x, c.y, r, 0, 7)
  context.fill()
  context.strokeStyle = '#30343a'
  context.lineWidth = r * 0.09
  context.beginPath()
  context.moveTo(c.x, c.y)
  context.lineTo(c.x - r * 0.45, c.y - r * 0.3)
  context.moveTo(c.x, c.y)
  context.lineTo(c.x + r * 0.25, c.y - r * 0.72)
  context.stroke()
}

export const office = interior({ depth: 6.6, least: 3 }, (stage, { depth, half }) => {
  const random = stage.random.fork('office')
  return {
    underfoot: 'cloth',
    height: 3.3,
    wall: { kind: 'plain', colour: wallColour(stage, '#dde1e2') },
    floor: { kind: 'carpet', colour: rgb('#8d979e') },
    ceiling: rgb('#f4f5f4'),
    windows: [{ x: [-half + 0.3, half - 1.5], y: [0.8, 2.5] }],
    lamps: [{ x: 0, y: 2.85, z: 4.5, power: 0.5 }],
    brightness: 1.04,
    windowFrame: '#c9ced2',
    furnish: (context, room) => {
      bookcase(
        context,
        room,
        { plane: frontPlane(stage.view, depth - 0.3), u: [half - 1.3, half - 0.15], v: [0, 2], wood: rgb('#c9b08a'), light: 0.65 },
        random.fork('files'),
      )
      for (const x of [-1.7, 1.5]) {
        desk(context, room, { x: [x - 0.7, x + 0.7], z: [4.9, 5.6], height: 0.74, colour: rgb('#d8c3a0') })
        monitor(context, room, { x, z: 5.4 })
        chair(context, room, { x, z: 4.35, colour: rgb('#39434c'), back: true })
      }
      pottedPlant(context, room, { x: -half + 0.5, z: depth - 0.6, height: 1.3 }, random.fork('plant'))
    },
  }
})

export function monitor(context: SKRSContext2D, room: Room, at: { x: number; z: number; base?: number }): void {
  const base = at.base ?? 0.74
  const plane = frontPlane(room.stage.view, at.z)
  fillRects(
    context,
    plane,
    [
      [at.x - 0.04, base, at.x + 0.04, base + 0.14],
      [at.x - 0.14, base, at.x + 0.14, base + 0.02],
    ],
    tone(room, '#30363c', 0.5),
  )
  fillRects(context, plane, [[at.x - 0.31, base + 0.12, at.x + 0.31, base + 0.5]], tone(room, '#22272c', 0.5))
  fillRects(context, plane, [[at.x - 0.285, base + 0.145, at.x + 0.285, base + 0.475]], css(mix(rgb('#3b82b0'), rgb('#9fd3e8'), 0.3)))
  fillRects(
    context,
    plane,
    [
      [at.x - 0.25, base + 0.38, at.x - 0.02, base + 0.43],
      [at.x - 0.25, base + 0.3, at.x + 0.1, base + 0.33],
      [at.x - 0.25, base + 0.23, at.x + 0.02, base + 0.26],
    ],
    'rgba(255,255,255,0.7)',
  )
}
