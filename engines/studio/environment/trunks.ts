import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Random, Rgb } from '../drawing.ts'
import { css, mix, shift } from './colour.ts'
import { createMarks } from './marks.ts'
import { lit } from './palette.ts'
import type { Stage } from './stage.ts'

interface Trunk {
  x: number
  z: number
  radius: number
  bark: Rgb
  moss: Rgb
}

interface Stem {
  x: number
  foot: number
  half: number
  lean: number
  side: number
}

/** Draws a trunk whose upper end is above the picture, with a wide base, a lit side, bark and
 *  moss. */
export function drawTrunk(context: SKRSContext2D, stage: Stage, trunk: Trunk, random: Random): void {
  const { view, palette } = stage
  const foot = view.row(0, trunk.z)
  const half = (trunk.radius * view.focal) / trunk.z
  const stem: Stem = {
    x: view.column(trunk.x, trunk.z),
    foot,
    half,
    lean: random.between(-0.05, 0.05) * foot,
    side: stage.sun.side > 0 ? 1 : -1,
  }
  const fade = palette.hazeStrength * (1 - Math.exp(-trunk.z / 46))
  const tone = (c: Rgb, amount: number) => mix(lit(palette, c, amount), palette.haze, fade)
  const gradient = context.createLinearGradient(stem.x - stem.side * half, 0, stem.x + stem.side * half, 0)
  gradient.addColorStop(0, css(tone(shift(trunk.bark, -0.25), 0.1)))
  gradient.addColorStop(0.55, css(tone(trunk.bark, 0.45)))
  gradient.addColorStop(0.85, css(tone(shift(trunk.bark, 0.1), 0.95)))
  gradient.addColorStop(1, css(tone(trunk.bark, 0.6)))
  context.save()
  traceStem(context, stem, stage.unit)
  context.fillStyle = gradient
  context.fill()
  context.clip()
  barkLines(context, stem, [css(tone(shift(trunk.bark, -0.5), 0.15), 0.55), css(tone(shift(trunk.bark, 0.3), 0.9), 0.35)], random)
  const moss = createMarks(context)
  for (let i = 0; i < 46; i++) {
    const x = stem.x - stem.side * half * random.between(0.2, 1.7)
    moss.oval(x, foot - half * 3.4 * random.next() ** 2, half * random.between(0.06, 0.2), half * random.between(0.05, 0.13))
  }
  moss.fill(css(tone(trunk.moss, 0.5), 0.7))
  context.restore()
}

function traceStem(context: SKRSContext2D, { x, foot, half, lean }: Stem, unit: number): void {
  const top = half * 0.72
  context.beginPath()
  context.moveTo(x - half * 1.9, foot + half * 0.12)
  context.quadraticCurveTo(x - half * 1.05, foot - half * 0.7, x - half, foot - half * 2.4)
  context.quadraticCurveTo(x - half * 0.9 + lean * 0.3, foot * 0.5, x + lean - top, -unit * 0.02)
  context.lineTo(x + lean + top, -unit * 0.02)
  context.quadraticCurveTo(x + half * 0.9 + lean * 0.3, foot * 0.5, x + half, foot - half * 2.4)
  context.quadraticCurveTo(x + half * 1.05, foot - half * 0.7, x + half * 1.9, foot + half * 0.12)
  context.quadraticCurveTo(x, foot + half * 0.3, x - half * 1.9, foot + half * 0.12)
}

function barkLines(context: SKRSContext2D, t: Stem, styles: readonly string[], random: Random): void {
  for (const style of styles) {
    const marks = createMarks(context)
    const count = Math.min(90, Math.ceil(t.foot / t.half) * 5)
    for (let i = 0; i < count; i++) {
      const y = random.next() * t.foot
      const u = Math.sin(random.between(-1.5, 1.5))
      const length = t.half * random.between(0.6, 2.6)
      const px = t.x + (t.lean * (t.foot - y)) / Math.max(1, t.foot) + u * t.half * 0.94
      const wide = t.half * random.between(0.025, 0.07) * (1.15 - Math.abs(u))
      marks.move(px, y - length / 2)
      marks.quad(px + wide * 2, y, px + wide * 0.4, y + length / 2)
      marks.quad(px - wide, y, px, y - length / 2)
    }
    marks.fill(style)
  }
}
