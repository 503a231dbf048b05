import { createPlane, createRaster, type Plane, type Raster } from './pixels.ts'
import { rasterRows, resizePlane, resizeRaster, stretchRaster } from './resize.ts'

/** Box blur of the colours; `radius` whole pixels, each pass widens towards a bell. Alpha is set opaque. */
export function boxBlur(raster: Raster, radius: number, passes = 1): Raster {
  if (radius < 1) return { data: raster.data.slice(), width: raster.width, height: raster.height }
  const half = createRaster(raster.width, raster.height)
  const out = createRaster(raster.width, raster.height)
  let source = raster
  for (let pass = 0; pass < passes; pass++) {
    blurRows(source, half, radius)
    blurColumns(half, out, radius)
    source = out
  }
  return out
}

/** A soft blur of any radius (about the standard deviation, pixels) at a cost that falls with the radius. */
export function softBlur(raster: Raster, sigma: number): Raster {
  if (sigma < 0.4) return { data: raster.data.slice(), width: raster.width, height: raster.height }
  if (shrinkFor(raster, sigma) === 1) return boxBlur(raster, Math.max(1, Math.round(sigma)), sigma < 1.2 ? 1 : 2)
  return stretchRaster(smallBlur(raster, sigma), raster.width, raster.height)
}

/** Reads rows of the blurred picture without holding it at full size. `change` may alter the small picture before it is blurred. */
export function softRows(raster: Raster, sigma: number, change?: (small: Raster) => void): (y: number, out: Uint8Array) => void {
  return rasterRows(smallBlur(raster, sigma, change), raster.width, raster.height)
}

function smallBlur(raster: Raster, sigma: number, change?: (small: Raster) => void): Raster {
  const factor = shrinkFor(raster, sigma)
  const small = resizeRaster(raster, Math.max(1, Math.round(raster.width / factor)), Math.max(1, Math.round(raster.height / factor)))
  change?.(small)
  return boxBlur(small, Math.max(1, Math.round(sigma / factor)), 3)
}

function shrinkFor(raster: Raster, sigma: number): number {
  return Math.max(1, Math.min(32, Math.floor(sigma / 2), Math.min(raster.width, raster.height) >> 2))
}

/** Gaussian blur of a plane; `sigma` in pixels, fractions count. */
export function blurPlane(plane: Plane, sigma: number): Plane {
  const { width, height } = plane
  const out = createPlane(width, height)
  if (sigma < 0.25) {
    out.data.set(plane.data)
    return out
  }
  if (sigma >= 4 && Math.min(width, height) >= 64) return blurShrunk(plane, sigma)
  const scratch = createPlane(width, height)
  if (sigma < 1) {
    firRows(plane, scratch, sigma)
    firColumns(scratch, out, sigma)
    return out
  }
  // Three boxes come within 3 % of a Gaussian; their radius need not be whole.
  const radius = (Math.sqrt(4 * sigma * sigma + 1) - 1) / 2
  let source = plane
  for (let pass = 0; pass < 3; pass++) {
    boxPlaneRows(source, scratch, radius)
    boxPlaneColumns(scratch, out, radius)
    source = out
  }
  return out
}

/** A wide blur loses nothing that a half or quarter size holds. */
function blurShrunk(plane: Plane, sigma: number): Plane {
  const factor = sigma >= 9 ? 4 : 2
  const width = Math.ceil(plane.width / factor)
  const height = Math.ceil(plane.height / factor)
  const small = createPlane(width, height)
  for (let y = 0; y < plane.height; y++) {
    const base = ((y / factor) | 0) * width
    const rows = Math.min(factor, plane.height - (y - (y % factor)))
    for (let x = 0; x < plane.width; x++) {
      const columns = Math.min(factor, plane.width - (x - (x % factor)))
      small.data[base + ((x / factor) | 0)]! += plane.data[y * plane.width + x]! / (rows * columns)
    }
  }
  const soft = blurPlane(small, sigma / factor)
  return resizePlane(soft, plane.width, plane.height)
}

/** Mean over a square of `radius` whole pixels around each pixel. */
export function boxPlane(plane: Plane, radius: number): Plane {
  const scratch = createPlane(plane.width, plane.height)
  const out = createPlane(plane.width, plane.height)
  boxPlaneRows(plane, scratch, radius)
  boxPlaneColumns(scratch, out, radius)
  return out
}

function blurRows(source: Raster, target: Raster, radius: number): void {
  const { width, height } = source
  const from = bytes(source)
  const to = bytes(target)
  const scale = fixedShare(radius)
  const last = width - 1
  for (let y = 0; y < height; y++) {
    const base = y * width
    let r = 0
    let g = 0
    let b = 0
    for (let k = -radius; k <= radius; k++) {
      const i = (base + (k < 0 ? 0 : Math.min(k, last))) * 4
      r += from[i]!
      g += from[i + 1]!
      b += from[i + 2]!
    }
    for (let x = 0; x < width; x++) {
      const o = (base + x) * 4
      to[o] = (r * scale + 32768) >> 16
      to[o + 1] = (g * scale + 32768) >> 16
      to[o + 2] = (b * scale + 32768) >> 16
      to[o + 3] = 255
      const leaving = x - radius
      const entering = x + radius + 1
      const a = (base + Math.max(leaving, 0)) * 4
      const z = (base + Math.min(entering, last)) * 4
      r += from[z]! - from[a]!
      g += from[z + 1]! - from[a + 1]!
      b += from[z + 2]! - from[a + 2]!
    }
  }
}

