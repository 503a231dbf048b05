import type { Random } from '../drawing.ts'
import { blurPlane } from './blur.ts'
import { keepDetails } from './details.ts'
import { bodyPlane, contrastPlane, inkLines } from './edges.ts'
import { hatchTile } from './hatch.ts'
import { kuwahara } from './kuwahara.ts'
import { repeat } from './noise.ts'
import { paperRows, tornBorder } from './paper.ts'
import { createRaster, type Plane, type Raster, shortSide } from './pixels.ts'
import { resizePlane } from './stretch.ts'
import { evenTones } from './tones.ts'

interface SketchLayers {
  /** Strength of the lines: 0 (paper) to 1 (full line). */
  lines: Plane
  /** Brightness: 0 (dark) to 1 (light). */
  tones: Plane
}

/** Draws with graphite on paper: thin outlines, and shading in layers of hatching that cross in
 *  dark areas. The texture of the paper is visible in every stroke. */
export function sketch(raster: Raster, random: Random): Raster {
  const { width, height } = raster
  const unit = shortSide(raster)
  const { lines, tones } = pencilPlanes(raster)
  const hatches = pencilHatches(random.fork('hatch'), width, unit)
  const tooth = paperRows(random.fork('paper'), raster, 0.0028)
  const fade = tornBorder(random.fork('border'), raster, { margin: 0.05, rough: 0.05, soft: 0.035 })
  const rows = { grain: new Float32Array(width), inside: new Float32Array(width) }
  const layers = hatches.map(() => new Float32Array(width))
  const out = createRaster(width, height)
  for (let y = 0; y < height; y++) {
    tooth(y, rows.grain)
    fade(y, rows.inside)
    hatches.forEach((read, k) => {
      read(y, layers[k]!)
    })
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      const grain = rows.grain[x]!
      const dark = shading(1 - tones.data[i]!, layers, x) * rows.inside[x]!
      const line = lines.data[i]! * (0.35 + 0.65 * rows.inside[x]!)
      const laid = Math.min(0.94, (dark + line * (1 - dark * 0.5)) * (1 + grain * 0.42))
      const paper = 1 + grain * 0.012
      const j = i * 4
      out.data[j] = 249 * paper * (1 - laid) + 44 * laid
      out.data[j + 1] = 246 * paper * (1 - laid) + 43 * laid
      out.data[j + 2] = 238 * paper * (1 - laid) + 47 * laid
      out.data[j + 3] = 255
    }
  }
  return out
}

/** Returns the amount of graphite at column `x` for a darkness of 0 to 1: a soft rubbed tone and
 *  layers of hatching. Darker areas have more layers. */
function shading(dark: number, layers: Float32Array[], x: number): number {
  const first = Math.min(1, Math.max(0, (dark - 0.26) * 2.6)) * layers[0]![x]!
  const second = Math.min(1, Math.max(0, (dark - 0.48) * 3)) * layers[1]![x]!
  const third = Math.min(1, Math.max(0, (dark - 0.68) * 3.4)) * layers[2]![x]!
  const rubbed = dark * dark * 0.42 + dark * 0.06
  return 1 - (1 - rubbed) * (1 - first * 0.5) * (1 - second * 0.56) * (1 - third * 0.62)
}

function pencilHatches(random: Random, width: number, unit: number) {
  const scale = Math.max(0.5, unit / 1024)
  const make = (name: string, angle: number, strokes: number, thick: number) =>
    repeat(hatchTile(random.fork(name), { size: 384, angle, strokes, length: 58, width: thick, sway: 0.22 }), width, scale)
  return [make('first', -0.9, 1150, 1.5), make('second', -0.35, 1100, 1.6), make('third', 0.85, 1300, 1.7)]
}

