import type { Random } from '../drawing.ts'
import { blurPlane } from './blur.ts'
import { contrastPlane, gradientPlane, lumaPlane } from './edges.ts'
import { grainTile, repeat } from './noise.ts'
import { createRaster, type Raster, shortSide, smoothstep } from './pixels.ts'

const paper = [24, 70, 140] as const
const ink = [226, 238, 250] as const

/** Draws a blueprint: white lines where colours meet, on blue paper with a fine grid. */
export function blueprint(raster: Raster, random: Random): Raster {
  const { width, height } = raster
  const unit = shortSide(raster)
  const edges = gradientPlane(blurPlane(contrastPlane(raster), Math.max(0.8, unit / 760)), Math.max(1, Math.round(unit / 700)))
  const body = blurPlane(lumaPlane(raster), unit / 90)
  const grainRow = repeat(grainTile(random.fork('paper'), 256, 1), width, Math.max(0.8, unit / 640))
  const grain = new Float32Array(width)
  const step = unit / 24
  const line = Math.max(1, unit / 620)
  const out = createRaster(width, height)
  for (let y = 0; y < height; y++) {
    grainRow(y, grain)
    const isRow = y % step < line
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      const drawn = smoothstep(14, 62, edges.data[i]!)
      const grid = isRow || x % step < line ? 0.16 : 0
      const share = Math.max(drawn * 0.94, grid) + (body.data[i]! / 255) * 0.05
      for (let k = 0; k < 3; k++) out.data[i * 4 + k] = paper[k]! * (1 + grain[x]! * 0.05) * (1 - share) + ink[k]! * share
      out.data[i * 4 + 3] = 255
    }
  }
  return out
}
