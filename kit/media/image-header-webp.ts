import type { FileHandle } from 'node:fs/promises'
import { bytesAt } from '../bytes-at.ts'
import type { HeaderResult } from './image-header-result.ts'
import { readExifOrientation } from './image-header-tiff.ts'

/** Reads lossy (VP8), lossless (VP8L) and extended (VP8X) WebP from the first chunk (RFC 9649,
 *  section 2), 30 bytes. */
export function readWebp(head: Buffer): HeaderResult {
  if (head.length < 30 || head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8, 12) !== 'WEBP') return undefined
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return readLossy(head)
    case 'VP8L':
      return readLossless(head)
    case 'VP8X':
      return readExtended(head)
  }
  return undefined
}

function readLossy(head: Buffer): HeaderResult {
  // Only a key frame with its start code contains the size. The upper two bits of width and height
  // are a scaling factor.
  if ((head[20]! & 1) !== 0 || head.readUIntBE(23, 3) !== 0x9d012a) return undefined
  return { mediaType: 'image/webp', width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff }
}

function readLossless(head: Buffer): HeaderResult {
  if (head[20] !== 0x2f) return undefined
  const bits = head.readUInt32LE(21)
  return { mediaType: 'image/webp', width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

function readExtended(head: Buffer): HeaderResult {
  const header: HeaderResult = { mediaType: 'image/webp', width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 }
  if ((head[20]! & 0x02) !== 0) header.animated = true
  return header
}

/** Largest number of chunks that are searched for the metadata: a picture has five, an animation
 *  one for each frame. */
const mostChunks = 256
const mostExifBytes = 64 * 1024

/** Returns the Exif orientation of an extended WebP, whose metadata follows its pixels; undefined
 *  when absent. Reads the 8-byte headers of at most 256 chunks, and at most 64 KiB of Exif data. */
export async function webpOrientation(file: FileHandle, head: Buffer): Promise<number | undefined> {
  const hasExif = head.toString('latin1', 12, 16) === 'VP8X' && (head.readUInt8(20) & 0x08) !== 0
  for (let at = 12, chunks = 0; hasExif && chunks < mostChunks; chunks++) {
    const chunk = await bytesAt(file, at, 8)
    if (chunk.length < 8) return undefined
    const size = chunk.readUInt32LE(4)
    if (chunk.toString('latin1', 0, 4) === 'EXIF') {
      const exif = await bytesAt(file, at + 8, Math.min(size, mostExifBytes))
      // Some writers put JPEG's Exif marker before the block; it is skipped.
      return readExifOrientation(exif.toString('latin1', 0, 6) === 'Exif\0\0' ? exif.subarray(6) : exif)
    }
    at += 8 + size + (size % 2)
  }
  return undefined
}
