/** Draws reference pictures on one page. Each picture keeps its shape and is cropped little or not
 *  at all. The background suits the colours of the pictures, and the texts that the prompt asks for
 *  are added. */
import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import sharp from 'sharp'
import { parseHex } from '../colour.ts'
import type { Rectangle } from '../edit/geometry.ts'
import { type Size, writeTexts } from '../formats/sheet.ts'
import type { PageKind } from '../language/page-words.ts'
import { canvasOf } from '../style/canvas-of.ts'
import { prepareFont } from '../style/fonts.ts'
import { flatten, type Pixels } from '../style/pixels.ts'
import { type PageColours, pageColours } from './colours.ts'
import { focusOf } from './focus.ts'
import { layPictures, shownIn } from './layout.ts'

interface Page {
  pictures: readonly Pixels[]
  size: Size
  /** Kind of page, such as a postcard; absent when the prompt names none. */
  kind?: PageKind
  texts: readonly string[]
  /** Background colour, `#rrggbb`. When absent, it is derived from the pictures. */
  ground?: string
  /** Number of the variant, from 0. Successive variants have different layouts, as long as there
   *  are good ones. Odd numbers exchange light and dark backgrounds, except where the background
   *  colour is given by `ground` or by the kind of page. */
  choice: number
  /** Returns the picture as it is to be drawn; called for each cropped picture. */
  retouch(picture: Pixels): Promise<Pixels>
}

/** Sizes for one kind of page, as shares of the page's short side. `rim` is the width of the white
 *  paper around each picture. */
interface Manner {
  margin: number
  gap: number
  rim: number
}

const manners: Record<PageKind, Manner> = {
  postcard: { margin: 0.045, gap: 0.016, rim: 0 },
  card: { margin: 0.075, gap: 0.02, rim: 0 },
  poster: { margin: 0.07, gap: 0.018, rim: 0 },
  instant: { margin: 0.06, gap: 0.05, rim: 0.016 },
  collage: { margin: 0.032, gap: 0.016, rim: 0 },
}
const paper = '#fbf9f4'

/** A picture and its position on the page. */
interface Print {
  pixels: Pixels
  at: Rectangle
  /** Position of the picture with the white rim around it. */
  sheet: Rectangle
}

/** Draws the page and returns its opaque pixels, exactly of `size`. Equal pages give equal
 *  pixels. */
export async function drawPage(page: Page): Promise<Pixels> {
  const { size, kind, texts, ground, choice } = page
  for (const text of texts) prepareFont(text)
  const unit = Math.min(size.width, size.height)
  const manner = mannerOf(page)
  const { inner, band } = areasOf({ size, manner, unit, texts })
  const prints = await printsOf(page, { manner, unit, inner })
  const tinted = pageColours(
    prints.map(({ pixels }) => flatten(pixels)),
    choice,
  )
  const colours = { ...tinted, ...groundOf(ground ?? (kind === 'postcard' || kind === 'card' ? paper : undefined)) }
  const canvas = createCanvas(size.width, size.height)
  const pen = canvas.getContext('2d')
  pen.fillStyle = colours.ground
  pen.fillRect(0, 0, size.width, size.height)
  for (const { pixels, at, sheet } of prints) {
    if (manner.rim > 0) drawRim(pen, sheet, unit)
    pen.drawImage(canvasOf(pixels), at.x, at.y, at.width, at.height)
    if (manner.margin > 0) drawHairline(pen, at, { colours, unit })
  }
  const written = texts.map(text => ({ text }))
  if (band) writeTexts(pen, written, band, colours.ink)
  return { data: canvas.data(), ...size }
}

async function printsOf(
  { pictures, choice, retouch }: Page,
  { manner, unit, inner }: { manner: Manner; unit: number; inner: Rectangle },
): Promise<Print[]> {
  const rim = manner.rim * unit
  const ratios = pictures.map(picture => (picture.width / picture.height + rim / inner.height) / (1 + (rim * 3) / inner.height))
  const cells = layPictures(ratios, inner, { gap: manner.gap * unit, choice })
  const prints: Print[] = []
  for (const [index, picture] of pictures.entries()) {
    const cell = cells[index]
    if (!cell) continue
    const sheet = inPixels(shownIn(cell, ratios[index] ?? 1))
    const at = rim > 0 ? inPixels(withoutRim(sheet, rim)) : sheet
    prints.push({ pixels: await retouch(await croppedTo(picture, at)), at, sheet })
  }
  return prints
}

