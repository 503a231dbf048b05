/** Tests Veo on Vertex AI with the shared suite, and tests what only this driver has. */
import assert from 'node:assert/strict'
import { generateKeyPairSync, verify } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { GatewayError, toGatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { InputFile, Job, PolledOffer } from '@generation-gateway/kit/requests/job.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import { mayHaveBeenAccepted } from '../../../core/routing/router.ts'
import { driverTools } from '../../../testing/driver-tools.ts'
import { onePixelPng } from '../../../testing/fakes/fake-driver.ts'
import {
  type FakeReply,
  type FakeUpstream,
  hangingReply,
  jsonReply,
  rawReply,
  startFakeUpstream,
} from '../../../testing/fakes/fake-upstream.ts'
import { foreignNotFounds } from '../../../testing/fakes/foreign-404.ts'
import { smallVideo } from '../../../testing/small-video.ts'
import { driverSuite } from '../../suite/suite.ts'
import driver from './driver.ts'

const clip = await smallVideo()
const request: VideoGenerateRequest = {
  ...{ prompt: 'a ferry', width: 1280, height: 720, seconds: 4, count: 1, seed: '7', sound: true },
  ...{ expandPrompt: true, safetyTolerance: 2, watermark: false },
}
const name = 'projects/demo/locations/us-central1/publishers/google/models/up-1/operations/5d0c'
const started = jsonReply({ name })
const refusal = (status: number, message: string, headers: Record<string, string> = {}) =>
  jsonReply({ error: { code: status, message, status: 'X' } }, status, headers)
const ended = (response: JsonObject) => jsonReply({ name, done: true, response })
const failedWith = (code: number | string, message: string) => jsonReply({ name, done: true, error: { code, message } })
const inline = { bytesBase64Encoded: clip.toString('base64'), mimeType: 'video/mp4' }

driverSuite('vertex', {
  driver,
  settings: (base_url, api_key) => ({ base_url, api_key, project: 'demo' }),
  capability: 'video.generate',
  request,
  good: () => [started, jsonReply({ name }), ended({ raiMediaFilteredCount: 0, videos: [inline] })],
  check: ({ files, report, usage }) => {
    const [file] = files
    assert.deepEqual([files.length, file?.role, file?.mediaType, file?.width, file?.durationSeconds], [1, 'video', 'video/mp4', 64, 4])
    assert.deepEqual(report, { seed: '7', prompt: 'a ferry', filtered: [], notFollowed: ['width', 'height'] })
    assert.deepEqual(usage, [{ unit: 'seconds', units: 4 }])
  },
  hanging: hangingReply(['never ending']),
  refusal,
  failed: { replies: [started, failedWith(3, 'The prompt has sensitive words. Support codes: 58061214')], code: 'request_moderated' },
  paidSubmit: { aborted: 'outcome_unknown' },
  polled: { isStart: ({ path }) => path.endsWith(':predictLongRunning') },
  outputs: { leftOut: 'videos come in the answer, or from a bucket of the same service' },
  relays: { leftOut: 'the service speaks neither chat nor responses' },
})

describe('Veo', () => {
  let fake: FakeUpstream
  let scratch: string
  const running = driver.open(driverTools({ allowPrivateUrls: true }))
  const offer = running.offers['video.generate'] as PolledOffer<VideoGenerateRequest>
  before(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'vertex-'))
  })
  beforeEach(async () => {
    await fake?.close()
    fake = await startFakeUpstream()
  })
  after(async () => {
    await running.close?.()
    await fake.close()
    await rm(scratch, { recursive: true })
  })

  interface Given {
    given?: Partial<VideoGenerateRequest>
    inputs?: InputFile[]
    settings?: JsonObject
    model?: string
  }

  const job = ({ given = {}, inputs = [], settings = {}, model = 'veo-3.1-generate-001' }: Given = {}): Job<VideoGenerateRequest> => ({
    ...{ id: 'job-1', request: { ...request, ...given }, inputs, scratch, model, attempt: 1, progress: () => {} },
    settings: { base_url: new URL(fake.baseUrl).origin, api_key: 'ya29.token-1', project: 'demo', region: 'europe-west4', ...settings },
    signal: new AbortController().signal,
  })

  async function input(role: string, mediaType = 'image/png'): Promise<InputFile> {
    const path = join(scratch, `${role}.bin`)
    await writeFile(path, onePixelPng)
    return { path, role, mediaType, bytes: onePixelPng.length, width: 1, height: 1 }
  }

  async function sentOf(requested: Given): Promise<{ path: string; body: JsonObject }> {
    fake.answer(started)
    const begun = await offer.start(job(requested))
    assert.deepEqual(begun, { state: 'started', handle: { name } })
    const { path, json } = fake.received.at(-1)!
    return { path, body: Object(json) }
  }

  const outcomeOf = (replies: FakeReply[], requested: Given = {}) => {
    fake.answer(...replies)
    return offer.check(job(requested), { name })
  }

  test('the body has the fields of the service, and the files in base64', async () => {
    const { path, body } = await sentOf({
      given: {
        ...{ width: 1080, height: 1920, seconds: 8, count: 2, seed: '4294967295', sound: false, negativePrompt: 'rain' },
        ...{ people: 'none', fit: 'crop', lossless: true },
      },
      inputs: [await input('first-frame'), await input('last-frame')],
    })
    assert.equal(path, '/v1/projects/demo/locations/europe-west4/publishers/google/models/veo-3.1-generate-001:predictLongRunning')
    const media = { mimeType: 'image/png', bytesBase64Encoded: onePixelPng.toString('base64') }
    assert.deepEqual(body, {
      instances: [{ prompt: 'a ferry', image: media, lastFrame: media }],
      parameters: {
        ...{ aspectRatio: '9:16', resolution: '1080p', durationSeconds: 8, sampleCount: 2, generateAudio: false, seed: 4294967295 },
        ...{ negativePrompt: 'rain', personGeneration: 'dont_allow', resizeMode: 'crop', compressionQuality: 'lossless' },
      },
    })
    const references = await sentOf({ given: { seconds: 8, prompt: '' }, inputs: [await input('reference'), await input('style')] })
    assert.deepEqual(references.body.instances, [
      {
        referenceImages: [
          { referenceType: 'asset', image: media },
          { referenceType: 'style', image: media },
        ],
      },
    ])
    const second = await sentOf({
      given: { sound: false, seconds: 5 },
      model: 'veo-2.0-generate-001',
      inputs: [await input('earlier', 'video/mp4')],
    })
    assert.deepEqual(second.body, {
      instances: [{ prompt: 'a ferry', video: { ...media, mimeType: 'video/mp4' } }],
      parameters: { aspectRatio: '16:9', durationSeconds: 5, sampleCount: 1, enhancePrompt: true, seed: 7 },
    })
  })

  test('unsupported fields are refused by name', async () => {
    const refused = async (given: Partial<VideoGenerateRequest>, { model, inputs }: Given = {}) =>
      offer.refuses?.(job({ given, ...(model === undefined ? {} : { model }), ...(inputs ? { inputs } : {}) }))?.field
    assert.equal(await refused({}), undefined)
    assert.equal(await refused({ count: 5 }), 'count')
    assert.equal(await refused({ width: 1024, height: 1024 }), 'width')
    assert.equal(await refused({ width: 3840, height: 2160 }), undefined)
    assert.equal(await refused({ width: 3840, height: 2160 }, { model: 'veo-3.0-generate-001' }), 'width')
    assert.equal(await refused({ seconds: 5 }), 'seconds')
    assert.equal(await refused({}, { inputs: [await input('reference')] }), 'seconds')
    assert.equal(await refused({ seconds: 5 }, { model: 'veo-2.0-generate-001' }), 'sound')
    assert.equal(await refused({ seconds: 5, sound: false }, { model: 'veo-2.0-generate-001' }), undefined)
    assert.equal(await refused({ prompt: ' ' }), 'prompt')
    assert.equal(await refused({ elements: ['1'] }), 'elements')
    assert.equal(await refused({ watermark: true }), 'watermark')
    assert.equal(await refused({}, { inputs: [await input('base')] }), 'base')
    assert.equal(await refused({ seconds: 8 }, { inputs: [await input('reference'), await input('style'), await input('style')] }), 'style')
  })

  test('an operation runs, ends with its videos, and reports withheld ones', async () => {
    assert.deepEqual(await outcomeOf([jsonReply({ name })]), { state: 'running' })
    assert.deepEqual(await outcomeOf([jsonReply({ name, done: false })]), { state: 'running' })
    const { path, json } = fake.received.at(-1)!
    assert.match(path, /models\/veo-3\.1-generate-001:fetchPredictOperation$/)
    assert.deepEqual(json, { operationName: name })
    const requested = { given: { count: 3, seed: '9007199254740993', expandPrompt: false } }
    const raiMediaFilteredReasons = ['Violence. Support codes: 61493863', 'Support codes: 15236754']
    const response = { raiMediaFilteredCount: 2, raiMediaFilteredReasons, videos: [inline] }
    const some = await outcomeOf([jsonReply({ data: { name, done: true, response } })], requested)
    assert.ok(some.state === 'done')
    assert.deepEqual(some.report.filtered, [
      { video: 1, reasons: ['Violence. Support codes: 61493863'] },
      { video: 2, reasons: ['Support codes: 15236754'] },
    ])
    assert.deepEqual(
      [some.files.length, some.usage, some.report.notFollowed],
      [1, [{ unit: 'seconds', units: 4 }], ['seed', 'expandPrompt', 'width', 'height']],
    )
    assert.ok((await readFile(some.files[0]!.path)).equals(clip))
    // The service reports more withheld videos than the one that was requested.
    const none = await outcomeOf([ended({ raiMediaFilteredCount: 3 })])
    assert.ok(none.state === 'done')
    assert.deepEqual([none.files, none.usage, none.report.filtered], [[], [{ unit: 'seconds', units: 0 }], [{ video: 0, reasons: [] }]])
  })

  test('a failure is recognised by its code, and what may have been paid stays an open line', async () => {
    const failures: [FakeReply, string, string | undefined, boolean][] = [
      [failedWith(3, 'Unsupported output duration 5 seconds'), 'invalid_request', 'Unsupported output duration 5 seconds', false],
      [failedWith('3', 'violates our usage guidelines'), 'request_moderated', undefined, false],
      [failedWith(7, 'bucket of projects/secret-1'), 'upstream_auth_error', 'Vertex AI could not make the video (code 7).', false],
      [failedWith(8, 'quota'), 'rate_limited', undefined, false],
      [failedWith(13, 'internal'), 'upstream_error', undefined, false],
      [failedWith(14, 'high load'), 'overloaded', undefined, false],
      [refusal(404, 'no such operation'), 'upstream_error', undefined, true],
      [ended({}), 'upstream_error', undefined, true],
      [ended({ videos: [{ mimeType: 'video/mp4' }] }), 'upstream_error', undefined, true],
      [ended({ videos: [{ bytesBase64Encoded: 'bm90IGEgdmlkZW8=' }] }), 'upstream_error', undefined, true],
    ]
    for (const [reply, code, message, isOpen] of failures) {
      const outcome = await outcomeOf([reply])
      assert.ok(outcome.state === 'failed', JSON.stringify(outcome))
      assert.deepEqual([outcome.code, outcome.mayBeCharged === true], [code, isOpen])
      if (message !== undefined) assert.equal(outcome.message, message)
    }
    fake.answer(refusal(400, 'The input image violates the guidelines. Support codes: 17301594'))
    const refused = await offer.start(job())
    assert.deepEqual(
      [refused.state, 'code' in refused && refused.code, 'reasons' in refused && refused.reasons],
      ['failed', 'request_moderated', ['Support codes: 17301594']],
    )
  })

  test('a 404 that does not come from the service leads to another poll', async () => {
    const otherRegion = refusal(404, 'Publisher Model `projects/p/locations/r/publishers/google/models/veo` was not found.')
    for (const reply of [...foreignNotFounds(), otherRegion]) await assert.rejects(outcomeOf([reply]), { code: 'upstream_error' })
  })

  test('a cancellation counts only when the operation has ended because of it', async () => {
    fake.answer(jsonReply({}), failedWith(1, 'cancelled'))
    await offer.cancel?.(job(), { name })
    assert.equal(fake.received[0]?.path, `/v1/${name}:cancel`)
    fake.answer(jsonReply({}), jsonReply({ name }))
    await assert.rejects(offer.cancel?.(job(), { name }) ?? Promise.resolve(), { code: 'conflict' })
  })

  test('an answer that names an operation, or reports its cancellation, may have at most 256 KiB', async () => {
    const long = jsonReply({ name, padding: 'x'.repeat(256 * 1024) })
    fake.answer(long)
    await assert.rejects(offer.start(job()), { code: 'outcome_unknown' })
    fake.answer(long)
    await assert.rejects(offer.cancel?.(job(), { name }) ?? Promise.resolve(), { code: 'upstream_error' })
  })

  test('videos in a bucket are fetched from there', async () => {
    const settings = { storage_uri: 'gs://clips-out/run9/', storage_url: new URL(fake.baseUrl).origin }
    const { body } = await sentOf({ settings })
    assert.equal(Object(body.parameters).storageUri, 'gs://clips-out/run9/job-1')
    const gcsUri = 'gs://clips-out/run9/job-1/5d0c/sample_0.mp4'
    const done = await outcomeOf([ended({ videos: [{ gcsUri, mimeType: 'video/mp4' }] }), rawReply(clip)], { settings })
    assert.ok(done.state === 'done', JSON.stringify(done))
    assert.ok((await readFile(done.files[0]!.path)).equals(clip))
    const { path, headers } = fake.received.at(-1)!
    assert.deepEqual(
      [path, headers.authorization],
      ['/storage/v1/b/clips-out/o/run9%2Fjob-1%2F5d0c%2Fsample_0.mp4?alt=media', 'Bearer ya29.token-1'],
    )
  })

  test('tokens are made with the key of a service account, kept, and renewed when they are refused', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const { origin } = new URL(fake.baseUrl)
    const account = {
      ...{ type: 'service_account', client_email: 'maker@demo.example', private_key_id: 'k1', token_uri: `${origin}/token` },
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    }
    const token = (text: string, expires_in = 3600) => jsonReply({ access_token: text, expires_in, token_type: 'Bearer' })
    const requested = job()
    const { api_key: _unused, ...rest } = requested.settings
    const own = { ...requested, settings: { ...rest, credentials: JSON.stringify(account) } }
    fake.answer(
      token('t-1'),
      started,
      jsonReply({ name }),
      refusal(401, 'expired'),
      token('t-2', 200),
      jsonReply({ name }),
      token('t-3'),
      jsonReply({ name }),
    )
    assert.equal((await offer.start(own)).state, 'started')
    assert.equal((await offer.check(own, { name })).state, 'running')
    await assert.rejects(offer.check(own, { name }), { code: 'upstream_auth_error' })
    assert.equal((await offer.check(own, { name })).state, 'running')
    // The second token is valid for 200 seconds. That is less than the five minutes before its
    // expiry at which a token is renewed, so the next request needs a third token.
    assert.equal((await offer.check(own, { name })).state, 'running')
    assert.deepEqual(
      fake.received.map(({ path, headers }) => (path === '/token' ? 'token' : headers.authorization)),
      ['token', 'Bearer t-1', 'Bearer t-1', 'Bearer t-1', 'token', 'Bearer t-2', 'token', 'Bearer t-3'],
    )
    const form = new URLSearchParams(fake.received[0]?.body.toString())
    assert.equal(form.get('grant_type'), 'urn:ietf:params:oauth:grant-type:jwt-bearer')
    const [head = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.')
    assert.ok(verify('RSA-SHA256', Buffer.from(`${head}.${claims}`), publicKey, Buffer.from(signature, 'base64url')))
    const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
    assert.deepEqual(read(head), { alg: 'RS256', typ: 'JWT', kid: 'k1' })
    const { iss, scope, aud, iat, exp } = read(claims)
    assert.deepEqual(
      [iss, scope, aud, exp - iat],
      ['maker@demo.example', 'https://www.googleapis.com/auth/cloud-platform', `${origin}/token`, 3600],
    )
    const before = fake.received.length
    const other = { ...own, settings: { ...rest, credentials: JSON.stringify({ ...account, private_key_id: 'k2' }) } }
    fake.answer(token('t-4'), jsonReply({ name }), jsonReply({ name }))
    await Promise.all([offer.check(other, { name }), offer.check(other, { name })])
    const paths = fake.received.slice(before).map(({ path }) => path)
    assert.deepEqual([paths.length, paths.filter(path => path === '/token').length], [3, 1])
    fake.answer(jsonReply({ error: 'invalid_grant' }, 400))
    const error = await offer.start({ ...own, settings: { ...own.settings } }).catch((thrown: unknown) => thrown)
    assert.ok(error instanceof GatewayError)
    assert.equal(error.code, 'upstream_auth_error')
    // Without a token nothing is sent to the service, so nothing can have been accepted there.
    fake.answer(refusal(500, 'later'))
    const noToken = toGatewayError(await offer.start({ ...own, settings: { ...own.settings } }).catch((thrown: unknown) => thrown))
    assert.deepEqual([noToken.code, mayHaveBeenAccepted(noToken)], ['upstream_error', false])
  })

  test('unusable settings are reported, without their secrets', () => {
    const { settings } = job()
    const { api_key: _unused, ...rest } = settings
    assert.match(running.unusable?.(rest, 'm') ?? '', /credentials or api_key is needed/)
    const says = running.unusable?.({ ...rest, credentials: '{"private_key":"-----hush"}' }, 'm') ?? ''
    assert.match(says, /credentials is not the JSON/)
    assert.ok(!says.includes('hush'))
    assert.equal(running.unusable?.({ project: 'demo', region: 'global', api_key: 'ya29.token-1' }, 'm'), undefined)
  })
})
