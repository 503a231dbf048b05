import { copyRaster, createRaster, type Pixels, type Plane, premultiplied, type Raster, shortSide } from '../style/pixels.ts'
import { resizeRaster } from '../style/resize.ts'
import type { Rectangle } from './geometry.ts'

/** Returns the masked subject cut out of a picture: an RGBA raster of the size of the box with
 *  straight alpha, transparent outside the mask. */
export function cutOut(raster: Raster, mask: Plane, box: Rectangle): Raster {
  const out = createRaster(box.width, box.height)
  for (let y = 0; y < box.height; y++) {
    for (let x = 0; x < box.width; x++) {
      const i = (box.y + y) * raster.width + box.x + x
      const o = (y * box.width + x) * 4
      out.data[o] = raster.data[i * 4]!
      out.data[o + 1] = raster.data[i * 4 + 1]!
      out.data[o + 2] = raster.data[i * 4 + 2]!
      out.data[o + 3] = mask.data[i]! * 255
    }
  }
  return out
}

interface PasteOptions {
  /** Darkness of the shadow on the ground below the sprite, 0 (none) to 1. */
  shadow: number
  /** How far the sprite's colours are adapted to the light and tint around it, 0 to 1. */
  matchLight: number
  /** Mask at the size of the picture; where it is 1, the sprite is hidden behind the picture's
   *  content. */
  behind?: Plane
}

/** Returns the opaque picture with a straight-alpha sprite drawn into a box (in pixels). Parts of
 *  the box outside the picture are allowed. */
export function pasteSprite(raster: Raster, sprite: Pixels, box: Rectangle, options: PasteOptions): Raster {
  const out = copyRaster(raster)
  const width = Math.max(1, Math.round(box.width))
  const height = Math.max(1, Math.round(box.height))
  const scaled = scaleSprite(sprite, width, height)
  const gain = options.matchLight > 0 ? lightGain(raster, box, options.matchLight) : ([1, 1, 1] as const)
  if (options.shadow > 0) dropShadow(out, box, options)
  const left = Math.round(box.x)
  const top = Math.round(box.y)
  for (let y = Math.max(0, -top); y < height && top + y < out.height; y++) {
    for (let x = Math.max(0, -left); x < width && left + x < out.width; x++) {
      const s = (y * width + x) * 4
      const i = (top + y) * out.width + left + x
      const cover = (scaled.data[s + 3]! / 255) * (1 - (options.behind?.data[i] ?? 0))
      if (cover <= 0) continue
      for (let k = 0; k < 3; k++) {
        const wanted = Math.min(255, scaled.data[s + k]! * gain[k]!)
        out.data[i * 4 + k] = out.data[i * 4 + k]! + (wanted - out.data[i * 4 + k]!) * cover
      }
    }
  }
  return out
}

/** Returns the sprite (straight alpha) in another size. Colours are weighted by alpha while
 *  resizing, so that the colour of transparent pixels does not appear at the edges. */
function scaleSprite(sprite: Pixels, width: number, height: number): Raster {
  const out = resizeRaster(premultiplied(sprite), width, height)
  for (let i = 0; i < out.data.length; i += 4) {
    const alpha = out.data[i + 3]! / 255
    if (alpha > 0.004) for (let k = 0; k < 3; k++) out.data[i + k] = out.data[i + k]! / alpha
  }
  return out
}

/** Returns the factors for red, green and blue that adapt a sprite drawn in neutral light to the
 *  brightness and tint around its box. */
function lightGain(raster: Raster, box: Rectangle, strength: number): [number, number, number] {
  const sum = [0, 0, 0]
  let count = 0
  const left = Math.max(0, Math.floor(box.x - box.width * 0.3))
  const right = Math.min(raster.width, Math.ceil(box.x + box.width * 1.3))
  const top = Math.max(0, Math.floor(box.y))
  const bottom = Math.min(raster.height, Math.ceil(box.y + box.height * 1.1))
  const step = Math.max(1, Math.floor((right - left) / 60))
  for (let y = top; y < bottom; y += step) {
    for (let x = left; x < right; x += step) {
      const j = (y * raster.width + x) * 4
      for (let k = 0; k < 3; k++) sum[k]! += raster.data[j + k]!
      count++
    }
  }
  if (count === 0) return [1, 1, 1]
  const mean = sum.map(value => value / count)
  const luma = mean[0]! * 0.299 + mean[1]! * 0.587 + mean[2]! * 0.114
  const bright = Math.min(1.08, 0.5 + (luma / 255) * 0.85)
  const gain = (k: number) => 1 + (bright * (1 + ((mean[k]! + 20) / (luma + 20) - 1) * 0.22) - 1) * strength
  return [gain(0), gain(1), gain(2)]
}

/** Draws the shadow of a thing that stands on the ground, in place: a soft dark ellipse at the
 *  bottom of the box. */
function dropShadow(raster: Raster, box: Rectangle, options: PasteOptions): void {
  const cx = box.x + box.width / 2
  const cy = box.y + box.height - box.height * 0.015
  const rx = box.width * 0.52
  const ry = Math.max(shortSide(raster) * 0.008, Math.min(box.width, box.height) * 0.085)
  for (let y = Math.max(0, Math.floor(cy - ry * 1.6)); y <= Math.min(raster.height - 1, cy + ry * 1.6); y++) {
    for (let x = Math.max(0, Math.floor(cx - rx * 1.4)); x <= Math.min(raster.width - 1, cx + rx * 1.4); x++) {
      const away = ((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2
      const i = y * raster.width + x
      const dark = Math.exp(-away * 1.7) * 0.52 * options.shadow * (1 - (options.behind?.data[i] ?? 0))
      for (let k = 0; k < 3; k++) raster.data[i * 4 + k] = raster.data[i * 4 + k]! * (1 - dark)
    }
  }
}
