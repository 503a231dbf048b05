/** The data types of the filters: RGBA pixels, and planes with a single value per pixel. */

/** Pixels with four bytes each (red, green, blue, alpha; sRGB, straight alpha), row by row from the
 *  top. `data.length` is `width * height * 4`. */
export interface Pixels {
  data: Uint8ClampedArray | Uint8Array
  width: number
  height: number
}

/** Pixels in the array type that filters write to; it rounds values and limits them to 0 to 255.
 *  Straight alpha, unless a function says otherwise. */
export interface Raster extends Pixels {
  data: Uint8ClampedArray
}

/** One value per pixel. */
export interface Plane {
  data: Float32Array
  width: number
  height: number
}

export function createRaster(width: number, height: number): Raster {
  return { data: new Uint8ClampedArray(width * height * 4), width, height }
}

/** Returns the pixels as little-endian 32-bit words, with red in the lowest byte. */
export function pixelWords(raster: Raster): Int32Array {
  return new Int32Array(raster.data.buffer, raster.data.byteOffset, raster.width * raster.height)
}

export function createPlane(width: number, height: number): Plane {
  return { data: new Float32Array(width * height), width, height }
}

/** Returns an opaque copy of straight-alpha pixels: transparent parts are drawn over white. Throws
 *  RangeError when the data does not fit the size. */
export function flatten(pixels: Pixels): Raster {
  const { data, width, height } = pixels
  if (!(width >= 1 && height >= 1) || data.length !== width * height * 4) {
    throw new RangeError(`${data.length} bytes are not ${width} x ${height} RGBA pixels.`)
  }
  const out = new Uint8ClampedArray(data)
  if (isOpaque({ data: out, width, height })) return { data: out, width, height }
  for (let i = 3; i < out.length; i += 4) {
    const alpha = out[i]!
    if (alpha === 255) continue
    const white = 255 - alpha
    out[i - 3] = (out[i - 3]! * alpha) / 255 + white
    out[i - 2] = (out[i - 2]! * alpha) / 255 + white
    out[i - 1] = (out[i - 1]! * alpha) / 255 + white
    out[i] = 255
  }
  return { data: out, width, height }
}

/** Returns a copy of straight-alpha pixels with premultiplied colours. */
export function premultiplied({ data, width, height }: Pixels): Raster {
  const out = createRaster(width, height)
  for (let i = 0; i < data.length; i += 4) {
    const share = data[i + 3]! / 255
    out.data[i] = data[i]! * share
    out.data[i + 1] = data[i + 1]! * share
    out.data[i + 2] = data[i + 2]! * share
    out.data[i + 3] = data[i + 3]!
  }
  return out
}

export function isOpaque(raster: Raster): boolean {
  const words = pixelWords(raster)
  let all = -1
  for (let i = 0; i < words.length; i++) all &= words[i]!
  return all >>> 24 === 255
}

export function copyRaster(raster: Raster): Raster {
  return { data: raster.data.slice(), width: raster.width, height: raster.height }
}

/** Returns the shorter side. Filters compute their lengths as shares of it, so that a picture looks
 *  alike at every size. */
export function shortSide(size: { width: number; height: number }): number {
  return Math.min(size.width, size.height)
}

/** Returns 0 up to `low` and 1 from `high` on, with a smooth transition between them. */
export function smoothstep(low: number, high: number, value: number): number {
  const t = value <= low ? 0 : value >= high ? 1 : (value - low) / (high - low)
  return t * t * (3 - 2 * t)
}

export function clamp(value: number, low: number, high: number): number {
  return value < low ? low : Math.min(value, high)
}
