import { createPlane, createRaster, type Plane, type Raster } from './pixels.ts'

/** The picture at another size: area average where it shrinks, Catmull-Rom where it grows. Alpha is scaled like a colour. */
export function resizeRaster(raster: Raster, width: number, height: number): Raster {
  if (width === raster.width && height === raster.height) return { data: raster.data.slice(), width, height }
  const columns = axis(raster.width, width)
  const rows = axis(raster.height, height)
  const out = createRaster(width, height)
  const cache = new Map<number, Float32Array>()
  const sum = new Float32Array(width * 4)
  for (let y = 0; y < height; y++) {
    sum.fill(0)
    const first = rows.start[y]!
    for (let k = 0; k < rows.taps; k++) {
      const weight = rows.weights[y * rows.taps + k]!
      if (weight !== 0) addScaled(sum, horizontal(raster, rows.index(first + k), columns, cache), weight)
    }
    out.data.set(sum, y * width * 4)
    for (const row of cache.keys()) if (row < rows.index(first)) cache.delete(row)
  }
  return out
}

export function resizePlane(plane: Plane, width: number, height: number): Plane {
  const out = createPlane(width, height)
  const row = stretch(plane, width, height)
  for (let y = 0; y < height; y++) row(y, out.data.subarray(y * width, (y + 1) * width))
  return out
}

/** A small soft picture stretched bilinearly: for blurred material, where nothing sharp can be lost. Opaque. */
export function stretchRaster(raster: Raster, width: number, height: number): Raster {
  const out = createRaster(width, height)
  const bytes = new Uint8Array(out.data.buffer)
  const read = rasterRows(raster, width, height)
  for (let y = 0; y < height; y++) read(y, bytes.subarray(y * width * 4, (y + 1) * width * 4))
  return out
}

/** Reads RGBA rows of a small picture stretched bilinearly to another size, without ever holding the stretched picture. Opaque. */
export function rasterRows(raster: Raster, width: number, height: number): (y: number, out: Uint8Array) => void {
  const mixed = new Int32Array(raster.width * 4 + 4)
  const left = new Int32Array(width)
  const share = new Int32Array(width)
  for (let x = 0; x < width; x++) {
    const position = Math.min(raster.width - 1, Math.max(0, ((x + 0.5) * raster.width) / width - 0.5))
    left[x] = Math.floor(position) * 4
    share[x] = Math.round((position - Math.floor(position)) * 256)
  }
  return (y, out) => {
    mixRows(raster, Math.min(raster.height - 1, Math.max(0, ((y + 0.5) * raster.height) / height - 0.5)), mixed)
    for (let x = 0, o = 0; x < width; x++, o += 4) {
      const i = left[x]!
      const t = share[x]!
      out[o] = (mixed[i]! * 256 + (mixed[i + 4]! - mixed[i]!) * t + 32768) >> 16
      out[o + 1] = (mixed[i + 1]! * 256 + (mixed[i + 5]! - mixed[i + 1]!) * t + 32768) >> 16
      out[o + 2] = (mixed[i + 2]! * 256 + (mixed[i + 6]! - mixed[i + 2]!) * t + 32768) >> 16
      out[o + 3] = 255
    }
  }
}

/** The row at a fractional position, times 256; its last pixel twice. */
function mixRows(raster: Raster, position: number, mixed: Int32Array): void {
  const { data } = raster
  const stride = raster.width * 4
  const top = Math.floor(position)
  const a = top * stride
  const b = Math.min(raster.height - 1, top + 1) * stride
  const t = Math.round((position - top) * 256)
  for (let i = 0; i < stride; i++) mixed[i] = data[a + i]! * 256 + (data[b + i]! - data[a + i]!) * t
  mixed.copyWithin(stride, stride - 4, stride)
}

