import type { SKRSContext2D } from '@napi-rs/canvas'
import { blob, ellipse, fill, form, line, polygon } from '../brush.ts'
import { shade } from '../colour.ts'
import type { HeadFrame } from './head.ts'

/** A function that draws one worn thing in the head's coordinates. */
export type WornPainter = (context: SKRSContext2D, frame: HeadFrame, colour: string) => void

/** Returns the outline of a dome over the head. `rise` is the height of its top and `low` the
 *  position of its lower edge, both in half heights of the head; a negative `low` is above the
 *  middle of the head. */
export function dome({ w, h, look }: HeadFrame, rise: number, low: number, swell = 1.1) {
  return blob([
    [look * 0.2, -h * rise],
    [w * 0.74 * swell, -h * rise * 0.84],
    [w * swell, low * h],
    [look * 0.6, low * h + h * 0.08],
    [-w * swell, low * h],
    [-w * 0.74 * swell, -h * rise * 0.84],
  ])
}

export function brim(context: SKRSContext2D, { w, h, look }: HeadFrame, colour: string, reach: number, y: number): void {
  form(context, ellipse(look * 0.4, h * y, w * reach, h * 0.2), colour, { depth: w * 0.1 })
}

export function crown(c: SKRSContext2D, f: HeadFrame, colour: string, rise: number): void {
  const y = -f.h * 0.66
  const top = y - f.h * rise
  form(
    c,
    polygon([
      [-f.w * 0.84, y],
      [-f.w * 0.96, top],
      [-f.w * 0.46, y - f.h * rise * 0.5],
      [0, top - f.h * 0.14],
      [f.w * 0.46, y - f.h * rise * 0.5],
      [f.w * 0.96, top],
      [f.w * 0.84, y],
    ]),
    colour,
    { depth: f.w * 0.16, amount: 0.26 },
  )
  for (const [x, jewel] of [
    [-0.5, '#3f8fd0'],
    [0, '#d8343f'],
    [0.5, '#3aa36a'],
  ] as const)
    fill(c, ellipse(x * f.w, y - f.h * 0.13, f.w * 0.09, f.w * 0.1), jewel)
  for (const x of [-0.96, 0, 0.96]) fill(c, ellipse(x * f.w, top - (x === 0 ? f.h * 0.16 : 0), f.w * 0.09, f.w * 0.09), shade(colour, 0.4))
}

export function spectacles(c: SKRSContext2D, f: HeadFrame, colour: string, lens: string): void {
  c.lineWidth = f.w * 0.065
  c.strokeStyle = colour
  for (const side of [-1, 1]) {
    const shape = ellipse(f.look * 1.25 + side * f.w * 0.39, f.h * 0.07, f.w * 0.27, f.h * 0.215)
    fill(c, shape, lens)
    c.stroke(shape)
  }
  line(c, [f.look * 1.25 - f.w * 0.12, f.h * 0.04, f.look * 1.25 + f.w * 0.12, f.h * 0.04], { width: f.w * 0.06, colour })
  for (const side of [-1, 1])
    line(c, [f.look * 1.25 + side * f.w * 0.66, f.h * 0.02, side * f.w * 0.96, f.h * 0.04], { width: f.w * 0.055, colour })
}

export function goggles(c: SKRSContext2D, f: HeadFrame, y: number, lens: string): void {
  line(c, [-f.w * 1.0, f.h * y, f.look, f.h * (y - 0.06), f.w * 1.0, f.h * y], { width: f.h * 0.17, colour: '#33333d' })
  for (const side of [-1, 1]) {
    form(c, ellipse(f.look + side * f.w * 0.36, f.h * y, f.w * 0.32, f.h * 0.24), '#4a4a55', { depth: 0.3 })
    fill(c, ellipse(f.look + side * f.w * 0.36, f.h * y, f.w * 0.24, f.h * 0.17), lens)
  }
}

export function star(c: SKRSContext2D, x: number, y: number, radius: number): void {
  fill(
    c,
    polygon(
      Array.from(
        { length: 10 },
        (_, i) =>
          [
            x + Math.sin((i * Math.PI) / 5) * radius * (i % 2 ? 0.45 : 1),
            y - Math.cos((i * Math.PI) / 5) * radius * (i % 2 ? 0.45 : 1),
          ] as const,
      ),
    ),
    '#f2d75c',
  )
}
