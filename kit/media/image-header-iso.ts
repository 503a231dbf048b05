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
// The boxes on the path to the size: meta > iprp > ipco > ispe.
const path = ['meta', 'iprp', 'ipco']
const maxBoxes = 10_000

interface Box {
  type: string
  start: number
  end: number
}

/** Reads HEIC and AVIF. The brand gives the type; the size is the largest `ispe` property, since
 *  tiles and thumbnails have smaller ones (ISO/IEC 23008-12, 6.5.3). The orientation is the `irot`
 *  of the primary item; decoders ignore an Exif orientation (6.5.10). Reads at most 10,000 boxes
 *  per level. */
export function readIsoMedia(head: Buffer): HeaderResult {
  if (head.length < 16 || head.toString('latin1', 4, 8) !== 'ftyp') return undefined
  const first = boxAt(head, 0)
  if (first === undefined || first.end > head.length) return undefined
  const major = head.toString('latin1', 8, 12)
  const mediaType = typeOf(head, first, major)
  if (mediaType === undefined) return undefined
  const properties = propertiesOf(head, first.end)
  if (properties === undefined || 'needBytes' in properties) return properties
  const { turn, ...size } = sizeAndTurn(head, properties)
  const orientation = orientationOf[turn] ?? 1
  const header = orientation === 1 ? { mediaType, ...size } : { mediaType, ...size, orientation }
  return sequences.has(major) ? { ...header, animated: true } : header
}

/** Returns the type of the picture from its brands. The major brands `mif1` and `msf1` are used for
 *  both types: with them, the file is AVIF when `avif` is a compatible brand, else HEIC. */
function typeOf(head: Buffer, ftyp: Box, major: string): ImageType | undefined {
  if (!Object.hasOwn(brands, major)) return undefined
  if (major !== 'mif1' && major !== 'msf1') return brands[major]
  for (let at = ftyp.start + 8; at + 4 <= ftyp.end; at += 4) if (head.toString('latin1', at, at + 4) === 'avif') return 'image/avif'
  return brands[major]
}

/** Exif orientations, indexed by the number of counter-clockwise quarter turns. */
const orientationOf = [1, 8, 3, 6]

interface Properties {
  /** Byte ranges of the contents of `meta`, `iprp` and `ipco`. */
  meta: Range
  iprp: Range
  ipco: Range
}

interface Range {
  start: number
  end: number
}

function propertiesOf(head: Buffer, start: number): Properties | { needBytes: number } | undefined {
  let range: Range = { start, end: Number.POSITIVE_INFINITY }
  const ranges: Range[] = []
  for (const type of path) {
    const box = findBox(head, range, type)
    if (box === undefined || 'needBytes' in box) return box
    if (box.end > head.length) return { needBytes: box.end }
    // `meta` is a full box, which begins with version and flags.
    range = { start: box.start + (type === 'meta' ? 4 : 0), end: box.end }
    ranges.push(range)
  }
  const [meta, iprp, ipco] = ranges
  return meta && iprp && ipco && { meta, iprp, ipco }
}

/** Returns the size, and `turn`, the number of counter-clockwise quarter turns. */
function sizeAndTurn(head: Buffer, { meta, iprp, ipco }: Properties): { width: number; height: number; turn: number } {
  let best = { width: 0, height: 0 }
  const turns = new Map<number, number>()
  for (let at = ipco.start, index = 1; index <= maxBoxes; index++) {
    const box = boxAt(head, at)
    if (box === undefined || box.end > ipco.end) break
    if (box.type === 'ispe' && box.end - box.start >= 12) {
      const size = { width: head.readUInt32BE(box.start + 4), height: head.readUInt32BE(box.start + 8) }
      if (size.width * size.height > best.width * best.height) best = size
    }
    if (box.type === 'irot' && box.end > box.start) turns.set(index, head.readUInt8(box.start) & 3)
    at = box.end
  }
  const own = turns.size === 0 ? [] : propertiesOfPrimary(head, meta, iprp)
  return { ...best, turn: own.map(index => turns.get(index)).find(turn => turn !== undefined) ?? 0 }
}

/** Returns the numbers of the properties of the primary item, from 1, as `ipma` lists them
 *  (ISO/IEC 14496-12, 8.11.14); empty when they cannot be read. */
function propertiesOfPrimary(head: Buffer, meta: Range, iprp: Range): number[] {
  const pitm = findBox(head, meta, 'pitm')
  const ipma = findBox(head, iprp, 'ipma')
  if (!pitm || !ipma || 'needBytes' in pitm || 'needBytes' in ipma || ipma.end - ipma.start < 8) return []
  const pitmBytes = pitm.end - pitm.start
  const isShort = pitmBytes > 0 && head.readUInt8(pitm.start) === 0
  if (pitmBytes < (isShort ? 6 : 8)) return []
  const primary = head.readUIntBE(pitm.start + 4, isShort ? 2 : 4)
  const idBytes = head.readUInt8(ipma.start) < 1 ? 2 : 4
  const indexBytes = (head.readUInt8(ipma.start + 3) & 1) === 1 ? 2 : 1
  for (let at = ipma.start + 8; at + idBytes + 1 <= ipma.end; ) {
    const id = head.readUIntBE(at, idBytes)
    const count = head.readUInt8(at + idBytes)
    const first = at + idBytes + 1
    at = first + count * indexBytes
    if (at > ipma.end) return []
    // The highest bit marks the property as essential.
    const mask = indexBytes === 2 ? 0x7fff : 0x7f
    if (id === primary) return Array.from({ length: count }, (_, n) => head.readUIntBE(first + n * indexBytes, indexBytes) & mask)
  }
  return []
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

/** Returns the box at an offset; its contents may lie outside the given bytes. Undefined for an
 *  impossible size. */
function boxAt(head: Buffer, at: number): Box | undefined {
  if (at + 8 > head.length) return undefined
  const size = head.readUInt32BE(at)
  const type = head.toString('latin1', at + 4, at + 8)
  if (size >= 8) return { type, start: at + 8, end: at + size }
  if (size !== 1 || at + 16 > head.length) return undefined
  const large = Number(head.readBigUInt64BE(at + 8))
  return large >= 16 ? { type, start: at + 16, end: at + large } : undefined
}
