/** Tests interface K on the whole program with this driver and a fake vendor, which enforces its
 *  documented limits. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import sharp from 'sharp'
import { type FakeUpstream, jsonReply, startFakeUpstream } from '../../../testing/fakes/fake-upstream.ts'
import { startTestGateway, type TestGateway } from '../../../testing/gateway.ts'
import { realClip } from '../../../testing/real-clip.ts'
import kling from './driver.ts'

const base = '/v1/ai/default/vidk'
const secretKey = 'sk-kling-secret-0001'
let clip: Buffer
let picture: Buffer
let fake: FakeUpstream
let gateway: TestGateway

/** The fake vendor's tasks; the key is the gateway's job id. */
const tasks = new Map<string, { path: string; body: JsonObject; looks: number }>()
let dropsAnswers = false
let status = 'succeed'
let tokenFaults = 0

before(async () => {
  clip = await realClip({ width: 64, height: 36, framesPerSecond: 24, frames: 12 })
  picture = await sharp({ create: { width: 600, height: 400, channels: 3, background: '#3366aa' } })
    .png()
    .toBuffer()
  fake = await startFakeUpstream()
  fake.answer((response, request) => answer(request)(response, request))
  gateway = await start()
})
beforeEach(() => {
  tasks.clear()
  dropsAnswers = false
  status = 'succeed'
  tokenFaults = 0
})
after(async () => {
  await gateway[Symbol.asyncDispose]()
  await fake.close()
})

function answer({ method, path, json, headers }: Parameters<Parameters<FakeUpstream['answer']>[0]>[1]) {
  const ok = { code: 0, message: 'SUCCEED', request_id: 'rq-1' }
  if (path.endsWith('.mp4'))
    return (response: Parameters<Parameters<FakeUpstream['answer']>[0]>[0]) => void response.writeHead(200).end(clip)
  if (path.endsWith('.png'))
    return (response: Parameters<Parameters<FakeUpstream['answer']>[0]>[0]) => void response.writeHead(200).end(picture)
  if (tokenFaults-- > 0) return jsonReply({ code: 1004, message: 'expired', request_id: 'rq-2' }, 401)
  if (!/^Bearer [^.]+\.[^.]+\.[^.]+$/.test(headers.authorization ?? ''))
    return jsonReply({ code: 1002, message: 'no', request_id: 'rq-2' }, 401)
  if (method === 'POST') {
    const body: JsonObject = Object(json)
    tasks.set(String(body.external_task_id), { path, body, looks: 0 })
    if (dropsAnswers) return (response: Parameters<Parameters<FakeUpstream['answer']>[0]>[0]) => void response.destroy()
    return jsonReply({ ...ok, data: { task_id: `v-${body.external_task_id}`, task_status: 'submitted' } })
  }
  const id = path.split('/').at(-1) ?? ''
  const task = tasks.get(id.replace(/^v-/, ''))
  if (!task || !path.startsWith(task.path)) return jsonReply({ code: 1203, message: 'no such task', request_id: 'rq-2' }, 404)
  task.looks++
  const link = (name: string) => `${fake.baseUrl}/${name}`
  const videos = [{ id: 'v-33', url: link('v.mp4'), watermark_url: link('w.mp4'), duration: '0.5' }]
  const images = [0, 1].map(index => ({ index, url: link(`${index}.png`), watermark_url: link(`w${index}.png`) }))
  const task_result = task.path.includes('/images/') ? { images } : { videos }
  return jsonReply({ ...ok, data: { task_id: `v-${id.replace(/^v-/, '')}`, task_status: status, task_status_msg: '', task_result } })
}

function start(dataDir?: string): Promise<TestGateway> {
  const target = (model: string) =>
    `targets: [{ driver: kling, base_url: "${fake.baseUrl}", access_key: ak-1, secret_key_env: KLING_SECRET, model: ${model} }]`
  const yaml = `models:
  - { id: vidk-v1, family: K, group: V1, ${target('kling-v1')} }
  - { id: MaaS_VidK_Omni, family: K, group: omni video, ${target('kling-v3-omni')} }
  - { id: MaaS_VidK_Omni_Image, family: K, group: omni image, ${target('kling-v3-omni')} }
`
  const env = { KLING_SECRET: secretKey, GATEWAY_ALLOW_PRIVATE_URLS: '0' }
  return startTestGateway({ drivers: [kling], yaml, env, ...(dataDir ? { dataDir } : {}) })
}

