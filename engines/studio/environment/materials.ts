import type { Rgb } from '../drawing.ts'
import { mix, rgb, shift, smooth } from './colour.ts'
import type { Pixel } from './field.ts'
import type { Noise } from './noise.ts'

export type FloorKind = 'wood' | 'tile' | 'check' | 'carpet' | 'concrete' | 'court' | 'marble'
export type WallKind = 'plain' | 'stripe' | 'panel' | 'brick' | 'tile' | 'concrete' | 'wood'
/** A function that writes the colour at the position (u, v) of a surface, in metres, to `out`. */
type Material = (u: number, v: number, out: Pixel) => void

function put(out: Pixel, c: Rgb, factor: number): void {
  out[0] = c.r * factor
  out[1] = c.g * factor
  out[2] = c.b * factor
}

/** Returns the distance from `value` to the nearest multiple of `pitch`. */
function toLine(value: number, pitch: number): number {
  const t = ((value % pitch) + pitch) % pitch
  return t < pitch - t ? t : pitch - t
}

/** Returns how much lighter (positive) or darker (negative) the grain and the rings make a wooden
 *  board at a position, about -0.3 to 0.3. `along` and `across` are the coordinates in metres,
 *  along the grain and across it. */
export function woodGrain(noise: Noise, along: number, across: number, seed: number): number {
  const bend = noise.at(along * 0.55 + seed * 7.1, across * 2.2 + seed) * 0.9
  const rings = Math.sin((across * 9 + bend * 3.2 + seed * 5) * 5)
  const fibre = noise.at(along * 1.6 + seed * 3, across * 60)
  const fine = noise.at(along * 5 + seed, across * 150)
  return rings * 0.085 + fibre * 0.13 + fine * 0.07
}

export function floorMaterial(noise: Noise, kind: FloorKind, colour: Rgb): Material {
  switch (kind) {
    case 'wood':
    case 'court':
      return planks(noise, colour, kind === 'court' ? 0.09 : 0.16, kind === 'court' ? 0.4 : 1)
    case 'tile':
    case 'check':
      return tiles(noise, colour, kind === 'check')
    case 'marble':
      return (u, v, out) => {
        const vein = Math.abs(noise.fbm(u * 0.8, v * 0.8, 4))
        const joint = Math.min(toLine(u, 1.1), toLine(v, 1.1))
        put(out, colour, 1 - 0.22 * smooth(0.06, 0, vein) - 0.16 * smooth(0.018, 0.004, joint) + noise.at(u * 0.9, v * 0.9) * 0.04)
      }
    case 'carpet':
      return (u, v, out) => put(out, colour, 0.97 + noise.fbm(u * 9, v * 9, 2) * 0.12 + noise.at(u * 0.7, v * 0.7) * 0.06)
    case 'concrete':
      return (u, v, out) =>
        put(out, colour, 0.96 + noise.fbm(u * 0.9, v * 0.9, 5) * 0.24 - 0.14 * smooth(0.025, 0.006, Math.min(toLine(u, 3), toLine(v, 3))))
  }
}

function planks(noise: Noise, colour: Rgb, width: number, variety: number): Material {
  return (u, v, out) => {
    const board = Math.floor(u / width)
    const tone = noise.cell(board, 3)
    const length = 1.3 + tone
    const place = v / length + noise.cell(board, 9)
    const piece = Math.floor(place)
    const own = noise.cell(board, piece * 5 + 1) - 0.5
    const grain = woodGrain(noise, v * 0.5, u - board * width, own * 20 + board)
    const gap = smooth(0.008, 0.002, toLine(u, width)) * 0.34 + smooth(0.006, 0.001, toLine(place, 1) * length) * 0.3
    put(out, colour, 1 + own * 0.24 * variety + grain * 0.8 - gap)
  }
}

function tiles(noise: Noise, colour: Rgb, check: boolean): Material {
  const size = check ? 0.42 : 0.5
  const dark = check ? mix(colour, rgb('#2c3440'), 0.72) : shift(colour, -0.05)
  return (u, v, out) => {
    const iu = Math.floor(u / size)
    const iv = Math.floor(v / size)
    const c = ((iu + iv) & 1) === 0 ? colour : dark
    const joint = smooth(0.016, 0.005, Math.min(toLine(u, size), toLine(v, size)))
    put(out, c, 1 + (noise.cell(iu, iv) - 0.5) * 0.07 + noise.at(u * 2.5, v * 2.5) * 0.03 - joint * 0.2)
  }
}

