import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import type { Rgb } from '../drawing.ts'
import { clamp, mix, rgb, smooth } from './colour.ts'
import { fieldScale, type Pixel, paintField } from './field.ts'
import type { Noise } from './noise.ts'
import { lit } from './palette.ts'
import { skySpan, skyTable } from './sky.ts'
import type { Stage } from './stage.ts'

export interface WaterOptions {
  /** Highest pixel row in which water is possible. */
  top: number
  bottom: number
  /** Returns the depth of the water in metres at a position; 0 or less on dry ground. When absent,
   *  the whole area is water. */
  depth?: (x: number, z: number) => number
  /** Roughness: 0 (mirror) to 1 (choppy sea). */
  rough: number
  deep: Rgb
  /** Colour of the ground seen through shallow water. */
  shallow?: Rgb
  /** Depth in metres from which the ground is no longer visible. */
  clarity?: number
}

/** Draws water that mirrors the picture above it. The reflection gets stronger towards the horizon
 *  (Fresnel), the light of sun or moon glitters below them, and rough water has foam. */
export function paintWater(context: SKRSContext2D, stage: Stage, options: WaterOptions): void {
  const top = Math.max(0, Math.floor(options.top))
  const rect = { x: 0, y: top, width: stage.width, height: Math.max(0, Math.min(stage.height, options.bottom) - top) }
  if (rect.height < 1) return
  const scale = fieldScale(stage.width, stage.height, 0.95)
  const mirror = createMirror(context, stage, options)
  const noise = stage.noise('water')
  const waves = createWaves(stage, noise, options.rough)
  const { view, palette } = stage
  const deep = lit(palette, options.deep, 0.55)
  const shallow = lit(palette, options.shallow ?? mix(options.deep, rgb('#8fd3c8'), 0.5), 0.9)
  const glitter = createGlitter(stage, noise)
  const wave = { lift: 0, foam: 0, light: 0 }
  const rows = Math.max(1, stage.height - view.horizonY)
  paintField(context, rect, scale, (x, y, out) => {
    const z = view.depth(y)
    const worldX = ((x - view.centreX) / view.focal) * z
    const deepness = options.depth === undefined ? 9 : options.depth(worldX, z)
    if (deepness <= 0) {
      out[3] = 0
      return
    }
    waves(worldX, z, wave)
    const near = clamp((y - view.horizonY) / rows, 0, 1)
    const lift = wave.lift * (0.25 + near)
    mirror(x, y, lift, out)
    const grazing = clamp(0.9 - near * 0.72 - wave.light * (0.28 + 0.4 * options.rough), 0.06, 0.94)
    const share = smooth(0, options.clarity ?? 1.2, deepness)
    const r = shallow.r + (deep.r - shallow.r) * share
    const g = shallow.g + (deep.g - shallow.g) * share
    const b = shallow.b + (deep.b - shallow.b) * share
    const spark = glitter(x, near, worldX, z, wave.lift)
    out[0] = r + (out[0]! - r) * grazing + spark * palette.sun.r
    out[1] = g + (out[1]! - g) * grazing + spark * palette.sun.g
    out[2] = b + (out[2]! - b) * grazing + spark * palette.sun.b
    if (wave.foam > 0) addFoam(out, palette.key, wave.foam)
    out[3] = 255 * smooth(0, 0.03 + z * 0.0025, deepness)
  })
}

function addFoam(out: Pixel, light: Rgb, amount: number): void {
  const white = (value: number) => Math.min(255, value * 0.94 + 8)
  out[0] = out[0]! + amount * (white(light.r) - out[0]!)
  out[1] = out[1]! + amount * (white(light.g) - out[1]!)
  out[2] = out[2]! + amount * (white(light.b) - out[2]!)
}

/** Returns the length in metres that serves as the unit for waves. The unit depends on the scale of
 *  the view. */
function waveScale(stage: Stage): number {
  const size = stage.view.angle === 'top' ? 0.13 : 0.42
  return (size * stage.unit) / stage.view.metre(stage.view.nearY)
}

interface Wave {
  /** How far the wave shifts the reflection: its height, about -1 to 1, times 0.25 plus the
   *  roughness. */
  lift: number
  light: number
  foam: number
}

/** Returns a function that computes the wave at a position. Lengths are in the unit of `waveScale`,
 *  so that a pond near the ground and a sea seen from a cliff have waves of the same size in the
 *  picture. In the distance, the pattern depends on the logarithm of the distance, so that it does
 *  not become too fine. */
