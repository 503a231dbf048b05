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
  const from = { rows, columns, weights }
  // Blocks at the right and lower edge of a picture with odd sides are not whole.
  const isWhole = blockY * 2 + 1 < height && rows.every(row => row * 2 + 1 < height)
  const farthest = (width >> 1) - 1 - Math.max(...xs)
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
    if (isWhole && blockX <= farthest) mixBlock(mix, from, blockX * 2, blockY * 2)
    else mixEdge(mix, from, blockX * 2, blockY * 2)
  }
}

/** Where the block at `x`, `y` takes its colours from: blocks, and the share of each. */
interface Sources {
  rows: Int32Array
  columns: Int32Array
  weights: Float64Array
}

/** Squares that have less than this share of a pixel are left out. */
const leastShare = 0.004

/** Four pixels at a time: this runs for every block of the picture, in most styles. */
function mixBlock(mix: Mix, { rows, columns, weights }: Sources, x: number, y: number): void {
  const means = mix.means.data
  const out = mix.out.data
  const stride = mix.out.width * 4
  let r0 = 0
  let g0 = 0
  let b0 = 0
  let r1 = 0
  let g1 = 0
  let b1 = 0
  let r2 = 0
  let g2 = 0
  let b2 = 0
  let r3 = 0
  let g3 = 0
  let b3 = 0
  for (let k = 0; k < 8; k++) {
    const weight = weights[k]!
    if (weight < leastShare) continue
    const i = rows[k]! * 2 * stride + columns[k]! * 8
    const j = i + stride
    r0 += means[i]! * weight
    g0 += means[i + 1]! * weight
    b0 += means[i + 2]! * weight
    r1 += means[i + 4]! * weight
    g1 += means[i + 5]! * weight
    b1 += means[i + 6]! * weight
    r2 += means[j]! * weight
    g2 += means[j + 1]! * weight
    b2 += means[j + 2]! * weight
    r3 += means[j + 4]! * weight
    g3 += means[j + 5]! * weight
    b3 += means[j + 6]! * weight
  }
  const o = y * stride + x * 4
  const p = o + stride
  out[o] = r0
  out[o + 1] = g0
  out[o + 2] = b0
  out[o + 3] = 255
  out[o + 4] = r1
  out[o + 5] = g1
  out[o + 6] = b1
  out[o + 7] = 255
  out[p] = r2
  out[p + 1] = g2
  out[p + 2] = b2
  out[p + 3] = 255
  out[p + 4] = r3
  out[p + 5] = g3
  out[p + 6] = b3
  out[p + 7] = 255
}

function mixEdge(mix: Mix, from: Sources, left: number, top: number): void {
  const { width, height } = mix.out
  for (let y = top; y < Math.min(height, top + 2); y++) {
    for (let x = left; x < Math.min(width, left + 2); x++) mixPixel(mix, from, x, y)
  }
}

function mixPixel(mix: Mix, { rows, columns, weights }: Sources, x: number, y: number): void {
  const means = mix.means.data
  const { width, height } = mix.out
  let r = 0
  let g = 0
  let b = 0
  for (let k = 0; k < 8; k++) {
    const weight = weights[k]!
    if (weight < leastShare) continue
    const sx = Math.min(width - 1, columns[k]! * 2 + (x & 1))
    const sy = Math.min(height - 1, rows[k]! * 2 + (y & 1))
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
