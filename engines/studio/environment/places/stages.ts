import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Rgb } from '../../drawing.ts'
import { pairs } from '../../pairs.ts'
import { glowDisc } from '../celestial.ts'
import { css, hsl, mix, rgb } from '../colour.ts'
import { furniture, type Room, tone } from '../room.ts'
import { screened } from '../screened.ts'
import { fillPolygon, fillRects, frontPlane, type Plane } from '../solid.ts'
import type { Stage } from '../stage.ts'
import { interior, wallColour } from './interior.ts'

/** Draws the beam of a spotlight, which widens and fades towards its end (`to`). Points are in
 *  pixels. */
function beam(
  context: SKRSContext2D,
  from: { x: number; y: number },
  to: { x: number; y: number; radius: number },
  colour: Rgb,
  strength: number,
): void {
  const gradient = context.createLinearGradient(from.x, from.y, to.x, to.y)
  gradient.addColorStop(0, css(colour, strength))
  gradient.addColorStop(1, css(colour, strength * 0.12))
  context.fillStyle = gradient
  context.beginPath()
  context.moveTo(from.x - to.radius * 0.05, from.y)
  context.lineTo(from.x + to.radius * 0.05, from.y)
  context.lineTo(to.x + to.radius, to.y)
  context.lineTo(to.x - to.radius, to.y)
  context.fill()
}

function spotlights(
  context: SKRSContext2D,
  stage: Stage,
  lights: { from: number; to: number; colour: Rgb; strength: number }[],
  top: number,
  floorY: number,
): void {
  screened(context, () => {
    context.filter = `blur(${(stage.unit * 0.006).toFixed(2)}px)`
    for (const light of lights) {
      const radius = stage.unit * 0.17
      const x = stage.view.centreX + light.to * stage.unit
      beam(context, { x: stage.view.centreX + light.from * stage.unit, y: top }, { x, y: floorY, radius }, light.colour, light.strength)
    }
    context.filter = 'none'
    for (const light of lights) {
      const x = stage.view.centreX + light.to * stage.unit
      context.save()
      context.translate(x, floorY)
      context.scale(1, 0.26)
      glowDisc(context, { x: 0, y: 0, radius: stage.unit * 0.24 }, light.colour, light.strength * 0.9)
      context.restore()
    }
  })
}

/** Draws a curtain of heavy folded cloth between two positions on a plane (`u`, in metres). */
function drape(
  context: SKRSContext2D,
  room: Room,
  plane: Plane,
  at: { u: readonly [number, number]; v: readonly [number, number]; colour: Rgb; folds: number; swag: number },
): void {
  const { u, v, folds } = at
  const step = (u[1] - u[0]) / folds
  for (let i = 0; i < folds; i++) {
    for (let k = 0; k < 6; k++) {
      const a = u[0] + (i + k / 6) * step
      const light = 0.12 + 0.75 * Math.sin(((k + 0.5) / 6) * Math.PI) ** 1.3
      const low = v[0] + at.swag * Math.sin(((i + k / 6) / folds) * Math.PI)
      fillPolygon(
        context,
        plane,
        pairs([a, low, a + step / 6 + 0.005, low, a + step / 6 + 0.005, v[1], a, v[1]]),
        tone(room, at.colour, light),
      )
    }
  }
}

/** Paints the stage of a theatre with velvet curtains, lit by two spotlights. */
export const theatre = interior({ depth: 8, least: 3.6 }, (stage, { depth, half }) => {
  const red = wallColour(stage, '#8e1f2b')
  return {
    underfoot: 'wood',
    height: 5.2,
    wall: { kind: 'plain', colour: rgb('#4a2a2c') },
    floor: { kind: 'court', colour: rgb('#a8743f') },
    ceiling: rgb('#2c1c1e'),
    lamps: [{ x: 0, y: 4.6, z: 6, power: 1 }],
    brightness: 0.7,
    furnish: (context, room) => {
      const folds = Math.round(half * 4.6)
      drape(context, room, frontPlane(stage.view, depth - 0.2), {
        u: [-half, half],
        v: [0, room.plan.height],
        colour: mix(red, rgb('#1c1016'), 0.45),
        folds,
        swag: 0,
      })
      frontCurtain(context, room, red)
      const warm = { from: -0.5, to: -0.12, colour: rgb('#ffe2b0'), strength: 0.32 }
      const cool = { from: 0.5, to: 0.12, colour: rgb('#ffd9d0'), strength: 0.3 }
      spotlights(context, stage, [warm, cool], -0.06 * stage.unit, stage.view.nearY - 0.06 * stage.unit)
    },
  }
})

/** Draws a curtain that is open: its halves hang at both edges of the picture, and cloth hangs in
 *  arcs along the top. */
