/** Chalk drawings for the blackboard template. */
import type { SKRSContext2D } from '@napi-rs/canvas'
import { fade, randomOf } from './paint.ts'

/** Draws one line in a chalk colour, an index into `chalks`. */
type Stroke = (chalk: number, draw: (context: SKRSContext2D) => void) => void
/** Draws one sketch around the centre (`cx`, `cy`). `s` is about half of the sketch's height in
 *  inches. */
type Sketch = (stroke: Stroke, cx: number, cy: number, s: number) => void

const chalks = ['#fbfaf3', '#ffd666', '#8fd3e8', '#f5a3a3']
const turn = Math.PI * 2

/** Draws three different sketches, one below the other; the same seed gives the same sketches. */
export function sketches(context: SKRSContext2D, { x, y, w, h }: { x: number; y: number; w: number; h: number }, seed: number): void {
  const random = randomOf(seed + 1)
  const stroke: Stroke = (chalk, draw) => {
    // Each line is drawn twice with a small offset, because a chalk line is never clean.
    for (const [dx, opacity] of [
      [0, 0.85],
      [0.014, 0.35],
    ] as const) {
      context.save()
      context.translate(dx, dx * (random() - 0.5) * 2)
      context.strokeStyle = fade(chalks[chalk % chalks.length] ?? '#ffffff', opacity)
      context.lineWidth = 0.035
      context.lineCap = 'round'
      context.lineJoin = 'round'
      context.beginPath()
      draw(context)
      context.stroke()
      context.restore()
    }
  }
  const row = h / 3
  for (let k = 0; k < 3; k++)
    drawn[(seed * 3 + k * 4) % drawn.length]?.(stroke, x + w / 2, y + row * (k + 0.5), Math.min(w * 0.8, row) * 0.42)
}

const triangle: Sketch = (stroke, cx, cy, s) => {
  stroke(0, context => {
    context.moveTo(cx, cy - s)
    context.lineTo(cx + s * 0.98, cy + s * 0.68)
    context.lineTo(cx - s * 0.98, cy + s * 0.68)
    context.closePath()
  })
  stroke(1, context => context.arc(cx, cy + s * 0.12, s * 0.52, 0, turn))
}

/** Returns a sketch of a graph with axes. `height` gives the curve: for 0 (left end) to 1 (right
 *  end), its height from 0 (bottom) to 1 (top). */
function plot(height: (at: number) => number, chalk: number): Sketch {
  return (stroke, cx, cy, s) => {
    const base = cy + s * 0.75
    stroke(0, context => {
      context.moveTo(cx - s * 1.2, base)
      context.lineTo(cx + s * 1.2, base)
      context.moveTo(cx - s, base + s * 0.2)
      context.lineTo(cx - s, base - s * 1.7)
    })
    stroke(chalk, context => {
      for (let k = 0; k <= 60; k++) context.lineTo(cx - s + (k / 60) * s * 2, base - s * 1.5 * height(k / 60))
    })
  }
}

const cube: Sketch = (stroke, cx, cy, s) =>
  stroke(3, context => {
    const e = s * 1.15
    const [x, y] = [cx - e * 0.71, cy - e * 0.32]
    context.rect(x, y, e, e)
    context.moveTo(x, y)
    context.lineTo(x + e * 0.42, y - e * 0.35)
    context.lineTo(x + e * 1.42, y - e * 0.35)
    context.lineTo(x + e, y)
    context.moveTo(x + e * 1.42, y - e * 0.35)
    context.lineTo(x + e * 1.42, y + e * 0.65)
    context.lineTo(x + e, y + e)
  })

const atom: Sketch = (stroke, cx, cy, s) => {
  for (const [k, angle] of [0, Math.PI / 3, (2 * Math.PI) / 3].entries())
    stroke(k === 0 ? 2 : 0, context => context.ellipse(cx, cy, s, s * 0.36, angle, 0, turn))
  stroke(1, context => context.arc(cx, cy, s * 0.12, 0, turn))
}

const sets: Sketch = (stroke, cx, cy, s) => {
  stroke(1, context => context.arc(cx - s * 0.4, cy, s * 0.72, 0, turn))
  stroke(2, context => context.arc(cx + s * 0.4, cy, s * 0.72, 0, turn))
}

const bars: Sketch = (stroke, cx, cy, s) => {
  for (const [k, height] of [0.55, 0.95, 1.5, 1.15].entries())
    stroke(k === 2 ? 1 : 3, context => context.rect(cx - s + k * s * 0.52, cy + s * 0.75 - s * height, s * 0.36, s * height))
  stroke(0, context => {
    context.moveTo(cx - s * 1.2, cy + s * 0.75)
    context.lineTo(cx + s * 1.2, cy + s * 0.75)
  })
}

const flask: Sketch = (stroke, cx, cy, s) => {
  stroke(0, context => {
    context.moveTo(cx - s * 0.24, cy - s)
    context.lineTo(cx - s * 0.24, cy - s * 0.3)
    context.lineTo(cx - s * 0.85, cy + s * 0.85)
    context.lineTo(cx + s * 0.85, cy + s * 0.85)
    context.lineTo(cx + s * 0.24, cy - s * 0.3)
    context.lineTo(cx + s * 0.24, cy - s)
    context.moveTo(cx - s * 0.36, cy - s)
    context.lineTo(cx + s * 0.36, cy - s)
  })
  stroke(2, context => {
    context.moveTo(cx - s * 0.5, cy + s * 0.2)
    context.quadraticCurveTo(cx - s * 0.25, cy + s * 0.08, cx, cy + s * 0.2)
    context.quadraticCurveTo(cx + s * 0.25, cy + s * 0.32, cx + s * 0.5, cy + s * 0.2)
  })
}

/** The available sketches. A board shows three of them, each four places further in this list than
 *  the sketch before, because neighbours in the list are similar. */
const drawn: readonly Sketch[] = [
  triangle,
  plot(at => 0.16 + 0.62 * Math.exp(-(((at - 0.5) / 0.18) ** 2)) + at * 0.12, 2),
  cube,
  bars,
  atom,
  sets,
  flask,
  plot(at => 0.5 + 0.4 * Math.sin(at * turn * 1.5), 3),
  plot(at => 0.06 + 0.94 * at ** 2.2, 1),
]
