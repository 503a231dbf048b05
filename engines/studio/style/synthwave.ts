import type { Random } from '../drawing.ts'
import { grade } from './grade.ts'
import { clamp, type Raster, shortSide } from './pixels.ts'
import { evenTones } from './tones.ts'

/** Tones from dark to light: indigo, violet, hot pink, peach, pale cyan. */
const ramp = [
  [14, 8, 46],
  [66, 20, 120],
  [214, 40, 160],
  [255, 132, 150],
  [190, 244, 255],
] as const

/** Draws in the colours of the 1980s at night: tones from indigo over hot pink to pale cyan,
 *  glowing lights, and the dark lines of a screen. */
export function synthwave(raster: Raster, random: Random): Raster {
  const { data, width, height } = evenTones(raster, 112, 0.6)
  const line = Math.max(2, Math.round(shortSide(raster) / 256))
  for (let y = 0; y < height; y++) {
    const dim = y % line === 0 ? 0.86 : 1
    for (let j = y * width * 4, end = j + width * 4; j < end; j += 4) {
      const [r, g, b] = [data[j]!, data[j + 1]!, data[j + 2]!]
      const luma = r * 0.299 + g * 0.587 + b * 0.114
      const at = (luma / 255) * (ramp.length - 1)
      const low = Math.min(ramp.length - 2, Math.floor(at))
      const part = at - low
      // Cold colours are shifted to cyan, so that cold-coloured things contrast with the pink
      // around them.
      const cold = clamp((Math.max(g, b) - r) / 90, 0, 1) * 0.42
      const own = [luma * 0.25, luma * 1.1, luma * 1.25]
      for (let k = 0; k < 3; k++) {
        const tone = ramp[low]![k]! * (1 - part) + ramp[low + 1]![k]! * part
        data[j + k] = (tone * (1 - cold) + own[k]! * cold + (data[j + k]! - luma) * 0.5) * dim
      }
    }
  }
  grade(raster, { bloom: 0.5, contrast: 0.14, vignette: 0.4, grain: 0.06 }, random)
  return raster
}
