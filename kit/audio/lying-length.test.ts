/** Tests files whose headers declare a short length, but that last an hour. */
import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { readMediaFile } from '../media/media-header.ts'
import { forgedMovie } from '../testing/forged-length.ts'
import { decodeFrames, decodeVideoSound } from '../video/decode.ts'
import { decodeSound } from './decode.ts'

const hour = 3600
const { signal } = new AbortController()
let folder = ''
let sound = ''
let video = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-lying-'))
  sound = join(folder, 'hour.m4a')
  video = join(folder, 'hour.mp4')
  await forgedMovie(sound, { seconds: hour, says: 3 })
  await forgedMovie(video, { seconds: hour, says: 3, picture: { seconds: 3, width: 64, height: 64 } })
})
after(() => rm(folder, { recursive: true, force: true }))

async function scratchBytes(work: (scratch: string) => Promise<unknown>): Promise<number> {
  const scratch = await mkdtemp(join(folder, 'scratch-'))
  await work(scratch)
  const sizes = await Promise.all((await readdir(scratch)).map(name => stat(join(scratch, name))))
  return sizes.reduce((sum, { size }) => sum + size, 0)
}

test('the headers of the test files state a false length', async () => {
  for (const path of [sound, video]) {
    const { durationSeconds = 0 } = (await readMediaFile(path)) ?? {}
    assert.ok(Math.abs(durationSeconds - 3) < 0.2, `${durationSeconds} s`)
  }
})

test('the sound of a video is written up to the requested length', async () => {
  const bytes = await scratchBytes(async scratch => {
    assert.ok(await decodeVideoSound(video, { to: join(scratch, 'sound'), seconds: 3, signal }))
  })
  assert.equal(bytes, 3 * 48_000 * 2 * 4)
  let frames = 0
  for await (const _frame of decodeFrames(video, { width: 64, height: 64, seconds: 3, signal })) frames++
  assert.ok(frames <= 73, `${frames} frames`)
})

test('a recording that is too long is refused with its field, before it fills the disk', async () => {
  for (const channels of ['mixed', 'separate'] as const) {
    const bytes = await scratchBytes(async scratch => {
      const options = { scratch, sampleRate: 16_000, channels, mostSeconds: 10.5, signal, field: 'speaker' as const }
      await assert.rejects(decodeSound(sound, options), {
        code: 'invalid_request',
        field: 'speaker',
        message: /lasts more than 10.5 seconds/,
      })
    })
    assert.ok(bytes <= 11.5 * 16_000 * 2 + 4096, `${bytes} bytes`)
  }
  const bytes = await scratchBytes(scratch =>
    decodeSound(sound, { scratch, sampleRate: 16_000, channels: 'mixed', firstSeconds: 3, signal }),
  )
  assert.equal(bytes, 3 * 16_000 * 2)
})
