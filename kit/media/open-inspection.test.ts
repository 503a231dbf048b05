import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { wavHeader } from '../audio/pcm.ts'
import { UnsafeFileError } from '../errors.ts'
import { hostileFiles } from '../testing/hostile.ts'
import { inlineInspection } from '../testing/inline-inspection.ts'
import { programsOn } from '../testing/programs-on.ts'
import { refusedProcesses } from '../testing/refused-processes.ts'
import { until } from '../testing/until.ts'
import { askFfmpeg } from './ffmpeg-header.ts'
import type { Inspection } from './inspection.ts'
import { createInspection } from './open-inspection.ts'
import { mostPixels } from './pixel-work.ts'

let folder = ''
let inspection: Inspection
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inspection-'))
  inspection = createInspection({ scratchDirectory: folder, onLog: () => {} })
})
after(async () => {
  await inspection.close()
  await rm(folder, { recursive: true, force: true })
})

test('sizes are those of the picture as shown, in every format with an orientation', async () => {
  const path = join(folder, 'picture')
  for (const format of ['jpeg', 'png', 'webp', 'tiff', 'avif'] as const) {
    for (const orientation of [1, 3, 6, 8]) {
      const picture = sharp({ create: { width: 60, height: 40, channels: 3, background: '#336699' } }).withMetadata({ orientation })
      await writeFile(path, await picture.toFormat(format).toBuffer())
      const { width, height } = (await inlineInspection.readMedia(path)) ?? {}
      const { autoOrient } = await sharp(await readFile(path)).metadata()
      assert.deepEqual({ width, height }, autoOrient, `${format} ${orientation}`)
      assert.equal(width, orientation > 4 ? 40 : 60, `${format} ${orientation}`)
    }
  }
})

test('an unsafe file is refused, and the files beside it are read', async () => {
  const clip = join(folder, 'good.wav')
  const header = wavHeader({ sampleRate: 8_000, channels: 1, bits: 8, dataBytes: 8_000 })
  await writeFile(clip, Buffer.concat([header, Buffer.alloc(8_000, 0x80)]))
  const bad = join(folder, 'bad')
  await writeFile(bad, (await hostileFiles()).get('samples-4g.m4a') ?? '')
  const refused = assert.rejects(inspection.readMedia(bad), UnsafeFileError)
  const seconds = await Promise.all(Array.from({ length: 20 }, async () => (await inspection.readMedia(clip))?.durationSeconds))
  assert.deepEqual(new Set(seconds), new Set([1]))
  await refused
  await assert.rejects(inspection.readMedia(join(folder, 'nowhere')), { code: 'ENOENT' })
})

test('reading stops when the caller disconnects', async () => {
  const path = join(folder, 'endless')
  await writeFile(path, (await hostileFiles()).get('endless.webm') ?? '')
  const controller = new AbortController()
  const reading = inspection.readMedia(path, controller)
  controller.abort(new Error('gone'))
  await assert.rejects(reading, /gone/)
})

test('a file is not blamed when the program that reads it is killed from outside', { skip: process.platform !== 'linux' }, async () => {
  const path = join(folder, 'long.amr')
  // 17 hours of valid AMR frames. ffmpeg needs some seconds for them, so the test can kill it while
  // it reads.
  await writeFile(path, Buffer.concat([Buffer.from('#!AMR\n'), Buffer.alloc(13 * 3_000_000, Buffer.from([4, ...Array(12).fill(0)]))]))
  const reading = askFfmpeg(path)
  process.kill(await until(() => programsOn(path)[0], 'the program'), 'SIGKILL')
  await assert.rejects(reading, { code: 'inspection_busy' })
})

test('a file is not blamed when no process can start to read it', async () => {
  const clip = join(folder, 'unread.wav')
  await writeFile(
    clip,
    Buffer.concat([wavHeader({ sampleRate: 8_000, channels: 1, bits: 8, dataBytes: 8_000 }), Buffer.alloc(8_000, 0x80)]),
  )
  const own = createInspection({ scratchDirectory: folder, onLog: () => {} })
  const { execPath } = process
  try {
    process.execPath = '/no/such/node'
    await assert.rejects(own.readMedia(clip), { code: 'inspection_busy' })
    process.execPath = execPath
    {
      using _refused = refusedProcesses()
      for (let round = 0; round < 3; round++) await assert.rejects(own.readMedia(clip), { code: 'inspection_busy' })
    }
    assert.equal((await own.readMedia(clip))?.durationSeconds, 1)
  } finally {
    process.execPath = execPath
    await own.close()
  }
})

test('the largest accepted picture is converted, fitted and made a mask within the limits', async () => {
  const side = Math.sqrt(mostPixels)
  const source = join(folder, 'large.jpg')
  const plain = sharp({ create: { width: side, height: side, channels: 3, background: '#8090a0' } })
  await plain.withMetadata({ orientation: 6 }).jpeg().toFile(source)
  const target = join(folder, 'large.png')
  assert.deepEqual(await inspection.convertPicture({ source, target, format: 'png' }), { width: side, height: side })
  assert.equal(await inspection.fitFrame({ source, target, width: 1920, height: 1080, fit: 'cover' }), true)
  assert.ok((await inspection.reshapeMask({ form: 'transparent', mask: source })) !== undefined)
})
