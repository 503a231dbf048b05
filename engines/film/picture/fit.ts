import type { InputFile } from '@generation-gateway/kit/requests/job.ts'
import { decodePicture } from '@generation-gateway/studio/picture-edit.ts'
import { type Canvas, createCanvas } from '@napi-rs/canvas'
import sharp from 'sharp'
import type { PictureSize } from '../world/view.ts'

interface FittedPicture {
  canvas: Canvas
  pixels: Uint8Array
}

/** Returns a picture as a frame of exactly this size. When its aspect ratio differs, the picture is
 *  cropped or gets a black border. Throws `invalid_input_file` for a picture that cannot be
 *  decoded. */
export async function fitPicture(input: InputFile, { width, height }: PictureSize, fit: 'pad' | 'crop' = 'crop'): Promise<FittedPicture> {
  const picture = await decodePicture(input)
  const raw = Buffer.from(picture.data.buffer, picture.data.byteOffset, picture.data.byteLength)
  const isSame = picture.width === width && picture.height === height
  const pixels = isSame
    ? new Uint8Array(raw)
    : new Uint8Array(
        await sharp(raw, { raw: { width: picture.width, height: picture.height, channels: 4 } })
          .resize(width, height, { fit: fit === 'pad' ? 'contain' : 'cover', kernel: 'lanczos3', background: '#000000' })
          .raw()
          .toBuffer(),
      )
  return { canvas: canvasOf(pixels, { width, height }), pixels }
}

export function canvasOf(pixels: Uint8Array, { width, height }: PictureSize): Canvas {
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  const image = context.createImageData(width, height)
  image.data.set(pixels)
  context.putImageData(image, 0, 0)
  return canvas
}
