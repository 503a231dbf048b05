/** Tests sound files as they occur in practice: wrong sizes, text without its pad byte, damage
 *  after the sound, old codecs. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { decodeSound } from '../audio/decode.ts'
import { runFfmpeg } from '../audio/ffmpeg.ts'
import { inlineInspection } from '../testing/inline-inspection.ts'
import { askFfmpeg } from './ffmpeg-header.ts'

const rate = 16_000
const seconds = 2
const tone = Buffer.alloc(rate * seconds * 2)
for (let at = 0; at < rate * seconds; at++) tone.writeInt16LE(Math.round(8000 * Math.sin(at / 20)), at * 2)

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'odd-sound-'))
  await writeFile(join(folder, 'plain.wav'), wav({}))
})
after(() => rm(folder, { recursive: true, force: true }))

interface Odd {
  /** Sizes to write into the headers in place of the true ones. */
  riff?: number
  data?: number
  /** Chunks before and after the sound. */
  head?: Buffer
  tail?: Buffer
  format?: Buffer
  sound?: Buffer
}

function chunk(name: string, size: number, bytes: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(name, 'latin1')
  head.writeUInt32LE(size, 4)
  return Buffer.concat([head, bytes])
}

function wav({ riff, data, head = Buffer.alloc(0), tail = Buffer.alloc(0), format = pcmFormat(), sound = tone }: Odd): Buffer {
  const parts = [Buffer.from('WAVE'), chunk('fmt ', format.length, format), head, chunk('data', data ?? sound.length, sound), tail]
  const body = Buffer.concat(parts)
  return chunk('RIFF', riff ?? body.length, body)
}

function pcmFormat(): Buffer {
  const format = Buffer.alloc(16)
  for (const [index, value] of [1, 1].entries()) format.writeUInt16LE(value, index * 2)
  format.writeUInt32LE(rate, 4)
  format.writeUInt32LE(rate * 2, 8)
  format.writeUInt16LE(2, 12)
  format.writeUInt16LE(16, 14)
  return format
}

/** Returns a WAV in Microsoft GSM 06.10, where blocks of 65 bytes hold 320 samples. */
function gsm(): Buffer {
  const format = Buffer.alloc(20)
  format.writeUInt16LE(0x31, 0)
  format.writeUInt16LE(1, 2)
  format.writeUInt32LE(8_000, 4)
  format.writeUInt32LE(1_625, 8)
  format.writeUInt16LE(65, 12)
  format.writeUInt16LE(2, 16)
  format.writeUInt16LE(320, 18)
  return wav({ format, sound: Buffer.alloc(65 * 50, 0x5a) })
}

/** A LIST chunk of odd length that is followed directly by the next chunk. */
const unpadded = chunk('LIST', 17, Buffer.concat([Buffer.from('INFO'), chunk('ISFT', 5, Buffer.from('Lavf5'))]))
const files: Record<string, Buffer> = {
  'sizes of 0': wav({ riff: 0, data: 0 }),
  'a data size of 0': wav({ data: 0 }),
  'sizes of 0xffffffff': wav({ riff: 0xffffffff, data: 0xffffffff }),
  'a data size of 0xffffffff': wav({ data: 0xffffffff }),
  'a data size of 0x7ffffff0': wav({ riff: 0x7fffffff, data: 0x7ffffff0 }),
  'a RIFF size of 35': wav({ riff: 35 }),
  'a RIFF size of 36': wav({ riff: 36 }),
  'a RIFF size of 8': wav({ riff: 8 }),
  'a text without its pad byte before the sound': wav({ head: unpadded }),
  'a text without its pad byte behind it': wav({ tail: unpadded }),
  'a chunk behind it that is said to be larger than the file': wav({ tail: chunk('id3 ', 0xfffffff0, Buffer.from('zzzz')) }),
  'zeros behind it': wav({ tail: Buffer.alloc(7) }),
  GSM: gsm(),
}

async function isRead(path: string, mediaType: string): Promise<void> {
  const facts = await inlineInspection.readMedia(path)
  assert.equal(facts?.mediaType, mediaType)
  assert.ok(Math.abs((facts?.durationSeconds ?? 0) - seconds) < 0.1, `${facts?.durationSeconds} s by the header`)
  const signal = new AbortController().signal
  const sound = await decodeSound(path, { scratch: folder, sampleRate: rate, channels: 'mixed', signal })
  assert.ok(Math.abs(sound.seconds - seconds) < 0.1, `${sound.seconds} s decoded`)
}

