import { type Canvas, createCanvas, ImageData } from '@napi-rs/canvas'
import type { Pixels } from './pixels.ts'

/** Returns a canvas that shows these straight-alpha RGBA pixels. */
export function canvasOf({ data, width, height }: Pixels): Canvas {
  const canvas = createCanvas(width, height)
  canvas.getContext('2d').putImageData(new ImageData(new Uint8ClampedArray(data), width, height), 0, 0)
  return canvas
}
