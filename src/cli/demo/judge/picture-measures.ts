/** Measures small pictures, so that still pictures and frames of clips can be compared. */

/** Size in pixels to which pictures are scaled before they are compared. At this size the details
 *  of an art style disappear, but defects such as boxes and holes stay visible. */
export const measureSize = { width: 160, height: 90 } as const
const rowBands = 9
/** A pixel counts as black when its brightest channel (0 to 255) is below `below` and its channels
 *  differ by at most `apart`. Night scenes contain no such pixels, because they are drawn in blue
 *  and brown. A layer of a scene that was not drawn correctly leaves black pixels; the colour
 *  grading of the clip makes them (24, 24, 24). */
const black = { below: 48, apart: 4 } as const

export interface PictureMeasures {
  /** Share of black pixels, 0 to 1. */
  black: number
  /** Share of pixels that have the most frequent colour, 0 to 1; colours are rounded to 4096
   *  different ones. */
  mostOfOneColour: number
  /** Mean red, green and blue (0 to 255) of nine horizontal bands, from top to bottom. */
  bands: [red: number, green: number, blue: number][]
}

/** Measures a picture. `pixels` are straight RGBA in rows, of size `measureSize`; alpha is
 *  ignored. */
export function measurePicture(pixels: Uint8Array): PictureMeasures {
  const { width, height } = measureSize
  const colours = new Uint32Array(4096)
  const bands: PictureMeasures['bands'] = Array.from({ length: rowBands }, () => [0, 0, 0])
  const share = rowBands / (width * height)
  let blacks = 0
  for (let pixel = 0; pixel < width * height; pixel++) {
    const [red = 0, green = 0, blue = 0] = pixels.subarray(pixel * 4, pixel * 4 + 3)
    const brightest = Math.max(red, green, blue)
    if (brightest < black.below && brightest - Math.min(red, green, blue) <= black.apart) blacks++
    const colour = ((red >> 4) << 8) | ((green >> 4) << 4) | (blue >> 4)
    colours[colour] = (colours[colour] ?? 0) + 1
    const band = bands[Math.floor((pixel * rowBands) / (width * height))]
    if (!band) continue
    band[0] += red * share
    band[1] += green * share
    band[2] += blue * share
  }
  return { black: blacks / (width * height), mostOfOneColour: Math.max(...colours) / (width * height), bands }
}

/** Returns the mean distance between the colours of the two pictures' bands, from 0 (equal
 *  pictures) to 442 (a black and a white one). */
export function bandDistance(one: PictureMeasures, other: PictureMeasures): number {
  const distances = one.bands.map((band, index) =>
    Math.hypot(...band.map((value, channel) => value - (other.bands[index]?.[channel] ?? 0))),
  )
  return distances.reduce((sum, distance) => sum + distance, 0) / rowBands
}
