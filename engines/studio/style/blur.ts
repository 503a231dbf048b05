import { bellRows } from './bell-blur.ts'
import { createPlane, createRaster, isOpaque, type Plane, pixelWords, premultiplied, type Raster } from './pixels.ts'
import { resizeRaster } from './resize.ts'
import { meansAlongRows, meansDownRow } from './simd/pixel-kernels.ts'
import { halveRow } from './simd/plane-kernels.ts'
import { inRoom, take, views } from './simd/room.ts'
import { rasterRows, stretchedPixelRows, stretchedRows, stretchRaster } from './stretch.ts'

/** Returns the picture blurred with a box filter, run `passes` times; `radius` is in whole pixels,
 *  at most 128. With more passes, the filter comes closer to a bell curve. Alpha is blurred like a
 *  colour, so the pixels must be opaque or premultiplied. */
export function boxBlur(raster: Raster, radius: number, passes = 1): Raster {
  if (radius < 1) return { data: raster.data.slice(), width: raster.width, height: raster.height }
  const out = createRaster(raster.width, raster.height)
  for (let pass = 0; pass < passes; pass++) blurOnce(pass === 0 ? raster : out, out, radius)
  return out
}

/** Returns a softly blurred picture; `sigma` is about the standard deviation in pixels. A larger
 *  sigma costs less time, because the blur then works on a reduced picture. Alpha is blurred like a
 *  colour, so the pixels must be opaque or premultiplied. */
export function softBlur(raster: Raster, sigma: number): Raster {
  if (sigma < 0.4) return { data: raster.data.slice(), width: raster.width, height: raster.height }
  if (shrinkFor(raster, sigma) === 1) return boxBlur(raster, Math.max(1, Math.round(sigma)), sigma < 1.2 ? 1 : 2)
  return stretchRaster(smallBlur(raster, sigma), raster.width, raster.height)
}

/** Returns a function that writes row `y` of the blurred picture into `out`. Only a reduced blurred
 *  picture is kept in memory, never the full-size one. The pixels must be opaque or
 *  premultiplied. */
export function softRows(raster: Raster, sigma: number): (y: number, out: Uint8Array) => void {
  return rasterRows(smallBlur(raster, sigma), raster.width, raster.height)
}

/** Returns a function that computes row `y` of the blurred picture and returns its address in the
 *  WebAssembly memory of the filters. The row is valid only inside the `inRoom` call in which it
 *  was read. `raster` has straight alpha; the rows are premultiplied, so transparent pixels do not
 *  affect them. `change` may alter the reduced, premultiplied picture before it is blurred. */
export function softenedRows(raster: Raster, sigma: number, change?: (small: Raster) => void): (y: number) => number {
  return stretchedPixelRows(smallBlur(isOpaque(raster) ? raster : premultiplied(raster), sigma, change), raster)
}

function smallBlur(raster: Raster, sigma: number, change?: (small: Raster) => void): Raster {
  const factor = shrinkFor(raster, sigma)
  const width = Math.max(1, Math.round(raster.width / factor))
  const height = Math.max(1, Math.round(raster.height / factor))
  const small = resizeRaster(factor < quarter * 2 ? raster : shrinkToQuarter(raster), width, height)
  change?.(small)
  return boxBlur(small, Math.max(1, Math.round(sigma / factor)), 3)
}

/** Mask of every second byte of a 32-bit word. The other bytes are set to 0, so that one addition
 *  adds two channels at once: the sum of 257 bytes fits into 16 bits. */
const lowBytes = 0x00ff00ff

const quarter = 4

/** Returns the picture at a quarter of its width and height. Each pixel is the mean of 4 x 4
 *  pixels, or of fewer at the right and lower edges. Alpha is averaged like a colour. */
function shrinkToQuarter(raster: Raster): Raster {
  const { width, height } = raster
  const small = createRaster(Math.ceil(width / quarter), Math.ceil(height / quarter))
  const from = pixelWords(raster)
  const to = pixelWords(small)
  const redBlue = new Int32Array(small.width)
  const greenAlpha = new Int32Array(small.width)
  for (let row = 0; row < small.height; row++) {
    redBlue.fill(0)
    greenAlpha.fill(0)
    const rows = Math.min(quarter, height - row * quarter)
    for (let y = 0; y < rows; y++) {
      const base = (row * quarter + y) * width
      for (let x = 0; x < width; x++) {
        const pixel = from[base + x]!
        redBlue[x >> 2]! += pixel & lowBytes
        greenAlpha[x >> 2]! += (pixel >>> 8) & lowBytes
      }
    }
    for (let column = 0; column < small.width; column++) {
      const count = rows * Math.min(quarter, width - column * quarter)
      const half = count >> 1
      const mean = (sum: number): number => ((sum + half) / count) | 0
      const low = mean(redBlue[column]! & 65535) | (mean(redBlue[column]! >>> 16) << 16)
      const high = mean(greenAlpha[column]! & 65535) | (mean(greenAlpha[column]! >>> 16) << 16)
      to[row * small.width + column] = low | (high << 8)
    }
  }
  return small
}

