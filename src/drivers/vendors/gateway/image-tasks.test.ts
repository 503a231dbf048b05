/** What the driver sends to F1 of another gateway, and what it makes of the answers about tasks. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { ImageEditRequest, ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Driver, InputFile, Job, PolledOffer } from '@generation-gateway/kit/requests/job.ts'
import sharp from 'sharp'
import { sizeOfRatio } from '../../../families/f1-image/handlers.ts'
import { driverTools } from '../../../testing/driver-tools.ts'
import {
  errorReply,
  type FakeReply,
  type FakeUpstream,
  jsonReply,
  rawReply,
  resetReply,
  startFakeUpstream,
} from '../../../testing/fakes/fake-upstream.ts'
import gateway, { gatewayDriver } from './driver.ts'
import { accepted, ended, pictureReply, ready, running } from './testing/task-answers.ts'

const tools = driverTools()
const generate: ImageGenerateRequest = {
  prompt: 'a "cat"\n',
  width: 1344,
  height: 768,
  count: 1,
  seed: '9223372036854775807',
  expandPrompt: true,
  safetyTolerance: 5,
  format: 'png',
}
const edit: ImageEditRequest = { prompt: 'bluer', seed: '-9007199254740993', expandPrompt: false, safetyTolerance: 0, format: 'jpeg' }
const handle = { family: 'F1', id: 't1' }

let driver: Driver
let fake: FakeUpstream
let scratch: string
before(() => {
  driver = gatewayDriver({ repeatAfterMs: [0, 0] }).open(tools)
})
after(() => driver.close?.())
beforeEach(async () => {
  fake = await startFakeUpstream()
  scratch = await mkdtemp(join(tmpdir(), 'gateway-driver-'))
})
afterEach(async () => {
  await fake.close()
  await rm(scratch, { recursive: true })
})

function jobOf<Request>(request: Request, changes: Partial<Job<Request>> = {}): Job<Request> {
  return {
    id: 'task-1',
    request,
    inputs: [],
    scratch,
    model: 'MaaS_ImgF_P',
    settings: { base_url: `${fake.baseUrl}/`, api_key: 'sk-inner-secret', endpoint: 'two words' },
    attempt: 1,
    signal: new AbortController().signal,
    progress: () => {},
    ...changes,
  }
}

function drawing(): PolledOffer<ImageGenerateRequest, unknown> {
  const offer = driver.offers['image.generate']
  assert.equal(offer?.kind, 'polled')
  return offer
}

function editing(): PolledOffer<ImageEditRequest, unknown> {
  const offer = driver.offers['image.edit']
  assert.equal(offer?.kind, 'polled')
  return offer
}

const look = (changes: Partial<Job<ImageGenerateRequest>> = {}) => drawing().check(jobOf(generate, changes), handle)
const bodies = () => fake.received.map(({ body }) => body.toString())

test('a submit goes to the endpoint with the job as its idempotency key, and carries every field to the digit', async () => {
  fake.answer(accepted)
  assert.deepEqual(await drawing().start(jobOf(generate)), { state: 'started', handle })
  const [request] = fake.received
  assert.equal(request?.path, '/v1/v1/ai/two%20words/imgf/image/generate')
  assert.deepEqual([request?.headers['idempotency-key'], request?.headers.authorization], ['task-1', 'Bearer sk-inner-secret'])
  const rest = '"prompt_upsampling":true,"safety_tolerance":5,"output_format":"png","width":1344,"height":768}'
  assert.equal(bodies()[0], `{"seed":9223372036854775807,"model":"MaaS_ImgF_P","prompt":"a \\"cat\\"\\n",${rest}`)
})

test('a model that takes a ratio is told the one that gives the size, or nothing is sent', async () => {
  fake.answer(accepted)
  await drawing().start(jobOf(generate, { model: 'MaaS_ImgF_KG' }))
  assert.match(bodies()[0] ?? '', /"aspect_ratio":"7:4"\}$/)
  for (const request of [
    { ...generate, width: 640, height: 352 },
    { ...generate, count: 2 },
    { ...generate, negativePrompt: 'dogs' },
  ]) {
    const job = jobOf(request, { model: 'MaaS_ImgF_KG' })
    await assert.rejects(drawing().start(job), { code: 'not_implemented' })
    assert.match(drawing().refuses?.(job)?.field ?? '', /^(count|negativePrompt|width)$/)
  }
  assert.equal(fake.received.length, 1)
})

test('every size that F1 makes of a ratio survives the way through another gateway', async () => {
  fake.answer(accepted)
  for (let wide = 1; wide <= 40; wide++) {
    for (let high = 1; high <= 40; high++) {
      if (wide / high < 3 / 7 || wide / high > 7 / 3) continue
      const size = sizeOfRatio(`${wide}:${high}`)
      await drawing().start(jobOf({ ...generate, ...size }, { model: 'MaaS_ImgF_KG' }))
      const sent: unknown = fake.received.pop()?.json
      assert.deepEqual(sizeOfRatio(Object(sent).aspect_ratio), size)
    }
  }
})

test('an edit sends the picture as base64, the same bytes at each try', async () => {
  const picture = randomBytes(700_001)
  const input: InputFile = { path: join(scratch, 'input'), role: 'image', mediaType: 'image/png', bytes: picture.length }
  await writeFile(input.path, picture)
  fake.answer(resetReply(), accepted)
  await editing().start(jobOf(edit, { inputs: [input], model: 'MaaS_ImgF_KE' }))
  const [first, second] = fake.received
  assert.ok(first && second && first.body.equals(second.body))
  assert.deepEqual(Buffer.from(Object(second.json).input_image, 'base64'), picture)
  assert.equal(Number(second.headers['content-length']), second.body.length)
  assert.match(second.body.toString('latin1', 0, 80), /"seed":-9007199254740993,/)
  assert.ok(!('width' in Object(second.json)) && !('aspect_ratio' in Object(second.json)))
})

test('a submit of unknown fate is sent again under the same key, a refusal is not', async () => {
  fake.answer(resetReply(), errorReply(500, {}), accepted)
  assert.deepEqual(await drawing().start(jobOf(generate)), { state: 'started', handle })
  assert.deepEqual(
    fake.received.map(({ headers }) => headers['idempotency-key']),
    ['task-1', 'task-1', 'task-1'],
  )
  assert.equal(new Set(bodies()).size, 1)
  fake.answer(errorReply(400, { message: 'no' }))
  await assert.rejects(drawing().start(jobOf(generate)), { code: 'invalid_request' })
  fake.answer(resetReply())
  await assert.rejects(drawing().start(jobOf(generate)), { code: 'outcome_unknown' }, 'one of the three may have arrived')
  assert.equal(fake.received.length, 3 + 1 + 3)
})

test('a task that was started with other fields is not started a second time', async () => {
  fake.answer(errorReply(409, { code: 'idempotency_conflict', message: 'used before' }))
  const { state, code } = Object(await drawing().start(jobOf(generate)))
  assert.deepEqual([state, code, fake.received.length], ['failed', 'outcome_unknown', 1])
})

test('a running task tells its progress', async () => {
  fake.answer(running(25))
  assert.deepEqual(await look(), { state: 'running', progress: 0.25 })
  assert.equal(fake.received[0]?.path, '/v1/v1/tasks/t1')
})

test('a picture at the other gateway itself is fetched without its key; the seed keeps all its digits', async () => {
  const sample = fake.baseUrl.replace('/v1', '/files/1?sig=x')
  fake.answer(ready(sample, { seed: generate.seed }), pictureReply)
  const done = await look()
  assert.equal(done.state, 'done')
  assert.equal(done.report.seed, generate.seed)
  assert.equal(fake.received[1]?.path, '/files/1?sig=x')
  assert.equal(fake.received[1]?.headers.authorization, undefined)
})

test('a link that has expired is asked for anew, once', async () => {
  const sample = fake.baseUrl.replace('/v1', '/files/1')
  const expired = rawReply('{}', 410)
  fake.answer(ready(sample), expired, ready(sample), pictureReply)
  assert.equal((await look()).state, 'done')
  fake.answer(ready(sample), expired, ready(sample), expired)
  await assert.rejects(look(), { code: 'upstream_error' })
  assert.equal(fake.received.length, 8)
})

test('a picture on another private address is not fetched', async () => {
  const other = await startFakeUpstream()
  try {
    fake.answer(ready(other.baseUrl))
    await assert.rejects(look(), { code: 'upstream_error' })
    assert.equal(other.connectionsMade(), 0)
  } finally {
    await other.close()
  }
})

test('bytes that are no picture fail the task, those in another format are converted: both are paid', async () => {
  const sample = fake.baseUrl.replace('/v1', '/files/1')
  fake.answer(ready(sample), rawReply('<html>'))
  const failed = await look()
  assert.ok(failed.state === 'failed')
  assert.deepEqual([failed.code, failed.mayBeCharged], ['upstream_error', true])
  assert.match(failed.message, /What came from the other gateway as a picture is none/)
  fake.answer(ready(sample), pictureReply)
  const done = await look({ request: { ...generate, format: 'jpeg' } })
  assert.ok(done.state === 'done')
  assert.equal(done.files[0]?.mediaType, 'image/jpeg')
  assert.equal((await sharp(done.files[0]?.path).metadata()).format, 'jpeg')
})

const failures: [what: string, answer: FakeReply, code: string, message: RegExp, reasons?: string[]][] = [
  [
    'a moderated prompt',
    ended('failed', { code: 'request_moderated', reasons: ['Nudity'], message: 'No.' }),
    'request_moderated',
    /^No\.$/,
    ['Nudity'],
  ],
  [
    'a moderated picture',
    ready([], { refused: [{ index: 0, reasons: ['Gore'] }] }),
    'content_moderated',
    /safety rules of the other gateway/,
    ['Gore'],
  ],
  [
    'an instruction',
    ended('failed', { code: 'instruction_not_followed', message: 'There is no hat.' }),
    'instruction_not_followed',
    /no hat/,
  ],
  [
    'a fault',
    ended('failed', { code: 'internal_error', message: 'sk-inner-secret broke' }),
    'upstream_error',
    /failed on the task: \*\*\* broke/,
  ],
  [
    'a cancel by others',
    ended('cancelled', { code: 'cancelled', message: 'The task was cancelled.' }),
    'upstream_error',
    /cancelled at the other/,
  ],
  ['a task that is gone', errorReply(404, { code: 'task_not_found', message: 'none' }), 'upstream_error', /no longer/],
  ['a task whose pictures were swept', ready([]), 'upstream_error', /no longer/],
]
for (const [what, answer, code, message, reasons] of failures) {
  test(`${what} fails the task here as ${code}`, async () => {
    fake.answer(answer)
    const outcome = await look()
    assert.equal(outcome.state, 'failed')
    assert.equal(outcome.code, code)
    assert.match(outcome.message, message)
    assert.deepEqual(outcome.reasons, reasons)
  })
}

test('what the other gateway says about fields of F1 is about those of our request', async () => {
  fake.answer(errorReply(400, { message: 'prompt_upsampling: not here.', param: 'prompt_upsampling' }))
  await assert.rejects(drawing().start(jobOf(generate)), {
    code: 'invalid_request',
    field: 'expandPrompt',
    message: 'expandPrompt: not here.',
  })
  fake.answer(ended('failed', { code: 'invalid_request', message: 'width: at most 512.' }))
  for (const [request, says] of [
    [generate, 'width: at most 512.'] as const,
    [{ ...generate, aspectRatio: '7:4' }, 'aspectRatio: at most 512.'] as const,
  ]) {
    const outcome = await look({ request })
    assert.ok(outcome.state === 'failed')
    assert.equal(outcome.message, says)
  }
})

test('a path that is no gateway, and a state that tasks do not have, are looked at again', async () => {
  for (const answer of [rawReply('not found', 404), ended('dreaming', null), jsonReply([1])]) {
    fake.answer(answer)
    await assert.rejects(look(), { code: 'upstream_error' })
  }
})

test('a cancel is a DELETE of the task; one that is gone needs none', async () => {
  for (const answer of [ended('cancelled', { code: 'cancelled' }), errorReply(404, { code: 'task_not_found' })]) {
    fake.answer(answer)
    await drawing().cancel?.(jobOf(generate), handle)
  }
  assert.deepEqual(
    fake.received.map(({ method, path }) => `${method} ${path}`),
    Array(2).fill('DELETE /v1/v1/tasks/t1'),
  )
  fake.answer(errorReply(401, {}))
  await assert.rejects(async () => drawing().cancel?.(jobOf(generate), handle), { code: 'upstream_auth_error' })
})

test('settings that cannot work are named, without the key', () => {
  const says = (settings: JsonObject) => gateway.open(tools).unusable?.(settings, 'm')
  assert.equal(says({ base_url: 'http://host/path', api_key: 'k' }), undefined)
  assert.match(says({ base_url: 'http://host', api_key: ' ' }) ?? '', /api_key is empty/)
  assert.match(says({ base_url: 'ftp://host', api_key: 'k' }) ?? '', /http or https/)
  assert.doesNotMatch(says({ base_url: 'http://host', api_key: 'k\u0001secret' }) ?? 'secret', /secret/)
})
