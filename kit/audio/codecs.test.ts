import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, mock, test } from 'node:test'
import type { SoundFormat } from '../requests/speech.ts'
import { programsOn } from '../testing/programs-on.ts'
import { until } from '../testing/until.ts'
import { decodeVideoSound } from '../video/decode.ts'
import { decodeSound, readSamples } from './decode.ts'
import { encodeSound } from './encode.ts'
import { runFfmpeg } from './ffmpeg.ts'
import { samplesOf } from './pcm.ts'

const rate = 24_000
const signal = new AbortController().signal
let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-codecs-'))
})
after(() => rm(folder, { recursive: true }))

async function* tone(seconds: number, hertz = 440): AsyncGenerator<Float32Array> {
  const part = rate / 10
  for (let done = 0; done < seconds * rate; done += part)
    yield Float32Array.from({ length: part }, (_, index) => 0.5 * Math.sin((2 * Math.PI * hertz * (done + index)) / rate))
}

async function encoded(format: SoundFormat, samples = tone(2)): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of encodeSound(samples, { sampleRate: rate, format, signal })) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Returns the frequency of a pure tone in Hz, from its zero crossings. */
function hertzOf(samples: Float32Array, sampleRate: number): number {
  let crossings = 0
  for (let index = 1; index < samples.length; index++) if ((samples[index - 1] ?? 0) < 0 && (samples[index] ?? 0) >= 0) crossings++
  return (crossings * sampleRate) / samples.length
}

async function assertTone(path: string, { seconds = 2, tolerance = 0.08, level = 0.5 } = {}): Promise<void> {
  const sound = await decodeSound(path, { scratch: folder, sampleRate: 16_000, channels: 'mixed', signal })
  assert.ok(Math.abs(sound.seconds - seconds) < tolerance, `${path}: ${sound.seconds} s`)
  const samples = await readSamples(sound.channels[0]?.path ?? '', { from: 4000, count: 16_000 })
  assert.ok(Math.abs(hertzOf(samples, 16_000) - 440) < 3, `${path}: ${hertzOf(samples, 16_000)} Hz`)
  const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
  assert.ok(Math.abs(peak - level) < 0.06, `${path}: peak ${peak}`)
}

for (const container of ['mp3', 'opus', 'aac', 'm4a', 'flac', 'wav'] as const) {
  test(`a tone survives encoding and decoding as ${container}`, async () => {
    const path = join(folder, `tone.${container}`)
    await writeFile(path, await encoded({ container }))
    await assertTone(path)
  })
}

test('raw formats have the number of bytes that their rate determines, and contain the tone', async () => {
  const pcm = await encoded({ container: 'pcm' })
  assert.equal(pcm.length, 2 * rate * 2)
  assert.ok(Math.abs(hertzOf(samplesOf(pcm), rate) - 440) < 2)
  const resampled = await encoded({ container: 'pcm', sampleRate: 16_000 })
  assert.ok(Math.abs(resampled.length - 2 * 16_000 * 2) < 200)
  assert.ok(Math.abs(hertzOf(samplesOf(resampled), 16_000) - 440) < 2)
})

for (const [container, codec] of [
  ['ulaw', 'mulaw'],
  ['alaw', 'alaw'],
] as const) {
  test(`ffmpeg can read our ${container}`, async () => {
    const raw = join(folder, `tone.${container}`)
    await writeFile(raw, await encoded({ container }))
    const wav = join(folder, `${container}.wav`)
    await runFfmpeg(['-y', '-f', codec, '-ar', String(rate), '-i', `file:${raw}`, '-f', 'wav', `file:${wav}`])
    await assertTone(wav)
  })
}

test('the first bytes are available long before the last samples', async () => {
  let given = 0
  async function* slow(): AsyncGenerator<Float32Array> {
    for await (const part of tone(30)) {
      given++
      yield part
    }
  }
  for (const container of ['wav', 'mp3', 'aac'] as const) {
    given = 0
    for await (const chunk of encodeSound(slow(), { sampleRate: rate, format: { container }, signal })) {
      assert.ok(chunk.length > 0)
      break
    }
    assert.ok(given < 200, `${container}: ${given} of 300 parts were given before the first byte`)
  }
})

