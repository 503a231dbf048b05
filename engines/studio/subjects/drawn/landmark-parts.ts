import { scaled } from '../brush.ts'
import type { Pen } from './pen.ts'

/** Draws rows of windows on a facade. */
export function panes(
  pen: Pen,
  at: { x: number; y: number; width: number; height: number; columns: number; rows: number },
  colour: string,
): void {
  const { x, y, width, height, columns, rows } = at
  for (let i = 0; i < columns; i++)
    for (let k = 0; k < rows; k++)
      pen.boxFlat(
        x + ((i + 0.22) * width) / columns,
        y + ((k + 0.2) * height) / rows,
        (width / columns) * 0.56,
        (height / rows) * 0.6,
        colour,
      )
}

/** Draws an onion dome on its base, with the tip at `y`. */
export function onion(pen: Pen, x: number, y: number, size: number, colour: string): void {
  pen.box(x - size * 0.6, y + size * 2.1, size * 1.2, size * 1.2, '#e9dcc6')
  pen.shape(scaled([0, 0, -0.3, 0.7, -1, 1.3, -0.8, 2, -0.5, 2.3, 0.5, 2.3, 0.8, 2, 1, 1.3, 0.3, 0.7], [size, size], [x, y]), colour, 3)
  pen.line([x, y + 1, x, y - size * 0.6], 1.1, '#e2b64a')
}

/** Draws a pointed arch with a dark inside. */
export function niche(pen: Pen, x: number, low: number, width: number, height: number, colour: string): void {
  pen.shapeFlat(
    [x - width / 2, low, x - width / 2, low - height * 0.62, x, low - height, x + width / 2, low - height * 0.62, x + width / 2, low],
    colour,
  )
}
