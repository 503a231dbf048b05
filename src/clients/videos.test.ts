/** Runs OpenAI's own client as published against the gateway's version of OpenAI's videos
 *  interface. */
// Client: openai (npm openai, npm openai-6): createVideo, listVideos, getVideo, deleteVideo,
// remixVideo, downloadVideo.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import OpenAI, { toFile } from 'openai'
import sharp from 'sharp'
import { fakeVideoDriver, tinyMp4, type VideoJob } from '../testing/fakes/fake-video-driver.ts'
import { startTestGateway, type TestGateway, testKey } from '../testing/gateway.ts'

const yaml = 'models: [{ id: reel, family: S, targets: [{ driver: reels }] }]'
const jobs: VideoJob[] = []
let gateway: TestGateway
let videos: OpenAI['videos']
before(async () => {
  gateway = await startTestGateway({ drivers: [fakeVideoDriver('reels', { jobs })], yaml })
  videos = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: testKey, maxRetries: 0 }).videos
})
after(() => gateway[Symbol.asyncDispose]())

const ended = (id: string) =>
  until(async () => {
    const video = await videos.retrieve(id)
    return video.status === 'queued' || video.status === 'in_progress' ? undefined : video
  }, 'the end of the video')

async function failed(promise: Promise<unknown>) {
  const error = await promise.catch((thrown: unknown) => thrown)
  assert.ok(error instanceof OpenAI.APIError)
  return [error.status, error.code, error.param]
}

test('a video is created from a prompt and a picture, queried, downloaded and listed', async () => {
  const frame = await sharp({ create: { width: 1280, height: 720, channels: 3, background: '#3070a0' } })
    .png()
    .toBuffer()
  const first = await videos.create({ model: 'reel', prompt: 'a red barn', seconds: '4', size: '1280x720' })
  const input_reference = await toFile(frame, 'frame.png', { type: 'image/png' })
  const second = await videos.create({ model: 'reel', prompt: 'a barn in snow', size: '1280x720', input_reference })
  const image_url = `data:image/png;base64,${frame.toString('base64')}`
  const third = await videos.create({ model: 'reel', prompt: 'a barn at dusk', size: '1280x720', input_reference: { image_url } })
  for (const [{ id }, prompt] of [
    [first, 'a red barn'],
    [second, 'a barn in snow'],
    [third, 'a barn at dusk'],
  ] as const) {
    const { status, progress } = await ended(id)
    assert.deepEqual([status, progress], ['completed', 100])
    const content = await videos.downloadContent(id)
    assert.equal(content.headers.get('content-type'), 'video/mp4')
    assert.ok(Buffer.from(await content.arrayBuffer()).equals(tinyMp4(`video 0: ${prompt}`)))
  }
  const thumbnail = await videos.downloadContent(first.id, { variant: 'thumbnail' })
  assert.equal((await sharp(new Uint8Array(await thumbnail.arrayBuffer())).metadata()).format, 'png')
  const listed: string[] = []
  for await (const { id } of videos.list({ limit: 2, order: 'asc' })) listed.push(id)
  assert.deepEqual(listed, [first.id, second.id, third.id])
})

test('a video is remixed with another prompt, and remixed again', async () => {
  const { id } = await videos.create({ model: 'reel', prompt: 'a street', seconds: '8', size: '1280x720' })
  await ended(id)
  const remix = await videos.remix(id, { prompt: 'the street in snow' })
  assert.match(remix.id, /^video_/)
  const { object, status, remixed_from_video_id, prompt, seconds, size, model } = remix
  assert.deepEqual(
    [object, status, remixed_from_video_id, prompt, seconds, size, model],
    ['video', 'queued', id, 'the street in snow', '8', '1280x720', 'reel'],
  )
  assert.equal((await ended(remix.id)).remixed_from_video_id, id)
  const [input, ...others] = jobs.at(-1)?.inputs ?? []
  assert.deepEqual([input?.role, input?.mediaType, others], ['base', 'video/mp4', []])
  const again = await videos.remix(remix.id, { prompt: 'at night' })
  assert.equal((await ended(again.id)).remixed_from_video_id, remix.id)
})

test('pages report their first and last id, and whether more follow', async () => {
  const whole = await videos.list({ limit: 100, order: 'asc' })
  const ids = whole.data.map(({ id }) => id)
  const first = await videos.list({ limit: 2, order: 'asc' })
  const { has_more, last_id } = first
  assert.deepEqual([last_id, has_more], [ids[1], true])
  const next = await first.getNextPage()
  assert.deepEqual(
    next.data.map(({ id }) => id),
    ids.slice(2, 4),
  )
  const last = await videos.list({ after: ids.at(-2) ?? '', limit: 2, order: 'asc' })
  assert.deepEqual([last.data.map(({ id }) => id), last.has_more, last.hasNextPage()], [[ids.at(-1)], false, false])
})

test('a deleted video is not found any more', async () => {
  const { id } = await videos.create({ model: 'reel', prompt: 'a kite' })
  await ended(id)
  assert.deepEqual(await videos.delete(id), { id, object: 'video.deleted', deleted: true })
  for (const ask of [
    () => videos.retrieve(id),
    () => videos.downloadContent(id),
    () => videos.delete(id),
    () => videos.remix(id, { prompt: 'x' }),
  ])
    assert.deepEqual(await failed(ask()), [404, 'task_not_found', null])
  for await (const video of videos.list()) assert.notEqual(video.id, id)
  const { data } = (await gateway.call('/v1/tasks')).body
  assert.ok(data.every((task: { id: string }) => `video_${task.id}` !== id))
})

test('errors are the client’s own', async () => {
  assert.deepEqual(await failed(videos.create({ model: 'reel', prompt: 'x', size: '1024x1792' })), [400, 'unsupported_value', 'size'])
  assert.deepEqual(await failed(videos.retrieve('video_none')), [404, 'task_not_found', null])
})
