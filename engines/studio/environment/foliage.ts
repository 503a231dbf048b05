import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Random, Rgb } from '../drawing.ts'
import { css, mix, rgb, shift } from './colour.ts'
import { createMarks, every, type Marks } from './marks.ts'
import { lit, type Palette } from './palette.ts'

/** A clump of leaves: an ellipse in pixels. */
export interface Clump {
  x: number
  y: number
  radiusX: number
  radiusY: number
}

/** Returns five tones of a leaf colour in the light of the palette, from dark (inside a clump) to
 *  light (its sunny edge). */
export function leafTones(palette: Palette, base: Rgb): Rgb[] {
  const sunny = mix(base, rgb('#f6e27a'), 0.22)
  const deep = mix(base, rgb('#1d2f3a'), 0.5)
  return [
    lit(palette, deep, 0.1),
    lit(palette, mix(deep, base, 0.5), 0.3),
    lit(palette, base, 0.6),
    lit(palette, mix(base, sunny, 0.6), 0.9),
    lit(palette, shift(sunny, 0.12), 1.08),
  ]
}

/** Draws the leaves of a clump. Dark tones are drawn first, and lighter tones nearer to the side of
 *  the light. `dab` is the size of a leaf in pixels. */
export function dabClump(
  context: SKRSContext2D,
  clump: Clump,
  tones: readonly Rgb[],
  options: { dab: number; side: number; density: number },
  random: Random,
): void {
  const area = (clump.radiusX * clump.radiusY) / (options.dab * options.dab)
  for (let tone = 0; tone < tones.length; tone++) {
    const lift = tone / (tones.length - 1)
    const count = Math.min(170, Math.ceil(area * options.density * [1.5, 1.1, 1, 0.62, 0.26][tone]!))
    const spread = 1.02 - lift * 0.36
    const centreX = clump.x + options.side * clump.radiusX * 0.36 * lift
    const centreY = clump.y - clump.radiusY * 0.4 * lift
    const size = options.dab * (1.25 - 0.5 * lift)
    const marks = createMarks(context)
    const drawn = every((leastLeaf / size) ** 2)
    const larger = Math.sqrt(drawn)
    for (let i = 0; i < count; i++) {
      const angle = random.next() * Math.PI * 2
      const reach = Math.sqrt(random.next()) * spread
      const own = size * (0.6 + random.next() * 0.8)
      const turn = random.next() * Math.PI
      if (i % drawn !== 0) continue
      const x = centreX + Math.cos(angle) * reach * clump.radiusX
      const y = centreY + Math.sin(angle) * reach * clump.radiusY
      leaf(marks, x, y, own * larger, turn)
    }
    marks.fill(css(tones[tone]!))
  }
}

/** Least size of a leaf in pixels. When leaves would be smaller, fewer leaves of this size are
 *  drawn instead, which cover the same area (see `every` in marks.ts). */
const leastLeaf = 0.8

/** Adds a leaf with two pointed ends and curved sides. It is drawn faster than an ellipse and looks
 *  less round. */
function leaf(marks: Marks, x: number, y: number, size: number, angle: number): void {
  const c = Math.cos(angle) * size
  const s = Math.sin(angle) * size
  marks.move(x + c, y + s)
  marks.quad(x + c * 0.5 - s * 0.8, y + s * 0.5 + c * 0.8, x - c, y - s)
  marks.quad(x - c * 0.5 + s * 0.8, y - s * 0.5 - c * 0.8, x + c, y + s)
}

/** Adds a tapering branch from one point to another, slightly bent, to the current path. */
export function limb(
  context: SKRSContext2D,
  from: { x: number; y: number; width: number },
  to: { x: number; y: number; width: number },
  bend: number,
): void {
  const dx = to.x - from.x
  const dy = to.y - from.y
  const length = Math.hypot(dx, dy) || 1
  const nx = -dy / length
  const ny = dx / length
  const midX = (from.x + to.x) / 2 + nx * bend
  const midY = (from.y + to.y) / 2 + ny * bend
  const a = from.width / 2
  const b = to.width / 2
  const m = (a + b) / 2
  context.moveTo(from.x + nx * a, from.y + ny * a)
  context.quadraticCurveTo(midX + nx * m, midY + ny * m, to.x + nx * b, to.y + ny * b)
  context.lineTo(to.x - nx * b, to.y - ny * b)
  context.quadraticCurveTo(midX - nx * m, midY - ny * m, from.x - nx * a, from.y - ny * a)
  context.closePath()
}
