/** Tests interface F1 on the whole program with this driver and a fake service with OpenAI's images
 *  interface. */
import assert from 'node:assert/strict'
import { afterEach, before, beforeEach, test } from 'node:test'
import sharp from 'sharp'
import { errorReply, type FakeUpstream, jsonReply, resetReply, startFakeUpstream } from '../../../testing/fakes/fake-upstream.ts'
import { startTestGateway, type TestGateway } from '../../../testing/gateway.ts'
import openaiCompatible from './driver.ts'
import { answerOf, formOf, testSecret } from './testing/image-run.ts'

const path = '/v1/ai/default/imgf/image/generate'
const size = { width: 1536, height: 1024 } as const
/** Pictures of the fake service, by prompt. Each has a colour that no other picture in the test
 *  has. */
const pictures = new Map<string, Buffer>()

let fake: FakeUpstream
let gateway: TestGateway
before(async () => {
  for (const [format, background] of [['png', '#c1440e'] as const, ['jpeg', '#0e8ac1'] as const])
    pictures.set(
      format,
      await sharp({ create: { ...size, channels: 3, background } })
        .toFormat(format)
        .toBuffer(),
    )
})
beforeEach(async () => {
  fake = await startFakeUpstream()
  fake.answer((response, request) => {
    const picture = pictures.get(/jpeg/.test(request.body.toString('latin1')) ? 'jpeg' : 'png')
    return jsonReply({ ...answerOf(picture ?? assert.fail()), usage: { input_tokens: 12, output_tokens: 4160 } })(response, request)
  })
  const target = `{ driver: openai-compatible, base_url: "${fake.baseUrl}", api_key_env: IMAGES_KEY, model: gpt-image-1 }`
  const house = `{ driver: openai-compatible, base_url: "${fake.baseUrl}", model: house, image: { seed: true } }`
  const yaml = `models:
  - { id: cloud-image, family: F1, group: P, targets: [${target}] }
  - { id: cloud-edit, family: F1, group: KE, targets: [${target}] }
  - { id: house-image, family: F1, group: P, targets: [${house}] }
`
  gateway = await startTestGateway({ drivers: [openaiCompatible], yaml, env: { IMAGES_KEY: testSecret, GATEWAY_ALLOW_PRIVATE_URLS: '0' } })
})
afterEach(async () => {
  await fake.close()
  await gateway[Symbol.asyncDispose]()
})

interface Ended {
  status: string
  result: { seed: number; prompt: string; sample: string; not_drawn: string[]; not_followed: string[] } | null
  details: { error?: string; message?: string } | null
}

/** Submits a body and returns the result of its task. When the submit is refused, returns the
 *  refusal in the form of a failed task. */
async function ended(body: object): Promise<Ended> {
  const answer = await gateway.call(path, { body })
  if (answer.status !== 200) {
    const { code, message } = answer.body.error
    return { status: 'Error', result: null, details: { error: code, message } }
  }
  // The cast is unchecked: other tests check the reply against the schema of F1; this test reads
  // only these members.
  return (await gateway.result(answer.body.polling_url)) as unknown as Ended
}

test('a model of OpenAI draws: the caller gets its exact picture, and a report that the seed was not used', async () => {
  for (const format of ['png', 'jpeg']) {
    const request = { model: 'cloud-image', prompt: 'a boat', ...size, seed: 771, output_format: format }
    const { status, result, details } = await ended(request)
    assert.equal(status, 'Ready', JSON.stringify(details))
    assert.deepEqual([result?.seed, result?.prompt, result?.not_drawn, result?.not_followed], [771, 'a boat', [], ['seed']])
    const { bytes, headers } = await gateway.call(result?.sample ?? '', { key: false })
    assert.equal(headers.get('content-type'), `image/${format}`)
    const drawn = pictures.get(format)
    assert.ok((await sharp(bytes).raw().toBuffer()).equals(await sharp(drawn).raw().toBuffer()), 'other pixels than the service drew')
  }
  assert.deepEqual(fake.received[0]?.json, { model: 'gpt-image-1', prompt: 'a boat', size: '1536x1024', output_format: 'png' })
  assert.equal(fake.received.length, 2)
})

test('half of a surrogate pair in a prompt reaches the service as U+FFFD, not as an escape that many services refuse', async () => {
  const prompt = 'a \\ud83d boat \ud83d\ude00'
  const { status, details } = await ended({ model: 'cloud-image', prompt: `${prompt} \ud83d`, ...size, output_format: 'png' })
  assert.equal(status, 'Ready', JSON.stringify(details))
  const sent = fake.received[0]?.body.toString() ?? ''
  assert.ok(sent.includes(JSON.stringify(`${prompt} \ufffd`)), sent)
})

test("a self-hosted server draws with the caller's seed", async () => {
  const { status, result } = await ended({ model: 'house-image', prompt: 'a boat', ...size, seed: 771, output_format: 'png' })
  assert.deepEqual([status, result?.seed, result?.not_drawn, result?.not_followed], ['Ready', 771, [], []])
  assert.equal(Object(fake.received[0]?.json).seed, 771)
})

test("a server that makes only PNG draws for a caller without a format: the caller gets F1's JPEG", async () => {
  const { status, result, details } = await ended({ model: 'house-image', prompt: 'a boat', ...size })
  assert.equal(status, 'Ready', JSON.stringify(details))
  const { bytes, headers } = await gateway.call(result?.sample ?? '', { key: false })
  assert.equal(headers.get('content-type'), 'image/jpeg')
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  assert.deepEqual([info.format, info.width, info.height], ['raw', size.width, size.height])
  const drawn = await sharp(pictures.get('png')).raw().toBuffer()
  const most = drawn.reduce((worst, value, at) => Math.max(worst, Math.abs(value - (data[at] ?? 0))), 0)
  assert.ok(most <= 2, `a value is off by ${most}`)
  assert.equal(Object(fake.received[0]?.json).output_format, undefined)
})

test("an edit sends the caller's exact picture", async () => {
  const input = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#3366aa' } })
    .png()
    .toBuffer()
  const request = { model: 'cloud-edit', prompt: 'bluer', input_image: input.toString('base64'), output_format: 'png' }
  const { status, details } = await ended(request)
  assert.equal(status, 'Ready', JSON.stringify(details))
  const { texts, bytes } = await formOf(fake.received[0] ?? assert.fail())
  assert.ok(bytes.equals(input))
  assert.equal(texts.prompt, 'bluer')
})

test('a size that the model cannot draw is refused with its field and the possible sizes, and nothing is sent', async () => {
  const { status, details } = await ended({ model: 'cloud-image', prompt: 'x', width: 800, height: 600 })
  assert.deepEqual([status, details?.error], ['Error', 'invalid_request'])
  assert.match(details?.message ?? '', /width.*1024x1024, 1536x1024, 1024x1536, not 800x600/)
  assert.equal(fake.received.length, 0)
})

test('a moderation refusal is one of F1', async () => {
  fake.answer(errorReply(400, { code: 'moderation_blocked', message: 'safety_violations=[violence]' }))
  const { status, details } = await ended({ model: 'cloud-image', prompt: 'x', ...size })
  assert.equal(status, 'Request Moderated')
  assert.deepEqual(Object(details)['Moderation Reasons'], ['violence'])
})

test('a request whose answer was lost ends as outcome_unknown and is sent once', async () => {
  fake.answer(resetReply())
  const { status, details } = await ended({ model: 'cloud-image', prompt: 'x', ...size })
  assert.deepEqual([status, details?.error], ['Error', 'outcome_unknown'])
  assert.equal(fake.received.length, 1)
})
