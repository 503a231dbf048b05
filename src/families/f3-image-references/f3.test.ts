/** Tests family F3 on the running program (docs/interface/pictures.md#f3), with scripted targets
 *  and with the built-in engine. The fields of its requests are in `fields.test.ts`. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { streamed } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { ImageEditRequest, ImageEvent, ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Job, StreamEvent } from '@generation-gateway/kit/requests/job.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import sharp from 'sharp'
import { assertDocumented } from '../../testing/documented.ts'
import { fakeImagesDriver, onePixelPng } from '../../testing/fakes/fake-driver.ts'
import { startTestGateway, type TestGateway, testKey } from '../../testing/gateway.ts'
import { dataUrl, picture } from '../../tests/limits/samples.ts'

type Asked = Job<ImageGenerateRequest | ImageEditRequest>

const path = '/v1/ai/default/imgs/image/generations'
const groups = ['N1', 'N2', 'N3', 'O1', 'O2']
const yaml = `
accounts:
  - id: default
    endpoints: [{ name: shaped, routes: { F3: { model: n1, response_shape: R1 } } }]
models:
${groups.map(group => `  - { id: ${group.toLowerCase()}, family: F3, group: ${group}, price: { image: 0.5 }, targets: [{ driver: told }] }`).join('\n')}
  - { id: counted, family: F3, group: N1, price: { image: 0.5 }, targets: [{ driver: counted }] }
`
const jobs: Asked[] = []
/** The promises that runs wait for after their first picture, by prompt. The test resolves them. */
const mayGoOn = new Map<string, PromiseWithResolvers<void>>()
let gateway: TestGateway
before(async () => {
  const extras = ['series', 'guidance', 'webSearch', 'promptMode'] as const
  // When a run on the target `told` fails, its provider may charge for more than the delivered
  // pictures. Jobs of the target `counted` may be repeated free of charge, so a failed run there
  // costs only the delivered pictures.
  const reported = streamed<Asked['request'], ImageEvent>(draw, { follows: extras })
  const counted = streamed<Asked['request'], ImageEvent>(draw, { follows: extras, isRepeatable: true })
  const drivers = [
    fakeImagesDriver('told', { 'image.generate': reported, 'image.edit': reported }),
    fakeImagesDriver('counted', { 'image.generate': counted }),
  ]
  gateway = await startTestGateway({ env: { GATEWAY_ENGINE_WORKERS: '1' }, yaml, drivers })
})
after(() => gateway[Symbol.asyncDispose]())

/** Draws three pictures for a series, else one. The prompt selects a failure. `nothing`: the run
 *  fails before the first picture. `refuse`: the second picture is refused; with `late` in the
 *  prompt, the refusal is reported only at the end. `break`: the run fails after the first
 *  picture. */
async function* draw(job: Asked): AsyncGenerator<StreamEvent<ImageEvent>> {
  jobs.push(job)
  const { prompt, series, seed } = job.request
  if (prompt.includes('nothing')) throw new GatewayError('rate_limited', 'No room.', { retryAfterSeconds: 3 })
  if (prompt.includes('forbidden'))
    return yield { type: 'outcome', outcome: { state: 'failed', code: 'content_moderated', message: 'It was refused.' } }
  const count = series ? 3 : 1
  const refused = prompt.includes('refuse') ? [{ picture: 1, reasons: ['violence'] }] : []
  for (let picture = 0; picture < count; picture++) {
    const [withheld] = refused.filter(each => each.picture === picture)
    if (withheld) {
      if (!prompt.includes('late')) yield { type: 'event', event: { type: 'refused', ...withheld } }
      continue
    }
    const file = join(job.scratch, `${picture}.png`)
    await writeFile(file, onePixelPng)
    yield { type: 'file', file: { path: file, mediaType: 'image/png', width: 640, height: 320 } }
    const { promise: left, resolve } = Promise.withResolvers<void>()
    job.signal.addEventListener('abort', () => resolve(), { once: true })
    await Promise.race([mayGoOn.get(prompt)?.promise, left])
    job.signal.throwIfAborted()
    if (prompt.includes('break')) throw new GatewayError('upstream_error', 'The upstream broke.')
  }
  const report = { seed, prompt, notDrawn: ['owl'], notFollowed: ['seed', 'width'], refused }
  yield { type: 'outcome', outcome: { state: 'done', files: [], report, usage: [{ unit: 'images', units: count - refused.length }] } }
}

