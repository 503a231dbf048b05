/** Tests family K on the running program, videos from prompts and from pictures, with scripted
 *  targets. */
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

/** Returns a clip, unless the prompt selects another behaviour. */
async function shoot(job: VideoJob): Promise<Outcome> {
  jobs.push(job)
  const { prompt, seed } = job.request
  if (prompt.includes('waits')) await mayGoOn.promise
  if (prompt.includes('forbidden')) return { state: 'failed', code: 'request_moderated', message: 'negativePrompt: not this.' }
  if (prompt.includes('hidden'))
    return { state: 'done', files: [], report: { seed, prompt, filtered: [{ video: 0, reasons: ['gore'] }] }, usage: [] }
  const done = await doneClip(job)
  return prompt.includes('partly') ? { ...done, report: { ...done.report, notFollowed: ['camera', 'promptStrength'] } } : done
}

let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({
    env: { OTHER: other },
    yaml,
    drivers: [fakeVideoDriver('film', { offer: { kind: 'once', run: shoot } })],
  })
})
after(() => gateway[Symbol.asyncDispose]())

const base = '/v1/ai/default/vidk/videos'
const paths = {
  text2video: ['generateVideoFromText', 'getVideoFromText'],
  image2video: ['generateVideoFromImage', 'getVideoFromImage'],
} as const
type Path = keyof typeof paths

async function create(path: Path, body: object) {
  const answer = await gateway.call(`${base}/${path}`, { body })
  assertDocumented(paths[path][0], answer)
  return answer
}

async function query(path: Path, id: string) {
  const answer = await gateway.call(`${base}/${path}/${id}`)
  assertDocumented(paths[path][1], answer)
  return answer.body
}

const ended = (path: Path, id: string) =>
  until(async () => {
    const { data } = await query(path, id)
    return ['succeed', 'failed'].includes(data.task_status) ? data : undefined
  }, 'the end of the task')

