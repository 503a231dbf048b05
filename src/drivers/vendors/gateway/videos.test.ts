/** Tests each video interface on a gateway whose upstream is another gateway. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Outcome } from '@generation-gateway/kit/requests/job.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import sharp from 'sharp'
import { doneClip, fakeVideoDriver, type VideoJob } from '../../../testing/fakes/fake-video-driver.ts'
import { type Answer, startTestGateway, type TestGateway, testKey } from '../../../testing/gateway.ts'
import { realClip } from '../../../testing/real-clip.ts'

const ids = ['MaaS_VidS_2', 'MaaS_VidV_3.1_generate_preview', 'MaaS_VidH_02', 'MaaS_VidK_V1.6', 'MaaS_VidK_Omni'] as const
const rows = {
  MaaS_VidS_2: 'family: S',
  'MaaS_VidV_3.1_generate_preview': 'family: V, group: "3.1"',
  MaaS_VidH_02: 'family: H, group: "02"',
  'MaaS_VidK_V1.6': 'family: K, group: "V1.6"',
  MaaS_VidK_Omni: 'family: K, group: omni video',
} as const
const jobs: VideoJob[] = []
let clip: Buffer
let far: TestGateway
let near: TestGateway

/** A fake driver's run: returns a clip, unless words in the prompt select another behaviour. */
async function shoot(job: VideoJob): Promise<Outcome> {
  jobs.push(job)
  const { prompt, seed } = job.request
  if (prompt.startsWith('refused'))
    return { state: 'failed', code: 'request_moderated', message: 'prompt: not this.', reasons: ['Violence'] }
  const done = await doneClip(job)
  for (const { role, path } of done.files) if (role !== 'thumbnail') await writeFile(join(path), clip)
  if (prompt !== 'one kept back') return done
  const [, kept, ...others] = done.files
  assert.ok(kept)
  return { ...done, files: [kept, ...others], report: { seed, prompt, filtered: [{ video: 0, reasons: ['Hate'] }] } }
}

before(async () => {
  clip = await realClip({ width: 64, height: 36, framesPerSecond: 24, frames: 12 })
  const models = (target: string) => `models:\n${ids.map(id => `  - { id: ${id}, ${rows[id]}, targets: [${target}] }\n`).join('')}`
  far = await startTestGateway({
    drivers: [fakeVideoDriver('reels', { offer: { kind: 'once', run: shoot } })],
    yaml: models('{ driver: reels }'),
  })
  const target = `{ driver: gateway, base_url: "${far.url}", api_key_env: FAR }`
  const further = `  - { id: alien, family: V, group: "3.1", targets: [{ driver: gateway, base_url: "${far.url}", api_key_env: FAR, model: nope }] }\n`
  near = await startTestGateway({ env: { FAR: testKey }, yaml: models(target) + further })
})
after(async () => {
  await near?.[Symbol.asyncDispose]()
  await far[Symbol.asyncDispose]()
})

