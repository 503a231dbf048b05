import type { Random, Rgb } from '../drawing.ts'
import { softRows } from './blur.ts'
import { grainTile, repeat } from './noise.ts'
import { clamp, type Raster, shortSide } from './pixels.ts'
import { gradeColoursOfRow } from './simd/pixel-kernels.ts'
import { inRoom, take, views } from './simd/room.ts'

/** Colour grading. Every field is optional and 0 (or absent) leaves the picture alone. */
export interface Grade {
  /** -1 to 1: about one stop down or up, blacks and whites held. */
  exposure?: number
  /** -1 (flat) to 1 (hard). */
  contrast?: number
  /** -1 (grey) to 1 (twice as colourful). */
  saturation?: number
  /** -1 (blue) to 1 (amber). */
  temperature?: number
  /** 0 to 1: blacks lifted to a matt grey. */
  fade?: number
  /** Colour that shadows and highlights lean to, with a strength of 0 to 1. */
  shadows?: Rgb & { strength: number }
  highlights?: Rgb & { strength: number }
  /** 0 to 1: corners darkened. */
  vignette?: number
  /** 0 to 1: film grain. */
  grain?: number
  /** 0 to 1: bright areas glow. */
  bloom?: number
  /** 0 to 1: contrast of broad areas. */
  clarity?: number
}

/** Grades the raster in place. */
export function grade(raster: Raster, wanted: Grade, random: Random): void {
  if (wanted.clarity) addClarity(raster, wanted.clarity)
  if (wanted.bloom) addBloom(raster, wanted.bloom)
  gradeColours(raster, wanted)
  if (wanted.vignette) addVignette(raster, wanted.vignette)
  if (wanted.grain) addGrain(raster, wanted.grain, random)
}

/** Tables and sums hold 256ths. */
function gradeColours({ data, width, height }: Raster, wanted: Grade): void {
  const saturation = Math.round((1 + (wanted.saturation ?? 0)) * 256)
  const split = in256ths(splitTones(wanted))
  inRoom(() => {
    const line = width * 4
    const [tables, row] = [take(7 * 1024), take(line)]
    const { bytes, words } = views()
    for (const [index, side] of [1, 0, -1].entries()) words.set(in256ths(toneCurve(wanted, side)), tables / 4 + index * 256)
    for (let i = 0; i < 256; i++) words.set(split.subarray(i * 3, i * 3 + 3), tables / 4 + 768 + i * 4)
    for (let at = 0; at < line * height; at += line) {
      bytes.set(data.subarray(at, at + line), row)
      gradeColoursOfRow(row, width, tables, saturation)
      data.set(bytes.subarray(row, row + line), at)
    }
  })
}

function in256ths(values: Float32Array): Int32Array {
  return Int32Array.from(values, value => Math.round(value * 256))
}

/** `side` 1 for red, 0 for green, -1 for blue. */
function toneCurve(wanted: Grade, side: number): Float32Array {
  const curve = new Float32Array(256)
  const gamma = 2 ** -(wanted.exposure ?? 0)
  const contrast = wanted.contrast ?? 0
  const warmth = (wanted.temperature ?? 0) * side
  const lift = (wanted.fade ?? 0) * 0.16
  for (let i = 0; i < 256; i++) {
    let v = (i / 255) ** gamma
    const s = v * v * (3 - 2 * v)
    v = contrast >= 0 ? v + (s - v) * contrast * 1.6 : 0.5 + (v - 0.5) * (1 + contrast * 0.75)
    v *= 1 + warmth * 0.16
    v += warmth * 0.035
    v = lift + v * (1 - lift * 1.3)
    curve[i] = v * 255
  }
  return curve
}

/** What is added to r, g, b at each luma. */
function splitTones(wanted: Grade): Float32Array {
  const out = new Float32Array(256 * 3)
  for (let i = 0; i < 256; i++) {
    const t = i / 255
    addTint(out, i, wanted.shadows, (1 - t) * (1 - t) * Math.min(1, t * 8 + 0.3))
    addTint(out, i, wanted.highlights, t * t * Math.min(1, (1 - t) * 5 + 0.3))
  }
  return out
}

function addTint(out: Float32Array, luma: number, tint: (Rgb & { strength: number }) | undefined, share: number): void {
  if (!tint) return
  const own = tint.r * 0.299 + tint.g * 0.587 + tint.b * 0.114
  const strength = tint.strength * share
  out[luma * 3]! += (tint.r - own) * strength
  out[luma * 3 + 1]! += (tint.g - own) * strength
  out[luma * 3 + 2]! += (tint.b - own) * strength
}