const ask = (body: object, at = path, headers: Record<string, string> = {}) =>
  gateway.call(at, { body: { prompt: 'a fox', model: 'n1', ...body }, headers })

async function given(body: object) {
  const answer = await ask(body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assertDocumented('generateImageGroup', answer)
  return answer.body
}

interface Frame {
  event: string | undefined
  data: FrameData
}

interface FrameData {
  type: string
  image_index: number
  url: string
  b64_json: string
  size?: string
  error?: { code: string; message: string }
  usage: object
  id: string
  not_drawn: string[]
}

const outcomeOf = ({ size, error }: Pick<FrameData, 'size' | 'error'>) => size ?? error?.code

function framesIn(text: string): Frame[] {
  return text
    .split('\n\n')
    .filter(frame => frame.includes('data: '))
    .map(frame => {
      const data = /^data: (.*)$/m.exec(frame)?.[1] ?? ''
      return { event: /^event: (.*)$/m.exec(frame)?.[1], data: data === '[DONE]' ? data : JSON.parse(data) }
    })
}

const framesOf = async (body: object) => {
  const answer = await ask({ stream: true, ...body })
  assert.equal(answer.status, 200, answer.bytes.toString())
  return framesIn(answer.bytes.toString())
}

const costOf = async (id: string) => (await gateway.call(`/v1/tasks/${id}`)).body.cost

/** Returns the number of pictures for which money of the account is still reserved after a failed
 *  run, because the provider may have charged for them (the open line); undefined when there are
 *  none. */
async function openPictures(id: string): Promise<number | undefined> {
  const { lines } = (await gateway.admin('/admin/usage/open')).body
  const line = lines.find(({ taskId }: { taskId: string }) => taskId === id)
  return line?.units.find(({ unit }: { unit: string }) => unit === 'images').units
}

test('R2: a picture has its link, size and tokens, and the answer lists what was not followed', async () => {
  const body = await given({ size: '2048x2048' })
  const { data, usage, created, id, model, not_drawn, not_followed } = body
  assert.deepEqual([model, data.length, data[0].size], ['n1', 1, '640x320'])
  assert.equal((await gateway.call(data[0].url, { key: false })).status, 200)
  assert.deepEqual(usage, { generated_images: 1, output_tokens: 800, total_tokens: 800 })
  assert.ok(Math.abs(created - Date.now() / 1000) < 120)
  assert.deepEqual([not_drawn, not_followed.toSorted()], [['owl'], ['size', 'watermark']])
  assert.equal(await costOf(id), 0.5)
  const inline = await given({ response_format: 'b64_json' })
  assert.deepEqual([inline.data[0].b64_json, inline.data[0].url], [onePixelPng.toString('base64'), undefined])
})

test('the answer has the shape R1 when the route requests it', async () => {
  const answer = await ask({ size: '2k', watermark: false }, '/v1/ai/shaped/imgs/image/generations')
  assertDocumented('generateImageGroup', answer)
  const { code, message, data, created_at, request_id } = answer.body
  assert.deepEqual([code, message, request_id], [0, 'success', answer.headers.get('x-request-id')])
  const [{ url, ...image }] = data.images
  assert.deepEqual(image, { width: 640, height: 320, size: '2K', format: 'jpeg' })
  assert.equal((await gateway.call(url, { key: false })).status, 200)
  assert.deepEqual(data.parameters, { prompt: 'a fox', size: '2k', watermark: false, model: 'n1', endpoint: 'shaped' })
  assert.deepEqual(data.usage, { total_tokens: 800, image_count: 1 })
  assert.match(created_at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
})

test('a stream has exactly the frames of the interface', async () => {
  const frames = await framesOf({ sequential_image_generation: 'auto', prompt: 'a fox, refuse one' })
  assert.deepEqual(
    frames.map(({ event }) => event),
    [...['succeeded', 'failed', 'succeeded'].map(word => `image_generation.partial_${word}`), 'image_generation.completed', undefined],
  )
  const [first, second, third, end, done] = frames.map(({ data }) => data) as [FrameData, FrameData, FrameData, FrameData, unknown]
  assert.deepEqual(Object.keys(first), ['type', 'model', 'created', 'image_index', 'url', 'size'])
  assert.deepEqual(
    [first, second, third].map(({ image_index }) => image_index),
    [0, 1, 2],
  )
  assert.deepEqual([second.error?.code, /Request id: /.test(second.error?.message ?? '')], ['OutputImageSensitiveContentDetected', true])
  assert.deepEqual(end.usage, { generated_images: 2, output_tokens: 1600, total_tokens: 1600 })
  assert.deepEqual([end.not_drawn, done], [['owl'], '[DONE]'])
  assert.equal(await costOf(end.id), 1)
  const [inline] = await framesOf({ response_format: 'b64_json' })
  assert.equal(inline?.data.b64_json, onePixelPng.toString('base64'))
})

test('a refused picture of a group keeps its place; a failure ends the group, and the finished pictures are returned and charged', async () => {
  const auto = { sequential_image_generation: 'auto' }
  const refused = await given({ ...auto, prompt: 'refuse one' })
  assert.deepEqual(refused.data.map(outcomeOf), ['640x320', 'OutputImageSensitiveContentDetected', '640x320'])
  const broken = await given({ ...auto, prompt: 'break' })
  assert.deepEqual(broken.data.map(outcomeOf), ['640x320', 'InternalServiceError'])
  assert.equal(broken.usage.generated_images, 1)
  const frames = await framesOf({ ...auto, prompt: 'break' })
  assert.deepEqual(
    frames.map(({ event, data }) => data.error?.code ?? event),
    ['image_generation.partial_succeeded', 'InternalServiceError', 'image_generation.completed', undefined],
  )
  // One of at most 15 pictures was delivered at a price of 0.5. The other 14 may have been drawn,
  // so their price stays reserved.
  for (const id of [broken.id, frames.at(-2)?.data.id ?? '']) assert.deepEqual([await costOf(id), await openPictures(id)], [0.5, 14])
  const counted = await given({ ...auto, prompt: 'break', model: 'counted' })
  assert.deepEqual([await costOf(counted.id), await openPictures(counted.id)], [0.5, undefined])
})

test('an answer without any picture is an error in the words of the family, also for a stream', async () => {
  for (const stream of [false, true]) {
    const busy = await ask({ prompt: 'nothing', stream })
    assert.deepEqual([busy.status, busy.body.error.code, busy.body.error.type], [429, 'RateLimitExceeded', 'TooManyRequests'])
    assertDocumented('generateImageGroup', busy)
    const refused = await ask({ prompt: 'forbidden', stream })
    assert.deepEqual([refused.status, refused.body.error.code], [400, 'OutputImageSensitiveContentDetected'])
  }
})

test('each picture is sent when it is ready; the run waits for a slow reader and stops when the reader disconnects; sent pictures are counted', async () => {
  const prompt = 'held'
  const mayEnd = Promise.withResolvers<void>()
  mayGoOn.set(prompt, mayEnd)
  const leaving = new AbortController()
  const answer = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt, model: 'counted', stream: true, sequential_image_generation: 'auto' }),
    signal: leaving.signal,
  })
  const reader = answer.body!.getReader()
  let text = ''
  while (!text.includes('\n\n')) text += Buffer.from((await reader.read()).value ?? []).toString()
  assert.deepEqual(
    framesIn(text).map(({ event }) => event),
    ['image_generation.partial_succeeded'],
  )
  const job = jobs.at(-1)!
  assert.equal(job.signal.aborted, false)
  leaving.abort()
  await until(() => job.signal.aborted, 'the end of the work')
  const task = await until(async () => {
    const { body } = await gateway.call(`/v1/tasks/${job.id}`)
    return body.state === 'cancelled' ? body : undefined
  }, 'the end of the task')
  assert.deepEqual([task.outputs.length, task.cost], [1, 0.5])
})

