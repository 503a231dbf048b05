import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { forgedFlac, forgedFrames, forgedSound, forgedVideo } from '../testing/forged-length.ts'
import { readMediaFile } from './media-header.ts'
import { measureLength } from './media-length.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'media-length-'))
})
after(() => rm(folder, { recursive: true, force: true }))

const { signal } = new AbortController()
const near = (seconds: number | undefined, wanted: number) => assert.ok(Math.abs((seconds ?? 0) - wanted) < 0.15, `${seconds} of ${wanted}`)

test('the length of a sound or video is that of its contents, whatever the headers say', async () => {
  const length = { seconds: 40, says: 1 }
  for (const [name, forge] of [
    ['a.m4a', forgedSound],
    ['a.flac', forgedFlac],
  ] as const) {
    const path = await forge(join(folder, name), length)
    near((await readMediaFile(path))?.durationSeconds, 1)
    near(await measureLength(path, { track: 'sound', signal, field: 'audio' }), 40)
    near(await measureLength(path, { track: 'sound', mostSeconds: 30, signal, field: 'audio' }), 30)
  }
  const video = await forgedVideo(join(folder, 'a.mp4'), length)
  near((await readMediaFile(video))?.durationSeconds, 1)
  near(await measureLength(video, { track: 'picture', signal, field: 'base' }), 40)
  near(await measureLength(video, { track: 'picture', mostSeconds: 30, signal, field: 'base' }), 30)
})

test('a file that ffmpeg cannot read has no length', async () => {
  const path = join(folder, 'noise.mp3')
  await writeFile(path, Buffer.alloc(10_000, 7))
  assert.equal(await measureLength(path, { track: 'sound', signal, field: 'audio' }), undefined)
})

test('a video with more frames than its length allows is refused, without reading further', async () => {
  const path = await forgedFrames(join(folder, 'many.mov'), 120_000)
  near(await measureLength(path, { track: 'picture', mostSeconds: 100, signal, field: 'reference' }), 0.12)
  await assert.rejects(measureLength(path, { track: 'picture', mostSeconds: 10, signal, field: 'reference' }), {
    code: 'invalid_request',
    field: 'reference',
    message: 'reference: has more than 102400 frames; at most 100000, and 240 more for each of 10 seconds.',
  })
})
