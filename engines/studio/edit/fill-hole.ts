import { createRandom } from '../random.ts'
import { boxPlane } from '../style/box-plane.ts'
import { copyRaster, createPlane, type Plane, type Raster, shortSide, smoothstep } from '../style/pixels.ts'
import { resizeRaster } from '../style/resize.ts'
import { matchPatches, type Sources } from './patch-match.ts'

const workLong = 320

/** Returns the picture with the masked area filled with pixels copied from its surroundings. `mask`
 *  has the size of the picture; its values are 0 to 1. The places to copy from are searched in a
 *  reduced picture; the pixels are copied at full size. Throws RangeError when nearly the whole
 *  picture is masked. */
export function fillHole(raster: Raster, mask: Plane, seed: string): Raster {
  // The mask of a removed thing follows its outline only approximately, so a margin around it is
  // filled, too.
  const sources = sourcesOf(raster, mask.data, { margin: 3, seed })
  const grown = softMask(mask, Math.max(1, shortSide(raster) / 110))
  const out = copyRaster(raster)
  for (let y = 0; y < raster.height; y++) copyRow({ raster, out, grown, sources }, y)
  return out
}

/** Fills the hole (the non-zero pixels of `hole`) in place, without a margin, and with little
 *  additional memory. Throws RangeError when nearly the whole picture is a hole. */
export function fillExactly(raster: Raster, hole: Uint8Array, seed: string): void {
  const sources = sourcesOf(raster, hole, { margin: 0, seed })
  const { width, height, data } = raster
  const colour = new Float32Array(3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (hole[y * width + x] === 0) continue
      const gx = ((x + 0.5) * sources.width) / width - 0.5
      const gy = ((y + 0.5) * sources.height) / height - 0.5
      if (propose(raster, sources, { x, y, gx, gy }, colour)) data.set(colour, (y * width + x) * 4)
    }
  }
}

function sourcesOf(raster: Raster, mask: Float32Array | Uint8Array, { margin, seed }: { margin: number; seed: string }): Sources {
  const scale = Math.min(1, workLong / Math.max(raster.width, raster.height))
  const width = Math.max(8, Math.round(raster.width * scale))
  const height = Math.max(8, Math.round(raster.height * scale))
  const small = resizeRaster(raster, width, height)
  const hole = shrinkMask({ data: mask, width: raster.width, height: raster.height }, { width, height }, margin)
  return matchPatches(small, hole, createRandom(`${seed}/fill`))
}

/** Returns the mask on the grid of the reduced picture: 1 for every cell that contains masked
 *  pixels and for the cells up to `margin` cells away from it, else 0. */
function shrinkMask(
  mask: Omit<Plane, 'data'> & { data: Float32Array | Uint8Array },
  { width, height }: { width: number; height: number },
  margin: number,
): Uint8Array {
  const hole = new Uint8Array(width * height)
  for (let y = 0; y < mask.height; y++) {
    const row = Math.min(height - 1, Math.floor((y * height) / mask.height))
    for (let x = 0; x < mask.width; x++) {
      if (mask.data[y * mask.width + x]! < 0.06) continue
      hole[row * width + Math.min(width - 1, Math.floor((x * width) / mask.width))] = 1
    }
  }
  const wider = hole.slice()
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (!hole[y * width + x]) continue
      for (let dy = -margin; dy <= margin; dy++) {
        for (let dx = -margin; dx <= margin; dx++) {
          if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height) wider[(y + dy) * width + x + dx] = 1
        }
      }
    }
  }
  return wider
}

/** Returns the mask extended by about `margin` pixels, with a soft edge. */
function softMask(mask: Plane, margin: number): Plane {
  const binary = createPlane(mask.width, mask.height)
  for (let i = 0; i < binary.data.length; i++) binary.data[i] = mask.data[i]! > 0.08 ? 1 : 0
  const soft = boxPlane(binary, Math.max(1, Math.round(margin * 1.5)))
  for (let i = 0; i < soft.data.length; i++) soft.data[i] = smoothstep(0.02, 0.3, soft.data[i]!)
  return soft
}

interface HoleFill {
  raster: Raster
  out: Raster
  grown: Plane
  sources: Sources
}

function copyRow(copying: HoleFill, y: number): void {
  const { raster, out, grown, sources } = copying
  const { width, height } = raster
  const toGridX = sources.width / width
  const toGridY = sources.height / height
  const colour = new Float32Array(3)
  for (let x = 0; x < width; x++) {
    const share = grown.data[y * width + x]!
    if (share <= 0) continue
    const gx = (x + 0.5) * toGridX - 0.5
    const gy = (y + 0.5) * toGridY - 0.5
    if (!propose(raster, sources, { x, y, gx, gy }, colour)) continue
    const j = (y * width + x) * 4
    for (let k = 0; k < 3; k++) out.data[j + k] = out.data[j + k]! + (colour[k]! - out.data[j + k]!) * share
  }
}

/** Sets `colour` to the colour that fills one pixel of the hole. Of the four grid cells around
 *  the pixel, those with a source cell are used: the vector from the cell to its source is
 *  applied to the pixel, and the full-size pixels found in this way are blended; the nearest
 *  cell counts most. Returns false when no cell has a source. */
function propose(raster: Raster, sources: Sources, at: { x: number; y: number; gx: number; gy: number }, colour: Float32Array): boolean {
  const left = Math.floor(at.gx)
  const top = Math.floor(at.gy)
  const scaleX = raster.width / sources.width
  const scaleY = raster.height / sources.height
  let total = 0
  colour.fill(0)
  for (let k = 0; k < 4; k++) {
    const cx = Math.min(sources.width - 1, Math.max(0, left + (k & 1)))
    const cy = Math.min(sources.height - 1, Math.max(0, top + (k >> 1)))
    const source = sources.from[cy * sources.width + cx]!
    if (source < 0) continue
    const tx = k & 1 ? at.gx - left : 1 - (at.gx - left)
    const ty = k >> 1 ? at.gy - top : 1 - (at.gy - top)
    // Squaring the weights lets one of the four cells decide at nearly every pixel. An even blend
    // of four pixels would blur textures.
    const weight = (tx * ty + 1e-3) ** 2
    const sx = Math.min(raster.width - 1, Math.max(0, Math.round(at.x + ((source % sources.width) - cx) * scaleX)))
    const sy = Math.min(raster.height - 1, Math.max(0, Math.round(at.y + (Math.floor(source / sources.width) - cy) * scaleY)))
    const j = (sy * raster.width + sx) * 4
    for (let n = 0; n < 3; n++) colour[n]! += raster.data[j + n]! * weight
    total += weight
  }
  if (total === 0) return false
  for (let n = 0; n < 3; n++) colour[n]! /= total
  return true
}
