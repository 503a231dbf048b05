import type { Random } from '../drawing.ts'
import { grade } from './grade.ts'
import { kuwahara } from './kuwahara.ts'
import { grainTile, repeat } from './noise.ts'
import { findPalette, nearestFinder } from './palette.ts'
import { createRaster, type Raster, shortSide } from './pixels.ts'
import { resizeRaster } from './resize.ts'
import { evenTones } from './tones.ts'

/** Number of vertical threads (warps) along the short side. */
const warps = 150
const wefts = 300

/** Draws a tapestry: wool in few muted colours, woven over vertical threads, and a patterned
 *  border. The weave gives the edges of areas small steps. */
export function tapestry(raster: Raster, random: Random): Raster {
  const { width, height } = raster
  const unit = shortSide(raster)
  const across = Math.max(2, unit / warps)
  const along = Math.max(1.5, unit / wefts)
  const [columns, lines] = [Math.ceil(width / across), Math.ceil(height / along)]
  const small = resizeRaster(kuwahara(evenTones(raster, 112, 0.6), unit / 130), columns, lines)
  grade(small, { saturation: -0.12, contrast: 0.15, temperature: 0.3 }, random.fork('dye'))
  const palette = findPalette(small, 20)
  const find = nearestFinder(palette)
  const woolOf = repeat(grainTile(random.fork('wool'), 256, 1), width, Math.max(0.6, unit / 700))
  const wool = new Float32Array(width)
  const frame = unit * 0.055
  const out = createRaster(width, height)
  for (let y = 0; y < height; y++) {
    woolOf(y, wool)
    const line = Math.min(lines - 1, Math.floor(y / along))
    const over = y / along - line - 0.5
    for (let x = 0; x < width; x++) {
      const column = Math.min(columns - 1, Math.floor(x / across))
      const bow = x / across - column - 0.5
      const j = (y * width + x) * 4
      const from = (line * columns + column) * 4
      const edge = Math.min(x, y, width - 1 - x, height - 1 - y)
      const colour =
        edge < frame
          ? borderColour(edge / frame, (x + y) / unit)
          : palette[find(small.data[from]!, small.data[from + 1]!, small.data[from + 2]!)]!
      const light = 1.1 - bow * bow * 1.15 - over * over * 0.5 + wool[x]! * 0.07
      out.data[j] = colour.r * light
      out.data[j + 1] = colour.g * light
      out.data[j + 2] = colour.b * light
      out.data[j + 3] = 255
    }
  }
  return out
}

const red = { r: 116, g: 36, b: 40 }
const gold = { r: 196, g: 156, b: 84 }
const navy = { r: 36, g: 46, b: 78 }

/** Returns the colour of the border. `depth` is the position across the border, 0 at its outer to 1
 *  at its inner edge; `way` is the position along it. */
function borderColour(depth: number, way: number): { r: number; g: number; b: number } {
  if (depth < 0.12 || depth > 0.88) return gold
  if (depth < 0.2 || depth > 0.8) return navy
  const zigzag = Math.abs(((way * 14) % 1) - 0.5) * 2
  return Math.abs(depth - 0.5) * 3.2 < zigzag ? red : gold
}