function blurColumns(source: Raster, target: Raster, radius: number): void {
  const { width, height } = source
  const from = bytes(source)
  const to = bytes(target)
  const stride = width * 4
  const sum = new Int32Array(stride)
  const scale = fixedShare(radius)
  const row = (y: number) => (y < 0 ? 0 : y >= height ? height - 1 : y) * stride
  for (let k = -radius; k <= radius; k++) {
    const base = row(k)
    for (let i = 0; i < stride; i++) sum[i]! += from[base + i]!
  }
  for (let y = 0; y < height; y++) {
    const base = y * stride
    const leaving = row(y - radius)
    const entering = row(y + radius + 1)
    for (let i = 0; i < stride; i++) {
      to[base + i] = (sum[i]! * scale + 32768) >> 16
      sum[i]! += from[entering + i]! - from[leaving + i]!
    }
  }
}

/** The same bytes without clamping on store: means never leave 0 to 255, and plain stores are cheaper. */
function bytes(raster: Raster): Uint8Array {
  return new Uint8Array(raster.data.buffer, raster.data.byteOffset, raster.data.length)
}

/** 1 / (width of the box) in 16.16 fixed point, rounded down so that a full sum stays at 255. */
function fixedShare(radius: number): number {
  return Math.floor(65536 / (radius * 2 + 1))
}

function boxPlaneRows(source: Plane, target: Plane, radius: number): void {
  const { width, height } = source
  const from = source.data
  const to = target.data
  const whole = Math.floor(radius)
  const part = radius - whole
  const scale = 1 / (radius * 2 + 1)
  const last = width - 1
  for (let y = 0; y < height; y++) {
    const base = y * width
    let sum = 0
    for (let k = -whole; k <= whole; k++) sum += from[base + (k < 0 ? 0 : Math.min(k, last))]!
    for (let x = 0; x < width; x++) {
      const leaving = x - whole
      const entering = x + whole + 1
      const before = from[base + (leaving < 1 ? 0 : leaving - 1)]!
      const after = from[base + Math.min(entering, last)]!
      to[base + x] = (sum + (before + after) * part) * scale
      sum += after - from[base + Math.max(leaving, 0)]!
    }
  }
}

function boxPlaneColumns(source: Plane, target: Plane, radius: number): void {
  const { width, height } = source
  const from = source.data
  const to = target.data
  const whole = Math.floor(radius)
  const part = radius - whole
  const sum = new Float64Array(width)
  const scale = 1 / (radius * 2 + 1)
  const row = (y: number) => (y < 0 ? 0 : y >= height ? height - 1 : y) * width
  for (let k = -whole; k <= whole; k++) {
    const base = row(k)
    for (let x = 0; x < width; x++) sum[x]! += from[base + x]!
  }
  for (let y = 0; y < height; y++) {
    const base = y * width
    const before = row(y - whole - 1)
    const leaving = row(y - whole)
    const entering = row(y + whole + 1)
    for (let x = 0; x < width; x++) {
      const after = from[entering + x]!
      to[base + x] = (sum[x]! + (from[before + x]! + after) * part) * scale
      sum[x]! += after - from[leaving + x]!
    }
  }
}

function bell(sigma: number): Float32Array {
  const reach = Math.max(1, Math.ceil(sigma * 2.5))
  const kernel = new Float32Array(reach * 2 + 1)
  let total = 0
  for (let k = -reach; k <= reach; k++) {
    kernel[k + reach] = Math.exp((-k * k) / (2 * sigma * sigma))
    total += kernel[k + reach]!
  }
  for (let k = 0; k < kernel.length; k++) kernel[k]! /= total
  return kernel
}

function firRows(source: Plane, target: Plane, sigma: number): void {
  const kernel = bell(sigma)
  const reach = (kernel.length - 1) / 2
  const { width, height } = source
  const padded = new Float32Array(width + reach * 2)
  for (let y = 0; y < height; y++) {
    const base = y * width
    padded.set(source.data.subarray(base, base + width), reach)
    padded.fill(source.data[base]!, 0, reach)
    padded.fill(source.data[base + width - 1]!, reach + width)
    for (let x = 0; x < width; x++) {
      let sum = 0
      for (let k = 0; k < kernel.length; k++) sum += padded[x + k]! * kernel[k]!
      target.data[base + x] = sum
    }
  }
}

function firColumns(source: Plane, target: Plane, sigma: number): void {
  const kernel = bell(sigma)
  const reach = (kernel.length - 1) / 2
  const { width, height } = source
  const from = source.data
  for (let y = 0; y < height; y++) {
    const out = target.data.subarray(y * width, (y + 1) * width)
    for (let k = -reach; k <= reach; k++) {
      const base = Math.min(height - 1, Math.max(0, y + k)) * width
      const weight = kernel[k + reach]!
      for (let x = 0; x < width; x++) out[x]! += from[base + x]! * weight
    }
  }
}