/** Reads rows of a plane stretched bilinearly to another size, without ever holding the stretched plane. */
export function stretch(plane: Plane, width: number, height: number): (y: number, out: Float32Array) => void {
  const { data } = plane
  const left = new Int32Array(width)
  const right = new Int32Array(width)
  const share = new Float32Array(width)
  for (let x = 0; x < width; x++) {
    const position = Math.min(plane.width - 1, Math.max(0, ((x + 0.5) * plane.width) / width - 0.5))
    left[x] = Math.floor(position)
    right[x] = Math.min(plane.width - 1, left[x]! + 1)
    share[x] = position - left[x]!
  }
  const mixed = new Float32Array(plane.width)
  return (y, out) => {
    const position = Math.min(plane.height - 1, Math.max(0, ((y + 0.5) * plane.height) / height - 0.5))
    const top = Math.floor(position)
    const a = top * plane.width
    const b = Math.min(plane.height - 1, top + 1) * plane.width
    const t = position - top
    for (let x = 0; x < mixed.length; x++) mixed[x] = data[a + x]! + (data[b + x]! - data[a + x]!) * t
    for (let x = 0; x < width; x++) out[x] = mixed[left[x]!]! + (mixed[right[x]!]! - mixed[left[x]!]!) * share[x]!
  }
}

interface Axis {
  taps: number
  start: Int32Array
  weights: Float32Array
  index(position: number): number
}

/** For every target position: the first source position and the weights of those from there on. */
function axis(from: number, to: number): Axis {
  const scale = from / to
  const reach = scale > 1 ? scale / 2 + 0.5 : 2
  const taps = Math.ceil(reach * 2) + 1
  const start = new Int32Array(to)
  const weights = new Float32Array(to * taps)
  for (let i = 0; i < to; i++) {
    const centre = (i + 0.5) * scale - 0.5
    start[i] = Math.ceil(centre - reach)
    let total = 0
    for (let k = 0; k < taps; k++) {
      const weight = scale > 1 ? overlap(start[i]! + k, centre, scale) : catmullRom(Math.abs(start[i]! + k - centre))
      weights[i * taps + k] = weight
      total += weight
    }
    for (let k = 0; k < taps; k++) weights[i * taps + k]! /= total
  }
  return { taps, start, weights, index: position => Math.min(from - 1, Math.max(0, position)) }
}

function overlap(pixel: number, centre: number, width: number): number {
  return Math.max(0, Math.min(pixel + 0.5, centre + width / 2) - Math.max(pixel - 0.5, centre - width / 2))
}

function catmullRom(distance: number): number {
  if (distance < 1) return (1.5 * distance - 2.5) * distance * distance + 1
  if (distance < 2) return ((2.5 - 0.5 * distance) * distance - 4) * distance + 2
  return 0
}

function horizontal(raster: Raster, y: number, columns: Axis, cache: Map<number, Float32Array>): Float32Array {
  const cached = cache.get(y)
  if (cached) return cached
  const width = columns.start.length
  const out = new Float32Array(width * 4)
  const { data } = raster
  const base = y * raster.width
  const { taps, start, weights } = columns
  const last = raster.width - 1
  for (let x = 0; x < width; x++) {
    let r = 0
    let g = 0
    let b = 0
    let a = 0
    for (let k = 0; k < taps; k++) {
      const weight = weights[x * taps + k]!
      if (weight === 0) continue
      let column = start[x]! + k
      if (column < 0) column = 0
      else if (column > last) column = last
      const i = (base + column) * 4
      r += data[i]! * weight
      g += data[i + 1]! * weight
      b += data[i + 2]! * weight
      a += data[i + 3]! * weight
    }
    out[x * 4] = r
    out[x * 4 + 1] = g
    out[x * 4 + 2] = b
    out[x * 4 + 3] = a
  }
  cache.set(y, out)
  return out
}

function addScaled(sum: Float32Array, row: Float32Array, weight: number): void {
  for (let i = 0; i < sum.length; i++) sum[i]! += row[i]! * weight
}
