import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import type { Random, Rgb } from '../drawing.ts'
import { triples } from '../pairs.ts'
import { css, mix, rgb, shift } from './colour.ts'
import { lit } from './palette.ts'
import type { Stage } from './stage.ts'

export interface Flower {
  /** Position of the bottom of the stem, in pixels. */
  x: number
  y: number
  /** Radius of the flower head in pixels. */
  size: number
  /** Index into the colours of the brush. */
  colour: number
}

/** Draws flowers in a few colours. Three flower heads of each colour are drawn once and then
 *  copied. */
interface FlowerBrush {
  draw(context: SKRSContext2D, flower: Flower): void
}

const variants = 3
const head = 40

export function createFlowerBrush(stage: Stage, colours: readonly Rgb[], random: Random): FlowerBrush {
  const heads = colours.map(colour =>
    Array.from({ length: variants }, () => drawHead(stage, mix(colour, rgb('#ffffff'), random.between(0, 0.22)), random)),
  )
  const stem = css(lit(stage.palette, rgb('#4f7a38'), 0.5), 0.85)
  const dots = colours.map(colour => css(lit(stage.palette, colour, 0.95)))
  let turn = 0
  return {
    draw: (context, f) => {
      const headY = f.y - f.size * 3
      if (f.size < 0.0026 * stage.unit) {
        context.fillStyle = dots[f.colour] ?? stem
        context.fillRect(f.x - f.size, headY - f.size * 0.7, f.size * 2, f.size * 1.4)
        return
      }
      turn = (turn + 1) % variants
      context.fillStyle = stem
      context.fillRect(f.x - f.size * 0.1, headY, f.size * 0.2, f.size * 3)
      const stamp = heads[f.colour]?.[turn]
      if (stamp !== undefined) context.drawImage(stamp, f.x - f.size * 1.25, headY - f.size * 0.95, f.size * 2.5, f.size * 1.9)
    },
  }
}

function drawHead(stage: Stage, colour: Rgb, random: Random): Canvas {
  const canvas = createCanvas(head, head)
  const ink = canvas.getContext('2d')
  const { palette } = stage
  const centre = head / 2
  const petals = random.integer(5, 8)
  const start = random.next() * 7
  for (const [reach, amount, tone] of triples([1, 0, 0.5, 0.86, 0.06, 0.95])) {
    ink.fillStyle = css(lit(palette, shift(colour, tone < 0.6 ? -0.22 : amount), tone))
    for (let i = 0; i < petals; i++) {
      const angle = start + (i / petals) * Math.PI * 2
      ink.beginPath()
      ink.ellipse(
        centre + Math.cos(angle) * 10.5 * reach,
        centre + Math.sin(angle) * 10.5 * reach,
        8.4 * reach,
        (29 / petals) * reach,
        angle,
        0,
        7,
      )
      ink.fill()
    }
  }
  const heart = colour.r > 220 && colour.g > 180 && colour.b < 120 ? rgb('#b5762a') : rgb('#f3c53a')
  ink.fillStyle = css(lit(palette, heart, 0.9))
  ink.beginPath()
  ink.arc(centre, centre, 5.2, 0, 7)
  ink.fill()
  ink.fillStyle = css(lit(palette, shift(heart, 0.35), 1), 0.7)
  ink.beginPath()
  ink.arc(centre + stage.sun.side * 1.6, centre - 1.6, 2.4, 0, 7)
  ink.fill()
  return canvas
}
