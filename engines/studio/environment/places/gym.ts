import type { SKRSContext2D } from '@napi-rs/canvas'
import { rgb } from '../colour.ts'
import { type Room, tone } from '../room.ts'
import { cells, fillPolygon, fillRects, frontPlane, levelPlane } from '../solid.ts'
import { interior, type RoomSize, wallColour } from './interior.ts'

export const gym = interior({ depth: 10, least: 4.2 }, (stage, { half }) => ({
  underfoot: 'wood',
  height: 5.4,
  wall: { kind: 'plain', colour: wallColour(stage, '#e4dfd2'), lower: rgb('#4f7f9a') },
  floor: { kind: 'court', colour: rgb('#d39d5c') },
  ceiling: rgb('#dfe3e4'),
  windows: [
    [-half + 0.6, -half + 2.6],
    [-1, 1],
    [half - 2.6, half - 0.6],
  ].map(x => ({ x: [x[0]!, x[1]!] as const, y: [3.5, 4.6] as const })),
  lamps: [-2, 2].map(x => ({ x, y: 5, z: 6, power: 0.6 })),
  brightness: 1,
  furnish: furnishGym,
}))

/** Rectangles that form the red lines on a basketball backboard, in metres. */
const board = cells(
  '-.9 2.75 .9 2.8, -.9 3.7 .9 3.75, -.9 2.75 -.85 3.75, .85 2.75 .9 3.75, -.3 3.35 .3 3.39, -.3 2.95 .3 2.99, -.3 2.95 -.26 3.39, .26 2.95 .3 3.39',
)

/** Draws the lines of a court, wall bars and a basketball hoop. */
function furnishGym(context: SKRSContext2D, room: Room, { depth, half }: RoomSize): void {
  const { stage } = room
  courtLines(context, room, depth)
  const back = frontPlane(stage.view, depth - 0.2)
  for (let u = -half + 0.2; u < half - 0.2; u += 0.95)
    if (Math.abs(u + 0.4) > 1.5)
      fillRects(
        context,
        back,
        Array.from({ length: 9 }, (_, i) => [u, 0.2 + i * 0.26, u + 0.85, 0.26 + i * 0.26] as const),
        tone(room, '#b98a55', 0.7),
      )
  const hoop = frontPlane(stage.view, depth - 0.7)
  fillRects(context, hoop, [[-0.9, 2.75, 0.9, 3.75]], tone(room, '#f6f6f2', 0.9))
  fillRects(context, hoop, board, tone(room, '#d3452f', 0.8))
  const c = hoop(0, 2.86)
  const r = (0.23 * stage.view.focal) / (depth - 0.7)
  context.strokeStyle = tone(room, '#e8562f', 0.9)
  context.lineWidth = r * 0.16
  context.beginPath()
  context.ellipse(c.x, c.y, r, r * 0.25, 0, 0, 7)
  context.stroke()
}

function courtLines(context: SKRSContext2D, room: Room, depth: number): void {
  const floor = levelPlane(room.stage.view, 0.002)
  const white = 'rgba(255,252,240,0.85)'
  fillRects(context, floor, [[-1.25, depth - 4.2, 1.25, depth]], tone(room, '#b5533c', 0.7))
  const lines: (readonly [number, number, number, number])[] = [
    [-1.28, depth - 4.2, -1.22, depth],
    [1.22, depth - 4.2, 1.28, depth],
    [-1.28, depth - 4.25, 1.28, depth - 4.18],
    [-room.plan.halfWidth + 0.5, 0.5, -room.plan.halfWidth + 0.56, depth],
    [room.plan.halfWidth - 0.56, 0.5, room.plan.halfWidth - 0.5, depth],
  ]
  fillRects(context, floor, lines, white)
  const points = Array.from(
    { length: 33 },
    (_, i) => [Math.cos((i / 32) * Math.PI) * 3.6, depth - 0.4 - Math.sin((i / 32) * Math.PI) * 5.2] as const,
  )
  const inner = points.map(([u, v]) => [u * 0.985, depth - 0.4 + (v - depth + 0.4) * 0.987] as const).reverse()
  fillPolygon(context, floor, [...points, ...inner], white)
}
