import { shade } from '../colour.ts'
import type { Pen } from './pen.ts'

/** Draws a window pane with a slanting bright reflection; `points` is a flat list x, y, x, y. */
export function pane(pen: Pen, points: number[]): void {
  const left = Math.min(...points.filter((_, index) => index % 2 === 0))
  const area = pen.poly(points, '#a9cfe0', 1.6)
  pen.clip(area, () => pen.polyFlat([left + 8, -140, left + 20, -140, left, 20, left - 12, 20], '#ffffff50'))
}

/** Draws a row of equal panes from `from` to `to`. */
export function paneRow(pen: Pen, row: { from: number; to: number; count: number; top: number; height: number; frame: string }): void {
  const step = (row.to - row.from) / row.count
  for (let i = 0; i < row.count; i++)
    pen.window(row.from + (i + 0.14) * step, row.top, step * 0.72, row.height, { frame: row.frame, bars: false })
}

/** Draws a tyre with a rim of the given colour. */
export function tyre(pen: Pen, x: number, radius: number, rim = '#c3ccd6'): void {
  const face = pen.part('wheels', rim)
  const reach = radius * (face === rim ? 0.56 : 0.72)
  pen.oval(x, -radius, radius, radius, '#25262d')
  pen.oval(x, -radius, reach, reach, face)
  pen.ovalFlat(x, -radius, radius * 0.3, radius * 0.3, shade(face, -0.28))
  pen.ovalFlat(x, -radius, radius * 0.12, radius * 0.12, '#3a3c46')
}

/** Draws a wheel of spokes like that of a bicycle. */
export function spokeWheel(pen: Pen, x: number, radius: number): void {
  for (let i = 0; i < 8; i++) {
    const angle = (i * Math.PI) / 8
    const [dx, dy] = [Math.cos(angle) * radius, Math.sin(angle) * radius]
    pen.line([x - dx, -radius - dy, x + dx, -radius + dy], 0.8, '#aab4c0')
  }
  pen.ring(x, -radius, radius - 2, radius - 2, 4, '#2a2c34')
  pen.ring(x, -radius, radius - 4.6, radius - 4.6, 1.4, '#c3ccd6')
  pen.ovalFlat(x, -radius, 3, 3, '#5a5f6a')
}
