import { copyRaster, type Raster } from '../style/pixels.ts'

/** Returns the picture in the colours of `from`. For the lightness and the two colour differences,
 *  the mean and the standard deviation move to those of `from`: at `strength` 1 as far as the
 *  limits below allow, at 0 not at all. After Reinhard, Ashikhmin, Gooch, Shirley: Color Transfer
 *  between Images (2001), here applied to luma and colour differences. */
export function transferColours(raster: Raster, from: Raster, strength: number): Raster {
  const own = statisticsOf(raster)
  const wanted = statisticsOf(from)
  const out = copyRaster(raster)
  const gain = own.map(({ spread }, axis) => {
    const full = (wanted[axis]?.spread ?? 0) / Math.max(4, spread)
    // The standard deviation of lightness (the contrast) is multiplied by 0.75 to 1.3 at most:
    // otherwise a `from` of low contrast would make the picture grey, and one of high contrast
    // would overexpose it.
    return 1 + (Math.min(axis === 0 ? 1.3 : 2, Math.max(axis === 0 ? 0.75 : 0.3, full)) - 1) * strength
  })
  for (let i = 0; i < out.data.length; i += 4) {
    const axes = axesOf(raster.data, i)
    const [y = 0, blue = 0, red = 0] = axes.map((value, axis) => {
      const { mean = 0 } = own[axis] ?? {}
      const target = mean + ((wanted[axis]?.mean ?? mean) - mean) * strength
      return (value - mean) * (gain[axis] ?? 1) + target
    })
    out.data[i] = y + red * 1.402
    out.data[i + 1] = y - blue * 0.344 - red * 0.714
    out.data[i + 2] = y + blue * 1.772
  }
  return out
}

/** Returns mean and standard deviation of the lightness and of the two colour differences. These
 *  values are measured on a sample of at least 60,000 pixels, or on all pixels of a smaller
 *  picture. */
function statisticsOf(raster: Raster): { mean: number; spread: number }[] {
  const step = 4 * Math.max(1, Math.floor((raster.width * raster.height) / 60_000))
  const sum = [0, 0, 0]
  const square = [0, 0, 0]
  let count = 0
  for (let i = 0; i < raster.data.length; i += step) {
    axesOf(raster.data, i).forEach((value, axis) => {
      sum[axis] = (sum[axis] ?? 0) + value
      square[axis] = (square[axis] ?? 0) + value * value
    })
    count++
  }
  return sum.map((total, axis) => {
    const mean = total / count
    return { mean, spread: Math.sqrt(Math.max(0, (square[axis] ?? 0) / count - mean * mean)) }
  })
}

function axesOf(data: Raster['data'], i: number): [number, number, number] {
  const [r, g, b] = [data[i] ?? 0, data[i + 1] ?? 0, data[i + 2] ?? 0]
  const y = r * 0.299 + g * 0.587 + b * 0.114
  return [y, (b - y) / 1.772, (r - y) / 1.402]
}
