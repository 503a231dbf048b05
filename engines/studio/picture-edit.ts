/** Edits a picture as an instruction says. For a picture drawn by this engine, the scene graph is
 *  changed and drawn again; for any other picture, the pixels are changed. */

import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { ImageEditRequest } from '@generation-gateway/kit/requests/image.ts'
import type { InputFile } from '@generation-gateway/kit/requests/job.ts'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import sharp, { type Sharp } from 'sharp'
import type { Painters } from './edit/painters.ts'
import { editImage } from './edit/pixel-edits.ts'
import { editScene } from './edit/scene-edits.ts'
import type { Edit } from './language/edit-types.ts'
import { largestSide, mostInputPixels, mostPixels } from './limits.ts'
import type { Scene } from './scene.ts'
import type { Pixels } from './style/pixels.ts'

interface Size {
  width: number
  height: number
}

export interface EditedPicture {
  pixels: Pixels
  /** Set only if the pixels show exactly this scene, without later edits of pixels. */
  scene?: Scene
  /** A sentence for each part of the instruction that could not be followed. */
  failed: string[]
}

/** Facts about the drawn pictures, which this engine stores with a task (`Done.detail`). */
export interface OwnPicture extends Size {
  scenes: Scene[]
  /** Set when the pictures have a watermark, which is not part of their scenes. */
  isMarked?: true
}

/** Returns the scene of a picture that this engine drew, if its bytes are unchanged; undefined for
 *  any other picture. */
export function sceneOf(input: InputFile): OwnPicture | undefined {
  // `doneWithPictures` is the only function that stores `detail`, and it stores an `OwnPicture`.
  const detail = input.origin?.detail as unknown as OwnPicture | undefined
  const scene = detail?.scenes[input.origin?.index ?? 0]
  return detail && scene && { ...detail, scenes: [scene] }
}

/** Edits the scene graph of a picture and draws it again. Edits that a scene graph cannot express
 *  are then applied to the pixels of the new drawing. */
export async function editOwnPicture(
  own: OwnPicture,
  edits: Edit[],
  { request, painters }: { request: ImageEditRequest; painters: Painters },
): Promise<EditedPicture> {
  const [before] = own.scenes
  if (!before) throw new GatewayError('internal_error', 'The scene of the picture is missing.')
  const { scene, pixelEdits, failed } = editScene(before, edits)
  const size = sizeOf(request, own)
  const drawn = await painters.drawScene(scene, size)
  const edited = await editImage(drawn, pixelEdits, request.seed, painters)
  const sentences = [...failed, ...edited.failed].map(({ reason }) => reason)
  await painters.giveWay?.()
  const pixels = await fitTo(edited.image, sizeOf(request, edited.image))
  return pixelEdits.length === 0 ? { pixels, scene, failed: sentences } : { pixels, failed: sentences }
}

/** Edits the pixels of a picture that this engine did not draw. `decoded` is the picture as
 *  `decodePicture` returns it. */
export async function editForeignPicture(
  decoded: Pixels,
  edits: Edit[],
  { request, painters }: { request: ImageEditRequest; painters: Painters },
): Promise<EditedPicture> {
  const start = request.width === undefined ? decoded : await fitTo(decoded, sizeOf(request, decoded))
  const { image, failed } = await editImage(start, edits, request.seed, painters)
  await painters.giveWay?.()
  return { pixels: await fitTo(image, sizeOf(request, image)), failed: failed.map(({ reason }) => reason) }
}

/** Decodes a picture like `decodePicture`. If its visible part is light and the rest
 *  transparent, the background becomes dark grey. For one of several pictures, the error names
 *  its number, from 1. */
export async function decodeReference(input: InputFile, longSide: number, number?: number): Promise<Pixels> {
  try {
    const white = await decodePicture(input, longSide)
    return (await isWhiteOnNothing(input)) ? await decodePicture(input, longSide, '#33363d') : white
  } catch (error) {
    if (!(error instanceof GatewayError) || error.field !== input.role || number === undefined) throw error
    throw error.inWords(input.role, error.message.replace(': it ', `: number ${number} `))
  }
}

/** True when more than 2 % of the picture is transparent and its visible pixels are light: their
 *  mean luma is above 190 of 255. The mean is that of all pixels of a reduced picture, weighted
 *  by their alpha. A BMP counts as opaque. */
