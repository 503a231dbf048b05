/** Creates reference pictures in known colours, and asserts that another picture contains these
 *  colours. */
import assert from 'node:assert/strict'
import sharp from 'sharp'

type Rgb = readonly [r: number, g: number, b: number]

/** For each reference, the colours of its background and of its shape. All colours differ
 *  clearly from each other, from white and from black. */
const colours: readonly (readonly [ground: Rgb, shape: Rgb])[] = [
  [
    [200, 30, 40],
    [250, 220, 60],
  ],
  [
    [30, 60, 200],
    [120, 220, 240],
  ],
  [
    [20, 130, 60],
    [240, 120, 200],
  ],
  [
    [120, 30, 150],
    [250, 160, 40],
  ],
  [
    [0, 130, 140],
    [220, 240, 120],
  ],
  [
    [150, 80, 30],
    [130, 190, 250],
  ],
  [
    [230, 90, 20],
    [60, 20, 90],
  ],
]

/** Returns the colours of the first `count` references: background and shape of each. Returns at
 *  most seven; later references have the same colours again. */
export function coloursOf(count: number): Rgb[][] {
  return colours.slice(0, count).map(([ground, shape]) => [ground, shape])
}

export interface ReferenceShape {
  width?: number
  height?: number
  format?: 'jpeg' | 'png' | 'webp' | 'bmp' | 'tiff' | 'gif'
  /** Exif orientation of the picture; with 6 it has to be turned by 90 degrees. */
  orientation?: number
  /** True when the background is transparent. The ellipse then has the colour of the background. */
  alpha?: boolean
}

/** Returns a picture of an ellipse on a background. */
export async function reference(index: number, shape: ReferenceShape = {}): Promise<{ bytes: Buffer; format: string }> {
  const { width = 400, height = 300, format = shape.orientation ? 'jpeg' : 'png', orientation, alpha = false } = shape
  const [ground, thing] = colours[index % colours.length] ?? [
    [0, 0, 0],
    [0, 0, 0],
  ]
  const ellipse = `<ellipse cx="${width / 2}" cy="${height / 2}" rx="${width / 4}" ry="${height / 4}" fill="rgb(${alpha ? ground : thing})"/>`
  const rectangle = alpha ? '' : `<rect width="${width}" height="${height}" fill="rgb(${ground})"/>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${rectangle}${ellipse}</svg>`
  const picture = sharp(Buffer.from(svg))
  if (format === 'bmp') return { bytes: bitmap(await picture.removeAlpha().raw().toBuffer(), { width, height }), format }
  const turned = orientation ? picture.withMetadata({ orientation }) : picture
  return { bytes: await turned.toFormat(format, format === 'jpeg' || format === 'webp' ? { quality: 95 } : {}).toBuffer(), format }
}

export function dataUrl({ bytes, format }: { bytes: Buffer; format: string }): string {
  return `data:image/${format};base64,${bytes.toString('base64')}`
}

/** Asserts that for each reference its colours together cover more than 2 of 1000 pixels. */
export async function assertShows(picture: Buffer, wanted: readonly (readonly Rgb[])[]): Promise<void> {
  const { data, info } = await sharp(picture).removeAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  for (const [index, any] of wanted.entries()) {
    const count = pixelsLike(data, any)
    assert.ok(
      count > 0.002 * info.width * info.height,
      `reference ${index + 1} of ${wanted.length} is on ${count} of ${info.width}x${info.height} pixels`,
    )
  }
}

/** Returns the number of pixels (RGB, 0 to 255) that are like any of these colours. It runs on
 *  hundreds of millions of pixels, so its loops make no objects. */
function pixelsLike(data: Uint8Array, any: readonly Rgb[]): number {
  const flat = Int32Array.from(any.flat())
  let count = 0
  for (let i = 0; i < data.length; i += 3) {
    const r = data[i] ?? 0
    const g = data[i + 1] ?? 0
    const b = data[i + 2] ?? 0
    for (let at = 0; at < flat.length; at += 3)
      if (Math.abs((flat[at] ?? 0) - r) + Math.abs((flat[at + 1] ?? 0) - g) + Math.abs((flat[at + 2] ?? 0) - b) < 75) {
        count += 1
        break
      }
  }
  return count
}

/** Returns a BMP file with 24-bit pixels. sharp cannot write this format, so the file is built
 *  here. */
function bitmap(rgb: Buffer, { width, height }: { width: number; height: number }): Buffer {
  const line = Math.ceil((width * 3) / 4) * 4
  const file = Buffer.alloc(54 + line * height)
  file.write('BM')
  file.writeUInt32LE(file.length, 2)
  file.writeUInt32LE(54, 10)
  file.writeUInt32LE(40, 14)
  file.writeInt32LE(width, 18)
  file.writeInt32LE(height, 22)
  file.writeUInt16LE(1, 26)
  file.writeUInt16LE(24, 28)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const from = (y * width + x) * 3
      const to = 54 + (height - 1 - y) * line + x * 3
      file[to] = rgb[from + 2] ?? 0
      file[to + 1] = rgb[from + 1] ?? 0
      file[to + 2] = rgb[from] ?? 0
    }
  return file
}
