import { createPlane, createRaster, opaque, type Plane, pixelWords, type Raster } from './pixels.ts'
import { rasterRows, resizeRaster, stretch, stretchRaster } from './resize.ts'

/** Box blur of the colours; `radius` whole pixels, at most 128; each pass widens towards a bell. Alpha is set opaque. */
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
  const width = Math.max(1, Math.round(raster.width / factor))
  const height = Math.max(1, Math.round(raster.height / factor))
  const small = resizeRaster(factor < quarter * 2 ? raster : shrinkToQuarter(raster), width, height)
  change?.(small)
  return boxBlur(small, Math.max(1, Math.round(sigma / factor)), 3)
}

const quarter = 4

/** The means of whole blocks of 4 x 4 pixels; of what is left at the right and lower edge, the means of smaller blocks. Alpha is set opaque. */
function shrinkToQuarter(raster: Raster): Raster {
  const { width, height } = raster
  const small = createRaster(Math.ceil(width / quarter), Math.ceil(height / quarter))
  const from = pixelWords(raster)
  const to = pixelWords(small)
  const redBlue = new Int32Array(small.width)
  const green = new Int32Array(small.width)
  for (let row = 0; row < small.height; row++) {
    redBlue.fill(0)
    green.fill(0)
    const rows = Math.min(quarter, height - row * quarter)
    for (let y = 0; y < rows; y++) {
      const base = (row * quarter + y) * width
      for (let x = 0; x < width; x++) {
        const pixel = from[base + x]!
        redBlue[x >> 2]! += pixel & lowBytes
        green[x >> 2]! += (pixel >>> 8) & 255
      }
    }
    for (let column = 0; column < small.width; column++) {
      const count = rows * Math.min(quarter, width - column * quarter)
      const half = count >> 1
      const red = (((redBlue[column]! & 65535) + half) / count) | 0
      const blue = (((redBlue[column]! >>> 16) + half) / count) | 0
      to[row * small.width + column] = red | ((((green[column]! + half) / count) | 0) << 8) | (blue << 16) | opaque
    }
  }
  return small
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
  if (sigma > 2.5 && Math.min(width, height) >= 64) return blurShrunk(plane, sigma)
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
  const shift = sigma >= 6 ? 2 : 1
  const { width, height } = plane
  const soft = blurPlane(blockMeans(plane, shift), sigma / (1 << shift))
  // Blocks are stretched to whole blocks: those at the edge reach beyond it.
  const read = stretch(soft, soft.width << shift, soft.height << shift)
  const line = new Float32Array(soft.width << shift)
  const out = createPlane(width, height)
  for (let y = 0; y < height; y++) {
    read(y, line)
    out.data.set(line.subarray(0, width), y * width)
  }
  return out
}

/** The means of blocks of 2 or 4 (`shift` 1 or 2) pixels a side; those at the right and lower edge may hold fewer. */
function blockMeans(plane: Plane, shift: number): Plane {
  const size = 1 << shift
  const small = createPlane((plane.width + size - 1) >> shift, (plane.height + size - 1) >> shift)
  const from = plane.data
  const sums = small.data
  for (let y = 0; y < plane.height; y++) {
    const base = (y >> shift) * small.width
    const row = y * plane.width
    for (let x = 0; x < plane.width; x++) sums[base + (x >> shift)]! += from[row + x]!
  }
  for (let y = 0, i = 0; y < small.height; y++) {
    const rows = Math.min(size, plane.height - y * size)
    const full = 1 / (rows * size)
    for (let x = 0; x < small.width - 1; x++, i++) sums[i]! *= full
    sums[i++]! /= rows * (plane.width - (small.width - 1) * size)
  }
  return small
}

/** Mean over a square of `radius` whole pixels around each pixel. */
export function boxPlane(plane: Plane, radius: number): Plane {
  const scratch = createPlane(plane.width, plane.height)
  const out = createPlane(plane.width, plane.height)
  boxPlaneRows(plane, scratch, radius)
  boxPlaneColumns(scratch, out, radius)
  return out
}

/** Red and blue of a pixel, so that one sum counts both: 257 bytes fit in 16 bits. */
const lowBytes = 0x00ff00ff

function blurRows(source: Raster, target: Raster, radius: number): void {
  const { width, height } = source
  const from = pixelWords(source)
  const to = pixelWords(target)
  const mean = meanTable(radius)
  const last = width - 1
  for (let y = 0; y < height; y++) {
    const base = y * width
    const end = base + last
    let redBlue = 0
    let green = 0
    for (let k = -radius; k <= radius; k++) {
      const pixel = from[base + (k < 0 ? 0 : Math.min(k, last))]!
      redBlue += pixel & lowBytes
      green += (pixel >>> 8) & 255
    }
    for (let i = base, out = base - radius, into = base + radius + 1; i <= end; i++, out++, into++) {
      to[i] = mean[redBlue & 65535]! | (mean[green]! << 8) | (mean[redBlue >>> 16]! << 16) | opaque
      const leaving = from[out < base ? base : out]!
      const entering = from[into > end ? end : into]!
      redBlue += (entering & lowBytes) - (leaving & lowBytes)
      green += ((entering >>> 8) & 255) - ((leaving >>> 8) & 255)
    }
  }
}

function blurColumns(source: Raster, target: Raster, radius: number): void {
  const { width, height } = source
  const from = pixelWords(source)
  const to = pixelWords(target)
  const redBlue = new Int32Array(width)
  const green = new Int32Array(width)
  const mean = meanTable(radius)
  const row = (y: number) => (y < 0 ? 0 : y >= height ? height - 1 : y) * width
  for (let k = -radius; k <= radius; k++) {
    const base = row(k)
    for (let x = 0; x < width; x++) {
      redBlue[x]! += from[base + x]! & lowBytes
      green[x]! += (from[base + x]! >>> 8) & 255
    }
  }
  for (let y = 0; y < height; y++) {
    const base = y * width
    const leaving = row(y - radius)
    const entering = row(y + radius + 1)
    for (let x = 0; x < width; x++) {
      const both = redBlue[x]!
      const middle = green[x]!
      to[base + x] = mean[both & 65535]! | (mean[middle]! << 8) | (mean[both >>> 16]! << 16) | opaque
      const old = from[leaving + x]!
      const fresh = from[entering + x]!
      redBlue[x] = both + (fresh & lowBytes) - (old & lowBytes)
      green[x] = middle + ((fresh >>> 8) & 255) - ((old >>> 8) & 255)
    }
  }
}

/** Sum over a box -> mean, rounded; a full sum is 255. */
function meanTable(radius: number): Uint8Array {
  const count = radius * 2 + 1
  return Uint8Array.from({ length: 255 * count + 1 }, (_, sum) => Math.round(sum / count))
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
