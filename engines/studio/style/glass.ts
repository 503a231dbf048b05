import type { Random, Rgb } from '../drawing.ts'
import { boxBlur, softBlur } from './blur.ts'
import { fractalNoise, grainTile, repeat } from './noise.ts'
import { createRaster, type Raster, shortSide, smoothstep } from './pixels.ts'
import { borderRaster, findRegions, type Regions } from './regions.ts'
import { resizeRaster } from './resize.ts'
import { stretch, stretchRaster } from './stretch.ts'
import { evenTones } from './tones.ts'

/** Draws a stained-glass window: panes of coloured glass that follow the shapes of the picture, lit
 *  from behind and separated by strips of lead. */
export function stainedGlass(raster: Raster, random: Random): Raster {
  const { width, height } = raster
  const even = evenTones(raster, 140, 0.8)
  const regions = findRegions(even, random.fork('panes'), { across: 19, stiffness: 1.1, gridShort: 360 })
  const lead = resizeRaster(boxBlur(borderRaster(regions, 2), 1, 2), width, height)
  const panes = paneRaster(regions, even, random.fork('glass'))
  const glass = stretchRaster(boxBlur(panes, 1), width, height)
  const glow = softBlur(glass, shortSide(raster) / 16).data
  const streakRow = stretch(fractalNoise(random.fork('streaks'), { width: 90, height: 240 }, 22, 4), width, height)
  const streak = new Float32Array(width)
  const out = createRaster(width, height)
  for (let y = 0; y < height; y++) {
    streakRow(y, streak)
    const above = Math.max(0, y - Math.max(1, Math.round(shortSide(raster) / 420)))
    for (let x = 0; x < width; x++) {
      const j = (y * width + x) * 4
      const cover = smoothstep(70, 112, lead.data[j]!)
      const slope = lead.data[j]! - lead.data[(above * width + x) * 4]!
      const metal = 34 + lead.data[j]! * 0.08 + slope * 0.55
      const light = 0.8 + streak[x]! * 0.5 - (lead.data[j]! > 20 ? 0.1 : 0)
      for (let k = 0; k < 3; k++) {
        const lit = glass.data[j + k]! * light + glow[j + k]! * 0.12
        out.data[j + k] = lit * (1 - cover) + (metal + (k === 2 ? 5 : 0)) * cover
      }
      out.data[j + 3] = 255
    }
  }
  return out
}

function paneRaster(regions: Regions, source: Raster, random: Random): Raster {
  const colours = regions.colours.map(colour => paneColour(colour, random))
  const small = resizeRaster(source, regions.width, regions.height)
  const out = createRaster(regions.width, regions.height)
  for (let i = 0; i < regions.label.length; i++) {
    const colour = colours[regions.label[i]!]!
    // Each pane shows a little of the picture, so that faces and small shapes stay recognisable.
    out.data[i * 4] = colour.r * 0.72 + small.data[i * 4]! * 0.3
    out.data[i * 4 + 1] = colour.g * 0.72 + small.data[i * 4 + 1]! * 0.3
    out.data[i * 4 + 2] = colour.b * 0.72 + small.data[i * 4 + 2]! * 0.3
    out.data[i * 4 + 3] = 255
  }
  return out
}

/** Returns the colour of a pane: more saturated and with a random variation in brightness and
 *  hue. */
function paneColour(colour: Rgb, random: Random): Rgb {
  const luma = colour.r * 0.299 + colour.g * 0.587 + colour.b * 0.114
  const light = random.between(0.84, 1.16)
  const warm = random.between(-10, 10)
  const deep = (value: number) => luma * 1.02 + (value - luma) * 1.75
  return { r: deep(colour.r) * light + warm, g: deep(colour.g) * light, b: deep(colour.b) * light - warm }
}

/** Draws a mosaic: small stones in wavy rows with pale mortar between them. Each stone has one
 *  colour, a lit edge and a shaded edge. */
