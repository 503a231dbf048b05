/** Correct and faulty answers of the vendor: reading is bounded, and results are reported
 *  correctly. */
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
import { edit, generate, jobOf, models, openDriver, pictureInput, type RunResult, run, testSecret } from './testing/run.ts'

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
const named = (type: string, data: object = {}): FakeFrame => ({
  event: `image_generation.${type}`,
  data: { type: `image_generation.${type}`, model: 'm', created: 1_795_000_000, ...data },
})
const picture = (image_index: number) => named('partial_succeeded', { image_index, url: link(), size: '1x1' })
const lost = (code: string, image_index = 0) => named('partial_failed', { image_index, error: { code, message: 'No. Request id: 7f' } })
const review = 'OutputImageSensitiveContentDetected'
const completed = (generated_images: number) =>
  named('completed', { usage: { generated_images, output_tokens: 16 * generated_images, total_tokens: 16 * generated_images } })

/** The end of a run: `done`, or the code of its failure, followed by `?` when the vendor may charge
 *  for more than it returned. */
function ending({ outcome, error }: RunResult): string {
  if (error) return `${error.code}${error.code === 'outcome_unknown' ? '?' : ''}`
  assert.ok(outcome)
  return outcome.state === 'done' ? 'done' : `${outcome.code}${outcome.mayBeCharged ? '?' : ''}`
}

