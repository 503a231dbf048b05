/** Reads headers of FLAC, and of AAC in ADTS frames. The number of steps is bounded by the length
 *  of the file, which is read at most once. Nothing is decoded. */
import type { FileHandle } from 'node:fs/promises'
import { bytesAt } from '../bytes-at.ts'
import type { SoundHeader } from './sound-header-result.ts'

/** Bytes of a FLAC from its beginning to the end of the first block. */
export const flacBytes = 42

/** Returns the header from the first block, which must be STREAMINFO (RFC 9639, section 8.2).
 *  Undefined for any other file, and when the block does not state the length of the sound.
 *  Reads 42 bytes. `head` begins behind the ID3v2 tag that some programs write before the file. */
export function flacOf(head: Buffer): SoundHeader | undefined {
  if (head.toString('latin1', 0, 4) !== 'fLaC' || head.length < flacBytes || (head.readUInt8(4) & 0x7f) !== 0) return undefined
  const rate = head.readUIntBE(18, 3) >> 4
  const channels = ((head.readUInt8(20) >> 1) & 7) + 1
  const samples = (head.readUInt8(21) & 0xf) * 2 ** 32 + head.readUInt32BE(22)
  return rate === 0 || samples === 0 ? undefined : { mediaType: 'audio/flac', durationSeconds: samples / rate, channels }
}

/** Sampling frequencies of MPEG-4 audio, Hz (ISO/IEC 14496-3, table 1.18). */
const rates = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350]
const headerBytes = 7
const blockBytes = 2 ** 20

interface Frame {
  bytes: number
  seconds: number
  channels: number
}

/** Returns the media type, duration and channels of an ADTS file (ISO/IEC 13818-7, 6.2). Reads the
 *  header of every frame; where no frame begins, it searches byte by byte for the next one. Returns
 *  undefined unless the file begins, after an optional ID3v2 tag, with two adjacent frames. */
export async function adtsOf(file: FileHandle, head: Buffer): Promise<SoundHeader | undefined> {
  const start = tagBytes(head)
  const first = start === 0 ? frameAt(head, 0) : frameAt(await bytesAt(file, start, headerBytes), 0)
  if (!first || !frameAt(await bytesAt(file, start + first.bytes, headerBytes), 0)) return undefined
  const { size } = await file.stat()
  let durationSeconds = 0
  for (let at = start; at < size; ) {
    const block = await bytesAt(file, at, blockBytes)
    let inside = 0
    while (inside + headerBytes <= block.length) {
      const frame = frameAt(block, inside)
      // Where no frame begins, one damaged byte is skipped.
      inside += frame?.bytes ?? 1
      durationSeconds += frame?.seconds ?? 0
    }
    if (block.length < blockBytes) break
    at += inside
  }
  return { mediaType: 'audio/aac', durationSeconds, ...(first.channels > 0 ? { channels: first.channels } : {}) }
}

function frameAt(bytes: Buffer, at: number): Frame | undefined {
  if (at + headerBytes > bytes.length || (bytes.readUInt16BE(at) & 0xfff6) !== 0xfff0) return undefined
  const rate = rates[(bytes.readUInt8(at + 2) >> 2) & 0xf]
  const length = ((bytes.readUInt8(at + 3) & 3) << 11) | (bytes.readUInt8(at + 4) << 3) | (bytes.readUInt8(at + 5) >> 5)
  if (rate === undefined || length < headerBytes) return undefined
  const blocks = (bytes.readUInt8(at + 6) & 3) + 1
  const layout = ((bytes.readUInt8(at + 2) & 1) << 2) | (bytes.readUInt8(at + 3) >> 6)
  return { bytes: length, seconds: (blocks * 1024) / rate, channels: layout === 7 ? 8 : layout }
}

/** Returns the length of an ID3v2 tag at the beginning, in bytes; 0 without a tag. Its size field
 *  has 7 bits per byte. */
export function tagBytes(head: Buffer): number {
  if (head.toString('latin1', 0, 3) !== 'ID3' || head.length < 10) return 0
  return [6, 7, 8, 9].reduce((size, at) => size * 128 + (head.readUInt8(at) & 0x7f), 0) + 10
}
