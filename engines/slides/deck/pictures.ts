import { createCanvas, loadImage } from '@napi-rs/canvas'
import type { Box, PictureItem } from '../model/page.ts'

const pixelsPerInch = 160

/** Returns a picture of the request or of an image model, cropped to the shape of its box, with
 *  at most 160 pixels per inch. */
export async function cutPicture(encoded: Buffer, box: Box, alt: string): Promise<PictureItem> {
  const image = await loadImage(encoded)
  const scale = Math.max((box.w * pixelsPerInch) / image.width, (box.h * pixelsPerInch) / image.height)
  const shrink = Math.min(1, 1 / scale)
  const canvas = createCanvas(
    Math.max(1, Math.round(box.w * pixelsPerInch * shrink)),
    Math.max(1, Math.round(box.h * pixelsPerInch * shrink)),
  )
  const cover = Math.max(canvas.width / image.width, canvas.height / image.height)
  const [w, h] = [image.width * cover, image.height * cover]
  const context = canvas.getContext('2d')
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.imageSmoothingQuality = 'high'
  // The upper part is kept rather than the lower one, because faces are usually above the middle.
  context.drawImage(image, (canvas.width - w) / 2, (canvas.height - h) * 0.4, w, h)
  return { kind: 'picture', box, bytes: await canvas.encode('jpeg', 90), mediaType: 'image/jpeg', alt }
}
