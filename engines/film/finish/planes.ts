/** Converts a surface to the three planes of I420 video, with dark corners and grain. */

import { createRandom } from '@generation-gateway/studio/random.ts'
import type { Store, Surface } from '../raster/store.ts'
import type { PictureSize } from '../world/view.ts'

interface PlaneOptions {
  /** Strength of the dark corners, 0 to 1. */
  corners?: number
  grain?: number
  seed: string
}

/** The gain 1 as a fixed-point number with 15 fraction bits. */
const full = 32_767
const noiseRows = 64

/** Returns a function that converts a frame to I420 planes without padding. The next call
 *  overwrites the returned bytes. */
export function createPlanes(
  store: Store,
  { width, height }: PictureSize,
  { corners = 0, grain = 0, seed }: PlaneOptions,
): (surface: Surface, frame: number) => Uint8Array {
  const groups = Math.ceil(width / 16)
  const padded = groups * 16
  const bytes = (width * height * 3) / 2
  const at = store.take(padded * height * 1.5 + padded)
  const [blueAt, redAt] = [at + padded * height, at + (padded * height * 5) / 4]
  const gains = store.take(padded * (height / 2))
  new Int16Array(store.bytes().buffer, gains, (padded / 2) * (height / 2)).set(cornersOf({ width, height }, { strength: corners, padded }))
  const noiseStride = padded + 64
  const noise = store.take(noiseStride * noiseRows)
  store.bytes().set(new Uint8Array(noiseOf(seed, grain, noiseStride * noiseRows).buffer), noise)
  return (surface, frame) => {
    const shift = grain === 0 ? 0 : Math.imul(frame + 1, 2_654_435_761) >>> 8
    for (let y = 0; y < height; y += 2) {
      const row = surface.at + y * surface.stride
      const noiseAt = (line: number) => noise + ((line + shift) % noiseRows) * noiseStride + ((shift >>> 6) & 63)
      store.kernels.planes(
        at + y * padded,
        at + (y + 1) * padded,
        blueAt + ((y / 2) * padded) / 2,
        redAt + ((y / 2) * padded) / 2,
        row,
        row + surface.stride,
        groups,
        gains + (y / 2) * padded,
        noiseAt(y),
        noiseAt(y + 1),
      )
    }
    if (padded !== width) pack(store.bytes(), { at, width, height, padded })
    return store.bytes().subarray(at, at + bytes)
  }
}

/** Copies rows and drops the padding that made each row a multiple of 16. */
function pack(memory: Uint8Array, { at, width, height, padded }: { at: number; width: number; height: number; padded: number }): void {
  let to = at
  const rows = (from: number, length: number, count: number) => {
    for (let row = 0; row < count; row++, to += length) {
      const start = from + row * (length === width ? padded : padded / 2)
      memory.copyWithin(to, start, start + length)
    }
  }
  rows(at, width, height)
  rows(at + padded * height, width / 2, height / 2)
  rows(at + (padded * height * 5) / 4, width / 2, height / 2)
}

/** Returns the brightness gain of each block of 2x2 pixels: 1 in the middle of the frame, less
 *  towards the corners. */
function cornersOf({ width, height }: PictureSize, { strength, padded }: { strength: number; padded: number }): Int16Array {
  const [columns, rows] = [padded / 2, height / 2]
  const gains = new Int16Array(columns * rows).fill(full)
  if (strength === 0) return gains
  for (let row = 0; row < rows; row++) {
    const v = ((row + 0.5) / rows) * 2 - 1
    for (let column = 0; column < columns; column++) {
      const u = ((column + 0.5) / (width / 2)) * 2 - 1
      const far = Math.max(0, (u * u + v * v - 0.5) / 1.5)
      gains[row * columns + column] = Math.max(0, Math.round(full * (1 - strength * 0.5 * far ** 1.3)))
    }
  }
  return gains
}

function noiseOf(seed: string, amount: number, length: number): Int8Array {
  const noise = new Int8Array(length)
  if (amount === 0) return noise
  const random = createRandom(`${seed}/grain`)
  for (let i = 0; i < length; i++) noise[i] = Math.round((random.next() + random.next() - 1) * amount * 29)
  return noise
}

/** Converts I420 planes without padding to RGBA pixels. */
export function pixelsOf(planes: Uint8Array, { width, height }: PictureSize): Uint8Array {
  const pixels = new Uint8ClampedArray(width * height * 4)
  const half = width / 2
  const [blueAt, redAt] = [width * height, (width * height * 5) / 4]
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++, i += 4) {
      const chroma = (y >> 1) * half + (x >> 1)
      const light = (planes[y * width + x]! - 16) * 1.164_384
      const blue = planes[blueAt + chroma]! - 128
      const red = planes[redAt + chroma]! - 128
      // Conversion coefficients of ITU-R BT.709-6.
      pixels[i] = light + 1.792_741 * red
      pixels[i + 1] = light - 0.213_249 * blue - 0.532_909 * red
      pixels[i + 2] = light + 2.112_402 * blue
      pixels[i + 3] = 255
    }
  return new Uint8Array(pixels.buffer)
}

/** Writes the RGBA pixels of a box into I420 planes. Position and size of the box must be even
 *  numbers. */
export function putPixels(
  planes: Uint8Array,
  { width, height }: PictureSize,
  { pixels, box }: { pixels: Uint8Array | Uint8ClampedArray; box: { x: number; y: number; width: number; height: number } },
): void {
  const half = width / 2
  const [blueAt, redAt] = [width * height, (width * height * 5) / 4]
  for (let y = 0; y < box.height; y++)
    for (let x = 0; x < box.width; x++) {
      const i = (y * box.width + x) * 4
      const [r, g, b] = [pixels[i]!, pixels[i + 1]!, pixels[i + 2]!]
      planes[(box.y + y) * width + box.x + x] = 16.5 + 0.182_586 * r + 0.614_231 * g + 0.062_007 * b
      if ((x | y) & 1) continue
      const chroma = ((box.y + y) >> 1) * half + ((box.x + x) >> 1)
      planes[blueAt + chroma] = 128.5 - 0.100_644 * r - 0.338_572 * g + 0.439_216 * b
      planes[redAt + chroma] = 128.5 + 0.439_216 * r - 0.398_942 * g - 0.040_274 * b
    }
}