/** Returns the sizes for the page. A single picture without texts whose shape is nearly that of the
 *  page fills the page without a margin. */
function mannerOf({ pictures, size, kind, texts }: Page): Manner {
  const [only, ...others] = pictures
  const manner = manners[kind ?? 'collage']
  if (kind || !only || others.length > 0 || texts.length > 0) return manner
  const { width, height } = shownIn({ x: 0, y: 0, ...size }, only.width / only.height)
  return width > size.width - 1 && height > size.height - 1 ? { ...manner, margin: 0 } : { ...manner, margin: 0.06 }
}

function groundOf(ground: string | undefined): Partial<PageColours> {
  if (ground === undefined) return {}
  const { r, g, b } = parseHex(ground)
  const isDark = r * 0.299 + g * 0.587 + b * 0.114 < 128
  return { ground, isDark, ink: isDark ? '#f4f1ea' : '#2b2a2e' }
}

/** Returns the area for the pictures and, if there are texts, the area for the texts. */
function areasOf({ size, manner, unit, texts }: { size: Size; manner: Manner; unit: number; texts: readonly string[] }): {
  inner: Rectangle
  band?: Rectangle
} {
  const margin = manner.margin * unit
  const area = { x: margin, y: margin, width: size.width - margin * 2, height: size.height - margin * 2 }
  if (texts.length === 0) return { inner: area }
  const high = Math.min(size.height * 0.24, unit * (0.13 + 0.06 * texts.length))
  return {
    inner: { ...area, height: area.height - high },
    band: { ...area, y: area.y + area.height - high + margin * 0.3, height: high - margin * 0.3 },
  }
}

function inPixels({ x, y, width, height }: Rectangle): Rectangle {
  const [left, top] = [Math.round(x), Math.round(y)]
  return { x: left, y: top, width: Math.max(1, Math.round(x + width) - left), height: Math.max(1, Math.round(y + height) - top) }
}

/** Returns the area of the picture within its rim; as on an instant photograph, the rim is wider at
 *  the bottom. */
function withoutRim({ x, y, width, height }: Rectangle, rim: number): Rectangle {
  return { x: x + rim, y: y + rim, width: Math.max(1, width - rim * 2), height: Math.max(1, height - rim * 4) }
}

function drawRim(pen: SKRSContext2D, { x, y, width, height }: Rectangle, unit: number): void {
  pen.save()
  pen.shadowColor = 'rgba(20,16,12,0.34)'
  pen.shadowBlur = unit * 0.022
  pen.shadowOffsetY = unit * 0.006
  pen.fillStyle = paper
  pen.fillRect(x, y, width, height)
  pen.restore()
}

/** Draws a thin line along the edge of a picture. Without the line, the edge would be invisible
 *  where picture and background have the same colour. */
function drawHairline(
  pen: SKRSContext2D,
  { x, y, width, height }: Rectangle,
  { colours, unit }: { colours: PageColours; unit: number },
): void {
  const line = Math.max(1, Math.round(unit * 0.0012))
  pen.save()
  pen.globalAlpha = 0.16
  pen.strokeStyle = colours.ink
  pen.lineWidth = line
  pen.strokeRect(x + line / 2, y + line / 2, width - line, height - line)
  pen.restore()
}

/** Returns the picture at this size, cropped but not stretched. The crop is centred on the subject
 *  as far as possible. */
async function croppedTo(picture: Pixels, to: Size): Promise<Pixels> {
  const { data, width, height } = picture
  const raw = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  const scale = Math.min(width / to.width, height / to.height)
  const part = {
    width: Math.min(width, Math.max(1, Math.round(to.width * scale))),
    height: Math.min(height, Math.max(1, Math.round(to.height * scale))),
  }
  const focus = focusOf(picture)
  const left = Math.round(Math.min(width - part.width, Math.max(0, focus.x - part.width / 2)))
  const top = Math.round(Math.min(height - part.height, Math.max(0, focus.y - part.height / 2)))
  const { data: cropped, info } = await sharp(raw, { raw: { width, height, channels: 4 }, limitInputPixels: false })
    .extract({ left, top, ...part })
    .resize(to.width, to.height, { fit: 'fill', kernel: 'lanczos3' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data: cropped, width: info.width, height: info.height }
}
