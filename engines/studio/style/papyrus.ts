import { parseHex } from '../colour.ts'
import type { Random } from '../drawing.ts'
import { keepDetails } from './details.ts'
import { inkLines, paintPlane } from './edges.ts'
import { kuwahara } from './kuwahara.ts'
import { fractalNoise } from './noise.ts'
import { nearestFinder } from './palette.ts'
import { createRaster, type Raster, shortSide, smoothstep } from './pixels.ts'
import { stretch } from './stretch.ts'

/** The pigments of ancient Egyptian painters: red and yellow ochre, Egyptian blue, malachite,
 *  gypsum and soot. The first two are the colours of the papyrus sheet. */
const pigments = [
  '#e6cf9a',
  '#d8b878',
  '#c98a3c',
  '#a8442a',
  '#7a4a2a',
  '#2f7f8f',
  '#4f9a9a',
  '#3f7a4a',
  '#f2ead2',
  '#3a2a20',
  '#e0a83a',
].map(parseHex)
const lastBare = 1
const bare = { r: 226, g: 200, b: 146 }

/** Draws a painting on papyrus as in ancient Egypt: flat areas in few pigments with dark outlines.
 *  The sheet consists of crossed strips of fibres. */
export function papyrus(raster: Raster, random: Random): Raster {
  const { width, height } = raster
  const unit = shortSide(raster)
  const flat = keepDetails(kuwahara(raster, unit / 90), raster, { radius: unit / 800, least: 44 })
  const lines = inkLines(paintPlane(flat), { sigma: unit / 420, share: 0.97, threshold: 58, slope: 0.05 })
  const find = nearestFinder(pigments)
  const along = stretch(fractalNoise(random.fork('along'), { width: 24, height: 420 }, 8, 3), width, height)
  const athwart = stretch(fractalNoise(random.fork('athwart'), { width: 420, height: 24 }, 8, 3), width, height)
  const fibres = { along: new Float32Array(width), athwart: new Float32Array(width) }
  const out = createRaster(width, height)
  for (let y = 0; y < height; y++) {
    along(y, fibres.along)
    athwart(y, fibres.athwart)
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      const j = i * 4
      const [r, g, b] = [flat.data[j]!, flat.data[j + 1]!, flat.data[j + 2]!]
      const pigment = find(r, g, b)
      const colour = pigments[pigment]!
      const cover = pigment <= lastBare ? 0.1 : 0.92
      const edge = smoothstep(0, 0.05, Math.min(x, y, width - 1 - x, height - 1 - y) / unit)
      const fibre = 0.86 + (fibres.along[x]! + fibres.athwart[x]!) * 0.16
      const dark = 1 - lines.data[i]! * 0.8
      const paint = (tone: number, ground: number) => (ground + (tone - ground) * cover * edge) * fibre * (edge > 0.5 ? dark : 1)
      out.data[j] = paint(colour.r, bare.r)
      out.data[j + 1] = paint(colour.g, bare.g)
      out.data[j + 2] = paint(colour.b, bare.b)
      out.data[j + 3] = 255
    }
  }
  return out
}
