/** Tests how a run handles requests, the results of packages and the errors that they throw. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { inspect } from 'node:util'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import sharp from 'sharp'
import {
  errorReply,
  type FakeUpstream,
  hangingReply,
  jsonReply,
  rawReply,
  startFakeUpstream,
} from '../../../testing/fakes/fake-upstream.ts'
import { installedPackages } from './packages.ts'
import { type FakeModel, fakePackage, type RecordedCall, sdkError } from './testing/fake-package.ts'
import { drawing, editing, picture, type Runner, startRunner, testSecret } from './testing/run.ts'

type Send = (path: string, init?: RequestInit) => Promise<Response>

let service: FakeUpstream
let drawn: Buffer
before(async () => {
  drawn = await picture()
})
beforeEach(async () => {
  service = await startFakeUpstream()
})
afterEach(() => service.close())

/** Returns a model that returns a picture without sending a request. */
const gives = (more: object = {}): FakeModel => ({ doGenerate: async () => ({ images: [drawn], warnings: [], ...more }) })
const throws = (error: unknown): FakeModel => ({
  doGenerate: async () => {
    throw error
  },
})
/** Returns a model whose service has already accepted the request when `then` runs. */
const afterPayment = (then: (send: Send) => Promise<unknown>): FakeModel => ({
  doGenerate: async (_call: RecordedCall, send: Send) => {
    await send('/images', { method: 'POST', body: '{}' })
    return then(send)
  },
})

async function starts(model: FakeModel, exports?: object): Promise<Runner & { calls: RecordedCall[] }> {
  service.answer(jsonReply({}))
  const { source, calls } = fakePackage(model, exports)
  return { ...(await startRunner(source, service.baseUrl)), calls }
}

async function failureOf(run: Promise<unknown>): Promise<GatewayError> {
  const error: unknown = await run.then(
    outcome => assert.fail(`it did not fail: ${inspect(outcome)}`),
    reason => reason,
  )
  assert.ok(error instanceof GatewayError, inspect(error))
  assert.ok(!inspect(error, { depth: null, showHidden: true }).includes(testSecret))
  assert.ok(!inspect(error, { depth: null, showHidden: true }).includes(drawing.prompt))
  return error
}

describe('a request', () => {
  test('is sent to the model with its size, its seed and the options of the target', async () => {
    const { run, calls } = await starts(gives())
    await run({ settings: { provider_options: { fake: { style: 'ink' } } } })
    const { prompt, n, size, aspectRatio, seed, files, providerOptions } = calls[0] ?? {}
    assert.deepEqual(
      { prompt, n, size, aspectRatio, seed, files },
      { prompt: drawing.prompt, n: 1, size: '64x48', aspectRatio: undefined, seed: 7, files: undefined },
    )
    assert.deepEqual(providerOptions, { fake: { style: 'ink' } })
  })

  test('is sent with an aspect ratio and without a seed if the target says so', async () => {
    const { run, calls } = await starts(gives())
    const outcome = await run({ settings: { size_as: 'aspect_ratio', seed: false }, request: { ...drawing, width: 1376, height: 768 } })
    assert.deepEqual([calls[0]?.size, calls[0]?.aspectRatio, calls[0]?.seed], [undefined, '16:9', undefined])
    assert.ok(outcome.state === 'done')
    assert.deepEqual(outcome.report.notFollowed, ['seed'])
  })

  for (const [what, request, settings, field] of [
    ['a negative prompt', { ...drawing, negativePrompt: 'dogs' }, {}, 'negativePrompt'],
    ['an enhanced prompt', { ...drawing, expandPrompt: true }, {}, 'expandPrompt'],
    ['several pictures with seeds', { ...drawing, count: 2 }, {}, 'count'],
    ['a seed beyond what a number holds', { ...drawing, seed: '9007199254740992' }, {}, 'seed'],
    ['a size without a ratio', { ...drawing, width: 1040, height: 400 }, { size_as: 'aspect_ratio' }, 'width'],
    ['an edit of nothing', editing, {}, 'image'],
  ] as const)
    test(`for ${what} is refused by name before anything is sent`, async () => {
      const runner = await starts(gives())
      assert.equal(runner.refusal({ request, settings })?.field, field)
      const error = await failureOf(runner.run({ request, settings }))
      assert.deepEqual([error.code, error.field, runner.calls.length], ['not_implemented', field, 0])
    })

  test('for a supported feature is accepted', async () => {
    const { refusal } = await starts(gives())
    assert.equal(refusal(), undefined)
    assert.equal(refusal({ request: { ...drawing, count: 3 }, settings: { seed: false } }), undefined)
  })

  test('for more pictures than one call of the model makes is refused; for as many it is one call', async () => {
    const limit = async ({ modelId }: { modelId: string }) => (modelId === 'draw-1' ? 2 : 9)
    const two = { images: [drawn, drawn.toString('base64')], warnings: [] }
    const { run, calls } = await starts({ maxImagesPerCall: limit, doGenerate: async () => two })
    const error = await failureOf(run({ request: { ...drawing, count: 3 }, settings: { seed: false } }))
    assert.deepEqual([error.code, error.field, calls.length], ['not_implemented', 'count', 0])
    const outcome = await run({ request: { ...drawing, count: 2 }, settings: { seed: false } })
    assert.ok(outcome.state === 'done')
    assert.deepEqual([calls.map(({ n }) => n), outcome.files.length], [[2], 2])
    assert.deepEqual(outcome.usage, [
      { unit: 'images', units: 2 },
      { unit: 'pixels', units: 2 * 64 * 48 },
    ])
  })
})

