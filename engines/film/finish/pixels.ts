import type { Store, Surface } from '../raster/store.ts'
import type { PictureSize } from '../world/view.ts'

/** Creates an effect that redraws the frame in large square pixels, 144 of them along its short
 *  side. */
export function createPixels({ width, height }: PictureSize): (store: Store, surface: Surface) => void {
  const size = Math.max(1, Math.min(width, height) / 144)
  const left = Int32Array.from({ length: width }, (_, x) => Math.min(width - 1, Math.floor((Math.floor(x / size) + 0.5) * size)))
  return (store, { at, stride }) => {
    const pixels = new Uint32Array(store.bytes().buffer)
    let done = -1
    for (let y = 0; y < height; y++) {
      const row = (at + y * stride) >> 2
      const line = Math.floor(y / size)
      if (line === done) {
        pixels.copyWithin(row, row - (stride >> 2), row - (stride >> 2) + width)
        continue
      }
      done = line
      // The colour of a large pixel comes from its middle row. Rows are overwritten from top to
      // bottom, so the middle row is still unchanged when it is read.
      const source = (at + Math.min(height - 1, Math.floor((line + 0.5) * size)) * stride) >> 2
      const middle = pixels.slice(source, source + width)
      for (let x = 0; x < width; x++) pixels[row + x] = middle[left[x]!]!
    }
  }
}
