import type { Rgb } from '../drawing.ts'
import { mix } from './colour.ts'
import { lit } from './palette.ts'
import type { Stage } from './stage.ts'

/** Returns how a surface colour looks at a distance: lit, then faded into the haze. */
export function farTone(stage: Stage, colour: Rgb, amount: number, z: number, clearness: number): Rgb {
  const { palette } = stage
  const fade = palette.hazeStrength * (1 - Math.exp(-Math.max(0, z) / clearness))
  return mix(lit(palette, colour, amount), palette.haze, fade)
}