export function mosaic(raster: Raster, random: Random): Raster {
  const { width, height } = raster
  const unit = shortSide(raster)
  const pitch = Math.max(4, unit / 80)
  const columns = Math.ceil(width / pitch) + 2
  const rows = Math.ceil(height / pitch) + 2
  const stones = stoneColours(raster, { columns, rows, pitch }, random.fork('stones'))
  const grid = { width: Math.ceil((width / unit) * 64), height: Math.ceil((height / unit) * 64) }
  const bendRow = stretch(fractalNoise(random.fork('rows'), grid, 22, 2), width, height)
  const grainRow = repeat(grainTile(random.fork('grain'), 256, 1), width, Math.max(0.6, unit / 900))
  const bend = new Float32Array(width)
  const grain = new Float32Array(width)
  const out = createRaster(width, height)
  for (let y = 0; y < height; y++) {
    bendRow(y, bend)
    grainRow(y, grain)
    for (let x = 0; x < width; x++) {
      const v = y / pitch + (bend[x]! - 0.5) * 0.9
      const row = Math.floor(v)
      const u = x / pitch + (row & 1) * 0.5
      const stone = Math.max(0, Math.min(rows - 1, row)) * columns + Math.min(columns - 1, Math.floor(u))
      setStone(out.data, (y * width + x) * 4, {
        stones,
        o: stone * 6,
        u: u - Math.floor(u),
        v: v - row,
        grain: grain[x]!,
        soft: 1.4 / pitch,
      })
    }
  }
  return out
}

interface StoneSpot {
  stones: Float32Array
  o: number
  u: number
  v: number
  grain: number
  soft: number
}

function setStone(data: Uint8ClampedArray, j: number, spot: StoneSpot): void {
  const { stones, o, soft } = spot
  const tilt = stones[o + 3]!
  const du = (spot.u - 0.5) * (1 + stones[o + 4]!) + (spot.v - 0.5) * tilt
  const dv = (spot.v - 0.5) * (1 + stones[o + 5]!) - (spot.u - 0.5) * tilt
  const edge = 0.455 - Math.max(Math.abs(du), Math.abs(dv))
  const cover = edge <= -soft ? 0 : edge >= soft ? 1 : (edge + soft) / (2 * soft)
  const rim = edge < 0.09 ? (1 - edge / 0.09) * (-(du + dv) > 0 ? 34 : -38) * Math.min(1, Math.abs(du + dv) * 4) : 0
  const light = rim - (du + dv) * 22 + spot.grain * 9
  const grout = 188 + spot.grain * 14
  data[j] = (stones[o]! + light) * cover + (grout - 6) * (1 - cover)
  data[j + 1] = (stones[o + 1]! + light) * cover + (grout - 12) * (1 - cover)
  data[j + 2] = (stones[o + 2]! + light) * cover + (grout - 24) * (1 - cover)
  data[j + 3] = 255
}

/** Returns six numbers for each stone: red, green and blue, its tilt, and how much smaller than
 *  its cell it is across and down. */
function stoneColours(raster: Raster, grid: { columns: number; rows: number; pitch: number }, random: Random): Float32Array {
  const stones = new Float32Array(grid.columns * grid.rows * 6)
  const means = resizeRaster(
    raster,
    Math.max(1, Math.round(raster.width / grid.pitch)) * 2,
    Math.max(1, Math.round(raster.height / grid.pitch)) * 2,
  )
  for (let row = 0; row < grid.rows; row++) {
    for (let column = 0; column < grid.columns; column++) {
      const x = Math.max(0, Math.min(means.width - 1, Math.round((column + 0.5 - (row & 1) * 0.5) * 2 - 0.5)))
      const y = Math.min(means.height - 1, row * 2 + 1)
      const i = (y * means.width + x) * 4
      const o = (row * grid.columns + column) * 6
      const light = random.between(-15, 15)
      const luma = means.data[i]! * 0.299 + means.data[i + 1]! * 0.587 + means.data[i + 2]! * 0.114
      for (let k = 0; k < 3; k++)
        stones[o + k] = luma + (means.data[i + k]! - luma) * 1.45 + (luma - 128) * 0.15 + light + random.between(-5, 5)
      stones[o + 3] = random.between(-0.1, 0.1)
      stones[o + 4] = random.between(0, 0.14)
      stones[o + 5] = random.between(0, 0.14)
    }
  }
  return stones
}
