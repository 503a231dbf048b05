import { createRaster, type Raster } from './pixels.ts'
import { addPixelRow, gatherPixelRow } from './simd/pixel-kernels.ts'
import { inRoom, take, views } from './simd/room.ts'
import { repeatEdges } from './simd/smooth-kernels.ts'

/** Returns the picture at another size: averages of areas when it gets smaller, a Catmull-Rom
 *  filter when it gets larger. Alpha is resized like a colour, so the pixels must be opaque or
 *  premultiplied. */
export function resizeRaster(raster: Raster, width: number, height: number): Raster {
  if (width === raster.width && height === raster.height) return { data: raster.data.slice(), width, height }
  const columns = axis(raster.width, width)
  const rows = axis(raster.height, height)
  const out = createRaster(width, height)
  inRoom(() => {
    const read = mixedRows(raster, rows, columns.taps)
    const [starts, weights, row] = [take(width * 4), take(columns.weights.length * 4), take(width * 4)]
    const { bytes, floats, words } = views()
    words.set(
      columns.start.map(start => start * 16),
      starts / 4,
    )
    floats.set(columns.weights, weights / 4)
    for (let y = 0; y < height; y++) {
      gatherPixelRow(row, read(y), width, starts, weights, columns.taps)
      out.data.set(bytes.subarray(row, row + width * 4), y * width * 4)
    }
  })
  return out
}

/** Returns a function that computes row `y` at the new height (but still at the old width), as four
 *  floats per pixel, and returns its address in the filters' memory. The first and last pixel are
 *  repeated `margin` times. */
function mixedRows({ data, width, height }: Raster, rows: Axis, margin: number): (y: number) => number {
  const line = width * 4
  const source = take(line + 16)
  const weights = take(rows.weights.length * 4)
  const sum = take((width + margin * 2 + 4) * 16) + margin * 16
  views().floats.set(rows.weights, weights / 4)
  return y => {
    const { bytes, floats } = views()
    floats.fill(0, sum / 4, sum / 4 + line)
    for (let k = 0; k < rows.taps; k++) {
      const index = y * rows.taps + k
      if (rows.weights[index] === 0) continue
      const from = Math.min(height - 1, Math.max(0, rows.start[y]! + k)) * line
      bytes.set(data.subarray(from, from + line), source)
      addPixelRow(sum, source, (width + 3) >> 2, weights + index * 4)
    }
    repeatEdges(sum, width, margin)
    return sum
  }
}

interface Axis {
  taps: number
  start: Int32Array
  weights: Float32Array
}

/** Returns for every target position the first source position that counts, and the weights of this
 *  and the following source positions. */
function axis(from: number, to: number): Axis {
  const scale = from / to
  const taps = scale > 1 ? Math.ceil(scale) + 1 : 4
  const start = new Int32Array(to)
  const weights = new Float32Array(to * taps)
  for (let i = 0; i < to; i++) {
    const centre = (i + 0.5) * scale - 0.5
    start[i] = Math.floor(scale > 1 ? centre - scale / 2 + 0.5 : centre - 1)
    let total = 0
    for (let k = 0; k < taps; k++) {
      const weight = scale > 1 ? overlap(start[i]! + k, centre, scale) : catmullRom(Math.abs(start[i]! + k - centre))
      weights[i * taps + k] = weight
      total += weight
    }
    for (let k = 0; k < taps; k++) weights[i * taps + k]! /= total
  }
  return { taps, start, weights }
}

function overlap(pixel: number, centre: number, width: number): number {
  return Math.max(0, Math.min(pixel + 0.5, centre + width / 2) - Math.max(pixel - 0.5, centre - width / 2))
}

function catmullRom(distance: number): number {
  if (distance < 1) return (1.5 * distance - 2.5) * distance * distance + 1
  if (distance < 2) return ((2.5 - 0.5 * distance) * distance - 4) * distance + 2
  return 0
}
