import { boxBlur, boxPlane } from './blur.ts'
import { createPlane, createRaster, opaque, type Plane, pixelWords, type Raster } from './pixels.ts'

/** Edge-keeping smoothing: every block of 2 x 2 pixels takes its colour from the calmest of eight neighbouring squares, mixed by calmness.
 *  `radius` (pixels) is the size of the patches of even colour that result. Square means come from running sums, so the cost does not grow with it. */
export function kuwahara(raster: Raster, radius: number): Raster {
  const half = Math.max(1, Math.round(radius / 2))
  const blocks = shrinkToBlocks(raster)
  const means = boxBlur(blocks.means, Math.round(half / 2 - 0.25))
  const calm = calmness(blocks.luma, Math.max(1, Math.round(half / 2)))
  const far = Math.max(1, Math.round((half + 1) / 2))
  return expandBlocks(mixSquares(means, calm, { far, near: Math.max(1, Math.round(far * 0.75)) }), raster.width, raster.height)
}

/** Red and blue of a pixel, so that one sum counts both. */
const lowBytes = 0x00ff00ff

/** The mean colour and the luma of each block of 2 x 2 pixels; the blocks at the right and lower edge of odd sides hold their pixels twice. */
function shrinkToBlocks(raster: Raster): { means: Raster; luma: Plane } {
  const { width, height } = raster
  const means = createRaster((width + 1) >> 1, (height + 1) >> 1)
  const luma = createPlane(means.width, means.height)
  const from = pixelWords(raster)
  const to = pixelWords(means)
  const light = luma.data
  const columns = means.width
  for (let row = 0; row < means.height; row++) {
    const upper = row * 2 * width
    const lower = Math.min(height - 1, row * 2 + 1) * width
    for (let column = 0; column < columns; column++) {
      const left = column * 2
      const right = left + 1 < width ? left + 1 : left
      const a = from[upper + left]!
      const b = from[upper + right]!
      const c = from[lower + left]!
      const d = from[lower + right]!
      const redBlue = (a & lowBytes) + (b & lowBytes) + (c & lowBytes) + (d & lowBytes)
      const green = ((a >>> 8) & 255) + ((b >>> 8) & 255) + ((c >>> 8) & 255) + ((d >>> 8) & 255)
      const i = row * columns + column
      to[i] = (((redBlue + 0x00020002) >>> 2) & lowBytes) | (((green + 2) >> 2) << 8) | opaque
      light[i] = (redBlue & 65535) * 0.07475 + green * 0.14675 + (redBlue >>> 16) * 0.0285
    }
  }
  return { means, luma }
}

/** 1 / (small + variance^2) of the luma around each block. */
function calmness(luma: Plane, radius: number): Plane {
  const square = createPlane(luma.width, luma.height)
  for (let i = 0; i < square.data.length; i++) square.data[i] = luma.data[i]! * luma.data[i]!
  const mean = boxPlane(luma, radius)
  const meanSquare = boxPlane(square, radius)
  const out = mean.data
  for (let i = 0; i < out.length; i++) {
    const variance = Math.max(0, meanSquare.data[i]! - out[i]! * out[i]!)
    out[i] = 1 / (4 + variance * variance)
  }
  return mean
}

/** Each pixel as the mix of the eight at `far` straight and at `near` slanting steps from it. */
function mixSquares(means: Raster, calm: Plane, { far, near }: { far: number; near: number }): Raster {
  const { width, height } = means
  const out = createRaster(width, height)
  const from = pixelWords(means)
  const to = pixelWords(out)
  const weights = calm.data
  const xs = [-far, -near, 0, near, far, near, 0, -near]
  const ys = [0, -near, -far, -near, 0, near, far, near]
  const steps = Int32Array.from(xs, (x, k) => ys[k]! * width + x)
  for (let y = 0; y < height; y++) {
    const isInside = y >= far && y < height - far
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      let total = 0
      let r = 0
      let g = 0
      let b = 0
      const isWhole = isInside && x >= far && x < width - far
      for (let k = 0; k < 8; k++) {
        const j = isWhole ? i + steps[k]! : inside(y + ys[k]!, height) * width + inside(x + xs[k]!, width)
        const weight = weights[j]!
        const pixel = from[j]!
        total += weight
        r += (pixel & 255) * weight
        g += ((pixel >>> 8) & 255) * weight
        b += ((pixel >>> 16) & 255) * weight
      }
      const scale = 1 / total
      to[i] = (r * scale + 0.5) | 0 | (((g * scale + 0.5) | 0) << 8) | (((b * scale + 0.5) | 0) << 16) | opaque
    }
  }
  return out
}

function inside(place: number, size: number): number {
  return place < 0 ? 0 : place >= size ? size - 1 : place
}

/** Twice the size, each pixel nine parts of its block, three of the next across and down, and one of that between. */
function expandBlocks(blocks: Raster, width: number, height: number): Raster {
  const out = createRaster(width, height)
  const from = pixelWords(blocks)
  const to = pixelWords(out)
  const columns = blocks.width
  const redBlue = new Int32Array(columns + 2)
  const green = new Int32Array(columns + 2)
  for (let y = 0; y < height; y++) {
    const own = (y >> 1) * columns
    const other = inside((y >> 1) + ((y & 1) * 2 - 1), blocks.height) * columns
    for (let x = 0; x < columns; x++) {
      const a = from[own + x]!
      const b = from[other + x]!
      redBlue[x + 1] = (a & lowBytes) * 3 + (b & lowBytes)
      green[x + 1] = ((a >>> 8) & 255) * 3 + ((b >>> 8) & 255)
    }
    redBlue[0] = redBlue[1]!
    green[0] = green[1]!
    redBlue[columns + 1] = redBlue[columns]!
    green[columns + 1] = green[columns]!
    const base = y * width
    for (let x = 0; x < width; x++) {
      const i = (x >> 1) + 1
      const next = i + (x & 1) * 2 - 1
      const both = redBlue[i]! * 3 + redBlue[next]! + 0x00080008
      to[base + x] = ((both >>> 4) & lowBytes) | (((green[i]! * 3 + green[next]! + 8) >> 4) << 8) | opaque
    }
  }
  return out
}