for (const [name, bytes] of Object.entries(files))
  test(`a WAV with ${name} is read and decoded to its end`, async () => {
    const path = join(folder, 'odd.wav')
    await writeFile(path, bytes)
    await isRead(path, 'audio/wav')
  })

for (const [codec, bits] of [
  ['pcm_s16be', 16],
  ['pcm_s24be', 24],
  ['pcm_f32be', 32],
] as const)
  test(`a WAV of ${codec} in a RIFX file is read and its tone is decoded`, async () => {
    const path = join(folder, 'motorola.wav')
    const samples = join(folder, 'motorola.raw')
    await runFfmpeg(['-y', '-i', `file:${join(folder, 'plain.wav')}`, '-f', codec.slice(4), `file:${samples}`])
    const bytes = await readFile(samples)
    const header = Buffer.alloc(44)
    for (const [offset, name] of [
      [0, 'RIFX'],
      [8, 'WAVEfmt '],
      [36, 'data'],
    ] as const)
      header.write(name, offset, 'latin1')
    for (const [offset, value] of [
      [4, 36 + bytes.length],
      [16, 16],
      [24, rate],
      [28, (rate * bits) / 8],
      [40, bytes.length],
    ] as const)
      header.writeUInt32BE(value, offset)
    for (const [offset, value] of [
      [20, codec.includes('f') ? 3 : 1],
      [22, 1],
      [32, bits / 8],
      [34, bits],
    ] as const)
      header.writeUInt16BE(value, offset)
    await writeFile(path, Buffer.concat([header, bytes]))
    await isRead(path, 'audio/wav')
    const sound = await readFile(join(folder, 'sound-0.s16'))
    for (const at of [1, 1000, 20_000]) assert.ok(Math.abs(sound.readInt16LE(at * 2) - tone.readInt16LE(at * 2)) < 200, `${at}`)
  })

for (const codec of ['adpcm_ms', 'adpcm_ima_wav', 'g722', 'pcm_alaw', 'pcm_f32le', 'pcm_s24le'])
  test(`a WAV of ${codec} is read and decoded`, async () => {
    const path = join(folder, 'codec.wav')
    await runFfmpeg(['-y', '-i', `file:${join(folder, 'plain.wav')}`, '-c:a', codec, `file:${path}`])
    await isRead(path, 'audio/wav')
  })

test('an MPEG program stream has its length, its size and its frame rate', async () => {
  const path = join(folder, 'program.mpg')
  const frames = join(folder, 'frames.yuv')
  const pictures = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', '176x144', '-r', '25', '-i', `file:${frames}`]
  await writeFile(frames, Buffer.alloc(176 * 144 * 1.5 * 25 * seconds, 128))
  const codecs = ['-c:v', 'mpeg2video', '-c:a', 'mp2', '-f', 'mpeg']
  await runFfmpeg(['-y', ...pictures, '-i', `file:${join(folder, 'plain.wav')}`, ...codecs, `file:${path}`])
  await isRead(path, 'video/mpeg')
  const { width, height, framesPerSecond = 0 } = (await inlineInspection.readMedia(path)) ?? {}
  assert.deepEqual([width, height, Math.round(framesPerSecond)], [176, 144, 25])
})

test('a WAV with rate 0 is an unknown file, without an infinite length', async () => {
  const path = join(folder, 'no-rate.wav')
  for (const rates of [
    [0, 0],
    [0, rate * 2],
  ]) {
    const format = pcmFormat()
    for (const [index, value] of rates.entries()) format.writeUInt32LE(value, 4 + index * 4)
    await writeFile(path, wav({ format }))
    assert.equal(await inlineInspection.readMedia(path), undefined)
  }
})

test('a file that only begins like a WAV is an unknown file', async () => {
  const path = join(folder, 'none.wav')
  for (const bytes of [Buffer.from('RIFF\0\0\0\0WAVE'), (await readFile(join(folder, 'plain.wav'))).subarray(0, 30)]) {
    await writeFile(path, bytes)
    assert.equal(await inlineInspection.readMedia(path), undefined)
  }
})

test('a transport stream is recognised by the bytes at both ends of its first packet', async () => {
  const file = join(folder, 'tagged.mp3')
  // The title is chosen so that the byte at 188 is a G, like the first byte of each packet of a
  // transport stream.
  await runFfmpeg(['-y', '-i', join(folder, 'plain.wav'), '-metadata', `title=${'G'.repeat(300)}`, file])
  assert.equal((await readFile(file))[188], 'G'.charCodeAt(0))
  assert.equal((await askFfmpeg(file))?.mediaType, 'audio/mpeg')
})
