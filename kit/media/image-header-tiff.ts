import type { HeaderResult } from './image-header-result.ts'

interface TiffReader {
  u16(at: number): number
  u32(at: number): number
}

const tagWidth = 256
const tagHeight = 257
const tagOrientation = 274
// Largest number of entries of a directory that is read. The directories of real pictures have 10
// to 60 entries.
const maxEntries = 1000

/** Reads the first directory of a TIFF in either byte order (TIFF 6.0, section 2). The directory
 *  often lies at the end of the file. Returns undefined for a directory with more than 1,000
 *  entries. */
export function readTiff(head: Buffer): HeaderResult {
  const reader = tiffReader(head)
  if (reader === undefined) return undefined
  const tags = readDirectory(head, reader, [tagWidth, tagHeight, tagOrientation])
  if (tags === undefined || 'needBytes' in tags) return tags
  const width = tags.values.get(tagWidth)
  const height = tags.values.get(tagHeight)
  if (width === undefined || height === undefined) return undefined
  const orientation = asOrientation(tags.values.get(tagOrientation))
  const header = { mediaType: 'image/tiff', width, height } as const
  return orientation === undefined ? header : { ...header, orientation }
}

/** Returns the orientation in an Exif block, which is a small TIFF; undefined when it is absent, or
 *  when the block has more than 1,000 entries. */
export function readExifOrientation(exif: Buffer): number | undefined {
  const reader = tiffReader(exif)
  if (reader === undefined) return undefined
  const tags = readDirectory(exif, reader, [tagOrientation])
  return tags === undefined || 'needBytes' in tags ? undefined : asOrientation(tags.values.get(tagOrientation))
}

/** Reads a BMP with BITMAPINFOHEADER or a later header, or with OS/2's old BITMAPCOREHEADER. A
 *  negative height means that rows run from the top. Reads 26 bytes. */
export function readBmp(head: Buffer): HeaderResult {
  if (head.length < 26 || head.toString('latin1', 0, 2) !== 'BM') return undefined
  const headerSize = head.readUInt32LE(14)
  if (headerSize === 12) return { mediaType: 'image/bmp', width: head.readUInt16LE(18), height: head.readUInt16LE(20) }
  if (headerSize < 16 || headerSize > 1024) return undefined
  return { mediaType: 'image/bmp', width: head.readInt32LE(18), height: Math.abs(head.readInt32LE(22)) }
}

function tiffReader(head: Buffer): TiffReader | undefined {
  if (head.length < 8) return undefined
  const mark = head.toString('latin1', 0, 4)
  if (mark === 'II*\0') return { u16: at => head.readUInt16LE(at), u32: at => head.readUInt32LE(at) }
  if (mark === 'MM\0*') return { u16: at => head.readUInt16BE(at), u32: at => head.readUInt32BE(at) }
  return undefined
}

function readDirectory(
  head: Buffer,
  reader: TiffReader,
  wanted: readonly number[],
): { values: Map<number, number> } | { needBytes: number } | undefined {
  const start = reader.u32(4)
  if (start < 8) return undefined
  if (start + 2 > head.length) return { needBytes: start + 2 }
  const count = reader.u16(start)
  if (count === 0 || count > maxEntries) return undefined
  const end = start + 2 + count * 12
  if (end > head.length) return { needBytes: end }
  const values = new Map<number, number>()
  for (let at = start + 2; at < end; at += 12) {
    const tag = reader.u16(at)
    if (!wanted.includes(tag) || values.has(tag) || reader.u32(at + 4) !== 1) continue
    const type = reader.u16(at + 2)
    // Values of type SHORT and LONG are stored in the entry itself.
    if (type === 3) values.set(tag, reader.u16(at + 8))
    else if (type === 4) values.set(tag, reader.u32(at + 8))
  }
  return { values }
}

function asOrientation(value: number | undefined): number | undefined {
  return value !== undefined && value >= 1 && value <= 8 ? value : undefined
}
