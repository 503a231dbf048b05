/** Tests family S on the running program, with fake drivers that the test controls. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { once } from '@generation-gateway/kit/driver.ts'
import { refusal } from '@generation-gateway/kit/requests/job.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import sharp from 'sharp'
import { assertDocumented } from '../../testing/documented.ts'
import { doneClip, fakeVideoDriver, tinyMp4, type VideoJob } from '../../testing/fakes/fake-video-driver.ts'
import { type Answer, startTestGateway, type TestGateway } from '../../testing/gateway.ts'
import { type Parts, sendParts } from '../../testing/multipart.ts'

const path = '/v1/ai/default/videos'
const yaml = 'models: [{ id: reel, family: S, targets: [{ driver: reels }] }]'
const jobs: VideoJob[] = []
const mayGoOn = Promise.withResolvers<void>()
let laterMs = 0
let gateway: TestGateway
before(async () => {
  const offer = once<VideoGenerateRequest>(film, {
    refuses: ({ request }) => (request.width > 720 && request.seconds === 12 ? refusal('width', 'at most 720 for 12 seconds.') : undefined),
  })
  gateway = await startTestGateway({ drivers: [fakeVideoDriver('reels', { offer })], yaml, clock: { now: () => Date.now() + laterMs } })
})
after(() => gateway[Symbol.asyncDispose]())

/** Returns a video, unless the prompt selects another behaviour. */
async function film(job: VideoJob) {
  jobs.push(job)
  const { prompt, seed } = job.request
  job.progress(0.4)
  if (prompt.includes('waits')) await mayGoOn.promise
  if (prompt.includes('stays')) await new Promise(resolve => job.signal.addEventListener('abort', resolve))
  if (prompt.includes('refused')) return { state: 'failed' as const, code: 'request_moderated' as const, message: 'prompt: not this.' }
  if (prompt.includes('broken')) return { state: 'failed' as const, code: 'upstream_error' as const, message: 'It broke.' }
  if (prompt.includes('kept back'))
    return { state: 'done' as const, files: [], report: { seed, prompt, filtered: [{ video: 0, reasons: ['a face'] }] }, usage: [] }
  if (!prompt.includes('bare')) return doneClip(job)
  const file = join(job.scratch, 'bare.mp4')
  await writeFile(file, tinyMp4('bare'))
  const report = { seed, prompt, filtered: [] }
  return { state: 'done' as const, files: [{ role: 'video', path: file, mediaType: 'video/mp4' }], report, usage: [] }
}

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#3060c0' } })
    .png()
    .toBuffer()

function submitted(answer: Answer): Answer['body'] {
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assertDocumented('createVideo', answer)
  return answer.body
}

const create = async (body: object) => submitted(await gateway.call(path, { body: { model: 'reel', ...body } }))
const createByParts = async (parts: Parts) => submitted(await sendParts(gateway.url + path, [['model', 'reel'], ...parts]))

async function looked(id: string): Promise<Answer['body']> {
  const answer = await gateway.call(`${path}/${id}`)
  assertDocumented('getVideo', answer)
  return answer.body
}

const ended = (id: string) =>
  until(async () => {
    const video = await looked(id)
    return ['completed', 'failed'].includes(video.status) ? video : undefined
  }, 'the end of the video')

async function refused(answer: Answer | Promise<Answer>): Promise<string> {
  const { status, body } = await answer
  return `${status} ${body.error.code} ${body.error.param}`
}

const content = (id: string, search = '', headers: Record<string, string> = {}) =>
  gateway.call(`${path}/${id}/content${search}`, { headers })

const remixed = (id: string, body: object = { prompt: 'in snow' }) => gateway.call(`${path}/${id}/remix`, { body })