describe('an edit', () => {
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ai-sdk-input-'))
    await writeFile(join(folder, 'input'), await picture('jpeg'))
  })
  after(() => rm(folder, { recursive: true }))
  const inputs = () => [{ path: join(folder, 'input'), role: 'image', mediaType: 'image/jpeg', bytes: 1 }]

  test('sends the exact picture as a file of a real package', async () => {
    service.answer(jsonReply({ data: [{ b64_json: drawn.toString('base64') }] }))
    const { run } = await startRunner(installedPackages, service.baseUrl)
    const outcome = await run({ request: editing, inputs: inputs(), settings: { package: '@ai-sdk/openai', seed: false } })
    assert.equal(outcome.state, 'done')
    const [{ path, headers, body } = assert.fail('nothing was sent')] = service.received
    assert.equal(path, '/v1/images/edits')
    assert.match(headers['content-type'] ?? '', /^multipart\/form-data; boundary=/)
    assert.ok(body.includes(await readFile(join(folder, 'input'))))
    assert.ok(body.includes(editing.prompt))
  })

  for (const [what, model] of [
    ['of version v2', { specificationVersion: 'v2' }],
    ['that says it takes no files', { specificationVersion: 'v4', supportsFileInputs: Promise.resolve(false) }],
  ] as const)
    test(`is refused by name by a model ${what}`, async () => {
      const { run, calls } = await starts({ ...gives(), ...model })
      const error = await failureOf(run({ request: editing, inputs: inputs() }))
      assert.deepEqual([error.code, error.field, calls.length], ['not_implemented', 'image', 0])
    })
})

