import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import type { Random } from '../../drawing.ts'
import { glowDisc } from '../celestial.ts'
import { css, rgb, shift } from '../colour.ts'
import { fieldScale } from '../field.ts'
import { screened } from '../screened.ts'
import { addRect, fillRects, frontPlane, sidePlane } from '../solid.ts'
import type { Stage } from '../stage.ts'

/** Dimensions in metres of the street in which neon signs hang. */
interface NeonStreet {
  road: number
  pavement: number
  height: readonly [number, number]
  length: number
}

/** Draws neon signs and glowing edges as plain shapes on a small layer. A blurred copy of the layer
 *  is their glow. */
export function paintNeon(context: SKRSContext2D, stage: Stage, plan: NeonStreet, isStrong: boolean): void {
  const { unit, width, height, view } = stage
  const random = stage.random.fork('neon')
  const scale = fieldScale(width, height, 1)
  const layer = createCanvas(Math.ceil(width * scale), Math.ceil(height * scale))
  const ink = layer.getContext('2d')
  ink.scale(scale, scale)
  const edge = plan.road + plan.pavement
  const tall = plan.height[1]
  const colours = ['#ff2f9e', '#21e6ff', '#9b5cff', '#ffd23a', '#3dffa2', '#ff5a3c']
  for (let i = 0; i < (isStrong ? 70 : 18); i++) {
    const side = random.next() < 0.5 ? -1 : 1
    const z = view.eye * 2.6 + plan.length * 0.5 * random.next() ** 2.4
    const bottom = random.between(3, tall * 0.55)
    const size = random.between(0.8, 1.8) * (tall > 30 ? 2.2 : 1)
    const rows = random.integer(2, 5)
    const colour = random.pick(colours)
    if (random.next() < 0.5)
      neonBoard(
        ink,
        { plane: frontPlane(view, z), u: side * edge - (side > 0 ? size : 0), v: bottom, width: size, height: size * rows * 0.75, colour },
        random,
      )
    else fillRects(ink, sidePlane(view, side * edge * 0.99), [[z, bottom, z + random.between(3, 12), bottom + 0.35]], colour)
  }
  screened(context, () => {
    glowDisc(context, { x: view.centreX, y: view.horizonY - unit * 0.04, radius: unit * 0.6 }, rgb('#c22f9a'), isStrong ? 0.46 : 0.14)
    glowDisc(context, { x: view.centreX, y: view.horizonY + unit * 0.02, radius: unit * 0.34 }, rgb('#27b6e0'), isStrong ? 0.46 : 0.14)
    context.filter = `blur(${unit * 0.03}px)`
    context.globalAlpha = 0.95
    context.drawImage(layer, 0, 0, width, height)
    context.filter = `blur(${unit * 0.008}px)`
    context.drawImage(layer, 0, 0, width, height)
    context.filter = 'none'
    context.globalCompositeOperation = 'source-over'
    context.globalAlpha = 1
    context.drawImage(layer, 0, 0, width, height)
  })
}

interface Board {
  plane: ReturnType<typeof frontPlane>
  u: number
  v: number
  width: number
  height: number
  colour: string
}

/** Draws a sign that sticks out from a wall. Its strokes look like writing from a distance. */
function neonBoard(ink: SKRSContext2D, board: Board, random: Random): void {
  const { plane, u, v, width, height } = board
  fillRects(ink, plane, [[u, v, u + width, v + height]], 'rgba(18,14,34,0.92)')
  const b = width * 0.07
  const c = shift(rgb(board.colour), 0.35)
  fillRects(
    ink,
    plane,
    [
      [u, v, u + width, v + b],
      [u, v + height - b, u + width, v + height],
      [u, v, u + b, v + height],
      [u + width - b, v, u + width, v + height],
    ],
    board.colour,
  )
  const glyphs = Math.max(1, Math.round(height / width / 0.75))
  ink.fillStyle = css(c)
  ink.beginPath()
  for (let g = 0; g < glyphs; g++) {
    const cell = height / glyphs
    for (let s = 0; s < 4; s++) {
      const upright = random.next() < 0.45
      const x = u + width * random.between(0.2, 0.6)
      const y = v + cell * (g + random.between(0.18, 0.66))
      addRect(ink, plane, [x, y, x + (upright ? width * 0.07 : width * 0.3), y + (upright ? cell * 0.4 : cell * 0.08)])
    }
  }
  ink.fill()
}
