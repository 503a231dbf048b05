/** Tests family F2 on the running program, with the built-in engine and with scripted targets. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { streamed } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { ImageEvent, ImageGenerateRequest, RefusedPicture } from '@generation-gateway/kit/requests/image.ts'
import type { Job, StreamEvent } from '@generation-gateway/kit/requests/job.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import sharp from 'sharp'
import { fakeImageDriver, onePixelPng } from '../../testing/fakes/fake-driver.ts'
import { type Answer, startTestGateway, type TestGateway } from '../../testing/gateway.ts'
import { sizes } from './family.ts'

const submitPath = '/v2/ai/default/images/generations'
const yaml = `
models:
  - { id: told, family: F2, group: large, targets: [{ driver: tells }] }
  - { id: swift, family: F2, group: fast, targets: [{ driver: tells }] }
`
const jobs: Job<ImageGenerateRequest>[] = []
const mayGoOn = Promise.withResolvers<void>()
let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({
    env: { GATEWAY_ENGINE_WORKERS: '1' },
    yaml,
    drivers: [fakeImageDriver('tells', streamed<ImageGenerateRequest, ImageEvent>(tell))],
  })
})
after(() => gateway[Symbol.asyncDispose]())

/** Yields one file per picture. The prompt selects the behaviour. `waits`: the run waits after the
 *  first picture. `breaks`: it fails after the first picture. `fewer`: all pictures but the first
 *  are refused. `refuses`: all pictures are refused. */
async function* tell(job: Job<ImageGenerateRequest>): AsyncGenerator<StreamEvent<ImageEvent>> {
  jobs.push(job)
  const { count, prompt, seed } = job.request
  const isRefused = prompt.includes('refuses')
  const drawn = isRefused ? 0 : prompt.includes('breaks') || prompt.includes('fewer') ? 1 : count
  for (let index = 0; index < drawn; index++) {
    const path = join(job.scratch, `${index}.png`)
    await writeFile(path, onePixelPng)
    yield { type: 'file', file: { path, mediaType: 'image/png', width: 1, height: 1 } }
    if (prompt.includes('waits')) await mayGoOn.promise
  }
  if (prompt.includes('breaks')) throw new GatewayError('upstream_error', 'The upstream would not go on.')
  if (isRefused) yield { type: 'outcome', outcome: { state: 'failed', code: 'content_moderated', message: 'The pictures were refused.' } }
  const report = { seed, prompt, notDrawn: [], ...(drawn < count ? { refused: refusedFrom(drawn, count) } : {}) }
  yield { type: 'outcome', outcome: { state: 'done', files: [], report, usage: [{ unit: 'images', units: drawn }] } }
}

const refusedFrom = (drawn: number, count: number): RefusedPicture[] =>
  Array.from({ length: count - drawn }, (_, index) => ({ picture: drawn + index, reasons: ['violence'] }))

const submit = (body: object, path = submitPath): Promise<Answer> => gateway.call(path, { method: 'POST', body: { step: 6, ...body } })

async function accepted(body: object, path?: string): Promise<string> {
  const { status, body: reply } = await submit(body, path)
  assert.deepEqual([status, reply.status], [200, 'success'], JSON.stringify(reply))
  return reply.taskId
}

const query = async (id: string) => (await gateway.call(`/v2/ai/default/images/tasks/${id}`)).body

const ended = (id: string) =>
  until(async () => {
    const body = await query(id)
    return body.completed ? body : undefined
  }, 'the end of the task')

async function pictureAt(url: string): Promise<{ size: object; format: string | undefined; pixels: Buffer }> {
  const answer = await fetch(url)
  assert.equal(answer.status, 200)
  const picture = sharp(Buffer.from(await answer.arrayBuffer()))
  const { width, height, format } = await picture.metadata()
  return { size: { width, height }, format, pixels: await picture.raw().toBuffer() }
}

