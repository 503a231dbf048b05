/** Tests pictures over OpenAI's images interface, against a fake server. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Done, Failed, InputFile, Job, Outcome } from '@generation-gateway/kit/requests/job.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import sharp from 'sharp'
import { mayFailOver } from '../../../core/routing/router.ts'
import { assertPixel, onePixelPng } from '../../../testing/fakes/fake-driver.ts'
import {
  errorReply,
  type FakeReply,
  type FakeUpstream,
  hangingReply,
  jsonReply,
  rawReply,
  resetReply,
  silentReply,
  startFakeUpstream,
} from '../../../testing/fakes/fake-upstream.ts'
import { driverSuite } from '../../suite/suite.ts'
import openaiCompatible from './driver.ts'
import { answerOf, drawing, edit, editing, formOf, generate, inputOf, jobOf, openDriver, testSecret } from './testing/image-run.ts'

const pixel: ImageGenerateRequest = { ...generate, width: 1, height: 1, seed: '7', prompt: 'a cat' }
const usage = { total_tokens: 60, input_tokens: 10, output_tokens: 50, input_tokens_details: { text_tokens: 10, image_tokens: 0 } }

driverSuite('openai-compatible over images', {
  driver: openaiCompatible,
  settings: (base_url, api_key) => ({ base_url, api_key, image: { seed: true } }),
  capability: 'image.generate',
  request: pixel,
  good: (_baseUrl, otherBaseUrl) => [
    jsonReply({ created: 1, data: [{ url: `${otherBaseUrl}/picture?sig=1`, revised_prompt: 'a drawn cat' }], usage }),
  ],
  check: done =>
    assertPixel(done, { seed: '7', prompt: 'a drawn cat', notDrawn: [], notFollowed: [] }, [
      { unit: 'input_tokens', units: 10 },
      { unit: 'output_tokens', units: 50 },
    ]),
  hanging: hangingReply(['never ending']),
  refusal: (status, message, headers) => errorReply(status, { message }, headers),
  failed: { replies: [errorReply(400, { code: 'moderation_blocked', message: 'no' })], code: 'request_moderated' },
  paidSubmit: { aborted: 'outcome_unknown' },
  polled: { leftOut: 'the interface answers with the pictures' },
  outputs: 'files',
  file: rawReply(onePixelPng),
  relays: { leftOut: 'the suites of chat and responses look at the relays' },
})

let fake: FakeUpstream
let scratch = ''
const driver = openDriver()
const pictures = new Map<string, Buffer>()

before(async () => {
  for (const format of ['png', 'jpeg', 'webp'] as const) {
    const image = sharp(randomBytes(1024 * 1536 * 3), { raw: { width: 1024, height: 1536, channels: 3 } })
    pictures.set(format, await image.toFormat(format).toBuffer())
  }
})
beforeEach(async () => {
  fake = await startFakeUpstream()
  scratch = await mkdtemp(join(tmpdir(), 'images-'))
})
afterEach(() => Promise.all([fake.close(), rm(scratch, { recursive: true })]))
after(() => driver.close?.())

const picture = (format = 'png') => pictures.get(format) ?? Buffer.alloc(0)
const place = () => ({ baseUrl: fake.baseUrl, scratch })
const withImage = (image: JsonObject) => ({ base_url: fake.baseUrl, api_key: testSecret, image })

function draw(request: Partial<ImageGenerateRequest> = {}, changes: Partial<Job<ImageGenerateRequest>> = {}): Promise<Outcome> {
  return drawing(driver).run(jobOf({ ...generate, ...request }, place(), changes))
}

function done(outcome: Outcome): Done {
  assert.equal(outcome.state, 'done', JSON.stringify(outcome))
  return outcome
}

function refused(outcome: Outcome): Failed {
  assert.equal(outcome.state, 'failed')
  return outcome
}

async function failure(run: Promise<unknown>): Promise<GatewayError> {
  const error = await run.then(
    () => assert.fail('it went well'),
    error => error,
  )
  assert.ok(error instanceof GatewayError, String(error))
  return error
}

describe('drawing', () => {
  test('a model of OpenAI gets its fields, and its pictures are the exact bytes of the answer', async () => {
    for (const format of ['png', 'jpeg'] as const) {
      fake.answer(jsonReply({ ...answerOf(picture(format), picture(format)), usage }))
      const { files, report, usage: used } = done(await draw({ format, count: 2 }))
      for (const file of files) assert.ok((await readFile(file.path)).equals(picture(format)))
      assert.equal(new Set(files.map(({ path }) => path)).size, 2)
      for (const { mediaType, width, height } of files) assert.deepEqual([mediaType, width, height], [`image/${format}`, 1024, 1536])
      // The report lists the seed as not followed, because the model accepts none.
      assert.deepEqual(report, { seed: generate.seed, prompt: generate.prompt, notDrawn: [], notFollowed: ['seed'] })
      assert.deepEqual(used.slice(0, 2), [
        { unit: 'images', units: 2 },
        { unit: 'pixels', units: 2 * 1024 * 1536 },
      ])
      const request = fake.received.at(-1)
      assert.deepEqual([request?.method, request?.path], ['POST', '/v1/images/generations'])
      assert.equal(request?.headers.authorization, `Bearer ${testSecret}`)
      const { prompt } = generate
      assert.deepEqual(request?.json, { model: 'gpt-image-1', prompt, size: '1024x1536', n: 2, output_format: format })
    }
    assert.equal(fake.received.length, 2)
  })

  test('a self-hosted server gets the seed with all digits if the settings say that it accepts one', async () => {
    fake.answer(jsonReply(answerOf(picture())))
    const changes = { model: 'Qwen/Qwen-Image', settings: withImage({ seed: true, fields: { num_inference_steps: 20 } }) }
    const { report } = done(await draw({}, changes))
    assert.deepEqual(report.notFollowed, [])
    const body = fake.received[0]?.body.toString() ?? ''
    assert.match(body, /^\{"seed":9223372036854775807,/)
    const { num_inference_steps: steps, response_format: format, size } = JSON.parse(body)
    assert.deepEqual([steps, format, size], [20, 'b64_json', '1024x1536'])
  })

  test('the seed and the prompt in the answer are reported', async () => {
    const [item] = answerOf(picture()).data
    fake.answer(jsonReply({ data: [{ ...item, seed: 42, revised_prompt: 'a black cat' }] }))
    assert.deepEqual(done(await draw()).report, { seed: '42', prompt: 'a black cat', notDrawn: [], notFollowed: [] })
  })

  test('a picture in another format than requested, inline or by a link, is converted', async () => {
    const link = { data: [{ url: `${fake.baseUrl}/files/1` }] }
    for (const [given, wanted] of [['png', 'jpeg'] as const, ['webp', 'png'] as const, ['jpeg', 'png'] as const]) {
      for (const replies of [[jsonReply(answerOf(picture(given)))], [jsonReply(link), rawReply(picture(given))]]) {
        fake.answer(...replies)
        const [{ path, ...facts } = assert.fail('no file')] = done(await draw({ format: wanted }, { model: 'house' })).files
        assert.deepEqual(facts, { mediaType: `image/${wanted}`, width: 1024, height: 1536 })
        assert.equal((await sharp(path).metadata()).format, wanted)
      }
    }
  })

  test('a picture of another size than requested is reported as such', async () => {
    fake.answer(jsonReply(answerOf(picture())))
    const { report, files } = done(await draw({ width: 1024, height: 1024 }))
    assert.deepEqual(report.notFollowed, ['seed', 'width', 'height'])
    assert.deepEqual([files[0]?.width, files[0]?.height], [1024, 1536])
  })

  test('unsupported requests are refused before a connection is made, so the next target is tried', async () => {
    const inputs = [await inputOf(picture(), scratch, {})]
    const runs = [
      () => draw({ width: 1152, height: 768 }),
      () => editing(driver).run(jobOf(edit, place(), { inputs, model: 'dall-e-3' })),
      () => editing(driver).run(jobOf(edit, place())),
    ]
    for (const run of runs) {
      const error = await failure(run())
      assert.deepEqual([error.code, mayFailOver(error, 'paid')], ['not_implemented', true])
    }
    assert.equal(fake.connectionsMade(), 0)
  })
})

describe('links', () => {
  let other: FakeUpstream
  beforeEach(async () => {
    other = await startFakeUpstream()
    other.answer(rawReply(picture()))
  })
  afterEach(() => other.close())
  const linked = (...urls: string[]) => jsonReply({ data: urls.map(url => ({ url, b64_json: null })) })

  test('each picture is downloaded without the credential, also from the host of the target', async () => {
    fake.answer(linked(`${fake.baseUrl}/files/1`, `${fake.baseUrl}/files/2`), rawReply(picture()))
    const { files } = done(await draw({ count: 2 }))
    for (const file of files) assert.ok((await readFile(file.path)).equals(picture()))
    assert.equal(new Set(files.map(({ path }) => path)).size, 2)
    const downloads = fake.received.filter(({ method }) => method === 'GET')
    assert.equal(downloads.length, 2)
    for (const { headers } of downloads) assert.equal(headers.authorization, undefined)
  })

  test('another host with a private address is not called, and nothing is sent again', async () => {
    fake.answer(linked(`${other.baseUrl}/files/1`))
    assert.equal(refused(await draw()).code, 'upstream_error')
    assert.equal(other.connectionsMade(), 0)
    assert.equal(fake.received.length, 1)
  })

  test('another host is called without the credential', async () => {
    const open = openDriver(true)
    try {
      fake.answer(linked(`${other.baseUrl}/files/1`))
      done(await drawing(open).run(jobOf(generate, place())))
      assert.equal(other.received[0]?.headers.authorization, undefined)
    } finally {
      await open.close?.()
    }
  })

  test('an unusable link ends the task: the picture was paid', async () => {
    for (const reply of [rawReply('', 403), rawReply('', 404), rawReply('<html>')]) {
      fake.answer(linked(`${fake.baseUrl}/files/1`), reply)
      const { code, mayBeCharged } = refused(await draw())
      assert.deepEqual([code, mayBeCharged], ['upstream_error', true])
    }
  })
})

describe('editing', () => {
  test('the form has the exact bytes of the picture, the prompt, and the size of the input', async () => {
    fake.answer(jsonReply(answerOf(picture())))
    for (const size of [1, 1000, 300_001]) {
      const bytes = randomBytes(size)
      const inputs = [await inputOf(bytes, scratch, { width: 1020, height: 1540 })]
      done(await editing(driver).run(jobOf(edit, place(), { inputs })))
      const request = fake.received.at(-1)
      assert.ok(request)
      const form = await formOf(request)
      assert.deepEqual(form.texts, { model: 'gpt-image-1', prompt: edit.prompt, size: '1024x1536', output_format: 'png' })
      assert.deepEqual([form.file.name, form.file.type], ['image.png', 'image/png'])
      assert.ok(form.bytes.equals(bytes))
      assert.deepEqual([request.path, Number(request.headers['content-length'])], ['/v1/images/edits', request.body.length])
    }
  })

  test('without a size the model chooses one, and a shape other than that of the input is reported', async () => {
    fake.answer(jsonReply(answerOf(picture())))
    const inputs = [await inputOf(picture(), scratch, { width: 800, height: 600 })]
    const { report } = done(await editing(driver).run(jobOf(edit, place(), { inputs })))
    assert.deepEqual(report.notFollowed, ['seed', 'aspectRatio'])
    assert.equal((await formOf(fake.received[0] ?? assert.fail())).texts.size, undefined)
  })

  test('several pictures and a mask are separate parts, if the model accepts them', async () => {
    fake.answer(jsonReply(answerOf(picture())))
    const bytes = [randomBytes(2000), randomBytes(200_000), randomBytes(300)]
    const inputs: InputFile[] = []
    for (const [index, role] of ['image', 'image', 'mask'].entries()) {
      const input = await inputOf(bytes[index] ?? assert.fail(), scratch, { width: 64, height: 64 })
      const path = `${input.path}-${index}`
      await rename(input.path, path)
      inputs.push({ ...input, path, role })
    }
    done(await editing(driver).run(jobOf(edit, place(), { inputs })))
    const { headers, body } = fake.received[0] ?? assert.fail()
    const form = await new Response(new Uint8Array(body), { headers: { 'content-type': headers['content-type'] ?? '' } }).formData()
    const files = [...form.getAll('image[]'), ...form.getAll('mask')]
    for (const [index, file] of files.entries()) {
      assert.ok(file instanceof File)
      assert.ok(Buffer.from(await file.arrayBuffer()).equals(bytes[index] ?? assert.fail()), `part ${index}`)
    }
    assert.deepEqual([files.length, Number(headers['content-length'])], [3, body.length])
    const refuses = (model: string, image: object) =>
      editing(driver).refuses?.({ request: edit, inputs, model, settings: withImage({ ...image }) })?.message
    assert.equal(refuses('house', {}), 'image: the model house takes one picture, not 2.')
    assert.equal(refuses('house', { most_inputs: 2 }), 'mask: the model house takes no mask.')
    assert.equal(refuses('house', { most_inputs: 2, mask: true }), undefined)
  })

  test('the seed is a text of the form if the settings say that the server accepts one', async () => {
    fake.answer(jsonReply(answerOf(picture())))
    const inputs = [await inputOf(picture(), scratch, {})]
    const settings = withImage({ seed: true, fields: { strength: 0.5 } })
    done(await editing(driver).run(jobOf(edit, place(), { inputs, settings, model: 'house' })))
    const { texts } = await formOf(fake.received[0] ?? assert.fail())
    assert.deepEqual([texts.seed, texts.strength, texts.response_format], ['-9007199254740993', '0.5', 'b64_json'])
  })
})

describe('an unusable picture that was paid ends the task', () => {
  const useless: [what: string, body: () => object, says: RegExp][] = [
    ['no picture', () => answerOf(randomBytes(1000)), /What came from the upstream service as a picture is none/],
    ['half a picture', () => answerOf(picture('webp').subarray(0, 5000)), /cannot be converted to image\/png/],
    ['too few pictures', () => answerOf(), /is 0 instead of 1/],
    ['too many pictures', () => answerOf(picture(), picture()), /is 2 instead of 1/],
    ['neither picture nor link', () => ({ data: [{ b64_json: '' }] }), /neither a picture nor a link/],
  ]
  for (const [what, body, says] of useless) {
    test(what, async () => {
      fake.answer(jsonReply(body()))
      const { code, message, mayBeCharged } = refused(await draw())
      assert.deepEqual([code, mayBeCharged], ['upstream_error', true])
      assert.match(message, says)
      assert.equal(fake.received.length, 1)
    })
  }

  test('more than 128 MiB', async () => {
    const endless = function* () {
      yield '{"data":[{"b64_json":"'
      for (const piece = Buffer.alloc(2 ** 20, 'A'); ; ) yield piece
    }
    fake.answer(response => void Readable.from(endless()).pipe(response))
    const { code, message } = refused(await draw())
    assert.equal(code, 'upstream_error')
    assert.match(message, /more than 134217728 bytes/)
  })
})

test('a moderation refusal is a failed outcome with the kinds of harm', async () => {
  const message = 'Your request was rejected. safety_violations=[violence, self-harm].'
  fake.answer(errorReply(400, { code: 'moderation_blocked', type: 'image_generation_user_error', message }))
  const { code, reasons } = refused(await draw())
  assert.deepEqual([code, reasons], ['request_moderated', ['violence', 'self-harm']])
  fake.answer(errorReply(400, { code: 'content_policy_violation', message: 'no' }))
  assert.deepEqual(refused(await draw()).reasons, undefined)
})

const unknown: [what: string, reply: FakeReply][] = [
  ['a reset in the middle of the answer', resetReply(['{"data":['])],
  ['half an answer', rawReply('{"data":[{"b64_json":"AAAA')],
  ['a page', rawReply('<html>')],
  ['no base64', jsonReply({ data: [{ b64_json: 'https://images.example/1.png' }] })],
  ['no answer in time', silentReply],
]
for (const [what, reply] of unknown) {
  test(`after ${what} the fate is unknown, and the request is sent once`, async () => {
    fake.answer(reply)
    // Only the reply that never comes needs a short time limit. The other replies get the default
    // limit, which a slow machine does not exceed.
    const settings = { base_url: fake.baseUrl, api_key: testSecret, ...(reply === silentReply ? { timeout_seconds: 2 } : {}) }
    const error = await failure(draw({}, { settings }))
    assert.equal(error.code, 'outcome_unknown')
    assert.ok(!mayFailOver(error, 'paid'))
    assert.equal(fake.received.length, 1)
  })
}

test('a missing model is the operator’s mistake: the next target is tried', async () => {
  fake.answer(errorReply(404, { code: 'model_not_found', message: 'no' }))
  const error = await failure(draw())
  assert.deepEqual([error.code, mayFailOver(error, 'paid')], ['capability_unavailable', true])
  fake.answer(rawReply('404 page not found', 404))
  assert.equal((await failure(draw())).code, 'capability_unavailable')
})

test('the connection of a picture is used for nothing else', async () => {
  fake.answer(jsonReply(answerOf(picture())))
  await draw()
  assert.equal(fake.received[0]?.headers.connection, 'close')
  await until(() => fake.openConnections() === 0, 'the end of the connection')
})
