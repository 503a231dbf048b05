/** Tests family H on the running program, with scripted targets. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import type { Outcome } from '@generation-gateway/kit/requests/job.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import sharp from 'sharp'
import { assertDocumented } from '../../testing/documented.ts'
import { doneClip, fakeVideoDriver, type VideoJob } from '../../testing/fakes/fake-video-driver.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'
import { variants } from './variants.ts'

const other = 'sk-another-account-0001'
const yaml = `
models:
${Object.entries(variants)
  .map(([group, { id }]) => `  - { id: ${id}, family: H, group: "${group}", targets: [{ driver: film }] }`)
  .join('\n')}
accounts:
  - { id: other, keys: [{ name: k, secret_env: OTHER }], endpoints: [{ name: default }] }
`
const jobs: VideoJob[] = []
const mayGoOn = Promise.withResolvers<void>()

/** Returns a clip, unless the prompt selects another behaviour. */
async function shoot(job: VideoJob): Promise<Outcome> {
  jobs.push(job)
  const { prompt, seed } = job.request
  if (prompt.includes('waits')) await mayGoOn.promise
  if (prompt.includes('forbidden')) return { state: 'failed', code: 'request_moderated', message: 'prompt: not this.' }
  if (prompt.includes('faceless')) return { state: 'failed', code: 'invalid_input_file', message: 'subject: there is no face in it.' }
  if (prompt.includes('hidden'))
    return { state: 'done', files: [], report: { seed, prompt, filtered: [{ video: 0, reasons: ['gore'] }] }, usage: [] }
  return doneClip(job)
}

let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({
    env: { OTHER: other },
    yaml,
    // This target does not support the field `promptMode`.
    drivers: [fakeVideoDriver('film', { offer: { kind: 'once', run: shoot } })],
  })
})
after(() => gateway[Symbol.asyncDispose]())

const path = '/v1/ai/default/vidh/video'

async function create(body: object) {
  const answer = await gateway.call(`${path}/generate`, { body })
  assertDocumented('generateClip', answer)
  return answer
}

async function query(id: string) {
  const answer = await gateway.call(`${path}/task/${id}`)
  assertDocumented('getClip', answer)
  return answer.body
}

/** Creates a task and waits for its end; returns it with the request that the target got. */
async function made(body: object) {
  const { status, body: accepted } = await create(body)
  assert.equal(status, 200, JSON.stringify(accepted))
  assert.deepEqual(accepted.base_resp, { status_code: 0, status_msg: 'success' })
  const task = await until(async () => {
    const shown = await query(accepted.taskId)
    return ['Success', 'Fail'].includes(shown.status) ? shown : undefined
  }, 'the end of the task')
  const job = jobs.find(({ id }) => id === accepted.taskId)!
  return { task, request: job.request, inputs: job.inputs }
}

async function refused(body: object, says: RegExp, status = 400, code = 2013): Promise<void> {
  const answer = await create(body)
  assert.deepEqual([answer.status, answer.body.base_resp.status_code, answer.body.taskId], [status, code, ''], JSON.stringify(answer.body))
  assert.match(answer.body.base_resp.status_msg, says)
}

async function picture(width: number, height: number, format: 'png' | 'jpeg' | 'webp' = 'png'): Promise<string> {
  const image = sharp({ create: { width, height, channels: 3, background: '#7ec8e3' } })
  return `data:image/${format};base64,${(await image.toFormat(format).toBuffer()).toString('base64')}`
}

test('a prompt becomes a video of 6 s in 768P, with the camera of its brackets, and its file has a link', async () => {
  const { task, request } = await made({ prompt: 'A kite over dunes [Push In, Pan Left], then a gull [Follow]' })
  const { seed, ...rest } = request
  assert.match(seed, /^[0-9]+$/)
  assert.deepEqual(rest, {
    ...{ prompt: 'A kite over dunes, then a gull', camera: [{ depth: 5, horizontal: -5 }, { follow: true }] },
    ...{ width: 1366, height: 768, seconds: 6, count: 1, sound: false, expandPrompt: true, safetyTolerance: 2, watermark: false },
  })
  const { taskId, fileId } = task
  assert.deepEqual([task.task_id, task.file_id, task.videoWidth, task.video_width, task.videoHeight], [taskId, fileId, 1366, 1366, 768])
  const answer = await gateway.call(`${path}/file?taskId=${taskId}&fileId=${fileId}`)
  assertDocumented('getClipFile', answer)
  const { mediaUrl, createdAt, filename, purpose, bytes } = answer.body
  assert.deepEqual([answer.body.taskId, filename, purpose], [taskId, `${taskId}.mp4`, 1])
  assert.match(createdAt, /^[0-9]{10}$/)
  const video = await fetch(mediaUrl)
  assert.deepEqual([video.status, video.headers.get('content-type')], [200, 'video/mp4'])
  assert.equal((await video.arrayBuffer()).byteLength, bytes)
})

