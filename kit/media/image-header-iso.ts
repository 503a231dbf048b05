import type { HeaderResult, ImageType } from './image-header-result.ts'

const brands: Record<string, ImageType> = {
  avif: 'image/avif',
  avis: 'image/avif',
  heic: 'image/heic',
  heix: 'image/heic',
  hevc: 'image/heic',
  hevx: 'image/heic',
  heim: 'image/heic',
  heis: 'image/heic',
  mif1: 'image/heic',
  msf1: 'image/heic',
}
const sequences = new Set(['avis', 'hevc', 'hevx', 'msf1'])
// meta > iprp > ipco > ispe.
const path = ['meta', 'iprp', 'ipco']
const maxBoxes = 10_000

interface Box {
  type: string
  start: number
  end: number
}

/** HEIC and AVIF by their brand; the size is the largest `ispe` property, since tiles and thumbnails have smaller ones (ISO/IEC 23008-12, 6.5.3). */
export function readIsoMedia(head: Buffer): HeaderResult {
  if (head.length < 16 || head.toString('latin1', 4, 8) !== 'ftyp') return undefined
  const first = boxAt(head, 0)
  if (first === undefined || first.end > head.length) return undefined
  const major = head.toString('latin1', 8, 12)
  const mediaType = typeOf(head, first, major)
  if (mediaType === undefined) return undefined
  const size = largestSize(head, first.end)
  if (size === undefined || 'needBytes' in size) return size
  return sequences.has(major) ? { mediaType, ...size, animated: true } : { mediaType, ...size }
}

/** `mif1` says only that it is a picture; then a compatible brand says which. */
function typeOf(head: Buffer, ftyp: Box, major: string): ImageType | undefined {
  if (!Object.hasOwn(brands, major)) return undefined
  if (major !== 'mif1' && major !== 'msf1') return brands[major]
  for (let at = ftyp.start + 8; at + 4 <= ftyp.end; at += 4) if (head.toString('latin1', at, at + 4) === 'avif') return 'image/avif'
  return brands[major]
}

function largestSize(head: Buffer, start: number): { width: number; height: number } | { needBytes: number } | undefined {
  let range = { start, end: Number.POSITIVE_INFINITY }
  for (const type of path) {
    const box = findBox(head, range, type)
    if (box === undefined || 'needBytes' in box) return box
    if (box.end > head.length) return { needBytes: box.end }
    // `meta` is a full box: version and flags come first.
    range = { start: box.start + (type === 'meta' ? 4 : 0), end: box.end }
  }
  let best = { width: 0, height: 0 }
  for (let at = range.start, boxes = 0; boxes < maxBoxes; boxes++) {
    const box = boxAt(head, at)
    if (box === undefined || box.end > range.end) break
    if (box.type === 'ispe' && box.end - box.start >= 12) {
      const size = { width: head.readUInt32BE(box.start + 4), height: head.readUInt32BE(box.start + 8) }
      if (size.width * size.height > best.width * best.height) best = size
    }
    at = box.end
  }
  return best
}

function findBox(head: Buffer, range: { start: number; end: number }, type: string): Box | { needBytes: number } | undefined {
  let at = range.start
  for (let boxes = 0; boxes < maxBoxes && at < range.end; boxes++) {
    if (at + 16 > head.length && range.end === Number.POSITIVE_INFINITY) return { needBytes: at + 16 }
    const box = boxAt(head, at)
    if (box === undefined || box.end > range.end) return undefined
    if (box.type === type) return box
    at = box.end
  }
  return undefined
}

/** The box at an offset; its contents may lie outside the given bytes. Undefined for an impossible size. */
function boxAt(head: Buffer, at: number): Box | undefined {
  if (at + 8 > head.length) return undefined
  const size = head.readUInt32BE(at)
  const type = head.toString('latin1', at + 4, at + 8)
  if (size >= 8) return { type, start: at + 8, end: at + size }
  if (size !== 1 || at + 16 > head.length) return undefined
  const large = Number(head.readBigUInt64BE(at + 8))
  return large >= 16 ? { type, start: at + 16, end: at + large } : undefined
}
