import type { Random } from '../drawing.ts'
import { grade } from './grade.ts'
import { kuwahara } from './kuwahara.ts'
import { fractalNoise } from './noise.ts'
import { paperRows } from './paper.ts'
import { createRaster, type Raster, shortSide, smoothstep } from './pixels.ts'
import { stretch } from './stretch.ts'
import { evenTones } from './tones.ts'

/** Draws a fresco on lime plaster: chalky earth colours, the uneven surface of the plaster, fine
 *  cracks, and patches where the paint has come off. */
export function fresco(raster: Raster, random: Random): Raster {
  const { width, height } = raster
  const unit = shortSide(raster)
  const paint = kuwahara(evenTones(raster, 150, 0.6), unit / 200)
  grade(paint, { saturation: -0.12, contrast: 0.12, temperature: 0.16, fade: 0.15 }, random.fork('grade'))
  const noiseRow = (name: string, cells: number, cell: number) =>
    stretch(
      fractalNoise(random.fork(name), { width: Math.ceil((width / unit) * cells), height: Math.ceil((height / unit) * cells) }, cell, 4),
      width,
      height,
    )
  const readers = { worn: noiseRow('worn', 200, 44), crack: noiseRow('crack', 300, 54), tone: noiseRow('tone', 120, 26) }
  const toothOf = paperRows(random.fork('plaster'), raster, 0.005)
  const row = () => new Float32Array(width)
  const rows = { worn: row(), crack: row(), tone: row(), tooth: row() }
  const out = createRaster(width, height)
  for (let y = 0; y < height; y++) {
    readers.worn(y, rows.worn)
    readers.crack(y, rows.crack)
    readers.tone(y, rows.tone)
    toothOf(y, rows.tooth)
    for (let x = 0; x < width; x++) {
      const j = (y * width + x) * 4
      // Cracks run along the lines where one noise function has its middle value. The plaster is
      // bare where another noise function has its highest values.
      const crack = (1 - smoothstep(0.001, 0.0042, Math.abs(rows.crack[x]! - 0.5))) * smoothstep(0.5, 0.56, rows.tone[x]!)
      const bare = smoothstep(0.72, 0.75, rows.worn[x]! + rows.tooth[x]! * 0.02)
      const thin = 0.06 + smoothstep(0.45, 0.7, rows.tone[x]!) * 0.16
      const light = (1 + rows.tooth[x]! * 0.05) * (1 - crack * 0.5)
      const share = Math.max(bare * 0.86, thin)
      out.data[j] = (paint.data[j]! * (1 - share) + 226 * share) * light
      out.data[j + 1] = (paint.data[j + 1]! * (1 - share) + 212 * share) * light
      out.data[j + 2] = (paint.data[j + 2]! * (1 - share) + 188 * share) * light
      out.data[j + 3] = 255
    }
  }
  return out
}
