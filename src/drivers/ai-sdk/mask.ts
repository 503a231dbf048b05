/** The mask of an edit as services read it: the neutral one, or polygons. */
import type { PictureRegion, PictureSize } from '@generation-gateway/kit/requests/image.ts'
import sharp from 'sharp'

/** What says where the picture may be changed: pixels that are transparent, or white ones of a mask without transparency. */
export type MaskForm = 'transparent' | 'white'

const half = 128

/** Regions are drawn by their outlines, scaled to the picture. */
export function regionsMask(regions: readonly PictureRegion[], { width, height }: PictureSize): Promise<Buffer> {
  const polygons = regions.map(region => {
    const scaled = region.points.map((value, index) => value * (index % 2 === 0 ? width / region.width : height / region.height))
    return `<polygon points="${scaled.join(' ')}" fill="#fff"/>`
  })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%"/>${polygons.join('')}</svg>`
  return sharp(Buffer.from(svg)).removeAlpha().png().toBuffer()
}

/** A mask in this form as PNG: white where the picture may be changed, and there transparent, and black elsewhere. Of a mask with transparent pixels these are the place, of any other the white ones. */
export async function maskAs(form: MaskForm, mask: Buffer | string): Promise<Buffer> {
  const image = sharp(mask)
  const { isOpaque } = await image.stats()
  const { data, info } = await image.toColourspace('srgb').ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const { width, height } = info
  // Red, green, blue, alpha.
  for (let at = 0; at < data.length; at += 4) {
    const white = (data.readUInt8(at) + data.readUInt8(at + 1) + data.readUInt8(at + 2)) / 3
    const isOpen = isOpaque ? white >= half : data.readUInt8(at + 3) < half
    data.fill(isOpen ? 255 : 0, at, at + 3).writeUInt8(isOpen && form === 'transparent' ? 0 : 255, at + 3)
  }
  return sharp(data, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer()
}
