import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import sharp, { type Sharp } from 'sharp'
import { drawScene } from '../draw-scene.ts'
import { parseVaried } from '../variety/vary.ts'
import { hasFace } from './find.ts'
import { openFaceNetwork } from './network.ts'

const photograph = join(import.meta.dirname, '../testing/face.jpg')
const grey = '#808080'

async function seen(picture: Sharp): Promise<boolean> {
  const { data, info } = await picture.toColourspace('srgb').ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return hasFace({ data, width: info.width, height: info.height })
}

test('the network gives the result of face-api for a photograph', async () => {
  const { run } = await openFaceNetwork()
  const rgb = await sharp(photograph).extract({ left: 8, top: 8, width: 224, height: 224 }).raw().toBuffer()
  const [face] = await run(rgb, 224, 0.1)
  // Expected values: the results of @vladmandic/face-api 1.7.15 for the same bytes.
  for (const [name, expected] of Object.entries({ score: 0.973042, x: 0.459613, y: 0.553968, width: 0.557671, height: 0.51048 }))
    assert.ok(Math.abs(Object(face)[name] - expected) < 1e-3, `${name}: ${JSON.stringify(face)}`)
  await assert.rejects(run(rgb, 256, 0.1), RangeError)
})

test('a face is found if it is large, small, turned, mirrored, grey, dark or strongly compressed', async () => {
  const jpeg = await sharp(photograph).jpeg({ quality: 12 }).toBuffer()
  const small = await sharp(photograph).resize(170).toBuffer()
  const ways: Record<string, Sharp> = {
    whole: sharp(photograph),
    close: sharp(photograph).extract({ left: 55, top: 60, width: 120, height: 135 }),
    small: sharp({ create: { width: 640, height: 400, channels: 3, background: '#7a9a6a' } }).composite([
      { input: small, left: 380, top: 90 },
    ]),
    mirrored: sharp(photograph).flop(),
    left: sharp(photograph).rotate(-15, { background: grey }),
    right: sharp(photograph).rotate(15, { background: grey }),
    grey: sharp(photograph).greyscale(),
    dark: sharp(photograph).linear(0.4, 0),
    packed: sharp(jpeg),
  }
  for (const [way, picture] of Object.entries(ways)) assert.ok(await seen(sharp(await picture.png().toBuffer())), way)
})

test('no face is found in a drawn cat, in noise and in an empty picture', async () => {
  const noise = Buffer.from(Array.from({ length: 300 * 300 * 3 }, (_, index) => (index * 2_654_435_761) >>> 24))
  const raw = { width: 300, height: 300, channels: 3 } as const
  assert.equal(await seen(sharp(noise, { raw })), false)
  assert.equal(await seen(sharp(await sharp(noise, { raw }).blur(9).normalise().png().toBuffer())), false)
  for (const background of ['#000000', '#e0b090', '#00000000'])
    assert.equal(await seen(sharp({ create: { width: 300, height: 200, channels: 4, background } })), false, background)
  const size = { width: 384, height: 384 }
  const { data } = await drawScene(parseVaried('a cat on a sofa', { seed: '5' }), size)
  assert.equal(await hasFace({ data, ...size }), false)
})
