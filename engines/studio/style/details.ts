import { boxBlur } from './blur.ts'
import type { Raster } from './pixels.ts'
import { keepDetailsOfRow } from './simd/pixel-kernels.ts'
import { inRoom, take, views } from './simd/room.ts'

/** Restores small details with strong contrast (eyes, drops, buds) that smoothing has removed from
 *  `simple`, in place. `radius` is the size of these details in pixels, `least` the least
 *  difference of their luma to the smoothed picture (0 to 255). For straight or opaque pixels; only
 *  the colours of `simple` change, not its alpha. */
export function keepDetails(simple: Raster, original: Raster, options: { radius: number; least: number }): Raster {
  const source = options.radius >= 1 ? boxBlur(original, Math.round(options.radius)).data : original.data
  const { data, width, height } = simple
  return inRoom(() => {
    const line = width * 4
    const [to, from] = [take(line + 16), take(line + 16)]
    const { bytes } = views()
    const least = Math.round(options.least * 256)
    for (let at = 0; at < line * height; at += line) {
      bytes.set(data.subarray(at, at + line), to)
      bytes.set(source.subarray(at, at + line), from)
      keepDetailsOfRow(to, from, (width + 1) >> 1, least)
      data.set(bytes.subarray(to, to + line), at)
    }
    return simple
  })
}
