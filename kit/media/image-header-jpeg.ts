import type { HeaderResult } from './image-header-result.ts'
import { readExifOrientation } from './image-header-tiff.ts'

// Start-of-frame markers, from baseline to differential arithmetic, without DHT (C4), JPG (C8) and
// DAC (CC).
const frames = new Set([0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf])
const endOfImage = 0xd9
const startOfScan = 0xda
const app1 = 0xe1

/** Walks over the segments of a JPEG to its frame header (ITU T.81, B.1 and B.2.2); takes at most
 *  one step per given byte. */
export function readJpeg(head: Buffer): HeaderResult {
  if (head.length < 3 || head.readUIntBE(0, 3) !== 0xffd8ff) return undefined
  let orientation: number | undefined
  let at = 2
  for (;;) {
    if (at + 4 > head.length) return { needBytes: at + 4 }
    if (head[at] !== 0xff) return undefined
    const marker = head[at + 1]!
    if (marker === 0xff) {
      // Fill bytes before a marker are skipped.
      at += 1
      continue
    }
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) {
      at += 2
      continue
    }
    if (marker === endOfImage || marker === startOfScan) return undefined
    const length = head.readUInt16BE(at + 2)
    if (length < 2) return undefined
    if (frames.has(marker)) return readFrame(head, { at, length, orientation })
    const end = at + 2 + length
    if (marker === app1 && end <= head.length) orientation ??= exifOrientation(head.subarray(at + 4, end))
    if (end > head.length) return { needBytes: end + 4 }
    at = end
  }
}

function readFrame(
  head: Buffer,
  { at, length, orientation }: { at: number; length: number; orientation: number | undefined },
): HeaderResult {
  // The segment consists of length, precision, height, width and number of components.
  if (length < 8) return undefined
  if (at + 10 > head.length) return { needBytes: at + 10 }
  const header = { mediaType: 'image/jpeg', height: head.readUInt16BE(at + 5), width: head.readUInt16BE(at + 7) } as const
  return orientation === undefined ? header : { ...header, orientation }
}

function exifOrientation(segment: Buffer): number | undefined {
  if (segment.length < 6 || segment.toString('latin1', 0, 6) !== 'Exif\0\0') return undefined
  return readExifOrientation(segment.subarray(6))
}
