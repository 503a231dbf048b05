/** Tests OpenAI's images interface on the running program, with the built-in engine and with a
 *  scripted target. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { once, streamed } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { ImageEditRequest, ImageEvent, ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Job, Outcome, StreamEvent } from '@generation-gateway/kit/requests/job.ts'
import sharp from 'sharp'
import { SqlStore } from '../../stores/sql/store.ts'
import { fakeImagesDriver, onePixelPng } from '../../testing/fakes/fake-driver.ts'
import { type Answer, startTestGateway, type TestGateway, testKey } from '../../testing/gateway.ts'

const yaml = `
models:
  - { id: cloud, family: images, price: { image: 0.04 }, targets: [{ driver: cloud }] }
  - { id: breaks, family: images, price: { image: 0.04 }, targets: [{ driver: breaks }] }
  - { id: words-only, family: images, targets: [{ driver: words-only }] }
`
const jobs: Job<ImageGenerateRequest | ImageEditRequest>[] = []
let gateway: TestGateway
before(async () => {
  const cloud = once(drawOnCloud)
  const drivers = [
    fakeImagesDriver('cloud', { 'image.generate': cloud, 'image.edit': cloud }),
    fakeImagesDriver('words-only', { 'image.generate': cloud }),
  ]
  drivers.push(fakeImagesDriver('breaks', { 'image.generate': streamed(breakAfterTwo, { isRepeatable: true }) }))
  gateway = await startTestGateway({ env: { GATEWAY_ENGINE_WORKERS: '1' }, yaml, drivers })
})
after(() => gateway[Symbol.asyncDispose]())

async function drawOnCloud(job: Job<ImageGenerateRequest | ImageEditRequest>): Promise<Outcome> {
  jobs.push(job)
  const path = join(job.scratch, 'picture.png')
  await writeFile(path, onePixelPng)
  const { seed, prompt } = job.request
  return {
    state: 'done',
    files: [{ path, mediaType: 'image/png', width: 1, height: 1 }],
    report: { seed, prompt: `${prompt}, in detail`, notDrawn: [], notFollowed: ['seed', 'width', 'height'], granted: ['quality'] },
    usage: [
      { unit: 'images', units: 1 },
      { unit: 'input_tokens', units: 12 },
      { unit: 'output_tokens', units: 272 },
    ],
  }
}

async function* breakAfterTwo(job: Job<ImageGenerateRequest>): AsyncGenerator<StreamEvent<ImageEvent>> {
  for (const index of [0, 1]) {
    const path = join(job.scratch, `${index}.png`)
    await writeFile(path, onePixelPng)
    yield { type: 'file', file: { path, mediaType: 'image/png', width: 1, height: 1 } }
  }
  throw new GatewayError('engine_timeout', 'It took too long.')
}

const generate = (body: object, path = '/v1/images/generations') => gateway.call(path, { body: { size: '256x192', seed: 5, ...body } })

async function edit(fields: Record<string, string>, files: [name: string, picture: Buffer][]): Promise<Pick<Answer, 'status' | 'body'>> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  for (const [name, picture] of files) form.append(name, new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'picture.png')
  const answer = await fetch(`${gateway.url}/v1/images/edits`, {
    method: 'POST',
    headers: { authorization: `Bearer ${testKey}` },
    body: form,
  })
  return { status: answer.status, body: JSON.parse(await answer.text()) }
}

const pictureIn = async (b64: string) => {
  const { width, height, format } = await sharp(Buffer.from(b64, 'base64')).metadata()
  return { width, height, format }
}

const blue = (width = 96, height = 64) =>
  sharp({ create: { width, height, channels: 3, background: '#3060c0' } })
    .png()
    .toBuffer()

test('pictures of the built-in engine are returned as base64, or as links to the same files', async () => {
  const { status, body } = await generate({ prompt: 'a red fox in the snow', n: 2 })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(
    [body.size, body.output_format, body.background, body.not_drawn, body.not_followed],
    ['256x192', 'png', 'opaque', [], []],
  )
  assert.ok(Math.abs(body.created - Date.now() / 1000) < 120)
  for (const { b64_json } of body.data) assert.deepEqual(await pictureIn(b64_json), { width: 256, height: 192, format: 'png' })
  const older = (await generate({ prompt: 'a red fox in the snow', n: 1, model: 'dall-e-3' })).body
  assert.match(older.data[0].url, /\/files\//)
  const named = await generate({ prompt: 'a red fox in the snow', n: 1, model: 'gpt-image-1' })
  assert.deepEqual(
    [typeof named.body.data[0].b64_json, named.headers.get('x-gateway-warning')],
    ['string', 'model: gpt-image-1 is an alias of studio.'],
  )
  const links = (await generate({ prompt: 'a red fox in the snow', n: 2, response_format: 'url' })).body
  for (const [index, { url, b64_json }] of links.data.entries()) {
    assert.equal(b64_json, undefined)
    const file = Buffer.from(await (await fetch(url)).arrayBuffer())
    assert.equal(file.toString('base64'), body.data[index].b64_json)
  }
  const task = (await gateway.call(`/v1/tasks/${body.id}`)).body
  assert.deepEqual([task.state, task.family, task.outputs.length], ['succeeded', 'images', 2])
})

test('the files have the requested formats, also at the path of an endpoint', async () => {
  for (const output_format of ['jpeg', 'webp']) {
    const { body } = await generate({ prompt: 'a boat', output_format }, '/v1/ai/default/images/generations')
    assert.deepEqual(
      [body.output_format, await pictureIn(body.data[0].b64_json)],
      [output_format, { width: 256, height: 192, format: output_format }],
    )
  }
})

test('a stream has previews and then the picture, which equals that of the whole answer', async () => {
  const answer = await generate({ prompt: 'a lighthouse at night', stream: true, partial_images: 2, n: 2 })
  assert.match(answer.headers.get('content-type') ?? '', /^text\/event-stream/)
  const events = answer.bytes
    .toString()
    .trim()
    .split('\n\n')
    .map(frame => {
      const [name = '', data = ''] = frame.split('\n')
      return { name: name.slice('event: '.length), data: JSON.parse(data.slice('data: '.length)) }
    })
  assert.deepEqual(
    events.map(({ name, data }) => [name === data.type, name, data.partial_image_index, data.size, data.output_format]),
    [
      [true, 'image_generation.partial_image', 0, '256x192', 'png'],
      [true, 'image_generation.partial_image', 1, '256x192', 'png'],
      [true, 'image_generation.partial_image', 0, '256x192', 'png'],
      [true, 'image_generation.partial_image', 1, '256x192', 'png'],
      [true, 'image_generation.completed', undefined, '256x192', 'png'],
      [true, 'image_generation.completed', undefined, '256x192', 'png'],
    ],
  )
  const whole = (await generate({ prompt: 'a lighthouse at night', n: 2 })).body
  const completed = events.filter(({ name }) => name.endsWith('completed')).map(({ data }) => data.b64_json)
  assert.deepEqual(
    completed,
    whole.data.map(({ b64_json }: { b64_json: string }) => b64_json),
  )
})

test('an edit keeps the shape of its picture; several image parts, and JSON, are accepted', async () => {
  const picture = await blue()
  const { status, body } = await edit({ prompt: 'make it black and white' }, [['image', picture]])
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(await pictureIn(body.data[0].b64_json), { width: 96, height: 64, format: 'png' })
  const { data } = await sharp(Buffer.from(body.data[0].b64_json, 'base64')).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const [r = 0, , b = 0] = data
  assert.ok(Math.abs(r - b) < 12, `grey, not ${r} ${b}`)
  const many = await edit({ prompt: 'together', model: 'cloud', n: '2', size: '1024x1024' }, [
    ['image[]', picture],
    ['image[]', await blue(32)],
    ['mask', picture],
  ])
  assert.equal(many.status, 200, JSON.stringify(many.body))
  const job = jobs.at(-1)!
  assert.deepEqual(
    job.inputs.map(({ role, width }) => [role, width]),
    [
      ['image', 96],
      ['image', 32],
      ['mask', 96],
    ],
  )
  assert.deepEqual([(job.request as ImageEditRequest).variants, job.request.width], [2, 1024])
  const url = `data:image/png;base64,${picture.toString('base64')}`
  for (const given of [{ image: [url] }, { images: [{ image_url: url }] }]) {
    const { body: inJson } = await gateway.call('/v1/ai/default/images/edits', { body: { prompt: 'make it grey', ...given } })
    assert.deepEqual(await pictureIn(inJson.data[0].b64_json), { width: 96, height: 64, format: 'png' })
  }
})

test('settings reach the target; the answer reports what was used, counted and left out', async () => {
  const { body } = await generate({
    ...{ prompt: 'a harbour', model: 'cloud', quality: 'high', background: 'transparent', style: 'vivid', negative_prompt: 'people' },
    ...{ output_compression: 80, output_format: 'webp', moderation: 'low', user: 'someone' },
  })
  const request = jobs.at(-1)?.request as ImageGenerateRequest
  assert.deepEqual(request.wishes, { quality: 'high', background: 'transparent', style: 'vivid', output_compression: 80 })
  assert.deepEqual([request.negativePrompt, request.safetyTolerance, request.seed, request.format], ['people', 5, '5', 'webp'])
  assert.deepEqual(body.data[0].revised_prompt, 'a harbour, in detail')
  assert.deepEqual(body.usage, { input_tokens: 12, output_tokens: 272, total_tokens: 284 })
  assert.deepEqual([body.quality, body.background], ['high', 'opaque'])
  assert.deepEqual(body.not_followed.toSorted(), ['background', 'output_compression', 'seed', 'size', 'style'])
  const plain = await generate({ prompt: 'a harbour', model: 'cloud', quality: 'auto', size: 'auto', seed: null, n: null, stream: null })
  assert.deepEqual([plain.status, plain.body.not_followed, jobs.at(-1)?.request.wishes], [200, [], undefined])
})

test('pictures that were drawn before a failure are returned and charged', async () => {
  const { status, headers, body } = await generate({ prompt: 'x', model: 'breaks', n: 4 })
  assert.deepEqual([status, body.data.length], [200, 2], JSON.stringify(body))
  assert.match(headers.get('x-gateway-warning') ?? '', /Fewer pictures than wanted: engine_timeout/)
  assert.equal((await gateway.call(`/v1/tasks/${body.id}`)).body.cost, 0.08)
  const stream = (await generate({ prompt: 'x', model: 'breaks', n: 4, stream: true })).bytes.toString()
  assert.deepEqual(
    [...stream.matchAll(/^event: (\S+)/gm)].map(([, name]) => name),
    ['image_generation.completed', 'image_generation.completed', 'error'],
  )
})

test('a store that fails after the run only hides the usage', async ({ mock }) => {
  mock.method(SqlStore.prototype, 'taskUsage', () => Promise.reject(new GatewayError('store_unavailable', 'The store is away.')))
  const { status, headers, body } = await generate({ prompt: 'a harbour', model: 'cloud', style: 'vivid' })
  assert.deepEqual([status, body.data.length, body.usage, body.data[0].revised_prompt], [200, 1, undefined, 'a harbour, in detail'])
  assert.deepEqual([body.not_drawn, body.not_followed.toSorted()], [[], ['seed', 'size', 'style']])
  const warning = headers.get('x-gateway-warning') ?? ''
  assert.match(warning, /The usage is missing: store_unavailable/)
  assert.doesNotMatch(warning, /Fewer pictures/)
})

test('generations and edits have separate fields but share Idempotency-Keys', async () => {
  const image = [`data:image/png;base64,${(await blue()).toString('base64')}`]
  const body = { prompt: 'make it black and white', model: 'cloud', image, style: { evil: [1] }, input_fidelity: 'high', seed: 1 }
  await gateway.call('/v1/images/edits', { body })
  assert.deepEqual(jobs.at(-1)?.request.wishes, { input_fidelity: 'high' })
  assert.equal((await gateway.call('/v1/images/generations', { body })).status, 400, 'a style is a word there')
  const keyed = { body: { ...body, style: 'vivid' }, headers: { 'idempotency-key': 'both' } }
  assert.equal((await gateway.call('/v1/images/edits', keyed)).status, 200)
  assert.equal((await gateway.call('/v1/images/generations', keyed)).status, 409)
  const stream = await generate({ ...body, style: 'vivid', stream: true })
  assert.deepEqual(jobs.at(-1)?.request.wishes, { style: 'vivid' })
  assert.match(stream.bytes.toString(), /^event: image_generation\.completed/)
})

test('with a mask, only the transparent area is changed', async () => {
  const hole = { input: { create: { width: 48, height: 64, channels: 4 as const, background: '#000' } }, blend: 'dest-out' as const }
  const mask = await sharp(await blue())
    .ensureAlpha()
    .composite([{ ...hole, left: 0, top: 0 }])
    .png()
    .toBuffer()
  const { status, body } = await edit({ prompt: 'make it black and white' }, [
    ['image', await blue()],
    ['mask', mask],
  ])
  assert.equal(status, 200, JSON.stringify(body))
  const pixels = await sharp(Buffer.from(body.data[0].b64_json, 'base64')).removeAlpha().raw().toBuffer()
  const at = (x: number) => [...pixels.subarray((32 * 96 + x) * 3, (32 * 96 + x) * 3 + 3)]
  const [r, g, b] = at(10)
  assert.ok(r === g && g === b, `${at(10)}`)
  assert.deepEqual(at(80), [0x30, 0x60, 0xc0])
  const closed = await edit({ prompt: 'make it black and white' }, [
    ['image', await blue()],
    ['mask', await blue()],
  ])
  assert.equal(closed.status, 400)
  assert.match(closed.body.error.message, /^mask: nothing of the picture/)
})

test('an invalid request is refused in OpenAI’s words, at no cost', async () => {
  const before = (await gateway.call('/v1/tasks')).body.data.length
  const refused: [body: object, param: string, words: RegExp][] = [
    [{}, 'prompt', /prompt is required/],
    [{ prompt: 'x', n: 0 }, 'n', /at least 1/],
    [{ prompt: 'x', n: 11 }, 'n', /at most 10/],
    [{ prompt: 'x', size: '32x64' }, 'size', /from 64 to 16384/],
    [{ prompt: 'x', size: '9000x9000' }, 'size', /at most 16777216 pixels/],
    [{ prompt: 'x', size: 'big' }, 'size', /auto or width x height/],
    [{ prompt: 'x', output_format: 'gif' }, 'output_format', /png, jpeg, webp/],
    [{ prompt: 'x', partial_images: 4 }, 'partial_images', /at most 3/],
    [{ prompt: 'x', seed: -1 }, 'seed', /at least 0/],
  ]
  for (const [body, param, words] of refused) {
    const { status, body: reported } = await generate(body)
    assert.deepEqual([status, reported.error.type, reported.error.param], [400, 'invalid_request_error', param], JSON.stringify(reported))
    assert.match(reported.error.message, words)
  }
  const none = await edit({ prompt: 'x' }, [])
  assert.deepEqual([none.status, none.body.error.param], [400, 'image'])
  const cannot = await edit({ prompt: 'x', model: 'words-only' }, [['image', await blue()]])
  assert.equal(cannot.status, 503, JSON.stringify(cannot.body))
  assert.equal((await gateway.call('/v1/tasks')).body.data.length, before)
})

test('a refusal of the safety rules is content_policy_violation, also in a stream', async () => {
  const { status, body } = await generate({ prompt: 'a naked woman, explicit porn' })
  assert.deepEqual([status, body.error.code], [400, 'content_policy_violation'])
  const stream = await generate({ prompt: 'a naked woman, explicit porn', stream: true })
  assert.deepEqual([stream.status, stream.body.error.code], [400, 'content_policy_violation'])
})
