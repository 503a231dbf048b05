/** Tests interface H on the whole program with this driver and a fake vendor, which enforces its
 *  documented limits. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import sharp from 'sharp'
import { startTestGateway, type TestGateway } from '../../../testing/gateway.ts'
import { realClip } from '../../../testing/real-clip.ts'
import minimax from './driver.ts'
import { type FakeVendor, startFakeVendor } from './testing/fake-vendor.ts'

const path = '/v1/ai/default/vidh/video'
const key = 'sk-minimax-secret-0001'
let clip: Buffer
let vendor: FakeVendor
let gateway: TestGateway
before(async () => {
  clip = await realClip({ width: 64, height: 36, framesPerSecond: 24, frames: 12 })
  vendor = await startFakeVendor(clip)
  gateway = await start()
})
beforeEach(() => {
  Object.assign(vendor, {
    tasks: [],
    submits: 0,
    status: undefined,
    fault: undefined,
    dropsAnswers: false,
    challenged: [],
    gatewayUrl: gateway.url,
  })
})
after(async () => {
  await gateway[Symbol.asyncDispose]()
  await vendor.close()
})

function start(dataDir?: string): Promise<TestGateway> {
  const target = (model: string) =>
    `targets: [{ driver: minimax, base_url: "${vendor.baseUrl}", api_key_env: MINIMAX_KEY, model: ${model} }]`
  const yaml = `models:
  - { id: MaaS_VidH_02, family: H, group: "02", ${target('MiniMax-Hailuo-02')} }
  - { id: MaaS_VidH_Video_s2v, family: H, group: s2v, ${target('S2V-01')} }
  - { id: MaaS_VidH_Video_i2v_director, family: H, group: i2v_director, ${target('I2V-01-Director')} }
  - { id: MaaS_VidK_V2.6, family: K, group: V2.6, ${target('MiniMax-Hailuo-02')} }
`
  const env = { MINIMAX_KEY: key, GATEWAY_ALLOW_PRIVATE_URLS: '0', GATEWAY_PUBLIC_URL: 'https://gateway.example' }
  return startTestGateway({ drivers: [minimax], yaml, env, ...(dataDir ? { dataDir } : {}) })
}

async function submitted(body: object): Promise<string> {
  const answer = await gateway.call(`${path}/generate`, { body })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body.taskId
}

/** Sends the vendor's callback about the newest task to the gateway. */
async function wake(): Promise<void> {
  const { callback_url } = Object(vendor.tasks.at(-1))
  await gateway.call(new URL(callback_url).pathname, { method: 'POST', body: { task_id: 't-1', status: 'success' }, key: false })
}

const ended = (id: string) =>
  until(async () => {
    const { body } = await gateway.call(`${path}/task/${id}`)
    return ['Success', 'Fail'].includes(body.status) ? body : undefined
  }, 'the end of the task')

async function underway(body: object): Promise<string> {
  const id = await submitted(body)
  await until(
    async () => (vendor.tasks.length > 0 && (await gateway.call(`${path}/task/${id}`)).body.status === 'Processing') || undefined,
    'the submit',
  )
  return id
}

