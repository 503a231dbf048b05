import { blurPlane } from './blur.ts'
import { createPlane, lumaPlane, type Plane, type Raster } from './pixels.ts'

/** Luma with a share of colour in it, so that borders between hues of equal luma are seen too; about 0 to 255. */
export function contrastPlane(raster: Raster): Plane {
  const plane = createPlane(raster.width, raster.height)
  const { data } = raster
  for (let i = 0, j = 0; i < plane.data.length; i++, j += 4) {
    plane.data[i] = data[j]! * 0.42 + data[j + 1]! * 0.5 + data[j + 2]! * 0.08
  }
  return plane
}

/** Luma, lowered where the picture is colourful: how a drawer without colours gives a red shirt or a green crown its body. About 0 to 255. */
export function bodyPlane(raster: Raster): Plane {
  const plane = lumaPlane(raster)
  const { data } = raster
  for (let i = 0, j = 0; i < plane.data.length; i++, j += 4) {
    const r = data[j]!
    const g = data[j + 1]!
    const b = data[j + 2]!
    const top = r > g ? Math.max(r, b) : Math.max(g, b)
    const low = r < g ? Math.min(r, b) : Math.min(g, b)
    // Skies stay open: blue counts less.
    plane.data[i] = Math.max(0, plane.data[i]! - (top - low) * (b === top ? 0.1 : 0.34))
  }
  return plane
}

/** As `contrastPlane`, but pure deep colours (blue, red) count as light: for ink that must not fill them. */
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

/** Length of the gradient of a plane, in its units per pixel of `step`. */
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
  /** Width of the line, pixels. */
  sigma: number
  /** How much of the wider blur is taken off, 0.9 to 1: higher draws only borders, lower fills the darks too. */
  share: number
  /** Luma under which the difference counts as ink. */
  threshold: number
  /** Steepness from paper to ink. */
  slope: number
}

/** Drawn lines along the dark side of borders (extended difference of Gaussians): 0 paper, 1 full ink. */
export function inkLines(plane: Plane, options: InkOptions): Plane {
  const near = blurPlane(plane, options.sigma)
  const wide = blurPlane(plane, options.sigma * 1.6)
  const { share, threshold, slope } = options
  for (let i = 0; i < near.data.length; i++) {
    const difference = (near.data[i]! - wide.data[i]! * share) / (1.0001 - share + 0.02)
    // Only real steps are outlined, not the slow turns of clouds and shading.
    const step = (wide.data[i]! - near.data[i]! - 0.5) * 0.7
    const ink = (threshold - difference) * slope
    const line = ink <= 0 ? 0 : ink >= 1 ? 1 : ink * ink * (3 - 2 * ink)
    near.data[i] = step <= 0 ? 0 : step >= 1 ? line : line * step
  }
  return near
}
