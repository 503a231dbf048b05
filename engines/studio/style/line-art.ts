import type { Random } from '../drawing.ts'
import { keepDetails } from './details.ts'
import { edgePlane } from './edges.ts'
import { kuwahara } from './kuwahara.ts'
import { createRaster, type Raster, shortSide, smoothstep } from './pixels.ts'
import { evenTones } from './tones.ts'
import { wobble } from './warp.ts'

/** Draws black outlines on white paper, like a page of a colouring book. */
export function lineArt(raster: Raster, random: Random): Raster {
  const { width, height } = raster
  const unit = shortSide(raster)
  const even = evenTones(raster, 150, 0.8)
  const calm = keepDetails(kuwahara(even, unit / 140), even, { radius: unit / 900, least: 60 })
  const drawn = wobble(calm, random.fork('hand'), { reach: unit / 420, cell: unit / 22 })
  const edges = edgePlane(drawn, Math.max(1, Math.round(unit / 420)))
  const out = createRaster(width, height)
  for (let i = 0, j = 0; i < edges.data.length; i++, j += 4) {
    const ink = smoothstep(15, 52, edges.data[i]!)
    out.data[j] = 254 - ink * 228
    out.data[j + 1] = 254 - ink * 228
    out.data[j + 2] = 252 - ink * 222
    out.data[j + 3] = 255
  }
  return out
}
