import type { SKRSContext2D } from '@napi-rs/canvas'
import { form, inside } from '../brush.ts'
import { tops } from './tops.ts'
import type { TorsoFrame } from './torso-frame.ts'
import { trims } from './trims.ts'

/** Draws the upper garment with its details; the origin is at the hips, negative y is up. */
export function paintTorso(context: SKRSContext2D, frame: TorsoFrame): void {
  const { outfit, shape, build, stance } = frame
  const colour = outfit.top === 'bare' ? outfit.skin : outfit.top === 'overall' ? outfit.shirtColour : outfit.topColour
  form(context, shape, colour, { depth: build.hip * 0.42 })
  const middle = stance.turn * build.hip * 0.4
  inside(context, shape, () => {
    tops[outfit.top]?.(context, frame, middle)
    for (const trim of outfit.trims) trims[trim.kind]?.(context, frame, { middle, colour: trim.colour })
  })
}