test('every field reaches the vendor in its form, and its exact video is returned', async () => {
  const frame = (
    await sharp({ create: { width: 600, height: 400, channels: 3, background: '#3366aa' } })
      .png()
      .toBuffer()
  ).toString('base64')
  const firstFrameImage = `data:image/png;base64,${frame}`
  const prompt = 'a kite [Pan Left, Push In] flies [Tilt Left] on [Fixed]'
  const id = await underway({ prompt, firstFrameImage, duration: 10, promptOptimizer: false, fastPretreatment: true })
  const { callback_url, ...fields } = Object(vendor.tasks[0])
  assert.match(callback_url, /^https:\/\/gateway\.example\/webhooks\/wake\//)
  assert.deepEqual(vendor.challenged, [{ challenge: 'c-1' }])
  assert.deepEqual(fields, {
    ...{ model: 'MiniMax-Hailuo-02', prompt: 'a kite flies on [Truck left, Push in] [Pan left] [Static shot]', prompt_optimizer: false },
    ...{ first_frame_image: firstFrameImage, duration: 10, resolution: '768P', fast_pretreatment: true },
  })
  vendor.status = 'Success'
  await wake()
  const { status, fileId, videoWidth, videoHeight, not_followed } = await ended(id)
  assert.deepEqual([status, videoWidth, videoHeight, not_followed], ['Success', 64, 36, undefined])
  const { body } = await gateway.call(`${path}/file?taskId=${id}&fileId=${fileId}`)
  assert.deepEqual((await gateway.call(new URL(body.mediaUrl).pathname + new URL(body.mediaUrl).search, { key: false })).bytes, clip)
})

test('a person, and a picture with a camera, are sent to their models', async () => {
  const face = (
    await sharp({ create: { width: 400, height: 400, channels: 3, background: '#aa6633' } })
      .jpeg()
      .toBuffer()
  ).toString('base64')
  const image = `data:image/jpeg;base64,${face}`
  await underway({ prompt: 'she waves', subjectReference: [{ type: 'character', image: [image] }] })
  await submitted({ model: 'MaaS_VidH_Video_i2v_director', prompt: 'x [Follow]', firstFrameImage: image })
  await until(() => vendor.tasks.length === 2 || undefined, 'both submits')
  const [person, director] = vendor.tasks.map(({ callback_url: _url, ...rest }) => rest)
  assert.deepEqual(person, {
    model: 'S2V-01',
    prompt: 'she waves',
    prompt_optimizer: true,
    subject_reference: [{ type: 'character', image: [image] }],
  })
  assert.deepEqual(director, { model: 'I2V-01-Director', prompt: 'x [Tracking shot]', prompt_optimizer: true, first_frame_image: image })
})

test('a task that was started before a restart continues afterwards, and is paid once', async () => {
  const id = await underway({ prompt: 'a boat' })
  const { dataDir } = gateway
  await gateway.stop()
  gateway = await start(dataDir)
  vendor.status = 'success'
  await wake()
  assert.equal((await ended(id)).status, 'Success')
  assert.equal(vendor.submits, 1)
})

test('a submit whose answer was lost is not sent elsewhere', async () => {
  vendor.dropsAnswers = true
  const { status, base_resp } = await ended(await submitted({ prompt: 'a boat' }))
  assert.deepEqual([status, base_resp.status_code], ['Fail', 1000])
  assert.deepEqual([vendor.submits, vendor.tasks.length], [1, 1])
})

test('a submit during which the vendor failed may have been accepted, and is not sent elsewhere', async () => {
  for (const status_code of [1000, 1001, 1024, 1033]) {
    vendor.submits = 0
    vendor.fault = { status_code, status_msg: 'unknown' }
    const { status, base_resp } = await ended(await submitted({ prompt: 'a boat' }))
    assert.deepEqual([status, base_resp.status_code, vendor.submits], ['Fail', 1000, 1], String(status_code))
    assert.match(base_resp.status_msg, /may make the video all the same/)
  }
})

test('errors with HTTP status 200 are recognised by their code', async () => {
  vendor.fault = { status_code: 1026, status_msg: `input sensitive ${key}` }
  const refused = await ended(await submitted({ prompt: 'a boat' }))
  assert.deepEqual([refused.status, refused.base_resp.status_code], ['Fail', 1026])
  assert.ok(!refused.base_resp.status_msg.includes(key))
  vendor.fault = undefined
  const id = await underway({ prompt: 'a boat' })
  vendor.fault = { status_code: 1027, status_msg: 'output sensitive' }
  vendor.status = 'Fail'
  await wake()
  assert.equal((await ended(id)).base_resp.status_code, 1027)
})

test('unsupported requests are refused at the submit, with the field, and nothing is sent', async () => {
  const text2video = (body: object) =>
    gateway.call('/v1/ai/default/vidk/videos/text2video', { body: { model_name: 'MaaS_VidK_V2.6', prompt: 'x', ...body } })
  for (const [body, says] of [
    [{ sound: 'on' }, /^sound: .* without sound/],
    [{ negative_prompt: 'rain' }, /^negative_prompt: /],
    [{}, /^duration: .* makes 6 seconds in 1080P, not 5/],
    [{ aspect_ratio: '9:16', duration: '10' }, /^duration: /],
  ] as const) {
    const answer = await text2video(body)
    assert.equal(answer.status, 400, JSON.stringify(answer.body))
    assert.match(answer.body.message, says)
  }
  assert.equal(vendor.submits, 0)
})