function addBloom(raster: Raster, strength: number): void {
  const { data, width, height } = raster
  const read = softRows(raster, Math.max(2, shortSide(raster) / 28), keepBright)
  const glow = new Uint8Array(width * 4)
  const gain = Math.round((strength / 255) * 65_536)
  for (let y = 0; y < height; y++) {
    read(y, glow)
    for (let i = 0, j = y * width * 4; i < glow.length; i += 4, j += 4) {
      data[j] = data[j]! + (((255 - data[j]!) * glow[i]! * gain + 32_768) >> 16)
      data[j + 1] = data[j + 1]! + (((255 - data[j + 1]!) * glow[i + 1]! * gain + 32_768) >> 16)
      data[j + 2] = data[j + 2]! + (((255 - data[j + 2]!) * glow[i + 2]! * gain + 32_768) >> 16)
    }
  }
}

function keepBright(small: Raster): void {
  const { data } = small
  for (let i = 0; i < data.length; i += 4) {
    const luma = data[i]! * 0.299 + data[i + 1]! * 0.587 + data[i + 2]! * 0.114
    const share = clamp((luma - 130) / 110, 0, 1)
    data[i] = data[i]! * share
    data[i + 1] = data[i + 1]! * share
    data[i + 2] = data[i + 2]! * share
  }
}

function addClarity(raster: Raster, strength: number): void {
  const { data, width, height } = raster
  const read = softRows(raster, Math.max(2, shortSide(raster) / 22))
  const base = new Uint8Array(width * 4)
  for (let y = 0; y < height; y++) {
    read(y, base)
    for (let i = 0, j = y * width * 4; i < base.length; i += 4, j += 4) {
      const luma = data[j]! * 0.299 + data[j + 1]! * 0.587 + data[j + 2]! * 0.114
      const around = base[i]! * 0.299 + base[i + 1]! * 0.587 + base[i + 2]! * 0.114
      const middle = 1 - (luma < 128 ? 128 - luma : luma - 128) / 128
      const change = (luma - around) * strength * middle
      const gain = change < -28 ? -28 : change > 28 ? 28 : nearest(change)
      data[j] = data[j]! + gain
      data[j + 1] = data[j + 1]! + gain
      data[j + 2] = data[j + 2]! + gain
    }
  }
}

const vignetteSteps = 2048

/** Darkens the corners in place; 0 to 1. */
export function addVignette(raster: Raster, strength: number): void {
  const { data, width, height } = raster
  // 0 in the middle, `vignetteSteps` in a corner.
  const across = new Float32Array(width)
  for (let x = 0; x < width; x++) across[x] = (((x + 0.5) / width) * 2 - 1) ** 2 * (vignetteSteps / 2)
  const factors = Float32Array.from(
    { length: vignetteSteps + 2 },
    (_, i) => 65_536 * (1 - strength * 1.15 * Math.max(0, i / vignetteSteps - 0.18) ** 1.3),
  )
  for (let y = 0, i = 0; y < height; y++) {
    const down = (((y + 0.5) / height) * 2 - 1) ** 2 * (vignetteSteps / 2)
    for (let x = 0; x < width; x++, i += 4) {
      const place = across[x]! + down
      const step = place | 0
      const factor = (factors[step]! + (factors[step + 1]! - factors[step]!) * (place - step)) | 0
      data[i] = (data[i]! * factor + 32_768) >> 16
      data[i + 1] = (data[i + 1]! * factor + 32_768) >> 16
      data[i + 2] = (data[i + 2]! * factor + 32_768) >> 16
    }
  }
}

/** Film grain, strongest in the middle tones, its size relative to the picture. */
function addGrain(raster: Raster, strength: number, random: Random): void {
  const { data, width, height } = raster
  const tile = repeat(grainTile(random.fork('grain'), 384, 1), width, Math.max(0.5, shortSide(raster) / 1400))
  const row = new Float32Array(width)
  for (let y = 0; y < height; y++) {
    tile(y, row)
    for (let x = 0; x < width; x++) {
      const i = (y * width + x) * 4
      const luma = data[i + 1]! / 255
      const gain = nearest(row[x]! * strength * 60 * (0.35 + luma * (1 - luma) * 2.6))
      data[i] = data[i]! + gain
      data[i + 1] = data[i + 1]! + gain
      data[i + 2] = data[i + 2]! + gain
    }
  }
}

/** The nearest whole number of a change of at most 255 steps. */
function nearest(change: number): number {
  return ((change + 256.5) | 0) - 256
}
