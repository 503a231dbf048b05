import type { Random } from '../drawing.ts'
import { blurPlane, softBlur } from './blur.ts'
import { keepDetails } from './details.ts'
import { contrastPlane, gradientPlane, inkLines, paintPlane } from './edges.ts'
import { grade } from './grade.ts'
import { kuwahara } from './kuwahara.ts'
import { fractalNoise, grainTile, repeat } from './noise.ts'
import { findPalette, nearestFinder } from './palette.ts'
import { paperRows } from './paper.ts'
import { clamp, copyRaster, createPlane, createRaster, type Plane, type Raster, shortSide, smoothstep } from './pixels.ts'
import { stretch } from './stretch.ts'
import { evenTones } from './tones.ts'

/** Draws the picture as if it were modelled in clay: every shape is a rounded lump, softly lit and
 *  slightly glossy, with fingerprints. */
export function clay(raster: Raster, random: Random): Raster {
  const unit = shortSide(raster)
  const simple = keepDetails(kuwahara(raster, unit / 75), raster, { radius: unit / 700, least: 34 })
  grade(simple, { saturation: 0.35, exposure: 0.06 }, random)
  const lump = lumpHeights(simple, random.fork('lumps'))
  const { width, height, data } = simple
  const reach = Math.max(1, Math.round(unit / 512))
  const scale = 26 / reach
  for (let y = 0; y < height; y++) {
    const up = Math.max(0, y - reach) * width
    const down = Math.min(height - 1, y + reach) * width
    for (let x = 0; x < width; x++) {
      const base = y * width
      const dx = (lump.data[base + Math.min(width - 1, x + reach)]! - lump.data[base + Math.max(0, x - reach)]!) * scale
      const dy = (lump.data[down + x]! - lump.data[up + x]!) * scale
      const inverse = 1 / Math.sqrt(dx * dx + dy * dy + 1)
      const diffuse = (0.42 * dx + 0.62 * dy + 0.78) * inverse
      const shine = Math.max(0, (0.34 * dx + 0.5 * dy + 0.8) * inverse - 0.9) * 10
      const light = 0.52 + diffuse * 0.62
      const gloss = Math.min(1, shine) ** 2 * 34
      const j = (base + x) * 4
      data[j] = data[j]! * light + gloss
      data[j + 1] = data[j + 1]! * light + gloss
      data[j + 2] = data[j + 2]! * light + gloss
    }
  }
  return simple
}

/** Returns the height of the clay surface. The surface falls towards every line where two colours
 *  meet, and has shallow dents. */
function lumpHeights(simple: Raster, random: Random): Plane {
  const { width, height } = simple
  const unit = shortSide(simple)
  const edges = gradientPlane(contrastPlane(simple), Math.max(1, Math.round(unit / 700)))
  for (let i = 0; i < edges.data.length; i++) edges.data[i] = smoothstep(8, 50, edges.data[i]!)
  const narrow = blurPlane(edges, unit / 260)
  const broad = blurPlane(edges, unit / 70)
  const dentRow = stretch(
    fractalNoise(random, { width: Math.ceil((width / unit) * 200), height: Math.ceil((height / unit) * 200) }, 16, 4),
    width,
    height,
  )
  const printRow = repeat(grainTile(random.fork('prints'), 256, 2), width, Math.max(0.7, unit / 560))
  const rows = { dent: new Float32Array(width), print: new Float32Array(width) }
  for (let y = 0; y < height; y++) {
    dentRow(y, rows.dent)
    printRow(y, rows.print)
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      const groove = Math.min(1, narrow.data[i]! * 1.4) * 0.24 + Math.min(1, broad.data[i]! * 2) * 0.5
      narrow.data[i] = -groove + rows.dent[x]! * 0.17 + rows.print[x]! * 0.006
    }
  }
  return narrow
}

/** Draws the picture as layers of coloured paper: lighter layers lie over darker ones, each with
 *  a soft shadow on the layer below. */