describe('an answer', () => {
  for (const version of ['v2', 'v3', 'v4'])
    test(`of the interface ${version} is accepted`, async () => {
      const { run } = await starts({ ...gives(), specificationVersion: version })
      assert.equal((await run()).state, 'done')
    })

  for (const [version, says] of [
    ['v1', /version v1; known are v2, v3, v4/],
    ['v5', /version v5/],
    [undefined, /version undefined/],
  ] as const)
    test(`of the interface ${version} is not requested`, async () => {
      const { run, calls } = await starts({ ...gives(), specificationVersion: version })
      const error = await failureOf(run())
      assert.equal(error.code, 'capability_unavailable')
      assert.match(error.message, says)
      assert.equal(calls.length, 0)
    })

  test('reports what was not followed: warnings of all versions, and a size other than the requested one', async () => {
    const warnings = [
      { type: 'unsupported', feature: 'n', details: `the key ${testSecret} drew ${drawing.prompt} otherwise` },
      { type: 'unsupported-setting', setting: 'seed' },
      { type: 'unsupported', feature: 'aspectRatio' },
      { type: 'other', message: 'style is old' },
    ]
    const { run, logged } = await starts(gives({ warnings, images: [await picture('png', 32, 32)] }))
    const outcome = await run()
    assert.ok(outcome.state === 'done')
    assert.deepEqual(outcome.report.notFollowed, ['count', 'seed', 'width', 'height'])
    assert.deepEqual(
      logged.map(line => JSON.parse(line).says),
      ['the key *** drew *** otherwise', 'style is old'],
    )
  })

  test('reports the drawn prompt and the tokens', async () => {
    const more = {
      usage: { inputTokens: 3, outputTokens: undefined },
      providerMetadata: { any: { images: [{ revisedPrompt: 'a fat cat' }] } },
    }
    const { run } = await starts(gives(more))
    const outcome = await run()
    assert.ok(outcome.state === 'done')
    assert.equal(outcome.report.prompt, 'a fat cat')
    assert.deepEqual(outcome.usage.at(-1), { unit: 'input_tokens', units: 3 })
  })

  for (const [given, wanted] of [
    ['webp', 'png'],
    ['png', 'jpeg'],
    ['jpeg', 'png'],
  ] as const)
    test(`in ${given} is converted to the requested ${wanted}`, async () => {
      const { run } = await starts(gives({ images: [await picture(given)] }))
      const outcome = await run({ request: { ...drawing, format: wanted } })
      assert.ok(outcome.state === 'done')
      const [{ path, mediaType, width, height } = assert.fail('no file')] = outcome.files
      assert.deepEqual([mediaType, width, height], [`image/${wanted}`, 64, 48])
      assert.equal((await sharp(path).metadata()).format, wanted)
    })

  for (const [what, images] of [
    ['no picture', []],
    ['two pictures', ['', '']],
    ['something else', [Buffer.from('hello')]],
  ] as const)
    test(`with ${what} fails, and is not retried`, async () => {
      const { run } = await starts(gives({ images }))
      const outcome = await run()
      assert.ok(outcome.state === 'failed')
      assert.equal(outcome.code, 'upstream_error')
    })
})

describe('a failure', () => {
  for (const [what, error, code] of [
    ['a key that is not there', sdkError('AI_LoadAPIKeyError'), 'capability_unavailable'],
    ['a model that is not there', sdkError('AI_NoSuchModelError'), 'capability_unavailable'],
    ['an argument that does not fit', sdkError('AI_InvalidArgumentError'), 'not_implemented'],
    ['anything before the first request', new Error(`no, ${testSecret}: ${drawing.prompt}`), 'not_implemented'],
    ['a status told by a package that sends in its own way', sdkError('AI_APICallError', { statusCode: 429 }), 'rate_limited'],
    [
      'a model that the service does not have',
      sdkError('AI_APICallError', { statusCode: 404, responseBody: '{}' }),
      'capability_unavailable',
    ],
    ['no status told by such a package', sdkError('AI_APICallError', { requestBodyValues: drawing }), 'outcome_unknown'],
    ['a gateway error told by such a package', sdkError('AI_APICallError', { statusCode: 502 }), 'outcome_unknown'],
  ] as const)
    test(`for ${what} is ${code}`, async () => {
      const { run, logged } = await starts(throws(error))
      assert.equal((await failureOf(run())).code, code)
      assert.ok(!logged.join().includes(testSecret) && !logged.join().includes(drawing.prompt), logged.join())
    })

  for (const [what, model] of [
    ['gives up', afterPayment(() => Promise.reject(new Error('Image generation failed.')))],
    ['cannot read the answer', afterPayment(() => Promise.reject(sdkError('AI_APICallError', { statusCode: 200 })))],
    [
      'looks in vain',
      afterPayment(async send => {
        await send('/look')
        throw sdkError('AI_APICallError', { statusCode: 404 })
      }),
    ],
    ['gives nothing of the interface', afterPayment(async () => 'done')],
  ] as const)
    test(`after the service took the request is outcome_unknown when the package ${what}`, async () => {
      const { run } = await starts(model)
      assert.equal((await failureOf(run())).code, 'outcome_unknown')
    })

  test('of one of two simultaneous requests is outcome_unknown while the other one runs', async () => {
    const { run } = await starts({
      doGenerate: async (_call, send) => {
        const [first, second] = ['/first', '/second'].map(path => send(path, { method: 'POST', body: '{}' }))
        await first
        void second?.catch(() => {})
        throw new Error('The first request was refused.')
      },
    })
    service.answer(async (response, request) => {
      await until(() => service.received.length === 2, 'both requests')
      await (request.path.endsWith('/first') ? errorReply(400, {}) : hangingReply())(response, request)
    })
    assert.equal((await failureOf(run())).code, 'outcome_unknown')
  })

  test('for a service that finally refuses is the refusal', async () => {
    const { source } = fakePackage()
    const { run } = await startRunner(source, service.baseUrl)
    service.answer(errorReply(402, {}))
    assert.equal((await failureOf(run())).code, 'upstream_quota_exhausted')
  })

  test('an abort ends a package that ignores the signal', async () => {
    const leaving = new AbortController()
    const { run } = await starts(afterPayment(() => new Promise(() => {})))
    const running = failureOf(run({ signal: leaving.signal }))
    await until(() => service.received[0]?.isEnded === true, 'the answer')
    leaving.abort()
    assert.equal((await running).code, 'outcome_unknown')
  })

  test('an abort before the first request is a plain cancellation', async () => {
    const leaving = new AbortController()
    const leaveFirst = (): Promise<never> => {
      leaving.abort()
      return new Promise(() => {})
    }
    const { run } = await starts({ doGenerate: leaveFirst })
    assert.equal((await failureOf(run({ signal: leaving.signal }))).code, 'cancelled')
  })
})

