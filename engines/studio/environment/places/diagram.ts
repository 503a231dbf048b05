import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Stage } from '../stage.ts'

/** Positions of the notes in a diagram, and the points (`to`) at which their lines end; both as
 *  shares of the picture. */
const notes: readonly { x: number; y: number; to: [number, number] }[] = [
  { x: 0.05, y: 0.14, to: [0.42, 0.4] },
  { x: 0.05, y: 0.46, to: [0.4, 0.52] },
  { x: 0.05, y: 0.82, to: [0.42, 0.66] },
  { x: 0.77, y: 0.2, to: [0.58, 0.42] },
  { x: 0.77, y: 0.52, to: [0.6, 0.54] },
  { x: 0.77, y: 0.84, to: [0.58, 0.68] },
]

/** Draws a sheet with a grid, a frame, and notes. A line leads from each note to the thing in the
 *  middle, and ends behind the thing. The notes contain bars in place of text, because the prompt
 *  gives no text for them. */
export function paintDiagram(context: SKRSContext2D, { width, height, unit }: Stage): void {
  context.strokeStyle = '#cfdde4'
  context.lineWidth = Math.max(1, unit * 0.0016)
  const step = unit * 0.05
  context.beginPath()
  for (let x = step / 2; x < width; x += step) {
    context.moveTo(x, 0)
    context.lineTo(x, height)
  }
  for (let y = step / 2; y < height; y += step) {
    context.moveTo(0, y)
    context.lineTo(width, y)
  }
  context.stroke()
  context.strokeStyle = '#3c5666'
  context.lineWidth = unit * 0.004
  context.strokeRect(unit * 0.025, unit * 0.025, width - unit * 0.05, height - unit * 0.05)
  for (const note of notes) paintNote(context, { width, height, unit }, note)
}

function paintNote(
  context: SKRSContext2D,
  { width, height, unit }: Pick<Stage, 'width' | 'height' | 'unit'>,
  { x, y, to }: (typeof notes)[number],
): void {
  const [left, top, wide] = [x * width, y * height, width * 0.18]
  const end = { x: to[0] * width, y: to[1] * height }
  const isLeft = x < 0.5
  context.strokeStyle = '#c2413a'
  context.lineWidth = unit * 0.0035
  context.beginPath()
  context.moveTo(isLeft ? left + wide : left, top)
  context.lineTo(isLeft ? left + wide * 1.25 : left - wide * 0.25, top)
  context.lineTo(end.x, end.y)
  context.stroke()
  context.fillStyle = '#5b7482'
  context.fillRect(left, top - unit * 0.022, wide * 0.8, unit * 0.012)
  context.fillStyle = '#a9bac3'
  context.fillRect(left, top, wide, unit * 0.008)
  context.fillRect(left, top + unit * 0.016, wide * 0.7, unit * 0.008)
}