function frontCurtain(context: SKRSContext2D, room: Room, colour: Rgb): void {
  const { view, width } = room.stage
  const z = 5.4
  const front = frontPlane(view, z)
  const w = Math.max(2.2, ((width / 2) * z * 0.66) / view.focal)
  for (const u of [
    [-w - 6, -w],
    [w, w + 6],
  ] as const)
    drape(context, room, front, { u, v: [0, room.plan.height], colour, folds: 22, swag: 0 })
  // Height in metres at which a thing at the distance `z` reaches the top edge of the picture.
  const high = view.eye + (view.horizonY * z) / view.focal
  const swags = Math.max(3, Math.round(w / 0.8))
  const step = ((w + 0.6) * 2) / swags
  for (let i = 0; i < swags; i++) {
    const left = -w - 0.6 + step * i
    drape(context, room, front, { u: [left, left + step + 0.02], v: [high - 0.55, high + 1], colour, folds: 5, swag: -0.28 })
  }
}

export const concertHall = interior({ depth: 11, least: 4 }, (stage, { depth, half }) => {
  const random = stage.random.fork('concert')
  const hues = [random.between(180, 340), random.between(0, 360)]
  return {
    underfoot: 'wood',
    height: 6,
    wall: { kind: 'plain', colour: wallColour(stage, '#2a2740') },
    floor: { kind: 'court', colour: rgb('#5c4a48') },
    ceiling: rgb('#15131f'),
    brightness: 0.62,
    paintFront: context => paintAudience(context, stage),
    furnish: (context, room) => furnishConcert(context, room, { depth, half, hues }),
  }
})

/** Draws a concert stage: a coloured back wall, loudspeakers, a steel frame with spotlights. */
function furnishConcert(context: SKRSContext2D, room: Room, at: { depth: number; half: number; hues: readonly number[] }): void {
  const { stage } = room
  const { depth, half, hues } = at
  const random = stage.random.fork('lights')
  const back = frontPlane(stage.view, depth - 0.1)
  for (let i = 0; i < 40; i++) {
    const u = -half + (half * 2 * i) / 40
    fillRects(context, back, [[u, 0, u + half / 22, 6]], css(hsl(hues[0]! + i * 1.2, 0.5, 0.1 + 0.13 * Math.abs(Math.sin(i * 0.6)))))
  }
  for (const x of [-half + 0.6, half - 2]) {
    furniture(context, room, { x: [x, x + 1.3], y: [0, 1.5], z: [depth - 2, depth - 1.2], colour: rgb('#1b1b22') })
    furniture(context, room, { x: [x, x + 1.3], y: [1.52, 2.9], z: [depth - 2, depth - 1.2], colour: rgb('#202028') })
  }
  truss(context, room, depth)
  const floorY = stage.view.nearY - 0.08 * stage.unit
  const spread = Math.min(stage.width / stage.unit, 3)
  const lights = Array.from({ length: 6 }, (_, i) => ({
    from: ((i + 0.5) / 6 - 0.5) * spread * 0.9,
    to: ((i + 0.5) / 6 - 0.5) * spread * 0.45 + random.between(-0.12, 0.12),
    colour: hsl(hues[i % 2]! + i * 9, 0.9, 0.66),
    strength: 0.42,
  }))
  spotlights(context, stage, lights, stage.view.row(4.6, depth - 2), floorY)
}

function truss(context: SKRSContext2D, room: Room, depth: number): void {
  const plane = frontPlane(room.stage.view, depth - 2)
  const half = room.plan.halfWidth
  fillRects(
    context,
    plane,
    [
      [-half, 4.9, half, 4.96],
      [-half, 4.6, half, 4.66],
    ],
    tone(room, '#6a6a78', 0.5),
  )
  for (let u = -half; u < half; u += 0.5)
    fillPolygon(context, plane, pairs([u, 4.62, u + 0.04, 4.62, u + 0.29, 4.94, u + 0.25, 4.94]), tone(room, '#5a5a68', 0.5))
}

/** Draws the heads and raised hands of the audience along the bottom edge. */
function paintAudience(context: SKRSContext2D, stage: Stage): void {
  const random = stage.random.fork('crowd')
  const { unit, width, height } = stage
  context.fillStyle = 'rgba(10,8,18,0.96)'
  const count = Math.ceil((width / unit) * 13)
  context.beginPath()
  for (let i = 0; i < count; i++) {
    const x = ((i + random.next()) / count) * width
    const r = unit * random.between(0.022, 0.032)
    const y = height - unit * random.between(0.005, 0.03)
    context.moveTo(x + r, y)
    context.arc(x, y, r, 0, 7)
    context.rect(x - r * 1.7, y + r * 0.8, r * 3.4, r * 3)
    if (random.next() < 0.28) context.rect(x + r * 1.2, y - r * 2.2, r * 0.5, r * 3.6)
  }
  context.fill()
}
