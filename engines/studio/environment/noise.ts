import type { Random } from '../drawing.ts'

export interface Noise {
  /** Returns smooth gradient noise, about -1 to 1. The hills and valleys of the noise are about one
   *  unit wide. */
  at(x: number, y: number): number
  /** Returns the sum of several octaves of noise, about -1 to 1. */
  fbm(x: number, y: number, octaves: number): number
  /** Returns noise with sharp ridges: 0 in the valleys to about 1 on the ridges. */
  ridge(x: number, y: number, octaves: number): number
  /** Returns noise of ridges and hollows with more small detail than `ridge`: about -0.4 in the
   *  hollows to 1 on the ridges, 0.5 on average. */
  billow(x: number, y: number, octaves: number): number
  /** Returns a random value in [0, 1) for a cell with integer coordinates. */
  cell(ix: number, iy: number): number
}

/** Creates gradient noise from a random permutation, so that each layer of a picture has a pattern
 *  of its own. */
export function createNoise(random: Random): Noise {
  const permutation = shuffled(random)
  const at = (x: number, y: number) => gradientNoise(permutation, x, y)
  return {
    at,
    fbm: (x, y, octaves) => octaveSum(permutation, x, y, octaves),
    ridge: (x, y, octaves) => ridgeSum(permutation, x, y, octaves),
    billow: (x, y, octaves) => billowSum(permutation, x, y, octaves),
    cell: (ix, iy) => {
      const a = permutation[(ix & 255) + permutation[iy & 255]!]!
      const b = permutation[((a + 37) & 255) + permutation[((ix >> 8) + (iy >> 8) * 7) & 255]!]!
      return (a * 256 + b) / 65536
    },
  }
}

/** Returns a fast version of a smooth function: its values at `count` steps from `low` to `high`
 *  are computed once and interpolated. Outside this range, the function itself is called. */
export function tabulate(of: (value: number) => number, low: number, high: number, count: number): (value: number) => number {
  const table = Float64Array.from({ length: count + 2 }, (_, i) => of(low + ((high - low) * i) / count))
  const step = count / (high - low)
  return value => {
    const place = (value - low) * step
    if (place < 0 || place >= count) return of(value)
    const index = Math.floor(place)
    return table[index]! + (table[index + 1]! - table[index]!) * (place - index)
  }
}

/** Returns a fast version of a smooth function of two variables. Values are computed only at the
 *  corners of a grid (cells of `step` x `step`), when first needed, and interpolated between them.
 *  Outside `area`, the function itself is called. */
export function gridded(
  of: (x: number, y: number) => number,
  area: { left: number; top: number; right: number; bottom: number },
  step: number,
) {
  const columns = Math.max(2, Math.ceil((area.right - area.left) / step) + 2)
  const rows = Math.max(2, Math.ceil((area.bottom - area.top) / step) + 2)
  const corners = new Float32Array(columns * rows).fill(Number.NaN)
  const corner = (column: number, row: number): number => {
    const index = row * columns + column
    const known = corners[index]!
    if (!Number.isNaN(known)) return known
    corners[index] = of(area.left + column * step, area.top + row * step)
    return corners[index]!
  }
  return (x: number, y: number): number => {
    const across = (x - area.left) / step
    const down = (y - area.top) / step
    if (!(across >= 0 && down >= 0 && across < columns - 1 && down < rows - 1)) return of(x, y)
    const column = Math.floor(across)
    const row = Math.floor(down)
    const t = across - column
    const upper = corner(column, row) + (corner(column + 1, row) - corner(column, row)) * t
    const lower = corner(column, row + 1) + (corner(column + 1, row + 1) - corner(column, row + 1)) * t
    return upper + (lower - upper) * (down - row)
  }
}

// Each octave is rotated by about 37 degrees against the one before. Otherwise, the grid of the
// gradient noise would be visible, because the octaves would line up.
const turnCos = 0.8
const turnSin = 0.6

function octaveSum(table: Uint8Array, x: number, y: number, octaves: number): number {
  let sum = 0
  let weight = 0.55
  for (let i = 0; i < octaves; i++) {
    sum += weight * gradientNoise(table, x, y)
    const turned = (x * turnCos - y * turnSin) * 2.03
    y = (x * turnSin + y * turnCos) * 2.03 + 11.7
    x = turned
    weight *= 0.5
  }
  return sum
}

function ridgeSum(table: Uint8Array, x: number, y: number, octaves: number): number {
  let sum = 0
  let weight = 0.6
  let carry = 1
  for (let i = 0; i < octaves; i++) {
    const crest = 1 - Math.abs(gradientNoise(table, x, y)) * 1.6
    const value = crest * crest * carry
    sum += weight * value
    carry = value > 1 ? 1 : value < 0 ? 0 : value
    const turned = (x * turnCos - y * turnSin) * 2.07
    y = (x * turnSin + y * turnCos) * 2.07 + 5.3
    x = turned
    weight *= 0.5
  }
  return sum
}

function billowSum(table: Uint8Array, x: number, y: number, octaves: number): number {
  let sum = 0
  let weight = 0.5
  for (let i = 0; i < octaves; i++) {
    sum += weight * (1 - Math.abs(gradientNoise(table, x, y)) * 2)
    const turned = (x * turnCos - y * turnSin) * 2.1
    y = (x * turnSin + y * turnCos) * 2.1 + 3.1
    x = turned
    weight *= 0.5
  }
  return sum
}

function shuffled(random: Random): Uint8Array {
  const table = new Uint8Array(514)
  for (let i = 0; i < 256; i++) table[i] = i
  for (let i = 255; i > 0; i--) {
    const j = random.integer(0, i)
    const kept = table[i]!
    table[i] = table[j]!
    table[j] = kept
  }
  for (let i = 0; i < 258; i++) table[256 + i] = table[i & 255]!
  return table
}

function gradientNoise(table: Uint8Array, x: number, y: number): number {
  const floorX = Math.floor(x)
  const floorY = Math.floor(y)
  const fx = x - floorX
  const fy = y - floorY
  const ix = floorX & 255
  const iy = floorY & 255
  const u = fx * fx * fx * (fx * (fx * 6 - 15) + 10)
  const v = fy * fy * fy * (fy * (fy * 6 - 15) + 10)
  const a = table[ix]! + iy
  const b = table[ix + 1]! + iy
  const h00 = table[a]!
  const h10 = table[b]!
  const h01 = table[a + 1]!
  const h11 = table[b + 1]!
  const n00 = slopeX[h00]! * fx + slopeY[h00]! * fy
  const n10 = slopeX[h10]! * (fx - 1) + slopeY[h10]! * fy
  const n01 = slopeX[h01]! * fx + slopeY[h01]! * (fy - 1)
  const n11 = slopeX[h11]! * (fx - 1) + slopeY[h11]! * (fy - 1)
  const top = n00 + u * (n10 - n00)
  return top + v * (n01 + u * (n11 - n01) - top)
}

// Eight gradient directions of nearly the same length: four diagonal ones and four along the axes.
const slopeX = Float64Array.from({ length: 512 }, (_, i) => [1, 1, -1, -1, 1.41, -1.41, 0, 0][i & 7]!)
const slopeY = Float64Array.from({ length: 512 }, (_, i) => [1, -1, 1, -1, 0, 0, 1.41, -1.41][i & 7]!)
