/** Tests interfaces S, V, H and K on the whole program with fake video models of provider
 *  packages. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import sharp from 'sharp'
import { type Answer, startTestGateway, type TestGateway } from '../../../testing/gateway.ts'
import { sendParts } from '../../../testing/multipart.ts'
import { smallVideo } from '../../../testing/small-video.ts'
import { aiSdkDriver } from './driver.ts'
import { fakeVideoPackage, type RecordedCall } from './testing/fake-package.ts'

let clip: Buffer
let picture: Buffer
let gateway: TestGateway
/** True while polls return no video yet. */
let isBusy = false
let looks: unknown[] = []
const made = () => ({ type: 'base64', data: clip.toString('base64'), mediaType: 'video/mp4' })
const fake = fakeVideoPackage({
  maxVideosPerCall: 4,
  doStart: async ({ n, webhookUrl }) => ({ operation: { id: `op-${fake.calls.length}`, n, webhookUrl }, warnings: [] }),
  doStatus: async ({ operation }) => {
    looks.push(operation)
    return isBusy ? { status: 'pending' } : { status: 'completed', videos: Array.from({ length: Object(operation).n }, made) }
  },
})

function start(dataDir?: string): Promise<TestGateway> {
  const target = (more: string) =>
    `targets: [{ driver: ai-sdk, api_key: key-of-nobody, base_url: "http://localhost:9", model: m, ${more} }]`
  const yaml = `models:
  - { id: s, family: S, ${target('package: fake-provider')} }
  - { id: v, family: V, group: "3.1", ${target('package: "@ai-sdk/google", video: { inputs: { last-frame: 1, reference: 3 } }')} }
  - { id: h, family: H, group: t2v_director, ${target('package: fake-provider, video: { camera: words }')} }
  - { id: s2v, family: H, group: s2v, ${target('package: fake-provider, video: { inputs: { subject: 1 } }')} }
  - { id: k, family: K, group: V1, ${target('package: "@ai-sdk/klingai"')} }
  - { id: omni, family: K, group: omni video, ${target('package: "@ai-sdk/klingai", video: { inputs: { reference: 4 } }')} }
`
  // This package source returns the test's package for every name.
  const source = { has: () => true, load: () => fake.source.load('fake-provider') }
  return startTestGateway({ drivers: [aiSdkDriver(source)], yaml, ...(dataDir ? { dataDir } : {}) })
}

before(async () => {
  clip = await smallVideo({ seconds: 1 })
  picture = await sharp({ create: { width: 1280, height: 720, channels: 3, background: '#3366aa' } })
    .png()
    .toBuffer()
  gateway = await start()
})
after(() => gateway[Symbol.asyncDispose]())
beforeEach(() => {
  fake.calls.splice(0)
  looks = []
  isBusy = false
})

const lastCall = (): RecordedCall => fake.calls.at(-1) ?? assert.fail('the model was not called')
const sizesOf = (files: unknown) => [files].flat().map(each => Object(each).data.length)
async function submitted(path: string, body: object): Promise<Answer['body']> {
  const answer = await gateway.call(`/v1/ai/default/${path}`, { body })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}
const file = async (url: string) => (await gateway.call(new URL(url).pathname + new URL(url).search, { key: false })).bytes

test('S: a video with its first frame', async () => {
  const fields = { prompt: 'a boat leaves', size: '1280x720', seconds: '8', model: 's' }
  const path = '/v1/ai/default/videos'
  const { body: video } = await sendParts(gateway.url + path, [...Object.entries(fields), ['input_reference', picture]])
  assert.equal(video?.status, 'queued', JSON.stringify(video))
  await until(async () => (await gateway.call(`${path}/${video.id}`)).body.status === 'completed' || undefined, 'the video')
  assert.ok((await gateway.call(`${path}/${video.id}/content`)).bytes.equals(clip))
  const { prompt, resolution, duration, generateAudio, image, frameImages } = lastCall()
  assert.deepEqual([prompt, resolution, duration, generateAudio], ['a boat leaves', '1280x720', 8, true])
  assert.deepEqual([sizesOf(image), frameImages], [[picture.length], undefined])
})

const operation = (name: string) =>
  until(async () => {
    const { body } = await gateway.call('/v1/ai/default/vidv/videos/task', { body: { operationName: name } })
    return body.done ? body : undefined
  }, 'the operation')
const media = () => ({ bytesBase64Encoded: picture.toString('base64'), mimeType: 'image/png' })

