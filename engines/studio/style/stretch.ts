import { createPlane, createRaster, type Plane, pixelWords, type Raster } from './pixels.ts'
import { mixFloatRows } from './simd/light-kernels.ts'
import { spreadPixelRow, spreadRow } from './simd/plane-kernels.ts'
import { inRoom, take, views } from './simd/room.ts'

/** The fixed-point value of one pixel (16 fraction bits). */
const one = 65_536

export function resizePlane(plane: Plane, width: number, height: number): Plane {
  const out = createPlane(width, height)
  const row = stretch(plane, width, height)
  for (let y = 0; y < height; y++) row(y, out.data.subarray(y * width, (y + 1) * width))
  return out
}

/** Returns a small picture enlarged by bilinear interpolation. Used for blurred pictures, which
 *  have no sharp details that the interpolation could blur. Alpha is interpolated like a colour, so
 *  the pixels must be opaque or premultiplied. */
export function stretchRaster(raster: Raster, width: number, height: number): Raster {
  const out = createRaster(width, height)
  const bytes = new Uint8Array(out.data.buffer)
  const read = rasterRows(raster, width, height)
  for (let y = 0; y < height; y++) read(y, bytes.subarray(y * width * 4, (y + 1) * width * 4))
  return out
}

/** Returns the position in the source at which a target row begins (`u`) and the distance between
 *  two target pixels (`du`), both in source pixels with 16 fraction bits. Position 0 is one pixel
 *  before the first source pixel, because the row is stored with one pixel repeated on either
 *  side. */
function placesOf(from: number, to: number): { u: number; du: number } {
  return { u: Math.round((0.5 * from * one) / to + 0.5 * one), du: Math.round((from * one) / to) }
}

/** Returns the two source rows between which target row `y` lies, and the weight of the lower one,
 *  0 to 1. */
function between(y: number, from: number, to: number): { top: number; bottom: number; share: number } {
  const position = Math.min(from - 1, Math.max(0, ((y + 0.5) * from) / to - 0.5))
  const top = Math.floor(position)
  return { top, bottom: Math.min(from - 1, top + 1), share: position - top }
}

/** Returns a function that writes row `y` of a plane enlarged by bilinear interpolation into `out`.
 *  The enlarged plane is never in memory as a whole. */
export function stretch(plane: Plane, width: number, height: number): (y: number, out: Float32Array) => void {
  return (y, out) =>
    inRoom(() => {
      const at = stretchedRows(plane, { width, height })(y) / 4
      out.set(views().floats.subarray(at, at + width))
    })
}

/** Returns a function that computes row `y` of a plane enlarged to `size` and returns its address
 *  in the WebAssembly memory of the filters. A row is valid until the next call, and only inside
 *  the `inRoom` call in which it was read. */
export function stretchedRows({ data, width, height }: Plane, size: { width: number; height: number }): (y: number) => number {
  const groups = (size.width + 15) >> 4
  const to = take(groups * 64)
  const from = take((width + 2) * 4 + 16)
  const first = from / 4 + 1
  const [upper, lower, part] = [take(width * 4), take(width * 4), take(4)]
  const { u, du } = placesOf(width, size.width)
  return y => {
    const { top, bottom, share } = between(y, height, size.height)
    const { floats } = views()
    floats.set(data.subarray(top * width, (top + 1) * width), upper / 4)
    floats.set(data.subarray(bottom * width, (bottom + 1) * width), lower / 4)
    floats[part / 4] = share
    mixFloatRows(first * 4, upper, lower, (width + 3) >> 2, part)
    floats[first - 1] = floats[first]!
    floats[first + width] = floats[first + width - 1]!
    spreadRow(to, from, groups, u, du)
    return to
  }
}

/** Mask of every second byte of a 32-bit word. The other bytes are set to 0, so that one
 *  multiplication processes two channels. */
const lowBytes = 0x00ff00ff
const halves = 0x00800080

/** Returns a function that writes row `y` of a small RGBA picture enlarged by bilinear
 *  interpolation into `out`. The enlarged picture is never in memory as a whole. Alpha is
 *  interpolated like a colour, so the pixels must be opaque or premultiplied. */
export function rasterRows(raster: Raster, width: number, height: number): (y: number, out: Uint8Array) => void {
  return (y, out) =>
    inRoom(() => {
      const at = stretchedPixelRows(raster, { width, height })(y)
      out.set(views().bytes.subarray(at, at + width * 4))
    })
}

/** Like `rasterRows`, but the function returns the address of the row in the WebAssembly memory of
 *  the filters. A row is valid until the next call, and only inside the `inRoom` call in which it
 *  was read. */
export function stretchedPixelRows(raster: Raster, size: { width: number; height: number }): (y: number) => number {
  const { u, du } = placesOf(raster.width, size.width)
  const pairs = (size.width + 1) >> 1
  const to = take(pairs * 8 + 16)
  const from = take((raster.width + 2) * 4)
  return y => {
    mixRows(raster, between(y, raster.height, size.height), from / 4 + 1)
    spreadPixelRow(to, from, pairs, u, du)
    return to
  }
}

/** Writes the weighted mean of two rows of pixels to the filters' memory. The first and the last
 *  pixel are repeated once outside the row. */
function mixRows(raster: Raster, { top, bottom, share }: { top: number; bottom: number; share: number }, to: number): void {
  const { width } = raster
  const from = pixelWords(raster)
  const { words } = views()
  const a = top * width
  const b = bottom * width
  const t = Math.round(share * 256)
  for (let x = 0; x < width; x++) {
    const upper = from[a + x]!
    const lower = from[b + x]!
    const redBlue = ((Math.imul(upper & lowBytes, 256 - t) + Math.imul(lower & lowBytes, t) + halves) >>> 8) & lowBytes
    const greenAlpha = Math.imul((upper >>> 8) & lowBytes, 256 - t) + Math.imul((lower >>> 8) & lowBytes, t) + halves
    words[to + x] = redBlue | (greenAlpha & ~lowBytes)
  }
  words[to - 1] = words[to]!
  words[to + width] = words[to + width - 1]!
}
