/** OpenAI's videos interface with its own client, unchanged. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import OpenAI, { toFile } from 'openai'
import sharp from 'sharp'
import { fakeVideoDriver, tinyMp4 } from '../testing/fake-video-driver.ts'
import { startTestGateway, type TestGateway, testKey } from '../testing/gateway.ts'

const yaml = 'models: [{ id: reel, family: S, targets: [{ driver: reels }] }]'
let gateway: TestGateway
let videos: OpenAI['videos']
before(async () => {
  gateway = await startTestGateway({ drivers: [fakeVideoDriver('reels')], yaml })
  videos = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: testKey, maxRetries: 0 }).videos
})
after(() => gateway[Symbol.asyncDispose]())

const ended = (id: string) =>
  until(async () => {
    const video = await videos.retrieve(id)
    return video.status === 'queued' || video.status === 'in_progress' ? undefined : video
  }, 'the end of the video')

test('a video is created from words and a picture, looked at, downloaded and listed', async () => {
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

test('errors are the client’s own', async () => {
  const failed = async (promise: Promise<unknown>) => {
    const error = await promise.catch((thrown: unknown) => thrown)
    assert.ok(error instanceof OpenAI.APIError)
    return [error.status, error.code, error.param]
  }
  assert.deepEqual(await failed(videos.create({ model: 'reel', prompt: 'x', size: '1024x1792' })), [400, 'unsupported_value', 'size'])
  assert.deepEqual(await failed(videos.retrieve('video_none')), [404, 'task_not_found', null])
})