async function isWhiteOnNothing({ path, mediaType }: InputFile): Promise<boolean> {
  if (mediaType === 'image/bmp' || !(await sharp(path).metadata()).hasAlpha) return false
  const small = sharp(path, { limitInputPixels: mostInputPixels }).toColourspace('srgb').resize(64, 64, { fit: 'fill' }).ensureAlpha()
  const pixels = await small.raw().toBuffer()
  let [luma, seen] = [0, 0]
  for (let i = 0; i < pixels.length; i += 4) {
    const alpha = pixels[i + 3] ?? 0
    luma += alpha * ((pixels[i] ?? 0) * 0.299 + (pixels[i + 1] ?? 0) * 0.587 + (pixels[i + 2] ?? 0) * 0.114)
    seen += alpha
  }
  return seen < 0.98 * 64 * 64 * 255 && luma > 190 * seen
}

/** Returns the decoded picture, rotated upright as its EXIF orientation says, with the colour
 *  `ground` behind transparent areas. The picture is reduced to the engine's limits and to a long
 *  side of `longSide` pixels. Throws `invalid_input_file` for more than 100 million pixels, or a
 *  file that is not a picture. */
export async function decodePicture(input: InputFile, longSide = largestSide, ground = '#ffffff'): Promise<Pixels> {
  const { width = 0, height = 0 } = input
  if (width * height > mostInputPixels)
    throw new GatewayError(
      'invalid_input_file',
      `${input.role}: it has ${width}x${height} pixels; at most ${mostInputPixels} in all are decoded.`,
      { field: input.role },
    )
  try {
    const picture =
      input.mediaType === 'image/bmp'
        ? await decodeBitmap(input.path)
        : sharp(input.path, { limitInputPixels: mostInputPixels, failOn: 'error' })
    const upright = picture.autoOrient().flatten({ background: ground }).toColourspace('srgb').ensureAlpha()
    const { autoOrient } = await upright.metadata()
    const size = withinLimits(autoOrient, longSide)
    const scaled =
      size.width === autoOrient.width && size.height === autoOrient.height
        ? upright
        : upright.resize(size.width, size.height, { fit: 'fill' })
    const { data, info } = await scaled.raw().toBuffer({ resolveWithObject: true })
    return { data, width: info.width, height: info.height }
  } catch (cause) {
    throw new GatewayError('invalid_input_file', `${input.role}: it cannot be decoded: it is damaged or cut off.`, {
      field: input.role,
      cause,
    })
  }
}

/** Decodes a BMP with the canvas, because sharp does not support it. */
async function decodeBitmap(path: string): Promise<Sharp> {
  const image = await loadImage(path)
  const canvas = createCanvas(image.width, image.height)
  canvas.getContext('2d').drawImage(image, 0, 0)
  return sharp(canvas.data(), { raw: { width: image.width, height: image.height, channels: 4 } })
}

/** Returns the requested size, else the size of the picture, reduced to the engine's limits and
 *  with both sides rounded to multiples of 32 (docs/interface/pictures.md#f1). */
export function sizeOf(request: ImageEditRequest, picture: Size): Size {
  if (request.width !== undefined && request.height !== undefined) return { width: request.width, height: request.height }
  const { width, height } = withinLimits(picture)
  return { width: roundedSide(width), height: roundedSide(height) }
}

function roundedSide(side: number): number {
  return Math.min(largestSide, Math.max(32, Math.round(side / 32) * 32))
}

/** Returns the size reduced in proportion if a side or the area exceeds the limits of the engine;
 *  otherwise unchanged. */
function withinLimits({ width, height }: Size, longSide = largestSide): Size {
  const scale = Math.min(1, longSide / Math.max(width, height), Math.sqrt(mostPixels / (width * height)))
  if (scale === 1) return { width, height }
  // Rounds down, because rounding up to a multiple of 32 could exceed the limit again.
  const room = (side: number) => Math.max(32, Math.floor((side * scale) / 32) * 32)
  return { width: room(width), height: room(height) }
}

/** Returns the picture scaled to exactly this size. If the aspect ratios differ by less than 5 %
 *  (as after rounding to multiples of 32), it is stretched; otherwise it is cropped on two
 *  sides. */
export async function fitTo(image: Pixels, size: Size): Promise<Pixels> {
  if (image.width === size.width && image.height === size.height) return image
  const isSameShape = Math.abs(image.width / image.height / (size.width / size.height) - 1) < 0.05
  const raw = Buffer.from(image.data.buffer, image.data.byteOffset, image.data.byteLength)
  const { data, info } = await sharp(raw, { raw: { width: image.width, height: image.height, channels: 4 }, limitInputPixels: false })
    .resize(size.width, size.height, { fit: isSameShape ? 'fill' : 'cover', kernel: 'lanczos3' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}
