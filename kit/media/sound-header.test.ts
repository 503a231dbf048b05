import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { runFfmpeg } from '../audio/ffmpeg.ts'
import { readMediaFile } from './media-header.ts'

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-sounds-'))
})
after(() => rm(folder, { recursive: true }))

/** Sounds to read: name, ffmpeg arguments and expected media type. With `made` instead of
 *  arguments, the file is taken from `testing/`, because not every ffmpeg can encode it. */
const sounds: [name: string, args: string[] | 'made', mediaType: string][] = [
  ['pcm.wav', [], 'audio/wav'],
  ['alaw.wav', ['-c:a', 'pcm_alaw'], 'audio/wav'],
  ['mulaw.wav', ['-c:a', 'pcm_mulaw'], 'audio/wav'],
  ['a.mp3', [], 'audio/mpeg'],
  ['a.mpga', ['-c:a', 'mp2', '-f', 'mp2'], 'audio/mpeg'],
  ['a.mpeg', ['-c:a', 'mp2', '-f', 'mpeg'], 'audio/mpeg'],
  ['a.m4a', [], 'audio/mp4'],
  ['a.mp4', [], 'audio/mp4'],
  ['opus.ogg', ['-c:a', 'libopus'], 'audio/ogg'],
  ['vorbis.ogg', ['-c:a', 'libvorbis'], 'audio/ogg'],
  ['flac.ogg', ['-c:a', 'flac'], 'audio/ogg'],
  ['speex.ogg', 'made', 'audio/ogg'],
  ['a.flac', [], 'audio/flac'],
  ['a.webm', ['-c:a', 'libopus'], 'audio/webm'],
  ['a.wma', ['-c:a', 'wmav2'], 'audio/x-ms-wma'],
  ['a.aac', [], 'audio/aac'],
  ['narrow.amr', 'made', 'audio/amr'],
  ['wide.amr', 'made', 'audio/amr-wb'],
]

async function make(name: string, args: readonly string[] | 'made'): Promise<string> {
  if (args === 'made') return join(import.meta.dirname, 'testing', name)
  const path = join(folder, name)
  await runFfmpeg(['-y', '-f', 'lavfi', '-i', 'sine=440:duration=3', '-ac', '1', ...args, `file:${path}`])
  return path
}

for (const [name, args, mediaType] of sounds) {
  test(`${name}: type and length are read, whatever the file name, and no beginning of the file causes an error`, async () => {
    const path = await make(name, args)
    const bytes = await readFile(path)
    const renamed = join(folder, `${name}.txt`)
    await writeFile(renamed, bytes)
    const facts = await readMediaFile(renamed)
    assert.equal(facts?.mediaType, mediaType)
    assert.ok(Math.abs((facts.durationSeconds ?? 0) - 3) < 0.1, `${facts.durationSeconds} s`)
    for (const kept of [0, 1, 7, 12, 30, 70, 200, Math.floor(bytes.length / 2)]) {
      await writeFile(renamed, bytes.subarray(0, kept))
      const cut = await readMediaFile(renamed)
      assert.ok(cut === undefined || cut.durationSeconds === undefined || Number.isFinite(cut.durationSeconds), `${kept} bytes`)
    }
  })
}

test('headers with false values are read in bounded time', async () => {
  const path = join(folder, 'lie')
  const wav = await readFile(await make('lie.wav', []))
  wav.writeUInt32LE(0xffff_ffff, 4)
  wav.writeUInt32LE(0xffff_fff0, wav.indexOf('data') + 4)
  const asf = await readFile(await make('lie.wma', ['-c:a', 'wmav2']))
  asf.writeBigUInt64LE(24n, 46)
  const zeros = Buffer.concat([Buffer.from('#!AMR\n'), Buffer.alloc(4_000_000, 0x78)])
  const ogg = Buffer.concat([Buffer.from('OggS'), Buffer.alloc(4_000_000, 'OggS')])
  for (const bytes of [wav, asf, zeros, ogg]) {
    await writeFile(path, bytes)
    const start = process.cpuUsage()
    await readMediaFile(path)
    const { user, system } = process.cpuUsage(start)
    assert.ok(user + system < 1_000_000, `${(user + system) / 1000} ms of CPU`)
  }
})

/** Frames of AMR by type (RFC 4867, section 5): the number of bytes of each, including the type
 *  byte, copied by hand from the tables of the document. */
const amrFrames = [
  ['#!AMR\n', 'audio/amr', [13, 14, 16, 18, 20, 21, 27, 32, 6, 1, 1, 1, 1, 1, 1, 1]],
  ['#!AMR-WB\n', 'audio/amr-wb', [18, 24, 33, 37, 41, 47, 51, 59, 61, 6, 1, 1, 1, 1, 1, 1]],
] as const

test('every frame of AMR lasts 20 ms, whatever its type and size', async () => {
  for (const [magic, mediaType, sizes] of amrFrames) {
    const path = join(folder, 'frames.amr')
    for (const [type, size] of sizes.entries()) {
      const frame = Buffer.alloc(size, type << 3)
      await writeFile(path, Buffer.concat([Buffer.from(magic), ...Array<Buffer>(50).fill(frame)]))
      assert.deepEqual(await readMediaFile(path), { mediaType, durationSeconds: 1 }, `${mediaType} of type ${type}`)
    }
  }
})

test('a FLAC behind an ID3v2 tag with a large picture is a FLAC', async () => {
  const plain = join(folder, 'untagged.flac')
  await runFfmpeg(['-y', '-f', 'lavfi', '-i', 'sine=440:duration=2', `file:${plain}`], { fileBytes: 2 ** 20 })
  const pictureBytes = 100 * 1024
  const tag = Buffer.alloc(10 + pictureBytes)
  tag.write('ID3\x03', 'latin1')
  for (let index = 0; index < 4; index++) tag[6 + index] = (pictureBytes >> (7 * (3 - index))) & 0x7f
  const path = join(folder, 'tagged.flac')
  await writeFile(path, Buffer.concat([tag, await readFile(plain)]))
  assert.deepEqual(await readMediaFile(path), { mediaType: 'audio/flac', durationSeconds: 2, channels: 1 })
})

test('AAC has 1,024 samples a frame at each of the 13 rates', async () => {
  const rates = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350]
  const path = join(folder, 'frames.aac')
  for (const [index, rate] of rates.entries()) {
    // The frame has two channels and 20 bytes.
    const frame = Buffer.from(`fff1${(0x40 | (index << 2)).toString(16).padStart(2, '0')}80029ffc${'00'.repeat(13)}`, 'hex')
    await writeFile(path, Buffer.concat(Array<Buffer>(10).fill(frame)))
    const facts = await readMediaFile(path)
    assert.deepEqual([facts?.mediaType, facts?.channels], ['audio/aac', 2])
    assert.ok(Math.abs((facts?.durationSeconds ?? 0) - (10 * 1024) / rate) < 1e-9, `${rate} Hz: ${facts?.durationSeconds} s`)
  }
})
