/** Tests the extension of videos in family K on the running program. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Outcome } from '@generation-gateway/kit/requests/job.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { assertDocumented } from '../../testing/documented.ts'
import { doneClip, fakeVideoDriver, tinyMp4, type VideoJob } from '../../testing/fakes/fake-video-driver.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'
import { omniVideo, videoRows } from './models.ts'

const other = 'sk-another-account-0001'
const yaml = `
models:
${[...videoRows.map(([group, { id }]) => ({ group, id })), omniVideo]
  .map(({ group, id }) => `  - { id: ${id}, family: K, group: "${group}", targets: [{ driver: film }] }`)
  .join('\n')}
accounts:
  - { id: other, keys: [{ name: k, secret_env: OTHER }], endpoints: [{ name: default }] }
`
const jobs: VideoJob[] = []
const mayGoOn = Promise.withResolvers<void>()

/** Returns a video that is as long as the earlier one and the extension together. Some prompts
 *  change this. `long`: it has 176 s, so that an extension by 5 s would pass the limit of 180 s.
 *  `waits`: it waits for `mayGoOn`. `fails`: it is refused by the moderation. */
async function shoot(job: VideoJob): Promise<Outcome> {
  jobs.push(job)
  const { prompt, seconds } = job.request
  if (prompt === 'waits') await mayGoOn.promise
  if (prompt === 'fails') return { state: 'failed', code: 'request_moderated', message: 'prompt: not this.' }
  const done = await doneClip(job)
  const earlier = job.inputs.find(({ role }) => role === 'earlier')?.durationSeconds ?? 0
  for (const file of done.files) if (file.role === 'video') file.durationSeconds = prompt === 'long' ? 176 : earlier + seconds
  return done
}

let gateway: TestGateway
before(async () => {
  const drivers = [fakeVideoDriver('film', { offer: { kind: 'once', run: shoot } })]
  gateway = await startTestGateway({ env: { OTHER: other }, yaml, drivers })
})
after(() => gateway[Symbol.asyncDispose]())

const base = '/v1/ai/default/vidk/videos'

async function ended(path: string, id: string) {
  return until(async () => {
    const answer = await gateway.call(`${base}/${path}/${id}`)
    assertDocumented(path === 'text2video' ? 'getVideoFromText' : 'getExtendedVideo', answer)
    return ['succeed', 'failed'].includes(answer.body.data.task_status) ? answer.body.data : undefined
  }, 'the end of the task')
}

async function made(body: object) {
  const answer = await gateway.call(`${base}/text2video`, { body })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return ended('text2video', answer.body.data.task_id)
}

async function extended(body: object) {
  const answer = await gateway.call(`${base}/video-extend`, { body })
  assertDocumented('extendVideo', answer)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assert.equal(answer.body.data.task_status, 'submitted')
  const task = await ended('video-extend', answer.body.data.task_id)
  return { task, job: jobs.find(({ id }) => id === task.task_id)! }
}

async function refused(body: object, says: RegExp, status = 400, code = 1201, key?: string) {
  const answer = await gateway.call(`${base}/video-extend`, { body, ...(key ? { key } : {}) })
  assertDocumented('extendVideo', answer)
  assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(answer.body))
  assert.match(answer.body.message, says)
}

test('a video is extended by its own model and mode; the result is the whole video and names the source', async () => {
  const source = await made({ model_name: 'MaaS_VidK_V1.6', mode: 'pro', aspect_ratio: '9:16', prompt: 'a ferry', duration: '10' })
  const [{ id }] = source.task_result.videos
  const { task, job } = await extended({
    video_id: id,
    prompt: 'it turns',
    negative_prompt: 'rain',
    cfg_scale: 0.7,
    external_task_id: 'on-1',
  })
  const { seed, ...request } = job.request
  assert.match(seed, /^[0-9]+$/)
  assert.deepEqual(request, {
    ...{ prompt: 'it turns', negativePrompt: 'rain', width: 1080, height: 1920, seconds: 5, framesPerSecond: 24, count: 1, sound: false },
    ...{ expandPrompt: false, grade: 'high', safetyTolerance: 2, promptStrength: 0.7, watermark: false },
  })
  assert.deepEqual(
    job.inputs.map(({ role, mediaType, durationSeconds }) => [role, mediaType, durationSeconds]),
    [['earlier', 'video/mp4', 10]],
  )
  const { external_task_id, parent_video } = task.task_info
  assert.deepEqual([external_task_id, parent_video.id, parent_video.duration], ['on-1', id, '10'])
  assert.ok(Buffer.from(await (await fetch(parent_video.url)).arrayBuffer()).equals(tinyMp4('video 0: a ferry')))
  const [whole] = task.task_result.videos
  assert.deepEqual([whole.duration, whole.id === id], ['15', false])
  assert.equal((await gateway.call(`${base}/video-extend/on-1`)).body.data.task_id, task.task_id)
  const further = await extended({ video_id: whole.id, watermark_info: { enabled: true } })
  const [longest] = further.task.task_result.videos
  assert.deepEqual([longest.duration, further.job.request.prompt, further.job.request.watermark], ['20', '', true])
  assert.equal((await fetch(longest.watermark_url)).status, 200)
})

test('a video that cannot be extended is refused, naming video_id', async () => {
  const plain = await made({ prompt: 'a ferry' })
  const id = plain.task_result.videos[0].id
  assert.equal((await extended({ video_id: id, model_name: 'vidk-v1' })).job.request.grade, 'standard')
  await refused({ prompt: 'x' }, /video_id is required/)
  await refused({ video_id: '01kb2v0f5w9h3t8m6q4y7z1xcd' }, /no task|no video/, 404, 1203)
  await refused({ video_id: id }, /no task|no video/, 404, 1203, other)
  await refused({ video_id: id, model_name: 'MaaS_VidK_V1.6' }, /a video of vidk-v1, which goes on with it, and no other model/)
  for (const model_name of ['MaaS_VidK_V2.6', 'MaaS_VidK_V2.1_Master']) {
    const [video] = (await made({ model_name, prompt: 'a ferry' })).task_result.videos
    await refused({ video_id: video.id }, /video_id is a video of another model; video-extend takes those of vidk-v1 and MaaS_VidK_V1.6/)
  }
  const long = (await made({ prompt: 'long' })).task_result.videos[0].id
  await refused({ video_id: long }, /video_id is a video of 176 s; with 5 s more it would be longer than 180 s/)
  const failed = await made({ prompt: 'fails', external_task_id: 'failed-1' })
  await refused({ video_id: failed.task_id }, /no video/, 404, 1203)
  await refused({ video_id: 'failed-1' }, /no video/, 404, 1203)
  const waiting = (await gateway.call(`${base}/text2video`, { body: { prompt: 'waits' } })).body.data.task_id
  await refused({ video_id: waiting }, /video_id is a video that is not made yet/)
  mayGoOn.resolve()
  const omni = await gateway.call(`${base}/omni-video`, { body: { prompt: 'x', aspect_ratio: '1:1' } })
  await refused({ video_id: omni.body.data.task_id }, /video_id is a video of another model/)
  await refused({ video_id: id, prompt: 'x'.repeat(2501) }, /prompt has 2501 characters; at most 2500/)
  await refused({ video_id: id, cfg_scale: 1.1 }, /cfg_scale is 1.1; at most 1/)
  await refused({ video_id: id, external_task_id: 'failed-1' }, /external_task_id is failed-1, which is that of another task/)
  assert.equal((await gateway.call(`${base}/text2video/${(await extended({ video_id: id })).task.task_id}`)).status, 404)
})