export function paperCut(raster: Raster, random: Random): Raster {
  const unit = shortSide(raster)
  const simple = kuwahara(keepDetails(kuwahara(raster, unit / 85), raster, { radius: unit / 600, least: 48 }), unit / 190)
  const palette = findPalette(simple, 16)
  const find = nearestFinder(palette)
  const { width, height, data } = simple
  const level = createPlane(width, height)
  for (let i = 0; i < level.data.length; i++) level.data[i] = find(data[i * 4]!, data[i * 4 + 1]!, data[i * 4 + 2]!)
  const near = blurPlane(level, unit / 520)
  const around = blurPlane(level, unit / 85)
  const shift = Math.round(unit / 170)
  const bevel = Math.max(1, Math.round(unit / 900))
  const grainRow = paperRows(random, raster, 0.0032)
  const grain = new Float32Array(width)
  const out = createRaster(width, height)
  for (let y = 0; y < height; y++) {
    grainRow(y, grain)
    const sourceY = Math.max(0, y - shift) * width
    const bevelY = Math.max(0, y - bevel) * width
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      const over = around.data[sourceY + Math.max(0, x - shift)]! - near.data[i]!
      const cast = clamp(over * 0.1, 0, 0.42)
      const edge = clamp((near.data[i]! - near.data[bevelY + Math.max(0, x - bevel)]!) * 9, -22, 26)
      const colour = palette[level.data[i]!]!
      const light = (1 - cast) * (1 + grain[x]! * 0.035)
      out.data[i * 4] = colour.r * light * 1.04 + edge + 6
      out.data[i * 4 + 1] = colour.g * light * 1.04 + edge + 4
      out.data[i * 4 + 2] = colour.b * (light + cast * 0.12) * 1.04 + edge + 3
      out.data[i * 4 + 3] = 255
    }
  }
  return out
}

/** Draws the picture as glowing neon tubes in the dark. A tube runs along every outline, in a
 *  saturated version of the picture's colour there. */
export function neon(raster: Raster, random: Random): Raster {
  const unit = shortSide(raster)
  const simple = kuwahara(evenTones(raster, 130, 0.6), unit / 85)
  const plane = paintPlane(simple)
  const lines = inkLines(plane, { sigma: unit / 420, share: 0.985, threshold: 10, slope: 0.03 })
  const tubes = createRaster(raster.width, raster.height)
  const { data } = simple
  for (let i = 0, j = 0; j < data.length; i++, j += 4) {
    tubeColour(data, tubes.data, j, lines.data[i]!)
  }
  const narrow = softBlur(tubes, unit / 180).data
  const wide = softBlur(tubes, unit / 38).data
  for (let i = 0, j = 0; j < data.length; i++, j += 4) {
    const luma = data[j]! * 0.299 + data[j + 1]! * 0.587 + data[j + 2]! * 0.114
    const core = lines.data[i]! ** 2 * 110
    data[j] = 9 + data[j]! * 0.1 + luma * 0.05 + narrow[j]! * 0.95 + wide[j]! * 1.25 + core
    data[j + 1] = 5 + data[j + 1]! * 0.08 + luma * 0.02 + narrow[j + 1]! * 0.95 + wide[j + 1]! * 1.25 + core
    data[j + 2] = 24 + data[j + 2]! * 0.12 + luma * 0.1 + narrow[j + 2]! * 0.95 + wide[j + 2]! * 1.25 + core
  }
  grade(simple, { vignette: 0.4, grain: 0.08 }, random)
  return simple
}

/** Writes the colour of a neon tube at one pixel: the pixel's hue at full saturation. A grey pixel
 *  becomes cyan if it is light, else magenta. `line` is the brightness of the tube, 0 to 1. */
function tubeColour(from: Uint8ClampedArray, to: Uint8ClampedArray, j: number, line: number): void {
  const low = Math.min(from[j]!, from[j + 1]!, from[j + 2]!)
  const high = Math.max(from[j]!, from[j + 1]!, from[j + 2]!)
  const range = high - low
  const pure = smoothstep(14, 60, range)
  const bright = high > 128
  const grey = bright ? ([40, 215, 255] as const) : ([255, 40, 190] as const)
  for (let k = 0; k < 3; k++) {
    const hue = range === 0 ? 0 : ((from[j + k]! - low) / range) * 255
    to[j + k] = (hue * pure + grey[k]! * (1 - pure)) * line
  }
  to[j + 3] = 255
}

/** Draws soft pastel: powdery pale colours on rough paper, without hard edges. */
export function pastel(raster: Raster, random: Random): Raster {
  const { width, height } = raster
  const unit = shortSide(raster)
  const simple = keepDetails(kuwahara(evenTones(copyRaster(raster), 150, 0.5), unit / 130), raster, { radius: unit / 900, least: 34 })
  const soft = softBlur(simple, unit / 90).data
  const toothRow = paperRows(random, raster, 0.0046)
  const tooth = new Float32Array(width)
  const { data } = simple
  for (let y = 0; y < height; y++) {
    toothRow(y, tooth)
    for (let x = 0; x < width; x++) {
      const j = (y * width + x) * 4
      const grain = tooth[x]!
      const powder = clamp(0.92 + grain * 0.17, 0.55, 1)
      for (let k = 0; k < 3; k++) {
        const colour = data[j + k]! * 0.7 + soft[j + k]! * 0.3
        const pale = 255 - (255 - colour) * 0.72
        data[j + k] = pale * powder + (k === 2 ? 236 : 246) * (1 - powder)
      }
    }
  }
  grade(simple, { saturation: 0.5, contrast: 0.16 }, random)
  return simple
}