test('a slow reader receives every frame', async () => {
  const answer = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'slow', model: 'n1', stream: true, sequential_image_generation: 'auto' }),
  })
  // The client reads nothing before the run has ended.
  const job = await until(() => jobs.find(({ request }) => request.prompt === 'slow'), 'the job')
  await until(async () => (await gateway.call(`/v1/tasks/${job.id}`)).body.state === 'succeeded', 'the end of the task')
  assert.equal(framesIn(await answer.text()).length, 5)
})

test('a repeat with the same Idempotency-Key returns the same pictures, and another body is refused', async () => {
  const headers = { 'idempotency-key': 'once' }
  const first = (await ask({ size: '2K' }, path, headers)).body
  const made = jobs.length
  const again = (await ask({ size: '2K' }, path, headers)).body
  assert.deepEqual([again.id, again.usage, jobs.length], [first.id, first.usage, made])
  assert.equal((await ask({ size: '3K' }, path, headers)).status, 409)
  const group = () => ask({ sequential_image_generation: 'auto', prompt: 'refuse one' }, path, { 'idempotency-key': 'group' })
  const places = (await group()).body.data.map(outcomeOf)
  assert.deepEqual((await group()).body.data.map(outcomeOf), places)
})

test('a repeat returns the pictures, and the refused or failed ones, at the same indices', async () => {
  for (const [prompt, places] of [
    ['refuse one', ['0 640x320', '1 OutputImageSensitiveContentDetected', '2 640x320']],
    ['break', ['0 640x320', '1 InternalServiceError']],
  ] as const) {
    for (const stream of [true, false]) {
      const headers = { 'idempotency-key': `${prompt} ${stream}` }
      const body = { prompt, stream, sequential_image_generation: 'auto' }
      const made = jobs.length
      const [first, again] = [await ask(body, path, headers), await ask(body, path, headers)]
      for (const { bytes, body: reported } of [first, again]) {
        const pictures: [number, FrameData][] = stream
          ? framesIn(bytes.toString()).flatMap(({ data }) => (data.image_index === undefined ? [] : [[data.image_index, data]]))
          : reported.data.map((data: FrameData, index: number) => [index, data])
        const seen = pictures.map(([index, data]) => `${index} ${outcomeOf(data)}`)
        assert.deepEqual(seen.toSorted(), places)
      }
      assert.equal(jobs.length, made + 1)
    }
  }
})

