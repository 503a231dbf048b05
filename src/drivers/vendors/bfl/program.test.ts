/** Tests interface F1 on the whole program with this driver and a fake vendor, which enforces its
 *  documented limits. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import sharp from 'sharp'
import { startTestGateway, type TestGateway, type TestOptions } from '../../../testing/gateway.ts'
import bfl from './driver.ts'
import { type FakeVendor, startFakeVendor } from './testing/fake-vendor.ts'
import { testSecret } from './testing/run.ts'

const path = '/v1/ai/default/imgf/image/generate'
const drawn = { width: 1152, height: 768, channels: 3 } as const
/** The vendor draws noise, so that no other picture has the same pixels. */
const pixels = randomBytes(drawn.width * drawn.height * drawn.channels)
const pictures = new Map<string, Buffer>()

let vendor: FakeVendor
let gateway: TestGateway
before(async () => {
  for (const format of ['png', 'jpeg'] as const) pictures.set(format, await sharp(pixels, { raw: drawn }).toFormat(format).toBuffer())
})
beforeEach(async () => {
  vendor = await startFakeVendor(async ({ body }) => pictures.get(String(body.output_format)) ?? Buffer.alloc(0))
  gateway = await start()
})
afterEach(async () => {
  await gateway[Symbol.asyncDispose]()
  await vendor.close()
})
after(() => pictures.clear())

function start(options: TestOptions = {}): Promise<TestGateway> {
  const target = (model: string, order = 1) =>
    `{ driver: bfl, base_url: "${vendor.baseUrl}", api_key_env: BFL_KEY, model: ${model}, order: ${order} }`
  const yaml = `models:
  - { id: MaaS_ImgF_P, family: F1, group: P, targets: [${target('flux-pro-1.1')}, ${target('flux-2-pro', 2)}] }
  - { id: MaaS_ImgF_KG, family: F1, group: KG, targets: [${target('flux-kontext-pro')}] }
  - { id: MaaS_ImgF_KE, family: F1, group: KE, targets: [${target('flux-kontext-pro')}] }
`
  return startTestGateway({ drivers: [bfl], yaml, env: { BFL_KEY: testSecret, GATEWAY_ALLOW_PRIVATE_URLS: '0' }, ...options })
}

interface Ended {
  status: string
  result: { seed: number; prompt: string; sample: string } | null
  details: { error?: string; message?: string } | null
}

async function submitted(body: object): Promise<string> {
  const answer = await gateway.call(path, { body })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body.polling_url
}

// The cast is unchecked: other tests check the reply against the schema of F1; this test reads only
// these members.
const ended = async (pollingUrl: string) => (await gateway.result(pollingUrl)) as unknown as Ended

test("each parameter set returns exactly the vendor's picture", async () => {
  const inputImage = await sharp({ create: { width: 100, height: 60, channels: 3, background: '#3366aa' } })
    .png()
    .toBuffer()
  const requests = [
    { prompt: 'a boat', width: 1152, height: 768, seed: 771, output_format: 'png' },
    { prompt: 'a boat', aspect_ratio: '3:2', seed: 771, output_format: 'jpeg' },
    { prompt: 'bluer', input_image: inputImage.toString('base64'), seed: 771, output_format: 'png' },
  ]
  for (const request of requests) {
    const { status, result, details } = await ended(await submitted(request))
    assert.equal(status, 'Ready', JSON.stringify(details))
    assert.deepEqual([result?.seed, result?.prompt], [771, request.prompt])
    const { bytes, headers } = await gateway.call(result?.sample ?? '', { key: false })
    assert.equal(headers.get('content-type'), `image/${request.output_format}`)
    const vendors = pictures.get(request.output_format)
    assert.ok((await sharp(bytes).raw().toBuffer()).equals(await sharp(vendors).raw().toBuffer()), 'other pixels than the vendor drew')
  }
  assert.deepEqual(
    vendor.tasks.map(({ model, body }) => [model, body.width, body.height, body.aspect_ratio]),
    [
      ['flux-pro-1.1', 1152, 768, undefined],
      ['flux-kontext-pro', undefined, undefined, '3:2'],
      ['flux-kontext-pro', undefined, undefined, undefined],
    ],
  )
  assert.equal(vendor.tasks[2]?.body.input_image, inputImage.toString('base64'))
  assert.equal(vendor.leaks, 0)
})

test('an expired link is requested again, and paid once', async () => {
  vendor.expiredLinks = 1
  assert.equal((await ended(await submitted({ prompt: 'x' }))).status, 'Ready')
  assert.deepEqual([vendor.submits, vendor.expiredLinks], [1, 0])
})

test('a task that was started before a restart continues afterwards, and is paid once', async () => {
  vendor.looksUntilReady = Number.POSITIVE_INFINITY
  const { pathname, search } = new URL(await submitted({ prompt: 'x' }))
  await until(() => (vendor.tasks[0]?.looks ?? 0) > 0, 'the first look')
  const { dataDir } = gateway
  await gateway.stop()
  vendor.looksUntilReady = 0
  gateway = await start({ dataDir })
  assert.equal((await ended(pathname + search)).status, 'Ready')
  assert.equal(vendor.submits, 1)
})

test('a submit whose answer was lost ends as outcome_unknown and is not sent elsewhere', async () => {
  vendor.dropsAnswers = true
  const { status, details } = await ended(await submitted({ prompt: 'x' }))
  assert.deepEqual([status, details?.error], ['Error', 'outcome_unknown'])
  assert.deepEqual([vendor.submits, vendor.tasks.length], [1, 1])
})

test('a size that the first target cannot draw goes unchanged to one that can', async () => {
  const { status } = await ended(await submitted({ prompt: 'x', width: 1040, height: 400 }))
  assert.equal(status, 'Ready')
  assert.deepEqual(
    vendor.tasks.map(({ model, body }) => [model, body.width, body.height]),
    [['flux-2-pro', 1040, 400]],
  )
  assert.equal(vendor.submits, 1)
})

test('a size that no target can draw is refused at the submit, with its field and limit, and nothing is sent', async () => {
  const { status, body } = await gateway.call(path, { body: { prompt: 'x', width: 1000, height: 1024 } })
  assert.equal(status, 400)
  const { code, param, message } = Object(body).error
  assert.deepEqual([code, param], ['invalid_request', 'width'])
  assert.match(message, /width.*multiple of 32, not 1000/)
  assert.equal(vendor.submits, 0)
})
