import { createRaster, type Raster } from './pixels.ts'

/** The picture at another size: area average where it shrinks, Catmull-Rom where it grows. Alpha is scaled like a colour. */
export function resizeRaster(raster: Raster, width: number, height: number): Raster {
  if (width === raster.width && height === raster.height) return { data: raster.data.slice(), width, height }
  const columns = axis(raster.width, width)
  const rows = axis(raster.height, height)
  const out = createRaster(width, height)
  const read = lineReader(raster, columns, rows.taps)
  const sum = new Float32Array(width * 4)
  for (let y = 0; y < height; y++) {
    const line = out.data.subarray(y * width * 4, (y + 1) * width * 4)
    const weightOf = (k: number) => rows.weights[y * rows.taps + k]!
    const rowOf = (k: number) => read(inside(rows.start[y]! + k, raster.height))
    if (rows.taps === 4) {
      mixFour([rowOf(0), rowOf(1), rowOf(2), rowOf(3)], [weightOf(0), weightOf(1), weightOf(2), weightOf(3)], line)
      continue
    }
    sum.fill(0)
    for (let k = 0; k < rows.taps; k++) if (weightOf(k) !== 0) addScaled(sum, rowOf(k), weightOf(k))
    for (let i = 0; i < line.length; i++) line[i] = sum[i]!
  }
  return out
}

type Four<T> = readonly [T, T, T, T]

function mixFour([a, b, c, d]: Four<Float32Array>, [wa, wb, wc, wd]: Four<number>, out: Uint8ClampedArray): void {
  for (let i = 0; i < out.length; i++) out[i] = a[i]! * wa + b[i]! * wb + c[i]! * wc + d[i]! * wd
}

function inside(place: number, size: number): number {
  return place < 0 ? 0 : place >= size ? size - 1 : place
}

interface Axis {
  taps: number
  start: Int32Array
  weights: Float32Array
}

/** For every target position: the first source position and the weights of those from there on. */
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

/** Rows of the raster at the width of the axis; the last few stay as they are until as many others are read. */
function lineReader(raster: Raster, columns: Axis, kept: number): (y: number) => Float32Array {
  const { taps } = columns
  const lines = Array.from({ length: kept }, () => new Float32Array(columns.start.length * 4))
  const rowOf = new Int32Array(kept).fill(-1)
  // The row with its first and last pixel repeated as far as any weight reaches.
  const padded = new Float32Array((raster.width + taps * 2) * 4)
  return y => {
    const slot = y % kept
    const line = lines[slot]!
    if (rowOf[slot] === y) return line
    rowOf[slot] = y
    const own = raster.data.subarray(y * raster.width * 4, (y + 1) * raster.width * 4)
    for (let i = 0, o = taps * 4; i < own.length; i++, o++) padded[o] = own[i]!
    for (let k = 0; k < taps; k++) {
      padded.set(own.subarray(0, 4), k * 4)
      padded.set(own.subarray(own.length - 4), (taps + raster.width + k) * 4)
    }
    if (taps === 4) scaleFour(padded, columns, line)
    else scaleMany(padded, columns, line)
    return line
  }
}

function scaleFour(padded: Float32Array, { start, weights }: Axis, out: Float32Array): void {
  for (let x = 0, o = 0; x < start.length; x++, o += 4) {
    const i = (start[x]! + 4) * 4
    const w0 = weights[o]!
    const w1 = weights[o + 1]!
    const w2 = weights[o + 2]!
    const w3 = weights[o + 3]!
    for (let c = 0; c < 4; c++)
      out[o + c] = padded[i + c]! * w0 + padded[i + 4 + c]! * w1 + padded[i + 8 + c]! * w2 + padded[i + 12 + c]! * w3
  }
}

function scaleMany(padded: Float32Array, { start, weights, taps }: Axis, out: Float32Array): void {
  for (let x = 0; x < start.length; x++) {
    let r = 0
    let g = 0
    let b = 0
    let a = 0
    for (let k = 0, i = (start[x]! + taps) * 4; k < taps; k++, i += 4) {
      const weight = weights[x * taps + k]!
      r += padded[i]! * weight
      g += padded[i + 1]! * weight
      b += padded[i + 2]! * weight
      a += padded[i + 3]! * weight
    }
    out[x * 4] = r
    out[x * 4 + 1] = g
    out[x * 4 + 2] = b
    out[x * 4 + 3] = a
  }
}

function addScaled(sum: Float32Array, row: Float32Array, weight: number): void {
  for (let i = 0; i < sum.length; i++) sum[i]! += row[i]! * weight
}