test('V: four videos between two frames use the options of the package', async () => {
  const instances = [{ prompt: 'a boat leaves', image: media(), lastFrame: media() }]
  const parameters = { sampleCount: 4, resolution: '1080p', durationSeconds: 8, negativePrompt: 'rain', personGeneration: 'dont_allow' }
  const { name } = await submitted('vidv/videos/generate', { model: 'v', instances, parameters })
  const { response, error } = await operation(name)
  assert.equal(response?.videos.length, 4, JSON.stringify(error))
  const { n, aspectRatio, resolution, frameImages, image, providerOptions } = lastCall()
  assert.deepEqual([n, aspectRatio, resolution, image], [4, '16:9', undefined, undefined])
  assert.deepEqual(providerOptions, { google: { negativePrompt: 'rain', personGeneration: 'dont_allow', resolution: '1080p' } })
  const frames = [frameImages].flat().map(frame => Object(frame))
  assert.deepEqual(
    frames.map(({ frameType }) => frameType),
    ['first_frame', 'last_frame'],
  )
  // The frames were resized to the size of the video, because requests of family V have a `fit`.
  const sides = await Promise.all(frames.map(({ image: { data } }) => sharp(data).metadata()))
  assert.deepEqual(
    sides.map(({ width, height }) => [width, height]),
    [
      [1920, 1080],
      [1920, 1080],
    ],
  )
})

test('V: reference pictures are sent, and unsupported fields are refused by name', async () => {
  const reference = { image: media(), referenceType: 'asset' }
  const references = [reference, reference]
  const body = (more: object) => ({ model: 'v', instances: [{ prompt: 'a boat', ...more }], parameters: { durationSeconds: 8 } })
  const { name } = await submitted('vidv/videos/generate', body({ referenceImages: references }))
  assert.ok((await operation(name)).response)
  assert.deepEqual(sizesOf(lastCall().inputReferences), [picture.length, picture.length])
  const video = { bytesBase64Encoded: clip.toString('base64'), mimeType: 'video/mp4' }
  const refused = await gateway.call('/v1/ai/default/vidv/videos/generate', { body: body({ video }) })
  assert.match(JSON.stringify(refused.body), /video.*takes none/)
  assert.equal(fake.calls.length, 1)
})

test('H: camera movements are sent as words, with a subject', async () => {
  const ended = (taskId: string) =>
    until(async () => {
      const { body } = await gateway.call(`/v1/ai/default/vidh/video/task/${taskId}`)
      return ['Success', 'Fail'].includes(body.status) ? body : undefined
    }, 'the task')
  const { taskId } = await submitted('vidh/video/generate', { model: 'h', prompt: 'a boat leaves [Push In, Tilt Up] [Fixed]' })
  assert.equal((await ended(taskId)).status, 'Success')
  assert.equal(lastCall().prompt, 'a boat leaves [Push in, Tilt up] [Static shot]')
  const subjectReference = [{ type: 'character', image: [`data:image/png;base64,${picture.toString('base64')}`] }]
  const { taskId: second } = await submitted('vidh/video/generate', { model: 's2v', prompt: 'she waves', subjectReference })
  assert.equal((await ended(second)).status, 'Success')
  assert.deepEqual([sizesOf(lastCall().inputReferences), lastCall().image], [[picture.length], undefined])
})

const kling = (path: string, id: string) =>
  until(async () => {
    const { data } = (await gateway.call(`/v1/ai/default/vidk/${path}/${id}`)).body
    return ['succeed', 'failed'].includes(data.task_status) ? data : undefined
  }, 'the task')

test('K: a camera, a grade and shots use the options of the package', async () => {
  const camera = { type: 'simple', config: { pan: 4 } }
  const words = { model_name: 'k', prompt: 'a boat', negative_prompt: 'rain', cfg_scale: 0.7, camera_control: camera }
  const { data } = await submitted('vidk/videos/text2video', words)
  const { task_status, task_status_msg, task_result } = await kling('videos/text2video', data.task_id)
  assert.equal(task_status, 'succeed', task_status_msg)
  assert.ok((await file(task_result.videos[0].url)).equals(clip))
  const { klingai } = Object(lastCall().providerOptions)
  assert.deepEqual(klingai, { mode: 'std', negativePrompt: 'rain', cfgScale: 0.7, cameraControl: camera })
  const shots = [1, 2].map(index => ({ index, prompt: `shot ${index}`, duration: '3' }))
  const scene = { model_name: 'omni', multi_shot: true, shot_type: 'customize', multi_prompt: shots, duration: '6', aspect_ratio: '16:9' }
  const omni = await submitted('vidk/videos/omni-video', scene)
  assert.equal((await kling('videos/omni-video', omni.data.task_id)).task_status, 'succeed')
  const { multiShot, shotType, multiPrompt } = Object(lastCall().providerOptions).klingai
  assert.deepEqual([multiShot, shotType, multiPrompt], [true, 'customize', shots])
})

test('a video that was started before a restart is polled afterwards, and started only once', async () => {
  isBusy = true
  const { data } = await submitted('vidk/videos/text2video', { model_name: 'k', prompt: 'a ferry' })
  await until(() => looks.length > 0 || undefined, 'the first look')
  const { dataDir } = gateway
  await gateway.stop()
  isBusy = false
  gateway = await start(dataDir)
  assert.equal((await kling('videos/text2video', data.task_id)).task_status, 'succeed')
  assert.deepEqual([fake.calls.length, new Set(looks.map(poll => JSON.stringify(poll))).size], [1, 1])
})