test('no index is reported twice, even when a refusal is reported late', async () => {
  const frames = await framesOf({ sequential_image_generation: 'auto', prompt: 'refuse one, late' })
  const pictures = frames.flatMap(({ data }) => (data.image_index === undefined ? [] : [`${data.image_index} ${outcomeOf(data)}`]))
  assert.deepEqual(pictures.toSorted(), ['0 640x320', '1 640x320', '2 OutputImageSensitiveContentDetected'])
})

test('the built-in engine draws in the same request, also in a stream, and edits', async () => {
  const { data, not_followed } = await given({ model: 'MaaS_ImgS_N3', size: '1280x720', prompt: 'a red fox in the snow', watermark: false })
  assert.deepEqual(not_followed, [])
  const { width, height, format } = await sharp(Buffer.from(await (await fetch(data[0].url)).arrayBuffer())).metadata()
  assert.deepEqual([width, height, format], [1280, 720, 'jpeg'])
  const frames = await framesOf({ model: 'MaaS_ImgS_N3', size: '1280x720', prompt: 'a red fox in the snow', watermark: false })
  assert.deepEqual(
    frames.map(({ event, data: reported }) => reported.size ?? event),
    ['1280x720', 'image_generation.completed', undefined],
  )
  const edit = await given({
    model: 'MaaS_ImgS_O2',
    prompt: 'make it black and white',
    image: dataUrl(await picture(96, 64)),
    watermark: false,
  })
  assert.equal(edit.data[0].size, '1248x832')
  const bad = await ask({ model: 'MaaS_ImgS_N1', prompt: 'a naked woman, explicit porn' })
  assert.deepEqual([bad.status, bad.body.error.code], [400, 'InputTextSensitiveContentDetected'])
})
