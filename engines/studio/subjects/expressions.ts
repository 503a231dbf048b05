import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas'

/** Facial expressions for things that have no face of their own. */
type Expression = 'happy' | 'sad' | 'angry' | 'surprised' | 'sleepy' | 'in love'
const known: readonly Expression[] = ['happy', 'sad', 'angry', 'surprised', 'sleepy', 'in love']

/** Returns the expression that the prompt gives to a thing; undefined when it gives none. */
export function expressionOf(looks: readonly string[]): Expression | undefined {
  return known.find(one => looks.includes(one))
}

/** Returns a copy of a drawing with a face on its broadest part, like the friendly cars and happy
 *  cups of picture books. */
export function withFace(sprite: Canvas, expression: Expression): Canvas {
  const canvas = createCanvas(sprite.width, sprite.height)
  const context = canvas.getContext('2d')
  context.drawImage(sprite, 0, 0)
  const place = broadest(sprite)
  if (!place) return canvas
  context.translate(place.x, place.y)
  context.scale(place.size, place.size)
  for (const side of [-1, 1]) eye(context, side, expression)
  for (const side of [-1, 1]) cheek(context, side)
  mouth(context, expression)
  return canvas
}

/** Returns the middle (`x`, `y`) of the largest square inside the painted area, and slightly
 *  less than half the side of this square (`size`), in pixels. Squares near the middle of the
 *  drawing are preferred. Undefined for a tiny or empty drawing. The search uses a coarse grid,
 *  so the result is approximate. */
function broadest(sprite: Canvas): { x: number; y: number; size: number } | undefined {
  const { width, height } = sprite
  const step = Math.max(1, Math.round(Math.max(width, height) / 48))
  const [columns, rows] = [Math.floor(width / step), Math.floor(height / step)]
  const { data } = sprite.getContext('2d').getImageData(0, 0, width, height)
  const side = new Uint8Array(columns * rows)
  let best: { column: number; row: number; cells: number; off: number } | undefined
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const isSolid = (data[(row * step * width + column * step) * 4 + 3] ?? 0) > 200
      const at = row * columns + column
      const before = row > 0 && column > 0 ? Math.min(side[at - 1] ?? 0, side[at - columns] ?? 0, side[at - columns - 1] ?? 0) : 0
      const cells = isSolid ? before + 1 : 0
      side[at] = cells
      // A square far from the middle of the drawing must be clearly larger than one near the middle
      // to be preferred.
      const off = Math.hypot(column - cells / 2 - columns / 2, row - cells / 2 - rows / 2) * 0.24
      if (cells > 2 && (!best || cells - off > best.cells - best.off)) best = { column, row, cells, off }
    }
  if (!best) return undefined
  const size = (best.cells * step) / 2
  return { x: (best.column + 1) * step - size, y: (best.row + 1) * step - size, size: size * 0.92 }
}

const dark = '#2b2024'

function eye(context: SKRSContext2D, side: number, expression: Expression): void {
  const x = side * 0.36
  const y = -0.16
  context.strokeStyle = dark
  context.lineCap = 'round'
  context.lineWidth = 0.08
  context.beginPath()
  if (expression === 'in love') {
    context.fillStyle = '#e0344a'
    context.moveTo(x, y + 0.2)
    context.bezierCurveTo(x - 0.34, y - 0.02, x - 0.18, y - 0.26, x, y - 0.1)
    context.bezierCurveTo(x + 0.18, y - 0.26, x + 0.34, y - 0.02, x, y + 0.2)
    context.fill()
    return
  }
  if (expression === 'sleepy') {
    context.arc(x, y - 0.04, 0.14, 0.15 * Math.PI, 0.85 * Math.PI)
    context.stroke()
    return
  }
  const wide = expression === 'surprised' ? 1.25 : 1
  context.fillStyle = '#ffffff'
  context.ellipse(x, y, 0.17 * wide, 0.2 * wide, 0, 0, Math.PI * 2)
  context.fill()
  context.fillStyle = dark
  context.beginPath()
  context.ellipse(x + 0.01, y + 0.02, 0.1, 0.125, 0, 0, Math.PI * 2)
  context.fill()
  context.fillStyle = '#ffffff'
  context.beginPath()
  context.arc(x - 0.03, y - 0.04, 0.04, 0, Math.PI * 2)
  context.fill()
  brow(context, side, expression)
  if (expression === 'sad' && side > 0) tear(context, x + 0.04, y + 0.3)
}

function brow(context: SKRSContext2D, side: number, expression: Expression): void {
  const slope = expression === 'angry' ? 0.12 : expression === 'sad' ? -0.1 : 0
  if (slope === 0 && expression !== 'surprised') return
  context.beginPath()
  context.moveTo(side * 0.54, -0.46 - slope)
  context.lineTo(side * 0.2, -0.46 + slope)
  context.stroke()
}

function tear(context: SKRSContext2D, x: number, y: number): void {
  context.fillStyle = '#5ab0ea'
  context.beginPath()
  context.moveTo(x, y - 0.16)
  context.bezierCurveTo(x + 0.14, y + 0.04, x + 0.06, y + 0.14, x, y + 0.14)
  context.bezierCurveTo(x - 0.06, y + 0.14, x - 0.14, y + 0.04, x, y - 0.16)
  context.fill()
}

function cheek(context: SKRSContext2D, side: number): void {
  context.fillStyle = 'rgba(240, 110, 120, 0.45)'
  context.beginPath()
  context.ellipse(side * 0.58, 0.14, 0.12, 0.08, 0, 0, Math.PI * 2)
  context.fill()
}

function mouth(context: SKRSContext2D, expression: Expression): void {
  context.strokeStyle = dark
  context.lineWidth = 0.08
  context.beginPath()
  if (expression === 'surprised') {
    context.fillStyle = '#7a2430'
    context.ellipse(0, 0.36, 0.13, 0.17, 0, 0, Math.PI * 2)
    context.fill()
    return
  }
  if (expression === 'happy' || expression === 'in love') {
    context.fillStyle = '#7a2430'
    context.moveTo(-0.3, 0.16)
    context.quadraticCurveTo(0, 0.22, 0.3, 0.16)
    context.quadraticCurveTo(0.22, 0.52, 0, 0.52)
    context.quadraticCurveTo(-0.22, 0.52, -0.3, 0.16)
    context.fill()
    return
  }
  if (expression === 'sleepy') context.arc(0, 0.28, 0.08, 0, Math.PI * 2)
  else {
    context.moveTo(-0.24, 0.44)
    context.quadraticCurveTo(0, 0.2, 0.24, 0.44)
  }
  context.stroke()
}
