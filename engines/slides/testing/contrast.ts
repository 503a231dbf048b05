/** Measures how readable text is on its background: the contrast ratio of WCAG 2, 1 to 21. */
import { createCanvas, type Image, loadImage } from '@napi-rs/canvas'
import { channels } from '../art/paint.ts'
import { drawPage } from '../deck/draw-page.ts'
import { type Item, type Page, pageHeight, pageWidth, pointsPerInch, type TextItem } from '../model/page.ts'

export function contrastOf(a: readonly number[], b: readonly number[]): number {
  const [x, y] = [luminance(a), luminance(b)]
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05)
}

/** Returns the least contrast that WCAG requires: 3 for large text (18 points, or bold 14 points),
 *  4.5 for smaller text. */
export function neededContrast({ size, paragraphs }: TextItem): number {
  const isBold = paragraphs.every(({ runs }) => runs.every(({ weight }) => weight === 700))
  return size >= 18 || (isBold && size >= 14) ? 3 : 4.5
}

/** Returns the contrast of each text of a page. The contrast is measured against the pixels behind
 *  the lines of the text: 98 % of these pixels have at least this contrast. */
export async function contrastsOn(page: Page, ground: Image): Promise<{ item: TextItem; contrast: number }[]> {
  const width = 400
  const scale = width / (pageWidth * pointsPerInch)
  const canvas = createCanvas(width, Math.round(pageHeight * pointsPerInch * scale))
  const context = canvas.getContext('2d')
  context.scale(scale, scale)
  const bare = page.items.filter((item: Item) => item.kind !== 'text')
  const pictures = await Promise.all(
    bare.flatMap(item => (item.kind === 'picture' ? [loadImage(item.bytes).then(image => [item.bytes, image] as const)] : [])),
  )
  const images = new Map(pictures)
  drawPage(context, { ...page, items: bare }, { ground, pictureOf: bytes => images.get(bytes) as Image })
  return page.items
    .filter(item => item.kind === 'text')
    .filter(({ paragraphs }) => paragraphs.length > 0)
    .map(item => {
      const { x, y, w, h } = linesBox(item)
      const { data } = context.getImageData(
        Math.floor(x * scale),
        Math.floor(y * scale),
        Math.max(1, Math.ceil(w * scale)),
        Math.max(1, Math.ceil(h * scale)),
      )
      const ink = channels(item.colour)
      const ratios = Array.from({ length: data.length / 4 }, (_pixel, k) =>
        contrastOf(ink, [data[k * 4] ?? 0, data[k * 4 + 1] ?? 0, data[k * 4 + 2] ?? 0]),
      ).sort((a, b) => a - b)
      return { item, contrast: ratios[Math.floor(ratios.length * 0.02)] ?? 1 }
    })
}

/** Returns the box of the text's lines, in points. */
function linesBox({ box, height, align, valign, paragraphs }: TextItem): { x: number; y: number; w: number; h: number } {
  const widest = Math.max(
    ...paragraphs.flatMap(({ lines, bullet }) => lines.map(({ width }) => width + (bullet?.indent ?? 0) * pointsPerInch)),
  )
  const [room, free] = [box.w * pointsPerInch - widest, box.h * pointsPerInch - height]
  return {
    x: box.x * pointsPerInch + (align === 'left' ? 0 : align === 'center' ? room / 2 : room),
    y: box.y * pointsPerInch + (valign === 'top' ? 0 : valign === 'middle' ? free / 2 : free),
    w: widest,
    h: height,
  }
}

function luminance(colour: readonly number[]): number {
  const [r = 0, g = 0, b = 0] = colour.map(value => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
