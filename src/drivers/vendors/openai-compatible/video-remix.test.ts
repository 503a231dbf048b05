/** Tests remixes over interface S on the whole program: a remix is sent only to the service that
 *  created the video, with that service's id of the video. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { InputFile, Job, PolledOffer } from '@generation-gateway/kit/requests/job.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { driverTools } from '../../../testing/driver-tools.ts'
import { errorReply, type FakeUpstream, jsonReply, rawReply, startFakeUpstream } from '../../../testing/fakes/fake-upstream.ts'
import { startTestGateway, type TestGateway } from '../../../testing/gateway.ts'
import { smallVideo } from '../../../testing/small-video.ts'
import driver from './driver.ts'
import { videoDetail } from './video-detail.ts'

const videos = '/v1/ai/default/videos'
let fake: FakeUpstream
let other: FakeUpstream
let gateway: TestGateway
/** Ids that the service assigned. */
const made: string[] = []

before(async () => {
  const clip = await smallVideo({ seconds: 4 })
  const serve = (upstream: FakeUpstream, name: string) =>
    upstream.answer(async (response, request) => {
      const { method, path } = request
      const id = `${name}/${made.length + 1}`
      if (method === 'POST') made.push(id)
      const given = { id: method === 'POST' ? id : decodeURIComponent(path.split('/')[3] ?? ''), object: 'video' }
      if (path.includes('variant')) return errorReply(404, {})(response, request)
      if (path.endsWith('/content')) return rawReply(clip)(response, request)
      return jsonReply({ ...given, status: method === 'POST' ? 'queued' : 'completed' })(response, request)
    })
  fake = await startFakeUpstream()
  other = await startFakeUpstream()
  serve(fake, 'video_a')
  serve(other, 'video_b')
  const target = ({ baseUrl }: FakeUpstream, order: number) =>
    `{ driver: openai-compatible, base_url: "${baseUrl}", api_key: sk-12345678, model: film-1, order: ${order} }`
  gateway = await startTestGateway({
    drivers: [driver],
    yaml: `models:
  - { id: film, family: S, targets: [${target(fake, 1)}] }
  - { id: both, family: S, targets: [${target(other, 1)}, ${target(fake, 2)}] }
  - { id: elsewhere, family: S, targets: [${target(other, 1)}] }
`,
  })
})
after(async () => {
  await gateway[Symbol.asyncDispose]()
  await Promise.all([fake.close(), other.close()])
})

async function ended(body: object, path = videos) {
  const created = await gateway.call(path, { body })
  assert.equal(created.status, 200, JSON.stringify(created.body))
  return until(async () => {
    const { body: video } = await gateway.call(`${videos}/${created.body.id}`)
    return ['completed', 'failed'].includes(video.status) ? video : undefined
  }, 'the video')
}

const posts = (upstream: FakeUpstream) =>
  upstream.received.filter(({ method }) => method === 'POST').map(({ path, json }) => (path.endsWith('/remix') ? [path, json] : path))

test('a remix of a remix uses the ids of the service, with the prompt alone', async () => {
  const first = await ended({ model: 'film', prompt: 'a kite', size: '1280x720' })
  const second = await ended({ prompt: 'in snow' }, `${videos}/${first.id}/remix`)
  assert.equal(second.status, 'completed', JSON.stringify(second))
  assert.equal(second.remixed_from_video_id, first.id)
  assert.deepEqual(posts(fake), ['/v1/videos', ['/v1/videos/video_a%2F1/remix', { prompt: 'in snow' }]])
})

test('a target of another service is skipped, and nothing is sent to it', async () => {
  const first = await ended({ model: 'film', prompt: 'a kite' })
  const second = await ended({ prompt: 'in snow', model: 'both' }, `${videos}/${first.id}/remix`)
  assert.equal(second.status, 'completed', JSON.stringify(second))
  assert.deepEqual([posts(other), posts(fake).at(-1)], [[], ['/v1/videos/video_a%2F3/remix', { prompt: 'in snow' }]])
})

test('a remix of a video that no service of the model has made is refused by name', async () => {
  const first = await ended({ model: 'film', prompt: 'a kite' })
  const { status, error } = await ended({ prompt: 'in snow', model: 'elsewhere' }, `${videos}/${first.id}/remix`)
  assert.equal(status, 'failed')
  assert.match(error.message, /remixes only a video that it has made itself/)
  assert.deepEqual(posts(other), [])
})

test('only the video itself can be remixed, and one that the service has deleted is refused by name', async () => {
  const service = await startFakeUpstream()
  const running = driver.open(driverTools({ allowPrivateUrls: true }))
  const offer = running.offers['video.generate'] as PolledOffer<VideoGenerateRequest>
  const { origin } = new URL(service.baseUrl)
  const request: VideoGenerateRequest = {
    ...{ prompt: 'in snow', width: 64, height: 36, seconds: 4, count: 1, seed: '7', sound: true },
    ...{ expandPrompt: false, safetyTolerance: 2, watermark: false },
  }
  const base: InputFile = { role: 'base', path: '/nowhere', mediaType: 'video/mp4', bytes: 1000 }
  const job = (...inputs: InputFile[]): Job<VideoGenerateRequest> => ({
    ...{ id: 'job-1', request, inputs, scratch: '/nowhere', model: 'sora-2', attempt: 1, progress: () => {} },
    ...{ settings: { base_url: service.baseUrl, api_key: 'sk-1234567' }, signal: new AbortController().signal },
  })
  const detail = videoDetail({ origin, path: '/v1' }, 'video_9')
  const refused = { code: 'not_implemented', field: 'base' }
  await assert.rejects(offer.start(job(base)), refused)
  await assert.rejects(offer.start(job({ ...base, origin: { detail, index: 1 } })), refused)
  const foreign = videoDetail({ origin: 'https://other.example', path: '/v1' }, 'video_9')
  await assert.rejects(offer.start(job({ ...base, origin: { detail: foreign, index: 0 } })), refused)
  assert.equal(service.received.length, 0)
  service.answer(errorReply(404, { message: 'unknown' }))
  await assert.rejects(offer.start(job({ ...base, origin: { detail, index: 0 } })), refused)
  assert.equal(service.received[0]?.path, '/v1/videos/video_9/remix')
  service.answer(errorReply(502, { message: 'unknown' }))
  await assert.rejects(offer.start(job({ ...base, origin: { detail, index: 0 } })), { code: 'outcome_unknown' })
  assert.equal(offer.refuses?.(job(base, base))?.field, 'base')
  assert.equal(offer.refuses?.(job({ ...base, role: 'first-frame', width: 64, height: 36 }, base))?.field, 'first-frame')
  await running.close?.()
  await service.close()
})
