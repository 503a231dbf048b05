/** Tests recordings with misleading contents, or of great length. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { decodeSound, readSamples } from './decode.ts'
import { ffmpegPath } from './ffmpeg.ts'
import { wavHeader } from './pcm.ts'

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-hostile-'))
})
after(() => rm(folder, { recursive: true }))

async function decoded(name: string, bytes: Uint8Array) {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return decodeSound(path, { scratch: folder, sampleRate: 16_000, channels: 'mixed', signal: new AbortController().signal })
}

test('a zip file with the name of a recording is refused', async () => {
  const zip = Buffer.concat([Buffer.from('PK\x03\x04\x14\0\0\0\x08\0', 'latin1'), Buffer.alloc(4000, 7), Buffer.from('PK\x05\x06')])
  await assert.rejects(decoded('sound.wav', zip), { code: 'invalid_request', field: 'audio' })
})

test('a WAV that declares four gigabytes is read as far as it goes', async () => {
  const sound = Buffer.alloc(32_000, 1)
  const { seconds } = await decoded(
    'lies.wav',
    Buffer.concat([wavHeader({ sampleRate: 16_000, channels: 1, dataBytes: 2 ** 32 - 100 }), sound]),
  )
  assert.ok(Math.abs(seconds - 1) < 0.01, `${seconds} s`)
})

test('the sound of a film is decoded without decoding its picture', async () => {
  const path = join(folder, 'film.mp4')
  const film = '-f lavfi -i testsrc=size=320x180:rate=10:duration=3 -f lavfi -i sine=frequency=440:duration=3 -c:v mpeg4 -c:a aac'.split(
    ' ',
  )
  assert.equal(spawnSync(await ffmpegPath(), ['-loglevel', 'error', '-y', ...film, path]).status, 0)
  const scratch = await mkdtemp(join(folder, 'film-'))
  const { seconds, channels } = await decodeSound(path, {
    scratch,
    sampleRate: 16_000,
    channels: 'mixed',
    signal: new AbortController().signal,
  })
  assert.ok(Math.abs(seconds - 3) < 0.1, `${seconds} s`)
  const samples = await readSamples(channels[0]?.path ?? '', { from: 16_000, count: 1000 })
  assert.ok(samples.some(sample => Math.abs(sample) > 0.05))
})

test('ten minutes of AMR, 20 ms a frame, are decoded whole', async () => {
  // A valid AMR frame of 4.75 kbit/s: its type byte, and 12 bytes of speech.
  const frame = Buffer.alloc(13)
  frame[0] = 0x04
  const { seconds } = await decoded('long.amr', Buffer.concat([Buffer.from('#!AMR\n'), ...Array.from({ length: 30_000 }, () => frame)]))
  assert.ok(Math.abs(seconds - 600) < 0.5, `${seconds} s`)
})

test('45 minutes of sound are written to disk and not kept in memory', async () => {
  const rate = 8000
  const samples = Buffer.alloc(2 * rate * 45 * 60)
  const header = wavHeader({ sampleRate: rate, channels: 1, dataBytes: samples.length })
  const path = join(folder, 'long.wav')
  await writeFile(path, Buffer.concat([header, samples]))
  const before = process.memoryUsage.rss()
  const { seconds, channels } = await decodeSound(path, {
    ...{ scratch: folder, sampleRate: 16_000, channels: 'mixed', signal: new AbortController().signal },
  })
  const grown = process.memoryUsage.rss() - before
  assert.equal(Math.round(seconds), 45 * 60)
  assert.equal((await stat(channels[0]?.path ?? '')).size, 2 * 16_000 * 45 * 60)
  assert.ok(grown < 60 * 2 ** 20, `${Math.round(grown / 2 ** 20)} MiB more`)
})
