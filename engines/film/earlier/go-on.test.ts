import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { runFfmpeg } from '@generation-gateway/kit/audio/ffmpeg.ts'
import type { InputFile } from '@generation-gateway/kit/requests/job.ts'
import { decodeVideoSound } from '@generation-gateway/kit/video/decode.ts'
import { encodeVideo, videoSampleRate } from '@generation-gateway/kit/video/encode.ts'
import { probeVideo } from '@generation-gateway/kit/video/probe.ts'
import { refusesFilm } from '../limits.ts'
import { difference, framesOf, openFilm, requested } from '../testing/frames.ts'

const { engine, folder } = openFilm()
const { signal } = new AbortController()
const small = { width: 160, height: 120 }

/** A video of half a second: grey frames that get lighter, and a tone. */
async function greyClip(): Promise<InputFile> {
  const path = join(folder, 'earlier.mp4')
  const sound = Float32Array.from({ length: videoSampleRate }, (_, at) => 0.4 * Math.sin(at / 20))
  const frames = (async function* () {
    for (let n = 0; n < 6; n++) yield new Uint8Array(small.width * small.height * 4).fill(40 + 30 * n)
  })()
  await encodeVideo({ ...small, framesPerSecond: 12, frames, pixels: 'rgba', sound, path, signal })
  return { role: 'earlier', path, mediaType: 'video/mp4', bytes: 1, ...small, durationSeconds: 0.5, framesPerSecond: 12 }
}

const mean = (frame: Uint8Array | undefined, column: number) => frame?.[(90 * 320 + column) * 4] ?? 0
const loudness = (samples: Float32Array) => Math.sqrt(samples.reduce((sum, each) => sum + each * each, 0) / samples.length)

test('the new video follows the last frame of the earlier one, and the file contains both, with their sound', async () => {
  const earlier = await greyClip()
  const { framesPerSecond: _own, ...request } = requested
  const done = await engine.run('video.generate', { ...request, prompt: 'slow zoom in' }, { inputs: [earlier] })
  assert.deepEqual(
    done.files.map(({ role }) => role),
    ['video', 'thumbnail'],
  )
  assert.deepEqual(done.usage, [{ unit: 'seconds', units: 1 }], 'only what was made is counted')
  const [video] = done.files
  assert.ok(video)
  assert.deepEqual([video.width, video.height, video.framesPerSecond, video.durationSeconds, video.channels], [320, 180, 12, 1.5, 2])
  const { frames, hasSound } = await probeVideo(video.path)
  assert.deepEqual([frames, hasSound], [18, true])
  const seen = await framesOf(video.path, { width: 320, height: 180 })
  // The video of 160x120 is padded to 320x180, so the left and the right edge are black.
  assert.ok(mean(seen[0], 5) < 8 && Math.abs(mean(seen[0], 160) - 40) < 8 && Math.abs(mean(seen[5], 160) - 190) < 8)
  assert.ok(difference(seen[5] ?? new Uint8Array(), seen[6] ?? new Uint8Array()) < 3, 'no cut between the two')
  const raw = join(folder, 'raw')
  assert.ok(await decodeVideoSound(video.path, { to: raw, seconds: 60, signal }))
  const bytes = await readFile(raw)
  const samples = new Float32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 4))
  assert.ok(loudness(samples.subarray(0, videoSampleRate * 0.8)) > 0.2 && loudness(samples.subarray(videoSampleRate * 1.4)) < 0.01)
  assert.deepEqual(
    (await readdir(join(video.path, '..'))).filter(name => /pictures|f32|last-frame/.test(name)),
    [],
  )
})

test('an earlier video with pixels that are not square keeps the shape in which it is shown', async () => {
  const path = join(folder, 'oblong.mp4')
  const picture = 'color=c=white:s=60x120:r=12:d=0.5,setsar=32/9'
  await runFfmpeg(['-y', '-f', 'lavfi', '-i', picture, '-c:v', 'mpeg4', `file:${path}`], { fileBytes: 2 ** 20 })
  const earlier: InputFile = { role: 'earlier', path, mediaType: 'video/mp4', bytes: 1, durationSeconds: 0.5, framesPerSecond: 12 }
  const done = await engine.run('video.generate', { ...requested, prompt: 'slow zoom in' }, { inputs: [earlier] })
  const [frame] = await framesOf(done.files[0]?.path ?? '', { width: 320, height: 180 })
  assert.ok(mean(frame, 3) > 200 && mean(frame, 316) > 200, `${mean(frame, 3)} and ${mean(frame, 316)} at the edges`)
})

test('a file that is no video, and requests that do not work with an earlier video, are refused by name', async () => {
  const path = join(folder, 'none.mp4')
  await writeFile(path, 'no video at all')
  const earlier: InputFile = { role: 'earlier', path, mediaType: 'video/mp4', bytes: 15, durationSeconds: 1 }
  await assert.rejects(engine.run('video.generate', { ...requested, prompt: 'x' }, { inputs: [earlier] }), {
    code: 'invalid_input_file',
    message: /^earlier: cannot be decoded/,
  })
  const says = (inputs: InputFile[], more = {}) =>
    refusesFilm({ request: { ...requested, ...more }, inputs, model: '', settings: {} })?.message
  assert.equal(says([earlier]), undefined)
  assert.equal(says([{ ...earlier, durationSeconds: 179 }]), undefined)
  assert.match(
    says([{ ...earlier, durationSeconds: 179.1 }]) ?? '',
    /^earlier: and what follows it last 180.1 seconds together; at most 180/,
  )
  assert.match(says([earlier, earlier]) ?? '', /^earlier: one video is continued at a time, not 2/)
  assert.match(says([earlier, { ...earlier, role: 'first-frame' }]) ?? '', /^earlier: stands without a first frame/)
  assert.match(says([earlier], { watermark: true }) ?? '', /^watermark: /)
})
