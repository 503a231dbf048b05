import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Point } from '../artwork.ts'
import { between, blob, ellipse, fill, form, inside, line } from '../brush.ts'
import { shade } from '../colour.ts'
import { fluff } from './fluff.ts'
import type { Frame } from './frame.ts'

interface TailSpot extends Frame {
  context: SKRSContext2D
  isGrounded: boolean
  /** Converts an offset from the base of the tail, in body lengths, to a point. The point is at
   *  least 1 unit above the ground; a lower one is raised to this height. */
  to(x: number, y: number): Point
}

export function paintTail(context: SKRSContext2D, frame: Frame): void {
  const { species, tailBase, pose } = frame
  const to = (x: number, y: number): Point => ({ x: tailBase.x + x * species.length, y: Math.min(-1, tailBase.y + y * species.length) })
  const isGrounded = pose === 'sitting' || pose === 'lying' || pose === 'sleeping' || pose === 'rearing'
  tails[species.tail]({ ...frame, context, isGrounded, to })
}

const tails: Record<Frame['species']['tail'], (spot: TailSpot) => void> = {
  bushy,
  ringed: bushy,
  squirrel: plumed,
  horse: flowing,
  short: ({ context, species, tailBase }) =>
    form(context, ellipse(tailBase.x - 1, tailBase.y, species.legWidth * 0.62, species.legWidth * 0.5, -0.6), species.tailTip, {
      depth: 1,
    }),
  puff: ({ context, species, tailBase }) =>
    form(context, ellipse(tailBase.x - 1, tailBase.y + 2, species.legWidth * 0.85, species.legWidth * 0.8), species.tailTip, {
      depth: 1.5,
      amount: 0.12,
    }),
  curly: ({ context, species, tailBase, to }) =>
    line(context, [tailBase, to(-0.06, -0.06), to(-0.02, -0.12), to(-0.08, -0.14), to(-0.11, -0.06)], {
      width: 2.6,
      colour: species.tailTip,
    }),
  none: () => undefined,
  pompom: spot => {
    slender(spot)
    const { context, species, isGrounded, to } = spot
    const end = isGrounded ? to(-0.52, -0.1) : to(-0.34, -0.4)
    fluff(context, { at: end, radius: species.legWidth * 1.25, colour: species.coat })
  },
  thin: slender,
  tuft: slender,
}

function slender({ context, species, tailBase, isGrounded, to }: TailSpot): void {
  const width = species.legWidth * 0.62
  const raised = isGrounded
    ? [tailBase, to(-0.2, 0.1), to(-0.42, 0.06), to(-0.52, -0.08)]
    : [tailBase, to(-0.16, -0.02), to(-0.3, -0.16), to(-0.34, -0.38)]
  const points = species.tail === 'tuft' && !isGrounded ? [tailBase, to(-0.1, 0.06), to(-0.16, 0.24), to(-0.13, 0.4)] : raised
  line(context, points, { width, colour: species.coat })
  const end = points[3] ?? tailBase
  if (species.tail === 'tuft') form(context, ellipse(end.x, end.y, width * 0.9, width * 1.7, 0.2), species.tailTip, { depth: 0.8 })
  else line(context, [between(points[2] ?? end, end, 0.55), end], { width, colour: species.tailTip })
}

function flowing({ context, species, pose, isGrounded, to }: TailSpot): void {
  const sweep = pose === 'running' || pose === 'flying' ? -0.34 : -0.1
  const points = [
    to(0.04, -0.03),
    to(sweep * 0.7, -0.02),
    to(sweep * 1.2, 0.26),
    to(sweep * 1.5, isGrounded ? 0.3 : 0.62),
    to(sweep * 0.8, 0.44),
    to(0.02, 0.12),
  ]
  form(context, blob(points), species.tailTip, { depth: 2 })
}

/** Draws a tail upright behind the back, like a squirrel's. */
function plumed({ context, species, tailBase: { x, y } }: TailSpot): void {
  const plume = blob([
    x + 6,
    y + 6,
    x - 18,
    y + 4,
    x - 36,
    y - 26,
    x - 30,
    y - 62,
    x - 8,
    y - 74,
    x + 8,
    y - 56,
    x - 6,
    y - 46,
    x - 10,
    y - 22,
  ])
  form(context, plume, species.coat, { depth: 4 })
  inside(context, plume, () => line(context, [x - 14, y, x - 24, y - 34, x - 8, y - 62], { width: 9, colour: `${species.tailTip}aa` }))
}

function bushy({ context, species, tailBase: base, pose, isGrounded }: TailSpot): void {
  const size = species.length
  const bend = isGrounded
    ? { mid: { x: -0.3, y: 0.1 }, end: { x: -0.62, y: -0.1 } }
    : pose === 'running'
      ? { mid: { x: -0.32, y: -0.03 }, end: { x: -0.7, y: 0.0 } }
      : { mid: { x: -0.28, y: 0.04 }, end: { x: -0.56, y: 0.2 } }
  const at = (x: number, y: number): [number, number] => [base.x + x * size, Math.min(-1, base.y + y * size)]
  const { mid, end } = bend
  const plume = blob([
    at(0.05, -0.05),
    at(mid.x * 0.55, mid.y - 0.15),
    at(mid.x * 1.25, mid.y - 0.2 + end.y * 0.25),
    at((mid.x + end.x) * 0.62, (mid.y + end.y) * 0.5 - 0.14),
    at(end.x, end.y),
    at(mid.x * 1.3, mid.y + 0.17 + end.y * 0.35),
    at(mid.x * 0.7, mid.y + 0.14),
    at(0.03, 0.06),
  ])
  form(context, plume, species.coat, { depth: size * 0.03 })
  inside(context, plume, () => {
    fill(context, ellipse(base.x + end.x * size, base.y + end.y * size, size * 0.17, size * 0.16), species.tailTip)
    if (species.tail !== 'ringed') return
    for (const share of [0.3, 0.55, 0.8])
      fill(
        context,
        ellipse(
          base.x + (mid.x + (end.x - mid.x) * share) * size * 0.9,
          base.y + (mid.y + (end.y - mid.y) * share) * size,
          size * 0.035,
          size * 0.2,
          0.3,
        ),
        shade(species.tailTip, -0.1),
      )
  })
}
