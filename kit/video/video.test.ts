import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { open, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { runFfmpeg } from '../audio/ffmpeg.ts'
import { readMediaFile } from '../media/media-header.ts'
import { programsOn } from '../testing/programs-on.ts'
import { decodeFrames, decodeInto } from './decode.ts'
import { encodeVideo } from './encode.ts'
import { makeNamedPipe } from './named-pipe.ts'
import { probeVideo } from './probe.ts'

const folder = mkdtempSync(join(tmpdir(), 'kit-video-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const { signal } = new AbortController()
const size = { width: 160, height: 90 }

/** Returns frame n of a test video: a red-to-blue ramp, and a white bar that moves to the right.
 *  The colour of every pixel can thus be predicted. */
function pattern(n: number): Uint8Array {
  const { width, height } = size
  const frame = new Uint8Array(width * height * 4)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const isBar = x >= n * 6 && x < n * 6 + 12
      frame.set(isBar ? [255, 255, 255, 255] : [200 - x, 40, 40 + x, 255], (y * width + x) * 4)
    }
  return frame
}

async function* patterns(count: number): AsyncGenerator<Uint8Array> {
  for (let n = 0; n < count; n++) yield pattern(n)
}

function meanDifference(a: Uint8Array, b: Uint8Array): number {
  return a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] ?? 0)), 0) / a.length
}

async function collect(frames: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const all: Uint8Array[] = []
  for await (const frame of frames) all.push(frame)
  return all
}

const tone = Float32Array.from({ length: 48_000 * 2 }, (_, i) => 0.3 * Math.sin((i >> 1) * 0.05))

test('a clip has exactly the given frames, size, rate, sound and colours, and its index comes first', async () => {
  const path = join(folder, 'pattern.mp4')
  const reported: number[] = []
  const made = await encodeVideo({
    ...size,
    framesPerSecond: 24,
    frames: patterns(24),
    pixels: 'rgba',
    sound: tone,
    path,
    signal,
    onFrame: n => reported.push(n),
  })
  assert.deepEqual(made, { path, frames: 24, seconds: 1 })
  assert.equal(reported.at(-1), 24)
  const facts = await probeVideo(path)
  assert.deepEqual(
    { ...facts, seconds: Math.round(facts.seconds * 1000) },
    { ...size, seconds: 1000, framesPerSecond: 24, frames: 24, hasSound: true },
  )
  const media = await readMediaFile(path)
  assert.equal(media?.mediaType, 'video/mp4')
  assert.deepEqual([media?.width, media?.height, media?.channels], [160, 90, 2])
  const bytes = await readFile(path, 'latin1')
  assert.ok(bytes.indexOf('moov') < bytes.indexOf('mdat'), 'the index comes first')
  const frames = await collect(decodeFrames(path, { ...size, signal }))
  assert.equal(frames.length, 24)
  for (const n of [0, 11, 23]) assert.ok(meanDifference(frames[n] ?? new Uint8Array(), pattern(n)) < 4, `frame ${n} is the one that came`)
})

test('one frame, or every nth frame, is decoded at another size and shape', async () => {
  const path = join(folder, 'silent.mp4')
  await encodeVideo({ ...size, framesPerSecond: 12, frames: patterns(13), pixels: 'rgba', path, signal })
  assert.equal((await probeVideo(path)).hasSound, false)
  const [first, ...none] = await collect(decodeFrames(path, { ...size, which: 'first', signal }))
  const [last] = await collect(decodeFrames(path, { ...size, which: 'last', signal }))
  assert.equal(none.length, 0)
  assert.ok(first && last && meanDifference(first, pattern(0)) < 4 && meanDifference(last, pattern(12)) < 4)
  assert.equal((await collect(decodeFrames(path, { ...size, which: { every: 4 }, signal }))).length, 4)
  assert.equal((await collect(decodeFrames(path, { ...size, framesPerSecond: 24, signal }))).length, 26)
  const [padded] = await collect(decodeFrames(path, { width: 90, height: 90, fit: 'pad', which: 'first', signal }))
  assert.deepEqual([...(padded ?? []).slice(0, 3)], [0, 0, 0])
})

test('a video with pixels that are not square is fitted by the shape in which it is shown', async () => {
  const [square, path] = [join(folder, 'square.mp4'), join(folder, 'oblong.mp4')]
  await encodeVideo({ ...size, framesPerSecond: 12, frames: patterns(2), pixels: 'rgba', path: square, signal })
  // Half as many pixels in a row, each twice as wide.
  const narrow = ['-vf', 'scale=80:90,setsar=2', '-c:v', 'mpeg4', '-q:v', '2']
  await runFfmpeg(['-y', '-i', `file:${square}`, ...narrow, `file:${path}`], { fileBytes: 2 ** 20 })
  for (const fit of ['pad', 'crop'] as const) {
    const [frame] = await collect(decodeFrames(path, { ...size, fit, which: 'first', signal }))
    assert.ok(frame && meanDifference(frame, pattern(0)) < 6, `${fit}: the whole picture, without borders`)
  }
})

test('a decoder that is killed from outside does not blame the file', { skip: process.platform !== 'linux' }, async () => {
  const path = join(folder, 'ended.mp4')
  await encodeVideo({ ...size, framesPerSecond: 12, frames: patterns(13), pixels: 'rgba', path, signal })
  // The frames are much larger than a pipe, so the decoder waits for the reader.
  const frames = decodeFrames(path, { width: 1280, height: 720, signal })
  await frames.next()
  for (const decoder of programsOn(path)) process.kill(decoder, 'SIGKILL')
  await assert.rejects(collect(frames), { name: 'GatewayError', code: 'internal_error' })
})

test('frames pass through named pipes from one process to the next', async () => {
  const [from, to, path] = [join(folder, 'in'), join(folder, 'out'), join(folder, 'piped.mp4')]
  await Promise.all([makeNamedPipe(from), makeNamedPipe(to)])
  assert.ok((await stat(to)).isFIFO())
  const write = async () => {
    await using pipe = await open(from, 'w')
    for await (const frame of patterns(6)) await pipe.write(frame)
  }
  const [made] = await Promise.all([
    encodeVideo({ ...size, framesPerSecond: 6, frames: { path: from }, pixels: 'rgba', path, signal }),
    write(),
  ])
  assert.equal(made.frames, 6)
  const [read] = await Promise.all([readFile(to), decodeInto(path, { ...size, pipe: to, signal })])
  assert.equal(read.length, 6 * 160 * 90 * 4)
})

test('odd sizes, frames of another size and files that are no video are refused, and an abort ends the encoder', async () => {
  const path = join(folder, 'refused.mp4')
  const common = { framesPerSecond: 24, pixels: 'rgba', path, signal } as const
  await assert.rejects(encodeVideo({ ...common, width: 161, height: 90, frames: patterns(1) }), /width: is 161; .*even number.*8192/)
  await assert.rejects(
    encodeVideo({ ...common, width: 320, height: 90, frames: patterns(1) }),
    /A frame has 57600 bytes; 320x90 of rgba has 115200/,
  )
  await assert.rejects(collect(decodeFrames(import.meta.filename, { ...size, signal })), /base: cannot be decoded/)
  await assert.rejects(probeVideo(import.meta.filename), /no MP4 or MOV/)
  const stop = new AbortController()
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (let n = 0; ; n++) {
      if (n === 5) stop.abort(new Error('enough'))
      yield pattern(n % 20)
    }
  }
  await assert.rejects(encodeVideo({ ...common, ...size, frames: endless(), signal: stop.signal }), /enough/)
})
