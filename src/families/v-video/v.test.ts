/** Tests family V on the running program, with a fake driver that the test controls. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { once } from '@generation-gateway/kit/driver.ts'
import type { ErrorCode } from '@generation-gateway/kit/errors.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import sharp from 'sharp'
import { assertDocumented } from '../../testing/documented.ts'
import { doneClip, fakeVideoDriver, tinyMp4, type VideoJob } from '../../testing/fakes/fake-video-driver.ts'
import { type Answer, startTestGateway, type TestGateway } from '../../testing/gateway.ts'
import { sendParts } from '../../testing/multipart.ts'
import { mostInlineBytes } from './handlers.ts'
import { groups } from './models.ts'
import { reasonText } from './reasons.ts'

const base = '/v1/ai/default/vidv/videos'
const names = Object.keys(groups)
const yaml = `
accounts:
  - id: default
    endpoints: [{ name: wrapping, routes: { V: { model: m-2, wrap_data: true } } }]
models:
${names.map(group => `  - { id: "m-${group}", family: V, group: "${group}", targets: [{ driver: reels }] }\n`).join('')}
buckets: [clips-out, { name: mapped, url: "s3://mapped?endpoint=http://127.0.0.1:1" }]
`
const jobs: VideoJob[] = []
const mayGoOn = Promise.withResolvers<void>()
let laterMs = 0
let gateway: TestGateway
before(async () => {
  const drivers = [fakeVideoDriver('reels', { offer: once<VideoGenerateRequest>(film, { follows: [] }) })]
  gateway = await startTestGateway({ drivers, yaml, clock: { now: () => Date.now() + laterMs } })
})
after(() => gateway[Symbol.asyncDispose]())

/** Returns a video, unless the prompt selects another behaviour. */
async function film(job: VideoJob) {
  jobs.push(job)
  const { prompt } = job.request
  if (prompt === 'waits') await mayGoOn.promise
  const [, code] = /^fails (\w+)$/.exec(prompt) ?? []
  if (code) return { state: 'failed' as const, code: code as ErrorCode, message: 'prompt: it is so.', reasons: ['Violence'] }
  const done = await doneClip(job)
  if (prompt === 'some kept back') {
    done.files = done.files.filter(({ path }) => !/video-[12]\.mp4$/.test(path))
    done.report.filtered = [
      { video: 1, reasons: ['Violence'] },
      { video: 2, reasons: ['Sensitive words. Support codes: 15236754'] },
    ]
  }
  if (prompt === 'large') await truncate(join(job.scratch, 'video-0.mp4'), mostInlineBytes + 1)
  if (prompt === 'not followed') done.report.notFollowed = ['people', 'negativePrompt']
  return done
}

const picture = (format: 'png' | 'jpeg' = 'png') =>
  sharp({ create: { width: 320, height: 320, channels: 3, background: '#3060c0' } })
    .toFormat(format)
    .toBuffer()
const media = async () => ({ bytesBase64Encoded: (await picture()).toString('base64'), mimeType: 'image/png' })

const send = (instance: object, parameters?: object, model = 'm-3.1') =>
  gateway.call(`${base}/generate`, { body: { model, instances: [instance], ...(parameters ? { parameters } : {}) } })

async function created(instance: object, parameters?: object, model?: string): Promise<string> {
  const answer = await send(instance, parameters, model)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assertDocumented('generateVideo', answer)
  return answer.body.name
}

async function looked(operationName: string): Promise<Answer['body']> {
  const answer = await gateway.call(`${base}/task`, { body: { operationName } })
  assertDocumented('getVideoOperation', answer)
  assert.equal(answer.body.name.endsWith(operationName), true)
  return answer.body
}

const ended = (name: string) =>
  until(async () => {
    const operation = await looked(name)
    return operation.done ? operation : undefined
  }, 'the end of the operation')

async function errorOf(instance: object, parameters?: object, model?: string) {
  const { done, error, response } = await ended(await created(instance, parameters, model))
  assert.deepEqual([done, response], [true, undefined])
  return [error.code, error.message]
}

