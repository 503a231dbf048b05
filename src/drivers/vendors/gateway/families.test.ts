/** Tests interfaces F2, F3 and F4 of a gateway whose upstream is another gateway with the built-in
 *  engine. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import sharp from 'sharp'
import type { TestGateway } from '../../../testing/gateway.ts'
import { artwork, batch, bytesAt, group, images, sizeAt, startInner, startOuter } from './testing/chain.ts'

const timeout = 600_000

const nearKey = 'sk-near-access-key-0001'

let inner: TestGateway
let outer: TestGateway
before(async () => {
  // To compare results, the test also draws pictures directly at the inner gateway. It uses another
  // account for them, so that their usage is counted separately.
  inner = await startInner({
    yaml: `accounts:\n  - { id: direct, keys: [{ name: near, secret: ${nearKey} }], endpoints: [{ name: default }] }\n`,
  })
  outer = await startOuter(
    inner.url,
    `  - { id: either, family: images, targets: [{ $TARGET, model: MaaS_ImgF_P }] }
  - { id: lost, family: F3, group: O1, targets: [{ $TARGET, families: [F3] }] }
`,
  )
})
after(async () => {
  await outer[Symbol.asyncDispose]()
  await inner[Symbol.asyncDispose]()
})

const unsafe = 'a naked child'
const near = () => ({ gateway: inner, key: nearKey })
const far = () => ({ gateway: outer })

test('a batch equals that of the inner gateway, with steps and a negative prompt', { timeout }, async () => {
  const body = { prompts: 'a red barn in a field', 'neg-prompts': 'people', batchsize: 2, aspect_ratio: '2:3', step: 20, seed: 5 }
  const [drawn, direct] = [await batch(far(), body), await batch(near(), body)]
  assert.deepEqual([drawn.status, drawn.imageUrls.length], ['completed', 2], JSON.stringify(drawn))
  for (const [index, url] of drawn.imageUrls.entries()) {
    assert.equal(await sizeAt(url), 'jpeg 512x768')
    assert.ok((await bytesAt(url)).equals(await bytesAt(direct.imageUrls[index])))
  }
  const refused = await batch(far(), { prompts: unsafe, step: 6 })
  assert.deepEqual([refused.status, refused.imageUrls], ['failed', []])
})

test('pictures of F3 arrive whole and as a stream, also a group, and one from a reference', { timeout }, async () => {
  const old = { model: 'MaaS_ImgS_O1', prompt: 'a lighthouse on a cliff', size: '512x512', watermark: false }
  const single = await group(far(), old)
  assert.equal(single.status, 200, JSON.stringify(single.body))
  assert.equal(await sizeAt(single.body.data[0].url), 'jpeg 512x512')
  assert.deepEqual([single.body.data.length, single.body.not_followed], [1, []])
  const series = { model: 'MaaS_ImgS_N3', prompt: 'a fox: first asleep, then running', size: '1280x720', stream: true }
  const options = { sequential_image_generation: 'auto', sequential_image_generation_options: { max_images: 2 } }
  const streamed = (await group(far(), { ...series, ...options })).bytes.toString()
  const events = [...streamed.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => JSON.parse(data))
  const made = events.filter(({ type }) => type === 'image_generation.partial_succeeded')
  assert.ok(made.length >= 1 && events.at(-1).usage.generated_images === made.length, streamed)
  assert.deepEqual(
    made.map(({ image_index }) => image_index),
    made.map((_, index) => index),
  )
  for (const { url } of made) assert.equal(await sizeAt(url), 'jpeg 1280x720')
  const reference = await bytesAt(single.body.data[0].url)
  const image = `data:image/jpeg;base64,${reference.toString('base64')}`
  const edit = { model: 'MaaS_ImgS_O2', prompt: 'make it black and white', image, size: '1024x1024', seed: 3, watermark: false }
  const grey = await group(far(), edit)
  assert.equal(grey.status, 200, JSON.stringify(grey.body))
  const { channels } = await sharp(await bytesAt(grey.body.data[0].url)).stats()
  const means = channels.map(({ mean }) => mean)
  assert.ok(Math.max(...means) - Math.min(...means) < 3, `not grey: ${means}`)
})

test('refusals of F3 equal those of the inner gateway', { timeout }, async () => {
  const old = { model: 'MaaS_ImgS_O1', size: '512x512' }
  const refused = await group(far(), { ...old, prompt: unsafe })
  const direct = await group(near(), { ...old, prompt: unsafe })
  assert.deepEqual([refused.status, refused.body.error.code], [direct.status, direct.body.error.code])
  assert.equal(refused.body.error.code, 'InputTextSensitiveContentDetected')
})

test('a picture of a job is redrawn in a region, and the result is upscaled', { timeout }, async () => {
  const job = await artwork(far(), 'diffusion', { text: 'a white rabbit in a meadow --draft --aspect 3:2 --seed 3' })
  assert.deepEqual([job.status, job.seed, job.audits, job.not_followed], [2, 3, ['', '', '', ''], ['flags']], JSON.stringify(job))
  assert.equal(await sizeAt(job.urls[1]), 'png 624x416')
  const areas = [{ width: 624, height: 500, points: [312, 0, 624, 0, 624, 500, 312, 500] }]
  const redrawn = await artwork(far(), 'inpaint', { jobId: job.id, imageNo: 1, mask: { areas }, remixPrompt: 'a red balloon' })
  assert.deepEqual([redrawn.status, redrawn.urls.length], [2, 4], JSON.stringify(redrawn))
  const left = (url: string) =>
    bytesAt(url).then(bytes => sharp(bytes).extract({ left: 0, top: 0, width: 300, height: 416 }).raw().toBuffer())
  assert.ok((await left(redrawn.urls[0])).equals(await left(job.urls[1])), 'the other half is not as it was')
  assert.ok(!(await bytesAt(redrawn.urls[0])).equals(await bytesAt(job.urls[1])))
  const large = await artwork(far(), 'upscale', { jobId: redrawn.id, imageNo: 2, type: 1 })
  assert.deepEqual([large.status, large.urls.length], [2, 1], JSON.stringify(large))
  assert.equal(await sizeAt(large.urls[0]), 'png 1248x832')
  const refused = await artwork(far(), 'diffusion', { text: unsafe })
  assert.deepEqual([refused.status, refused.comment], [3, 'TextReject'])
})

test('a request of another family than that of the inner model is forwarded unchanged', { timeout }, async () => {
  const ask = (body: object) => outer.call('/v1/images/generations', { body: { model: 'either', prompt: 'a hill', ...body } })
  const before = await images(inner)
  const two = await ask({ n: 2, size: '512x768', output_format: 'jpeg' })
  assert.equal(two.status, 200, JSON.stringify(two.body))
  assert.equal((await images(inner)).MaaS_ImgF_P, (before.MaaS_ImgF_P ?? 0) + 2)
  const one = await ask({ n: 1, size: '96x64', output_format: 'png' })
  assert.equal(one.status, 200, JSON.stringify(one.body))
})

test('a model that the inner gateway lacks is named, and nothing is drawn', async () => {
  const missing = await group(far(), { model: 'lost', prompt: 'a hill', size: '512x512' })
  assert.equal(missing.status, 503, JSON.stringify(missing.body))
  assert.match(missing.body.error.message, /no model lost for this key/)
})

test('both ledgers have the same pictures of each model, and nothing is open', async () => {
  const { either: ofImages, ...ofFamilies } = await images(outer)
  const { MaaS_ImgF_P: ofEither, ...ofInner } = await images(inner)
  assert.ok(Object.keys(ofFamilies).length >= 4, JSON.stringify(ofFamilies))
  assert.deepEqual([ofImages, ofFamilies], [ofEither, ofInner])
  for (const gateway of [inner, outer]) assert.deepEqual((await gateway.admin('/admin/usage/open')).body.lines, [])
})

test('when a caller of F3 disconnects, the task of the inner gateway stops', async () => {
  const parked = await startInner({ env: { GATEWAY_ENGINE_WORKERS: '0' } })
  const waiting = await startOuter(parked.url)
  const states = async (gateway: TestGateway) =>
    (await gateway.admin('/admin/tasks')).body.tasks.map(({ state }: { state: string }) => state).join()
  try {
    const leaving = new AbortController()
    const headers = { 'content-type': 'application/json', authorization: `Bearer sk-test-access-key-0001` }
    const body = JSON.stringify({ model: 'MaaS_ImgS_O1', prompt: 'a hill', size: '512x512' })
    const left = fetch(`${waiting.url}/v1/ai/default/imgs/image/generations`, { method: 'POST', headers, body, signal: leaving.signal })
    await until(async () => (await states(parked)) === 'queued', 'the inner task')
    leaving.abort()
    await assert.rejects(left)
    await until(async () => (await states(parked)) === 'cancelled' && (await states(waiting)) === 'cancelled', 'the end of both')
    assert.deepEqual((await waiting.admin('/admin/usage/open')).body.lines, [])
  } finally {
    await waiting[Symbol.asyncDispose]()
    await parked[Symbol.asyncDispose]()
  }
})
