import type { Raster } from './pixels.ts'
import { scaleTonesOfRow } from './simd/pixel-kernels.ts'
import { inRoom, take, views } from './simd/room.ts'

/** Spreads the tones of a picture, in place. The darkest 1 % become black (if they are below 36)
 *  and the lightest 1 % white, and the mean moves towards `target` (0 to 255): for a dark picture
 *  by about the share `strength` (0 to 1), for a light one by much less. Drawn styles need this;
 *  otherwise a night scene would become one black area. For straight-alpha pixels: every pixel
 *  counts, whatever its alpha is, and alpha does not change. */
export function evenTones(raster: Raster, target: number, strength: number): Raster {
  const { data } = raster
  const counts = new Uint32Array(256)
  for (let j = 0; j < data.length; j += 4) counts[(data[j]! * 77 + data[j + 1]! * 150 + data[j + 2]! * 29) >> 8]!++
  const total = data.length / 4
  const black = Math.min(36, percentile(counts, total * 0.01))
  const white = Math.max(black + 60, percentile(counts, total * 0.99))
  let mean = 0
  for (let i = 0; i < 256; i++) mean += counts[i]! * Math.min(1, Math.max(0, (i - black) / (white - black)))
  mean = Math.min(0.97, Math.max(0.03, mean / total))
  const full = Math.log(target / 255) / Math.log(mean)
  // A dark picture is lightened by `strength`; a light one is darkened much less, because the
  // styles suit light pictures as they are.
  const gamma = Math.max(0.42, 1 + (full - 1) * (full > 1 ? strength * 0.12 : strength))
  // All channels of a pixel are multiplied by the same factor, which keeps the hue. The added 8
  // limits the factor for nearly black pixels, whose colours would become garish.
  const scales = Int32Array.from({ length: 256 }, (_, i) => {
    const wanted = Math.round(255 * Math.min(1, Math.max(0, (i - black) / (white - black))) ** gamma)
    return Math.round(((wanted + 8) / (i + 8)) * 4096)
  })
  scaleTones(raster, scales)
  return raster
}

function scaleTones({ data, width, height }: Raster, scales: Int32Array): void {
  inRoom(() => {
    const line = width * 4
    const [factors, row] = [take(1024), take(line)]
    const { bytes, words } = views()
    words.set(scales, factors / 4)
    for (let at = 0; at < line * height; at += line) {
      bytes.set(data.subarray(at, at + line), row)
      scaleTonesOfRow(row, width, factors)
      data.set(bytes.subarray(row, row + line), at)
    }
  })
}

function percentile(counts: Uint32Array, wanted: number): number {
  let seen = 0
  for (let i = 0; i < 256; i++) {
    seen += counts[i]!
    if (seen >= wanted) return i
  }
  return 255
}