/** Returns the HTTP status, `param`, and the contents of the nested JSON. */
async function refused(instance: object, parameters?: object, model?: string) {
  const answer = await send(instance, parameters, model)
  assertDocumented('generateVideo', answer)
  const { code, message, param } = answer.body.error
  const nested = JSON.parse(message).error
  assert.deepEqual([code, nested.code, nested.status], [String(answer.status), answer.status, 'INVALID_ARGUMENT'])
  return `${answer.status} ${param} ${nested.message}`
}

const prompt = 'a ferry'

test('an operation ends with its videos as base64', async () => {
  const name = await created(
    { prompt },
    {
      ...{ aspectRatio: '9:16', durationSeconds: 6, enhancePrompt: false, generateAudio: false, negativePrompt: 'rain', seed: 4294967295 },
      ...{ personGeneration: 'dont_allow', resolution: '1080p', sampleCount: 2, compressionQuality: 'lossless' },
    },
  )
  assert.match(name, /^projects\/gw\/locations\/global\/publishers\/gw\/models\/m-3\.1\/operations\/[0-9a-z]{26}$/)
  const { response } = await ended(name)
  assert.equal(response['@type'], 'type.googleapis.com/cloud.ai.large_models.vision.GenerateVideoResponse')
  assert.deepEqual([response.raiMediaFilteredCount, response.raiMediaFilteredReasons], [0, undefined])
  assert.deepEqual(
    response.videos,
    [0, 1].map(index => ({ bytesBase64Encoded: tinyMp4(`video ${index}: ${prompt}`).toString('base64'), mimeType: 'video/mp4' })),
  )
  assert.deepEqual(response.notFollowed, ['parameters.compressionQuality'])
  assert.deepEqual(jobs.at(-1)?.request, {
    ...{ prompt, width: 1080, height: 1920, seconds: 6, count: 2, seed: '4294967295', sound: false, expandPrompt: false },
    ...{ safetyTolerance: 2, people: 'none', watermark: false, negativePrompt: 'rain', lossless: true },
  })
  // The id of the operation is accepted without the rest of its name.
  assert.equal((await looked(name.slice(-26))).done, true)
})

test('absent fields have the defaults of the interface', async () => {
  const { response } = await ended(await created({ prompt }))
  assert.equal(response.videos.length, 1)
  const { seed, ...request } = jobs.at(-1)!.request
  assert.match(seed, /^\d+$/)
  assert.deepEqual(request, {
    ...{ prompt, width: 1280, height: 720, seconds: 8, count: 1, sound: true, expandPrompt: true },
    ...{ safetyTolerance: 2, people: 'adults', watermark: false },
  })
  await ended(await created({ prompt }, { durationSeconds: 5 }, 'm-2'))
  assert.deepEqual([jobs.at(-1)!.request.sound, jobs.at(-1)!.request.seconds], [false, 5])
  await ended(await created({ prompt }, { resolution: '4k' }, 'm-3.1_fast'))
  assert.deepEqual([jobs.at(-1)!.request.width, jobs.at(-1)!.request.height], [3840, 2160])
})

test('pictures reach the target with their roles', async () => {
  const image = await media()
  await ended(await created({ image, lastFrame: image }, { resizeMode: 'crop' }))
  const { request, inputs } = jobs.at(-1)!
  assert.deepEqual([request.prompt, request.fit, inputs.map(({ role }) => role)], ['', 'crop', ['first-frame', 'last-frame']])
  const asset = { image, referenceType: 'asset' }
  await ended(await created({ prompt, referenceImages: [asset, asset, asset] }))
  assert.deepEqual(
    jobs.at(-1)!.inputs.map(({ role }) => role),
    ['reference', 'reference', 'reference'],
  )
  await ended(await created({ prompt, referenceImages: [{ image, referenceType: 'style' }] }, {}, 'm-2'))
  assert.equal(jobs.at(-1)!.inputs[0]?.role, 'style')
  const warned = await send({ prompt }, { resizeMode: 'pad' })
  assert.match(warned.headers.get('x-gateway-warning') ?? '', /resizeMode is left out/)
})

