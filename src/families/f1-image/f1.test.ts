import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { samplesOf } from '../../contract/samples/samples.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'
import { inputImageLimits } from '../shared/common-fields.ts'
import { f1 } from './family.ts'
import { sizeOfRatio } from './handlers.ts'

const path = '/v1/ai/default/imgf/image/generate'
let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway()
})
after(() => gateway[Symbol.asyncDispose]())

async function storedTask(id: string) {
  const { body } = await gateway.admin(`/admin/tasks/${id}`)
  return body.task
}

async function accepted(body: object) {
  const answer = await gateway.call(path, { body })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return storedTask(answer.body.id)
}

async function refused(body: object, field: string, text: RegExp) {
  const answer = await gateway.call(path, { body })
  assert.equal(answer.status, 422, JSON.stringify(answer.body))
  assert.equal(answer.body.error.param, field)
  assert.match(answer.body.error.message, text)
  assert.ok(
    answer.body.detail.some((issue: { loc: string[] }) => issue.loc.join('.') === `body.${field}`),
    JSON.stringify(answer.body.detail),
  )
  assert.equal(answer.body.error.request_id, answer.headers.get('x-request-id'))
}

async function png(width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#3366aa' }, limitInputPixels: false })
    .png({ compressionLevel: 9 })
    .toBuffer()
}

test('a submit returns an id and an absolute polling URL, which reports Pending', async () => {
  const { status, body } = await gateway.call(path, { body: { prompt: 'a red fox' } })
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body).sort(), ['id', 'polling_url'])
  assert.equal(body.polling_url, `${gateway.url}/v1/ai/default/imgf/get_result?id=${body.id}`)
  const pending = await gateway.call(body.polling_url)
  assert.deepEqual(pending.body, { id: body.id, status: 'Pending', result: null, progress: 0, details: null, preview: null })
})

test('the fields that are present decide the parameter set', async () => {
  const p = await accepted({ prompt: 'x' })
  assert.deepEqual([p.model, p.capability, p.request.width, p.request.height], ['MaaS_ImgF_P', 'image.generate', 1024, 1024])
  const kg = await accepted({ prompt: 'x', aspect_ratio: '16:9' })
  assert.deepEqual([kg.model, kg.request.width, kg.request.height], ['MaaS_ImgF_KG', 1376, 768])
  const kgDefault = await accepted({ prompt: 'x', model: 'MaaS_ImgF_KG' })
  assert.deepEqual([kgDefault.request.width, kgDefault.request.height], [1024, 1024])
  const image = (await png(100, 60)).toString('base64')
  const ke = await accepted({ prompt: 'x', input_image: image })
  assert.deepEqual(
    [ke.model, ke.capability, ke.request.width, ke.artifacts[0].width, ke.artifacts[0].height],
    ['MaaS_ImgF_KE', 'image.edit', undefined, 100, 60],
  )
  const keRatio = await accepted({ prompt: 'x', input_image: `data:image/png;base64,${image}`, aspect_ratio: '1:2' })
  assert.deepEqual([keRatio.request.width, keRatio.request.height], [736, 1440])
})

test('defaults are those of the interface', async () => {
  const { request } = await accepted({ prompt: 'x' })
  assert.deepEqual(
    { ...request, seed: typeof request.seed },
    { prompt: 'x', width: 1024, height: 1024, count: 1, seed: 'string', expandPrompt: false, safetyTolerance: 2, format: 'jpeg' },
  )
})

test('fields of another parameter set are refused by name', async () => {
  await refused({ prompt: 'x', width: 512, aspect_ratio: '1:1' }, 'width', /width is not a field of MaaS_ImgF_KG/)
  await refused({ prompt: 'x', model: 'MaaS_ImgF_P', aspect_ratio: '1:1' }, 'aspect_ratio', /not a field of MaaS_ImgF_P/)
  await refused({ prompt: 'x', model: 'MaaS_ImgF_KE' }, 'input_image', /required for MaaS_ImgF_KE/)
})

