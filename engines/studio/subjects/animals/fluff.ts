import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Point } from '../artwork.ts'
import { ellipse, form } from '../brush.ts'
import { shade } from '../colour.ts'
import type { Frame } from './frame.ts'

/** Draws one ball of curls, such as the topknot of a poodle, the rings of fur around its ankles, or
 *  the end of its tail. */
export function fluff(
  context: SKRSContext2D,
  { at: { x, y }, radius, colour, flat = 1 }: { at: Point; radius: number; colour: string; flat?: number },
): void {
  const curl = { depth: radius * 0.16, amount: 0.14 }
  const ring = 8
  for (let i = 0; i < ring; i++) {
    const angle = (i / ring) * Math.PI * 2 + 0.3
    form(
      context,
      ellipse(x + Math.cos(angle) * radius * 0.62, y + Math.sin(angle) * radius * 0.62 * flat, radius * 0.44, radius * 0.42 * flat),
      shade(colour, Math.sin(angle) > 0 ? -0.06 : 0.02),
      curl,
    )
  }
  form(context, ellipse(x - radius * 0.1, y - radius * 0.12 * flat, radius * 0.62, radius * 0.58 * flat), colour, curl)
}

/** Draws the balls of fur over the ankles and the chest of a poodle; the balls cover the legs and
 *  the trunk of the poodle. Draws nothing for other animals. */
export function paintClip(context: SKRSContext2D, { species, legs, neckBase, head, pose }: Frame): void {
  if (!species.markings.includes('poodle')) return
  const { legWidth, depth, coat } = species
  for (const leg of legs) {
    const at = { x: leg.foot.x, y: leg.foot.y - legWidth * 1.1 }
    fluff(context, { at, radius: legWidth * 1.15, colour: leg.isFar ? shade(coat, -0.12) : coat })
  }
  const isLow = pose === 'lying' || pose === 'sleeping'
  fluff(context, { at: { x: neckBase.x - depth * 0.1, y: neckBase.y + depth * (isLow ? 0.05 : 0.2) }, radius: depth * 0.62, colour: coat })
  fluff(context, { at: { x: (neckBase.x + head.x) / 2, y: (neckBase.y + head.y) / 2 }, radius: depth * 0.34, colour: coat })
}

/** Draws a poodle's curls on the ears and the top of the head, in coordinates in which half the
 *  head's width and height are 1. */
export function paintTopknot(context: SKRSContext2D, colour: string): void {
  for (const side of [-1, 1])
    fluff(context, { at: { x: 0.08 + side * 1.1, y: 0.24 }, radius: 0.4, colour: shade(colour, -0.05), flat: 1.5 })
  fluff(context, { at: { x: 0.1, y: -0.95 }, radius: 0.66, colour, flat: 0.9 })
}
