import { type Canvas, createCanvas } from '@napi-rs/canvas'

/** Returns a picture of a soft round light. Drawing this picture many times is much cheaper than
 *  drawing a gradient each time. */
export function softDisc(size: number, colour: string): Canvas {
  const canvas = createCanvas(size, size)
  const pen = canvas.getContext('2d')
  const gradient = pen.createRadialGradient(size / 2, size / 2, 0, size / 2, size / 2, size / 2)
  gradient.addColorStop(0, `rgba(${colour},1)`)
  gradient.addColorStop(0.45, `rgba(${colour},0.6)`)
  gradient.addColorStop(1, `rgba(${colour},0)`)
  pen.fillStyle = gradient
  pen.fillRect(0, 0, size, size)
  return canvas
}
