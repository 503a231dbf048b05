/** Tests video runs with correct and faulty packages. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { afterEach, before, beforeEach, describe, test } from 'node:test'
import { inspect } from 'node:util'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Failed, Outcome } from '@generation-gateway/kit/requests/job.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { errorReply, type FakeUpstream, jsonReply, rawReply, startFakeUpstream } from '../../../testing/fakes/fake-upstream.ts'
import { foreignNotFounds } from '../../../testing/fakes/foreign-404.ts'
import { smallVideo } from '../../../testing/small-video.ts'
import { type FakeVideoModel, type RecordedCall, sdkError } from './testing/fake-package.ts'
import { filming, testSecret } from './testing/run.ts'
import { done, failureOf, given, starts, videoRunnerOf } from './testing/video-runs.ts'

let clip: Buffer
let service: FakeUpstream
before(async () => {
  clip = await smallVideo({ seconds: 1 })
})
beforeEach(async () => {
  service = await startFakeUpstream()
  service.answer(jsonReply({}))
})
afterEach(() => service.close())

const inBase64 = () => ({ type: 'base64', data: clip.toString('base64'), mediaType: 'video/mp4' })
const gives = (more: object = {}): FakeVideoModel => starts(async () => ({ ...given(inBase64()), ...more }))

const runnerOf = (model: FakeVideoModel) => videoRunnerOf(model, service.baseUrl)

function failedAs(outcome: Outcome): Failed {
  assert.ok(outcome.state === 'failed', inspect(outcome))
  return outcome
}

describe('a request', () => {
  test('is sent to the model with all fields that it knows', async () => {
    const { run, calls } = await runnerOf(gives())
    const settings = { provider_options: { fake: { loop: true } } }
    const outcome = await run({ request: { width: 1280, height: 720, seconds: 5, framesPerSecond: 24, sound: true }, settings })
    const { abortSignal, ...call } = calls[0] ?? {}
    assert.ok(abortSignal instanceof AbortSignal)
    assert.deepEqual(call, {
      ...{ prompt: filming.prompt, n: 1, aspectRatio: '16:9', resolution: '1280x720', duration: 5, fps: 24, seed: 7 },
      ...{ image: undefined, frameImages: undefined, inputReferences: undefined, generateAudio: true },
      providerOptions: { fake: { loop: true } },
    })
    assert.deepEqual(done(outcome).report.notFollowed, ['width', 'height', 'seconds', 'framesPerSecond', 'sound'])
  })

  test('is sent with only a size or only a ratio if the target says so', async () => {
    const { run, calls } = await runnerOf(gives())
    for (const size_as of ['size', 'aspect_ratio']) await run({ settings: { size_as, seed: false, video: { sound: 'never' } } })
    const seen = calls.map(({ aspectRatio, resolution, seed, generateAudio }) => [aspectRatio, resolution, seed, generateAudio])
    assert.deepEqual(seen, [
      [undefined, '64x36', undefined, undefined],
      ['16:9', undefined, undefined, undefined],
    ])
  })

  test('is sent with the wake URL, when the model supports it', async () => {
    const { run, calls } = await runnerOf({ ...gives(), handleWebhookOption: () => {} })
    await run({ wakeUrl: 'https://gateway.example/wake' })
    assert.equal(calls[0]?.webhookUrl, 'https://gateway.example/wake')
  })

  for (const [what, request, settings, field] of [
    ['a size of another model', {}, { video: { sizes: ['1280x720'] } }, 'width'],
    ['a length of another model', {}, { video: { seconds: [5, 10] } }, 'seconds'],
    ['a size without a ratio', { width: 100, height: 33 }, { size_as: 'aspect_ratio' }, 'width'],
    ['sound of a mute model', { sound: true }, { video: { sound: 'never' } }, 'sound'],
    ['silence of a loud one', {}, { video: { sound: 'always' } }, 'sound'],
    ['no people', { people: 'none' }, {}, 'people'],
    ['no words at all', { prompt: ' ' }, {}, 'prompt'],
    ['a negative prompt', { negativePrompt: 'dogs' }, {}, 'negativePrompt'],
    ['a camera', { camera: [{ pan: 3 }] }, {}, 'camera'],
    ['shots', { shots: [{ prompt: 'a', seconds: 1 }] }, {}, 'shots'],
    ['elements', { elements: ['1'] }, {}, 'elements'],
    ['a marked copy', { watermark: true }, {}, 'watermark'],
    ['two movements', { camera: [{ pan: 3 }, { pan: -3 }] }, { package: '@ai-sdk/klingai' }, 'camera'],
    ['an element beyond a number', { elements: ['9007199254740993'] }, { package: '@ai-sdk/klingai' }, 'elements'],
  ] as const)
    test(`for ${what} is refused by name before anything is sent`, async () => {
      const { refusal, run, calls } = await runnerOf(gives())
      // The casts are safe: the objects of this table are readonly only in their types.
      const options = { request: request as Partial<typeof filming>, settings: settings as unknown as JsonObject }
      const found = refusal(options)
      assert.equal(found?.field, field)
      assert.ok(found?.message.startsWith(`${field}: `), found?.message)
      const error = await failureOf(run(options))
      assert.deepEqual([error.code, error.field, calls.length, service.received.length], ['not_implemented', field, 0, 0])
    })

  test('for four videos is one call of a model that makes four, and refused by one that makes fewer', async () => {
    const four = starts(async () => given(inBase64(), inBase64(), inBase64(), inBase64()), { maxVideosPerCall: async () => 4 })
    const { run, calls } = await runnerOf(four)
    const outcome = done(await run({ request: { count: 4 } }))
    assert.deepEqual([calls.map(({ n }) => n), outcome.files.length, new Set(outcome.files.map(({ path }) => path)).size], [[4], 4, 4])
    assert.deepEqual(outcome.usage, [{ unit: 'seconds', units: 4 }])
    const { run: runOne } = await runnerOf(gives())
    const error = await failureOf(runOne({ request: { count: 4 } }))
    assert.deepEqual([error.code, error.field], ['not_implemented', 'count'])
    assert.match(error.message, /one video per request, not 4/)
  })
})

describe('an answer', () => {
  for (const [what, model] of [
    ['v3 with doGenerate', { specificationVersion: 'v3', doGenerate: async () => given(inBase64()) }],
    ['v3 with doStart', { ...gives(), specificationVersion: 'v3' }],
    ['v4 with both', { ...gives(), doGenerate: async () => assert.fail('it waits itself') }],
  ] as const)
    test(`of the interface ${what} is accepted`, async () => {
      const made = { ...model, ...('doStatus' in model ? { doStatus: gives().doStatus } : {}) } as FakeVideoModel
      const { run } = await runnerOf('doGenerate' in model ? made : { ...gives(), ...model })
      assert.ok((await readFile(done(await run()).files[0]?.path ?? '')).equals(clip))
    })

  for (const [model, says] of [
    [{ ...gives(), specificationVersion: 'v2' }, /version v2; known are v3, v4/],
    [{ specificationVersion: 'v4' }, /neither doGenerate nor doStart/],
    [starts(undefined), /neither doGenerate nor doStart/],
  ] as const)
    test(`that could not be read is not requested: ${says}`, async () => {
      const { run, calls } = await runnerOf(model)
      const error = await failureOf(run())
      assert.deepEqual([error.code, calls.length], ['capability_unavailable', 0])
      assert.match(error.message, says)
    })

  for (const [what, video] of [
    ['bytes', () => ({ type: 'binary', data: new Uint8Array(clip) })],
    ['a data URL', () => ({ type: 'url', url: `data:video/mp4;base64,${clip.toString('base64')}` })],
  ] as const)
    test(`as ${what} is the video`, async () => {
      const { run } = await runnerOf(starts(async () => given(video())))
      assert.ok((await readFile(done(await run()).files[0]?.path ?? '')).equals(clip))
    })

  test('reports what was not followed and which prompt the service used, and remarks are logged', async () => {
    const warnings = [
      { type: 'unsupported', feature: 'seed', details: `the key ${testSecret} filmed ${filming.prompt} otherwise` },
      { type: 'unsupported', feature: 'resolution' },
      { type: 'unsupported', feature: 'fps' },
      { type: 'other', message: 'the model is old' },
    ]
    const model = starts(async () => ({ ...given(inBase64()), providerMetadata: { any: { actualPrompt: 'a big boat leaves' } } }))
    const { run, logged } = await runnerOf({ ...model, doStart: async () => ({ operation: 1, warnings }) })
    const outcome = done(await run({ request: { expandPrompt: true, promptStrength: 0.4, people: 'adults' } }))
    assert.deepEqual(outcome.report.notFollowed, ['expandPrompt', 'promptStrength', 'people', 'seed'])
    assert.equal(outcome.report.prompt, 'a big boat leaves')
    assert.deepEqual(
      logged.map(line => JSON.parse(line).says),
      ['the key *** filmed *** otherwise', 'the model is old'],
    )
  })

  test('with fewer videos than requested is accepted, with a report', async () => {
    const { run } = await runnerOf({ ...gives(), maxVideosPerCall: 4 })
    const outcome = done(await run({ request: { count: 3 } }))
    assert.deepEqual([outcome.files.length, outcome.report.notFollowed], [1, ['count']])
  })

  for (const [what, videos] of [
    ['more videos than were asked for', () => [inBase64(), inBase64()]],
    ['a file that is no video', () => [{ type: 'base64', data: Buffer.from('hello').toString('base64') }]],
    ['a link to a bucket', () => [{ type: 'url', url: 'gs://bucket/video.mp4' }]],
    ['a link to a file of ours', () => [{ type: 'url', url: 'file:///etc/passwd' }]],
  ] as const)
    test(`with ${what} fails, and may be charged`, async () => {
      const { run } = await runnerOf(starts(async () => given(...videos())))
      const { code, mayBeCharged } = failedAs(await run())
      assert.deepEqual([code, mayBeCharged], ['upstream_error', true])
    })
})

describe('a package that misbehaves', () => {
  const afterStart = (then: () => unknown): FakeVideoModel => ({
    ...gives(),
    doStart: async (_call, send) => {
      await send('/start', { method: 'POST', body: '{}' })
      return then()
    },
  })
  const circle: Record<string, unknown> = {}
  circle.itself = circle
  for (const [what, then] of [
    ['throws', () => Promise.reject(new Error(`${testSecret}: ${filming.prompt}`))],
    ['names no operation', () => ({ warnings: [] })],
    ['names nothing as its operation', () => ({ operation: null })],
    ['gives a function as its operation', () => ({ operation: () => {} })],
    ['gives an operation without an end', () => ({ operation: circle })],
    ['gives an operation that is too long', () => ({ operation: 'x'.repeat(70_000) })],
    ['gives nothing', () => undefined],
  ] as const)
    test(`and ${what} after the service accepted the request leaves its fate unknown`, async () => {
      const { run, logged } = await runnerOf(afterStart(then))
      assert.equal((await failureOf(run())).code, 'outcome_unknown')
      assert.equal(service.received.length, 1)
      assert.ok(!logged.join().includes(testSecret) && !logged.join().includes(filming.prompt), logged.join())
    })

  for (const [what, seen] of [
    ['nothing', undefined],
    ['a word', 'done'],
    ['a state of its own', { status: 'almost' }],
    ['no videos', given()],
    ['a list of numbers', { status: 'completed', videos: [1] }],
    ['a video without a place', given({ type: 'url' })],
    ['a storage of its own', given({ type: 'uploaded', mediaType: 'video/mp4' })],
  ] as const)
    test(`and answers a poll with ${what} is polled again`, async () => {
      let looks = 0
      const { job, offer } = await runnerOf(starts(async () => (++looks === 1 ? seen : given(inBase64()))))
      const requested = await job()
      const started = await offer().start(requested)
      assert.ok(started.state === 'started')
      assert.equal((await failureOf(offer().check(requested, started.handle))).code, 'upstream_error')
      assert.equal((await offer().check(requested, started.handle)).state, 'done')
    })

  test('and hangs in a poll, or throws before it sends, is polled again', async () => {
    let looks = 0
    const model = starts(() => (looks++ === 0 ? new Promise<never>(() => {}) : Promise.reject(new TypeError('no'))))
    const { job, offer } = await runnerOf(model)
    const requested = await job({ settings: { timeout_seconds: 0.05 } })
    for (let tries = 0; tries < 2; tries++)
      assert.equal((await failureOf(offer().check(requested, { operation: 1 }))).code, 'upstream_error')
  })

  test('and returns more links than can be stored has its files fetched at once', async () => {
    const links = Array.from({ length: 2 }, (_, index) => ({ type: 'url', url: `${service.baseUrl}/${index}${'x'.repeat(40_000)}` }))
    const { run } = await runnerOf({ maxVideosPerCall: 4, doGenerate: async () => given(...links) })
    assert.equal((await failureOf(run({ request: { count: 2 } }))).code, 'upstream_error')
  })

  test('and never ends is polled as often as the target says', async () => {
    const { job, offer } = await runnerOf(starts(async () => ({ status: 'pending' })))
    const requested = await job({ settings: { video: { poll_seconds: 7 } } })
    for (let looks = 0; looks < 5; looks++)
      assert.deepEqual(await offer().check(requested, { operation: 1 }), { state: 'running', checkAfterMs: 7000 })
  })

  test('and ignores an abort is given up, in a start and in a poll', async () => {
    const sleeps = () => new Promise<never>(() => {})
    const model = { ...starts(sleeps), doStart: afterStart(sleeps).doStart } as FakeVideoModel
    const { job, offer } = await runnerOf(model)
    const leaving = new AbortController()
    const started = failureOf(offer().start(await job({ signal: leaving.signal })))
    await until(() => service.received[0]?.isEnded === true, 'the answer')
    leaving.abort()
    assert.equal((await started).code, 'outcome_unknown')
    const later = new AbortController()
    const looked = failureOf(offer().check(await job({ signal: later.signal }), { operation: 1 }))
    later.abort()
    assert.equal((await looked).code, 'cancelled')
  })

  test('and reports a busy service as a failed video is polled again, after the time that the service requests', async () => {
    const model = starts(async (_look, send) => ({ status: 'error', error: `it said ${(await send('/look')).status}` }))
    const { job, offer } = await runnerOf(model)
    const requested = await job()
    service.answer(errorReply(429, { message: 'slow' }, { 'retry-after': '9' }))
    const error = await failureOf(offer().check(requested, { operation: 1 }))
    assert.deepEqual([error.code, error.retryAfterSeconds], ['rate_limited', 9])
    service.answer(jsonReply({}))
    const says = 'The service behind fake-provider could not make the video: it said 200'
    assert.equal(failedAs((await offer().check(requested, { operation: 1 })) as Outcome).message, says)
    service.answer(jsonReply({ detail: 'The task was not found.' }, 404))
    assert.equal(failedAs((await offer().check(requested, { operation: 1 })) as Outcome).mayBeCharged, true)
    for (const reply of foreignNotFounds()) {
      service.answer(reply)
      assert.equal((await failureOf(offer().check(requested, { operation: 1 }))).code, 'upstream_error')
    }
  })

  for (const [name, code] of [
    ['REPLICATE_VIDEO_GENERATION_FAILED', 'upstream_error'],
    ['XAI_VIDEO_MODERATION_ERROR', 'content_moderated'],
  ] as const)
    test(`and throws ${name} has ended, also in a single call`, async () => {
      const fails = async (_call: RecordedCall, send: (path: string, init?: RequestInit) => Promise<Response>) => {
        await send('/videos', { method: 'POST', body: '{}' })
        throw Object.assign(sdkError('x'), { name, [Symbol.for('vercel.ai.error')]: true })
      }
      for (const model of [starts(fails), { doGenerate: fails }]) {
        const { run } = await runnerOf(model)
        const { code: found, message } = failedAs(await run())
        assert.equal(found, code)
        assert.match(message, new RegExp(name))
      }
    })

  test('and gives up while it waits leaves the fate unknown', async () => {
    const { run } = await runnerOf({
      doGenerate: async (_call, send) => {
        await send('/videos', { method: 'POST', body: '{}' })
        throw sdkError('AI_DownloadError')
      },
    })
    assert.equal((await failureOf(run())).code, 'outcome_unknown')
  })
})

describe('what is stored and what is sent', () => {
  let other: FakeUpstream
  beforeEach(async () => {
    other = await startFakeUpstream()
    other.answer(rawReply(clip))
  })
  afterEach(() => other.close())

  test('a secret in an operation or a link is not stored, and is restored for the poll', async () => {
    const seen: unknown[] = []
    const operation = { url: `${service.baseUrl}/look?key=${testSecret}` }
    const model = starts(async ({ operation: given }) => ({ status: seen.push(given) ? 'pending' : '' }))
    const { job, offer } = await runnerOf({ ...model, doStart: async () => ({ operation }) })
    const requested = await job()
    const started = await offer().start(requested)
    assert.ok(started.state === 'started')
    const kept = JSON.stringify(started.handle)
    assert.ok(!kept.includes(testSecret), kept)
    await offer().check(requested, JSON.parse(kept))
    assert.deepEqual(seen, [operation])
  })

  test('a video at a private address is not fetched', async () => {
    for (const model of [
      starts(async () => given({ type: 'url', url: `${other.baseUrl}/v.mp4` })),
      { doGenerate: async () => given({ type: 'url', url: `${other.baseUrl}/v.mp4` }) },
    ]) {
      const { run } = await runnerOf(model)
      assert.equal((await failureOf(run({ allowPrivateUrls: false }))).code, 'upstream_error')
    }
    assert.equal(other.connectionsMade(), 0)
  })

  test('an operation at another host is polled without the credential, and not at a private address', async () => {
    const poll = async ({ operation }: RecordedCall, send: (path: string) => Promise<Response>) => {
      await send(String(operation))
      return given(inBase64())
    }
    const model = { ...starts(poll), doStart: async () => ({ operation: `${other.baseUrl}/op` }) }
    const { run } = await runnerOf(model)
    const error = await failureOf(run({ allowPrivateUrls: false }))
    assert.equal(error.code, 'upstream_error')
    assert.equal(other.connectionsMade(), 0)
    assert.equal((await run()).state, 'done')
    assert.deepEqual(
      other.received.map(({ headers }) => headers.authorization),
      [undefined],
    )
  })
})
