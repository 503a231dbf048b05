import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas'

interface Rect {
  x: number
  y: number
  width: number
  height: number
}

/** Colour of one pixel: red, green, blue and alpha, each 0 to 255. */
export type Pixel = Float64Array
/** A function that computes the colour at (x, y), in pixels of the picture, and writes it to
 *  `out`. */
export type Shader = (x: number, y: number, out: Pixel) => void

/** Returns the resolution at which shaders are run for a picture of this size, as the number of
 *  computed pixels per picture pixel in each direction (at most 1). For a picture of 1024 px the
 *  resolution is high enough for soft things such as clouds. The number of computed pixels grows
 *  more slowly than that of the picture. Measured: a shader with two noises of five octaves takes
 *  about 60 ms for 260,000 pixels. */
export function fieldScale(width: number, height: number, detail = 1): number {
  const pixels = width * height
  const budget = 262_144 * detail * Math.min(2.6, Math.max(1, Math.sqrt(pixels / 1_048_576)))
  return Math.min(1, Math.sqrt(budget / pixels))
}

/** Runs the shader over `rect` at reduced resolution (`scale` computed pixels per picture pixel in
 *  each direction) and returns the small canvas. */
function shadeField(rect: Rect, scale: number, shader: Shader): Canvas {
  const columns = Math.max(1, Math.round(rect.width * scale))
  const rows = Math.max(1, Math.round(rect.height * scale))
  const canvas = createCanvas(columns, rows)
  const context = canvas.getContext('2d')
  const image = context.createImageData(columns, rows)
  const data = image.data
  const out: Pixel = new Float64Array(4)
  const stepX = rect.width / columns
  const stepY = rect.height / rows
  let place = 0
  for (let row = 0; row < rows; row++) {
    const y = rect.y + (row + 0.5) * stepY
    for (let column = 0; column < columns; column++) {
      out[3] = 255
      shader(rect.x + (column + 0.5) * stepX, y, out)
      const dither = ditherOf(column, row)
      data[place] = out[0]! + dither
      data[place + 1] = out[1]! + dither
      data[place + 2] = out[2]! + dither
      data[place + 3] = out[3]!
      place += 4
    }
  }
  context.putImageData(image, 0, 0)
  return canvas
}

/** Runs the shader over a rectangle at reduced resolution, and draws the result smoothly
 *  enlarged. */
export function paintField(context: SKRSContext2D, rect: Rect, scale: number, shader: Shader): void {
  if (rect.width < 1 || rect.height < 1) return
  context.drawImage(shadeField(rect, scale, shader), rect.x, rect.y, rect.width, rect.height)
}

/** Returns a small offset (about -0.5 to 0.5) for this pixel, which is added to its colour before
 *  rounding. The offsets form a 4 x 4 ordered dither; without them, enlarged gradients would show
 *  visible bands. */
export function ditherOf(column: number, row: number): number {
  return bayer[((row & 3) << 2) | (column & 3)]! - 0.47
}

const bayer = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5].map(n => n / 16)