async function made(path: Path, body: object) {
  const answer = await create(path, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  const { code, message, data } = answer.body
  assert.deepEqual([code, message, data.task_status], [0, 'SUCCEED', 'submitted'])
  const task = await ended(path, data.task_id)
  const job = jobs.find(({ id }) => id === data.task_id)!
  return { task, request: job.request, inputs: job.inputs }
}

const madeOf = async (path: Path, body: object) => (await made(path, body)).request

async function refused(path: Path, body: object, says: RegExp, status = 400, code = 1201): Promise<void> {
  const answer = await create(path, body)
  assert.deepEqual([answer.status, answer.body.code], [status, code], `${says}: ${JSON.stringify(answer.body)}`)
  assert.match(answer.body.message, says)
  assert.equal(answer.body.error.message, answer.body.message)
}

/** Returns a picture in base64 without a data URL's prefix. */
async function picture(width: number, height: number): Promise<string> {
  const image = sharp({ create: { width, height, channels: 3, background: '#7ec8e3' } })
  return (await image.png().toBuffer()).toString('base64')
}
const pictures = Promise.all([picture(600, 400), picture(300, 200), picture(400, 400), picture(299, 400), picture(300, 300)])

test('a prompt becomes a video of the default model, and its query has the link', async () => {
  const { task, request } = await made('text2video', { prompt: 'a ferry', external_task_id: 'shop-1', negative_prompt: 'rain' })
  const { seed, ...rest } = request
  assert.match(seed, /^[0-9]+$/)
  assert.deepEqual(rest, {
    ...{ prompt: 'a ferry', negativePrompt: 'rain', width: 1280, height: 720, seconds: 5, framesPerSecond: 30, count: 1, sound: false },
    ...{ expandPrompt: false, grade: 'standard', safetyTolerance: 2, promptStrength: 0.5, watermark: false },
  })
  const { task_result, task_info, task_status_msg, created_at, updated_at } = task
  assert.deepEqual([task_info, task_status_msg], [{ external_task_id: 'shop-1' }, ''])
  assert.ok(created_at > 1e12 && updated_at >= created_at)
  const [{ id, url, duration }] = task_result.videos
  assert.match(id, /^[0-9a-z]{26}$/)
  assert.equal(duration, '5')
  assert.deepEqual((await fetch(url)).headers.get('content-type'), 'video/mp4')
  assert.equal((await query('text2video', 'shop-1')).data.task_id, task.task_id)
  await refused(
    'text2video',
    { prompt: 'another', external_task_id: 'shop-1' },
    /external_task_id is shop-1, which is that of another task/,
  )
})

test('external_task_id may have 200 characters of any kind', async () => {
  for (const id of ['shop/3 ü?#%', '雨'.repeat(200)]) {
    const { task } = await made('text2video', { prompt: 'a ferry', external_task_id: id })
    const { data } = await query('text2video', encodeURIComponent(id))
    assert.deepEqual([data.task_id, data.task_info.external_task_id], [task.task_id, id])
  }
  await refused('text2video', { prompt: 'x', external_task_id: 'x'.repeat(201) }, /external_task_id has 201 characters; at most 200/)
})

test('a task is found only at its own path and by its own account', async () => {
  const { task } = await made('text2video', { prompt: 'a ferry', external_task_id: 'shop-2' })
  for (const [path, id, key] of [
    ['image2video', task.task_id],
    ['image2video', 'shop-2'],
    ['omni-video', 'shop-2'],
    ['text2video', 'nope'],
    ['text2video', task.task_id, other],
    ['text2video', 'shop-2', other],
  ]) {
    const answer = await gateway.call(`${base}/${path}/${id}`, key ? { key } : {})
    assert.deepEqual([answer.status, answer.body.code], [404, 1203], `${path} ${id}`)
  }
  const unknown = await gateway.call(`${base}/text2video/x`, { key: 'sk-wrong' })
  assert.deepEqual([unknown.status, unknown.body.code], [401, 1002])
  assert.deepEqual((await gateway.call(`${base}/text2video/x`, { key: false })).body.code, 1001)
})

test('mode, length, aspect ratio and frame rate are limited by the model', async () => {
  const size = async (body: object) => {
    const { width, height, seconds, framesPerSecond, grade, promptStrength } = await madeOf('text2video', { prompt: 'a ferry', ...body })
    return [width, height, seconds, framesPerSecond, grade, promptStrength]
  }
  assert.deepEqual(await size({ mode: 'pro', duration: 10, aspect_ratio: '1:1' }), [720, 720, 10, 30, 'high', 0.5])
  assert.deepEqual(await size({ model_name: 'MaaS_VidK_V1.6', mode: 'pro', aspect_ratio: '9:16', cfg_scale: 1 }), [
    1080,
    1920,
    5,
    24,
    'high',
    1,
  ])
  assert.deepEqual(await size({ model_name: 'MaaS_VidK_V2.1_Master', duration: '10' }), [1920, 1080, 10, 24, undefined, undefined])
  assert.deepEqual(await size({ model_name: 'MaaS_VidK_V2.6' }), [1920, 1080, 5, 24, 'high', undefined])
  assert.equal((await madeOf('text2video', { prompt: 'x', model_name: 'MaaS_VidK_V2.6', mode: 'pro', sound: 'on' })).sound, true)
  const body = { prompt: 'a ferry' }
  await refused('text2video', { ...body, model_name: 'MaaS_VidK_V2.6', mode: 'std' }, /mode is std; MaaS_VidK_V2.6 has pro only/)
  await refused(
    'text2video',
    { ...body, model_name: 'MaaS_VidK_V2.6', cfg_scale: 0.5 },
    /cfg_scale is not a field of MaaS_VidK_V2.6; it belongs to V1, V1.6/,
  )
  await refused('text2video', { ...body, model_name: 'MaaS_VidK_V2.1_Master', mode: 'pro' }, /mode is not a field of/)
  await refused('text2video', { ...body, model_name: 'MaaS_VidK_V1.6', sound: 'on' }, /sound is not a field of/)
  await refused(
    'text2video',
    { ...body, model_name: 'MaaS_VidK_V2.1' },
    /model_name is MaaS_VidK_V2.1; text2video takes vidk-v1, MaaS_VidK_V1.6/,
  )
  await refused('text2video', { ...body, model_name: 'MaaS_VidK_Omni' }, /model_name is MaaS_VidK_Omni; text2video takes/)
  await refused('text2video', { ...body, model_name: 'nope' }, /no model "nope"/, 404, 1203)
  await refused('text2video', { ...body, duration: '7' }, /duration is "7"; it must be one of 5, 10\.$/)
  await refused('text2video', {}, /prompt is required/)
})

test('models without certain fields accept the default values of these fields', async () => {
  const written = { prompt: 'a ferry', sound: 'off', negative_prompt: '', camera_control: {}, aspect_ratio: '16:9', duration: '5' }
  for (const model_name of ['vidk-v1', 'MaaS_VidK_V1.6', 'MaaS_VidK_V2.1_Master', 'MaaS_VidK_V2.6'])
    assert.equal((await madeOf('text2video', { ...written, model_name })).prompt, 'a ferry', model_name)
  const [image = ''] = await pictures
  await madeOf('image2video', { image, sound: 'off', dynamic_masks: [], model_name: 'MaaS_VidK_V2.1' })
})

test('the camera movement is given by a name, or by exactly one number', async () => {
  const camera = async (camera_control: object) => (await madeOf('text2video', { prompt: 'x', camera_control })).camera
  assert.deepEqual(await camera({ type: 'simple', config: { horizontal: 0, zoom: -10 } }), [{ zoom: -10 }])
  assert.deepEqual(await camera({ type: 'down_back' }), [{ vertical: -5, depth: -5 }])
  assert.deepEqual(await camera({ type: 'left_turn_forward' }), [{ pan: -5, depth: 5 }])
  assert.equal(await camera({}), undefined)
  const bad = (camera_control: object, says: RegExp, further = {}) =>
    refused('text2video', { prompt: 'x', camera_control, ...further }, says)
  await bad({ type: 'simple', config: { pan: 1, tilt: 1 } }, /config has 2 numbers that are not 0; it must be exactly one/)
  await bad({ type: 'simple', config: {} }, /config has 0 numbers/)
  await bad({ type: 'simple' }, /camera_control.config is required/)
  await bad({ type: 'forward_up', config: { pan: 1 } }, /config goes with camera_control.type simple, not with forward_up/)
  await bad({ type: 'simple', config: { roll: 10.5 } }, /camera_control.config.roll is 10.5; at most 10/)
  await bad({ aspect_ratio: '1:1' }, /aspect_ratio is not known there/)
  await bad({ type: 'down_back' }, /camera_control goes with mode std and duration 5 only for vidk-v1; mode is pro/, { mode: 'pro' })
  await bad({ type: 'down_back' }, /not a field of MaaS_VidK_V1.6; it belongs to V1/, { model_name: 'MaaS_VidK_V1.6' })
})

test('a picture decides the aspect ratio; frames are limited to some modes and lengths', async () => {
  const [image = '', small = '', square = '', narrow = ''] = await pictures
  const { request, inputs } = await made('image2video', { image, image_tail: square, model_name: 'MaaS_VidK_V2.1', mode: 'pro' })
  assert.deepEqual([request.prompt, request.width, request.height, request.fit, request.framesPerSecond], ['', 1762, 1174, 'crop', 24])
  assert.deepEqual(
    inputs.map(({ role, width }) => [role, width]),
    [
      ['first-frame', 600],
      ['last-frame', 400],
    ],
  )
  const tail = await made('image2video', { image_tail: image, model_name: 'MaaS_VidK_V1.6', mode: 'pro', duration: '10' })
  assert.deepEqual([tail.inputs.length, tail.inputs[0]?.role, tail.request.framesPerSecond], [1, 'last-frame', 30])
  assert.equal((await made('image2video', { image_tail: image })).inputs[0]?.role, 'last-frame')
  const camera_control = { type: 'simple', config: { pan: 3 } }
  assert.deepEqual((await madeOf('image2video', { image, camera_control })).camera, [{ pan: 3 }])
  const bad = (body: object, says: RegExp) => refused('image2video', body, says)
  await bad({ prompt: 'x' }, /image is required, or image_tail/)
  await bad({ image: narrow }, /image is 299x400; each side has to have at least 300 pixels/)
  await bad({ image: small }, /image is 300x200/)
  await bad({ image, image_tail: image, duration: 10 }, /image with image_tail goes with duration 5 only for vidk-v1/)
  await bad(
    { image, image_tail: image, model_name: 'MaaS_VidK_V1.6' },
    /image with image_tail goes with mode pro only for MaaS_VidK_V1.6; mode is std/,
  )
  await bad({ image, image_tail: image, model_name: 'MaaS_VidK_V2.1_Master' }, /image_tail is not a field of/)
  await bad({ image, image_tail: image, model_name: 'MaaS_VidK_V2.6', sound: 'on' }, /sound is on; with image_tail it must be off/)
  await bad({ image_tail: image, model_name: 'MaaS_VidK_V2.1', mode: 'pro' }, /takes image_tail only beside image/)
  await bad({ image_tail: image, duration: 10 }, /image_tail alone goes with duration 5 only for vidk-v1/)
  await bad({ image_tail: image, model_name: 'MaaS_VidK_V1.6' }, /image_tail alone goes with mode pro only/)
  await bad({ image, image_tail: image, camera_control }, /exclude each other/)
})

test('masks must have the size of the picture, and their paths must stay inside it', async () => {
  const [image = '', , square = '', , smaller = ''] = await pictures
  const mask = await picture(600, 400)
  const trajectories = [
    { x: 0, y: 0 },
    { x: 600, y: 400 },
  ]
  const { request, inputs } = await made('image2video', {
    ...{ image, static_mask: mask },
    dynamic_masks: [
      { mask, trajectories },
      { mask, trajectories: [...trajectories].reverse() },
    ],
  })
  assert.deepEqual(request.paths, [trajectories, [...trajectories].reverse()])
  assert.deepEqual(
    inputs.map(({ role }) => role),
    ['first-frame', 'still-mask', 'motion-mask', 'motion-mask'],
  )
  const bad = (body: object, says: RegExp) => refused('image2video', { image, ...body }, says)
  const moving = (points: object[], by = mask) => ({ dynamic_masks: [{ mask: by, trajectories: points }] })
  await bad(
    moving([
      { x: 0, y: 0 },
      { x: 601, y: 0 },
    ]),
    /dynamic_masks\[0\].trajectories\[1\].x is 601; at most 600/,
  )
  await bad(
    moving([
      { x: 0, y: 0 },
      { x: 0, y: 401 },
    ]),
    /trajectories\[1\].y is 401; at most 400/,
  )
  await bad(moving([{ x: 0, y: 0 }]), /at least 2/)
  await bad(moving(Array(78).fill({ x: 0, y: 0 })), /78 items; at most 77/)
  const requested = jobs.length
  for (const [field, body] of [
    ['dynamic_masks[0].mask', moving(trajectories, square)],
    ['static_mask', { static_mask: square }],
  ] as const) {
    const failed = await ended('image2video', (await create('image2video', { image, ...body })).body.data.task_id)
    const says = `${field} is 400x400; it must have the ratio of the image, 600:400.`
    assert.deepEqual([failed.task_status, failed.task_status_msg, failed.task_result], ['failed', says, undefined])
  }
  assert.equal(jobs.length, requested)
  await bad({ ...moving(trajectories), static_mask: await picture(450, 300) }, /it must be as large as/)
  await bad({ dynamic_masks: Array(7).fill({ mask, trajectories }) }, /at most 6/)
  await bad({ static_mask: mask, duration: 10 }, /a mask goes with duration 5 only for vidk-v1/)
  await bad({ static_mask: mask, image_tail: mask }, /exclude each other/)
  await bad({ static_mask: mask, model_name: 'MaaS_VidK_V2.6' }, /static_mask is not a field of/)
  await refused('image2video', { image_tail: smaller, model_name: 'vidk-v1', static_mask: mask }, /image is required with static_mask/)
})

test('a task passes through its states; a failure, and what was not followed, is reported in the words of the family', async () => {
  const { body } = await create('text2video', { prompt: 'it waits' })
  const id = body.data.task_id
  await until(async () => ((await query('text2video', id)).data.task_status === 'processing' ? true : undefined), 'the work')
  mayGoOn.resolve()
  const forbidden = await made('text2video', { prompt: 'forbidden' })
  assert.deepEqual([forbidden.task.task_status, forbidden.task.task_status_msg], ['failed', 'negative_prompt: not this.'])
  assert.equal(forbidden.task.task_result, undefined)
  const hidden = await made('text2video', { prompt: 'hidden' })
  assert.deepEqual([hidden.task.task_status, hidden.task.task_status_msg], ['failed', 'The output was refused by the safety rules.'])
  const partly = await made('text2video', { prompt: 'partly' })
  assert.deepEqual(partly.task.task_result.not_followed, ['camera_control', 'cfg_scale'])
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
    const { task } = await made('text2video', {
      prompt: 'a ferry',
      external_task_id: 'shop-3',
      callback_url: `http://127.0.0.1:${port}/end`,
    })
    const { body, headers } = await reported.promise
    const { task_id, task_status, task_info, task_result } = Object(body)
    assert.deepEqual([task_id, task_status, task_info.external_task_id], [task.task_id, 'succeed', 'shop-3'])
    assert.equal((await fetch(task_result.videos[0].url)).status, 200)
    assert.ok(headers['webhook-id'] && headers['webhook-timestamp'])
  } finally {
    server.close()
  }
})