test('a video from a form is queued, made and downloaded, whole and in ranges', async () => {
  const video = await createByParts([
    ['prompt', 'a paper boat'],
    ['size', '1280x720'],
    ['seconds', '8'],
    ['input_reference', await picture(1280, 720)],
  ])
  assert.match(video.id, /^video_/)
  const { object, status, progress, completed_at, error, expires_at, model, remixed_from_video_id, seconds, size, prompt } = video
  assert.deepEqual(
    [object, status, progress, completed_at, error, expires_at, model, remixed_from_video_id, seconds, size, prompt],
    ['video', 'queued', 0, null, null, null, 'reel', null, '8', '1280x720', 'a paper boat'],
  )
  const done = await ended(video.id)
  assert.deepEqual([done.status, done.progress, done.expires_at - done.completed_at], ['completed', 100, 24 * 3600])
  const { request, inputs } = jobs.at(-1)!
  const { seed, ...asked } = request
  assert.match(seed, /^\d+$/)
  assert.deepEqual(asked, {
    ...{ prompt: 'a paper boat', width: 1280, height: 720, seconds: 8, count: 1, sound: true },
    ...{ expandPrompt: false, safetyTolerance: 2, watermark: false },
  })
  assert.deepEqual(
    inputs.map(input => [input.role, input.width, input.height]),
    [['first-frame', 1280, 720]],
  )
  const whole = await content(video.id)
  assert.deepEqual(
    [whole.status, whole.headers.get('content-type'), whole.headers.get('content-disposition'), whole.headers.get('accept-ranges')],
    [200, 'video/mp4', `attachment; filename="${video.id}.mp4"`, 'bytes'],
  )
  assert.ok(whole.bytes.equals(tinyMp4('video 0: a paper boat')))
  const part = await content(video.id, '?variant=video', { range: 'bytes=4-7' })
  assert.deepEqual([part.status, part.bytes.toString(), part.headers.get('content-length')], [206, 'ftyp', '4'])
  const thumbnail = await content(video.id, '?variant=thumbnail')
  assert.deepEqual(
    [thumbnail.status, thumbnail.headers.get('content-type'), thumbnail.headers.get('content-disposition')],
    [200, 'image/png', `attachment; filename="${video.id}.png"`],
  )
})

test('without size and seconds, a video is upright and four seconds long; in JSON the picture may be a link', async () => {
  const { id, seconds, size } = await create({ prompt: 'a kite' })
  assert.deepEqual([seconds, size], ['4', '720x1280'])
  await ended(id)
  const { width, height, seconds: length } = jobs.at(-1)!.request
  assert.deepEqual([width, height, length], [720, 1280, 4])
  const image = `data:image/png;base64,${(await picture(720, 1280)).toString('base64')}`
  for (const input_reference of [image, { image_url: image }]) {
    await ended((await create({ prompt: 'a kite', input_reference })).id)
    assert.deepEqual([jobs.at(-1)!.inputs.length, jobs.at(-1)!.inputs[0]?.role], [1, 'first-frame'])
  }
  const form = await createByParts([
    ['prompt', 'a kite'],
    ['input_reference[image_url]', image],
  ])
  await ended(form.id)
  assert.equal(jobs.at(-1)!.inputs[0]?.width, 720)
})

test('a rotated photograph counts by its upright size', async () => {
  const photo = sharp({ create: { width: 1280, height: 720, channels: 3, background: '#808080' } }).withMetadata({ orientation: 6 })
  for (const format of ['jpeg', 'webp'] as const) {
    const bytes = await photo.clone().toFormat(format).toBuffer()
    const { id } = await createByParts([
      ['prompt', 'a kite'],
      ['size', '720x1280'],
      ['input_reference', bytes],
    ])
    await ended(id)
    const [frame] = jobs.at(-1)!.inputs
    assert.deepEqual([frame?.width, frame?.height], [720, 1280], format)
  }
})

