import { boxBlur } from './blur.ts'
import type { Raster } from './pixels.ts'

/** Puts small things of strong contrast (eyes, drops, buds), which smoothing removed, back into `simple`, in place.
 *  `radius` is the fineness of what comes back, pixels; `least` the luma difference from which it does. */
export function keepDetails(simple: Raster, original: Raster, options: { radius: number; least: number }): Raster {
  const source = options.radius >= 1 ? boxBlur(original, Math.round(options.radius)).data : original.data
  const { data } = simple
  // Differences of this much beyond the least come back whole.
  const whole = 40
  const scale = 256 / whole
  for (let i = 0; i < data.length; i += 4) {
    const dr = source[i]! - data[i]!
    const dg = source[i + 1]! - data[i + 1]!
    const db = source[i + 2]! - data[i + 2]!
    const off = Math.abs(dr * 0.35 + dg * 0.5 + db * 0.15) - options.least
    if (off <= 0) continue
    const share = off >= whole ? 256 : (off * scale) | 0
    data[i] = data[i]! + ((dr * share) >> 8)
    data[i + 1] = data[i + 1]! + ((dg * share) >> 8)
    data[i + 2] = data[i + 2]! + ((db * share) >> 8)
  }
  return simple
}