test('unknown fields are accepted, an unknown model is refused', async () => {
  await accepted({ prompt: 'x', something_new: { a: 1 } })
  const { status, body } = await gateway.call(path, { body: { prompt: 'x', model: 'no-such-model' } })
  assert.equal(status, 404)
  assert.equal(body.error.code, 'model_not_found')
})

test('every limit of the schema accepts its edge and refuses the next value over HTTP', async () => {
  for (const sample of samplesOf(f1.operations.submit, { prompt: 'a red fox' })) {
    // The bounds of these fields need special values; separate tests below cover them.
    if (['input_image', 'model', 'aspect_ratio'].includes(sample.field) || (sample.field === 'webhook_url' && sample.verdict === 'accept'))
      continue
    // The schema's upper bound of `seed` is 2^63 as a double; a test below covers the exact bound.
    if (sample.field === 'seed' && sample.verdict === 'accept') continue
    const isAreaEdge = (sample.field === 'width' || sample.field === 'height') && sample.verdict === 'accept'
    const body = isAreaEdge ? { ...sample.body, [sample.field === 'width' ? 'height' : 'width']: 1024 } : sample.body
    const { status, body: answer } = await gateway.call(path, { body })
    assert.equal(status, sample.verdict === 'accept' ? 200 : 422, `${sample.title}: ${JSON.stringify(answer)}`)
    if (sample.verdict === 'refuse') assert.match(answer.error.message, new RegExp(sample.field), sample.title)
  }
})

test('the area is at most 16,777,216 pixels', async () => {
  await accepted({ prompt: 'x', width: 4096, height: 4096 })
  await accepted({ prompt: 'x', width: 16_384, height: 1_024 })
  await refused({ prompt: 'x', width: 4097, height: 4096 }, 'width', /16781312 pixels; at most 16777216/)
})

test('the ratio goes from 3:7 to 7:3', async () => {
  for (const ratio of ['3:7', '7:3', '1:1', '21:9', '9:21']) await accepted({ prompt: 'x', aspect_ratio: ratio })
  for (const ratio of ['299:700', '701:300', '1:3', '3:1'])
    await refused({ prompt: 'x', aspect_ratio: ratio }, 'aspect_ratio', /from 3:7 to 7:3/)
  for (const ratio of ['16x9', '16:', '0:1', '1.5:1', '-1:1', ''])
    await refused({ prompt: 'x', aspect_ratio: ratio }, 'aspect_ratio', /like 16:9/)
})

test('ratios give about one megapixel with sides that are multiples of 32', () => {
  for (const ratio of ['3:7', '1:2', '2:3', '3:4', '1:1', '4:3', '3:2', '16:9', '2:1', '7:3']) {
    const { width, height } = sizeOfRatio(ratio)
    const [w = 1, h = 1] = ratio.split(':').map(Number)
    assert.equal(width % 32, 0)
    assert.equal(height % 32, 0)
    assert.ok(Math.abs((width * height) / 2 ** 20 - 1) < 0.06, `${ratio}: ${width}x${height}`)
    assert.ok(Math.abs(width / height / (w / h) - 1) < 0.05, `${ratio}: ${width}x${height}`)
  }
})

test('a seed is any signed 64-bit integer, and keeps all digits', async () => {
  for (const seed of ['9223372036854775807', '-9223372036854775808', '0', '-1', '9007199254740993']) {
    const { status, body } = await gateway.call(path, { raw: `{"prompt":"x","seed":${seed}}` })
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal((await storedTask(body.id)).request.seed, seed)
  }
  for (const seed of ['9223372036854775808', '-9223372036854775809', '1e30', '0.5', '"7"', 'true']) {
    const { status, body } = await gateway.call(path, { raw: `{"prompt":"x","seed":${seed}}` })
    assert.equal(status, 422, `${seed}: ${JSON.stringify(body)}`)
    assert.equal(body.error.param, 'seed')
  }
  const random = await accepted({ prompt: 'x', seed: null })
  assert.match(random.request.seed, /^\d+$/)
})

