import { createPlane, type Plane } from './pixels.ts'

/** Returns for each pixel the mean over the square that extends `radius` pixels from it in each
 *  direction. Beyond the edges, the edge pixels are repeated. */
export function boxPlane(plane: Plane, radius: number): Plane {
  const scratch = createPlane(plane.width, plane.height)
  const out = createPlane(plane.width, plane.height)
  boxPlaneRows(plane, scratch, radius)
  boxPlaneColumns(scratch, out, radius)
  return out
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
