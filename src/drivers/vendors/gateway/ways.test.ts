/** What goes to F2, F3 and F4 of another gateway, what is refused before anything does, and what becomes of refused pictures. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { once } from '@generation-gateway/kit/driver.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { InputFacts } from '@generation-gateway/kit/requests/capability.ts'
import type { ImageEditRequest, ImageGenerateRequest, ImageUpscaleRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Driver, Job, Offer, Outcome } from '@generation-gateway/kit/requests/job.ts'
import { driverTools } from '../../../testing/driver-tools.ts'
import { fakeImagesDriver, onePixelPng } from '../../../testing/fakes/fake-driver.ts'
import { type FakeUpstream, jsonReply, startFakeUpstream } from '../../../testing/fakes/fake-upstream.ts'
import { gatewayDriver } from './driver.ts'
import { artwork, batch, group, startInner, startOuter } from './testing/chain.ts'

let driver: Driver
let fake: FakeUpstream
before(() => {
  driver = gatewayDriver({ repeatAfterMs: [] }).open(driverTools({ allowPrivateUrls: true }))
})
after(() => driver.close?.())
beforeEach(async () => {
  fake = await startFakeUpstream()
})
afterEach(() => fake.close())

type Capability = 'image.generate' | 'image.edit' | 'image.upscale'
const base = { prompt: 'a cat', seed: '7', expandPrompt: false, safetyTolerance: 2, format: 'jpeg' as const }
const batchRequest = { ...base, width: 768, height: 512, count: 3 }
const seriesRequest = { ...base, width: 2048, height: 2048, count: 4, series: true as const, watermark: true as const }
const artRequest = { ...base, format: 'png' as const, width: 1248, height: 832, aspectRatio: '3:2', count: 4 }
const picture: InputFacts = { role: 'image', mediaType: 'image/png', bytes: 10, width: 1248, height: 832 }
const regions = [{ width: 600, height: 600, points: [0, 0, 9, 0, 9, 9] }]
const redrawRequest = { ...base, format: 'png' as const, width: 1248, height: 832, variants: 4, regions }

interface Asked {
  request: object
  model: string
  inputs?: InputFacts[]
  settings?: JsonObject
}

function jobOf({ request, model, inputs = [], settings = {} }: Asked): Job<never> {
  const files = inputs.map(input => ({ ...input, path: '/nowhere' }))
  const at = { id: 'task-1', scratch: '/nowhere', attempt: 1, signal: new AbortController().signal, progress: () => {} }
  // Each offer is asked with a request of its own capability.
  return { ...at, request, model, inputs: files, settings: { base_url: fake.baseUrl, api_key: 'sk-inner-1', ...settings } } as never
}

async function sent(capability: Capability, asked: Asked & { origin?: { detail: JsonObject; index: number } }) {
  const offer = driver.offers[capability] as Offer<never> | undefined
  assert.equal(offer?.kind, 'polled')
  fake.answer(jsonReply({ id: 't1', taskId: 't1' }))
  const job = jobOf(asked)
  const started = await offer.start({
    ...job,
    inputs: job.inputs.map(input => ({ ...input, ...(asked.origin && { origin: asked.origin }) })),
  })
  assert.equal(started.state, 'started')
  const { path, json } = fake.received.at(-1) ?? assert.fail('nothing was sent')
  return { path, body: json, family: started.handle.family }
}

const kept = { detail: { gateway: { jobId: 'j1', pictures: [0, 3], version: 7 } }, index: 1 }

const bodies: [what: string, capability: Capability, asked: Parameters<typeof sent>[1], path: string, body: JsonObject][] = [
  [
    'a batch with steps and what must not be there',
    'image.generate',
    { model: 'MaaS_ImgB_large', request: { ...batchRequest, steps: 20, negativePrompt: 'dogs' } },
    '/v1/v2/ai/default/images/generations',
    { prompts: 'a cat', 'neg-prompts': 'dogs', batchsize: 3, aspect_ratio: '3:2', step: 20, seed: 7 },
  ],
  [
    'a series',
    'image.generate',
    { model: 'MaaS_ImgS_N1', request: { ...seriesRequest, webSearch: true, promptMode: 'standard', format: 'png' } },
    '/v1/v1/ai/default/imgs/image/generations',
    {
      ...{ prompt: 'a cat', size: '2048x2048', sequential_image_generation: 'auto', watermark: true, response_format: 'url' },
      sequential_image_generation_options: { max_images: 4 },
      ...{ tools: [{ type: 'web_search' }], optimize_prompt_options: { mode: 'standard' }, output_format: 'png' },
    },
  ],
  [
    'a tier, without a watermark',
    'image.generate',
    {
      model: 'MaaS_ImgS_N2',
      request: { ...base, width: 4096, height: 4096, count: 1, tier: { name: '4k', sizes: [] } },
    },
    '/v1/v1/ai/default/imgs/image/generations',
    { prompt: 'a cat', size: '4k', watermark: false, response_format: 'url' },
  ],
  [
    'guidance of an older model',
    'image.generate',
    { model: 'MaaS_ImgS_O1', request: { ...base, width: 512, height: 640, count: 1, guidance: 3.5 } },
    '/v1/v1/ai/default/imgs/image/generations',
    { prompt: 'a cat', size: '512x640', watermark: false, guidance_scale: 3.5, response_format: 'url' },
  ],
  [
    'an artwork',
    'image.generate',
    { model: 'MaaS_Art_v7', request: { ...artRequest, negativePrompt: 'dogs', flags: '--v 6.1 --s 250' } },
    '/v1/v1/ai/default/tob/diffusion',
    { text: 'a cat --aspect 3:2 --seed 7 --no dogs --v 6.1 --s 250' },
  ],
  [
    'a draft',
    'image.generate',
    { model: 'MaaS_Art_v7', request: { ...artRequest, width: 624, height: 416, aspectRatio: '3:2', flags: '--draft' } },
    '/v1/v1/ai/default/tob/diffusion',
    { text: 'a cat --aspect 3:2 --seed 7 --draft' },
  ],
  [
    'a redraw',
    'image.edit',
    { model: 'MaaS_Art_v7', request: redrawRequest, inputs: [picture], origin: kept },
    '/v1/v1/ai/default/tob/inpaint',
    { jobId: 'j1', imageNo: 3, mask: { areas: regions }, remixPrompt: 'a cat --seed 7' },
  ],
  [
    'an upscale',
    'image.upscale',
    {
      ...{ model: 'MaaS_Art_v7', inputs: [picture], origin: kept },
      request: { factor: 2, mode: 'creative', seed: '7', safetyTolerance: 2, format: 'png' },
    },
    '/v1/v1/ai/default/tob/upscale',
    { jobId: 'j1', imageNo: 3, type: 1 },
  ],
]
for (const [what, capability, asked, path, body] of bodies) {
  test(`${what} is sent in the words of its family`, async () => {
    const { path: asked_path, body: said } = await sent(capability, asked)
    assert.deepEqual([asked_path, said], [path, { model: asked.model, ...body }])
  })
}

test('a model of several families is asked through the first that carries the whole request', async () => {
  const settings = { families: ['F4', 'F3', 'F2', 'F1'] }
  for (const [family, request] of [
    ['F1', { ...batchRequest, count: 1, expandPrompt: true, seed: '-1' }],
    ['F2', { ...batchRequest, steps: 8 }],
    ['F3', seriesRequest],
    ['F4', artRequest],
  ] as const)
    assert.equal((await sent('image.generate', { model: 'm', request, settings })).family, family)
})

const refusals: [what: string, capability: Capability, asked: Asked, field: string | undefined][] = [
  [
    'a negative prompt of the fast variant',
    'image.generate',
    { model: 'MaaS_ImgB_fast', request: { ...batchRequest, negativePrompt: 'x' } },
    'negativePrompt',
  ],
  ['too many steps of it', 'image.generate', { model: 'MaaS_ImgB_fast', request: { ...batchRequest, steps: 11 } }, 'steps'],
  ['another size', 'image.generate', { model: 'MaaS_ImgB_fast', request: { ...batchRequest, width: 64 } }, 'width'],
  ['a PNG', 'image.generate', { model: 'MaaS_ImgB_fast', request: { ...batchRequest, format: 'png' } }, 'format'],
  ['a batch as a series', 'image.generate', { model: 'MaaS_ImgB_fast', request: { ...batchRequest, series: true } }, 'series'],
  ['stricter safety', 'image.generate', { model: 'MaaS_ImgB_fast', request: { ...batchRequest, safetyTolerance: 0 } }, 'safetyTolerance'],
  [
    'several pictures that are no series',
    'image.generate',
    { model: 'MaaS_ImgS_N1', request: { ...seriesRequest, series: undefined } },
    'count',
  ],
  ['a series of an older model', 'image.generate', { model: 'MaaS_ImgS_O1', request: seriesRequest }, 'series'],
  [
    'few pixels of a newer one',
    'image.generate',
    { model: 'MaaS_ImgS_N1', request: { ...base, width: 512, height: 512, count: 1 } },
    'width',
  ],
  [
    'references and pictures beyond 15',
    'image.edit',
    { model: 'MaaS_ImgS_N1', request: { ...base, width: 2048, height: 2048, variants: 4, series: true }, inputs: Array(12).fill(picture) },
    'variants',
  ],
  ['a mask', 'image.edit', { model: 'MaaS_ImgS_N3', request: base, inputs: [picture, { ...picture, role: 'mask' }] }, 'mask'],
  ['regions of F3', 'image.edit', { model: 'MaaS_ImgS_N3', request: redrawRequest, inputs: [picture] }, 'regions'],
  ['three artworks', 'image.generate', { model: 'MaaS_Art_v7', request: { ...artRequest, count: 3 } }, 'count'],
  ['words that are flags there', 'image.generate', { model: 'MaaS_Art_v7', request: { ...artRequest, prompt: 'a --v 5 cat' } }, 'prompt'],
  ['an edit without regions', 'image.edit', { model: 'MaaS_Art_v7', request: { ...base, variants: 4 }, inputs: [picture] }, 'image'],
  [
    'an upscale of F1',
    'image.upscale',
    { model: 'MaaS_ImgF_P', request: { factor: 2, mode: 'subtle', seed: '7', safetyTolerance: 2, format: 'png' }, inputs: [picture] },
    undefined,
  ],
]
for (const [what, capability, asked, field] of refusals) {
  test(`${what} is refused before anything is sent`, async () => {
    const offer = driver.offers[capability] as Offer<never> | undefined
    assert.equal(offer?.kind, 'polled')
    const job = jobOf(asked)
    assert.equal(offer.refuses?.(job)?.field, field)
    assert.notEqual(offer.refuses?.(job), undefined)
    await assert.rejects(offer.start(job), { code: 'not_implemented' })
    assert.equal(fake.received.length, 0)
  })
}

test('a picture that another driver drew is refused, and nothing is sent', async () => {
  const asked = { model: 'MaaS_Art_v7', request: redrawRequest, inputs: [picture] }
  await assert.rejects(sent('image.edit', asked), { code: 'not_implemented', field: 'image' })
  assert.equal(fake.received.length, 0)
})

/** Every second picture is withheld. */
async function withheld(job: Job<ImageGenerateRequest | ImageEditRequest | ImageUpscaleRequest>): Promise<Outcome> {
  const { request } = job
  seen.push(Object(job.inputs[0]?.origin?.detail).picture)
  const wanted = 'count' in request ? request.count : 'variants' in request ? (request.variants ?? 1) : 1
  const indexes = Array.from({ length: wanted }, (_, index) => index)
  const path = join(job.scratch, 'pixel.png')
  await writeFile(path, onePixelPng)
  const given = indexes.filter(index => index % 2 === 0)
  const files = await Promise.all(
    given.map(async index => {
      const file = join(job.scratch, `${index}.png`)
      // Bytes of its own, so that it is found again by them.
      await writeFile(file, Buffer.concat([onePixelPng, Buffer.from(`${index}`)]))
      return { path: file, mediaType: 'image/png', width: 1, height: 1 }
    }),
  )
  const refused = indexes.filter(index => index % 2 === 1).map(index => ({ picture: index, reasons: [`reason ${index}`] }))
  const report = { seed: request.seed, prompt: request.prompt ?? '', notDrawn: ['zorp'], notFollowed: ['guidance' as const], refused }
  return { state: 'done', files, report, detail: { picture: 'drawn here' }, usage: [{ unit: 'images', units: files.length }] }
}
const seen: unknown[] = []

