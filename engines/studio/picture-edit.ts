/** Editing by instruction: on our own pictures as a change of the scene graph, on others as a change of pixels. */

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
  /** The scene behind it, when it is one of ours and still is a plain drawing of it. */
  scene?: Scene
  /** One sentence for each part of the instruction that could not be followed. */
  failed: string[]
}

/** What `detail` holds of a picture this engine made. */
export interface OwnPicture extends Size {
  scenes: Scene[]
  /** They carry the watermark, which is no part of the scenes. */
  isMarked?: true
}

/** The scene of a picture that this engine made and that came back byte for byte. */
export function sceneOf(input: InputFile): OwnPicture | undefined {
  // Stored by this engine's own `done`; nothing else writes it.
  const detail = input.origin?.detail as unknown as OwnPicture | undefined
  const scene = detail?.scenes[input.origin?.index ?? 0]
  return detail && scene && { ...detail, scenes: [scene] }
}

/** Redraws one of our own scenes with the edits done to its graph; what only concerns pixels is done to the drawing. */
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

/** Edits the pixels of a picture from elsewhere, as `decodePicture` gives them. */
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

/** As `decodePicture`, but on dark grey where what can be seen of a transparent picture is nearly white itself. */
export async function decodeReference(input: InputFile, longSide: number): Promise<Pixels> {
  const white = await decodePicture(input, longSide)
  if (!(await isWhiteOnNothing(input))) return white
  return decodePicture(input, longSide, '#33363d')
}

/** Looked at in small: the mean of the visible pixels, by their alpha. */
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

/** The decoded picture, upright, on `ground` where it was transparent, at most as large as the engine's limits and `longSide` pixels. Throws `invalid_input_file` for one of more than 100 million pixels, and for what is no picture. */
export async function decodePicture(input: InputFile, longSide = largestSide, ground = '#ffffff'): Promise<Pixels> {
  const { width = 0, height = 0 } = input
  if (width * height > mostInputPixels)
    throw new GatewayError(
      'invalid_input_file',
      `The input image has ${width}x${height} pixels; at most ${mostInputPixels} in all are decoded.`,
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
    throw new GatewayError('invalid_input_file', 'The input image cannot be decoded: it is damaged or cut off.', { cause })
  }
}

/** sharp does not read BMP; the canvas does. */
async function decodeBitmap(path: string): Promise<Sharp> {
  const image = await loadImage(path)
  const canvas = createCanvas(image.width, image.height)
  canvas.getContext('2d').drawImage(image, 0, 0)
  return sharp(canvas.data(), { raw: { width: image.width, height: image.height, channels: 4 } })
}

/** The requested size, else the shape of the picture with sides rounded to multiples of 32
 *  (docs/interface/pictures.md#f1). */
export function sizeOf(request: ImageEditRequest, picture: Size): Size {
  if (request.width !== undefined && request.height !== undefined) return { width: request.width, height: request.height }
  const { width, height } = withinLimits(picture)
  return { width: roundedSide(width), height: roundedSide(height) }
}

function roundedSide(side: number): number {
  return Math.min(largestSide, Math.max(32, Math.round(side / 32) * 32))
}

/** Scaled down only when a side or the area exceeds what the engine draws. */
function withinLimits({ width, height }: Size, longSide = largestSide): Size {
  const scale = Math.min(1, longSide / Math.max(width, height), Math.sqrt(mostPixels / (width * height)))
  if (scale === 1) return { width, height }
  // Rounding up to a multiple of 32 must not pass the limit again.
  const room = (side: number) => Math.max(32, Math.floor((side * scale) / 32) * 32)
  return { width: room(width), height: room(height) }
}

/** Exactly this size: the middle of the picture, without distortion beyond the rounding to 32. */
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