test('invalid values are refused with the field', async () => {
  const base = { model: 'reel', prompt: 'x' }
  const ask = (body: object) => refused(gateway.call(path, { body: { ...base, ...body } }))
  assert.equal(await ask({ prompt: undefined }), '400 missing_required_parameter prompt')
  assert.equal(await ask({ prompt: ' ' }), '400 invalid_value prompt')
  assert.equal(await ask({ prompt: 'x'.repeat(32_001) }), '400 invalid_value prompt')
  assert.equal(await ask({ size: '1024x1792' }), '400 unsupported_value size')
  assert.equal(await ask({ seconds: '5' }), '400 unsupported_value seconds')
  assert.equal(await ask({ remix_video_id: 'video_1' }), '400 unsupported_parameter remix_video_id')
  assert.equal(await ask({ model: 'sora-9' }), '404 model_not_found model')
  assert.equal(await ask({ seconds: '12', size: '1280x720' }), '400 invalid_value size')
  const small = (await picture(719, 1280)).toString('base64')
  const answer = await gateway.call(path, { body: { ...base, input_reference: small } })
  assert.equal(await refused(answer), '400 invalid_value input_reference')
  assert.match(answer.body.error.message, /719x1280; it has to be 720x1280/)
  const gif = await sharp({ create: { width: 720, height: 1280, channels: 3, background: 'red' } })
    .gif()
    .toBuffer()
  assert.equal(await ask({ input_reference: gif.toString('base64') }), '400 invalid_value input_reference')
  assert.equal((await gateway.call(path, { body: { ...base, prompt: '雨'.repeat(32_000) } })).status, 200)
})

test('a running video has a progress and no content, and can be cancelled', async () => {
  const { id } = await create({ prompt: 'it waits' })
  const running = await until(async () => {
    const video = await looked(id)
    return video.progress > 0 ? video : undefined
  }, 'progress')
  assert.deepEqual([running.status, running.progress, running.completed_at, running.expires_at], ['in_progress', 40, null, null])
  const early = await content(id)
  assert.equal(await refused(early), '400 video_not_ready null')
  assertDocumented('downloadVideo', early)
  assert.equal(await refused(remixed(id)), '400 video_not_ready null')
  const gone = await gateway.call(`/v1/tasks/${id.slice('video_'.length)}`, { method: 'DELETE' })
  assert.equal(gone.status, 200)
  mayGoOn.resolve()
  const { status, error, progress } = await ended(id)
  assert.deepEqual([status, error.code, progress < 100], ['failed', 'cancelled', true])
})

test('a failed video has its reason and no content', async () => {
  for (const [prompt, code, message] of [
    ['refused', 'moderation_blocked', 'prompt: not this.'],
    ['kept back', 'moderation_blocked', 'A safety review kept the video back: a face.'],
    ['broken', 'internal_error', 'It broke.'],
  ]) {
    const { id } = await create({ prompt })
    const { status, error, completed_at, expires_at } = await ended(id)
    assert.deepEqual([status, error, completed_at, expires_at], ['failed', { code, message }, null, null])
    assert.equal(await refused(content(id)), '400 video_failed null')
    assert.equal(await refused(remixed(id)), '400 video_failed null')
  }
})

test('a remix has the size and length of its video, and a prompt of its own', async () => {
  const { id } = await create({ prompt: 'a paper boat', seconds: '8', size: '1280x720' })
  await ended(id)
  for (const send of [remixed, (video: string) => sendParts(`${gateway.url}/v1/videos/${video}/remix`, [['prompt', 'in snow']])]) {
    const answer = await send(id)
    assertDocumented('remixVideo', answer)
    assert.deepEqual([answer.status, answer.body.remixed_from_video_id], [200, id])
    const { remixed_from_video_id, size, seconds, prompt } = await ended(answer.body.id)
    assert.deepEqual([remixed_from_video_id, size, seconds, prompt], [id, '1280x720', '8', 'in snow'])
    const { request, inputs } = jobs.at(-1)!
    assert.deepEqual([request.width, request.height, request.seconds, request.prompt], [1280, 720, 8, 'in snow'])
    assert.deepEqual(
      inputs.map(({ role, width, durationSeconds }) => [role, width, durationSeconds]),
      [['base', 1280, 8]],
    )
    assert.ok((await content(answer.body.id)).bytes.equals(tinyMp4('video 0: in snow')))
  }
  assert.equal(await refused(remixed(id, {})), '400 missing_required_parameter prompt')
  assert.equal(await refused(remixed(id, { prompt: '' })), '400 invalid_value prompt')
  assert.equal(await refused(remixed(id, { prompt: 'x'.repeat(32_001) })), '400 invalid_value prompt')
  assert.equal(await refused(remixed('video_01kb2v0f5w9h3t8m6q4y7z1xcd')), '404 task_not_found null')
  const same = { body: { prompt: 'at dusk' }, headers: { 'idempotency-key': 'remix-1' } }
  const [one, two] = [await gateway.call(`${path}/${id}/remix`, same), await gateway.call(`${path}/${id}/remix`, same)]
  assert.deepEqual([one.status, two.body.id], [200, one.body.id])
})