test('an error of the samples ends the encoding with this error, and an abort ends the encoder', async () => {
  async function* broken(): AsyncGenerator<Float32Array> {
    yield new Float32Array(4800)
    throw new RangeError('the voice broke')
  }
  for (const container of ['pcm', 'mp3'] as const) await assert.rejects(encoded({ container }, broken()), /the voice broke/)
  const stop = new AbortController()
  async function* endless(): AsyncGenerator<Float32Array> {
    for (;;) yield new Float32Array(4800)
  }
  await assert.rejects(async () => {
    for await (const _ of encodeSound(endless(), { sampleRate: rate, format: { container: 'mp3' }, signal: stop.signal }))
      stop.abort(new Error('left'))
  }, /left/)
})

for (const [name, codecs] of [
  ['film.mp4', ['-c:v', 'mpeg4', '-c:a', 'aac']],
  ['film.webm', ['-c:v', 'libvpx', '-c:a', 'libopus']],
] as const) {
  test(`the sound of ${name} is decoded, whatever picture it has`, async () => {
    const path = join(folder, name)
    const [picture, sound] = ['color=s=32x32:r=5:d=2', 'sine=440:duration=2']
    await runFfmpeg(['-y', '-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', sound, '-shortest', ...codecs, `file:${path}`])
    await assertTone(path, { level: 0.125, tolerance: 0.15 })
  })
}

test('sound that begins after the picture keeps its place in the film', async () => {
  const path = join(folder, 'late.mp4')
  const [picture, sound] = ['color=s=32x32:r=5:d=3', 'sine=440:duration=1']
  const inputs = ['-f', 'lavfi', '-i', picture, '-itsoffset', '2', '-f', 'lavfi', '-i', sound]
  await runFfmpeg(['-y', ...inputs, '-c:v', 'mpeg4', '-c:a', 'aac', `file:${path}`], { fileBytes: 2 ** 20 })
  for (const channels of ['mixed', 'separate'] as const) {
    const decoded = await decodeSound(path, { scratch: folder, sampleRate: 16_000, channels, signal })
    const samples = await readSamples(decoded.channels[0]?.path ?? '', { from: 0, count: 48_000 })
    assert.ok(Math.abs(firstHeard(samples) - 2 * 16_000) < 800, `${channels}: heard from sample ${firstHeard(samples)} on`)
    assert.ok(Math.abs(decoded.seconds - 3) < 0.1, `${decoded.seconds} s`)
  }
  const raw = join(folder, 'late.f32')
  assert.ok(await decodeVideoSound(path, { to: raw, seconds: 10, signal }))
  const { buffer, byteOffset, length } = await readFile(raw)
  const stereo = new Float32Array(buffer, byteOffset, Math.floor(length / 4))
  assert.ok(Math.abs(firstHeard(stereo) - 2 * 96_000) < 4_800, `heard from sample ${firstHeard(stereo)} on`)
})

for (const container of ['mp4', 'mkv']) {
  test(`a silent sound track before others does not hide them in ${container}`, async () => {
    const sources = ['anullsrc=r=48000:cl=stereo:d=2', 'anullsrc=r=16000:cl=mono:d=2', 'sine=440:duration=2']
    for (const channels of ['mixed', 'separate'] as const) {
      const seen = []
      for (const kept of [sources, sources.slice(0, 2)]) {
        const path = join(folder, `tracks-${kept.length}.${container}`)
        const [inputs, maps] = [kept.flatMap(each => ['-f', 'lavfi', '-i', each]), kept.flatMap((_, index) => ['-map', `${index}:a`])]
        await runFfmpeg(['-y', ...inputs, ...maps, '-c:a', 'aac', `file:${path}`], { fileBytes: 2 ** 20, memoryBytes: 4 * 2 ** 30 })
        const decoded = await decodeSound(path, { scratch: folder, sampleRate: 16_000, channels, signal })
        seen.push(firstHeard(await readSamples(decoded.channels[0]?.path ?? '', { from: 0, count: 16_000 })) >= 0)
        assert.ok(Math.abs(decoded.seconds - 2) < 0.1, `${decoded.seconds} s`)
      }
      assert.deepEqual(seen, [true, false], channels)
    }
  })
}

