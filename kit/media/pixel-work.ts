/** Decodes and encodes pictures with sharp. Only inspection processes and tests may call this
 *  code. */
import { writeFile } from 'node:fs/promises'
import sharp, { type OutputInfo, type Sharp } from 'sharp'
import type { ImageFormat, PictureRegion, PictureSize } from '../requests/image.ts'
import type { InspectionCaller } from './inspection-caller.ts'

/** Largest number of pixels of a picture. This is four times the limit for pictures in requests
 *  (interface F1), because ComfyUI workflows may enlarge pictures. */
export const mostPixels = 2 ** 26

export interface ConvertedPicture extends InspectionCaller {
  source: string
  target: string
  format: ImageFormat
}

export interface FittedFrame extends InspectionCaller, PictureSize {
  source: string
  target: string
  /** Way of fitting the picture: `contain` adds a black border; `cover` crops two sides. */
  fit: 'contain' | 'cover'
}

/** How a mask marks the area to change: by transparent pixels, or by white ones in a mask without
 *  transparency. */
export type MaskForm = 'transparent' | 'white'

export interface ReshapedMask extends InspectionCaller {
  form: MaskForm
  /** Path of a file, or its bytes. */
  mask: Uint8Array | string
}

export interface DrawnMask extends InspectionCaller, PictureSize {
  regions: readonly PictureRegion[]
}

/** JPEG options without visible loss, also at coloured edges. */
const jpegOptions = { quality: 95, chromaSubsampling: '4:4:4' } as const
/** PNG options: the encoder chooses a filter for each row, which makes a picture with smooth
 *  areas a third smaller and takes a quarter more time. */
const pngOptions = { adaptiveFiltering: true } as const
const webpOptions = { quality: 95 } as const
const black = { background: 'black' } as const

const encodeAs: Record<ImageFormat, (picture: Sharp) => Sharp> = {
  png: picture => picture.png(pngOptions),
  webp: picture => picture.webp(webpOptions),
  jpeg: picture => picture.flatten({ background: '#ffffff' }).jpeg(jpegOptions),
}

/** Writes the picture upright, in sRGB and without metadata; transparent areas become white in a
 *  JPEG; of an animation, only the first frame is written. Returns the new size; undefined for a
 *  picture that cannot be decoded. */
export async function convertPicture({ source, target, format }: ConvertedPicture): Promise<PictureSize | undefined> {
  const picture = sharp(source, { limitInputPixels: mostPixels, failOn: 'error' }).autoOrient()
  const info = await write(encodeAs[format](picture), target)
  return info && { width: info.width, height: info.height }
}

/** Writes the upright picture in this size as PNG, on black. Returns false for a picture that
 *  cannot be decoded. */
export async function fitFrame({ source, target, width, height, fit }: FittedFrame): Promise<boolean> {
  const picture = sharp(source, { limitInputPixels: mostPixels }).autoOrient()
  return (
    (await write(
      picture
        .resize(width, height, { fit, ...black })
        .flatten(black)
        .png(pngOptions),
      target,
    )) !== undefined
  )
}

const half = 128

/** Returns the upright mask in this form as PNG: the area to change is white and, in the form
 *  `transparent`, also transparent; the rest is black. The area is the transparent pixels of a mask
 *  that has any, else its white pixels. Undefined for a mask that cannot be decoded. */
export async function reshapeMask({ form, mask }: ReshapedMask): Promise<Buffer | undefined> {
  const image = sharp(mask, { limitInputPixels: mostPixels }).autoOrient()
  const isOpaque = (await decoded(image.clone().stats()))?.isOpaque
  if (isOpaque === undefined) return undefined
  const pixels = await decoded(image.toColourspace('srgb').ensureAlpha().raw().toBuffer({ resolveWithObject: true }))
  if (pixels === undefined) return undefined
  const { data, info } = pixels
  // The bytes of a pixel are red, green, blue and alpha.
  for (let at = 0; at < data.length; at += 4) {
    const isOpen = isOpaque ? data[at]! + data[at + 1]! + data[at + 2]! >= 3 * half : data[at + 3]! < half
    const white = isOpen ? 255 : 0
    data[at] = white
    data[at + 1] = white
    data[at + 2] = white
    data[at + 3] = isOpen && form === 'transparent' ? 0 : 255
  }
  const { width, height } = info
  return sharp(data, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer()
}

/** Returns a PNG of this size in which the regions, scaled to the size, are white and everything
 *  else is black. */
export function drawMask({ regions, width, height }: DrawnMask): Promise<Buffer> {
  const polygons = regions.map(region => {
    const scaled = region.points.map((value, index) => value * (index % 2 === 0 ? width / region.width : height / region.height))
    return `<polygon points="${scaled.join(' ')}" fill="#fff"/>`
  })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%"/>${polygons.join('')}</svg>`
  return sharp(Buffer.from(svg)).removeAlpha().png().toBuffer()
}

/** Writes the picture. It is encoded into a buffer first, so that a disk error keeps its code. */
async function write(picture: Sharp, target: string): Promise<OutputInfo | undefined> {
  const encoded = await decoded(picture.toBuffer({ resolveWithObject: true }))
  if (encoded === undefined) return undefined
  await writeFile(target, encoded.data, { mode: 0o600 })
  return encoded.info
}

/** Returns the result of sharp; undefined when sharp throws, because the picture is damaged or of
 *  an unsupported type. */
const decoded = <Result>(work: Promise<Result>): Promise<Result | undefined> => work.catch(() => undefined)