test('the built-in engine draws the requested number of pictures, each from its own seed', async () => {
  const body = { prompts: 'a red lighthouse on a cliff', batchsize: 3, aspect_ratio: '2:3', seed: 11 }
  const { imageUrls, ...rest } = await ended(await accepted(body))
  assert.deepEqual(rest, { status: 'completed', completed: true })
  const pictures = await Promise.all(imageUrls.map(pictureAt))
  assert.deepEqual(
    pictures.map(({ size, format }) => ({ ...size, format })),
    Array(3).fill({ width: 512, height: 768, format: 'jpeg' }),
  )
  assert.equal(new Set(pictures.map(({ pixels }) => pixels.toString('base64'))).size, 3)
  const [again] = (await ended(await accepted({ ...body, batchsize: 1, seed: 12 }))).imageUrls
  const { pixels: alone } = await pictureAt(again)
  const differing = pictures.map(({ pixels }: { pixels: Buffer }) =>
    pixels.reduce((sum, value, at) => sum + (value === alone[at] ? 0 : 1), 0),
  )
  assert.equal(differing[1], 0, `picture 1 is the one of seed + 1; values of each picture that differ from it: ${differing}`)
})

test('the fields reach the target: ratio table, negative prompt, steps in both spellings, seeds', async () => {
  for (const [ratio, size] of Object.entries(sizes)) {
    await ended(await accepted({ prompts: 'p', model: 'told', aspect_ratio: ratio, 'neg-prompts': 'people', step: 24, seed: 5 }))
    const { width, height, aspectRatio, negativePrompt, steps, seed, count } = jobs.at(-1)!.request
    assert.deepEqual([{ width, height }, aspectRatio, negativePrompt, steps, seed, count], [size, ratio, 'people', 24, '5', 1])
  }
  await ended(await accepted({ prompts: 'p', model: 'told', step: undefined, Step: 9 }))
  await ended(await accepted({ prompts: 'p', model: 'told' }))
  const [first, second] = jobs.slice(-2).map(({ request }) => request)
  assert.deepEqual([first?.steps, second?.steps, first?.aspectRatio], [9, 6, '1:1'])
  assert.deepEqual(
    [first?.seed, second?.seed],
    ['0', '0'],
    'without a seed it is 0, and each batch the same (docs/interface/pictures.md#f2)',
  )
})

test('the fields decide the variant', async () => {
  const modelOf = async (body: object) => (await gateway.call(`/v1/tasks/${await accepted({ prompts: 'a boat', ...body })}`)).body.model
  assert.deepEqual(
    [await modelOf({ step: 10 }), await modelOf({ step: 24, 'neg-prompts': 'people' })],
    ['MaaS_ImgB_fast', 'MaaS_ImgB_large'],
  )
})

test('each variant has its bounds, and every refusal is an error in the form of the family', async () => {
  const refused: [body: object, words: RegExp][] = [
    [{ prompts: 'p', step: 3 }, /^step is 3; at least 4\./],
    [{ prompts: 'p', step: 41 }, /^step is 41; at most 40\./],
    [{ prompts: 'p', step: 11 }, /^step is 11; at most 10 of the fast variant\.$/],
    [{ prompts: 'p', step: 11, model: 'swift' }, /^step is 11; at most 10 of the fast variant\.$/],
    [{ prompts: 'p', 'neg-prompts': 'people', model: 'swift' }, /^neg-prompts .*swift/],
    [{ prompts: 'p', step: undefined }, /^step is required\.$/],
    [{ prompts: 'p', batchsize: 0 }, /^batchsize is 0; at least 1\./],
    [{ prompts: 'p', batchsize: 9 }, /^batchsize is 9; at most 8\./],
    [{ prompts: 'p', batchsize: '2' }, /^batchsize is "2"; it must be integer\.$/],
    [{ prompts: 'p', seed: -1 }, /^seed is -1; at least 0\./],
    [{ prompts: '  ' }, /^prompts is .*not only spaces/],
    [{ prompts: 'p', aspect_ratio: '21:9' }, /^aspect_ratio is "21:9"; it must be one of 1:1, /],
    [{ prompts: 'p', 'neg-prompts': 'x'.repeat(8193) }, /^neg-prompts has 8193 characters; at most 8192\./],
    [{}, /^prompts is required\.$/],
  ]
  for (const [body, words] of refused) {
    const { status, body: reported } = await submit(body)
    assert.deepEqual([status, reported.status, reported.taskId], [400, 'error', ''], JSON.stringify(body))
    assert.match(reported.message, words)
    assert.equal(reported.error.code, 'invalid_request')
  }
})

