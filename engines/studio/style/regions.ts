import type { Random, Rgb } from '../drawing.ts'
import { kuwahara } from './kuwahara.ts'
import { createRaster, type Raster, shortSide } from './pixels.ts'
import { resizeRaster } from './resize.ts'

/** Superpixels: small areas of uniform colour and similar size whose borders follow the outlines
 *  of a picture. The superpixels are computed on the grid of a reduced or enlarged picture. */
export interface Regions {
  /** Region number of each grid cell. */
  label: Int32Array
  width: number
  height: number
  /** Mean colour of each region. */
  colours: Rgb[]
}

/** Largest number of cells of the grid; limits the work for panoramas, whose long side would
 *  need many. */
const mostCells = 3_000_000

interface Centre extends Rgb {
  x: number
  y: number
}

/** Divides a picture into superpixels, about `across` of them along its short side. With a
 *  `stiffness` of 0.1, their borders follow every outline; with 2, they are even cells. */
export function findRegions(raster: Raster, random: Random, options: { across: number; stiffness: number; gridShort: number }): Regions {
  // Small pictures are enlarged, so that the lines between regions, which are a fixed number of
  // grid cells wide, have the same relative width in every picture.
  const scale = Math.min(6, options.gridShort / shortSide(raster), Math.sqrt(mostCells / (raster.width * raster.height)))
  const small = kuwahara(
    resizeRaster(raster, Math.max(1, Math.round(raster.width * scale)), Math.max(1, Math.round(raster.height * scale))),
    4,
  )
  const { width, height } = small
  const pitch = Math.max(2, shortSide(small) / options.across)
  const centres = seedCentres(small, random, pitch)
  const label = new Int32Array(width * height)
  for (let round = 0; round < 4; round++) {
    assign(small, centres, { label, pitch, weight: (options.stiffness * 60) / pitch })
    recentre(small, centres, label)
  }
  smoothLabels(label, width, height)
  return { label, width, height, colours: centres.map(({ r, g, b }) => ({ r, g, b })) }
}

/** Returns a grey picture of the borders between regions: 255 on the borders, which are `thick`
 *  grid cells wide, and 0 inside the regions. */
export function borderRaster(regions: Regions, thick: number): Raster {
  const { label, width, height } = regions
  const out = createRaster(width, height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      const own = label[i]!
      const other = (x + 1 < width && label[i + 1] !== own) || (y + 1 < height && label[i + width] !== own)
      if (!other) continue
      for (let k = 0; k < thick * thick; k++) {
        const px = Math.min(width - 1, x + (k % thick))
        const py = Math.min(height - 1, y + Math.floor(k / thick))
        out.data.fill(255, (py * width + px) * 4, (py * width + px) * 4 + 4)
      }
    }
  }
  return out
}

function seedCentres(small: Raster, random: Random, pitch: number): Centre[] {
  const centres: Centre[] = []
  let odd = false
  for (let y = Math.min(pitch / 2, small.height - 1); y < small.height; y += pitch * 0.9) {
    for (let x = Math.min(odd ? pitch : pitch / 2, small.width - 1); x < small.width; x += pitch) {
      const px = Math.min(small.width - 1, Math.max(0, x + random.between(-0.32, 0.32) * pitch))
      const py = Math.min(small.height - 1, Math.max(0, y + random.between(-0.32, 0.32) * pitch))
      const i = (Math.floor(py) * small.width + Math.floor(px)) * 4
      centres.push({ x: px, y: py, r: small.data[i]!, g: small.data[i + 1]!, b: small.data[i + 2]! })
    }
    odd = !odd
  }
  return centres
}

function assign(small: Raster, centres: Centre[], task: { label: Int32Array; pitch: number; weight: number }): void {
  const { width, height, data } = small
  const best = new Float32Array(width * height).fill(1e9)
  const reach = Math.ceil(task.pitch * 1.35)
  const weight = task.weight * task.weight
  for (let k = 0; k < centres.length; k++) {
    const { x: cx, y: cy, r, g, b } = centres[k]!
    const right = Math.min(width - 1, Math.ceil(cx + reach))
    const bottom = Math.min(height - 1, Math.ceil(cy + reach))
    for (let y = Math.max(0, Math.floor(cy - reach)); y <= bottom; y++) {
      for (let x = Math.max(0, Math.floor(cx - reach)); x <= right; x++) {
        const i = y * width + x
        const j = i * 4
        const dr = data[j]! - r
        const dg = data[j + 1]! - g
        const db = data[j + 2]! - b
        const distance = dr * dr + dg * dg + db * db + ((x - cx) * (x - cx) + (y - cy) * (y - cy)) * weight
        if (distance >= best[i]!) continue
        best[i] = distance
        task.label[i] = k
      }
    }
  }
}

/** Gives every cell the region to which most of the 5 x 5 cells around it belong, in place. This
 *  straightens borders and removes fragments. */
function smoothLabels(label: Int32Array, width: number, height: number): void {
  for (let round = 0; round < 3; round++) {
    const before = label.slice()
    for (let y = 2; y < height - 2; y++) {
      for (let x = 2; x < width - 2; x++) {
        const i = y * width + x
        const own = before[i]!
        if (before[i + 2] === own && before[i - 2] === own && before[i + 2 * width] === own && before[i - 2 * width] === own) continue
        label[i] = commonest(before, i, width)
      }
    }
  }
}

/** The labels around a cell, for `commonest`, which reads each of them up to 25 times. */
const near = new Int32Array(25)

function commonest(label: Int32Array, i: number, width: number): number {
  for (let dy = -2, k = 0; dy <= 2; dy++) for (let dx = -2; dx <= 2; dx++) near[k++] = label[i + dy * width + dx]!
  let best = label[i]!
  let most = 0
  for (let k = 0; k < 25; k++) {
    const candidate = near[k]!
    if (candidate === best && most > 0) continue
    let votes = 0
    for (let n = 0; n < 25; n++) if (near[n] === candidate) votes++
    if (votes <= most) continue
    most = votes
    best = candidate
    if (votes > 12) break
  }
  return best
}

function recentre(small: Raster, centres: Centre[], label: Int32Array): void {
  const sums = new Float64Array(centres.length * 6)
  for (let y = 0; y < small.height; y++) {
    for (let x = 0; x < small.width; x++) {
      const i = y * small.width + x
      const o = label[i]! * 6
      sums[o]! += x
      sums[o + 1]! += y
      sums[o + 2]! += small.data[i * 4]!
      sums[o + 3]! += small.data[i * 4 + 1]!
      sums[o + 4]! += small.data[i * 4 + 2]!
      sums[o + 5]! += 1
    }
  }
  for (let k = 0; k < centres.length; k++) {
    const n = sums[k * 6 + 5]!
    if (n === 0) continue
    const centre = centres[k]!
    centre.x = sums[k * 6]! / n
    centre.y = sums[k * 6 + 1]! / n
    centre.r = sums[k * 6 + 2]! / n
    centre.g = sums[k * 6 + 3]! / n
    centre.b = sums[k * 6 + 4]! / n
  }
}