test('a deleted video is not found, finished or not', async () => {
  const { id } = await create({ prompt: 'a kite' })
  await ended(id)
  const { id: running } = await create({ prompt: 'it stays on its way' })
  await until(async () => (await looked(running)).progress > 0 || undefined, 'progress')
  const runningJob = jobs.findLast(job => job.id === running.slice('video_'.length))!
  for (const each of [id, running]) {
    const deleted = await gateway.call(`/v1/videos/${each}`, { method: 'DELETE' })
    assertDocumented('deleteVideo', deleted)
    assert.deepEqual([deleted.status, deleted.body], [200, { id: each, object: 'video.deleted', deleted: true }])
    for (const answer of [
      await gateway.call(`${path}/${each}`),
      await content(each),
      await gateway.call(`${path}/${each}`, { method: 'DELETE' }),
    ])
      assert.equal(await refused(answer), '404 task_not_found null')
  }
  await until(() => runningJob.signal.aborted || undefined, 'the cancel of the running one')
  const { data } = (await gateway.call(`${path}?limit=100`)).body
  assert.ok(data.length > 0 && data.every((video: { id: string }) => video.id !== id && video.id !== running))
})

test('a variant that does not exist, and an unknown video, are not found', async () => {
  const { id } = await create({ prompt: 'bare' })
  await ended(id)
  for (const variant of ['thumbnail', 'spritesheet'])
    assert.equal(await refused(content(id, `?variant=${variant}`)), '404 video_variant_not_available variant')
  assert.equal((await content(id, '?variant=sound')).status, 400)
  for (const unknown of ['video_01kb2v0f5w9h3t8m6q4y7z1xcd', id.slice(6), 'x']) {
    assert.equal((await gateway.call(`${path}/${unknown}`)).status, 404)
    assert.equal((await content(unknown)).status, 404)
  }
})

test('lists are sorted from new to old or from old to new, in pages', async () => {
  const all = (await gateway.call(`${path}?limit=100`)).body
  assert.equal(all.has_more, false)
  const ids: string[] = all.data.map((video: { id: string }) => video.id)
  assert.deepEqual([ids.length > 5, ids], [true, ids.toSorted().reverse()])
  for (const [order, wanted] of [
    ['desc', ids],
    ['asc', ids.toReversed()],
  ] as const) {
    const first = await gateway.call(`/v1/videos?limit=2&order=${order}`)
    assertDocumented('listVideos', first)
    const { data, has_more, first_id, last_id } = first.body
    assert.deepEqual(
      [data.map((video: { id: string }) => video.id), has_more, first_id, last_id],
      [wanted.slice(0, 2), true, wanted[0], wanted[1]],
    )
    const second = await gateway.call(`${path}?limit=2&order=${order}&after=${last_id}`)
    assert.equal(second.body.first_id, wanted[2])
  }
  assert.equal((await gateway.call(`${path}?limit=101`)).status, 400)
  assert.equal(await refused(gateway.call(`${path}?after=x`)), '400 invalid_value after')
})

test('the content is deleted after a day, and the object stays', async () => {
  const { id } = await create({ prompt: 'a day' })
  const { completed_at, expires_at } = await ended(id)
  laterMs += 24 * 3600 * 1000 - 60_000
  assert.equal((await content(id)).status, 200)
  laterMs += 60_000
  assert.equal(await refused(content(id)), '404 video_expired null')
  assert.equal(await refused(remixed(id)), '404 video_expired null')
  const later = await looked(id)
  assert.deepEqual([later.status, later.completed_at, later.expires_at], ['completed', completed_at, expires_at])
})