async function submitted(path: string, body: object): Promise<string> {
  const answered = await gateway.call(`${base}/${path}`, { body })
  assert.equal(answered.status, 200, JSON.stringify(answered.body))
  return answered.body.data.task_id
}

const ended = (path: string, id: string) =>
  until(async () => {
    const { data } = (await gateway.call(`${base}/${path}/${id}`)).body
    return ['succeed', 'failed'].includes(data.task_status) ? data : undefined
  }, 'the end of the task')

const file = async (url: string) => (await gateway.call(new URL(url).pathname + new URL(url).search, { key: false })).bytes

test('a picture reaches the vendor unchanged, and its exact video is returned; an expired token is renewed', async () => {
  tokenFaults = 1
  const image = picture.toString('base64')
  const body = { image, prompt: 'the sun goes down', camera_control: { type: 'simple', config: { pan: 4 } }, cfg_scale: 0.7 }
  const id = await submitted('videos/image2video', body)
  const { task_status, task_result, task_status_msg } = await ended('videos/image2video', id)
  assert.equal(task_status, 'succeed', task_status_msg)
  assert.ok((await file(task_result.videos[0].url)).equals(clip))
  const [[ours, task] = ['', undefined]] = tasks
  assert.deepEqual([ours, task?.path], [id, '/v1/videos/image2video'])
  assert.deepEqual(task?.body, {
    ...{ model_name: 'kling-v1', duration: '5', mode: 'std', cfg_scale: 0.7, prompt: 'the sun goes down', image, external_task_id: id },
    camera_control: { type: 'simple', config: { pan: 4 } },
  })
})

test('a video of the vendor is extended by the vendor’s id', async () => {
  const first = await submitted('videos/image2video', { image: picture.toString('base64') })
  const [{ id }] = (await ended('videos/image2video', first)).task_result.videos
  const second = await submitted('videos/video-extend', { video_id: id, prompt: 'it turns' })
  assert.equal((await ended('videos/video-extend', second)).task_status, 'succeed')
  const { path, body } = tasks.get(second) ?? {}
  assert.equal(path, '/v1/videos/video-extend')
  assert.deepEqual(body, { video_id: 'v-33', prompt: 'it turns', cfg_scale: 0.5, external_task_id: second })
})

test('an omni video and omni images have their watermarked copies', async () => {
  const marked = { watermark_info: { enabled: true } }
  const video = await submitted('videos/omni-video', { prompt: 'a harbour', aspect_ratio: '16:9', duration: '7', ...marked })
  const pictures = await submitted('images/omni-image', {
    prompt: '<<<image_1>>> at night',
    image_list: [{ image_url: picture.toString('base64') }],
    n: 2,
    ...marked,
  })
  const [{ url, watermark_url }] = (await ended('videos/omni-video', video)).task_result.videos
  assert.ok((await file(url)).equals(clip) && (await file(watermark_url)).equals(clip))
  const { images, not_followed } = (await ended('images/omni-image', pictures)).task_result
  assert.deepEqual([images.length, not_followed], [2, undefined])
  assert.ok((await file(images[1].watermark_url)).length > 0)
  const { prompt, image_list, resolution, aspect_ratio, n } = Object(tasks.get(pictures)?.body)
  assert.deepEqual([prompt, resolution, aspect_ratio, n], ['<<<image_1>>> at night', '1k', 'auto', 2])
  assert.deepEqual(image_list, [{ image: picture.toString('base64') }])
})

test("a submit whose answer was lost is found by the gateway's id, and paid once", async () => {
  dropsAnswers = true
  const id = await submitted('videos/text2video', { prompt: 'a ferry' })
  await until(() => tasks.size === 1 || undefined, 'the submit')
  dropsAnswers = false
  const { task_status, task_status_msg } = await ended('videos/text2video', id)
  assert.equal(task_status, 'succeed', task_status_msg)
  assert.equal(tasks.size, 1)
  assert.equal(fake.received.filter(({ method, path }) => method === 'POST' && path.endsWith('text2video')).length, 1)
})

test('a task that was started before a restart continues afterwards, and is paid once', async () => {
  status = 'processing'
  const id = await submitted('videos/text2video', { prompt: 'a ferry' })
  await until(() => ((tasks.get(id)?.looks ?? 0) > 0 ? true : undefined), 'the first look')
  const { dataDir } = gateway
  await gateway.stop()
  status = 'succeed'
  gateway = await start(dataDir)
  assert.equal((await ended('videos/text2video', id)).task_status, 'succeed')
  assert.equal(tasks.size, 1)
})
