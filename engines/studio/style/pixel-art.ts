import type { Random } from '../drawing.ts'
import { grade } from './grade.ts'
import { findPalette, nearestFinder } from './palette.ts'
import { createRaster, type Raster, shortSide } from './pixels.ts'
import { resizeRaster } from './resize.ts'

const bayer = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5]

/** Draws pixel art: about 192 dots along the short side (fewer in a small picture), at most 40
 *  colours, dark outlines, and ordered dithering between colours. Each dot is a square of a
 *  whole number of pixels. */
export function pixelArt(raster: Raster, random: Random): Raster {
  const cell = Math.max(2, Math.round(shortSide(raster) / 192))
  const width = Math.max(1, Math.ceil(raster.width / cell))
  const height = Math.max(1, Math.ceil(raster.height / cell))
  const small = resizeRaster(raster, width, height)
  grade(small, { contrast: 0.22, saturation: 0.28 }, random)
  sharpenDots(small)
  const dots = ditherDots(small)
  const out = createRaster(raster.width, raster.height)
  const to = new Uint32Array(out.data.buffer)
  const from = new Uint32Array(dots.data.buffer)
  for (let y = 0; y < raster.height; y++) {
    const row = Math.floor(y / cell) * width
    for (let x = 0; x < raster.width; x++) to[y * raster.width + x] = from[row + Math.floor(x / cell)]!
  }
  return out
}

function ditherDots(small: Raster): Raster {
  const palette = findPalette(small, 40)
  const find = nearestFinder(palette)
  const out = createRaster(small.width, small.height)
  const limit = (value: number) => (value < 0 ? 0 : Math.min(value, 255))
  for (let y = 0; y < small.height; y++) {
    for (let x = 0; x < small.width; x++) {
      const i = (y * small.width + x) * 4
      const shift = ((bayer[(y & 3) * 4 + (x & 3)]! + 0.5) / 16 - 0.5) * 13
      const colour = palette[find(limit(small.data[i]! + shift), limit(small.data[i + 1]! + shift), limit(small.data[i + 2]! + shift))]!
      out.data[i] = colour.r
      out.data[i + 1] = colour.g
      out.data[i + 2] = colour.b
      out.data[i + 3] = 255
    }
  }
  return out
}

/** Increases the contrast between neighbouring dots, in place, mainly by darkening the darker one.
 *  This looks like the outlines that pixel artists draw. */
function sharpenDots(small: Raster): void {
  const { width, height } = small
  const from = small.data.slice()
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = (y * width + x) * 4
      const left = i - (x > 0 ? 4 : 0)
      const right = i + (x < width - 1 ? 4 : 0)
      const up = i - (y > 0 ? width * 4 : 0)
      const down = i + (y < height - 1 ? width * 4 : 0)
      for (let k = 0; k < 3; k++) {
        const mean = (from[left + k]! + from[right + k]! + from[up + k]! + from[down + k]!) / 4
        const off = from[i + k]! - mean
        small.data[i + k] = from[i + k]! + off * (off < 0 ? 0.75 : 0.35)
      }
    }
  }
}
