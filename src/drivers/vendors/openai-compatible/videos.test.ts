/** Runs the shared suite, and tests the features of this offer, over OpenAI's videos interface. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { readMediaFile } from '@generation-gateway/kit/media/media-header.ts'
import type { InputFile, Job, PolledOffer } from '@generation-gateway/kit/requests/job.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import sharp from 'sharp'
import { driverTools } from '../../../testing/driver-tools.ts'
import {
  errorReply,
  type FakeReply,
  type FakeUpstream,
  hangingReply,
  jsonReply,
  rawReply,
  redirectReply,
  startFakeUpstream,
} from '../../../testing/fakes/fake-upstream.ts'
import { foreignNotFounds } from '../../../testing/fakes/foreign-404.ts'
import { smallVideo } from '../../../testing/small-video.ts'
import { driverSuite } from '../../suite/suite.ts'
import driver from './driver.ts'

const clip = await smallVideo()
const request: VideoGenerateRequest = {
  ...{ prompt: 'a kite', width: 64, height: 36, seconds: 4, count: 1, seed: '7', sound: true },
  ...{ expandPrompt: false, safetyTolerance: 2, watermark: false },
}
const started = jsonReply({ id: 'video_1', object: 'video', status: 'queued', progress: 0 })
const state = (status: string, further: object = {}) => jsonReply({ id: 'video_1', object: 'video', status, ...further })
const deleted = jsonReply({ id: 'video_1', object: 'video.deleted', deleted: true })
const noThumbnail = errorReply(404, { message: 'no such variant' })

driverSuite('openai-compatible over videos', {
  driver,
  settings: (base_url, api_key) => ({ base_url, api_key }),
  capability: 'video.generate',
  request,
  good: (_baseUrl, otherBaseUrl) => [
    started,
    state('in_progress', { progress: 40 }),
    state('completed', { progress: 100 }),
    redirectReply(`${otherBaseUrl}/1.mp4`, 302),
    noThumbnail,
  ],
  check: ({ files, report, usage }) => {
    const [{ role, mediaType, width, height, durationSeconds } = { role: '', mediaType: '' }] = files
    assert.deepEqual([files.length, role, mediaType, width, height, durationSeconds], [1, 'video', 'video/mp4', 64, 36, 4])
    assert.deepEqual(report, { seed: '7', prompt: 'a kite', filtered: [], notFollowed: ['seed'] })
    assert.deepEqual(usage, [{ unit: 'seconds', units: 4 }])
  },
  hanging: hangingReply(['never ending']),
  refusal: (status, message, headers) => errorReply(status, { message }, headers),
  failed: { replies: [started, state('failed', { error: { code: 'moderation_blocked', message: 'no' } })], code: 'content_moderated' },
  paidSubmit: { aborted: 'outcome_unknown' },
  polled: { isStart: ({ method }) => method === 'POST' },
  outputs: 'files',
  file: rawReply(clip, 200, { 'content-type': 'video/mp4' }),
  relays: { leftOut: 'videos are not relayed' },
})

describe('videos of Sora', () => {
  let fake: FakeUpstream
  let scratch: string
  const tools = driverTools({ allowPrivateUrls: true })
  const running = driver.open(tools)
  const offer = running.offers['video.generate'] as PolledOffer<VideoGenerateRequest>
  before(async () => {
    fake = await startFakeUpstream()
    scratch = tools.scratchDirectory
  })
  after(async () => {
    await running.close?.()
    await fake.close()
  })

  const job = (
    given: Partial<VideoGenerateRequest> = {},
    inputs: InputFile[] = [],
    settings: JsonObject = {},
  ): Job<VideoGenerateRequest> => ({
    ...{ id: 'job-1', request: { ...request, width: 1280, height: 720, ...given }, inputs, scratch, model: 'sora-2', attempt: 1 },
    ...{
      settings: { base_url: fake.baseUrl, api_key: 'sk-1234567', ...settings },
      signal: new AbortController().signal,
      progress: () => {},
    },
  })

  async function picture(width: number, height: number, role = 'first-frame'): Promise<InputFile> {
    const path = join(scratch, `${role}-${width}.png`)
    const bytes = await sharp({ create: { width, height, channels: 3, background: '#3060c0' } })
      .png()
      .toBuffer()
    await writeFile(path, bytes)
    return { path, role, mediaType: 'image/png', bytes: bytes.length, width, height }
  }

  async function outcomeOf(...replies: FakeReply[]) {
    fake.answer(...replies)
    return offer.check(job(), { id: 'video_1' })
  }

  test('the form has the fields of the interface, and a frame in the size of the video', async () => {
    for (const [fit, corner] of [
      ['pad', [0, 0, 0]],
      ['crop', [0x30, 0x60, 0xc0]],
    ] as const) {
      fake.answer(started)
      const { state: is } = await offer.start(job({ fit, seconds: 8 }, [await picture(300, 300)]))
      assert.equal(is, 'started')
      const { path, headers, body } = fake.received.at(-1)!
      assert.equal(path, '/v1/videos')
      const form = await new Response(new Uint8Array(body), { headers: { 'content-type': String(headers['content-type']) } }).formData()
      const texts = ['model', 'prompt', 'seconds', 'size'].map(name => form.get(name))
      assert.deepEqual(texts, ['sora-2', 'a kite', '8', '1280x720'])
      const file = form.get('input_reference')
      assert.ok(file instanceof File)
      const pixels = sharp(new Uint8Array(await file.arrayBuffer()))
      const { width, height, format } = await pixels.metadata()
      assert.deepEqual([width, height, format], [1280, 720, 'png'])
      const raw = await pixels.removeAlpha().raw().toBuffer()
      assert.deepEqual([...raw.subarray(0, 3)], corner)
    }
  })

  test('unsupported fields are refused by name', async () => {
    const refused = async (given: Partial<VideoGenerateRequest>, inputs: InputFile[] = [], settings: JsonObject = {}) =>
      offer.refuses?.(job(given, inputs, settings))?.field
    assert.equal(await refused({}), undefined)
    assert.equal(await refused({ count: 2 }), 'count')
    assert.equal(await refused({ width: 1920, height: 1080 }), 'width')
    assert.equal(await refused({ seconds: 5 }), 'seconds')
    assert.equal(await refused({ seconds: 5 }, [], { video: { seconds: [5, 6] } }), undefined)
    assert.equal(await refused({ width: 640, height: 360 }, [], { video: { sizes: ['640x360'] } }), undefined)
    assert.equal(await refused({ prompt: ' ' }), 'prompt')
    assert.equal(await refused({ prompt: 'x'.repeat(32_001) }), 'prompt')
    assert.equal(await refused({ sound: false }), 'sound')
    assert.equal(await refused({ negativePrompt: 'rain' }), 'negativePrompt')
    assert.equal(await refused({ people: 'none' }), 'people')
    assert.equal(await refused({ people: 'adults' }), undefined)
    assert.equal(await refused({ watermark: true }), 'watermark')
    assert.equal(await refused({ shots: [{ prompt: 'x', seconds: 4 }] }), 'shots')
    assert.equal(await refused({}, [await picture(300, 300)]), 'first-frame')
    assert.equal(await refused({ fit: 'pad' }, [await picture(300, 300), await picture(301, 300)]), 'first-frame')
    assert.equal(await refused({}, [await picture(300, 300, 'last-frame')]), 'last-frame')
  })

  test('a thumbnail is returned with the video; progress is reported', async () => {
    assert.deepEqual(await outcomeOf(state('in_progress', { progress: 40 })), { state: 'running', progress: 0.4 })
    assert.deepEqual(await outcomeOf(state('queued')), { state: 'running' })
    const small = await sharp({ create: { width: 32, height: 18, channels: 3, background: 'red' } })
      .webp()
      .toBuffer()
    const done = await outcomeOf(state('completed'), rawReply(clip), rawReply(small))
    assert.ok(done.state === 'done')
    assert.deepEqual(
      done.files.map(({ role, mediaType, width }) => [role, mediaType, width]),
      [
        ['video', 'video/mp4', 64],
        ['thumbnail', 'image/webp', 32],
      ],
    )
    // The clip of the fake service does not have the requested size.
    assert.deepEqual(done.report.notFollowed, ['seed', 'width', 'height'])
    assert.ok((await readMediaFile(done.files[0]!.path))?.mediaType === 'video/mp4')
    assert.deepEqual(
      fake.received.slice(-3).map(({ path, headers }) => [path, headers.authorization]),
      ['/v1/videos/video_1', '/v1/videos/video_1/content', '/v1/videos/video_1/content?variant=thumbnail'].map(path => [
        path,
        'Bearer sk-1234567',
      ]),
    )
  })

  test('a thumbnail that cannot be fetched does not fail the video', async () => {
    const done = await outcomeOf(state('completed'), rawReply(clip), errorReply(429, { message: 'too many' }))
    assert.deepEqual(done.state === 'done' && done.files.map(({ role }) => role), ['video'])
  })

  test('failures there are reported, and what may have been paid stays an open line', async () => {
    const failures: [FakeReply[], string, boolean][] = [
      [[state('failed', { error: { code: 'input_moderation', message: 'x' } })], 'request_moderated', false],
      [[state('failed', { error: { code: 'timeout', message: 'x' } })], 'upstream_timeout', false],
      [[state('failed', { error: null })], 'upstream_error', false],
      [[errorReply(404, { message: "Video with id 'video_1' not found." })], 'upstream_error', true],
      [[jsonReply({ detail: 'Video not found' }, 404)], 'upstream_error', true],
      [[state('completed'), errorReply(404, { message: 'expired' })], 'upstream_error', true],
      [[state('completed'), rawReply('no video')], 'upstream_error', true],
    ]
    for (const [replies, code, isOpen] of failures) {
      const outcome = await outcomeOf(...replies)
      assert.ok(outcome.state === 'failed', JSON.stringify(outcome))
      assert.deepEqual([outcome.code, outcome.mayBeCharged === true], [code, isOpen])
    }
    await assert.rejects(outcomeOf(state('dreaming')), { code: 'upstream_error' })
  })

  test('a 404 that does not come from the service leads to another poll', async () => {
    for (const reply of foreignNotFounds()) await assert.rejects(outcomeOf(reply), { code: 'upstream_error' })
  })

  test('a refusal has the neutral field name, and moderation at the start is reported', async () => {
    fake.answer(errorReply(400, { message: 'Invalid size.', param: 'size', code: 'invalid_value' }))
    const error = await offer.start(job()).catch((thrown: unknown) => thrown)
    assert.ok(error instanceof GatewayError)
    assert.deepEqual([error.code, error.field], ['invalid_request', 'width'])
    fake.answer(errorReply(400, { message: 'Blocked.', code: 'moderation_blocked' }))
    const refused = await offer.start(job())
    assert.deepEqual([refused.state, 'code' in refused && refused.code], ['failed', 'request_moderated'])
  })

  test('a cancellation that the service refuses stops nothing', async () => {
    fake.answer(state('in_progress'), deleted)
    await offer.cancel?.(job(), { id: 'video_1' })
    assert.equal(fake.received.at(-1)?.method, 'DELETE')
    fake.answer(state('in_progress'), errorReply(400, { message: 'in progress' }))
    await assert.rejects(offer.cancel?.(job(), { id: 'video_1' }) ?? Promise.resolve(), { code: 'invalid_request' })
    fake.answer(state('in_progress'), state('in_progress'))
    await assert.rejects(offer.cancel?.(job(), { id: 'video_1' }) ?? Promise.resolve(), { code: 'conflict' })
  })

  test('a video that has been made is not cancelled by its deletion', async () => {
    fake.answer(state('completed'), deleted)
    await assert.rejects(offer.cancel?.(job(), { id: 'video_1' }) ?? Promise.resolve(), { code: 'conflict' })
    assert.equal(fake.received.at(-1)?.method, 'GET')
    fake.answer(state('failed', { error: { code: 'internal', message: 'no' } }), deleted)
    await offer.cancel?.(job(), { id: 'video_1' })
  })
})