function shrinkFor(raster: Raster, sigma: number): number {
  return Math.max(1, Math.min(32, Math.floor(sigma / 2), Math.min(raster.width, raster.height) >> 2))
}

/** Returns a plane blurred with a Gaussian; `sigma` is in pixels and may be fractional. */
export function blurPlane(plane: Plane, sigma: number): Plane {
  const { width, height } = plane
  if (sigma < 0.25) return { data: plane.data.slice(), width, height }
  const out = createPlane(width, height)
  inRoom(() => {
    const read = blurredRows(plane, sigma)
    for (let y = 0; y < height; y++) {
      const at = read(y) / 4
      out.data.set(views().floats.subarray(at, at + width), y * width)
    }
  })
  return out
}

/** Returns a function that computes row `y` of a plane blurred by `sigma` (pixels, at least 0.25)
 *  and returns its address in the WebAssembly memory of the filters. Rows must be read from top to
 *  bottom. A row is valid until the next call, and only inside the `inRoom` call in which it was
 *  read. */
export function blurredRows(plane: Plane, sigma: number): (y: number) => number {
  if (sigma <= 2.5 || Math.min(plane.width, plane.height) < 64) return bellRows(plane, sigma)
  // A wide blur leaves no fine detail, so it is computed at half or a quarter of the size and
  // enlarged.
  const shift = sigma >= 6 ? 2 : 1
  const small = shift === 2 ? halfOf(halfOf(plane)) : halfOf(plane)
  const soft = blurPlane(small, sigma / (1 << shift))
  // Each pixel of the reduced plane is enlarged to a whole block, so the enlarged plane may be a
  // few pixels larger than the original.
  return stretchedRows(soft, { width: soft.width << shift, height: soft.height << shift })
}

/** Returns the plane at half its size: means of 2 x 2 pixels. With an odd width, the last column
 *  counts twice; with an odd height, the last row. */
function halfOf({ data, width, height }: Plane): Plane {
  const small = createPlane((width + 1) >> 1, (height + 1) >> 1)
  return inRoom(() => {
    const groups = (small.width + 3) >> 2
    const [upper, lower, to] = [take(groups * 32), take(groups * 32), take(groups * 16)]
    const { floats } = views()
    const fill = (at: number, y: number): void => {
      floats.set(data.subarray(y * width, (y + 1) * width), at / 4)
      floats[at / 4 + width] = data[(y + 1) * width - 1]!
    }
    for (let y = 0; y < small.height; y++) {
      fill(upper, y * 2)
      fill(lower, Math.min(height - 1, y * 2 + 1))
      halveRow(to, upper, lower, groups)
      small.data.set(floats.subarray(to / 4, to / 4 + small.width), y * small.width)
    }
    return small
  })
}

/** Blurs once along rows and columns from `source` to `target`, which may be the same raster. */
function blurOnce(source: Raster, target: Raster, radius: number): void {
  const { width, height } = source
  const taps = radius * 2 + 1
  const share = Math.round(2 ** 20 / taps)
  inRoom(() => {
    const line = (width + (width & 1)) * 4
    const rowOf = meansAlong(source, { line, radius, share })
    const [sums, empty, row] = [take(line * 2), take(line), take(line)]
    const { bytes } = views()
    bytes.fill(0, sums, sums + line * 2)
    bytes.fill(0, empty, empty + line)
    for (let k = -radius; k <= radius; k++) meansDownRow(row, sums, rowOf(k), empty, line / 8, share)
    for (let y = 0; y < height; y++) {
      meansDownRow(row, sums, rowOf(y + radius + 1), rowOf(y - radius), line / 8, share)
      target.data.set(bytes.subarray(row, row + width * 4), y * width * 4)
    }
  })
}

/** Returns a function that computes row `y` blurred along the row only, and returns its address in
 *  the filters' memory. Above and below the picture, the nearest row of the picture is returned.
 *  Rows are computed in pairs from top to bottom; the last `radius * 2 + 4` of them are kept, as
 *  many as the sum over a column needs. */
function meansAlong(
  { data, width, height }: Raster,
  { line, radius, share }: { line: number; radius: number; share: number },
): (y: number) => number {
  const kept = radius * 2 + 4
  const padded = (width + radius * 2 + 1) * 4
  const [ring, ...from] = [take(line * kept), take(padded), take(padded)]
  let next = 0
  const fill = (at: number, y: number): void => {
    const { bytes, words } = views()
    const inner = at + radius * 4
    bytes.set(data.subarray(y * width * 4, (y + 1) * width * 4), inner)
    words.fill(words[inner / 4]!, at / 4, inner / 4)
    words.fill(words[inner / 4 + width - 1]!, inner / 4 + width, (at + padded) / 4)
  }
  const slotOf = (y: number) => ring! + (y % kept) * line
  return y => {
    const wanted = Math.max(0, Math.min(height - 1, y))
    for (; next <= wanted; next += 2) {
      from.forEach((at, k) => {
        fill(at, Math.min(height - 1, next + k))
      })
      meansAlongRows(slotOf(next), slotOf(next + 1), from[0]!, from[1]!, width, radius * 2 + 1, share)
    }
    return slotOf(wanted)
  }
}
