import { type Image, loadImage } from '@napi-rs/canvas'

/** Decodes encoded pictures, each of them once. Returns the image for the bytes of each picture. */
export async function decodeImages(encoded: readonly Buffer[]): Promise<Map<Buffer, Image>> {
  const images = new Map<Buffer, Image>()
  for (const bytes of encoded) if (!images.has(bytes)) images.set(bytes, await loadImage(bytes))
  return images
}

export async function isReadable(encoded: Buffer): Promise<boolean> {
  try {
    const { width, height } = await loadImage(encoded)
    return width > 0 && height > 0
  } catch {
    return false
  }
}
