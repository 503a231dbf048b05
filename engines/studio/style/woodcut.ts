import type { Random } from '../drawing.ts'
import { blurPlane } from './blur.ts'
import { keepDetails } from './details.ts'
import { bodyPlane, inkLines, paintPlane } from './edges.ts'
import { kuwahara } from './kuwahara.ts'
import { fractalNoise, grainTile, repeat } from './noise.ts'
import { nearestFinder, paletteOf } from './palette.ts'
import { clamp, createRaster, type Raster, shortSide } from './pixels.ts'
import { stretch } from './stretch.ts'
import { evenTones } from './tones.ts'

/** The colours of the printing blocks; the first one is blank paper. */
const blocks = paletteOf([
  [240, 230, 206],
  [222, 186, 112],
  [204, 108, 70],
  [158, 60, 52],
  [134, 152, 96],
  [78, 104, 78],
  [146, 174, 184],
  [84, 116, 142],
  [150, 112, 80],
  [196, 188, 172],
])

/** Draws a woodcut: areas of colour with black ink over them. In dark areas, the ink is solid;
 *  in the midtones, it consists of lines that are wider where the picture is darker. */
export function woodcut(raster: Raster, random: Random): Raster {
  const { width, height } = raster
  const unit = shortSide(raster)
  const even = evenTones(raster, 150, 0.8)
  const simple = keepDetails(kuwahara(even, unit / 80), even, { radius: unit / 700, least: 44 })
  const tone = blurPlane(bodyPlane(simple), unit / 420)
  const form = blurPlane(tone, unit / 26)
  const lines = inkLines(paintPlane(simple), { sigma: unit / 330, share: 0.972, threshold: 52, slope: 0.05 })
  const bendRow = stretch(
    fractalNoise(random.fork('hand'), { width: Math.ceil((width / unit) * 80), height: Math.ceil((height / unit) * 80) }, 14, 3),
    width,
    height,
  )
  const woodRow = repeat(grainTile(random.fork('wood'), 256, 1), width, Math.max(0.6, unit / 800))
  const rows = { bend: new Float32Array(width), wood: new Float32Array(width) }
  const pitch = unit / 100
  const find = nearestFinder(blocks)
  const out = createRaster(width, height)
  for (let y = 0; y < height; y++) {
    bendRow(y, rows.bend)
    woodRow(y, rows.wood)
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      const phase = y / pitch + (x / pitch) * 0.12 + form.data[i]! * 0.022 + (rows.bend[x]! - 0.5) * 2.2
      const ridge = Math.abs(phase - Math.floor(phase) - 0.5) * 2
      const luma = tone.data[i]! / 255 + rows.wood[x]! * 0.012
      // Light areas get no lines, because lines over the whole picture would hide the figures.
      const wanted = clamp((luma - 0.14) / 0.34, 0, 1)
      const cut = clamp((wanted * 1.2 - 0.1 - ridge) * (pitch / 2.2) + 0.5, 0, 1)
      const black = clamp(Math.max(wanted >= 1 ? 0 : 1 - cut, lines.data[i]!) * (0.95 + rows.wood[x]! * 0.06), 0, 1)
      const j = i * 4
      const block = blocks[find(simple.data[j]!, simple.data[j + 1]!, simple.data[j + 2]!)]!
      const print = (1 - black) * (1 + rows.wood[x]! * 0.03)
      out.data[j] = block.r * print + 30 * black
      out.data[j + 1] = block.g * print + 25 * black
      out.data[j + 2] = block.b * print + 24 * black
      out.data[j + 3] = 255
    }
  }
  return out
}