test('a form with JSON in its parts is accepted', async () => {
  // The picture is noise, which cannot be compressed, so its file is larger than the limit for the
  // JSON without files.
  const noise = await sharp(randomBytes(1600 * 1200 * 3), { raw: { width: 1600, height: 1200, channels: 3 } })
    .png()
    .toBuffer()
  const image = { bytesBase64Encoded: noise.toString('base64'), mimeType: 'image/png' }
  const answer = await sendParts(`${gateway.url}${base}/generate`, [
    ['model', 'm-3'],
    ['instances', JSON.stringify([{ prompt: 'a form', image }])],
    ['parameters', JSON.stringify({ durationSeconds: 4 })],
  ])
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  await ended(answer.body.name)
  // The interface allows JSON and a form for the query, too.
  const inForm = await sendParts(`${gateway.url}${base}/task`, [['operationName', answer.body.name]])
  assert.deepEqual([inForm.status, inForm.body.done], [200, true], JSON.stringify(inForm.body))
  assert.deepEqual([jobs.at(-1)!.request.prompt, jobs.at(-1)!.request.seconds], ['a form', 4])
  assert.deepEqual([jobs.at(-1)!.inputs[0]?.bytes, noise.length > 5 * 1024 * 1024], [noise.length, true])
})

test('with a bucket, the result has the names of the videos in it, and links; a name can be used as an input video', async () => {
  const name = await created({ prompt }, { storageUri: 'gs://clips-out/run9/', sampleCount: 2 })
  const { response } = await ended(name)
  const [first, second] = response.videos
  assert.deepEqual(
    [first.gcsUri, second.gcsUri, first.mimeType, first.bytesBase64Encoded],
    [`gs://clips-out/run9/${name.slice(-26)}/sample_0.mp4`, `gs://clips-out/run9/${name.slice(-26)}/sample_1.mp4`, 'video/mp4', undefined],
  )
  assert.ok((await gateway.call(second.url, { key: false })).bytes.equals(tinyMp4(`video 1: ${prompt}`)))
  await ended(await created({ prompt: 'and then', video: { gcsUri: second.gcsUri, mimeType: 'video/mp4' } }))
  assert.deepEqual(
    jobs.at(-1)!.inputs.map(({ role, mediaType }) => [role, mediaType]),
    [['earlier', 'video/mp4']],
  )
  const requested = jobs.length
  const image = (gcsUri: string) => errorOf({ image: { gcsUri, mimeType: 'image/png' } })
  assert.deepEqual(await image('gs://other/x.png'), [
    7,
    'Permission denied on storage location or model for this account; check access to gs://other/x.png',
  ])
  assert.deepEqual(await image('gs://clips-out/x.png'), [5, 'There is no object gs://clips-out/x.png.'])
  assert.deepEqual(await image(second.gcsUri.replace('sample_1', 'sample_2')), [
    5,
    `There is no object ${second.gcsUri.replace('_1', '_2')}.`,
  ])
  assert.equal((await image(second.gcsUri))[0], 3)
  assert.equal((await errorOf({ prompt }, { storageUri: 'gs://other/run9' }))[0], 7)
  // A longer key would be refused by the bucket, after the videos were paid for.
  const [code, message] = await errorOf({ prompt }, { storageUri: `gs://mapped/${'a'.repeat(751)}` })
  assert.equal(code, 3)
  assert.match(message, /at most 750 letters/)
  assert.deepEqual(await errorOf({ prompt }, { storageUri: 's3://clips-out/run9' }), [
    3,
    'Unsupported output storage uri: s3://clips-out/run9',
  ])
  assert.equal(jobs.length, requested)
})

