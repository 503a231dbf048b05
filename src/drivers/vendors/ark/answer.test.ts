/** Tests how correct and faulty answers of the vendor are reported to the caller. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { inspect } from 'node:util'
import type { ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Job } from '@generation-gateway/kit/requests/job.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { driverTools } from '../../../testing/driver-tools.ts'
import { onePixelPng } from '../../../testing/fakes/fake-driver.ts'
import {
  type FakeFrame,
  type FakeReply,
  type FakeUpstream,
  frameText,
  jsonReply,
  rawReply,
  resetReply,
  sseReply,
  startFakeUpstream,
} from '../../../testing/fakes/fake-upstream.ts'
import { arkDriver } from './driver.ts'
import { completed, ending, lost, named, pictureFrame, review } from './testing/answers.ts'
import { edit, generate, jobOf, models, openDriver, pictureInput, run, testSecret } from './testing/run.ts'

const driver = openDriver()
let fake: FakeUpstream
let store: FakeUpstream
let scratch = ''
before(async () => {
  store = await startFakeUpstream()
  store.answer(rawReply(onePixelPng))
})
after(() => Promise.all([store.close(), driver.close?.()]))
beforeEach(async () => {
  fake = await startFakeUpstream()
  scratch = await mkdtemp(join(tmpdir(), 'ark-answer-'))
})
afterEach(() => Promise.all([fake.close(), rm(scratch, { recursive: true })]))

const group: ImageGenerateRequest = { ...generate, count: 3, series: true, format: 'png' }
const draw = (request: ImageGenerateRequest, changes: Partial<Job<ImageGenerateRequest>> = {}) =>
  run(driver, jobOf(request, { baseUrl: fake.baseUrl, scratch }, changes))

const link = () => `${store.baseUrl}/picture.png`
const picture = (image_index: number) => pictureFrame(link(), image_index)

describe('the request', () => {
  test('has the vendor’s form, with the exact bytes of the pictures', async () => {
    fake.answer(jsonReply({ data: [{ url: link() }] }))
    for (const sizes of [[1], [196_607, 2], [3, 196_609, 700_001]]) {
      const inputs = []
      const bytes = sizes.map(size => randomBytes(size))
      for (const [index, content] of bytes.entries()) {
        const path = join(scratch, `input-${index}`)
        await writeFile(path, content)
        inputs.push(pictureInput({ path, bytes: content.length, mediaType: index === 0 ? 'image/png' : 'image/jpeg' }))
      }
      const ran = await run(driver, jobOf(edit, { baseUrl: fake.baseUrl, scratch }, { inputs }))
      assert.equal(ending(ran), 'done', inspect(ran))
      const sent = fake.received.at(-1) ?? assert.fail()
      const urls = bytes.map((content, index) => `data:image/${index === 0 ? 'png' : 'jpeg'};base64,${content.toString('base64')}`)
      const { image, ...rest } = Object(sent.json)
      assert.deepEqual(image, urls.length === 1 ? urls[0] : urls)
      assert.deepEqual(rest, {
        ...{ model: models.N1, prompt: edit.prompt, size: '2368x1760', response_format: 'url', watermark: false, output_format: 'jpeg' },
      })
      assert.equal(Number(sent.headers['content-length']), sent.body.length)
      assert.deepEqual([sent.method, sent.path, sent.headers.authorization], ['POST', '/v1/images/generations', `Bearer ${testSecret}`])
    }
  })
})

describe('a stream', () => {
  test('returns each picture before the next one is reported, and ends with the counts', async () => {
    const seen: string[] = []
    const reported = [0, 1, 2].map(() => Promise.withResolvers<void>())
    const frames = async function* () {
      yield picture(0)
      await reported[0]?.promise
      yield lost(review, 1)
      await reported[1]?.promise
      yield picture(2)
      await reported[2]?.promise
      yield named('completed', { usage: { generated_images: 2, output_tokens: 32, tool_usage: { web_search: 3 } } })
      yield '[DONE]'
    }
    fake.answer(sseReply(frames()))
    const ran = await run(driver, jobOf({ ...group, webSearch: true }, { baseUrl: fake.baseUrl, scratch }), part => {
      reported[seen.length]?.resolve()
      seen.push(part.type)
    })
    assert.deepEqual(seen, ['file', 'event', 'file', 'outcome'])
    assert.ok(ran.outcome?.state === 'done', inspect(ran))
    assert.deepEqual(ran.events, [{ type: 'refused', picture: 1, reasons: [review] }])
    assert.deepEqual(ran.outcome.usage, [
      { unit: 'images', units: 2 },
      { unit: 'pixels', units: 2 },
      { unit: 'output_tokens', units: 32 },
      { unit: 'searches', units: 3 },
    ])
    for (const { path } of ran.files) assert.deepEqual(await readFile(path), onePixelPng)
  })

  test('is read however it is split, with comments and line ends of all kinds', async () => {
    const text = [picture(0), lost(review), picture(2), completed(2), '[DONE]'].map(frameText).join(': ping\n\n')
    for (const [ends, step] of [['\n', 1] as const, ['\r\n', 7] as const, ['\r', 1000] as const]) {
      const bytes = Buffer.from(text.replaceAll('\n', ends))
      fake.answer(async response => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        for (let at = 0; at < bytes.length; at += step) response.write(bytes.subarray(at, at + step))
        response.end()
      })
      const ran = await draw(group)
      assert.deepEqual([ending(ran), ran.files.length, ran.events.length], ['done', 2, 1], inspect(ran))
    }
  })

  const ends: [what: string, frames: () => FakeFrame[], ending: string, files: number][] = [
    ['cut behind the last event', () => [picture(0), completed(1)], 'done', 1],
    ['cut behind the last picture', () => [picture(0), lost(review), picture(2)], 'done', 2],
    ['cut between two pictures', () => [picture(0), picture(1)], 'outcome_unknown?', 2],
    ['ended by [DONE] alone', () => [picture(0), '[DONE]'], 'done', 1],
    ['of [DONE] alone', () => ['[DONE]'], 'upstream_error?', 0],
    ['that is empty', () => [], 'outcome_unknown?', 0],
    ['of fewer pictures than were asked for', () => [picture(0), completed(1), '[DONE]'], 'done', 1],
    ['of an internal failure', () => [picture(0), lost('InternalServiceError', 1), completed(1), '[DONE]'], 'upstream_error', 1],
    ['of an internal failure that is cut', () => [picture(0), lost('InternalServiceError', 1)], 'upstream_error', 1],
    [
      'of an internal failure behind which one comes all the same',
      () => [lost('InternalServiceError'), picture(1), completed(1)],
      'upstream_error',
      1,
    ],
    [
      'with an error in place of the rest',
      () => [picture(0), { event: 'error', data: { error: { code: 'ServerOverloaded', message: 'x' } } }],
      'overloaded',
      1,
    ],
    ['with an error without a name', () => [{ error: { code: 'ModelAccountIpmRateLimitExceeded', message: 'x' } }], 'rate_limited', 0],
    ['with a flat error', () => [{ type: 'error', code: 'InternalServiceError', message: 'x' }], 'upstream_error', 0],
    [
      'whose end says that it failed',
      () => [named('completed', { error: { code: 'InternalServiceError', message: 'x' } })],
      'upstream_error',
      0,
    ],
    ['of nothing but refusals', () => [lost(review, 0), lost(`${review}.PolicyViolation`, 1), completed(0)], 'content_moderated', 0],
    ['of nothing', () => [completed(0)], 'upstream_error', 0],
    ['of nothing that it made', () => [completed(2)], 'upstream_error?', 0],
    ['of nothing that it counts', () => [named('completed')], 'upstream_error?', 0],
    ['that failed and made more than it gave', () => [lost('InternalServiceError'), completed(2)], 'upstream_error?', 0],
  ]
  for (const [what, frames, expected, files] of ends) {
    test(`${what}: ${expected}`, async () => {
      fake.answer(sseReply(frames()))
      const ran = await draw(group)
      assert.deepEqual([ending(ran), ran.files.length], [expected, files], inspect(ran))
      assert.equal(fake.received.length, 1)
    })
  }

  test('that is reset leaves an open line for what was not reported', async () => {
    fake.answer(resetReply([picture(0)]))
    const ran = await draw(group)
    assert.deepEqual([ending(ran), ran.files.length], ['outcome_unknown?', 1])
  })

  test('is ended when the caller disconnects', async () => {
    const leaving = new AbortController()
    fake.answer(async response => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(frameText(picture(0)))
    })
    const running = run(driver, jobOf(group, { baseUrl: fake.baseUrl, scratch }, { signal: leaving.signal }), part => {
      if (part.type === 'file') leaving.abort()
    })
    assert.equal(ending(await running), 'outcome_unknown?')
    await until(() => fake.aborted() === 1, 'the cut')
  })
})

describe('independent pictures', () => {
  const three: ImageGenerateRequest = { ...generate, count: 3, seed: '40' }
  const model = models.O1
  const good = () => jsonReply({ data: [{ url: link() }], usage: { generated_images: 1, output_tokens: 16 } })
  const refused = (status: number, code: string, headers = {}) => jsonReply({ error: { code, message: 'No.', type: 'x' } }, status, headers)

  test('are as many requests, one after another, each with its own seed', async () => {
    fake.answer(good())
    const ran = await draw(three, { model })
    assert.deepEqual([ending(ran), ran.files.length], ['done', 3])
    assert.deepEqual(
      fake.received.map(({ json }) => Object(json).seed),
      [40, 41, 42],
    )
    assert.ok(ran.outcome?.state === 'done')
    assert.deepEqual(ran.outcome.usage.at(-1), { unit: 'output_tokens', units: 48 })
  })

  test('are reported one by one when a review withholds them, as an error or as an item', async () => {
    fake.answer(good(), refused(400, review), jsonReply({ data: [{ error: { code: review, message: 'x' } }] }))
    const ran = await draw(three, { model })
    assert.deepEqual(
      [ending(ran), ran.files.length, ran.events.map(event => event.type === 'refused' && event.picture)],
      ['done', 1, [1, 2]],
    )
    fake.answer(refused(400, review))
    assert.equal(ending(await draw(three, { model })), 'content_moderated')
    assert.equal(ending(await draw({ ...three, count: 1 }, { model })), 'content_moderated')
  })

  const breaks: [what: string, reply: FakeReply, first: string, second: string][] = [
    ['a limit', refused(429, 'RateLimitExceeded.EndpointRPMExceeded'), 'rate_limited', 'rate_limited'],
    ['a busy service', refused(503, 'ServerOverloaded'), 'overloaded', 'overloaded'],
    ['a key that is not accepted', refused(401, 'AuthenticationError'), 'upstream_auth_error', 'upstream_auth_error'],
    ['an account in arrears', refused(403, 'AccountOverdueError'), 'upstream_quota_exhausted', 'upstream_quota_exhausted'],
    ['a model that is not there', refused(404, 'InvalidEndpointOrModel.NotFound'), 'capability_unavailable', 'capability_unavailable'],
    ['a refused prompt', refused(400, 'InputTextSensitiveContentDetected'), 'request_moderated', 'request_moderated'],
    ['an internal error', refused(500, 'InternalServiceError'), 'outcome_unknown?', 'outcome_unknown?'],
    ['a reset', resetReply(), 'outcome_unknown?', 'outcome_unknown?'],
  ]
  for (const [what, reply, first, second] of breaks) {
    test(`${what} ends them: finished ones are returned, and no more are requested`, async () => {
      fake.answer(reply)
      const alone = await draw(three, { model })
      assert.deepEqual([ending(alone), fake.received.length], [first, 1])
      fake.answer(good(), reply)
      const later = await draw(three, { model })
      // When the rate limit refused the second request, it was sent once more.
      const requested = second === 'rate_limited' || second === 'overloaded' ? 4 : 3
      assert.deepEqual([ending(later), later.files.length, fake.received.length], [second, 1, requested])
      // The run returns the failure and does not throw it. A thrown error would make the worker
      // start the run again, with the first picture.
      if (!second.endsWith('?')) assert.equal(later.outcome?.state, 'failed')
    })
  }

  test('wait for a rate limit that admits them later, but not for one that already refuses the first', async () => {
    const limit = refused(429, 'ModelAccountIpmRateLimitExceeded')
    fake.answer(good(), limit, good(), refused(503, 'ServerOverloaded'), good())
    const ran = await draw(three, { model })
    assert.deepEqual([ending(ran), ran.files.length], ['done', 3])
    assert.deepEqual(
      fake.received.map(({ json }) => Object(json).seed),
      [40, 41, 41, 42, 42],
    )
    fake.answer(limit, good())
    assert.equal(ending(await draw(three, { model })), 'rate_limited')
  })

  test('that are stopped while they wait for a rate limit are not requested', async () => {
    // The driver reads `waits[0]` when it begins to wait, after it has read the refusal.
    const waiting = Promise.withResolvers<void>()
    const waits: number[] = Object.defineProperty([], 0, {
      get: () => {
        waiting.resolve()
        return 3_600_000
      },
    })
    const patient = arkDriver(waits).open(driverTools({ allowPrivateUrls: true }))
    const leaving = new AbortController()
    fake.answer(good(), refused(429, 'RateLimitExceeded'))
    const running = run(patient, jobOf(three, { baseUrl: fake.baseUrl, scratch }, { model, signal: leaving.signal }))
    await waiting.promise
    leaving.abort()
    const ran = await running
    assert.deepEqual([ending(ran), ran.files.length, fake.received.length], ['cancelled', 1, 2])
    await patient.close?.()
  })

  test('a refusal of a field has its neutral name', async () => {
    const body = { error: { code: 'InvalidParameter', message: 'size: no', param: 'size', type: 'BadRequest' } }
    fake.answer(jsonReply(body, 400))
    const { error } = await draw(three, { model })
    assert.deepEqual([error?.code, error?.field, error?.message], ['invalid_request', 'width', 'width: no'])
  })
})
