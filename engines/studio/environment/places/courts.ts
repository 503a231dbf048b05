import type { SKRSContext2D } from '@napi-rs/canvas'
import { css, rgb, smooth } from '../colour.ts'
import { fillRects, frontPlane } from '../solid.ts'
import type { Stage } from '../stage.ts'

type Tone = readonly [number, number, number]

/** The ground of a sport. `tone` is its colour at a position, `line` the share of white line there,
 *  0 to 1. Positions are in units of the distance of the nearest ground on which subjects stand. */
interface Court {
  tone(x: number, z: number): Tone
  line(x: number, z: number): number
  paintThings?(context: SKRSContext2D, stage: Stage, near: number): void
}

const lineWidth = 0.028
const on = (distance: number) => smooth(lineWidth, lineWidth * 0.6, Math.abs(distance))
const span = (value: number, from: number, to: number) => (value >= from - lineWidth && value <= to + lineWidth ? 1 : 0)

const tennis: Court = {
  tone: (x, z) => (Math.abs(x) < 2.1 && z > 0.7 && z < 7.6 ? [62, 112, 168] : [66, 138, 92]),
  line: (x, z) => {
    const within = span(z, 1.4, 6.9)
    const across = span(Math.abs(x), 0, 1.7)
    return Math.max(
      on(Math.abs(x) - 1.7) * within,
      on(Math.abs(x) - 1.28) * within,
      on(z - 1.4) * across,
      on(z - 6.9) * across,
      on(z - 2.7) * span(Math.abs(x), 0, 1.28),
      on(z - 5.6) * span(Math.abs(x), 0, 1.28),
      on(x) * span(z, 2.7, 5.6),
    )
  },
  paintThings: (context, stage, near) => {
    const plane = frontPlane(stage.view, near * 4.1)
    const half = near * 1.95
    const height = near * 0.34
    fillRects(context, plane, [[-half, 0, half, height]], 'rgba(20,26,34,0.34)')
    const meshes: (readonly [number, number, number, number])[] = []
    for (let i = 0; i <= 60; i++) {
      const u = -half + (2 * half * i) / 60
      meshes.push([u, 0, u + near * 0.006, height])
    }
    for (let i = 1; i < 6; i++) meshes.push([-half, (height * i) / 6, half, (height * i) / 6 + near * 0.006])
    fillRects(context, plane, meshes, 'rgba(16,20,26,0.5)')
    fillRects(context, plane, [[-half, height * 0.9, half, height * 1.06]], '#f6f6f2')
    for (const x of [-half, half]) fillRects(context, plane, [[x - near * 0.025, 0, x + near * 0.025, height * 1.2]], '#3d4650')
  },
}

const basketball: Court = {
  tone: (x, z) => (Math.abs(x) < 0.8 && z > 4.6 ? [176, 74, 52] : Math.abs(x) < 3 ? [206, 148, 92] : [82, 108, 128]),
  line: (x, z) =>
    Math.max(
      on(Math.abs(x) - 3),
      on(Math.abs(x) - 0.8) * (z > 4.6 ? 1 : 0),
      on(z - 4.6) * span(Math.abs(x), 0, 0.8),
      on(Math.hypot(x, z - 4.6) - 0.8),
      on(Math.hypot(x, z - 6.6) - 2.6) * (z < 6.9 ? 1 : 0),
      on(z - 1.2),
    ),
  paintThings: (context, stage, near) => {
    const plane = frontPlane(stage.view, near * 6.8)
    const unit = near
    fillRects(context, plane, [[-unit * 0.06, 0, unit * 0.06, unit * 2.1]], '#4a525c')
    fillRects(context, plane, [[-unit * 0.75, unit * 1.9, unit * 0.75, unit * 2.9]], '#f7f7f4')
    fillRects(context, plane, [[-unit * 0.28, unit * 2.05, unit * 0.28, unit * 2.5]], '#d24a35')
    fillRects(context, plane, [[-unit * 0.23, unit * 2.1, unit * 0.23, unit * 2.44]], '#f7f7f4')
    fillRects(context, plane, [[-unit * 0.3, unit * 1.95, unit * 0.3, unit * 2.02]], '#e2642c')
    fillRects(context, plane, [[-unit * 0.22, unit * 1.6, unit * 0.22, unit * 1.95]], 'rgba(255,255,255,0.55)')
  },
}

const dirt: Tone = [190, 132, 84]
const turf: Tone = [84, 158, 66]

/** A baseball field: a square of grass that stands on a corner, with dirt around it, bases at its
 *  corners and the pitcher's mound in the middle. */
const baseball: Court = {
  tone: (x, z) => {
    const round = Math.hypot(x, z - 3.6)
    const diamond = Math.abs(x) + Math.abs(z - 3.9)
    if (Math.hypot(x, z - 3.6) < 0.3 || Math.hypot(x, z - 1.9) < 0.55) return dirt
    return diamond < 1.65 ? turf : round < 2.9 ? dirt : turf
  },
  line: (x, z) => {
    const base = (bx: number, bz: number) => (Math.abs(x - bx) < 0.1 && Math.abs(z - bz) < 0.14 ? 1 : 0)
    return Math.max(base(0, 1.95), base(1.95, 3.9), base(-1.95, 3.9), base(0, 5.85), on(Math.abs(x) - (z - 1.95)) * (z > 1.95 ? 1 : 0))
  },
}

/** Returns the court that the details of the setting name; undefined when they name none, which
 *  gives a pitch of grass. */
export function courtOf(stage: Stage): Court | undefined {
  if (stage.has('tennis')) return tennis
  if (stage.has('basketball')) return basketball
  return stage.has('baseball') ? baseball : undefined
}

/** Draws the shine of water on a court when it rains or the prompt says that the court is wet. */
export function paintWet(context: SKRSContext2D, stage: Stage, top: number): void {
  if (!stage.weather('rain', 'storm') && !stage.has('wet')) return
  const { unit, width, height } = stage
  const random = stage.random.fork('puddles')
  context.save()
  for (let i = 0; i < 16; i++) {
    const t = random.between(0.12, 1)
    const y = top + (height - top) * t
    const wide = unit * random.between(0.05, 0.16) * (0.3 + t)
    context.fillStyle = css(rgb('#dfeaf2'), 0.3)
    context.beginPath()
    context.ellipse(random.next() * width, y, wide, wide * 0.16, 0, 0, 7)
    context.fill()
  }
  context.restore()
}
