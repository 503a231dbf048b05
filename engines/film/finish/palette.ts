/** A palette describes the colours of a picture: the mean and the spread of the brightness and of
 *  two colour differences. A lookup table of colours can be shifted from one palette towards
 *  another. */

export interface Palette {
  mean: [number, number, number]
  spread: [number, number, number]
}

/** Returns mean and spread of the colours of opaque RGBA pixels. */
export function paletteOf(pixels: Uint8Array | Uint8ClampedArray): Palette {
  const sum = [0, 0, 0]
  const squares = [0, 0, 0]
  const step = Math.max(1, Math.floor(pixels.length / 4 / 40_000)) * 4
  let count = 0
  for (let i = 0; i + 3 < pixels.length; i += step, count++) {
    const parts = split(pixels[i] ?? 0, pixels[i + 1] ?? 0, pixels[i + 2] ?? 0)
    parts.forEach((value, part) => {
      sum[part] = (sum[part] ?? 0) + value
      squares[part] = (squares[part] ?? 0) + value * value
    })
  }
  const mean = sum.map(value => value / Math.max(1, count))
  const spread = squares.map((value, part) => Math.sqrt(Math.max(1, value / Math.max(1, count) - (mean[part] ?? 0) ** 2)))
  return { mean: mean as Palette['mean'], spread: spread as Palette['spread'] }
}

/** Shifts opaque RGBA colours in place from one palette towards another; `strength` 0 to 1. */
export function toPalette(colours: Uint8ClampedArray, from: Palette, to: Palette, strength: number): void {
  const scale = from.spread.map((spread, part) => 1 + (Math.max(0.6, Math.min(1.6, (to.spread[part] ?? 1) / spread)) - 1) * strength)
  const shift = from.mean.map((mean, part) => ((to.mean[part] ?? 0) - mean) * strength * (part === 0 ? 0.6 : 1))
  for (let i = 0; i < colours.length; i += 4) {
    const parts = split(colours[i] ?? 0, colours[i + 1] ?? 0, colours[i + 2] ?? 0)
    const [light = 0, red = 0, blue = 0] = parts.map(
      (value, part) => (value - (from.mean[part] ?? 0)) * (scale[part] ?? 1) + (from.mean[part] ?? 0) + (shift[part] ?? 0),
    )
    colours[i] = light + red
    colours[i + 1] = light - 0.509 * red - 0.194 * blue
    colours[i + 2] = light + blue
  }
}

/** Returns the Rec. 601 brightness, and the red and blue differences from it. */
function split(r: number, g: number, b: number): [number, number, number] {
  const light = 0.299 * r + 0.587 * g + 0.114 * b
  return [light, r - light, b - light]
}
