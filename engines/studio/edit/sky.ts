import { boxPlane } from '../style/box-plane.ts'
import { createPlane, type Plane, type Raster } from '../style/pixels.ts'
import { resizeRaster } from '../style/resize.ts'
import { resizePlane } from '../style/stretch.ts'

/** Returns the mask (0 to 1, full size) of the open sky: areas that are connected to the upper
 *  border without large colour differences. Undefined when the area is less than a twentieth of the
 *  picture; also when it is more than 60 % and reaches far down, because the picture then probably
 *  has a plain background. */
export function findSky(raster: Raster): Plane | undefined {
  const scale = Math.min(1, 200 / Math.max(raster.width, raster.height))
  const small = resizeRaster(raster, Math.max(8, Math.round(raster.width * scale)), Math.max(8, Math.round(raster.height * scale)))
  const { width, height } = small
  const mask = createPlane(width, height)
  const queue: number[] = []
  for (let x = 0; x < width; x++) {
    mask.data[x] = 1
    queue.push(x)
  }
  const limit = Math.floor(height * 0.8)
  for (let k = 0; k < queue.length; k++) {
    const i = queue[k]!
    const x = i % width
    for (const next of [x > 0 ? i - 1 : -1, x < width - 1 ? i + 1 : -1, i - width, i + width]) {
      if (next < 0 || next >= limit * width || mask.data[next]) continue
      if (step(small, i, next) > 9 || !isSkyLike(small, next)) continue
      mask.data[next] = 1
      queue.push(next)
    }
  }
  if (queue.length < width * height * 0.05) return undefined
  const lowest = queue.some(i => i >= (limit - 1) * width)
  if (lowest && queue.length > width * height * 0.6) return undefined
  return resizePlane(boxPlane(mask, 1), raster.width, raster.height)
}

function step(small: Raster, a: number, b: number): number {
  const { data } = small
  return (
    Math.abs(data[a * 4]! - data[b * 4]!) * 0.3 +
    Math.abs(data[a * 4 + 1]! - data[b * 4 + 1]!) * 0.5 +
    Math.abs(data[a * 4 + 2]! - data[b * 4 + 2]!) * 0.2
  )
}

/** True for a colour that a sky can have; false for greens and dark browns. */
function isSkyLike(small: Raster, i: number): boolean {
  const r = small.data[i * 4]!
  const g = small.data[i * 4 + 1]!
  const b = small.data[i * 4 + 2]!
  if (g > r + 8 && g > b + 8) return false
  return !(r > b + 25 && r + g + b < 300)
}
