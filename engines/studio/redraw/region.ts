/** Determines which pixels of a picture an edit may change. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { PictureRegion } from '@generation-gateway/kit/requests/image.ts'
import type { InputFile } from '@generation-gateway/kit/requests/job.ts'
import sharp from 'sharp'
import type { Rectangle } from '../edit/geometry.ts'
import { mostInputPixels } from '../limits.ts'
import { clamp, shortSide, smoothstep } from '../style/pixels.ts'

export interface Region {
  width: number
  height: number
  /** Weight of each pixel: 0 leaves it unchanged, 255 replaces it. The values between form a soft
   *  edge just inside the region. */
  weights: Uint8Array
  /** Bounding box of all pixels that may be changed. */
  box: Rectangle
  /** Area of the region as a share of the picture, 0 to 1. */
  share: number
}

interface Size {
  width: number
  height: number
}

/** Returns the region of a picture of this size that the polygons and the mask mark; if both are
 *  given, their intersection. Throws `invalid_request` when the region is empty,
 *  `invalid_input_file` when the mask cannot be decoded. */
export async function regionOf(
  size: Size,
  { regions, mask }: { regions?: readonly PictureRegion[] | undefined; mask?: InputFile | undefined },
): Promise<Region> {
  const allowed = mask ? await readMask(mask, size) : new Uint8Array(size.width * size.height).fill(1)
  if (regions) {
    const drawn = new Uint8Array(allowed.length)
    for (const region of regions) fillPolygon(drawn, size, region)
    for (let i = 0; i < allowed.length; i++) allowed[i]! &= drawn[i]!
  }
  const { box, count } = boundsOf(allowed, size)
  if (count === 0) {
    const field = regions ? 'regions' : 'mask'
    throw new GatewayError('invalid_request', `${field}: nothing of the picture may be changed by it.`, { field })
  }
  soften(allowed, size, clamp(shortSide(size) / 200, 1, Math.max(1, Math.min(12, shortSide(box) / 8))))
  return { ...size, weights: allowed, box, share: count / allowed.length }
}

/** Returns the share (0 to 1) of a box, given in pixels, that lies inside the region. */
export function shareInside({ weights, width, height }: Region, box: Rectangle): number {
  const steps = 20
  let inside = 0
  for (let v = 0; v < steps; v++) {
    const y = Math.floor(box.y + ((v + 0.5) / steps) * box.height)
    if (y < 0 || y >= height) continue
    for (let u = 0; u < steps; u++) {
      const x = Math.floor(box.x + ((u + 0.5) / steps) * box.width)
      if (x >= 0 && x < width && weights[y * width + x]! >= 128) inside++
    }
  }
  return inside / (steps * steps)
}

/** Decodes a mask. Returns 1 for each pixel that may be changed, else 0. In a mask with
 *  transparency, the transparent pixels may be changed; in any other mask, the light ones. */
async function readMask(mask: InputFile, { width, height }: Size): Promise<Uint8Array> {
  try {
    const data = await sharp(mask.path, { limitInputPixels: mostInputPixels, failOn: 'error' })
      .autoOrient()
      .toColourspace('srgb')
      .ensureAlpha()
      .resize(width, height, { fit: 'fill', kernel: 'nearest' })
      .raw()
      .toBuffer()
    const out = new Uint8Array(width * height)
    let isCutOut = false
    for (let i = 3; i < data.length && !isCutOut; i += 4) isCutOut = data[i]! < 128
    for (let i = 0, j = 0; i < out.length; i++, j += 4) {
      const luma = data[j]! * 0.299 + data[j + 1]! * 0.587 + data[j + 2]! * 0.114
      out[i] = (isCutOut ? data[j + 3]! < 128 : luma >= 128) ? 1 : 0
    }
    return out
  } catch (cause) {
    throw new GatewayError('invalid_input_file', 'mask: it cannot be decoded: it is damaged or cut off.', { field: 'mask', cause })
  }
}

/** Sets every pixel whose centre lies inside the polygon. Where the polygon overlaps itself, the
 *  pixels are inside, too (non-zero winding rule). */
function fillPolygon(out: Uint8Array, { width, height }: Size, region: PictureRegion): void {
  const corners = Array.from({ length: region.points.length >> 1 }, (_, k) => ({
    x: (region.points[k * 2]! * width) / region.width,
    y: (region.points[k * 2 + 1]! * height) / region.height,
  }))
  const edges = corners.map((a, k) => ({ a, b: corners[(k + 1) % corners.length]! })).filter(({ a, b }) => a.y !== b.y)
  for (let y = 0; y < height; y++) {
    const middle = y + 0.5
    const crossings = edges
      .filter(({ a, b }) => a.y <= middle !== b.y <= middle)
      .map(({ a, b }) => ({ x: a.x + ((middle - a.y) / (b.y - a.y)) * (b.x - a.x), turn: a.y < b.y ? 1 : -1 }))
      .sort((one, other) => one.x - other.x)
    let turns = 0
    for (const [k, { x, turn }] of crossings.entries()) {
      turns += turn
      const next = crossings[k + 1]
      if (turns === 0 || !next) continue
      out.fill(1, y * width + clamp(Math.ceil(x - 0.5), 0, width), y * width + clamp(Math.ceil(next.x - 0.5), 0, width))
    }
  }
}

function boundsOf(allowed: Uint8Array, { width, height }: Size): { box: Rectangle; count: number } {
  let [left, right, top, bottom, count] = [width, -1, height, -1, 0]
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (!allowed[y * width + x]) continue
      count++
      if (x < left) left = x
      if (x > right) right = x
      if (y < top) top = y
      bottom = y
    }
  }
  return { box: { x: left, y: top, width: right - left + 1, height: bottom - top + 1 }, count }
}

/** Replaces the values 0 and 1 of the mask, in place, by weights: 0 outside the region, rising from
 *  its border inwards to 255 over `edge` pixels. Distances are approximated in thirds of a pixel
 *  (chamfer 3-4). Where the region ends at the edge of the picture, the weights do not fall. */
function soften(mask: Uint8Array, { width, height }: Size, edge: number): void {
  for (let i = 0; i < mask.length; i++) mask[i] = mask[i] ? 255 : 0
  const spread = (y: number, x: number, step: -1 | 1) => {
    const i = y * width + x
    if (mask[i] === 0) return
    let least = mask[i]!
    const hasSide = step < 0 ? x > 0 : x < width - 1
    if (hasSide) least = Math.min(least, mask[i + step]! + 3)
    if (step < 0 ? y > 0 : y < height - 1) {
      const above = i + step * width
      least = Math.min(least, mask[above]! + 3)
      if (x > 0) least = Math.min(least, mask[above - 1]! + 4)
      if (x < width - 1) least = Math.min(least, mask[above + 1]! + 4)
    }
    mask[i] = least
  }
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) spread(y, x, -1)
  for (let y = height - 1; y >= 0; y--) for (let x = width - 1; x >= 0; x--) spread(y, x, 1)
  const weightOf = Uint8Array.from({ length: 256 }, (_, thirds) => Math.round(smoothstep(0, edge + 0.5, thirds / 3) * 255))
  for (let i = 0; i < mask.length; i++) mask[i] = weightOf[mask[i]!]!
}
