import type { Random } from '../drawing.ts'
import { keepDetails } from './details.ts'
import { edgePlane } from './edges.ts'
import { hatchTile } from './hatch.ts'
import { kuwahara } from './kuwahara.ts'
import { repeat } from './noise.ts'
import { nearestFinder, paletteOf } from './palette.ts'
import { paperRows } from './paper.ts'
import { createRaster, type Raster, shortSide, smoothstep } from './pixels.ts'
import { evenTones } from './tones.ts'
import { wobble } from './warp.ts'

/** The colours of a box of wax crayons; the first one is blank paper. */
const crayons = paletteOf([
  [252, 250, 244],
  [206, 46, 44],
  [240, 128, 40],
  [250, 206, 48],
  [120, 190, 62],
  [36, 128, 70],
  [112, 186, 232],
  [42, 92, 190],
  [126, 76, 170],
  [240, 128, 168],
  [132, 82, 48],
  [246, 202, 164],
  [52, 50, 56],
  [150, 152, 156],
])

/** Draws with a child's wax crayons: shaky outlines, and areas scribbled in the crayon colour
 *  that is nearest to the picture. The strokes of each colour have one of three directions, and
 *  the paper shows through. */
export function crayon(raster: Raster, random: Random): Raster {
  const { width, height } = raster
  const unit = shortSide(raster)
  const even = evenTones(raster, 168, 0.7)
  const calm = keepDetails(kuwahara(even, unit / 150), even, { radius: unit / 900, least: 50 })
  const shaky = wobble(calm, random.fork('hand'), { reach: unit / 95, cell: unit / 16 })
  const chosen = chooseCrayons(shaky)
  const edges = edgePlane(shaky, Math.max(1, Math.round(unit / 380)))
  const scribbles = scribbleRows(random.fork('scribble'), width, unit)
  const toothOf = paperRows(random.fork('paper'), raster, 0.0042)
  const tooth = new Float32Array(width)
  const rows = scribbles.map(() => new Float32Array(width))
  const out = createRaster(width, height)
  for (let y = 0; y < height; y++) {
    toothOf(y, tooth)
    scribbles.forEach((read, k) => {
      read(y, rows[k]!)
    })
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      const pick = chosen[i]!
      const grain = tooth[x]!
      const wax = pick === 0 ? 0 : Math.min(0.96, Math.max(0, 0.42 + rows[pick % 3]![x]! * 0.62 + grain * 0.34))
      const line = smoothstep(26, 74, edges.data[i]!) * Math.min(1, Math.max(0, 0.86 + grain * 0.5))
      layWax(out.data, i * 4, { pick, wax, line, light: 1 + grain * 0.014 })
    }
  }
  return out
}

function layWax(to: Uint8ClampedArray, j: number, spot: { pick: number; wax: number; line: number; light: number }): void {
  const colour = crayons[spot.pick]!
  const paper = crayons[0]!
  const bare = 1 - spot.wax
  const keep = 1 - spot.line
  to[j] = (paper.r * spot.light * bare + colour.r * spot.wax) * keep + (colour.r * 0.18 + 34) * spot.line
  to[j + 1] = (paper.g * spot.light * bare + colour.g * spot.wax) * keep + (colour.g * 0.18 + 30) * spot.line
  to[j + 2] = (paper.b * spot.light * bare + colour.b * spot.wax) * keep + (colour.b * 0.18 + 36) * spot.line
  to[j + 3] = 255
}

/** Returns the index of the nearest crayon for each pixel. The saturation is raised before the
 *  comparison, because pale tones would otherwise all be nearest to blank paper. */
function chooseCrayons({ data, width, height }: Raster): Uint8Array {
  const find = nearestFinder(crayons)
  const chosen = new Uint8Array(width * height)
  const pure = (value: number, luma: number, gain: number) => Math.max(0, Math.min(255, Math.round(luma + (value - luma) * gain)))
  for (let i = 0, j = 0; i < chosen.length; i++, j += 4) {
    const [r, g, b] = [data[j]!, data[j + 1]!, data[j + 2]!]
    const luma = r * 0.299 + g * 0.587 + b * 0.114
    // Nearly grey pixels are made less saturated instead, so that they stay grey.
    const gain = 0.3 + 1.15 * smoothstep(8, 44, Math.max(r, g, b) - Math.min(r, g, b))
    chosen[i] = find(pure(r, luma, gain), pure(g, luma, gain), pure(b, luma, gain))
  }
  return chosen
}

function scribbleRows(random: Random, width: number, unit: number) {
  const scale = Math.max(0.5, unit / 1024)
  return [-0.75, -0.2, 0.65].map((angle, k) =>
    repeat(hatchTile(random.fork(String(k)), { size: 384, angle, strokes: 560, length: 96, width: 6.5, sway: 0.36 }), width, scale),
  )
}