test('refused pictures keep their places on the way through, and what is left can be gone on from', async () => {
  const veil = fakeImagesDriver('veil', {
    'image.generate': { ...once<ImageGenerateRequest>(withheld), follows: ['flags', 'series', 'watermark'] },
    'image.edit': { ...once<ImageEditRequest>(withheld), follows: ['flags', 'regions'] },
    'image.upscale': once<ImageUpscaleRequest>(withheld),
  })
  const on = 'targets: [{ driver: veil }]'
  const yaml = `models:\n  - { id: MaaS_ImgB_fast, family: F2, group: fast, ${on} }\n  - { id: MaaS_ImgS_N1, family: F3, group: N1, ${on} }\n  - { id: MaaS_Art_v7, family: F4, ${on} }\n`
  await using inner = await startInner({ drivers: [veil], yaml })
  await using outer = await startOuter(inner.url)
  const far = { gateway: outer }
  const drawn = await batch(far, { prompts: 'a cat', batchsize: 3, step: 4 })
  assert.deepEqual([drawn.imageUrls.length, drawn.message], [2, '1 of 3 pictures were refused by the safety rules.'])
  const options = { sequential_image_generation: 'auto', sequential_image_generation_options: { max_images: 4 } }
  const { body: series } = await group(far, { prompt: 'a cat', model: 'MaaS_ImgS_N1', ...options })
  assert.deepEqual(
    series.data.map(({ error }: { error?: { code: string } }) => error?.code),
    [undefined, 'OutputImageSensitiveContentDetected', undefined, 'OutputImageSensitiveContentDetected'],
    JSON.stringify(series),
  )
  assert.deepEqual(series.not_drawn, ['zorp'])
  const job = await artwork(far, 'diffusion', { text: 'a cat --s 3' })
  assert.deepEqual([job.audits, job.not_drawn, job.not_followed], [['', 'reason 1', '', 'reason 3'], ['zorp'], ['guidance']])
  const body = { jobId: job.id, imageNo: 2, mask: { areas: regions } }
  assert.equal((await artwork(far, 'inpaint', body)).status, 2)
  assert.equal((await artwork(far, 'upscale', { jobId: job.id, imageNo: 2, type: 0 })).status, 2)
  const { tasks } = (await inner.admin('/admin/tasks')).body
  assert.equal(tasks.length, 5)
  assert.deepEqual(seen.slice(-2), ['drawn here', 'drawn here'])
})
