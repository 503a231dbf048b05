import type { Random } from '../drawing.ts'
import { softBlur } from './blur.ts'
import { keepDetails } from './details.ts'
import { inkLines, paintPlane } from './edges.ts'
import { grade } from './grade.ts'
import { kuwahara } from './kuwahara.ts'
import { findPalette, nearestFinder } from './palette.ts'
import { clamp, copyRaster, createRaster, type Raster, shortSide } from './pixels.ts'
import { evenTones } from './tones.ts'

/** Draws in the style of anime: uniform areas with soft steps of light, thin tinted outlines, clean
 *  colours, glowing highlights. */
export function anime(raster: Raster, random: Random): Raster {
  const unit = shortSide(raster)
  const cells = keepDetails(kuwahara(raster, unit / 170), raster, { radius: unit / 1400, least: 26 })
  const lines = inkLines(paintPlane(cells), { sigma: unit / 780, share: 0.975, threshold: 48, slope: 0.03 })
  const steps = lightSteps([0.1, 0.3, 0.52, 0.74, 0.94], 0.55)
  const { data } = cells
  for (let i = 0, j = 0; j < data.length; i++, j += 4) {
    const r = data[j]!
    const g = data[j + 1]!
    const b = data[j + 2]!
    const luma = r * 0.299 + g * 0.587 + b * 0.114
    const wanted = steps[luma | 0]!
    // Shadows are shifted to violet and highlights to cream, as in the paints of hand-drawn
    // animation.
    const shift = wanted - luma
    const vivid = 1.28
    const ink = 1 - lines.data[i]! * 0.78
    data[j] = (wanted + (r - luma) * vivid + shift * 0.1) * ink + 18 * (1 - ink)
    data[j + 1] = (wanted + (g - luma) * vivid) * ink + 10 * (1 - ink)
    data[j + 2] = (wanted + (b - luma) * vivid - shift * 0.12) * ink + 26 * (1 - ink)
  }
  grade(cells, { exposure: 0.1, bloom: 0.34, contrast: 0.1 }, random)
  addSunlight(cells)
  return cells
}

/** Draws a comic page: bold black ink, few strong colours, printed dots in shaded areas. */
export function comic(raster: Raster, random: Random): Raster {
  const unit = shortSide(raster)
  const even = evenTones(raster, 135, 0.7)
  const flatArea = keepDetails(kuwahara(even, unit / 95), even, { radius: unit / 900, least: 48 })
  grade(flatArea, { contrast: 0.35, saturation: 0.55, exposure: 0.05 }, random)
  const lines = inkLines(paintPlane(flatArea), { sigma: unit / 430, share: 0.968, threshold: 62, slope: 0.05 })
  const steps = lightSteps([0.12, 0.4, 0.66, 0.93], 0.94)
  const dots = dotScreen(unit / 96, Math.PI / 4)
  const out = createRaster(raster.width, raster.height)
  for (let y = 0; y < raster.height; y++) {
    for (let x = 0; x < raster.width; x++) {
      const i = y * raster.width + x
      comicPixel({ from: flatArea.data, to: out.data, steps, ink: lines.data[i]! }, i * 4, dots(x, y))
    }
  }
  return out
}

function comicPixel(
  page: { from: Uint8ClampedArray; to: Uint8ClampedArray; steps: Float32Array; ink: number },
  j: number,
  dot: number,
): void {
  const r = page.from[j]!
  const g = page.from[j + 1]!
  const b = page.from[j + 2]!
  const luma = r * 0.299 + g * 0.587 + b * 0.114
  const stepped = page.steps[luma | 0]!
  const shade = clamp((205 - luma) / 190, 0, 0.82)
  const dotted = luma < 205 && luma > 36 ? clamp((shade - dot) * 7, 0, 1) : 0
  const solid = luma < 30 && Math.max(r, g, b) < 56 ? 1 : 0
  const lift = stepped * 0.72 + 80
  const factor = 1 - dotted * 0.36
  const ink = 1 - Math.max(page.ink, solid)
  page.to[j] = ((lift + (r - luma) * 1.25) * factor + 4) * ink + 14
  page.to[j + 1] = ((lift + (g - luma) * 1.25) * factor + 1) * ink + 12
  page.to[j + 2] = ((lift + (b - luma) * 1.25) * factor - 10) * ink + 16
  page.to[j + 3] = 255
}

const popColours = [
  [28, 22, 66],
  [226, 28, 108],
  [0, 162, 214],
  [255, 198, 20],
  [255, 246, 214],
] as const

/** Draws a screen print: five inks with coarse dots where two of them meet, and thick outlines,
 *  which are printed slightly beside the colours. */
export function popArt(raster: Raster, random: Random): Raster {
  const unit = shortSide(raster)
  const even = evenTones(raster, 135, 0.85)
  const simple = keepDetails(kuwahara(even, unit / 90), even, { radius: unit / 900, least: 40 })
  grade(simple, { contrast: 0.5, exposure: 0, clarity: 0.5 }, random)
  const lines = inkLines(paintPlane(simple), { sigma: unit / 360, share: 0.972, threshold: 55, slope: 0.05 })
  const dots = dotScreen(unit / 64, Math.PI / 6)
  const { width, height } = raster
  const slip = Math.round(unit / 190)
  const out = createRaster(width, height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      const colour = popColours[popTone(simple.data, i * 4, dots(x, y))]!
      const inked = y * width + Math.min(width - 1, x + slip)
      const ink = 1 - lines.data[inked]!
      out.data[i * 4] = colour[0] * ink + 22 * (1 - ink)
      out.data[i * 4 + 1] = colour[1] * ink + 16 * (1 - ink)
      out.data[i * 4 + 2] = colour[2] * ink + 34 * (1 - ink)
      out.data[i * 4 + 3] = 255
    }
  }
  return softEdges(out)
}