function pencilPlanes(raster: Raster): SketchLayers {
  const unit = shortSide(raster)
  const base = evenTones(raster, 142, 0.7)
  const simple = keepDetails(kuwahara(base, unit / 230), base, { radius: 0, least: 26 })
  const plane = contrastPlane(simple)
  const lines = inkLines(plane, { sigma: unit / 700, share: 0.982, threshold: 24, slope: 0.022 })
  const tones = bodyPlane(simple)
  const around = resizePlane(blurPlane(shrunk(tones, 8), Math.max(1, unit / 8 / 9)), tones.width, tones.height)
  for (let i = 0; i < tones.data.length; i++) {
    // Half of the tone is the difference to the surroundings. A large uniform area such as the sky
    // then stays blank paper, even if it is dark.
    const luma = tones.data[i]!
    const own = luma * 0.5 + (luma - around.data[i]! + 178) * 0.5
    tones.data[i] = Math.min(1, Math.max(0, own / 255))
    const dodge = Math.min(1, Math.max(0, (around.data[i]! - luma) / 400))
    lines.data[i] = Math.min(1, lines.data[i]! * 0.9 + dodge * 0.25)
  }
  return { lines, tones }
}

/** Returns every n-th pixel of a plane. */
function shrunk(plane: Plane, n: number): Plane {
  const width = Math.ceil(plane.width / n)
  const height = Math.ceil(plane.height / n)
  const out: Plane = { data: new Float32Array(width * height), width, height }
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) out.data[y * width + x] = plane.data[y * n * plane.width + x * n]!
  }
  return out
}

/** Draws with coloured chalk on a blackboard: light areas are filled with the side of the chalk,
 *  outlines are white, and dust lies between them. */
export function chalk(raster: Raster, random: Random): Raster {
  const { width, height } = raster
  const unit = shortSide(raster)
  const simple = kuwahara(evenTones(raster, 120, 0.7), unit / 150)
  const plane = contrastPlane(simple)
  for (let i = 0; i < plane.data.length; i++) plane.data[i] = 255 - plane.data[i]!
  const lines = inkLines(plane, { sigma: unit / 480, share: 0.982, threshold: 22, slope: 0.026 })
  const scale = Math.max(0.5, unit / 1024)
  const strokes = repeat(
    hatchTile(random.fork('strokes'), { size: 384, angle: -0.75, strokes: 700, length: 70, width: 4, sway: 0.3 }),
    width,
    scale,
  )
  const tooth = paperRows(random.fork('board'), raster, 0.0034)
  const smear = tornBorder(random.fork('smear'), raster, { margin: 0.1, rough: 0.2, soft: 0.1 })
  const rows = { grain: new Float32Array(width), stroke: new Float32Array(width), smear: new Float32Array(width) }
  const out = createRaster(width, height)
  for (let y = 0; y < height; y++) {
    tooth(y, rows.grain)
    strokes(y, rows.stroke)
    smear(y, rows.smear)
    for (let x = 0; x < width; x++) {
      chalkPixel(simple.data, out.data, {
        j: (y * width + x) * 4,
        line: lines.data[y * width + x]!,
        grain: rows.grain[x]!,
        stroke: rows.stroke[x]!,
        smear: rows.smear[x]!,
      })
    }
  }
  return out
}

interface ChalkSpot {
  j: number
  line: number
  grain: number
  stroke: number
  smear: number
}

function chalkPixel(from: Uint8ClampedArray, to: Uint8ClampedArray, spot: ChalkSpot): void {
  const { j, grain } = spot
  const r = from[j]!
  const g = from[j + 1]!
  const b = from[j + 2]!
  const luma = r * 0.299 + g * 0.587 + b * 0.114
  const colourful = Math.max(r, g, b) - Math.min(r, g, b)
  const tone = Math.min(1, luma / 255 + colourful / 700)
  const rubbed = tone * (0.55 + spot.stroke * 0.65)
  const cover = Math.min(0.95, Math.max(0, rubbed * 1.25 + grain * 0.4 - 0.14))
  const line = Math.min(1, Math.max(0, spot.line * (1.15 + grain * 0.8)))
  // Chalk colours are pale, so the colour is raised to full brightness and mixed with white.
  const gain = 175 / (luma + 50)
  const pale = 48
  const dust = 7 * spot.smear + grain * 4
  const board = [38 + dust, 50 + dust, 46 + dust] as const
  const keep = 1 - cover
  to[j] = (board[0] * keep + (r * gain + pale) * cover) * (1 - line) + 244 * line
  to[j + 1] = (board[1] * keep + (g * gain + pale) * cover) * (1 - line) + 242 * line
  to[j + 2] = (board[2] * keep + (b * gain + pale) * cover) * (1 - line) + 232 * line
  to[j + 3] = 255
}
