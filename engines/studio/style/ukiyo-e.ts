import type { Random } from '../drawing.ts'
import { keepDetails } from './details.ts'
import { inkLines, paintPlane } from './edges.ts'
import { kuwahara } from './kuwahara.ts'
import { grainTile, repeat } from './noise.ts'
import { nearestFinder, paletteOf } from './palette.ts'
import { paperRows } from './paper.ts'
import { createRaster, type Raster, shortSide } from './pixels.ts'
import { evenTones } from './tones.ts'

/** Pigments of Japanese woodblock printers: paper, indigo in four strengths, safflower, ochre,
 *  greens, black ink. */
const pigments = paletteOf([
  [240, 228, 200],
  [24, 52, 98],
  [58, 98, 142],
  [122, 156, 178],
  [186, 204, 204],
  [178, 66, 52],
  [222, 142, 104],
  [236, 196, 158],
  [204, 162, 84],
  [226, 204, 140],
  [72, 98, 76],
  [132, 150, 98],
  [178, 190, 142],
  [118, 82, 58],
  [60, 54, 58],
  [136, 128, 122],
])

/** Draws a Japanese woodblock print: flat areas in few pigments, fine black outlines, colours that
 *  get darker towards the upper edge, and the grain of the wooden block. */
export function ukiyoE(raster: Raster, random: Random): Raster {
  const { width, height } = raster
  const unit = shortSide(raster)
  const even = evenTones(raster, 150, 0.75)
  const areas = keepDetails(kuwahara(kuwahara(even, unit / 70), unit / 170), even, { radius: unit / 900, least: 46 })
  const lines = inkLines(paintPlane(areas), { sigma: unit / 560, share: 0.972, threshold: 58, slope: 0.045 })
  const find = nearestFinder(pigments)
  const grainOf = repeat(grainTile(random.fork('block'), 256, 1), width, Math.max(0.6, unit / 900))
  const toothOf = paperRows(random.fork('paper'), raster, 0.0034)
  const rows = { grain: new Float32Array(width), tooth: new Float32Array(width) }
  const out = createRaster(width, height)
  for (let y = 0; y < height; y++) {
    // The grain of the wood runs horizontally, so five rows of the picture share one row of grain.
    grainOf(Math.floor(y / 5), rows.grain)
    toothOf(y, rows.tooth)
    const wiped = Math.max(0, 1 - y / (height * 0.2)) ** 1.6 * 0.55
    for (let x = 0; x < width; x++) {
      const j = (y * width + x) * 4
      const colour = pigments[find(areas.data[j]!, areas.data[j + 1]!, areas.data[j + 2]!)]!
      const light = 1 + rows.grain[x]! * 0.02 + rows.tooth[x]! * 0.026
      const ink = lines.data[y * width + x]! * 0.92
      const own = (value: number, source: number, dark: number) => ((value * 0.84 + source * 0.16) * (1 - wiped) + dark * wiped) * light
      out.data[j] = own(colour.r, areas.data[j]!, 34) * (1 - ink) + 30 * ink
      out.data[j + 1] = own(colour.g, areas.data[j + 1]!, 66) * (1 - ink) + 28 * ink
      out.data[j + 2] = own(colour.b, areas.data[j + 2]!, 116) * (1 - ink) + 34 * ink
      out.data[j + 3] = 255
    }
  }
  return out
}
