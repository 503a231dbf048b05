import { boxBlur, boxPlane } from './blur.ts'
import { createPlane, createRaster, type Plane, type Raster } from './pixels.ts'

/** Edge-keeping smoothing: every pixel takes its colour from the calmest of eight neighbouring squares, mixed by calmness.
 *  `radius` (pixels) is the size of the patches of even colour that result. Square means come from running sums, so the cost does not grow with it. */
export function kuwahara(raster: Raster, radius: number): Raster {
  const half = Math.max(1, Math.round(radius / 2))
  const { width, height } = raster
  const means = boxBlur(raster, half)
  const calm = calmness(raster, Math.max(1, Math.round(half / 2)))
  // Calmness is judged in blocks of 2 x 2, so offsets are whole blocks.
  const far = Math.max(1, Math.round((half + 1) / 2))
  const near = Math.max(1, Math.round(far * 0.75))
  const out = createRaster(width, height)
  const xs = Int32Array.of(-far, -near, 0, near, far, near, 0, -near)
  const ys = Int32Array.of(0, -near, -far, -near, 0, near, far, near)
  const mix = { xs, ys, means, calm, out }
  for (let blockY = 0; blockY < calm.height; blockY++) mixBlocks(mix, blockY)
  return out
}

/** 1 / (small + variance^2) of the luma around each block of 2 x 2 pixels. */
function calmness(raster: Raster, radius: number): Plane {
  const luma = blockLuma(raster)
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

function blockLuma(raster: Raster): Plane {
  const { data, width, height } = raster
  const out = createPlane((width + 1) >> 1, (height + 1) >> 1)
  for (let y = 0; y < out.height; y++) {
    const upper = y * 2 * width
    const lower = Math.min(height - 1, y * 2 + 1) * width
    for (let x = 0; x < out.width; x++) {
      const right = Math.min(width - 1, x * 2 + 1)
      const a = (upper + x * 2) * 4
      const b = (upper + right) * 4
      const c = (lower + x * 2) * 4
      const d = (lower + right) * 4
      const r = data[a]! + data[b]! + data[c]! + data[d]!
      const g = data[a + 1]! + data[b + 1]! + data[c + 1]! + data[d + 1]!
      const blue = data[a + 2]! + data[b + 2]! + data[c + 2]! + data[d + 2]!
      out.data[y * out.width + x] = (r * 0.299 + g * 0.587 + blue * 0.114) / 4
    }
  }
  return out
}

interface Mix {
  xs: Int32Array
  ys: Int32Array
  means: Raster
  calm: Plane
  out: Raster
}

function mixBlocks(mix: Mix, blockY: number): void {
  const { xs, ys, out, calm } = mix
  const { width, height } = out
  const rows = ys.map(dy => Math.min(calm.height - 1, Math.max(0, blockY + dy)))
  const weights = new Float64Array(8)
  const columns = new Int32Array(8)
  const bottom = Math.min(height, blockY * 2 + 2)
  for (let blockX = 0; blockX < calm.width; blockX++) {
    let total = 0
    for (let k = 0; k < 8; k++) {
      let column = blockX + xs[k]!
      if (column < 0) column = 0
      else if (column >= calm.width) column = calm.width - 1
      const weight = calm.data[rows[k]! * calm.width + column]!
      weights[k] = weight
      columns[k] = column
      total += weight
    }
    for (let k = 0; k < 8; k++) weights[k]! /= total
    const right = Math.min(width, blockX * 2 + 2)
    for (let y = blockY * 2; y < bottom; y++) {
      for (let x = blockX * 2; x < right; x++) mixPixel(mix, { rows, columns, weights }, x, y)
    }
  }
}

function mixPixel(mix: Mix, from: { rows: Int32Array; columns: Int32Array; weights: Float64Array }, x: number, y: number): void {
  const { rows, columns, weights } = from
  const means = mix.means.data
  const { width, height } = mix.out
  const offX = x & 1
  const offY = y & 1
  let r = 0
  let g = 0
  let b = 0
  for (let k = 0; k < 8; k++) {
    const weight = weights[k]!
    if (weight < 0.004) continue
    let sx = columns[k]! * 2 + offX
    if (sx >= width) sx = width - 1
    let sy = rows[k]! * 2 + offY
    if (sy >= height) sy = height - 1
    const j = (sy * width + sx) * 4
    r += means[j]! * weight
    g += means[j + 1]! * weight
    b += means[j + 2]! * weight
  }
  const o = (y * width + x) * 4
  const out = mix.out.data
  out[o] = r
  out[o + 1] = g
  out[o + 2] = b
  out[o + 3] = 255
}