test('length, size and prompt mode are as requested; what was not followed is reported', async () => {
  const { request, task } = await made({
    ...{ prompt: 'a boat', duration: 10, resolution: '768P', promptOptimizer: false, fastPretreatment: true, model: 'MaaS_VidH_02' },
  })
  assert.deepEqual([request.seconds, request.expandPrompt, request.promptMode, request.camera], [10, false, 'fast', undefined])
  assert.deepEqual(task.not_followed, ['fastPretreatment'])
  const sharpest = await made({ prompt: 'a boat', resolution: '1080P' })
  assert.deepEqual([sharpest.request.width, sharpest.request.height, sharpest.task.not_followed], [1920, 1080, undefined])
  await refused({ prompt: 'a boat', duration: 10, resolution: '1080P' }, /duration is 10 and resolution 1080P/)
  await refused({ prompt: 'a boat', duration: 8 }, /duration is 8; it must be one of 6, 10/)
})

test('the frames decide the shape of the video, within their limits', async () => {
  const { request, inputs } = await made({
    firstFrameImage: await picture(600, 900, 'jpeg'),
    lastFrameImage: await picture(800, 500, 'webp'),
  })
  assert.deepEqual([request.prompt, request.width, request.height, request.fit], ['', 768, 1152, 'crop'])
  assert.deepEqual(
    inputs.map(({ role, width }) => [role, width]),
    [
      ['first-frame', 600],
      ['last-frame', 800],
    ],
  )
  const edge = await made({ prompt: '[Zoom Out]', firstFrameImage: await picture(301, 752), resolution: '1080P' })
  assert.deepEqual([edge.request.prompt, edge.request.camera, edge.request.width, edge.request.height], ['', [{ zoom: 5 }], 1080, 2698])
  await refused({ firstFrameImage: await picture(300, 400) }, /300x400; each side has to have at least 301 pixels/)
  await refused({ firstFrameImage: await picture(301, 753) }, /width \/ height has to be from 0.4 to 2.5/)
  await refused({ firstFrameImage: await picture(400, 400, 'webp') }, /webp; jpeg, png are accepted/)
  await refused({ firstFrameImage: (await picture(400, 400)).split(',')[1] }, /URL/)
  await refused({ prompt: 'x', lastFrameImage: await picture(400, 400) }, /lastFrameImage needs firstFrameImage/)
})

