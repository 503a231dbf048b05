import { parseHex } from '../../colour.ts'
import { luma, shade } from '../colour.ts'
import type { Pen } from './pen.ts'

/** Returns the colour of a second part of a thing. Returns `natural` when the prompt gives the
 *  thing no colour; else the colour of the prompt, made lighter or darker by `amount` (-1 to 1). */
export function accent(pen: Pen, natural: string, amount: number): string {
  const named = pen.main('')
  if (named === '') return natural
  const tone = luma(parseHex(named))
  // A very dark colour is always made lighter, a very light one always darker.
  return shade(named, tone < 0.2 ? Math.abs(amount) : tone > 0.82 ? -Math.abs(amount) * 0.7 : amount)
}

/** Returns a light or dark `#rrggbb` that contrasts with the colour. */
export function contrast(colour: string, light = '#fbfaf6', dark = '#26272e'): string {
  return luma(parseHex(colour)) > 0.72 ? dark : light
}

/** Calls `paint` with the drawing rotated clockwise by `angle` radians around a point. */
export function turned(pen: Pen, turn: { x: number; y: number; angle: number }, paint: () => void): void {
  const { context } = pen
  context.save()
  context.translate(turn.x, turn.y)
  context.rotate(turn.angle)
  paint()
  context.restore()
}
