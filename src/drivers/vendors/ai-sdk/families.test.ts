/** Tests interfaces F1 to F4 on the whole program with a provider package that the test
 *  supplies. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { drawMask, reshapeMask } from '@generation-gateway/kit/media/pixel-work.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import sharp from 'sharp'
import { type Answer, startTestGateway, type TestGateway } from '../../../testing/gateway.ts'
import { aiSdkDriver } from './driver.ts'
import { fakePackage, type RecordedCall } from './testing/fake-package.ts'

const paint = async ({ size, n, providerOptions }: RecordedCall) => {
  const [width = 1024, height = 1024] = String(size ?? '1024x1024')
    .split('x')
    .map(Number)
  const { maxImages = n } = Object(Object(providerOptions).bytedance)
  const one = await sharp({ create: { width, height, channels: 3, background: '#224466' } })
    .png()
    .toBuffer()
  return { images: Array(Number(maxImages)).fill(one), warnings: [] }
}
const fake = fakePackage({ specificationVersion: 'v4', maxImagesPerCall: 8, doGenerate: paint })

let gateway: TestGateway
before(async () => {
  const target = (more: string) =>
    `targets: [{ driver: ai-sdk, api_key: key-of-nobody, base_url: "http://localhost:9", seed: false, model: m, ${more} }]`
  // This package source returns the test's package for every name.
  const source = { has: () => true, load: () => fake.source.load('fake-provider') }
  const yaml = `models:
  - { id: one, family: F1, group: P, ${target('package: fake-provider')} }
  - { id: edits, family: F1, group: KE, ${target('package: fake-provider')} }
  - { id: batch, family: F2, group: large, ${target('package: "@ai-sdk/replicate"')} }
  - { id: plain-batch, family: F2, group: large, ${target('package: fake-provider')} }
  - { id: series, family: F3, group: N3, ${target('package: "@ai-sdk/bytedance", most_images: 4')} }
  - { id: no-series, family: F3, group: N3, ${target('package: fake-provider')} }
  - { id: art, family: F4, ${target('package: fake-provider, mask: transparent')} }
  - { id: maskless, family: F4, ${target('package: fake-provider')} }
`
  gateway = await startTestGateway({ drivers: [aiSdkDriver(source)], yaml })
})
after(() => gateway[Symbol.asyncDispose]())
beforeEach(() => void fake.calls.splice(0))

const lastCall = () => fake.calls.at(-1) ?? assert.fail('the model was not called')
const group = (body: object) => gateway.call('/v1/ai/default/imgs/image/generations', { body: { prompt: 'a fox', size: '1K', ...body } })

async function artwork(operation: string, body: object): Promise<Answer['body']> {
  const { status, body: job } = await gateway.call(`/v1/ai/default/tob/${operation}`, { body })
  assert.equal(status, 200, JSON.stringify(job))
  return until(async () => {
    const { body: seen } = await gateway.call(`/v1/ai/default/tob/job/${job.id}`)
    return seen.status < 2 ? undefined : seen
  }, 'the job')
}

test('F1: one picture, and an edit with its file', async () => {
  const path = '/v1/ai/default/imgf/image/generate'
  const drawn = await gateway.call(path, { body: { model: 'one', prompt: 'a fox', width: 64, height: 64 } })
  assert.equal((await gateway.result(drawn.body.polling_url)).status, 'Ready')
  const input = (
    await sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
  ).toString('base64')
  const edit = await gateway.call(path, { body: { model: 'edits', prompt: 'bluer', input_image: input } })
  assert.equal((await gateway.result(edit.body.polling_url)).status, 'Ready')
  const { files, mask, n } = lastCall()
  assert.deepEqual([Array.isArray(files) && files.length, mask, n], [1, undefined, 1])
})

test('F2: a batch is one call, with steps and a negative prompt where the package has options for them', async () => {
  const path = '/v2/ai/default/images/generations'
  const body = { model: 'batch', prompts: 'a fox', 'neg-prompts': 'dogs', batchsize: 2, step: 20, aspect_ratio: '2:3' }
  const { taskId } = (await gateway.call(path, { body })).body
  const batch = await until(async () => {
    const { body: seen } = await gateway.call(`/v2/ai/default/images/tasks/${taskId}`)
    return seen.completed ? seen : undefined
  }, 'the batch')
  assert.deepEqual([batch.status, batch.imageUrls.length], ['completed', 2], JSON.stringify(batch))
  const { n, size, providerOptions } = lastCall()
  assert.deepEqual([fake.calls.length, n, size], [1, 2, '512x768'])
  assert.deepEqual(providerOptions, { replicate: { num_inference_steps: 20, negative_prompt: 'dogs' } })
  const refused = await gateway.call(path, { body: { ...body, model: 'plain-batch' } })
  assert.equal(refused.status, 400)
  assert.match(refused.body.message, /^neg-prompts: .* takes no negative prompt/)
  assert.equal(fake.calls.length, 1)
})

test('F3: references and a series use the options of the package, and without such options there is no series', async () => {
  const auto = { sequential_image_generation: 'auto', sequential_image_generation_options: { max_images: 3 } }
  const image = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const reference = `data:image/png;base64,${image.toString('base64')}`
  const series = await group({ model: 'series', image: [reference, reference], ...auto })
  assert.deepEqual([series.status, series.body.data?.length], [200, 3], JSON.stringify(series.body))
  assert.deepEqual(series.body.not_followed, [])
  const { files, n, size, providerOptions } = lastCall()
  assert.deepEqual([Array.isArray(files) && files.length, n, size], [2, 1, undefined])
  const options = { sequentialImageGeneration: 'auto', maxImages: 3, watermark: true, size: '1K' }
  assert.deepEqual(providerOptions, { bytedance: options })
  const streamed = await group({ model: 'series', stream: true, watermark: false })
  assert.match(streamed.bytes.toString(), /image_generation\.partial_succeeded[\s\S]*\[DONE\]/)
  assert.deepEqual(Object(lastCall().providerOptions).bytedance.watermark, false)
  const plain = await group({ model: 'no-series', watermark: true })
  assert.deepEqual([plain.status, plain.body.not_followed], [200, ['watermark']], JSON.stringify(plain.body))
  const calls = fake.calls.length
  const refused = await group({ model: 'no-series', ...auto })
  assert.deepEqual([refused.status, refused.body.error.param], [400, 'sequential_image_generation'], JSON.stringify(refused.body))
  assert.equal(fake.calls.length, calls)
})

test('F4: four pictures and a redraw with its polygons as a mask; a redraw without a mask and an upscale are refused', async () => {
  const job = await artwork('diffusion', { model: 'art', text: 'a fox --draft --s 100' })
  assert.deepEqual([job.status, job.urls.length, job.not_followed], [2, 4, ['--seed', 'flags']], JSON.stringify(job))
  const areas = [{ width: 1000, height: 1000, points: [500, 0, 1000, 0, 1000, 1000, 500, 1000] }]
  const body = { jobId: job.id, imageNo: 1, mask: { areas }, remixPrompt: 'a red balloon' }
  const redrawn = await artwork('inpaint', body)
  assert.deepEqual([redrawn.status, redrawn.urls.length], [2, 4], JSON.stringify(redrawn))
  const { mask, files } = lastCall()
  assert.ok(Array.isArray(files) && files.length === 1)
  const { data, info } = await sharp(Object(mask).data).raw().toBuffer({ resolveWithObject: true })
  assert.deepEqual([info.width, info.height, info.channels], [512, 512, 4])
  const at = (x: number) => [...data.subarray((256 * 512 + x) * 4, (256 * 512 + x) * 4 + 4)]
  assert.deepEqual(
    [at(100), at(400)],
    [
      [0, 0, 0, 255],
      [255, 255, 255, 0],
    ],
  )
  const calls = fake.calls.length
  const refused = await gateway.call('/v1/ai/default/tob/inpaint', { body: { ...body, model: 'maskless' } })
  assert.equal(refused.status, 400, JSON.stringify(refused.body))
  assert.match(refused.body.message, /^mask: /)
  const upscale = await gateway.call('/v1/ai/default/tob/upscale', { body: { jobId: job.id, imageNo: 0, type: 0 } })
  assert.equal(upscale.status, 503, JSON.stringify(upscale.body))
  assert.match(upscale.body.message, /does not offer image\.upscale/)
  assert.equal(fake.calls.length, calls)
})

test('a mask of either kind is converted to the form that the package needs', async () => {
  const size = { width: 40, height: 20 }
  const white = await drawMask({ regions: [{ width: 80, height: 40, points: [0, 0, 40, 0, 40, 40, 0, 40] }], ...size })
  const hole = (await reshapeMask({ form: 'transparent', mask: white })) ?? ''
  for (const source of [white, hole]) {
    const { data, info } = await sharp(await reshapeMask({ form: 'white', mask: source }))
      .toColourspace('b-w')
      .raw()
      .toBuffer({ resolveWithObject: true })
    assert.deepEqual([info.width, info.height], [40, 20])
    assert.deepEqual([data[5 * info.channels], data[35 * info.channels]], [255, 0])
  }
})
