import type { Random } from '../drawing.ts'
import { fractalNoise } from './noise.ts'
import { clamp, createPlane, type Plane, type Raster, shortSide, smoothstep } from './pixels.ts'
import { stretch } from './stretch.ts'

/** The strokes of the two characters in the seal (mountain and water, in square seal script). Each
 *  row is a line x1, y1, x2, y2 in a unit square. */
const strokes: readonly (readonly [number, number, number, number])[] = [
  [0.3, 0.14, 0.3, 0.42],
  [0.16, 0.24, 0.16, 0.42],
  [0.44, 0.24, 0.44, 0.42],
  [0.16, 0.42, 0.44, 0.42],
  [0.7, 0.12, 0.7, 0.46],
  [0.57, 0.2, 0.63, 0.26],
  [0.63, 0.26, 0.56, 0.42],
  [0.84, 0.17, 0.77, 0.25],
  [0.77, 0.25, 0.85, 0.42],
  [0.16, 0.56, 0.84, 0.56],
  [0.5, 0.56, 0.5, 0.86],
  [0.16, 0.56, 0.16, 0.86],
  [0.84, 0.56, 0.84, 0.86],
  [0.28, 0.68, 0.38, 0.68],
  [0.28, 0.8, 0.38, 0.8],
  [0.62, 0.68, 0.72, 0.68],
  [0.62, 0.8, 0.72, 0.8],
]

/** Draws a small red seal, in place, in the lower corner that has less ink. */
export function stampSeal(raster: Raster, random: Random): void {
  const unit = shortSide(raster)
  const size = Math.round(unit * 0.085)
  if (size < 8) return
  const carved = carvedPlane(size)
  const wear = stretch(fractalNoise(random, { width: 40, height: 40 }, 9, 3), size, size)
  const row = new Float32Array(size)
  const left = pickSide(raster, size) === 'left' ? Math.round(unit * 0.05) : raster.width - size - Math.round(unit * 0.05)
  const top = raster.height - size - Math.round(unit * 0.055)
  for (let y = 0; y < size; y++) {
    wear(y, row)
    for (let x = 0; x < size; x++) {
      const cover = carved.data[y * size + x]! * smoothstep(0.24, 0.38, row[x]!) * 0.92
      const j = ((top + y) * raster.width + left + x) * 4
      raster.data[j] = raster.data[j]! + (188 - raster.data[j]!) * cover
      raster.data[j + 1] = raster.data[j + 1]! + (38 - raster.data[j + 1]!) * cover
      raster.data[j + 2] = raster.data[j + 2]! + (30 - raster.data[j + 2]!) * cover
    }
  }
}

/** Returns 1 where the seal prints, 0 on the carved lines and outside its rounded square. */
function carvedPlane(size: number): Plane {
  const plane = createPlane(size, size)
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const u = (x + 0.5) / size
      const v = (y + 0.5) / size
      const border = Math.max(Math.abs(u - 0.5), Math.abs(v - 0.5))
      let carved = 0
      for (const [x1, y1, x2, y2] of strokes)
        carved = Math.max(carved, clamp((0.034 - segmentDistance(u, v, [x1, y1, x2, y2])) * size + 0.5, 0, 1))
      plane.data[y * size + x] = clamp((0.48 - border) * size + 0.5, 0, 1) * (1 - carved)
    }
  }
  return plane
}

function segmentDistance(u: number, v: number, [x1, y1, x2, y2]: readonly [number, number, number, number]): number {
  const dx = x2 - x1
  const dy = y2 - y1
  const t = clamp(((u - x1) * dx + (v - y1) * dy) / (dx * dx + dy * dy), 0, 1)
  return Math.hypot(u - x1 - dx * t, v - y1 - dy * t)
}

/** Returns the lower corner with less ink; the right one when both have about as much. */
function pickSide(raster: Raster, size: number): 'left' | 'right' {
  const darkness = (from: number) => {
    let sum = 0
    for (let y = raster.height - size * 2; y < raster.height; y += 2) {
      for (let x = from; x < from + size * 2; x += 2)
        sum += 255 - raster.data[(Math.max(0, y) * raster.width + clamp(x, 0, raster.width - 1)) * 4 + 1]!
    }
    return sum
  }
  return darkness(0) < darkness(raster.width - size * 2) * 0.92 ? 'left' : 'right'
}