test('invalid values are refused at the creation in the words of the interface', async () => {
  const image = await media()
  assert.equal(await refused({}), '400 instances No inputs provided: instances[0].prompt is required where there is no image and no video.')
  assert.match(await refused({ prompt: '  ' }), /^400 instances No inputs provided/)
  assert.match(await refused({ prompt }, { resizeMode: 'stretch' }), /^400 parameters\.resizeMode Invalid resize mode: /)
  assert.match(
    await refused({ prompt }, { compressionQuality: 'x' }),
    /^400 parameters\.compressionQuality Invalid compression quality type: /,
  )
  assert.match(await refused({ prompt }, { resolution: '8k' }), /^400 parameters\.resolution Invalid resolution: /)
  assert.match(await refused({ prompt }, { resolution: '4k' }, 'm-3'), /^400 parameters\.resolution Invalid resolution: /)
  assert.match(await refused({ prompt }, { resolution: '1080p' }, 'm-2'), /^400 parameters\.resolution Invalid resolution: /)
  const reference = (each: object) => refused({ prompt, referenceImages: [each] })
  assert.match(await reference({ image, referenceType: 'x' }), /referenceType Invalid referenceType: /)
  assert.match(await reference({ referenceType: 'asset' }), /^400 instances\[0\]\.referenceImages\[0\]\.image image is empty: /)
  assert.match(await refused({ prompt, image: {} }), /^400 instances\[0\]\.image image is empty: /)
  assert.match(await refused({ prompt, lastFrame: {} }), /^400 instances\[0\]\.lastFrame image is empty: /)
  assert.match(await reference({ image: {}, referenceType: 'asset' }), /referenceImages\[0\]\.image image is empty: /)
  assert.match(await refused({ image: { mimeType: 'image/png' } }), /^400 instances\[0\]\.image image is empty: /)
  assert.match(await refused({ image: { ...image, bytesBase64Encoded: '' } }), /bytesBase64Encoded image is empty: /)
  assert.match(
    await refused({ image: { ...image, gcsUri: 'gs://clips-out/x' } }),
    /^400 instances\[0\]\.image instances\[0\]\.image has both/,
  )
  assert.match(await refused({ image: { gcsUri: 'https://x', mimeType: 'image/png' } }), /gcsUri is https:/)
  assert.match(await refused({ image: { ...image, mimeType: 'image/jpeg' } }), /mimeType is image\/jpeg; the file is image\/png/)
  assert.match(await refused({ image: { ...image, mimeType: 'image/gif' } }), /^400 instances\[0\]\.image\.mimeType /)
  assert.match(await refused({ image: { bytesBase64Encoded: image.bytesBase64Encoded } }), /^400 instances\[0\]\.image\.mimeType /)
  const four = Array.from({ length: 4 }, () => ({ image, referenceType: 'asset' }))
  assert.match(await refused({ prompt, referenceImages: four }), /^400 instances\[0\]\.referenceImages /)
  for (const model of ['m-3', 'm-2']) assert.match(await refused({ image, lastFrame: image }, {}, model), /^400 instances\[0\]\.lastFrame /)
  for (const model of ['m-3', 'm-3.1_fast'])
    assert.match(await refused({ prompt, referenceImages: four.slice(1) }, {}, model), /^400 instances\[0\]\.referenceImages /)
  assert.match(await refused({ prompt }, { generateAudio: true }, 'm-2'), /^400 parameters\.generateAudio /)
  assert.match(await refused({ prompt }, { resizeMode: 'pad' }, 'm-2'), /^400 parameters\.resizeMode Invalid resize mode/)
  assert.match(await refused({ prompt }, { seed: 4_294_967_296 }), /^400 parameters\.seed /)
  assert.match(await refused({ prompt }, { aspectRatio: '1:1' }), /^400 parameters\.aspectRatio /)
  assert.match(await refused({ prompt }, { personGeneration: 'allow_all' }), /^400 parameters\.personGeneration /)
  const video = { gcsUri: 'gs://clips-out/x', mimeType: 'video/mp4' }
  assert.match(await refused({ prompt, video, image }), /^400 instances\[0\]\.video /)
  assert.match(await refused({ prompt, video }, { resolution: '1080p' }), /Invalid resolution/)
  assert.match(await refused({ prompt, image, mask: image }), /^400 instances\[0\]\.mask /)
  for (const [count, phrase] of [
    [0, /"No inputs provided: instances has 0 items/],
    [2, /"instances has 2 items; at most 1/],
  ] as const) {
    const { body } = await gateway.call(`${base}/generate`, { body: { model: 'm-3', instances: Array(count).fill({ prompt }) } })
    assert.match(body.error.message, phrase)
  }
})

test('problems that the interface reports at the query become failed operations, at no cost', async () => {
  const requested = jobs.length
  const image = await media()
  const unsupported = (seconds: number, listed: string) => [
    3,
    `Unsupported output duration ${seconds} seconds, supported durations are ${listed}`,
  ]
  assert.deepEqual(await errorOf({ prompt }, { durationSeconds: 7 }), unsupported(7, '[8,4,6] for feature text_to_video'))
  assert.deepEqual(await errorOf({ image }, { durationSeconds: 9 }), unsupported(9, '[8,4,6] for feature image_to_video'))
  const referenceImages = [{ image, referenceType: 'asset' }]
  assert.deepEqual(await errorOf({ prompt, referenceImages }, { durationSeconds: 6 }), unsupported(6, '[8] for feature reference_to_video'))
  for (const seconds of [4, 9])
    assert.deepEqual(
      await errorOf({ prompt }, { durationSeconds: seconds }, 'm-2'),
      unsupported(seconds, '[5,6,7,8] for feature text_to_video'),
    )
  for (const count of [0, 5])
    assert.deepEqual(await errorOf({ prompt }, { sampleCount: count }), [
      3,
      `Invalid sample count ${count}; the sample count should be in the range of [1, 4]`,
    ])
  const style = { image, referenceType: 'style' }
  const mix = [3, 'Reference to video does not support this mix of reference images']
  assert.deepEqual(await errorOf({ prompt, referenceImages: [style] }), mix)
  assert.deepEqual(await errorOf({ prompt, referenceImages: [style, style] }, {}, 'm-2'), mix)
  assert.deepEqual(await errorOf({ prompt, referenceImages: [...referenceImages, style] }, {}, 'm-2'), mix)
  assert.equal(jobs.length, requested)
  assert.deepEqual(await errorOf({ prompt: 'large' }), [3, 'Generated video is large, an output storage uri is required'])
  const { response } = await ended(await created({ prompt: 'large' }, { storageUri: 'gs://clips-out' }))
  assert.match(response.videos[0].gcsUri, /^gs:\/\/clips-out\/[0-9a-z]{26}\/sample_0\.mp4$/)
})

test('parameters named like inputs count as unknown', async () => {
  for (const referenceImages of [5, [null], [{ referenceType: 'style' }]])
    assert.equal((await ended(await created({ prompt }, { referenceImages, durationSeconds: 6 }))).error, undefined)
  const { error } = await ended(await created({ prompt }, { image: 'x', durationSeconds: 7 }))
  assert.match(error.message, /for feature text_to_video/)
})

test('videos that a safety review withheld are counted, with reasons and support codes', async () => {
  const some = (await ended(await created({ prompt: 'some kept back' }, { sampleCount: 4, storageUri: 'gs://clips-out/x' }))).response
  assert.deepEqual(some.raiMediaFilteredCount, 2)
  assert.deepEqual(some.raiMediaFilteredReasons, [
    'A video was kept back by the safety review: Violence. Support codes: 61493863',
    'Sensitive words. Support codes: 15236754',
  ])
  assert.deepEqual(
    some.videos.map(({ gcsUri }: { gcsUri: string }) => gcsUri.slice(-12)),
    ['sample_0.mp4', 'sample_3.mp4'],
  )
  const all = (await ended(await created({ prompt: 'fails content_moderated' }, { sampleCount: 2 }))).response
  assert.deepEqual([all.raiMediaFilteredCount, all.raiMediaFilteredReasons.length, all.videos], [2, 1, undefined])
  const words = (await ended(await created({ prompt: 'fails request_moderated' }, { sampleCount: 2 }))).response
  assert.deepEqual(
    [words.raiMediaFilteredCount, words.raiMediaFilteredReasons, words.videos],
    [2, ['A video was kept back by the safety review: Violence. Support codes: 61493863'], undefined],
  )
})

test('each reason of the built-in safety rules has the support code of a category', () => {
  const codes: Record<string, number> = {
    ...{ 'Sexual Content': 90_789_179, Minors: 58_061_214, Violence: 61_493_863, Hate: 57_734_940, 'Self Harm': 62_263_041 },
    ...{ 'Illegal Goods': 62_263_041, Harassment: 78_610_348, 'Personal Data': 92_201_652, Profanity: 32_635_315 },
  }
  for (const [reason, code] of Object.entries(codes)) assert.match(reasonText(reason), new RegExp(`Support codes: ${code}$`), reason)
})

test('fields that were not sent are not reported as left out', async () => {
  const { response } = await ended(await created({ prompt: 'not followed' }, { negativePrompt: 'rain' }))
  assert.deepEqual(response.notFollowed, ['parameters.negativePrompt'])
})

test('an operation can be queried for 48 hours, at its endpoint, inside `data` when the route requests it', async () => {
  const { name } = (await gateway.call('/v1/ai/wrapping/vidv/videos/generate', { body: { instances: [{ prompt }] } })).body
  assert.match(name, /models\/m-2\/operations/)
  const wrapped = await until(async () => {
    const { body } = await gateway.call('/v1/ai/wrapping/vidv/videos/task', { body: { operationName: name } })
    return body.data.done ? body.data : undefined
  }, 'the end of the operation')
  assert.equal(wrapped.response.videos.length, 1)
  const own = await created({ prompt })
  await ended(own)
  const unknown = async (operationName: string) => {
    const answer = await gateway.call(`${base}/task`, { body: { operationName } })
    assertDocumented('getVideoOperation', answer)
    const nested = JSON.parse(answer.body.error.message).error
    assert.deepEqual([answer.status, answer.body.error.code, nested.code, nested.status], [404, '404', 404, 'NOT_FOUND'])
  }
  await unknown(name)
  await unknown('01kb2v0f5w9h3t8m6q4y7z1xcd')
  await unknown('projects/demo/operations/x')
  laterMs = 48 * 3_600_000 - 60_000
  assert.equal((await looked(own)).done, true)
  laterMs += 120_000
  await unknown(own)
})

test('401 and 429 have the messages of the interface', async () => {
  const answer = await gateway.call(`${base}/generate`, { key: 'sk-none-0001', body: { instances: [{ prompt }] } })
  assertDocumented('generateVideo', answer)
  assert.deepEqual(
    [answer.status, answer.body.error.code, answer.body.error.message],
    [401, '401', 'Not authorized to access this resource'],
  )
})

// This test has to be the last one, because after such failures the target is not used for a while.
test('a failure has the code of its kind, and the caller’s field names', async () => {
  for (const [code, number] of [
    ['invalid_input_file', 3],
    ['upstream_error', 13],
    ['engine_timeout', 4],
    ['upstream_quota_exhausted', 8],
  ] as const)
    assert.deepEqual(await errorOf({ prompt: `fails ${code}` }), [number, 'instances[0].prompt: it is so.'])
  const name = await created({ prompt: 'waits' })
  assert.deepEqual(await looked(name), { name, done: false })
  const cancelled = await gateway.call(`${base}/task?operationName=${encodeURIComponent(name)}`, { method: 'DELETE' })
  assert.equal(cancelled.status, 200, JSON.stringify(cancelled.body))
  mayGoOn.resolve()
  assert.deepEqual((await ended(name)).error.code, 1)
})