test('each variant accepts its own fields', async () => {
  const frame = await picture(400, 400)
  const person = [{ type: 'character', image: [frame] }]
  const { request, inputs } = await made({ prompt: 'She waves [Push In]', subjectReference: person })
  assert.deepEqual([request.prompt, request.camera, request.width, request.height], ['She waves [Push In]', undefined, 1280, 720])
  assert.deepEqual([inputs.length, inputs[0]?.role, request.subjectKind], [1, 'subject', 'face'])
  const t2v = await made({ model: 'MaaS_VidH_Video_t2v', prompt: 'a boat', firstFrameImage: frame })
  assert.deepEqual([t2v.request.width, t2v.request.seconds, t2v.inputs[0]?.role], [720, 6, 'first-frame'])
  const director = await made({ model: 'MaaS_VidH_Video_i2v_director', firstFrameImage: frame, prompt: 'a boat [Shake]' })
  assert.deepEqual(director.request.camera, [{ shake: 5 }])
  for (const model of ['MaaS_VidH_Video_i2v', 'MaaS_VidH_Video_i2v_live', 'MaaS_VidH_Video_i2v_director']) {
    assert.equal((await create({ model, firstFrameImage: frame })).status, 200, model)
    await refused({ model, prompt: 'x' }, new RegExp(`firstFrameImage is required for ${model}`))
    await refused({ model, firstFrameImage: frame, lastFrameImage: frame }, /lastFrameImage is not a field of/)
    await refused({ model, firstFrameImage: frame, duration: 6 }, /duration is not a field of/)
  }
  await refused({ model: 'MaaS_VidH_Video_t2v', firstFrameImage: frame }, /prompt is required/)
  await refused({ model: 'MaaS_VidH_Video_t2v_director', prompt: ' ' }, /prompt is required/)
  await refused({ model: 'MaaS_VidH_Video_t2v_director', prompt: 'x', firstFrameImage: frame }, /firstFrameImage is not a field of/)
  await refused({ model: 'MaaS_VidH_Video_t2v', prompt: 'x', resolution: '768P' }, /resolution is not a field of/)
  await refused({ model: 'MaaS_VidH_Video_s2v', prompt: 'x' }, /subjectReference is required/)
  await refused({ model: 'MaaS_VidH_02', prompt: 'x', subjectReference: person }, /subjectReference is not a field of/)
  await refused({ subjectReference: [{ type: 'animal', image: [frame] }] }, /character/)
  await refused({ subjectReference: [{ type: 'character', image: [frame, frame] }] }, /at most 1/)
  await refused({ subjectReference: [...person, ...person] }, /at most 1/)
  await refused({ prompt: '' }, /prompt is required, or firstFrameImage/)
  await refused({ prompt: '[Push In]' }, /nothing but camera instructions/)
  await refused({ prompt: 'x', model: 'nope' }, /no model "nope"/, 404)
})

test('a task passes through its states, and a failure has the code of its reason', async () => {
  const { body } = await create({ prompt: 'it waits' })
  await until(async () => ((await query(body.taskId)).status === 'Processing' ? true : undefined), 'the work')
  const { fileId, file_id, videoWidth, base_resp } = await query(body.taskId)
  assert.deepEqual([fileId, file_id, videoWidth, base_resp.status_code], ['', '', 0, 0])
  mayGoOn.resolve()
  for (const [prompt, code, says] of [
    ['forbidden', 1026, 'prompt: not this.'],
    ['hidden', 1027, 'gore'],
    ['faceless', 2013, 'subjectReference: there is no face in it.'],
  ]) {
    const { task } = await made({ prompt })
    assert.deepEqual([task.status, task.fileId, task.base_resp], ['Fail', '', { status_code: code, status_msg: says }])
  }
})

test('a task or file that is unknown, or belongs to another account, is not found', async () => {
  const { task } = await made({ prompt: 'a boat' })
  const own = `${path}/file?taskId=${task.taskId}`
  const calls = [
    ['getClip', `${path}/task/nope`, {}],
    ['getClip', `${path}/task/${task.taskId}`, { key: other }],
    ['getClipFile', `${own}&fileId=nope`, {}],
    ['getClipFile', `${own}&fileId=${task.fileId}`, { key: other }],
  ] as const
  for (const [operation, url, options] of calls) {
    const answer = await gateway.call(url, options)
    assertDocumented(operation, answer)
    assert.deepEqual([answer.status, answer.body.base_resp.status_code], [404, 2013], url)
  }
  const unknown = await gateway.call(`${path}/task/x`, { key: 'sk-wrong' })
  assert.deepEqual([unknown.status, unknown.body.base_resp.status_code], [401, 2049])
})

test('the callback receives the result in the vendor’s form, signed', async () => {
  const reported = Promise.withResolvers<{ body: Record<string, unknown>; headers: Record<string, unknown> }>()
  const server = createServer(async (request, response) => {
    reported.resolve({ body: JSON.parse(await text(request)), headers: request.headers })
    response.end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = Object(server.address())
  try {
    const { task } = await made({ prompt: 'a boat', callbackUrl: `http://127.0.0.1:${port}/end` })
    const { body, headers } = await reported.promise
    assert.deepEqual(body, { task_id: task.taskId, status: 'success', file_id: task.fileId, base_resp: task.base_resp })
    assert.ok(headers['webhook-id'] && headers['webhook-timestamp'])
  } finally {
    server.close()
  }
})
