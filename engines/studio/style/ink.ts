import type { Random } from '../drawing.ts'
import { blurPlane } from './blur.ts'
import { keepDetails } from './details.ts'
import { bodyPlane, contrastPlane, gradientPlane, inkLines } from './edges.ts'
import { kuwahara } from './kuwahara.ts'
import { fractalNoise } from './noise.ts'
import { fibres, paperRows } from './paper.ts'
import { createRaster, type Plane, type Raster, shortSide, smoothstep } from './pixels.ts'
import { resizeRaster } from './resize.ts'
import { stampSeal } from './seal.ts'
import { resizePlane, stretch } from './stretch.ts'
import { evenTones } from './tones.ts'
import { wobble } from './warp.ts'

/** Draws a Chinese ink wash painting: shapes in five tones of ink that spread into rice paper,
 *  outlines of a dry brush, blank paper in areas without detail, pale colours, and a red seal. */
export function inkWash(raster: Raster, random: Random): Raster {
  const unit = shortSide(raster)
  const even = evenTones(raster, 165, 0.85)
  const simple = keepDetails(kuwahara(even, unit / 85), even, { radius: unit / 800, least: 30 })
  const shapes = wobble(simple, random.fork('bleed'), { reach: unit / 180, cell: unit / 45 })
  const busy = importance(even)
  const ink = inkPlane(shapes, busy, random.fork('wash'))
  addBrushLines(ink, { shapes, busy }, random.fork('lines'))
  const out = onRicePaper(ink, shapes, random.fork('paper'))
  stampSeal(out, random.fork('seal'))
  return out
}

/** Returns how important each area is, 0 to 1. Areas with little detail are unimportant and stay
 *  blank paper. */
function importance(raster: Raster): Plane {
  const unit = shortSide(raster)
  const scale = Math.min(1, 256 / unit)
  const small = resizeRaster(raster, Math.max(1, Math.round(raster.width * scale)), Math.max(1, Math.round(raster.height * scale)))
  const busy = blurPlane(gradientPlane(contrastPlane(small)), shortSide(small) / 16)
  let top = 1
  for (const value of busy.data) if (value > top) top = value
  for (let i = 0; i < busy.data.length; i++) busy.data[i] = smoothstep(0.02, 0.42, busy.data[i]! / top)
  return busy
}

function inkPlane(shapes: Raster, busy: Plane, random: Random): Plane {
  const { width, height } = shapes
  const unit = shortSide(shapes)
  const sharp = bodyPlane(shapes)
  const near = blurPlane(sharp, unit / 400)
  const wide = blurPlane(sharp, unit / 75)
  const busyRow = stretch(busy, width, height)
  const grid = { width: Math.ceil((width / unit) * 180), height: Math.ceil((height / unit) * 180) }
  const wetRow = stretch(fractalNoise(random, grid, 40, 4), width, height)
  const rows = { busy: new Float32Array(width), wet: new Float32Array(width) }
  for (let y = 0; y < height; y++) {
    busyRow(y, rows.busy)
    wetRow(y, rows.wet)
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      const wet = smoothstep(0.42, 0.72, rows.wet[x]!) * 0.75
      const luma = near.data[i]! * (1 - wet) + wide.data[i]! * wet
      const rim = Math.max(0, wide.data[i]! - near.data[i]! - 6) * 0.0042
      const dark = fiveTones[luma >= 255 ? 0 : (255 - luma) | 0]!
      const open = 0.22 + 0.78 * rows.busy[x]!
      sharp.data[i] = dark * open * (0.82 + (rows.wet[x]! - 0.5) * 0.9) + rim
    }
  }
  return sharp
}

/** Table from darkness (0 to 255) to the amount of ink, with five steps and soft transitions
 *  between them. */
const fiveTones = Float32Array.from({ length: 256 }, (_, i) => {
  const level = (i / 255) * 5
  const low = Math.floor(level)
  const stepped = (low + smoothstep(0.25, 0.75, level - low)) / 5
  return ((i / 255) * 0.35 + stepped * 0.65) ** 1.35
})

