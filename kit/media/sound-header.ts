/** Reads type and length of sound files: WMA (ASF), AMR, MIDI, FLAC, AAC, and Ogg with any codec.
 *  Nothing is decoded, and the work is bounded: at most 64 KiB are read of a WMA, 192 KiB of an
 *  Ogg, and 2 MiB of a MIDI file with one step per event. An AMR or AAC file is read whole, with
 *  one step per frame. */
import { type FileHandle, open } from 'node:fs/promises'
import { bytesAt } from '../bytes-at.ts'
import { adtsOf, flacBytes, flacOf, tagBytes } from './flac-aac-header.ts'
import { midiSeconds, mostMidiBytes } from './midi-header.ts'
import type { SoundHeader } from './sound-header-result.ts'

/** Returns type and length of the file; undefined for another type of file, and for one whose
 *  length field is damaged. Throws the errors of the file system. */
export async function readSoundFile(path: string): Promise<SoundHeader | undefined> {
  await using file = await open(path, 'r')
  const head = await bytesAt(file, 0, 64 * 1024)
  if (head.subarray(0, 16).equals(asfHeader)) return asfOf(head)
  if (head.toString('latin1', 0, 6) === '#!AMR\n') return await amrOf(file, { start: 6, sizes: narrowFrames, mediaType: 'audio/amr' })
  if (head.toString('latin1', 0, 9) === '#!AMR-WB\n') return await amrOf(file, { start: 9, sizes: wideFrames, mediaType: 'audio/amr-wb' })
  if (head.toString('latin1', 0, 4) === 'MThd') return await midiOf(file)
  const start = tagBytes(head)
  return flacOf(start === 0 ? head : await bytesAt(file, start, flacBytes)) ?? (await adtsOf(file, head))
}

/** Returns type and length of an Ogg file, for any codec; undefined as for `readSoundFile`. */
export async function readOggFile(path: string): Promise<SoundHeader | undefined> {
  await using file = await open(path, 'r')
  const head = await bytesAt(file, 0, 64 * 1024)
  return head.toString('latin1', 0, 4) === 'OggS' ? await oggOf(file, head) : undefined
}

/** Id of the header object. A file in the Advanced Systems Format (sections 3.1 to 3.3) is a list
 *  of objects: a GUID, a size and data. */
const asfHeader = Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex')
const asfFile = 'a1dcab8c47a9cf118ee400c00c205365'
const asfStream = '9107dcb7b7a9cf118ee600c00c205365'
const asfVideo = 'c0ef19bc4d5bcf11a8fd00805f5c442b'

function asfOf(head: Buffer): SoundHeader | undefined {
  let seconds: number | undefined
  let hasVideo = false
  for (let at = 30; at + 24 <= head.length; ) {
    const size = Number(head.readBigUInt64LE(at + 16))
    const id = head.toString('hex', at, at + 16)
    if (id === asfFile && at + 88 <= head.length) {
      // The length, in units of 100 ns, includes the preroll (in ms). The preroll is the time that
      // players wait before they start, so it is subtracted.
      seconds = Number(head.readBigUInt64LE(at + 64)) / 1e7 - Number(head.readBigUInt64LE(at + 80)) / 1000
    }
    if (id === asfStream && at + 40 <= head.length) hasVideo ||= head.toString('hex', at + 24, at + 40) === asfVideo
    if (size < 24) break
    at += size
  }
  if (seconds === undefined || !(seconds >= 0)) return undefined
  return { mediaType: hasVideo ? 'video/x-ms-asf' : 'audio/x-ms-wma', durationSeconds: seconds }
}

/** Bytes of a 20 ms AMR frame by its type, including the type byte (RFC 4867, section 5). */
const narrowFrames = [13, 14, 16, 18, 20, 21, 27, 32, 6, 1, 1, 1, 1, 1, 1, 1]
const wideFrames = [18, 24, 33, 37, 41, 47, 51, 59, 61, 6, 1, 1, 1, 1, 1, 1]

async function amrOf(
  file: FileHandle,
  { start, sizes, mediaType }: { start: number; sizes: readonly number[]; mediaType: string },
): Promise<SoundHeader> {
  const { size } = await file.stat()
  const atOnce = 1 << 20
  let frames = 0
  for (let at = start; at < size; ) {
    const block = await bytesAt(file, at, atOnce)
    if (block.length === 0) break
    let inside = 0
    for (; inside < block.length; frames++) inside += sizes[((block[inside] ?? 0) >> 3) & 15] ?? 1
    at += inside
  }
  return { mediaType, durationSeconds: frames / 50 }
}

async function midiOf(file: FileHandle): Promise<SoundHeader | undefined> {
  const { size } = await file.stat()
  const durationSeconds = size > mostMidiBytes ? undefined : midiSeconds(await bytesAt(file, 0, size))
  return durationSeconds === undefined ? undefined : { mediaType: 'audio/midi', durationSeconds }
}

/** Reads an Ogg file. The length of the sound is the position that the last page states (RFC 3533),
 *  in units that the codec's first packet defines. */
async function oggOf(file: FileHandle, head: Buffer): Promise<SoundHeader | undefined> {
  const packet = head.subarray(27 + (head[26] ?? 0))
  const begins = (text: string, at = 0) => packet.toString('latin1', at, at + text.length) === text
  let rate = 0
  let skipped = 0
  if (packet.length < 48) return undefined
  if (begins('OpusHead')) [rate, skipped] = [48_000, packet.readUInt16LE(10)]
  else if (begins('vorbis', 1)) rate = packet.readUInt32LE(12)
  else if (begins('Speex   ')) rate = packet.readUInt32LE(36)
  else if (begins('FLAC', 1)) rate = packet.readUIntBE(27, 3) >> 4
  const { size } = await file.stat()
  const serial = head.readUInt32LE(14)
  const last = await lastPosition(file, { size, serial })
  if (rate === 0 || last === undefined) return undefined
  return { mediaType: 'audio/ogg', durationSeconds: Math.max(0, last - skipped) / rate }
}

/** Number of bytes to read from the end of the file; a page has at most 65,307 bytes. */
const tailBytes = 2 * 65_307
const pageMark = Buffer.from('OggS')

async function lastPosition(file: FileHandle, { size, serial }: { size: number; serial: number }): Promise<number | undefined> {
  const tail = await bytesAt(file, Math.max(0, size - tailBytes), tailBytes)
  for (let at = tail.lastIndexOf(pageMark); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf(pageMark, at - 1)) {
    if (at + 27 > tail.length || tail.readUInt32LE(at + 14) !== serial) continue
    const position = tail.readBigInt64LE(at + 6)
    // A position of -1 means that no packet ends on this page.
    if (position >= 0n) return Number(position)
  }
  return undefined
}