/** Returns the index of the ink for a pixel. The ink depends on the pixel's brightness and on
 *  whether its hue is warm or cold. Between two inks, `dot` (the value of the dot pattern at the
 *  pixel) decides. */
function popTone(data: Uint8ClampedArray, j: number, dot: number): number {
  const r = data[j]!
  const g = data[j + 1]!
  const b = data[j + 2]!
  const luma = (r * 0.299 + g * 0.587 + b * 0.114) / 255
  const colourful = Math.max(r, g, b) - Math.min(r, g, b)
  const level = luma * 4.9 - 0.15
  const low = Math.floor(level)
  const mixed = level - low > 0.25 + dot * 0.62 ? low + 1 : low
  let tone = clamp(mixed, 0, 4)
  if (colourful > 50 && tone > 0 && tone < 4) {
    if (b > r + 20) tone = tone === 1 ? 2 : tone
    else if (r > b + 60 && g < r * 0.62) tone = 1
    else if (r > b + 60 && tone === 2) tone = 3
  }
  return tone
}

/** Draws flat areas in few clean colours, as in vector graphics. */
export function flat(raster: Raster, _random: Random): Raster {
  const unit = shortSide(raster)
  const simple = keepDetails(kuwahara(kuwahara(raster, unit / 170), unit / 300), raster, { radius: unit / 1000, least: 28 })
  const palette = findPalette(simple, 22)
  const find = nearestFinder(palette)
  const { data } = simple
  for (let j = 0; j < data.length; j += 4) {
    const colour = palette[find(data[j]!, data[j + 1]!, data[j + 2]!)]!
    const luma = colour.r * 0.299 + colour.g * 0.587 + colour.b * 0.114
    data[j] = luma + (colour.r - luma) * 1.18 + 5
    data[j + 1] = luma + (colour.g - luma) * 1.18 + 4
    data[j + 2] = luma + (colour.b - luma) * 1.18 + 4
  }
  return softEdges(softEdges(simple))
}

/** Returns a table from luma (0 to 255) to luma in steps. `levels` are the steps, as shares of the
 *  range; `hardness` is 0 (no steps) to 1 (hard steps). */
function lightSteps(levels: number[], hardness: number): Float32Array {
  const table = new Float32Array(257)
  for (let i = 0; i < 257; i++) {
    const t = i / 255
    let nearest = levels[0]!
    for (const level of levels) if (Math.abs(level - t) < Math.abs(nearest - t)) nearest = level
    table[i] = (t + (nearest - t) * hardness) * 255
  }
  // The mean of neighbouring entries turns each step into a short ramp, which avoids jagged edges.
  return table.map((_, i) => (table[Math.max(0, i - 3)]! + table[Math.max(0, i - 1)]! + table[i]! + table[Math.min(256, i + 3)]!) / 4)
}

/** Returns a function that gives the threshold of a dot pattern at a pixel: 0 at the centre of a
 *  dot, about 1 between dots. A pixel whose darkness is above the threshold is printed. */
function dotScreen(cell: number, angle: number): (x: number, y: number) => number {
  const pitch = Math.max(3, cell)
  const cos = Math.cos(angle) / pitch
  const sin = Math.sin(angle) / pitch
  return (x, y) => {
    const u = x * cos + y * sin
    const v = y * cos - x * sin
    const du = u - Math.floor(u) - 0.5
    const dv = v - Math.floor(v) - 0.5
    return (du * du + dv * dv) * 2.2
  }
}

/** Returns the picture with hard edges blurred by one pixel. */
function softEdges(raster: Raster): Raster {
  const out = copyRaster(raster)
  const { width, height, data } = raster
  const stride = width * 4
  for (let y = 1; y < height - 1; y++) {
    for (let j = y * stride + 4; j < (y + 1) * stride - 4; j++) {
      out.data[j] = (data[j]! * 4 + data[j - 4]! + data[j + 4]! + data[j - stride]! + data[j + stride]!) >> 3
    }
  }
  return out
}

/** Adds a glow to the upper part of the picture, in place, as if light came from above. */
function addSunlight(raster: Raster): void {
  const { data, width, height } = raster
  const glow = softBlur(raster, shortSide(raster) / 12).data
  for (let y = 0; y < height; y++) {
    const share = Math.max(0, 1 - y / (height * 0.7)) * 0.16
    for (let j = y * width * 4; j < (y + 1) * width * 4; j += 4) {
      data[j] = data[j]! + (255 - data[j]!) * share * (glow[j]! / 255)
      data[j + 1] = data[j + 1]! + (255 - data[j + 1]!) * share * (glow[j + 1]! / 255)
      data[j + 2] = data[j + 2]! + (255 - data[j + 2]!) * share * (glow[j + 2]! / 255)
    }
  }
}