async function submitted(path: string, body: object) {
  const answer = await near.call(path, { body })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

const ended = (poll: () => Promise<Answer>, isEnd: (body: Answer['body']) => boolean) =>
  until(async () => {
    const { body } = await poll()
    return isEnd(body) ? body : undefined
  }, 'the end of the video')

const picture = async (width: number, height: number) =>
  (
    await sharp({ create: { width, height, channels: 3, background: '#3060c0' } })
      .png()
      .toBuffer()
  ).toString('base64')
const made = (url: string) => fetch(url).then(async answer => Buffer.from(await answer.arrayBuffer()))
const rolesOf = ({ inputs }: VideoJob) => inputs.map(({ role, width, height }) => [role, width, height])

async function operation(parameters: object, instance: object) {
  const { name } = await submitted('/v1/ai/default/vidv/videos/generate', { instances: [instance], parameters })
  const poll = () => near.call('/v1/ai/default/vidv/videos/task', { body: { operationName: name } })
  return ended(poll, ({ done }) => done)
}

test('V: several videos with their seeds, frames and prompts arrive; withheld ones keep their index', async () => {
  const image = { bytesBase64Encoded: await picture(640, 360), mimeType: 'image/png' }
  const parameters = { durationSeconds: 6, sampleCount: 2, seed: 18, resolution: '1080p', negativePrompt: 'rain', generateAudio: false }
  const { response } = await operation({ ...parameters, personGeneration: 'dont_allow', resizeMode: 'crop' }, { prompt: 'a ferry', image })
  assert.deepEqual([response.raiMediaFilteredCount, response.videos.length, response.notFollowed], [0, 2, undefined])
  assert.ok(Buffer.from(response.videos[1].bytesBase64Encoded, 'base64').equals(clip))
  const job = jobs.at(-1)!
  assert.deepEqual(job.request, {
    ...{ prompt: 'a ferry', negativePrompt: 'rain', width: 1920, height: 1080, seconds: 6, count: 2, seed: '18', sound: false },
    ...{ expandPrompt: true, safetyTolerance: 2, people: 'none', fit: 'crop', watermark: false, hops: 1 },
  })
  assert.deepEqual(rolesOf(job), [['first-frame', 640, 360]])
  const partly = await operation({ durationSeconds: 4, sampleCount: 2 }, { prompt: 'one kept back' })
  assert.deepEqual([partly.response.raiMediaFilteredCount, partly.response.videos.length], [1, 1])
  assert.match(partly.response.raiMediaFilteredReasons[0], /Hate.*57734940/)
  const refused = await operation({ durationSeconds: 4 }, { prompt: 'refused' })
  assert.deepEqual([refused.response.raiMediaFilteredCount, refused.response.videos], [1, undefined])
})

test('S: a video from a form arrives with its thumbnail', async () => {
  const input_reference = await picture(1280, 720)
  const { id } = await submitted('/v1/videos', { prompt: 'a paper boat', size: '1280x720', seconds: '8', input_reference })
  const video = await ended(
    () => near.call(`/v1/videos/${id}`),
    ({ status }) => ['completed', 'failed'].includes(status),
  )
  assert.equal(video.status, 'completed', JSON.stringify(video.error))
  const job = jobs.at(-1)!
  assert.deepEqual([job.request.width, job.request.seconds, job.request.sound, rolesOf(job)], [1280, 8, true, [['first-frame', 1280, 720]]])
  assert.ok((await near.call(`/v1/videos/${id}/content`)).bytes.equals(clip))
  assert.equal((await near.call(`/v1/videos/${id}/content?variant=thumbnail`)).headers.get('content-type'), 'image/png')
})

test('H: the camera is sent in the words of the family, and the report lists what was not followed', async () => {
  const base = '/v1/ai/default/vidh/video'
  const firstFrameImage = `data:image/png;base64,${await picture(600, 400)}`
  const prompt = 'A kite over dunes [Push In, Pan Left] [Tilt Left] [Zoom Out] [Follow] [Fixed]'
  const { taskId } = await submitted(`${base}/generate`, {
    prompt,
    firstFrameImage,
    duration: 10,
    promptOptimizer: false,
    fastPretreatment: true,
  })
  const task = await ended(
    () => near.call(`${base}/task/${taskId}`),
    ({ status }) => ['Success', 'Fail'].includes(status),
  )
  assert.equal(task.status, 'Success', JSON.stringify(task.base_resp))
  const { request, ...job } = jobs.at(-1)!
  assert.deepEqual(request.camera, [{ depth: 5, horizontal: -5 }, { pan: -5 }, { zoom: 5 }, { follow: true }, {}])
  assert.deepEqual(
    [request.prompt, request.width, request.height, request.seconds, request.expandPrompt],
    ['A kite over dunes', 1152, 768, 10, false],
  )
  assert.deepEqual(rolesOf({ request, ...job }), [['first-frame', 600, 400]])
})

test('K: pictures arrive with their frames, and omni videos with their shots and marks', async () => {
  const base = '/v1/ai/default/vidk/videos'
  const frames = { image: await picture(600, 400), image_tail: await picture(600, 400) }
  const create = { model_name: 'MaaS_VidK_V1.6', mode: 'pro', ...frames, negative_prompt: 'rain', cfg_scale: 0.7 }
  const end = (path: string, id: string) =>
    ended(
      () => near.call(`${base}/${path}/${id}`),
      ({ data }) => ['succeed', 'failed'].includes(Object(data).task_status),
    )
  const first = await end('image2video', (await submitted(`${base}/image2video`, create)).data.task_id)
  assert.equal(first.data.task_status, 'succeed', first.data.task_status_msg)
  assert.ok((await made(first.data.task_result.videos[0].url)).equals(clip))
  const job = jobs.at(-1)!
  const { grade, promptStrength, negativePrompt, width, height } = job.request
  assert.deepEqual([grade, promptStrength, negativePrompt, width, height], ['high', 0.7, 'rain', 1762, 1174])
  assert.deepEqual(rolesOf(job), [
    ['first-frame', 600, 400],
    ['last-frame', 600, 400],
  ])
  const multi_prompt = [1, 2].map(index => ({ index, prompt: `shot ${index}`, duration: '3' }))
  const shots = {
    multi_shot: true,
    shot_type: 'customize',
    multi_prompt,
    duration: '6',
    aspect_ratio: '9:16',
    watermark_info: { enabled: true },
  }
  const omni = await end('omni-video', (await submitted(`${base}/omni-video`, shots)).data.task_id)
  assert.equal(omni.data.task_status, 'succeed', omni.data.task_status_msg)
  assert.ok((await made(omni.data.task_result.videos[0].watermark_url)).equals(clip))
  assert.deepEqual(jobs.at(-1)!.request.shots, [
    { prompt: 'shot 1', seconds: 3 },
    { prompt: 'shot 2', seconds: 3 },
  ])
})

test('features that the model there lacks are refused here, and a missing model is named', async () => {
  const base = '/v1/ai/default/vidk/videos/omni-video'
  const body = { prompt: 'x', aspect_ratio: '1:1', multi_shot: true, shot_type: 'intelligence' }
  assert.equal((await near.call(base, { body })).status, 200)
  const answer = await near.call('/v1/ai/default/vidv/videos/generate', {
    body: { model: 'alien', instances: [{ prompt: 'x' }], parameters: {} },
  })
  const { error } = await ended(
    () => near.call('/v1/ai/default/vidv/videos/task', { body: { operationName: answer.body.name } }),
    ({ done }) => done,
  )
  assert.match(error.message, /The other gateway has no model nope for this key/)
  const { body: task } = await near.call(`/v1/tasks/${answer.body.name.split('/').at(-1)}`)
  assert.deepEqual([task.state, task.videos, task.cost], ['failed', null, 0])
})