test('a decoded input image may have up to and including 20 MB', async () => {
  const image = await png(64, 64)
  const edge = Buffer.concat([image, Buffer.alloc(inputImageLimits.maxBytes - image.length)])
  const task = await accepted({ prompt: 'x', input_image: edge.toString('base64') })
  assert.equal(task.artifacts[0].bytes, inputImageLimits.maxBytes)
  const past = Buffer.concat([edge, Buffer.alloc(1)])
  const { status, body } = await gateway.call(path, { body: { prompt: 'x', input_image: past.toString('base64') } })
  assert.ok(status === 413 || status === 422, JSON.stringify(body))
  assert.match(body.error.message, /input_image/)
  assert.match(body.error.message, /20 MB/)
})

test('an input image may have 20 million pixels; its header decides, without decoding', async () => {
  await accepted({ prompt: 'x', input_image: (await png(5000, 4000)).toString('base64') })
  await refused(
    { prompt: 'x', input_image: (await png(5001, 4000)).toString('base64') },
    'input_image',
    /5001x4000, 20004000 pixels; at most 20000000/,
  )
  // A file whose header declares a huge picture, although the file contains only a small one.
  const bomb = Buffer.from(await png(64, 64))
  bomb.writeUInt32BE(100_000, 16)
  bomb.writeUInt32BE(100_000, 20)
  await refused({ prompt: 'x', input_image: bomb.toString('base64') }, 'input_image', /at most 20000000/)
})

test('input that is no image or no base64 is refused by name', async () => {
  await refused(
    { prompt: 'x', input_image: Buffer.from('just some text that is no picture').toString('base64') },
    'input_image',
    /not an image/,
  )
  await refused({ prompt: 'x', input_image: 'not base64 at all!' }, 'input_image', /base64/)
  await refused({ prompt: 'x', input_image: '' }, 'input_image', /empty/)
})

test('every documented image format is recognised', async () => {
  const picture = sharp({ create: { width: 70, height: 50, channels: 3, background: '#aa6633' } })
  for (const format of ['jpeg', 'png', 'webp', 'gif', 'tiff'] as const) {
    const task = await accepted({ prompt: 'x', input_image: (await picture.clone().toFormat(format).toBuffer()).toString('base64') })
    assert.equal(task.artifacts[0].mediaType, `image/${format}`)
    assert.equal(task.artifacts[0].width, 70)
  }
})

test('an unknown task, and a task at the path of another family, is Task not found with 404', async () => {
  const { status, body } = await gateway.call('/v1/ai/default/imgf/get_result?id=nothing')
  assert.equal(status, 404)
  assert.equal(body.status, 'Task not found')
  assert.equal(body.id, 'nothing')
  const missing = await gateway.call('/v1/ai/default/imgf/get_result')
  assert.equal(missing.status, 422)
})

test('webhook targets are checked at submit', async () => {
  await accepted({ prompt: 'x', webhook_url: 'https://receiver.example/hook', webhook_secret: 's3cret' })
  await refused({ prompt: 'x', webhook_url: 'ftp://receiver.example/hook' }, 'webhook_url', /http or https/)
  await refused({ prompt: 'x', webhook_url: 'https://receiver.example/hook', webhook_secret: 'two\r\nlines' }, 'webhook_secret', /header/)
  const hook = { prompt: 'x', webhook_url: 'https://receiver.example/hook' }
  for (const webhook_secret of ['two words', 'a\tb', '!', `"${'~'.repeat(254)}\\`]) await accepted({ ...hook, webhook_secret })
  for (const webhook_secret of ['', ' ', ' x', 'x ', 'x\t', 'a\u0000b', 'a\u007f', 'gehéim', '密码', 'x'.repeat(257)])
    await refused({ ...hook, webhook_secret }, 'webhook_secret', /webhook_secret/)
})
