/** Type and size of an image from its first bytes. Reads headers only: nothing is decoded, nothing is believed beyond the bytes given. */

import { open } from 'node:fs/promises'
import { readIsoMedia } from './image-header-iso.ts'
import { readJpeg } from './image-header-jpeg.ts'
import { readGif, readPng } from './image-header-lossless.ts'
import type { HeaderResult, ImageHeader } from './image-header-result.ts'
import { readBmp, readTiff } from './image-header-tiff.ts'
import { readWebp, webpOrientation } from './image-header-webp.ts'

const maxSide = 1_000_000
const firstRead = 64 * 1024
// JPEGs of cameras and editors carry previews and colour profiles of a few MB before the size.
const maxRead = 16 * 1024 * 1024
const readers: ((head: Buffer) => HeaderResult)[] = [readJpeg, readPng, readWebp, readGif, readBmp, readTiff, readIsoMedia]

/** The header of an image by its first bytes (64 KiB or the whole file, when that is shorter).
 *  Undefined for anything that is not one of the eight types, is cut off before its size, or has a side of 0 or above 1,000,000. */
export function readImageHeader(head: Buffer): ImageHeader | undefined {
  const result = parseImageHeader(head)
  return result === undefined || 'needBytes' in result ? undefined : result
}

/** As `readImageHeader`, but says how much more of the file is needed when the size lies further in. */
export function parseImageHeader(head: Buffer): HeaderResult {
  for (const read of readers) {
    const result = read(head)
    if (result === undefined) continue
    if ('needBytes' in result) return result
    return isSize(result.width) && isSize(result.height) ? result : undefined
  }
  return undefined
}

/** The header of an image file; reads 64 KiB, and more (at most 16 MiB) only when the format puts the size behind it.
 *  Also reads the metadata of a WebP, which lies behind its pixels. The steps are bounded by the bytes read. Undefined as for `readImageHeader`. Throws what the file system throws. */
export async function readImageFile(file: string): Promise<ImageHeader | undefined> {
  const handle = await open(file, 'r')
  try {
    const { size } = await handle.stat()
    let wanted = Math.min(size, firstRead)
    for (;;) {
      const head = Buffer.alloc(wanted)
      const { bytesRead } = await handle.read(head, 0, wanted, 0)
      const result = parseImageHeader(head.subarray(0, bytesRead))
      if (result === undefined) return undefined
      if (!('needBytes' in result)) {
        const orientation = result.mediaType === 'image/webp' ? await webpOrientation(handle, head) : undefined
        return orientation === undefined ? result : { ...result, orientation }
      }
      const canGoOn = result.needBytes > bytesRead && result.needBytes <= Math.min(size, maxRead)
      if (!canGoOn) return undefined
      wanted = Math.min(size, maxRead, Math.max(result.needBytes, wanted * 4))
    }
  } finally {
    await handle.close()
  }
}

/** Sides of the picture as it is shown: upright. */
export function shownSize({ width, height, orientation = 1 }: ImageHeader): { width: number; height: number } {
  return orientation >= 5 ? { width: height, height: width } : { width, height }
}

function isSize(side: number): boolean {
  return Number.isInteger(side) && side >= 1 && side <= maxSide
}
