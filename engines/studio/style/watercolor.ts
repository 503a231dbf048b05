import type { Random } from '../drawing.ts'
import { blurPlane, boxBlur, softBlur } from './blur.ts'
import { keepDetails } from './details.ts'
import { lumaPlane } from './edges.ts'
import { kuwahara } from './kuwahara.ts'
import { fractalNoise } from './noise.ts'
import { paperRows, tornBorder } from './paper.ts'
import { createRaster, type Plane, type Raster, shortSide } from './pixels.ts'
import { stretch } from './stretch.ts'
import { evenTones } from './tones.ts'
import { wobble } from './warp.ts'

const paper = { r: 251, g: 248, b: 240 }

/** Draws a watercolour on rough paper: transparent paint, and simplified shapes with uneven
 *  outlines. The paint is denser along the outlines and in the pits of the paper, and has a ragged
 *  edge around the picture. */
export function watercolor(raster: Raster, random: Random): Raster {
  const unit = shortSide(raster)
  const base = evenTones(raster, 108, 0.45)
  const shape = { reach: unit / 190, cell: unit / 26 }
  const washed = wobble(kuwahara(base, unit / 85), random.fork('outline'), shape)
  // The details are shifted by the same random offsets as the shapes; otherwise eyes would lie
  // beside their faces.
  const details = wobble(base, random.fork('outline'), shape)
  const shapes = keepDetails(boxBlur(washed, Math.max(1, Math.round(unit / 1000))), details, { radius: unit / 900, least: 34 })
  const pigment = pigmentPlane(shapes, random.fork('pigment'))
  return layOnPaper(shapes, pigment, random.fork('paper'))
}

/** Returns the density of the paint at each pixel: 1 as in the picture, higher where paint has
 *  collected, lower where it is thin. */
function pigmentPlane(shapes: Raster, random: Random): Plane {
  const { width, height } = shapes
  const unit = shortSide(shapes)
  const plane = lumaPlane(shapes)
  const near = blurPlane(plane, unit / 420)
  const wide = blurPlane(plane, unit / 110)
  const scale = Math.min(1, 220 / unit)
  const grid = { width: Math.ceil(width * scale), height: Math.ceil(height * scale) }
  const cloudRow = stretch(fractalNoise(random.fork('cloud'), grid, unit * scale * 0.22, 5), width, height)
  const bloomRow = stretch(fractalNoise(random.fork('bloom'), grid, unit * scale * 0.1, 3), width, height)
  const cloud = new Float32Array(width)
  const bloom = new Float32Array(width)
  for (let y = 0; y < height; y++) {
    cloudRow(y, cloud)
    bloomRow(y, bloom)
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      const rim = wide.data[i]! - near.data[i]!
      // Adds thin darker lines, as they appear where wet paint has run into drying paint
      // (backruns).
      const ridge = 1 - Math.min(1, Math.abs(bloom[x]! - 0.56) * 34)
      const pooled = rim > 3 ? Math.min(1.1, (rim - 3) * 0.045) : rim < -12 ? Math.max(-0.3, (rim + 12) * 0.012) : 0
      plane.data[i] = 1 + (cloud[x]! - 0.5) * 2.1 + pooled + ridge * 0.16
    }
  }
  return plane
}

function layOnPaper(shapes: Raster, pigment: Plane, random: Random): Raster {
  const { width, height } = shapes
  const out = createRaster(width, height)
  const bleed = softBlur(shapes, shortSide(shapes) / 60).data
  const tooth = paperRows(random, shapes, 0.0042)
  const border = tornBorder(random.fork('border'), shapes, { margin: 0.042, rough: 0.026, soft: 0.0022 })
  const rim = tornBorder(random.fork('border'), shapes, { margin: 0.05, rough: 0.026, soft: 0.009 })
  const rows = { tooth: new Float32Array(width), inside: new Float32Array(width), deep: new Float32Array(width) }
  for (let y = 0; y < height; y++) {
    tooth(y, rows.tooth)
    border(y, rows.inside)
    rim(y, rows.deep)
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      const j = i * 4
      const grain = rows.tooth[x]!
      const edge = rows.inside[x]! * (1 - rows.deep[x]!)
      const density = pigment.data[i]! * 0.84 + edge * 0.5 - grain * 0.15
      const cover = rows.inside[x]!
      const shade = 1 + grain * 0.022
      out.data[j] = paper.r * shade * (1 - cover + cover * wash(shapes.data[j]! * 0.88 + bleed[j]! * 0.12, density))
      out.data[j + 1] = paper.g * shade * (1 - cover + cover * wash(shapes.data[j + 1]! * 0.88 + bleed[j + 1]! * 0.12, density))
      out.data[j + 2] = paper.b * shade * (1 - cover + cover * wash(shapes.data[j + 2]! * 0.88 + bleed[j + 2]! * 0.12, density))
      out.data[j + 3] = 255
    }
  }
  return out
}

/** Returns the share of light that a layer of paint lets through, 0 to 1, for a channel value of 0
 *  to 255. The share is higher than in the picture, so that the paper shines through. The denser
 *  the paint, the lower the share. */
function wash(value: number, density: number): number {
  const c = 0.09 + (value / 255) * 0.91
  const through = c - c * (1 - c) * (density - 1)
  return through < 0.03 ? 0.03 : Math.min(through, 1)
}
