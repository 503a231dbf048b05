/** Enlarges pictures that the studio did not draw by resampling, and adds fine texture to any
 *  enlarged picture. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { refusal } from '@generation-gateway/kit/requests/job.ts'
import sharp from 'sharp'
import { upscaledSize } from '../limits.ts'
import { createRandom } from '../random.ts'
import { grainTile, repeat } from '../style/noise.ts'
import { clamp, type Pixels, type Raster, smoothstep } from '../style/pixels.ts'
import { smoothEdges } from './edge-lines.ts'

/** Returns the size of a picture enlarged `factor` times. Throws `invalid_request` when it exceeds
 *  the limits of the engine. */
export function sizeUpscaled(factor: number, picture: { width: number; height: number }): { width: number; height: number } {
  const size = upscaledSize(factor, picture)
  if ('says' in size) throw new GatewayError('invalid_request', refusal('factor', size.says).message, { field: 'factor' })
  return size
}

/** Returns the enlarged picture; used for pictures that the studio did not draw. Resamples with
 *  Lanczos, smooths each edge along its direction, and sharpens it across without bright or dark
 *  fringes (halos). */
export async function enlarge(pixels: Pixels, size: { width: number; height: number }): Promise<Raster> {
  const { data, width, height } = pixels
  const raw = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  const larger = await sharp(raw, { raw: { width, height, channels: 4 }, limitInputPixels: false })
    .resize(size.width, size.height, { fit: 'fill', kernel: 'lanczos3' })
    .raw()
    .toBuffer()
  const resampled = { data: new Uint8ClampedArray(larger.buffer, larger.byteOffset, larger.byteLength), ...size }
  const small = { data: new Uint8ClampedArray(data.buffer, data.byteOffset, data.byteLength), width, height }
  const raster = smoothEdges(resampled, small)
  sharpenEdges(raster, Math.max(1, Math.round(size.width / width)))
  return raster
}

/** Sharpens in place: the brightness of each pixel moves away from the mean around it, at edges
 *  more than in noise. The new brightness goes at most 3 (of 255) beyond the lowest and the highest
 *  brightness around the pixel, so that no halos appear. */
function sharpenEdges(raster: Raster, radius: number): void {
  const { data, width, height } = raster
  const luma = lumaBytes(raster)
  const mean = meanAround(luma, { width, height, radius })
  for (let y = 0; y < height; y++) {
    const rows = [clamp(y - radius, 0, height - 1) * width, y * width, clamp(y + radius, 0, height - 1) * width] as const
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      const own = luma[i]!
      const away = own - mean[i]!
      // With so small a difference, sharpening would change the pixel by less than a tenth of one
      // of its 256 values, which is not visible.
      if (away >= -1 && away <= 1) continue
      const left = x < radius ? 0 : x - radius
      const right = x + radius < width ? x + radius : width - 1
      let low = own
      let high = own
      for (let k = 0; k < 3; k++) {
        const row = rows[k]!
        const a = luma[row + left]!
        const b = luma[row + x]!
        const c = luma[row + right]!
        const least = a < b ? (a < c ? a : c) : b < c ? b : c
        const most = a > b ? (a > c ? a : c) : b > c ? b : c
        if (least < low) low = least
        if (most > high) high = most
      }
      const weight = (away * away) / (away * away + 16)
      const wanted = own + away * 1.3 * weight
      const shift = (wanted < low - 3 ? low - 3 : wanted > high + 3 ? high + 3 : wanted) - own
      const j = i * 4
      data[j] = data[j]! + shift
      data[j + 1] = data[j + 1]! + shift
      data[j + 2] = data[j + 2]! + shift
    }
  }
}

/** Adds fine texture in place: much where the picture already has texture, hardly any in uniform
 *  areas. The same seed gives the same texture. */
export function addTexture(raster: Raster, seed: string): void {
  const { data, width, height } = raster
  const luma = lumaBytes(raster)
  const radius = Math.max(2, Math.round(Math.min(width, height) / 400))
  const mean = meanAround(luma, { width, height, radius })
  const random = createRandom(`${seed}/texture`)
  const fine = repeat(grainTile(random.fork('fine'), 256, 1), width, 1)
  const coarse = repeat(grainTile(random.fork('coarse'), 256, 2), width, 3)
  const [a, b] = [new Float32Array(width), new Float32Array(width)]
  for (let y = 0; y < height; y++) {
    fine(y, a)
    coarse(y, b)
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      const own = luma[i]!
      const away = own - mean[i]!
      const busy = smoothstep(0.5, 9, Math.abs(away))
      const middle = 1 - Math.abs(own - 128) / 160
      const shift = away * 0.35 * busy + (a[x]! * 7 + b[x]! * 6) * (0.25 + busy * 0.9) * middle
      for (let k = 0; k < 3; k++) data[i * 4 + k] = data[i * 4 + k]! + shift
    }
  }
}

function lumaBytes({ data, width, height }: Raster): Uint8Array {
  const out = new Uint8Array(width * height)
  for (let i = 0, j = 0; i < out.length; i++, j += 4) out[i] = data[j]! * 0.299 + data[j + 1]! * 0.587 + data[j + 2]! * 0.114 + 0.5
  return out
}

/** Returns for each pixel the mean of the square that extends `radius` pixels from it in each
 *  direction. The sums are updated from pixel to pixel, so the time does not depend on the radius.
 *  Needs memory for one row of sums and one byte per pixel. */
function meanAround(plane: Uint8Array, { width, height, radius }: { width: number; height: number; radius: number }): Uint8Array {
  const out = new Uint8Array(plane.length)
  const columns = new Int32Array(width)
  const rowAt = (y: number) => clamp(y, 0, height - 1) * width
  for (let dy = -radius; dy <= radius; dy++) for (let x = 0; x < width; x++) columns[x]! += plane[rowAt(dy) + x]!
  const area = (radius * 2 + 1) ** 2
  for (let y = 0; y < height; y++) {
    let sum = 0
    for (let dx = -radius; dx <= radius; dx++) sum += columns[clamp(dx, 0, width - 1)]!
    for (let x = 0; x < width; x++) {
      out[y * width + x] = sum / area + 0.5
      sum += columns[Math.min(width - 1, x + radius + 1)]! - columns[Math.max(0, x - radius)]!
    }
    const [above, below] = [rowAt(y - radius), rowAt(y + radius + 1)]
    for (let x = 0; x < width; x++) columns[x]! += plane[below + x]! - plane[above + x]!
  }
  return out
}