describe('what is sent', () => {
  test('is the vendor’s request, with the very bytes of the pictures', async () => {
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
  test('gives each picture before the next one is told, and ends with what was counted', async () => {
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

  test('is read however it is cut into pieces, with comments and line ends of all kinds', async () => {
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

  test('that is reset leaves open what was not told', async () => {
    fake.answer(resetReply([picture(0)]))
    const ran = await draw(group)
    assert.deepEqual([ending(ran), ran.files.length], ['outcome_unknown?', 1])
  })

  test('is cut by a caller who leaves', async () => {
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

describe('pictures that stand for themselves', () => {
  const three: ImageGenerateRequest = { ...generate, count: 3, seed: '40' }
  const model = models.O1
  const good = () => jsonReply({ data: [{ url: link() }], usage: { generated_images: 1, output_tokens: 16 } })
  const refused = (status: number, code: string, headers = {}) => jsonReply({ error: { code, message: 'No.', type: 'x' } }, status, headers)

  test('are as many requests, one after another, with a seed each', async () => {
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

  test('are told one by one where a review withholds them, as an error or as an item', async () => {
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
    test(`${what} ends them: what is there is given, and none is asked for again`, async () => {
      fake.answer(reply)
      const alone = await draw(three, { model })
      assert.deepEqual([ending(alone), fake.received.length], [first, 1])
      fake.answer(good(), reply)
      const later = await draw(three, { model })
      // A request that a limit kept out was sent once more.
      const requested = second === 'rate_limited' || second === 'overloaded' ? 4 : 3
      assert.deepEqual([ending(later), later.files.length, fake.received.length], [second, 1, requested])
      // A thrown error would restart the run at the first picture.
      if (!second.endsWith('?')) assert.equal(later.outcome?.state, 'failed')
    })
  }

  test('wait for a limit that lets them in later, and not for one that keeps out the first', async () => {
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

  test('stopped while they wait for a limit, ask for nothing more', async () => {
    const patient = arkDriver([3_600_000]).open(driverTools({ allowPrivateUrls: true }))
    const leaving = new AbortController()
    fake.answer(good(), refused(429, 'RateLimitExceeded'))
    const running = run(patient, jobOf(three, { baseUrl: fake.baseUrl, scratch }, { model, signal: leaving.signal }))
    await until(() => fake.received[1]?.isEnded, 'the limit')
    leaving.abort()
    const ran = await running
    assert.deepEqual([ending(ran), ran.files.length, fake.received.length], ['cancelled', 1, 2])
    await patient.close?.()
  })

  test('a refusal of a field is told by its neutral name', async () => {
    const body = { error: { code: 'InvalidParameter', message: 'size: no', param: 'size', type: 'BadRequest' } }
    fake.answer(jsonReply(body, 400))
    const { error } = await draw(three, { model })
    assert.deepEqual([error?.code, error?.field, error?.message], ['invalid_request', 'width', 'width: no'])
  })
})

describe('absurd answers', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
  const json: [what: string, body: string, ending: string, files: number][] = [
    ...['[]', 'null', '5', '"text"', '{}', '{"data":"x"}', '{"data":{}}', '{"data":[]}', '{"data":[null,1,"a",[]]}', nested(1_000_000)].map(
      (body): [string, string, string, number] => [body.slice(0, 40), body, 'upstream_error?', 0],
    ),
    ['no JSON', '<html>', 'outcome_unknown?', 0],
    ['half of one', '{"data":[{"url":"', 'outcome_unknown?', 0],
    ['5 MB', JSON.stringify({ data: [], pad: 'x'.repeat(5 * 2 ** 20) }), 'outcome_unknown?', 0],
    ['a link that is a number', '{"data":[{"url":5}]}', 'upstream_error?', 0],
    ['a link that is a list', '{"data":[{"url":["http://x"]}]}', 'upstream_error?', 0],
    ['an error that is a text', '{"error":"InternalServiceError"}', 'upstream_error', 0],
    ['an error that is empty', '{"data":[{"error":{}}]}', 'upstream_error', 0],
    ['an error that is a number', '{"data":[{"error":5}]}', 'upstream_error', 0],
    ['an error of a megabyte', JSON.stringify({ error: { code: 'InvalidParameter', message: 'm'.repeat(2 ** 20) } }), 'invalid_request', 0],
    ['a number of pictures that is none', '{"data":[],"usage":{"generated_images":"many"}}', 'upstream_error?', 0],
    ['fewer than no pictures', '{"data":[],"usage":{"generated_images":-3}}', 'upstream_error', 0],
  ]
  for (const [what, body, expected, files] of json) {
    test(`JSON: ${what}`, async () => {
      fake.answer(rawReply(body, 200, { 'content-type': 'application/json' }))
      const ran = await draw(generate)
      assert.deepEqual([ending(ran), ran.files.length], [expected, files], inspect(ran).slice(0, 2000))
      assert.ok(JSON.stringify(ran.outcome ?? {}).length < 2_000)
    })
  }

  test('links that lead nowhere, or where nobody may go, are pictures that were made and cannot be had', async () => {
    const guarded = openDriver(false)
    try {
      const links = ['', 'x', 'file:///etc/passwd', 'data:image/png;base64,AAAA', 'ftp://a/b', 'http://169.254.169.254/latest', link()]
      for (const url of [...links, `http://${'a'.repeat(100_000)}/`, `http://user:secret@127.0.0.1:1/`]) {
        fake.answer(jsonReply({ data: [{ url }] }))
        const ran = await run(guarded, jobOf(generate, { baseUrl: fake.baseUrl, scratch }))
        assert.equal(ending(ran), 'upstream_error?', url.slice(0, 50))
        assert.ok(JSON.stringify(ran.outcome).length < 2_000)
      }
    } finally {
      await guarded.close?.()
    }
  })

  test('what is no picture is not given as one', async () => {
    fake.answer(jsonReply({ data: [{ url: `${fake.baseUrl}/x` }] }), rawReply('<html>'))
    assert.equal(ending(await draw(generate)), 'upstream_error?')
  })

  test('more pictures than were asked for are left where they are', async () => {
    const before = store.received.length
    fake.answer(jsonReply({ data: Array.from({ length: 10_000 }, () => ({ url: link() })) }))
    const one = await draw(generate)
    assert.deepEqual([ending(one), one.files.length], ['done', 1])
    fake.answer(sseReply([...Array.from({ length: 10_000 }, (_, index) => picture(index)), completed(10_000), '[DONE]']))
    const three = await draw(group)
    assert.deepEqual([ending(three), three.files.length, store.received.length - before], ['done', 3, 4])
    fake.answer(sseReply([...Array.from({ length: 10_000 }, () => lost(review, 0)), completed(0)]))
    const none = await draw(group)
    assert.deepEqual([ending(none), none.events.length], ['content_moderated', 3])
  })

  test('counts that nobody can have meant are none', async () => {
    const usages = [-5, -1e300, 1e300, '16', Number.MAX_SAFE_INTEGER, [], {}, null, true, 10_000_001]
    for (const count of usages) {
      const usage = { generated_images: count, output_tokens: count, tool_usage: { web_search: count } }
      fake.answer(jsonReply({ data: [{ url: link() }], usage }))
      const { outcome } = await draw(generate)
      assert.ok(outcome?.state === 'done')
      assert.deepEqual(outcome.usage, [
        { unit: 'images', units: 1 },
        { unit: 'pixels', units: 1 },
      ])
    }
  })

  const streams: [what: string, write: (send: (text: string) => Promise<void>) => Promise<void>, ending: string, files: number][] = [
    ['no JSON in it', send => send('data: {"type":\n\n'), 'outcome_unknown?', 0],
    ['texts, numbers and lists', send => send('data: 5\n\ndata: null\n\ndata: []\n\ndata: "x"\n\n'), 'outcome_unknown?', 0],
    ['a name that is none', send => send(`data: {"type":{"a":1}}\n\nevent: error\ndata: []\n\n`), 'upstream_error', 0],
    ['depth', send => send(`data: ${nested(1_000_000)}\n\n`), 'outcome_unknown?', 0],
    [
      '10,000 events of no kind',
      send => send(`event: x\ndata: {"type":"x"}\n\n`.repeat(10_000) + frameText(completed(0))),
      'upstream_error',
      0,
    ],
    [
      'an event without an end',
      async send => {
        await send(frameText(picture(0)))
        for (let at = 0; at < 12; at++) await send('x'.repeat(2 ** 20))
      },
      'outcome_unknown?',
      1,
    ],
    [
      'a flood of line ends',
      async send => {
        await send(frameText(picture(0)))
        for (let at = 0; at < 12; at++) await send('\n'.repeat(2 ** 20))
      },
      'outcome_unknown?',
      1,
    ],
    [
      'a flood of comments behind all pictures',
      async send => {
        await send([0, 1, 2].map(index => frameText(picture(index))).join(''))
        for (let at = 0; at < 12; at++) await send(`: ${'x'.repeat(1022)}\n`.repeat(1024))
      },
      'done',
      3,
    ],
  ]
  for (const [what, write, expected, files] of streams) {
    test(`a stream with ${what}`, async () => {
      fake.answer(async response => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        const gone = new Promise<void>(resolve => response.once('close', resolve))
        await write(async text => {
          if (response.destroyed) return
          const drained = new Promise<void>(resolve => response.write(text, () => resolve()))
          await Promise.race([drained, gone])
        })
        response.end()
      })
      const ran = await draw(group)
      assert.deepEqual([ending(ran), ran.files.length], [expected, files], inspect(ran).slice(0, 2000))
    })
  }

  test('the key is nowhere in what is told, also where the vendor repeats it', async () => {
    const says = { code: 'InvalidParameter', message: `bad key ${testSecret}` }
    for (const reply of [
      jsonReply({ error: says }),
      jsonReply({ error: says }, 400),
      sseReply([{ event: 'error', data: { error: says } }]),
    ]) {
      fake.answer(reply)
      const ran = await draw(group)
      assert.equal(ending(ran), 'invalid_request')
      assert.ok(!inspect(ran, { depth: null, showHidden: true }).includes(testSecret))
    }
  })
})
