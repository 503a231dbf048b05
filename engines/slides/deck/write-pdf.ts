/** Writes pages as a searchable PDF, and as PNG pictures. */
import { createCanvas, type Image, PDFDocument } from '@napi-rs/canvas'
import { type Ground, type Page, pageHeight, pageWidth, pointsPerInch } from '../model/page.ts'
import { decodeImages } from './decode.ts'
import { drawPage } from './draw-page.ts'

interface PdfParts {
  title: string
  /** JPEG bytes for each kind of background. */
  grounds: ReadonlyMap<Ground, Buffer>
  /** Called and awaited between two pages, so that other work of the process can run. */
  giveWay?(): Promise<void>
}

export async function writePdf(pages: readonly Page[], drawn: PdfParts): Promise<Buffer> {
  const images = await imagesOf(pages, drawn)
  const document = new PDFDocument({ title: drawn.title, creator: 'Generation gateway', encodingQuality: 90 })
  for (const page of pages) {
    await drawn.giveWay?.()
    const context = document.beginPage(pageWidth * pointsPerInch, pageHeight * pointsPerInch)
    drawPage(context as never, page, images(page))
    document.endPage()
  }
  return document.close()
}

/** Returns a PNG of each page, `width` pixels wide. */
export async function pagePngs(pages: readonly Page[], drawn: PdfParts, width: number): Promise<Buffer[]> {
  const images = await imagesOf(pages, drawn)
  const pngs: Buffer[] = []
  for (const page of pages) {
    await drawn.giveWay?.()
    const canvas = createCanvas(width, Math.round((width * pageHeight) / pageWidth))
    const context = canvas.getContext('2d')
    context.scale(width / (pageWidth * pointsPerInch), width / (pageWidth * pointsPerInch))
    drawPage(context, page, images(page))
    pngs.push(await canvas.encode('png'))
  }
  return pngs
}

async function imagesOf(
  pages: readonly Page[],
  { grounds }: PdfParts,
): Promise<(page: Page) => { ground: Image; pictureOf(bytes: Buffer): Image }> {
  const pictures = pages.flatMap(({ items }) => items.flatMap(item => (item.kind === 'picture' ? [item.bytes] : [])))
  const decoded = await decodeImages([...grounds.values(), ...pictures])
  const imageOf = (bytes: Buffer | undefined): Image => {
    const image = bytes && decoded.get(bytes)
    if (!image) throw new TypeError('a picture of the page was not decoded')
    return image
  }
  return page => ({ ground: imageOf(grounds.get(page.ground)), pictureOf: imageOf })
}
