import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import sharp from 'sharp'
import { decodePicture } from './picture-edit.ts'

const folder = await mkdtemp(join(tmpdir(), 'gateway-decode-'))
after(() => rm(folder, { recursive: true }))

test('a photograph of 24 million pixels is decoded, one of more than 100 million refused by its size', async () => {
  const path = join(folder, 'large.jpg')
  await sharp({ create: { width: 6000, height: 4000, channels: 3, background: '#3060c0' } }).toFile(path)
  const input = { role: 'subject', path, mediaType: 'image/jpeg', bytes: 1, width: 6000, height: 4000 }
  const { data, width, height } = await decodePicture(input, 1024)
  assert.deepEqual([width, height, data.length], [1024, 672, 1024 * 672 * 4])
  assert.ok(Math.abs((data[2] ?? 0) - 0xc0) < 4)
  await assert.rejects(decodePicture({ ...input, width: 16_000, height: 16_000 }), {
    code: 'invalid_input_file',
    message: 'subject: it has 16000x16000 pixels; at most 100000000 in all are decoded.',
  })
})
