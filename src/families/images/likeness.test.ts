/** Tests that edited pictures resemble their sources. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { differencesBetween, type RgbaImage } from '@generation-gateway/kit/testing/likeness.ts'
import sharp from 'sharp'
import { startTestGateway, type TestGateway, testKey } from '../../testing/gateway.ts'

const size = '256x192'
const patience = { timeout: 180_000 }
let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ env: { GATEWAY_ENGINE_WORKERS: '1' } })
})
after(() => gateway[Symbol.asyncDispose]())

async function drawn(prompt: string): Promise<Buffer> {
  const { status, body } = await gateway.call('/v1/images/generations', { body: { prompt, size, seed: 7 } })
  assert.equal(status, 200, JSON.stringify(body))
  return Buffer.from(body.data[0].b64_json, 'base64')
}

async function edited(prompt: string, files: Record<string, Buffer>): Promise<Buffer> {
  const form = new FormData()
  for (const [name, value] of Object.entries({ prompt, size, seed: '7' })) form.append(name, value)
  for (const [name, bytes] of Object.entries(files))
    form.append(name, new Blob([new Uint8Array(bytes)], { type: 'image/png' }), `${name}.png`)
  const answer = await fetch(`${gateway.url}/v1/images/edits`, {
    method: 'POST',
    headers: { authorization: `Bearer ${testKey}` },
    body: form,
  })
  const text = await answer.text()
  assert.equal(answer.status, 200, text)
  return Buffer.from(JSON.parse(text).data[0].b64_json, 'base64')
}

async function seen(bytes: Buffer): Promise<RgbaImage> {
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

/** Encodes the picture again. Its bytes then differ from those that the gateway has stored, so
 *  the gateway treats it as a picture from elsewhere. */
const foreign = (bytes: Buffer) => sharp(bytes).png({ compressionLevel: 1 }).toBuffer()

/** A mask with a transparent area at the upper right, where the new object is to be drawn. */
const mask = sharp({ create: { width: 256, height: 192, channels: 4, background: '#000000' } })
  .composite([{ input: { create: { width: 60, height: 60, channels: 4, background: '#ffffff' } }, left: 180, top: 30, blend: 'dest-out' }])
  .png()
  .toBuffer()

/** Edits after which at most 0.3 % more of the picture may be black than before, such as the pupils
 *  of an added animal. For the other edits the limit is 10 %. */
const additions: ReadonlySet<string> = new Set(['add a white rabbit on the left', 'redraw'])
const instructions = ['increase the contrast', 'make it a bit warmer', 'add a vignette', 'sharpen it', 'add a white rabbit on the left']

for (const time of ['noon', 'night'])
  test(`edits and redraws of a picture at ${time}, by this engine and by others, resemble their source`, patience, async () => {
    const own = await drawn(`a red fox on a beach at ${time}`)
    const source = await seen(own)
    const faults: string[] = []
    for (const [origin, bytes] of [
      ['own', own],
      ['foreign', await foreign(own)],
    ] as const) {
      const results = [
        ...(await Promise.all(instructions.map(async prompt => [prompt, await edited(prompt, { image: bytes })] as const))),
        ['redraw', await edited('a red balloon', { image: bytes, mask: await mask })] as const,
      ]
      for (const [what, result] of results) {
        const found = differencesBetween(await seen(result), source, { rows: 64, ...(additions.has(what) ? { black: 0.003 } : {}) })
        faults.push(...found.map(fault => `${origin}, ${what}: ${fault}`))
      }
    }
    assert.deepEqual(faults, [])
  })

test('the pictures of a series that is made from a picture resemble it', patience, async () => {
  const own = await drawn('a red fox on a beach at noon')
  const source = await seen(own)
  for (const bytes of [own, await foreign(own)]) {
    const { status, body } = await gateway.call('/v1/ai/default/imgs/image/generations', {
      body: {
        model: 'MaaS_ImgS_N3',
        prompt: 'First make it warmer. Then increase the contrast.',
        image: [`data:image/png;base64,${bytes.toString('base64')}`],
        size: '1280x960',
        response_format: 'b64_json',
        watermark: false,
        sequential_image_generation: 'auto',
        sequential_image_generation_options: { max_images: 2 },
      },
    })
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.data.length, 2)
    for (const { b64_json } of body.data)
      assert.deepEqual(differencesBetween(await seen(Buffer.from(b64_json, 'base64')), source, { rows: 64 }), [])
  }
})
