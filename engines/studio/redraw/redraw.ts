/** Changes a region of a picture and leaves the rest unchanged. */
import type { ImageEditRequest } from '@generation-gateway/kit/requests/image.ts'
import type { InputFile } from '@generation-gateway/kit/requests/job.ts'
import type { Painters } from '../edit/painters.ts'
import { type EditedPicture, fitTo, type OwnPicture } from '../picture-edit.ts'
import { copyRaster, type Pixels, type Raster } from '../style/pixels.ts'
import { watermarkBox } from '../watermark.ts'
import { redrawForeign } from './redraw-pixels.ts'
import { redrawScene } from './redraw-scene.ts'
import { type Region, regionOf } from './region.ts'
import { readRegionRequest } from './region-request.ts'

/** The picture to redraw in part, decoded and opaque. `own` is set if this engine drew the
 *  picture. */
interface Source {
  picture: Pixels
  own?: OwnPicture | undefined
  mask?: InputFile | undefined
}

interface RedrawnPicture extends EditedPicture {
  isUnchanged: boolean
  /** True when the returned picture still shows the watermark that the input picture has. */
  isMarked: boolean
}

/** Returns the picture with only the region changed; every pixel outside the region stays the same.
 *  The size changes only if the request names another one. Throws the errors of `regionOf`. */
export async function redrawPicture(
  { picture, own, mask }: Source,
  { request, painters }: { request: ImageEditRequest; painters: Painters },
): Promise<RedrawnPicture> {
  const { seed, prompt, negativePrompt, regions } = request
  const { data, width, height } = picture
  const base = { data: new Uint8ClampedArray(data.buffer, data.byteOffset, data.byteLength), width, height }
  const region = await regionOf(base, { regions, mask })
  const wish = readRegionRequest(prompt, { seed, negativePrompt })
  const how = { region, seed, painters }
  await painters.giveWay?.()
  // The scene gives the positions of things for a picture without a frame. On a poster or another
  // printed sheet (`format`) the things are elsewhere, so the scene is not used and the pixels are
  // changed instead.
  const before = own?.scenes.find(({ format }) => !format)
  const redrawn = (before && (await redrawScene(before, wish, how))) ?? (await redrawForeign(base, wish, how))
  await painters.giveWay?.()
  const { scene, failed, isUnchanged } = redrawn
  const size = { width: request.width ?? base.width, height: request.height ?? base.height }
  const isSameSize = size.width === base.width && size.height === base.height
  const isMarked = own?.isMarked === true && isSameSize && !reaches(region, watermarkBox(base))
  const all = [...wish.notUnderstood, ...failed]
  return {
    pixels: await fitTo(composite(base, redrawn.pixels, region), size),
    ...(scene ? { scene } : {}),
    failed: all,
    isUnchanged,
    isMarked,
  }
}

/** Returns the picture with the redrawn pixels blended in. The weight of a pixel in the region is
 *  its share of the redrawn colour: 0 leaves the pixel unchanged. */
function composite(picture: Raster, redrawn: Pixels, { weights }: Region): Raster {
  const base = copyRaster(picture)
  for (let i = 0, j = 0; i < weights.length; i++, j += 4) {
    const weight = weights[i]! / 255
    if (weight === 0) continue
    for (let k = 0; k < 3; k++) base.data[j + k] = base.data[j + k]! + (redrawn.data[j + k]! - base.data[j + k]!) * weight
  }
  return base
}

function reaches({ weights, width }: Region, box: { x: number; y: number; width: number; height: number }): boolean {
  for (let y = box.y; y < box.y + box.height; y++) {
    for (let x = box.x; x < box.x + box.width; x++) if (weights[y * width + x] !== 0) return true
  }
  return false
}
