import type { Random } from '../drawing.ts'
import { softBlur } from './blur.ts'
import { grade } from './grade.ts'
import { createRaster, type Raster, shortSide } from './pixels.ts'

/** Draws dots of pure colour side by side on a light canvas. The colour of each dot differs
 *  slightly from the picture's, and small dots lie over large ones. */
export function pointillism(raster: Raster, random: Random): Raster {
  const { width, height } = raster
  const unit = shortSide(raster)
  const calm = softBlur(raster, Math.max(1, unit / 300))
  grade(calm, { saturation: 0.4, exposure: 0.12, contrast: 0.12 }, random.fork('grade'))
  const ground = softBlur(calm, Math.max(1, unit / 60))
  const out = createRaster(width, height)
  for (let j = 0; j < out.data.length; j += 4) {
    out.data[j] = ground.data[j]! * 0.6 + 92
    out.data[j + 1] = ground.data[j + 1]! * 0.6 + 88
    out.data[j + 2] = ground.data[j + 2]! * 0.6 + 78
    out.data[j + 3] = 255
  }
  for (const [pitch, size] of [
    [unit / 74, unit / 118],
    [unit / 100, unit / 160],
  ] as const)
    dotLayer(calm, out, { pitch: Math.max(2, pitch), size: Math.max(1, size) }, random.fork(`dots ${pitch}`))
  return out
}

function dotLayer(from: Raster, to: Raster, { pitch, size }: { pitch: number; size: number }, random: Random): void {
  for (let y = 0; y < from.height + pitch; y += pitch * 0.86)
    for (let x = 0; x < from.width + pitch; x += pitch) {
      const centre = { x: x + random.between(-0.5, 0.5) * pitch, y: y + random.between(-0.5, 0.5) * pitch }
      const px = Math.min(from.width - 1, Math.max(0, Math.round(centre.x)))
      const py = Math.min(from.height - 1, Math.max(0, Math.round(centre.y)))
      const j = (py * from.width + px) * 4
      // Each dot is warmer or colder than the picture, at random; from a distance, the eye mixes
      // the dots to the picture's colour.
      const warm = random.between(-1, 1) * 30
      const light = random.between(-16, 16)
      drawDot(to, { ...centre, radius: size * random.between(0.75, 1.15) }, [
        from.data[j]! + warm + light,
        from.data[j + 1]! + light + (warm > 0 ? 0 : 6),
        from.data[j + 2]! - warm + light,
      ])
    }
}

function drawDot({ data, width, height }: Raster, dot: { x: number; y: number; radius: number }, colour: readonly number[]): void {
  const reach = Math.ceil(dot.radius)
  const [left, right] = [Math.max(0, Math.floor(dot.x - reach)), Math.min(width - 1, Math.ceil(dot.x + reach))]
  for (let y = Math.max(0, Math.floor(dot.y - reach)); y <= Math.min(height - 1, dot.y + reach); y++)
    for (let x = left; x <= right; x++) {
      const inside = dot.radius + 0.5 - Math.hypot(x - dot.x, y - dot.y)
      if (inside <= 0) continue
      const share = Math.min(1, inside) * 0.94
      const j = (y * width + x) * 4
      data[j] = data[j]! + (colour[0]! - data[j]!) * share
      data[j + 1] = data[j + 1]! + (colour[1]! - data[j + 1]!) * share
      data[j + 2] = data[j + 2]! + (colour[2]! - data[j + 2]!) * share
    }
}
