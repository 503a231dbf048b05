import { drawWatermark } from '@generation-gateway/studio/watermark.ts'
import type { PictureSize } from '../world/view.ts'

/** Writes the mark that says a picture was generated on a copy of each frame. */
export function createMark({ width, height }: PictureSize): (pixels: Uint8Array) => Uint8Array {
  return pixels => new Uint8Array(drawWatermark({ data: pixels, width, height }).data.buffer)
}
