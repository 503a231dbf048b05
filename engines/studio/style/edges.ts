import { blurredRows } from './blur.ts'
import { createPlane, type Plane, type Raster } from './pixels.ts'
import { weighPixelRow } from './simd/light-kernels.ts'
import { inkRow } from './simd/plane-kernels.ts'
import { inRoom, take, views } from './simd/room.ts'

/** Returns the brightness with unusual weights for the channels, about 0 to 255. Red counts almost
 *  as much as green, so that edges between red and green of the same luma are visible, too. */
export function contrastPlane(raster: Raster): Plane {
  return weightedPlane(raster, [0.42, 0.5, 0.08])
}

/** Returns the Rec. 601 luma, 0 to 255. */
export function lumaPlane(raster: Raster): Plane {
  return weightedPlane(raster, [0.299, 0.587, 0.114])
}

/** Returns a weighted sum of red, green and blue for each pixel; alpha is ignored. */
function weightedPlane({ data, width, height }: Raster, weights: readonly [number, number, number]): Plane {
  const plane = createPlane(width, height)
  return inRoom(() => {
    const line = width * 4
    const [from, to, list] = [take(line), take(line + 16), take(12)]
    const { bytes, floats } = views()
    floats.set(weights, list / 4)
    for (let y = 0; y < height; y++) {
      bytes.set(data.subarray(y * line, (y + 1) * line), from)
      weighPixelRow(to, from, (width + 3) >> 2, list)
      plane.data.set(floats.subarray(to / 4, to / 4 + width), y * width)
    }
    return plane
  })
}

/** Returns the luma, reduced for saturated pixels; about 0 to 255. A drawing without colours then
 *  shades a red shirt or a green treetop instead of leaving it white. */
export function bodyPlane(raster: Raster): Plane {
  const plane = lumaPlane(raster)
  const { data } = raster
  for (let i = 0, j = 0; i < plane.data.length; i++, j += 4) {
    const r = data[j]!
    const g = data[j + 1]!
    const b = data[j + 2]!
    const top = r > g ? Math.max(r, b) : Math.max(g, b)
    const low = r < g ? Math.min(r, b) : Math.min(g, b)
    // Saturated blue is darkened less than other colours, so that a blue sky stays blank paper.
    plane.data[i] = Math.max(0, plane.data[i]! - (top - low) * (b === top ? 0.1 : 0.34))
  }
  return plane
}

/** Returns a plane like `contrastPlane` in which saturated dark colours (blue, red) have higher
 *  values. Ink lines drawn from this plane then do not fill such areas with black. */
export function paintPlane(raster: Raster): Plane {
  const plane = contrastPlane(raster)
  const { data } = raster
  for (let i = 0, j = 0; i < plane.data.length; i++, j += 4) {
    const r = data[j]!
    const g = data[j + 1]!
    const b = data[j + 2]!
    const top = r > g ? Math.max(r, b) : Math.max(g, b)
    plane.data[i] = plane.data[i]! * 0.55 + top * 0.45
  }
  return plane
}

/** Returns for each pixel how steeply the values change there: the length of the vector (dx,
 *  dy). dx is the difference between the pixels `step` to the right and `step` to the left, dy
 *  the same for below and above. The differences are not divided by the distance. */
export function gradientPlane(plane: Plane, step = 1): Plane {
  const { width, height, data } = plane
  const out = createPlane(width, height)
  for (let y = 0; y < height; y++) {
    const up = Math.max(0, y - step) * width
    const down = Math.min(height - 1, y + step) * width
    const base = y * width
    for (let x = 0; x < width; x++) {
      const dx = data[base + Math.min(width - 1, x + step)]! - data[base + Math.max(0, x - step)]!
      const dy = data[down + x]! - data[up + x]!
      out.data[base + x] = Math.sqrt(dx * dx + dy * dy)
    }
  }
  return out
}

interface InkOptions {
  /** Width of the line in pixels. */
  sigma: number
  /** Share of the wider blur that is subtracted from the narrower one, 0.9 to 1. A high share draws
   *  only edges; a lower one also fills dark areas. */
  share: number
  /** Value of the difference below which a pixel becomes ink. */
  threshold: number
  /** Steepness of the transition from paper to ink around the threshold. */
  slope: number
}

/** Returns ink lines along the darker side of each edge: 0 is paper, 1 is full ink. The lines are
 *  the difference of two blurs (extended difference of Gaussians). */
export function inkLines(plane: Plane, { sigma, share, threshold, slope }: InkOptions): Plane {
  const { width, height } = plane
  const out = createPlane(width, height)
  return inRoom(() => {
    const shape = take(12)
    const spread = 1 / (1.0001 - share + 0.02)
    views().floats.set([share, -spread * slope, threshold * slope], shape / 4)
    const near = blurredRows(plane, sigma)
    const wide = blurredRows(plane, sigma * 1.6)
    for (let y = 0; y < height; y++) {
      const at = near(y)
      inkRow(at, wide(y), (width + 15) >> 4, shape)
      out.data.set(views().floats.subarray(at / 4, at / 4 + width), y * width)
    }
    return out
  })
}

/** Returns the edge strength of each pixel: the largest of the gradient magnitudes of red, green
 *  and blue, measured as in `gradientPlane`. This also finds edges between colours of equal
 *  luma. */
export function edgePlane({ data, width, height }: Raster, step: number): Plane {
  const out = createPlane(width, height)
  const stride = width * 4
  for (let y = 0; y < height; y++) {
    const up = Math.max(0, y - step) * stride
    const down = Math.min(height - 1, y + step) * stride
    for (let x = 0; x < width; x++) {
      const left = y * stride + Math.max(0, x - step) * 4
      const right = y * stride + Math.min(width - 1, x + step) * 4
      let most = 0
      for (let k = 0; k < 3; k++) {
        const dx = data[right + k]! - data[left + k]!
        const dy = data[down + x * 4 + k]! - data[up + x * 4 + k]!
        const length = dx * dx + dy * dy
        if (length > most) most = length
      }
      out.data[y * width + x] = Math.sqrt(most)
    }
  }
  return out
}
