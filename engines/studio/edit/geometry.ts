import type { CropEdit } from '../language/edit-types.ts'
import { createRaster, type Raster, shortSide } from '../style/pixels.ts'

export interface Rectangle {
  x: number
  y: number
  width: number
  height: number
}

/** Returns the rectangle that a crop keeps, in whole pixels, at least one pixel wide and high.
 *  `around` is the area (pixels) on which a zoom is centred. */
export function cropRectangle(size: { width: number; height: number }, edit: CropEdit, around?: Rectangle): Rectangle {
  const { width, height } = size
  switch (edit.mode) {
    case 'zoom':
      return zoomRectangle(size, edit.share, around)
    case 'cut':
      return sideRectangle(size, opposite[edit.side], 1 - edit.share)
    case 'keep':
      return edit.side === 'center' ? zoomRectangle(size, edit.share) : sideRectangle(size, edit.side, edit.share)
    case 'ratio': {
      const wide = Math.min(width, Math.max(1, Math.round((height * edit.width) / edit.height)))
      const high = Math.min(height, Math.max(1, Math.round((width * edit.height) / edit.width)))
      return { x: Math.floor((width - wide) / 2), y: Math.floor((height - high) / 2), width: wide, height: high }
    }
  }
}

const opposite = { left: 'right', right: 'left', top: 'bottom', bottom: 'top' } as const

export function crop(raster: Raster, part: Rectangle): Raster {
  const out = createRaster(part.width, part.height)
  for (let y = 0; y < part.height; y++) {
    const start = ((part.y + y) * raster.width + part.x) * 4
    out.data.set(raster.data.subarray(start, start + part.width * 4), y * part.width * 4)
  }
  return out
}

/** Mirrors the picture left to right (`horizontal`) or top to bottom. */
export function flip(raster: Raster, axis: 'horizontal' | 'vertical'): Raster {
  const { width, height } = raster
  const out = createRaster(width, height)
  const from = words(raster)
  const to = words(out)
  for (let y = 0; y < height; y++) {
    const row = (axis === 'vertical' ? height - 1 - y : y) * width
    for (let x = 0; x < width; x++) to[y * width + x] = from[row + (axis === 'horizontal' ? width - 1 - x : x)]!
  }
  return out
}

/** Rotates the picture clockwise. Quarter turns are exact. When the angle differs from a quarter
 *  turn by at most 20 degrees, the result is cropped to the largest upright rectangle without empty
 *  corners. At any other angle, the whole picture is kept, and the empty corners are white. */
export function rotate(raster: Raster, degrees: number): Raster {
  const angle = ((degrees % 360) + 360) % 360
  if (angle % 90 === 0) return quarterTurns(raster, angle / 90)
  const tilt = angle % 90 > 45 ? (angle % 90) - 90 : angle % 90
  const upright = quarterTurns(raster, Math.round((angle - tilt) / 90) % 4)
  const radians = (tilt * Math.PI) / 180
  const size = Math.abs(tilt) <= 20 ? insideSize(upright, Math.abs(radians)) : outsideSize(upright, Math.abs(radians))
  return sampleTurned(upright, radians, size)
}

function zoomRectangle(size: { width: number; height: number }, share: number, around?: Rectangle): Rectangle {
  const width = Math.max(1, Math.round(size.width * share))
  const height = Math.max(1, Math.round(size.height * share))
  const centreX = around ? around.x + around.width / 2 : size.width / 2
  const centreY = around ? around.y + around.height / 2 : size.height / 2
  const x = Math.min(size.width - width, Math.max(0, Math.round(centreX - width / 2)))
  const y = Math.min(size.height - height, Math.max(0, Math.round(centreY - height / 2)))
  return { x, y, width, height }
}

function sideRectangle(size: { width: number; height: number }, side: 'left' | 'right' | 'top' | 'bottom', share: number): Rectangle {
  if (side === 'left' || side === 'right') {
    const width = Math.max(1, Math.round(size.width * share))
    return { x: side === 'left' ? 0 : size.width - width, y: 0, width, height: size.height }
  }
  const height = Math.max(1, Math.round(size.height * share))
  return { x: 0, y: side === 'top' ? 0 : size.height - height, width: size.width, height }
}

function quarterTurns(raster: Raster, turns: number): Raster {
  const { width, height } = raster
  if (turns === 0) return { data: raster.data.slice(), width, height }
  const out = turns === 2 ? createRaster(width, height) : createRaster(height, width)
  const from = words(raster)
  const to = words(out)
  for (let y = 0; y < out.height; y++) {
    for (let x = 0; x < out.width; x++) {
      const sourceX = turns === 1 ? y : turns === 2 ? width - 1 - x : width - 1 - y
      const sourceY = turns === 1 ? height - 1 - x : turns === 2 ? height - 1 - y : x
      to[y * out.width + x] = from[sourceY * width + sourceX]!
    }
  }
  return out
}

/** Returns the size of the largest upright rectangle that fits inside a picture rotated by `angle`
 *  (radians). */
function insideSize({ width, height }: Raster, angle: number): { width: number; height: number } {
  const sin = Math.sin(angle)
  const cos = Math.cos(angle)
  const long = Math.max(width, height)
  const short = shortSide({ width, height })
  const half = short / 2
  const [wide, high] =
    short <= 2 * sin * cos * long
      ? width >= height
        ? [half / sin, half / cos]
        : [half / cos, half / sin]
      : [(width * cos - height * sin) / (cos * cos - sin * sin), (height * cos - width * sin) / (cos * cos - sin * sin)]
  return { width: Math.max(1, Math.floor(wide)), height: Math.max(1, Math.floor(high)) }
}

function outsideSize({ width, height }: Raster, angle: number): { width: number; height: number } {
  const sin = Math.sin(angle)
  const cos = Math.cos(angle)
  return { width: Math.ceil(width * cos + height * sin), height: Math.ceil(width * sin + height * cos) }
}

function sampleTurned(raster: Raster, radians: number, size: { width: number; height: number }): Raster {
  const out = createRaster(size.width, size.height)
  const { data, width, height } = raster
  const cos = Math.cos(radians)
  const sin = Math.sin(radians)
  for (let y = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++) {
      const dx = x + 0.5 - size.width / 2
      const dy = y + 0.5 - size.height / 2
      const sx = dx * cos + dy * sin + width / 2 - 0.5
      const sy = dy * cos - dx * sin + height / 2 - 0.5
      const o = (y * size.width + x) * 4
      out.data[o + 3] = 255
      const left = Math.floor(sx)
      const top = Math.floor(sy)
      const tx = sx - left
      const ty = sy - top
      for (let k = 0; k < 3; k++) {
        const at = (px: number, py: number) => (px < 0 || py < 0 || px >= width || py >= height ? 255 : data[(py * width + px) * 4 + k]!)
        const upper = at(left, top) * (1 - tx) + at(left + 1, top) * tx
        out.data[o + k] = upper * (1 - ty) + (at(left, top + 1) * (1 - tx) + at(left + 1, top + 1) * tx) * ty
      }
    }
  }
  return out
}

function words(raster: Raster): Uint32Array {
  return new Uint32Array(raster.data.buffer, raster.data.byteOffset, raster.width * raster.height)
}
