/** Prepares the input from which ffmpeg reads a sound file: the file itself, or, for a WAV in
 *  which ffmpeg would not find the sound, the repaired WAV through standard input. */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { bytesAt } from '../bytes-at.ts'

interface SoundInput {
  /** ffmpeg arguments that name the input. */
  args: string[]
  /** Writes the input to the process's standard input and closes it. Never throws: a process that
   *  ends early shows that by its exit code. */
  feed(stdin: Writable): void
}

/** Returns the input for a sound file. Two kinds of file need help. Some old editors write a `LIST`
 *  chunk of odd length before the sound and omit the pad byte that must follow it; such a WAV gets
 *  a new header. In a RIFX, the big-endian form of WAV, ffmpeg treats only the header as
 *  big-endian, so the arguments name a big-endian decoder for the samples. */
export async function soundInput(path: string): Promise<SoundInput> {
  const wav = await unpaddedWav(path)
  if (!wav) return { args: [...(await decoderOfRifx(path)), '-i', `file:${path}`], feed: stdin => void stdin.end() }
  return {
    args: ['-f', 'wav', '-i', 'pipe:0'],
    feed: stdin => {
      stdin.write(wav.header)
      pipeline(createReadStream(path, { start: wav.soundAt }), stdin).catch(() => {})
    },
  }
}

/** Number of chunks that are read before giving up. Each takes one read of 8 bytes, and one of 5
 *  bytes when its length is odd. */
const mostChunks = 1_000
/** Largest format chunk in bytes. An extensible format has 40 bytes; ADPCM adds a few
 *  coefficients. */
const mostFormatBytes = 1_024

/** Returns the header and the position of the sound for a WAV with a missing pad byte; undefined
 *  for every other file. Reads at most 13 bytes for each of the first 1,000 chunks, and the
 *  format chunk. */
async function unpaddedWav(path: string): Promise<{ header: Buffer; soundAt: number } | undefined> {
  await using file = await open(path, 'r')
  const riff = await bytesAt(file, 0, 12)
  if (riff.toString('latin1', 0, 4) !== 'RIFF' || riff.toString('latin1', 8, 12) !== 'WAVE') return undefined
  let format: Buffer | undefined
  let isUnpadded = false
  for (let at = 12, chunks = 0; chunks < mostChunks; chunks++) {
    const head = await bytesAt(file, at, 8)
    if (head.length < 8) return undefined
    const name = head.toString('latin1', 0, 4)
    const size = head.readUInt32LE(4)
    if (name === 'data') return isUnpadded && format ? { header: headerOf(format), soundAt: at + 8 } : undefined
    if (name === 'fmt ' && size <= mostFormatBytes) format = await bytesAt(file, at + 8, size)
    at += 8 + size
    if (size % 2 === 0) continue
    // A pad byte is 0. When it is missing, the name of the next chunk begins at this place.
    const next = await bytesAt(file, at, 5)
    if (isName(next.subarray(0, 4)) && !isName(next.subarray(1, 5))) isUnpadded = true
    else at += 1
  }
  return undefined
}

/** Returns the ffmpeg arguments that name the decoder of a RIFX whose samples are PCM of more than
 *  8 bits; none for every other file. Reads the first 4,096 bytes. */
async function decoderOfRifx(path: string): Promise<string[]> {
  await using file = await open(path, 'r')
  const head = await bytesAt(file, 0, 4_096)
  const at = head.indexOf('fmt ', 12, 'latin1')
  if (head.toString('latin1', 0, 4) !== 'RIFX' || at < 0 || head.length < at + 24) return []
  const kind = { 1: 's', 3: 'f' }[head.readUInt16BE(at + 8)]
  const bits = head.readUInt16BE(at + 22)
  return kind !== undefined && [16, 24, 32, 64].includes(bits) ? ['-c:a', `pcm_${kind}${bits}be`] : []
}

const isName = (bytes: Buffer): boolean => /^[A-Za-z][A-Za-z0-9 ]{3}$/.test(bytes.toString('latin1'))

/** Returns a WAV header that declares the greatest possible sizes, so that readers read to the
 *  end of the file. */
function headerOf(format: Buffer): Buffer {
  const unknown = 0xffffffff
  const header = Buffer.alloc(20)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(unknown, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(format.length, 16)
  const data = Buffer.alloc(8)
  data.write('data', 0, 'latin1')
  data.writeUInt32LE(unknown, 4)
  return Buffer.concat([header, format, data])
}