test('unified paths: the large variant by its model, queried by model and id', async () => {
  const path = '/v2/images/generations'
  const id = await accepted({ prompts: 'p', model: 'told', step: 24, batchsize: 2 }, path)
  const at = (model: string) => gateway.call(`/v2/images/tasks/${model}/${id}`)
  const seen = await until(async () => {
    const { body } = await at('told')
    return body.completed ? body : undefined
  }, 'the end')
  assert.deepEqual([seen.status, seen.imageUrls.length], ['completed', 2])
  for (const [answer, words] of [
    [await at('swift'), /of the model "swift"/],
    [await gateway.call('/v2/images/tasks/told/no-such-task'), /no-such-task/],
    [await gateway.call('/v2/ai/default/images/tasks/no-such-task'), /no-such-task/],
  ] as const) {
    const { message, error, ...rest } = answer.body
    assert.deepEqual([answer.status, rest], [404, { status: 'not_found', completed: false, imageUrls: [] }])
    assert.match(message, words)
    assert.equal(error.code, 'task_not_found')
  }
  assert.match((await submit({ prompts: 'p', model: 'swift' }, path)).body.message, /one of the fast variant/)
  assert.match((await submit({ prompts: 'p' }, path)).body.message, /^model is required\.$/)
  assert.equal((await submit({ prompts: 'p', model: 'nobody' }, path)).status, 404)
  assert.equal((await gateway.call(`${path}`, { method: 'POST', key: false, body: {} })).status, 401)
})

test('each picture can be fetched as soon as it is drawn; events and DELETE work on both paths', async () => {
  const id = await accepted({ prompts: 'waits', model: 'told', batchsize: 2 })
  const seen = await until(async () => {
    const body = await query(id)
    return body.imageUrls.length === 1 ? body : undefined
  }, 'the first picture')
  assert.deepEqual([seen.status, seen.completed], ['processing', false])
  assert.deepEqual((await pictureAt(seen.imageUrls[0])).size, { width: 1, height: 1 })
  mayGoOn.resolve()
  assert.equal((await ended(id)).imageUrls.length, 2)
  const events = await gateway.call(`/v2/images/tasks/told/${id}/events`)
  assert.match(events.bytes.toString(), /event: task\.output[\s\S]*event: task\.succeeded/)
  const { status, body } = await gateway.call(`/v2/ai/default/images/tasks/${id}`, { method: 'DELETE' })
  assert.deepEqual([status, body.status], [200, 'completed'])
})

test('a batch with too few pictures is completed with the reason; a batch without any has failed', async () => {
  const fewer = await ended(await accepted({ prompts: 'fewer', model: 'told', batchsize: 3 }))
  assert.deepEqual(
    [fewer.status, fewer.imageUrls.length, fewer.message],
    ['completed', 1, '2 of 3 pictures were refused by the safety rules.'],
  )
  const broken = await ended(await accepted({ prompts: 'breaks', model: 'told', batchsize: 3 }))
  assert.deepEqual(
    [broken.status, broken.imageUrls.length, broken.message],
    ['completed', 1, 'The upstream would not go on. It is not known whether the upstream accepted the task; it is not sent again.'],
  )
  const refused = await ended(await accepted({ prompts: 'refuses', model: 'told', batchsize: 2 }))
  assert.deepEqual(refused, { status: 'failed', completed: true, imageUrls: [], message: 'The pictures were refused.' })
})
