import type { Random, Rgb } from '../drawing.ts'
import { softenedRows } from './blur.ts'
import { grainTile, repeatedRows } from './noise.ts'
import { clamp, createPlane, type Raster, shortSide } from './pixels.ts'
import { clarifyRow, grainRow, screenRow, shadeRow } from './simd/light-kernels.ts'
import { gradeColoursOfRow } from './simd/pixel-kernels.ts'
import { inRoom, take, views } from './simd/room.ts'
import { stretchedRows } from './stretch.ts'

/** Colour grading. Every field is optional; 0 or absent has no effect. */
export interface Grade {
  /** Exposure from -1 to 1, about one stop darker or brighter. Pure black and white do not
   *  change. */
  exposure?: number
  /** Contrast from -1 (flat) to 1 (hard). */
  contrast?: number
  /** Saturation from -1 (grey) to 1 (twice as saturated). */
  saturation?: number
  /** Colour temperature from -1 (blue) to 1 (amber). */
  temperature?: number
  /** Lightens the blacks to a matt grey, 0 to 1. */
  fade?: number
  /** Colours towards which shadows and highlights are shifted, with a strength of 0 to 1. */
  shadows?: Rgb & { strength: number }
  highlights?: Rgb & { strength: number }
  /** Darkening of the corners, 0 to 1. */
  vignette?: number
  /** Amount of film grain, 0 to 1. */
  grain?: number
  /** Glow of bright areas, 0 to 1. */
  bloom?: number
  /** Strengthening of the contrast between areas (rather than at edges), 0 to 1. */
  clarity?: number
}

/** Grades a straight-alpha raster in place. Alpha does not change, and each colour is graded as if
 *  it were opaque. Bloom and clarity read the surrounding pixels, which count in proportion to
 *  their alpha. */
export function grade(raster: Raster, wanted: Grade, random: Random): void {
  if (wanted.clarity) addClarity(raster, wanted.clarity)
  if (wanted.bloom) addBloom(raster, wanted.bloom)
  gradeColours(raster, wanted)
  if (wanted.vignette) addVignette(raster, wanted.vignette)
  if (wanted.grain) addGrain(raster, wanted.grain, random)
}

/** Applies the parts of the grade that change each pixel separately. These parts are computed
 *  with lookup tables, whose entries are in units of 1/256. */
function gradeColours(raster: Raster, wanted: Grade): void {
  const saturation = Math.round((1 + (wanted.saturation ?? 0)) * 256)
  const split = in256ths(splitTones(wanted))
  inRoom(() => {
    const tables = take(7 * 1024)
    const { words } = views()
    for (const [index, side] of [1, 0, -1].entries()) words.set(in256ths(toneCurve(wanted, side)), tables / 4 + index * 256)
    for (let i = 0; i < 256; i++) words.set(split.subarray(i * 3, i * 3 + 3), tables / 4 + 768 + i * 4)
    changeRows(raster, row => gradeColoursOfRow(row, raster.width, tables, saturation))
  })
}

function in256ths(values: Float32Array): Int32Array {
  return Int32Array.from(values, value => Math.round(value * 256))
}

/** Returns the tone curve of one channel: the new value for each value 0 to 255. `side` selects the
 *  channel: 1 red, 0 green, -1 blue. A colour temperature raises one of red and blue and lowers the
 *  other. */
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

/** Returns for each luma (0 to 255) the three values that are added to red, green and blue. */
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
  inRoom(() => {
    const glow = softenedRows(raster, Math.max(2, shortSide(raster) / 28), keepBright)
    const gain = Math.round(strength * 257)
    changeRows(raster, (row, groups, y) => screenRow(row, glow(y), groups, gain))
  })
}

/** Keeps only the bright parts of premultiplied pixels, in place; everything else becomes black. A
 *  half-transparent pixel glows at most half as much as an opaque one. */
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
  inRoom(() => {
    const around = softenedRows(raster, Math.max(2, shortSide(raster) / 22))
    const share = takeFloat(strength)
    changeRows(raster, (row, groups, y) => clarifyRow(row, around(y), groups, share))
  })
}

/** Darkens the corners of a straight-alpha raster in place; `strength` is 0 to 1. Alpha stays. */
export function addVignette(raster: Raster, strength: number): void {
  const { width, height } = raster
  // One factor per block of 8 x 8 pixels is computed, because the darkening changes slowly over the
  // picture.
  const grid = createPlane(Math.ceil(width / 8), Math.ceil(height / 8))
  const square = (place: number, size: number) => (((place + 0.5) / size) * 2 - 1) ** 2 / 2
  for (let y = 0, i = 0; y < grid.height; y++) {
    for (let x = 0; x < grid.width; x++, i++) {
      const away = square(x, grid.width) + square(y, grid.height)
      grid.data[i] = Math.max(0, 1 - strength * 1.15 * Math.max(0, away - 0.18) ** 1.3)
    }
  }
  inRoom(() => {
    const read = stretchedRows(grid, raster)
    changeRows(raster, (row, groups, y) => shadeRow(row, read(y), groups))
  })
}

/** Adds film grain in place, strongest in the midtones. Larger pictures get larger grains. */
function addGrain(raster: Raster, strength: number, random: Random): void {
  inRoom(() => {
    const tile = grainTile(random.fork('grain'), 384, 1)
    const noise = repeatedRows(tile, raster.width, Math.max(0.5, shortSide(raster) / 1400))
    const steps = takeFloat(strength * 60)
    changeRows(raster, (row, groups, y) => grainRow(row, noise(y), groups, steps))
  })
}

/** Stores a number in the WebAssembly memory of the filters and returns its address. */
function takeFloat(value: number): number {
  const at = take(4)
  views().floats[at / 4] = value
  return at
}

/** Calls `change` for each row of a raster. Before the call, the row is copied into the WebAssembly
 *  memory of the filters, to the address `row`; afterwards it is copied back. `groups` is the
 *  number of groups of four pixels in the row. */
function changeRows({ data, width, height }: Raster, change: (row: number, groups: number, y: number) => void): void {
  const line = width * 4
  const row = take(line + 16)
  for (let y = 0; y < height; y++) {
    views().bytes.set(data.subarray(y * line, (y + 1) * line), row)
    change(row, (width + 3) >> 2, y)
    data.set(views().bytes.subarray(row, row + line), y * line)
  }
}
