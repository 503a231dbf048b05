/** Runs published clients of OpenAI's images interface against a gateway without configuration. */
// Client: openai (npm openai, npm openai-6): createImage, editImage.
// Client: AI SDK (npm ai, npm @ai-sdk/openai, npm @ai-sdk/openai-compatible): createImage,
// editImage.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateImage } from 'ai'
import OpenAI, { toFile } from 'openai'
import sharp from 'sharp'
import { startTestGateway, type TestGateway, testKey } from '../testing/gateway.ts'
import { connect, sdks } from './testing/openai-sdk.ts'

const model = 'studio'
const apiKey = testKey
let gateway: TestGateway
let baseURL: string
before(async () => {
  gateway = await startTestGateway({ env: { GATEWAY_ENGINE_WORKERS: '1' } })
  baseURL = `${gateway.url}/v1`
})
after(() => gateway[Symbol.asyncDispose]())

async function sizeOf(picture: string | Uint8Array): Promise<string> {
  const { width, height } = await sharp(typeof picture === 'string' ? Buffer.from(picture, 'base64') : picture).metadata()
  return `${width}x${height}`
}

const photo = () =>
  sharp({ create: { width: 128, height: 96, channels: 3, background: '#3070a0' } })
    .png()
    .toBuffer()

for (const sdk of sdks) {
  test(`${sdk.name}: pictures are returned as base64, as links and as a stream`, async () => {
    const { images } = connect(sdk, { baseURL, apiKey })
    const requested = { model, prompt: 'a red barn in a field', size: '256x256' } as const
    const whole = await images.generate({ ...requested, n: 2 })
    assert.deepEqual(await Promise.all((whole.data ?? []).map(({ b64_json }) => sizeOf(b64_json ?? ''))), ['256x256', '256x256'])
    const linked = await images.generate({ ...requested, response_format: 'url' })
    const file = await fetch(linked.data?.[0]?.url ?? '')
    assert.equal(await sizeOf(new Uint8Array(await file.arrayBuffer())), '256x256')
    const types: string[] = []
    for await (const event of await images.generate({ ...requested, stream: true, partial_images: 2 })) {
      types.push(event.type)
      assert.equal(await sizeOf(event.b64_json), '256x256')
    }
    assert.deepEqual(types, ['image_generation.partial_image', 'image_generation.partial_image', 'image_generation.completed'])
  })

  test(`${sdk.name}: a file is edited, whole and as a stream; an error is the client's own`, async () => {
    const { images } = connect(sdk, { baseURL, apiKey })
    const image = await toFile(await photo(), 'photo.png', { type: 'image/png' })
    const edited = await images.edit({ model, image, prompt: 'make it black and white' })
    assert.equal(await sizeOf(edited.data?.[0]?.b64_json ?? ''), '128x96')
    const types: string[] = []
    for await (const event of await images.edit({ model, image: [image], prompt: 'make it black and white', stream: true }))
      types.push(event.type)
    assert.deepEqual(types, ['image_edit.completed'])
    const refused = await images.generate({ model, prompt: 'x', n: 11 }).catch((error: unknown) => error)
    assert.ok(refused instanceof OpenAI.BadRequestError || Object(refused).status === 400)
    assert.equal(Object(refused).param, 'n')
  })
}

test('AI SDK: generateImage draws and edits, with both of its classes', async () => {
  const classes = {
    openai: createOpenAI({ baseURL, apiKey }).image(model),
    compatible: createOpenAICompatible({ baseURL, apiKey, name: 'gateway' }).imageModel(model),
  }
  for (const [name, imageModel] of Object.entries(classes)) {
    const { images } = await generateImage({ model: imageModel, prompt: 'a red barn in a field', size: '256x192', n: 2 })
    assert.deepEqual(await Promise.all(images.map(({ uint8Array }) => sizeOf(uint8Array))), ['256x192', '256x192'], name)
    const { image } = await generateImage({ model: imageModel, prompt: { images: [await photo()], text: 'make it black and white' } })
    assert.equal(await sizeOf(image.uint8Array), '128x96', name)
  }
})
