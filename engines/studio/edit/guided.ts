import { boxPlane } from '../style/box-plane.ts'
import { createPlane, type Plane, type Raster } from '../style/pixels.ts'
import { stretch } from '../style/stretch.ts'

/** A mask described by the picture's colours: in each grid cell, the mask value is a linear
 *  function of red, green and blue. Evaluated on the pixels of the full-size picture, such a mask
 *  follows the picture's edges more precisely than the grid. */
interface GuidedMask {
  /** Mask = r * weights[0] + g * weights[1] + b * weights[2] + weights[3], per grid cell. */
  weights: [Plane, Plane, Plane, Plane]
}

/** Fits the mask to the picture, both at the same reduced size, in squares of `radius` pixels.
 *  After He, Sun, Tang: Guided Image Filtering (PAMI 2013). The paper solves a 3 x 3 system for the
 *  three channels; here each channel is fitted to the part of the mask that the previous channels
 *  did not explain, which is faster. */
export function fitMask(small: Raster, mask: Plane, options: { radius: number; smooth: number }): GuidedMask {
  const planes = [0, 1, 2].map(k => channel(small, k))
  let rest = mask
  const fitted: Plane[] = []
  let offset = createPlane(mask.width, mask.height)
  for (const plane of planes) {
    const { slope, shift } = fitChannel(plane, rest, options)
    fitted.push(slope)
    const next = createPlane(mask.width, mask.height)
    for (let i = 0; i < next.data.length; i++) {
      next.data[i] = rest.data[i]! - (plane.data[i]! * slope.data[i]! + shift.data[i]!)
      offset.data[i]! += shift.data[i]!
    }
    rest = next
  }
  // The part of the mask that none of the three channels explains is blurred and added as a
  // constant per cell.
  const remainder = boxPlane(rest, options.radius)
  offset = add(offset, remainder)
  return { weights: [fitted[0]!, fitted[1]!, fitted[2]!, offset] }
}

/** Returns a function that writes row `y` of the mask, evaluated on the full-size picture, into
 *  `out`; the values are 0 to 1. */
export function maskRows(guided: GuidedMask, full: Raster): (y: number, out: Float32Array) => void {
  const { width, height, data } = full
  const readers = guided.weights.map(plane => stretch(plane, width, height))
  const rows = readers.map(() => new Float32Array(width))
  const [red, green, blue, shift] = [rows[0]!, rows[1]!, rows[2]!, rows[3]!]
  return (y, out) => {
    readers.forEach((read, k) => {
      read(y, rows[k]!)
    })
    for (let x = 0; x < width; x++) {
      const j = (y * width + x) * 4
      const value = (data[j]! * red[x]! + data[j + 1]! * green[x]! + data[j + 2]! * blue[x]!) / 255 + shift[x]!
      // Raises the contrast of the mask: most values between 0 and 1 come from the blur of the fit,
      // and few from structures as fine as hair.
      const t = (value - 0.5) * 1.7 + 0.5
      out[x] = t <= 0 ? 0 : Math.min(t, 1)
    }
  }
}

function channel(small: Raster, k: number): Plane {
  const out = createPlane(small.width, small.height)
  for (let i = 0; i < out.data.length; i++) out.data[i] = small.data[i * 4 + k]! / 255
  return out
}

function fitChannel(guide: Plane, target: Plane, options: { radius: number; smooth: number }): { slope: Plane; shift: Plane } {
  const { radius } = options
  const meanGuide = boxPlane(guide, radius)
  const meanTarget = boxPlane(target, radius)
  const meanSquare = boxPlane(product(guide, guide), radius)
  const meanProduct = boxPlane(product(guide, target), radius)
  const slope = createPlane(guide.width, guide.height)
  const shift = createPlane(guide.width, guide.height)
  for (let i = 0; i < slope.data.length; i++) {
    const variance = meanSquare.data[i]! - meanGuide.data[i]! ** 2
    slope.data[i] = (meanProduct.data[i]! - meanGuide.data[i]! * meanTarget.data[i]!) / (variance + options.smooth)
    shift.data[i] = meanTarget.data[i]! - slope.data[i]! * meanGuide.data[i]!
  }
  return { slope: boxPlane(slope, radius), shift: boxPlane(shift, radius) }
}

function product(a: Plane, b: Plane): Plane {
  const out = createPlane(a.width, a.height)
  for (let i = 0; i < out.data.length; i++) out.data[i] = a.data[i]! * b.data[i]!
  return out
}

function add(a: Plane, b: Plane): Plane {
  const out = createPlane(a.width, a.height)
  for (let i = 0; i < out.data.length; i++) out.data[i] = a.data[i]! + b.data[i]!
  return out
}
