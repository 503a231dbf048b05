import { drawWatermark, watermarkBox } from '@generation-gateway/studio/watermark.ts'
import type { PictureSize } from '../world/view.ts'
import { pixelsOf, putPixels } from './planes.ts'

/** Returns a function that draws the "generated" mark on a copy of a frame's planes. */
export function createMark({ width, height }: PictureSize): (planes: Uint8Array) => Uint8Array {
  const mark = watermarkBox({ width, height })
  // The chroma planes have one value for each block of 2 by 2 pixels, so the mark starts at even
  // coordinates.
  const [x, y] = [mark.x & ~1, mark.y & ~1]
  const box = { x, y, width: Math.min(width - x, mark.width + 3) & ~1, height: Math.min(height - y, mark.height + 3) & ~1 }
  return planes => {
    const copy = planes.slice()
    const { data } = drawWatermark({ data: pixelsOf(planes, { width, height }), width, height })
    const part = new Uint8Array(box.width * box.height * 4)
    for (let row = 0; row < box.height; row++) {
      const from = ((box.y + row) * width + box.x) * 4
      part.set(data.subarray(from, from + box.width * 4), row * box.width * 4)
    }
    putPixels(copy, { width, height }, { pixels: part, box })
    return copy
  }
}
