import type { Random } from '../drawing.ts'
import { grade } from './grade.ts'
import { findPalette, nearestFinder } from './palette.ts'
import { createRaster, type Raster, shortSide } from './pixels.ts'
import { resizeRaster } from './resize.ts'

/** Number of stitches along the short side. With more, a single cross would be too small to be
 *  seen. */
const across = 84
const threads = 26
const linen = [226, 217, 198] as const

/** Draws the picture in cross-stitch on linen: one cross of two threads for each square, in few
 *  colours. */
export function crossStitch(raster: Raster, random: Random): Raster {
  const { width, height } = raster
  const cell = Math.max(4, Math.round(shortSide(raster) / across))
  const columns = Math.ceil(width / cell)
  const small = resizeRaster(raster, columns, Math.ceil(height / cell))
  grade(small, { contrast: 0.2, saturation: 0.22 }, random)
  const palette = findPalette(small, threads)
  const find = nearestFinder(palette)
  const tile = stitchTile(cell)
  const out = createRaster(width, height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = (Math.floor(y / cell) * columns + Math.floor(x / cell)) * 4
      const colour = palette[find(small.data[from]!, small.data[from + 1]!, small.data[from + 2]!)]!
      const stitch = tile[(y % cell) * cell + (x % cell)]!
      const to = (y * width + x) * 4
      if (stitch < 0) {
        out.data[to] = linen[0] * -stitch
        out.data[to + 1] = linen[1] * -stitch
        out.data[to + 2] = linen[2] * -stitch
      } else {
        out.data[to] = colour.r * stitch
        out.data[to + 1] = colour.g * stitch
        out.data[to + 2] = colour.b * stitch
      }
      out.data[to + 3] = 255
    }
  }
  return out
}

/** Returns a brightness factor for each pixel of one cross. A negative factor means that the
 *  pixel is linen between the threads; its brightness is the factor without the sign. */
function stitchTile(cell: number): Float32Array {
  const tile = new Float32Array(cell * cell)
  const half = 0.27
  for (let y = 0; y < cell; y++) {
    for (let x = 0; x < cell; x++) {
      const [u, v] = [(x + 0.5) / cell, (y + 0.5) / cell]
      const upper = Math.abs(u + v - 1) / half
      const lower = Math.abs(u - v) / half
      const round = (off: number) => 0.74 + 0.42 * Math.sqrt(Math.max(0, 1 - off * off))
      tile[y * cell + x] = upper < 1 ? round(upper) : lower < 1 ? round(lower) * (upper < 1.5 ? 0.72 : 0.88) : -0.78
    }
  }
  return tile
}
