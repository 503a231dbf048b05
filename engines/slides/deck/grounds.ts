/** Paints the backgrounds and ornaments of templates as encoded pictures. */
import { createCanvas } from '@napi-rs/canvas'
import { type Box, type Ground, type PictureItem, pageHeight, pageWidth } from '../model/page.ts'
import type { Theme } from '../templates/theme.ts'

/** Width of a background in pixels. */
const groundWidth = 1920
const pixelsPerInch = 160

/** Returns the background of one kind of page (title, section, content, closing) as a JPEG. */
export async function paintGround(theme: Theme, ground: Ground): Promise<Buffer> {
  return paintedGround(theme, ground, groundWidth).encode('jpeg', 90)
}

export function paintedGround(theme: Theme, ground: Ground, width: number) {
  const canvas = createCanvas(width, Math.round((width * pageHeight) / pageWidth))
  const context = canvas.getContext('2d')
  context.scale(width / pageWidth, width / pageWidth)
  theme.paint(context, ground)
  return canvas
}

/** Returns a panel with the template's ornament, to take the place of a picture. The same `seed`
 *  gives the same panel. */
export async function paintOrnament(theme: Theme, box: Box, seed: number): Promise<PictureItem> {
  const canvas = createCanvas(Math.round(box.w * pixelsPerInch), Math.round(box.h * pixelsPerInch))
  const context = canvas.getContext('2d')
  context.scale(pixelsPerInch, pixelsPerInch)
  theme.ornament(context, { w: box.w, h: box.h }, seed)
  return { kind: 'picture', box, bytes: await canvas.encode('jpeg', 90), mediaType: 'image/jpeg', alt: 'Ornament' }
}