const firstHeard = (samples: Float32Array): number => samples.findIndex(sample => Math.abs(sample) > 0.05)

test('channels are decoded separately, and only the beginning is read on request', async () => {
  const path = join(folder, 'stereo.ogg')
  await runFfmpeg([
    '-y',
    '-f',
    'lavfi',
    '-i',
    'sine=440:duration=3',
    '-f',
    'lavfi',
    '-i',
    'sine=880:duration=3',
    '-filter_complex',
    'amerge=inputs=2',
    '-c:a',
    'libvorbis',
    `file:${path}`,
  ])
  const { channels } = await decodeSound(path, { scratch: folder, sampleRate: 16_000, channels: 'separate', signal })
  const heard = await Promise.all(
    channels.map(async each => Math.round(hertzOf(await readSamples(each.path, { from: 8000, count: 16_000 }), 16_000))),
  )
  assert.ok(
    heard.every((hertz, index) => Math.abs(hertz - 440 * (index + 1)) < 3),
    heard.join(),
  )
  const begun = await decodeSound(path, { scratch: folder, sampleRate: 16_000, channels: 'mixed', firstSeconds: 1.5, signal })
  assert.equal(begun.seconds, 1.5)
})

test('a file that is no sound is refused with its field', async () => {
  const contents: Record<string, Buffer> = {
    'text.mp3': Buffer.from('this is a letter, no sound\n'.repeat(99)),
    'empty.wav': Buffer.alloc(0),
    'noise.bin': Buffer.alloc(5000, 7),
  }
  for (const [name, bytes] of Object.entries(contents)) {
    const path = join(folder, name)
    await writeFile(path, bytes)
    await assert.rejects(decodeSound(path, { scratch: folder, sampleRate: 16_000, channels: 'mixed', signal }), {
      name: 'GatewayError',
      code: 'invalid_request',
      field: 'audio',
    })
  }
})

test('a playlist cannot make ffmpeg read other files', async () => {
  const path = join(folder, 'list.m3u8')
  const other = join(folder, 'other.ts')
  await runFfmpeg(['-y', '-f', 'lavfi', '-i', 'sine=440:duration=2', '-c:a', 'aac', '-f', 'mpegts', `file:${other}`])
  await writeFile(path, `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n${other}\n#EXT-X-ENDLIST\n`)
  await assert.rejects(decodeSound(path, { scratch: folder, sampleRate: 16_000, channels: 'mixed', signal }), { code: 'invalid_request' })
})

test('a decoder that is killed from outside returns no shortened recording', async () => {
  const path = join(folder, 'long.flac')
  await runFfmpeg(['-y', '-f', 'lavfi', '-i', 'sine=440:duration=1200', `file:${path}`])
  const decoding = decodeSound(path, { scratch: folder, sampleRate: 48_000, channels: 'mixed', signal, name: 'ended' })
  const child = await until(() => programsOn(path)[0], 'the decoder')
  process.kill(child, 'SIGKILL')
  await assert.rejects(decoding, { name: 'GatewayError', code: 'internal_error' })
})

test('time in which decoding is paused for other work does not count', async () => {
  const path = join(folder, 'paused.flac')
  await runFfmpeg(['-y', '-f', 'lavfi', '-i', 'sine=440:duration=120', `file:${path}`])
  const [paused, others] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const giveWay = (): Promise<void> => {
    paused.resolve()
    return others.promise
  }
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const decoding = decodeSound(path, { scratch: folder, sampleRate: 16_000, channels: 'mixed', signal, name: 'paused', giveWay })
    await paused.promise
    mock.timers.tick(3_600_000)
    others.resolve()
    assert.ok(Math.abs((await decoding).seconds - 120) < 0.1)
  } finally {
    mock.timers.reset()
  }
})

test('a recording with many channels is refused before it fills the disk', async () => {
  const path = join(folder, 'many.wav')
  await runFfmpeg(['-y', '-f', 'lavfi', '-i', 'anullsrc=cl=hexadecagonal:r=8000', '-t', '2', `file:${path}`])
  await assert.rejects(decodeSound(path, { scratch: folder, sampleRate: 16_000, channels: 'separate', signal }), {
    code: 'invalid_request',
    message: /16 channels; at most 8/,
  })
})