export function wallMaterial(noise: Noise, kind: WallKind, colour: Rgb, lower?: Rgb): Material {
  const upper = upperWall(noise, kind, colour)
  if (lower === undefined) return skirting(upper, colour)
  return (u, v, out) => {
    if (v > 1.05) return upper(u, v, out)
    const rail = smooth(0.05, 0.03, Math.abs(v - 1.0))
    const groove = smooth(0.014, 0.004, toLine(u, 0.42)) * 0.12 * (v < 0.95 && v > 0.16 ? 1 : 0)
    put(out, lower, 1 - groove + rail * 0.08 + smooth(0.16, 0.14, v) * 0.05 + noise.at(u * 2, v * 2) * 0.02)
  }
}

function skirting(material: Material, colour: Rgb): Material {
  const board = mix(colour, rgb('#fbf6ec'), 0.6)
  return (u, v, out) => {
    if (v > 0.13) return material(u, v, out)
    put(out, board, v > 0.115 ? 1.05 : 0.98)
  }
}

function upperWall(noise: Noise, kind: WallKind, colour: Rgb): Material {
  switch (kind) {
    case 'plain':
      return (u, v, out) => put(out, colour, 1 + noise.fbm(u * 1.1, v * 1.1, 3) * 0.05 + noise.at(u * 9, v * 9) * 0.012)
    case 'stripe':
      return (u, v, out) => put(out, colour, 1 + (toLine(u, 0.36) < 0.09 ? 0.045 : -0.015) + noise.fbm(u, v, 3) * 0.04)
    case 'panel':
      return (u, v, out) => {
        const inside = Math.min(toLine(u + 0.55, 1.1), 10)
        const frame = smooth(0.03, 0.012, Math.abs(inside - 0.12)) * (v > 1.25 ? 1 : 0)
        put(out, colour, 1 + frame * 0.07 + noise.fbm(u, v, 3) * 0.035)
      }
    case 'brick':
      return bricks(noise, colour)
    case 'tile':
      return (u, v, out) => {
        const row = Math.floor(v / 0.12)
        const shifted = u + (row & 1) * 0.12
        const joint = smooth(0.009, 0.003, Math.min(toLine(shifted, 0.24), toLine(v, 0.12)))
        put(out, colour, 1 + (noise.cell(Math.floor(shifted / 0.24), row) - 0.5) * 0.07 - joint * 0.14)
      }
    case 'concrete':
      return (u, v, out) =>
        put(out, colour, 0.98 + noise.fbm(u * 0.8, v * 0.8, 5) * 0.2 - 0.1 * smooth(0.02, 0.006, Math.min(toLine(u, 1.8), toLine(v, 1.2))))
    case 'wood':
      return (u, v, out) => {
        const board = Math.floor(v / 0.2)
        put(
          out,
          colour,
          1 +
            (noise.cell(board, 4) - 0.5) * 0.16 +
            woodGrain(noise, u * 0.6, v - board * 0.2, noise.cell(board, 2) * 9) * 0.7 -
            smooth(0.012, 0.003, toLine(v, 0.2)) * 0.3,
        )
      }
  }
}

function bricks(noise: Noise, colour: Rgb): Material {
  const mortar = mix(colour, rgb('#d8cfc2'), 0.55)
  return (u, v, out) => {
    const row = Math.floor(v / 0.085)
    const shifted = u + (row & 1) * 0.12
    const iu = Math.floor(shifted / 0.24)
    const joint = smooth(0.012, 0.005, Math.min(toLine(shifted, 0.24), toLine(v, 0.085)))
    const own = 1 + (noise.cell(iu, row) - 0.5) * 0.34 + noise.fbm(u * 6, v * 6, 2) * 0.14
    put(out, colour, own)
    out[0] = out[0]! + (mortar.r - out[0]!) * joint
    out[1] = out[1]! + (mortar.g - out[1]!) * joint
    out[2] = out[2]! + (mortar.b - out[2]!) * joint
  }
}
