import type { HeaderResult } from './image-header-result.ts'
import { readExifOrientation } from './image-header-tiff.ts'

const pngMark = '\x89PNG\r\n\x1a\n'

/** Reads a PNG. IHDR must be the first chunk. Chunks before the pixels declare animation (`acTL`)
 *  and orientation (`eXIf`); they are read as far as the given bytes reach, at most one step per 12
 *  bytes. */
export function readPng(head: Buffer): HeaderResult {
  if (head.length < 24 || head.toString('latin1', 0, 8) !== pngMark) return undefined
  if (head.readUInt32BE(8) !== 13 || head.toString('latin1', 12, 16) !== 'IHDR') return undefined
  const header: HeaderResult = { mediaType: 'image/png', width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
  let at = 33
  while (at + 8 <= head.length) {
    const length = head.readUInt32BE(at)
    const type = head.toString('latin1', at + 4, at + 8)
    if (type === 'IDAT' || type === 'IEND') break
    if (type === 'acTL') header.animated = true
    if (type === 'eXIf' && at + 8 + length <= head.length) {
      const orientation = readExifOrientation(head.subarray(at + 8, at + 8 + length))
      if (orientation !== undefined) header.orientation = orientation
    }
    at += 12 + length
  }
  return header
}

/** Reads a GIF. The size is that of the logical screen; a loop extension or a second frame within
 *  the given bytes makes it animated. Takes at most one step per byte. */
export function readGif(head: Buffer): HeaderResult {
  const mark = head.toString('latin1', 0, 6)
  if (head.length < 13 || (mark !== 'GIF87a' && mark !== 'GIF89a')) return undefined
  const header: HeaderResult = { mediaType: 'image/gif', width: head.readUInt16LE(6), height: head.readUInt16LE(8) }
  if (isAnimatedGif(head)) header.animated = true
  return header
}

function isAnimatedGif(head: Buffer): boolean {
  let at = 13 + colourTableBytes(head[10]!)
  let frames = 0
  while (at < head.length) {
    const block = head[at]
    if (block === 0x21) {
      if (head.toString('latin1', at + 2, at + 14) === '\x0bNETSCAPE2.0') return true
      at = skipSubBlocks(head, at + 2)
    } else if (block === 0x2c && at + 10 <= head.length) {
      frames += 1
      if (frames === 2) return true
      at = skipSubBlocks(head, at + 11 + colourTableBytes(head[at + 9]!))
    } else return false
  }
  return false
}

function colourTableBytes(packed: number): number {
  return (packed & 0x80) === 0 ? 0 : 3 * 2 ** ((packed & 7) + 1)
}

function skipSubBlocks(head: Buffer, start: number): number {
  let at = start
  for (let length = head[at]; length !== undefined && length > 0; length = head[at]) at += 1 + length
  return at + 1
}
