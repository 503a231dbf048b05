/** Edits that treat the subject of a picture and its background differently: blurring and replacing
 *  the background. */
import type { Setting } from '../scene.ts'
import { softRows } from '../style/blur.ts'
import { copyRaster, createRaster, flatten, type Plane, type Raster } from '../style/pixels.ts'
import { backdropScene } from './backdrop.ts'
import type { Painters } from './painters.ts'
import { pieceMask } from './segment.ts'
import { cutOut, pasteSprite } from './sprite.ts'
import { blurRadius } from './tone.ts'
import { backgroundDoubt, type EditedRaster, type Outcome, separationOf } from './work.ts'

/** Blurs everything except the subject; `amount` is 0 to 1. The subject's pixels are left out of
 *  the blur, so that its colours do not form a halo around it. */
export function blurBackground(work: EditedRaster, amount: number): Outcome {
  const separation = separationOf(work)
  if (separation.doubt !== undefined) return { reason: backgroundDoubt(separation.doubt) }
  const mask = pieceMask(work.raster, separation)
  return { raster: blurOutside(work.raster, mask, blurRadius(work.raster, amount)) }
}

function blurOutside(raster: Raster, mask: Plane, radius: number): Raster {
  const { width, height, data } = raster
  const outside = createRaster(width, height)
  const weight = createRaster(width, height)
  for (let i = 0, j = 0; i < mask.data.length; i++, j += 4) {
    const share = 1 - mask.data[i]!
    outside.data[j] = data[j]! * share
    outside.data[j + 1] = data[j + 1]! * share
    outside.data[j + 2] = data[j + 2]! * share
    weight.data[j] = 255 * share
  }
  const readColour = softRows(outside, radius)
  const readWeight = softRows(weight, radius)
  const colour = new Uint8Array(width * 4)
  const share = new Uint8Array(width * 4)
  const out = copyRaster(raster)
  for (let y = 0; y < height; y++) {
    readColour(y, colour)
    readWeight(y, share)
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      const gain = 255 / Math.max(6, share[x * 4]!)
      const keep = mask.data[i]!
      for (let k = 0; k < 3; k++) out.data[i * 4 + k] = colour[x * 4 + k]! * gain * (1 - keep) + data[i * 4 + k]! * keep
    }
  }
  return out
}

/** Replaces the background: draws another place and pastes the subject onto it. The subject's
 *  colours are adapted to the light of the place, and a standing subject gets a shadow on the
 *  ground. */
export async function replaceBackground(work: EditedRaster, setting: Setting, painters: Painters): Promise<Outcome> {
  const separation = separationOf(work)
  if (separation.doubt !== undefined) return { reason: backgroundDoubt(separation.doubt) }
  const { raster } = work
  const scene = backdropScene(setting, work.seed)
  let out = flatten(await painters.drawScene(scene, { width: raster.width, height: raster.height }))
  for (const piece of separation.pieces) {
    const mask = pieceMask(raster, separation, [piece.id])
    const margin = Math.round(Math.max(piece.box.width, piece.box.height) * 0.04) + 2
    const x = Math.max(0, piece.box.x - margin)
    const y = Math.max(0, piece.box.y - margin)
    const box = {
      x,
      y,
      width: Math.min(raster.width, piece.box.x + piece.box.width + margin) - x,
      height: Math.min(raster.height, piece.box.y + piece.box.height + margin) - y,
    }
    const stands = piece.box.y + piece.box.height > raster.height * 0.55 && piece.box.y + piece.box.height < raster.height * 0.985
    out = pasteSprite(out, cutOut(raster, mask, box), box, { shadow: stands ? 0.7 : 0, matchLight: 0.3 })
  }
  return { raster: out }
}
