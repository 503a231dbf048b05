/** Tests two gateways in a row: family F2 and the images interface of the first gateway use the
 *  image driver, whose upstream is the images interface of the second one. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import sharp from 'sharp'
import { startTestGateway, type TestGateway, testKey } from '../../testing/gateway.ts'

let inner: TestGateway
let outer: TestGateway
before(async () => {
  inner = await startTestGateway({ env: { GATEWAY_ENGINE_WORKERS: '1' } })
  const target = `{ driver: openai-compatible, base_url: "${inner.url}/v1", api_key_env: INNER, model: studio, image: { seed: true, negative_prompt: true, most_images: 8, formats: [png, jpeg, webp] } }`
  const yaml = `models:\n  - { id: far, family: images, targets: [${target}] }\n  - { id: far-batch, family: F2, group: large, targets: [${target}] }\n`
  outer = await startTestGateway({ yaml, env: { INNER: testKey } })
})
after(async () => {
  await outer[Symbol.asyncDispose]()
  await inner[Symbol.asyncDispose]()
})

const requested = { prompt: 'a red barn in a field', size: '256x192', n: 2, seed: 9, output_format: 'webp' }
const ask = (gateway: TestGateway, model: string, path = '/v1/images/generations', body: object = requested) =>
  gateway.call(path, { body: { ...body, model } })

test('pictures of another gateway are the same as those that it returns itself', async () => {
  const near = (await ask(inner, 'studio')).body
  const far = await ask(outer, 'far')
  assert.equal(far.status, 200, JSON.stringify(far.body))
  assert.deepEqual([far.body.data.length, far.body.size, far.body.not_followed], [2, '256x192', []])
  assert.deepEqual(far.body.data, near.data)
})

test('edits by another gateway work, too, and its refusals are forwarded', async () => {
  const image = await sharp({ create: { width: 96, height: 64, channels: 3, background: '#3060c0' } })
    .png()
    .toBuffer()
  const edit = { image: [`data:image/png;base64,${image.toString('base64')}`], prompt: 'make it black and white', seed: 9 }
  const near = (await ask(inner, 'studio', '/v1/images/edits', edit)).body
  const far = (await ask(outer, 'far', '/v1/images/edits', edit)).body
  assert.deepEqual(far.data, near.data)
  const refused = await ask(outer, 'far', '/v1/images/generations', { ...requested, prompt: 'a naked woman, explicit porn' })
  assert.deepEqual([refused.status, refused.body.error.code], [400, 'content_policy_violation'])
})

test('another gateway draws a batch of F2', async () => {
  const body = {
    prompts: 'a lighthouse on a cliff',
    'neg-prompts': 'people',
    aspect_ratio: '2:3',
    batchsize: 2,
    step: 20,
    model: 'far-batch',
  }
  const { taskId } = (await outer.call('/v2/images/generations', { body })).body
  const batch = await until(async () => {
    const { body: seen } = await outer.call(`/v2/images/tasks/far-batch/${taskId}`)
    return seen.completed ? seen : undefined
  }, 'the batch')
  assert.deepEqual([batch.status, batch.imageUrls.length], ['completed', 2], JSON.stringify(batch))
  for (const url of batch.imageUrls) {
    const { width, height } = await sharp(Buffer.from(await (await fetch(url)).arrayBuffer())).metadata()
    assert.deepEqual([width, height], [512, 768])
  }
})