describe('the fetch of a package', () => {
  let other: FakeUpstream
  beforeEach(async () => {
    other = await startFakeUpstream()
  })
  afterEach(() => other.close())

  const links = async (link: string, settings = {}, allowPrivateUrls = true) => {
    const { source } = fakePackage()
    const { run } = await startRunner(source, service.baseUrl)
    service.answer(jsonReply({ links: [link] }), rawReply(drawn))
    return run({ settings, allowPrivateUrls })
  }

  test('does not follow a link to a private address', async () => {
    const error = await failureOf(links(`${other.baseUrl}/picture`, {}, false))
    assert.equal(error.code, 'outcome_unknown')
    assert.equal(other.connectionsMade(), 0)
  })

  test('fetches at most 256 links at the same time', async () => {
    const { source } = fakePackage()
    const { run } = await startRunner(source, service.baseUrl)
    service.answer(jsonReply({ links: Array.from({ length: 2_000 }, () => `${service.baseUrl}/picture`) }), hangingReply())
    assert.equal((await failureOf(run({}))).code, 'outcome_unknown')
    assert.ok(service.received.length <= 257, `${service.received.length} requests`)
  })

  test('fetches a link at the host of the service itself, wherever that is', async () => {
    assert.equal((await links(`${service.baseUrl}/picture`, {}, false)).state, 'done')
  })

  test('sends the credential to hosts that the operator names, and to no other', async () => {
    other.answer(rawReply(drawn))
    const seen = () => other.received.map(({ headers }) => headers.authorization)
    assert.equal((await links(`${other.baseUrl}/picture`)).state, 'done')
    assert.equal((await links(`${other.baseUrl}/picture`, { api_hosts: [new URL(other.baseUrl).host] })).state, 'done')
    assert.deepEqual(seen(), [undefined, `Bearer ${testSecret}`])
  })

  test('sends a key that the factory knows by another name', async () => {
    await links(`${service.baseUrl}/picture`, { api_key_as: 'apiToken' })
    assert.equal(service.received[0]?.headers.authorization, `Bearer ${testSecret}`)
  })

  test('sends only reads to other hosts', async () => {
    const { run } = await starts({ doGenerate: async (_call, send) => send(`${other.baseUrl}/images`, { method: 'POST', body: '{}' }) })
    const error = await failureOf(run())
    assert.equal(error.code, 'upstream_error')
    assert.match(error.message, /name it in api_hosts/)
    assert.equal(other.connectionsMade(), 0)
  })

  test('accepts at most 128 MiB of all answers together', async () => {
    const half = Buffer.alloc(64 * 1024 * 1024)
    const { run } = await starts(
      afterPayment(async send => {
        service.answer(rawReply(half))
        for (let reads = 0; reads < 3; reads++) await (await send('/part')).body?.cancel()
      }),
    )
    const error = await failureOf(run())
    assert.equal(error.code, 'outcome_unknown')
    assert.match(inspect(error.cause), /more than 134217728 bytes/)
    // The third answer exceeds the limit, because the limit also counts the two bytes of the first
    // answer.
    assert.equal(service.received.length, 3)
  })
})
