import type { Random } from '../drawing.ts'
import { fractalNoise } from './noise.ts'
import { createRaster, type Raster, shortSide } from './pixels.ts'
import { stretch } from './stretch.ts'

/** Returns the picture with uneven outlines. Every pixel is read from another position, up to
 *  `reach` pixels away; the offset changes slowly, over distances of `cell` pixels. */
export function wobble(raster: Raster, random: Random, shape: { reach: number; cell: number }): Raster {
  const { width, height, data } = raster
  const scale = Math.min(1, 256 / shortSide(raster))
  const grid = { width: Math.ceil(width * scale), height: Math.ceil(height * scale) }
  const dxRow = stretch(fractalNoise(random.fork('x'), grid, Math.max(2, shape.cell * scale), 3), width, height)
  const dyRow = stretch(fractalNoise(random.fork('y'), grid, Math.max(2, shape.cell * scale), 3), width, height)
  const dx = new Float32Array(width)
  const dy = new Float32Array(width)
  const out = createRaster(width, height)
  const from = new Uint32Array(data.buffer, data.byteOffset, width * height)
  const to = new Uint32Array(out.data.buffer)
  const reach = shape.reach * 2
  for (let y = 0; y < height; y++) {
    dxRow(y, dx)
    dyRow(y, dy)
    for (let x = 0; x < width; x++) {
      let sx = (x + (dx[x]! - 0.5) * reach + 0.5) | 0
      let sy = (y + (dy[x]! - 0.5) * reach + 0.5) | 0
      if (sx < 0) sx = 0
      else if (sx >= width) sx = width - 1
      if (sy < 0) sy = 0
      else if (sy >= height) sy = height - 1
      to[y * width + x] = from[sy * width + sx]!
    }
  }
  return out
}
