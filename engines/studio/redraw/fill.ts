/** Fills a region of a picture to match its surroundings. */
import { fillExactly } from '../edit/fill-hole.ts'
import { crop, type Rectangle } from '../edit/geometry.ts'
import { clamp, copyRaster, createPlane, type Plane, type Raster } from '../style/pixels.ts'
import { stretch } from '../style/stretch.ts'
import type { Region } from './region.ts'

/** Returns the picture with the region filled by patches that are copied from its surroundings. The
 *  brightness and colour of the patches are then adjusted, so that no step is visible at the border
 *  of the region. Uses only the pixels in a window around the region. */
export function fillRegion(picture: Raster, region: Region, seed: string): Raster {
  const window = around(region)
  const filled = crop(picture, window)
  // The filled area is larger than the region by a rim of a few pixels. In the rim, both the
  // original and the filled colours are known, so their difference can be measured.
  const rim = Math.max(2, Math.round(Math.max(window.width, window.height) / 160))
  const wider = widened(region, window, rim)
  fillExactly(filled, wider, seed)
  for (let k = 0; k < 3; k++) matchTone({ picture, region, window, filled, wider, cell: rim }, k)
  if (filled.data.length === picture.data.length) return filled
  const out = copyRaster(picture)
  const length = window.width * 4
  for (let y = 0; y < window.height; y++) {
    out.data.set(filled.data.subarray(y * length, (y + 1) * length), ((window.y + y) * out.width + window.x) * 4)
  }
  return out
}

function around({ box, width, height }: Region): Rectangle {
  const margin = Math.round(Math.max(box.width, box.height) * 0.8 + 32)
  const x = Math.max(0, box.x - margin)
  const y = Math.max(0, box.y - margin)
  return { x, y, width: Math.min(width, box.x + box.width + margin) - x, height: Math.min(height, box.y + box.height + margin) - y }
}

/** Returns a mask of the window: 1 for the pixels of the region and for those up to `margin` pixels
 *  away from it, else 0. */
function widened({ weights, width }: Region, window: Rectangle, margin: number): Uint8Array {
  const rows = new Uint8Array(window.width * window.height)
  for (let y = 0; y < window.height; y++) {
    const from = (window.y + y) * width + window.x
    for (let x = 0; x < window.width; x++) {
      if (weights[from + x] !== 0)
        rows.fill(1, y * window.width + Math.max(0, x - margin), y * window.width + Math.min(window.width, x + margin + 1))
    }
  }
  const out = new Uint8Array(rows.length)
  const counts = new Int32Array(window.width)
  for (let y = -margin; y < window.height; y++) {
    const [entering, leaving] = [y + margin, y - margin - 1]
    for (let x = 0; x < window.width; x++) {
      if (entering < window.height) counts[x]! += rows[entering * window.width + x]!
      if (leaving >= 0) counts[x]! -= rows[leaving * window.width + x]!
      if (y >= 0 && counts[x]! > 0) out[y * window.width + x] = 1
    }
  }
  return out
}

interface RegionFill {
  picture: Raster
  region: Region
  /** The part of the picture in which the filling takes place, in pixels of the picture. */
  window: Rectangle
  filled: Raster
  /** Mask of the filled pixels: 1 for the region and the rim around it, else 0. */
  wider: Uint8Array
  /** Side, in pixels, of the square cells over which the differences between filled and original
   *  pixels are averaged. */
  cell: number
}

/** Largest correction of a channel (0 to 255) of the filled pixels. A cell with a larger mean
 *  difference is corrected only by this much, because its original pixels probably belong to
 *  another object. */
const mostShift = 22

/** Corrects one colour channel of the filled pixels. In the rim around the region, the difference
 *  between the original and the filled values is measured; these differences are interpolated
 *  smoothly over the region and added to the filled values. */
function matchTone({ picture, region, window, filled, wider, cell }: RegionFill, channel: number): void {
  const { width, height } = window
  const offset = createPlane(Math.ceil(width / cell), Math.ceil(height / cell))
  const count = createPlane(offset.width, offset.height)
  const inPicture = (x: number, y: number) => (window.y + y) * picture.width + window.x + x
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      const known = inPicture(x, y)
      if (wider[i] === 0 || region.weights[known] !== 0) continue
      const at = Math.floor(y / cell) * offset.width + Math.floor(x / cell)
      offset.data[at]! += picture.data[known * 4 + channel]! - filled.data[i * 4 + channel]!
      count.data[at]!++
    }
  }
  for (let i = 0; i < offset.data.length; i++) {
    if (count.data[i]! > 0) offset.data[i] = clamp(offset.data[i]! / count.data[i]!, -mostShift, mostShift)
    count.data[i] = Math.min(1, count.data[i]!)
  }
  const read = stretch(spread(offset, count), width, height)
  const row = new Float32Array(width)
  for (let y = 0; y < height; y++) {
    read(y, row)
    for (let x = 0; x < width; x++) {
      const i = (y * width + x) * 4 + channel
      if (wider[y * width + x] !== 0) filled.data[i] = filled.data[i]! + row[x]!
    }
  }
}

/** Returns `values` with its gaps (where `has` is 0) filled by smooth interpolation. The values are
 *  averaged into a plane of half the size, whose gaps are filled in the same way; the gaps are then
 *  filled from that smaller plane. */
function spread(values: Plane, has: Plane): Plane {
  if (values.width <= 1 && values.height <= 1) return values
  const small = createPlane(Math.ceil(values.width / 2), Math.ceil(values.height / 2))
  const weight = createPlane(small.width, small.height)
  for (let y = 0; y < values.height; y++) {
    for (let x = 0; x < values.width; x++) {
      const i = y * values.width + x
      const at = (y >> 1) * small.width + (x >> 1)
      small.data[at]! += values.data[i]! * has.data[i]!
      weight.data[at]! += has.data[i]!
    }
  }
  for (let i = 0; i < small.data.length; i++) {
    if (weight.data[i]! > 0) small.data[i]! /= weight.data[i]!
    weight.data[i] = Math.min(1, weight.data[i]!)
  }
  const read = stretch(spread(small, weight), values.width, values.height)
  const out = createPlane(values.width, values.height)
  const row = new Float32Array(values.width)
  for (let y = 0; y < values.height; y++) {
    read(y, row)
    for (let x = 0; x < values.width; x++) {
      const i = y * values.width + x
      out.data[i] = values.data[i]! * has.data[i]! + row[x]! * (1 - has.data[i]!)
    }
  }
  return out
}
