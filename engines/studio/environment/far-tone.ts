import type { Rgb } from '../drawing.ts'
import { mix } from './colour.ts'
import { lit } from './palette.ts'
import type { Stage } from './stage.ts'

/** Returns the colour of a surface at a distance of `z` metres: lit by `amount` (0 to 1), then
 *  faded into the haze. `clearness` is the distance in metres at which the fading reaches about 63
 *  % of its greatest strength, `palette.hazeStrength`. */
export function farTone(stage: Stage, colour: Rgb, amount: number, z: number, clearness: number): Rgb {
  const { palette } = stage
  const fade = palette.hazeStrength * (1 - Math.exp(-Math.max(0, z) / clearness))
  return mix(lit(palette, colour, amount), palette.haze, fade)
}
