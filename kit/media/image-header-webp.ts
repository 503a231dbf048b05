import type { HeaderResult } from './image-header-result.ts'

/** Lossy (VP8), lossless (VP8L) and extended (VP8X) WebP, by the first chunk (RFC 9649, section 2). */
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
  // A key frame with its start code; the upper two bits of each side are scaling.
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