function createWaves(stage: Stage, noise: Noise, rough: number): (x: number, z: number, wave: Wave) => void {
  const eye = waveScale(stage)
  const stormy = rough > 0.8
  return (x, z, wave) => {
    const u = x / eye
    const v = z / eye
    const near = 1 / (1 + v * 0.16)
    const swell = noise.fbm(u * 0.55 + 3, v * 1.15, 2) * (stormy ? 1.5 : 1)
    const chop = noise.fbm(u * 1.7, v * 4.1 + swell * 1.5, 3) * near
    const distant = noise.fbm((u / v) * 16, Math.log(v) * 15, 2) * (1 - near)
    const height = swell * 0.5 * near + chop * 0.75 + distant * 0.6
    wave.lift = height * (0.25 + rough)
    wave.light = height
    wave.foam = 0
    if (rough < 0.45) return
    const crest = smooth(stormy ? 0.12 : 0.34, stormy ? 0.42 : 0.6, height)
    wave.foam = crest * smooth(-0.25, 0.4, noise.fbm(u * 5, v * 11, 2)) * (0.35 + 0.6 * near) * (stormy ? 1 : 0.6)
  }
}

function createGlitter(stage: Stage, noise: Noise): (x: number, near: number, worldX: number, z: number, lift: number) => number {
  const { palette, sun, unit } = stage
  const eye = waveScale(stage)
  const power = palette.sharpness * (palette.lightHeight < 0.2 ? 1 : palette.isNight ? 0.62 : 0.5)
  if (power < 0.2) return () => 0
  return (x, near, worldX, z, lift) => {
    const width = 0.045 + 0.24 * near
    const off = (x - sun.x) / unit / width
    if (off * off > 7) return 0
    const v = z / eye
    const fine = noise.fbm((worldX / eye) * 3.1 + 40, v < 6 ? v * 8 : Math.log(v) * 40, 2) + lift * 0.6
    return power * Math.exp(-off * off) * (0.14 + 1.1 * smooth(0.06, 0.36, fine)) * (1 - near * 0.35)
  }
}

type Mirror = (x: number, y: number, lift: number, out: Pixel) => void

/** Returns a function that reads the picture above the waterline upside down. For a point that
 *  would lie above the top edge of the picture, it returns the colour of the sky. */
function createMirror(context: SKRSContext2D, stage: Stage, options: WaterOptions): Mirror {
  const { width, height, unit, view } = stage
  const scale = fieldScale(width, height, 0.8)
  const columns = Math.max(1, Math.round(width * scale))
  const top = Math.max(1, Math.ceil(Math.max(options.top + unit * 0.02, shoreLimit(stage, options))))
  const rows = Math.max(1, Math.round(Math.min(height, top) * scale))
  const copy = createCanvas(columns, rows)
  const ink = copy.getContext('2d')
  ink.drawImage(stage.soFar(context), 0, 0, width, Math.min(height, top), 0, 0, columns, rows)
  const pixels = ink.getImageData(0, 0, columns, rows).data
  const shore = shoreRows(stage, options, columns)
  const table = skyTable(stage.palette)
  const span = skySpan(stage, Math.max(1, view.horizonY))
  const stepX = columns / width
  const stepY = rows / Math.min(height, top)
  return (x, y, lift, out) => {
    const column = clamp(Math.round((x + lift * unit * (0.01 + 0.03 * options.rough)) * stepX), 0, columns - 1)
    const line = shore[column]!
    const away = y - line
    const spread = unit * (0.012 + 0.11 * options.rough * Math.min(1, away / (unit * 0.3)))
    const mirrored = line - away * 0.92 - Math.abs(lift) * unit * 0.03 + lift * spread
    const row = Math.max(0, Math.min(rows - 1, Math.floor(mirrored * stepY)))
    const i = (row * columns + column) * 4
    // The picture does not contain what is above its top edge, so the reflection fades to plain sky
    // there.
    const known = smooth(-0.01 * unit, 0.1 * unit, mirrored)
    const place = Math.round(clamp((view.horizonY - mirrored) / span, 0, 1) * 256) * 3
    out[0] = table[place]! + (pixels[i]! - table[place]!) * known
    out[1] = table[place + 1]! + (pixels[i + 1]! - table[place + 1]!) * known
    out[2] = table[place + 2]! + (pixels[i + 2]! - table[place + 2]!) * known
    out[3] = 255
  }
}

function shoreLimit(stage: Stage, options: WaterOptions): number {
  return options.depth === undefined ? stage.view.horizonY : options.top + (options.bottom - options.top) * 0.4
}

/** Returns for each column the first row with water; the picture above it is mirrored there. */
function shoreRows(stage: Stage, options: WaterOptions, columns: number): Float64Array {
  const { view, unit } = stage
  const rows = new Float64Array(columns).fill(Math.max(options.top, view.horizonY))
  if (options.depth === undefined) return rows
  const step = Math.max(0.5, unit / 400)
  for (let column = 0; column < columns; column++) {
    const x = ((column + 0.5) / columns) * stage.width
    for (let y = options.top; y < options.bottom; y += step) {
      const z = view.depth(y)
      if (options.depth(((x - view.centreX) / view.focal) * z, z) > 0) {
        rows[column] = y
        break
      }
    }
  }
  return rows
}
