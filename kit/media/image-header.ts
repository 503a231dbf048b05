/** Reads type and size of an image from its first bytes. Nothing is decoded, and no declared length
 *  is trusted beyond the given bytes. The number of steps of each reader is bounded by a constant
 *  or by the number of given bytes. At most 16 MiB are given, and reading them takes up to 60 ms of
 *  CPU time. */

import { open } from 'node:fs/promises'
import { bytesAt } from '../bytes-at.ts'
import { readIsoMedia } from './image-header-iso.ts'
import { readJpeg } from './image-header-jpeg.ts'
import { readGif, readPng } from './image-header-lossless.ts'
import type { HeaderResult, ImageHeader } from './image-header-result.ts'
import { readBmp, readTiff } from './image-header-tiff.ts'
import { readWebp, webpOrientation } from './image-header-webp.ts'

const maxSide = 1_000_000
const firstRead = 64 * 1024
// Largest number of bytes that are read to find a header. In JPEGs of cameras and editors, a few MB
// of previews and colour profiles may come before the size.
const maxRead = 16 * 1024 * 1024
const readers: ((head: Buffer) => HeaderResult)[] = [readJpeg, readPng, readWebp, readGif, readBmp, readTiff, readIsoMedia]

/** Returns the header of an image from its first bytes (64 KiB, or the whole file when that is
 *  shorter). Undefined for anything that is not one of the eight types, is truncated before its
 *  size, or has a side of 0 or above 1,000,000. */
export function readImageHeader(head: Buffer): ImageHeader | undefined {
  const result = parseImageHeader(head)
  return result === undefined || 'needBytes' in result ? undefined : result
}

/** Returns the header as `readImageHeader` does, or the number of bytes that are needed when the
 *  size comes later in the file. */
export function parseImageHeader(head: Buffer): HeaderResult {
  for (const read of readers) {
    const result = read(head)
    if (result === undefined) continue
    if ('needBytes' in result) return result
    return isSize(result.width) && isSize(result.height) ? result : undefined
  }
  return undefined
}

/** Returns the header of an image file; undefined as for `readImageHeader`. Reads 64 KiB, and more
 *  (at most 16 MiB) only when the size lies further in. Also reads the metadata of a WebP, which
 *  follows its pixels. The number of steps is bounded by the bytes read. Throws what the file
 *  system throws. */
export async function readImageFile(file: string): Promise<ImageHeader | undefined> {
  await using handle = await open(file, 'r')
  const { size } = await handle.stat()
  let wanted = Math.min(size, firstRead)
  for (;;) {
    const head = await bytesAt(handle, 0, wanted)
    const result = parseImageHeader(head)
    if (result === undefined) return undefined
    if (!('needBytes' in result)) {
      const orientation = result.mediaType === 'image/webp' ? await webpOrientation(handle, head) : undefined
      return orientation === undefined ? result : { ...result, orientation }
    }
    const canGoOn = result.needBytes > head.length && result.needBytes <= Math.min(size, maxRead)
    if (!canGoOn) return undefined
    wanted = Math.min(size, maxRead, Math.max(result.needBytes, wanted * 4))
  }
}

/** Returns width and height of the picture as it is shown: upright. */
export function shownSize({ width, height, orientation = 1 }: ImageHeader): { width: number; height: number } {
  return orientation >= 5 ? { width: height, height: width } : { width, height }
}

function isSize(side: number): boolean {
  return Number.isInteger(side) && side >= 1 && side <= maxSide
}