function addBrushLines(ink: Plane, drawing: { shapes: Raster; busy: Plane }, random: Random): void {
  const { shapes } = drawing
  const { width, height } = shapes
  const unit = shortSide(shapes)
  const plane = contrastPlane(shapes)
  const thin = inkLines(plane, { sigma: unit / 520, share: 0.98, threshold: 20, slope: 0.03 })
  const half = resizePlane(plane, Math.ceil(width / 2), Math.ceil(height / 2))
  const thickRow = stretch(inkLines(half, { sigma: unit / 480, share: 0.985, threshold: 2, slope: 0.035 }), width, height)
  const grid = { width: Math.ceil((width / unit) * 200), height: Math.ceil((height / unit) * 200) }
  const loadRow = stretch(fractalNoise(random, grid, 18, 3), width, height)
  const dryRow = paperRows(random.fork('dry'), shapes, 0.003)
  const busyRow = stretch(drawing.busy, width, height)
  const load = new Float32Array(width)
  const dry = new Float32Array(width)
  const thick = new Float32Array(width)
  const busy = new Float32Array(width)
  for (let y = 0; y < height; y++) {
    loadRow(y, load)
    dryRow(y, dry)
    thickRow(y, thick)
    busyRow(y, busy)
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      const wet = smoothstep(0.3, 0.68, load[x]!)
      const line = thin.data[i]! * (0.35 + 0.5 * wet) + thick[x]! * wet * 0.75
      const laid = line * (1 + dry[x]! * (1 - wet) * 0.9) * Math.min(1, busy[x]! * 2.2)
      ink.data[i] = Math.max(ink.data[i]!, Math.min(0.95, laid))
    }
  }
}

function onRicePaper(ink: Plane, shapes: Raster, random: Random): Raster {
  const { width, height } = shapes
  const unit = shortSide(shapes)
  const strands = fibres(random.fork('fibres'), { width: Math.ceil((width / unit) * 512), height: Math.ceil((height / unit) * 512) }, 420)
  const strandRow = stretch(strands, width, height)
  const toothRow = paperRows(random.fork('tooth'), shapes, 0.0036)
  const rows = { strand: new Float32Array(width), tooth: new Float32Array(width) }
  const out = createRaster(width, height)
  for (let y = 0; y < height; y++) {
    strandRow(y, rows.strand)
    toothRow(y, rows.tooth)
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      const laid = Math.min(0.93, Math.max(0, ink.data[i]! * (1 + rows.tooth[x]! * 0.14)))
      const paper = 1 + rows.tooth[x]! * 0.012 - rows.strand[x]! * 0.035
      inkPixel(shapes.data, out.data, { j: i * 4, laid, paper })
    }
  }
  return out
}

function inkPixel(from: Uint8ClampedArray, to: Uint8ClampedArray, spot: { j: number; laid: number; paper: number }): void {
  const { j, laid, paper } = spot
  const r = from[j]!
  const g = from[j + 1]!
  const b = from[j + 2]!
  const luma = r * 0.299 + g * 0.587 + b * 0.114
  const warm = Math.min(1, Math.max(0, (r - Math.min(g, b) - 36) / 100))
  // The pale colours of such paintings are ochre, vermilion and some green. Warm colours are
  // therefore kept, and blue becomes nearly grey.
  const colour = 0.14 + warm * 0.42
  const strength = Math.min(1, laid * 2.6 + 0.1 + warm * 0.35) * colour
  to[j] = 244 * paper * (1 - laid) + 27 * laid + (r - luma) * strength
  to[j + 1] = 238 * paper * (1 - laid) + 26 * laid + (g - luma) * strength
  to[j + 2] = 223 * paper * (1 - laid) + 30 * laid + (b - luma) * strength
  to[j + 3] = 255
}
