/** Tests omni video, omni image and subjects of family K on the running program, with fake drivers
 *  that the test controls. */
import assert from 'node:assert/strict'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { defineDriver, once } from '@generation-gateway/kit/driver.ts'
import type { ImageEditRequest, ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Done, Job, OutputFile } from '@generation-gateway/kit/requests/job.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { encodeVideo } from '@generation-gateway/kit/video/encode.ts'
import sharp from 'sharp'
import Type from 'typebox'
import { assertDocumented } from '../../testing/documented.ts'
import { fakeVideoDriver, type VideoJob } from '../../testing/fakes/fake-video-driver.ts'
import { type Answer, startTestGateway, type TestGateway } from '../../testing/gateway.ts'

const other = 'sk-another-account-0001'
const yaml = `
models:
  - { id: MaaS_VidK_Omni, family: K, group: omni video, targets: [{ driver: film }] }
  - { id: MaaS_VidK_Omni_Image, family: K, group: omni image, targets: [{ driver: ink }] }
accounts:
  - { id: other, keys: [{ name: k, secret_env: OTHER }], endpoints: [{ name: default }] }
`
const clips: VideoJob[] = []
const drawings: Job<ImageGenerateRequest & ImageEditRequest>[] = []

/** Draws the requested number of pictures, each with a watermarked copy when requested. */
async function draw(job: Job<ImageGenerateRequest & ImageEditRequest>): Promise<Done> {
  drawings.push(job)
  const { count, variants, markedCopy, seed, prompt } = job.request
  const files: OutputFile[] = []
  for (let index = 0; index < (count ?? variants ?? 1); index++) {
    for (const role of markedCopy ? ['output', 'watermarked'] : ['output']) {
      const path = join(job.scratch, `${role}-${index}.png`)
      await copyFile(join(folder, 'dot.png'), path)
      files.push({ role, path, mediaType: 'image/png', width: 8, height: 8 })
    }
  }
  return { state: 'done', files, report: { seed, prompt, notDrawn: [] }, usage: [] }
}

const ink = defineDriver({
  id: 'ink',
  title: 'Ink',
  kind: 'upstream',
  settings: Type.Object({}),
  open: () => ({
    id: 'ink',
    title: 'Ink',
    queue: { name: 'ink', slots: 4 },
    offers: {
      // The cast is safe: the target reads only fields that both types of request share.
      'image.generate': { ...once<ImageGenerateRequest>(job => draw(job as never)), follows: ['series', 'markedCopy'] },
      'image.edit': { ...once<ImageEditRequest>(job => draw(job as never)), follows: ['series', 'markedCopy'] },
    },
  }),
})

let folder: string
let gateway: TestGateway
let videos: string
const shelf = createServer(async (request, response) => response.end(await readFile(join(folder, request.url ?? ''))))
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'omni-'))
  await writeFile(join(folder, 'dot.png'), Buffer.from(await picture(8, 8), 'base64'))
  await Promise.all([
    clip('good.mp4', 1280, 720, 24, 73),
    clip('short.mp4', 1280, 720, 24, 48),
    clip('low.mp4', 1280, 718, 24, 73),
    clip('slow.mp4', 1280, 720, 12, 37),
  ])
  await new Promise<void>(resolve => shelf.listen(0, '127.0.0.1', resolve))
  videos = `http://127.0.0.1:${Object(shelf.address()).port}`
  gateway = await startTestGateway({ env: { OTHER: other }, yaml, drivers: [fakeVideoDriver('film', { jobs: clips }), ink] })
})
after(async () => {
  await gateway[Symbol.asyncDispose]()
  shelf.close()
  await rm(folder, { recursive: true, force: true })
})

async function clip(name: string, width: number, height: number, framesPerSecond: number, count: number): Promise<void> {
  const frame = new Uint8Array(width * height * 1.5).fill(128)
  const frames = (async function* () {
    for (let n = 0; n < count; n++) yield frame
  })()
  await encodeVideo({
    width,
    height,
    framesPerSecond,
    frames,
    pixels: 'i420',
    path: join(folder, name),
    signal: new AbortController().signal,
  })
}

/** Returns a picture in base64 without a data URL's prefix. */
async function picture(width: number, height: number): Promise<string> {
  return (
    await sharp({ create: { width, height, channels: 3, background: '#7ec8e3' } })
      .png()
      .toBuffer()
  ).toString('base64')
}

const base = '/v1/ai/default/vidk'
const kinds = {
  video: { path: 'videos/omni-video', create: 'generateOmniVideo', get: 'getOmniVideo', jobs: clips },
  image: { path: 'images/omni-image', create: 'generateOmniImage', get: 'getOmniImage', jobs: drawings },
} as const
type Kind = keyof typeof kinds

async function create(kind: Kind, body: object): Promise<Answer> {
  const answer = await gateway.call(`${base}/${kinds[kind].path}`, { body })
  assertDocumented(kinds[kind].create, answer)
  return answer
}

interface Made<Of extends { request: unknown; inputs: unknown }> extends Pick<Of, 'request' | 'inputs'> {
  // biome-ignore lint/suspicious/noExplicitAny: an answer, held against its schema.
  task: any
  roles: string[]
  warning: string | null
}
async function made(kind: 'video', body: object): Promise<Made<VideoJob>>
async function made(kind: 'image', body: object): Promise<Made<(typeof drawings)[number]>>
async function made(kind: Kind, body: object) {
  const answer = await create(kind, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  const { task_id } = answer.body.data
  const task = await until(async () => {
    const shown = await gateway.call(`${base}/${kinds[kind].path}/${task_id}`)
    assertDocumented(kinds[kind].get, shown)
    return ['succeed', 'failed'].includes(shown.body.data.task_status) ? shown.body.data : undefined
  }, 'the end of the task')
  const jobs: readonly Pick<VideoJob | (typeof drawings)[number], 'id' | 'request' | 'inputs'>[] = kinds[kind].jobs
  const { request, inputs } = jobs.find(({ id }) => id === task_id)!
  return { task, request, roles: inputs.map(({ role }) => role), inputs, warning: answer.headers.get('x-gateway-warning') }
}

async function refused(kind: Kind, body: object, says: RegExp): Promise<void> {
  const answer = await create(kind, body)
  assert.deepEqual([answer.status, answer.body.code], [400, 1201], `${says}: ${JSON.stringify(answer.body)}`)
  assert.match(answer.body.message, says)
}

const wide = { prompt: 'a harbour', aspect_ratio: '16:9' }

test('a prompt becomes an omni video of 5 s in 1080P, with a watermarked copy on request', async () => {
  const { request, task } = await made('video', { ...wide, watermark_info: { enabled: true } })
  const { seed, ...rest } = request
  assert.match(seed, /^[0-9]+$/)
  assert.deepEqual(rest, {
    ...{ prompt: 'a harbour', width: 1920, height: 1080, seconds: 5, framesPerSecond: 24, count: 1, sound: false },
    ...{ expandPrompt: false, grade: 'high', safetyTolerance: 2, watermark: true },
  })
  const [video] = task.task_result.videos
  const marked = await (await fetch(video.watermark_url)).text()
  assert.match(marked, /watermarked 0: a harbour/)
  const small = await made('video', { ...wide, mode: 'std', aspect_ratio: '9:16', duration: 15, sound: 'on' })
  const { width, height, seconds, sound, grade } = small.request
  assert.deepEqual([width, height, seconds, sound, grade], [720, 1280, 15, true, 'standard'])
  assert.equal(small.task.task_result.videos[0].watermark_url, undefined)
  await refused('video', { ...wide, duration: '2' }, /duration is "2"; it must be one of 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\.$/)
  await refused('video', { prompt: 'a harbour' }, /aspect_ratio is required, unless/)
  await refused('video', { aspect_ratio: '1:1', prompt: ' ' }, /prompt is empty/)
  await refused('video', { ...wide, model_name: 'MaaS_VidK_V2.6' }, /model_name is MaaS_VidK_V2.6; omni-video takes MaaS_VidK_Omni/)
})

test('shots replace the prompt, are sorted by index, and together are as long as the video', async () => {
  const shot = (index: number, duration: string | number) => ({ index, prompt: `shot ${index}`, duration })
  const several = { multi_shot: true, shot_type: 'customize', aspect_ratio: '16:9', duration: '7' }
  const { request, warning } = await made('video', { ...several, prompt: 'left out', multi_prompt: [shot(2, 4), shot(1, '3')] })
  assert.deepEqual(request.shots, [
    { prompt: 'shot 1', seconds: 3 },
    { prompt: 'shot 2', seconds: 4 },
  ])
  assert.deepEqual([request.prompt, request.seconds, warning], ['', 7, 'prompt is left out: multi_shot is true.'])
  const own = await made('video', { ...wide, multi_shot: true, shot_type: 'intelligence' })
  assert.deepEqual([own.request.prompt, own.request.ownShots, own.request.shots], ['a harbour', true, undefined])
  const single = await made('video', { ...wide, shot_type: 'customize', multi_prompt: [shot(1, 5)] })
  assert.equal(single.request.shots, undefined)
  assert.match(single.warning ?? '', /shot_type is left out: multi_shot is false.*multi_prompt is left out/)
  await refused('video', { ...several, multi_prompt: [shot(1, 3), shot(2, 3)] }, /multi_prompt lasts 6 s; duration is 7/)
  await refused('video', { ...several, multi_prompt: [shot(1, 3), shot(3, 4)] }, /index is 1, 3; it must count from 1 to 2/)
  await refused('video', { ...several, multi_prompt: [] }, /multi_prompt has 0 items; at least 1/)
  await refused('video', { ...several, multi_prompt: Array(7).fill(shot(1, 1)) }, /at most 6/)
  await refused('video', { ...several, multi_prompt: [{ ...shot(1, 7), prompt: 'x'.repeat(513) }] }, /513 characters; at most 512/)
  await refused(
    'video',
    { ...several, multi_prompt: [{ ...shot(1, 7), prompt: ' ' }] },
    /multi_prompt\[0\].prompt is " "; it must be not only spaces/,
  )
  await refused('video', { ...wide, multi_shot: true }, /shot_type is required/)
  await refused('video', { multi_shot: true, shot_type: 'intelligence', aspect_ratio: '1:1' }, /prompt is empty/)
})

test('pictures are frames or references, up to the allowed number of each', async () => {
  const [tall, flat] = [await picture(400, 800), await picture(500, 500)]
  const first = { image_url: tall, type: 'first_frame' }
  const end = { image_url: flat, type: 'end_frame' }
  const reference = { image_url: flat }
  const frames = await made('video', { prompt: 'x', image_list: [first, end], aspect_ratio: '16:9' })
  assert.equal(frames.warning, 'aspect_ratio is left out: the output has the shape of the first frame.')
  const { width, height, fit } = frames.request
  assert.deepEqual([frames.roles, width, height, fit], [['first-frame', 'last-frame'], 1018, 2036, 'crop'])
  const named = await made('video', {
    prompt: '<<<image_2>>> beside <<<image_1>>>',
    aspect_ratio: '1:1',
    image_list: [reference, reference],
  })
  assert.deepEqual(
    [named.roles, named.request.prompt, named.request.width],
    [['reference', 'reference'], '<<<image_2>>> beside <<<image_1>>>', 1080],
  )
  const bad = (body: object, says: RegExp) => refused('video', { ...wide, ...body }, says)
  await bad({ image_list: [end] }, /has an end_frame and no first_frame/)
  await bad({ image_list: [first, end, reference] }, /has 3 images; with an end_frame at most 2/)
  await bad({ image_list: [first, first] }, /at most one first_frame/)
  await bad({ image_list: Array(8).fill(reference) }, /at most 7/)
  await bad({ image_list: [first], element_list: [1, 2, 3, 4].map(element_id => ({ element_id })) }, /element_list has 4 items; at most 3/)
  await bad({ image_list: [reference], element_list: Array(7).fill({ element_id: 1 }) }, /have 8 items; at most 7/)
  await bad({ image_list: [{ ...first, type: 'x' }] }, /image_list\[0\].type is "x"; it must be one of "", first_frame, end_frame\./)
  await bad({ image_list: [{ image_url: await picture(300, 751) }] }, /width \/ height has to be from 0.4 to 2.5/)
  await bad({ prompt: 'x <<<image_2>>>', image_list: [reference] }, /prompt names <<<image_2>>>, which is not in its list/)
  await bad({ prompt: 'x <<<video_1>>>' }, /prompt names <<<video_1>>>/)
})

test('a video is edited or used as a reference, within its limits', async () => {
  const of = (name: string, further = {}) => ({ video_list: [{ video_url: `${videos}/${name}.mp4`, ...further }] })
  const edit = await made('video', { prompt: 'at night', duration: '8', ...of('good') })
  const { width, height, seconds, keepBaseSound } = edit.request
  assert.deepEqual([edit.roles, width, height, seconds, keepBaseSound], [['base'], 1920, 1080, 3, true])
  assert.equal(edit.warning, 'duration is left out: the output is as long as the video.')
  // A duration that the caller did not send causes no warning; null counts as not sent.
  for (const further of [{}, { duration: null }])
    assert.equal((await made('video', { prompt: 'x', ...further, ...of('good') })).warning, null)
  assert.ok(Math.abs(Number(edit.task.task_result.videos[0].duration) - 73 / 24) < 0.01)
  const followed = await made('video', { ...wide, ...of('good', { refer_type: 'feature', keep_original_sound: 'no' }) })
  assert.deepEqual(
    [followed.roles, followed.request.seconds, followed.request.keepBaseSound, followed.warning],
    [['feature'], 5, false, null],
  )
  const bad = (body: object, says: RegExp) => refused('video', { prompt: 'x', ...body }, says)
  await bad(of('short'), /video_list\[0\].video_url lasts 2 s; it has to last at least 3 s/)
  await bad(of('low'), /video_url is 1280x718; each side has to have at least 720 pixels/)
  await bad(of('slow'), /video_url has 12 frames a second/)
  await bad({ video_list: [{ video_url: `${videos}/dot.png` }] }, /video_url is image\/png; mp4, quicktime are accepted/)
  const long = `data:video/mp4;base64,${Buffer.alloc(100_000).toString('base64')}`
  await bad({ video_list: [{ video_url: long }] }, /video_url is a file in base64; it must be an http or https URL/)
  await bad({ video_list: [{ video_url: 'AAAA' }] }, /an http or https URL/)
  await bad({ ...of('good'), sound: 'on' }, /sound is on; with video_list it must be off/)
  const flat = await picture(400, 400)
  await bad({ ...of('good'), image_list: [{ image_url: flat, type: 'first_frame' }] }, /must have no first_frame/)
  await bad({ ...of('good'), image_list: Array(5).fill({ image_url: flat }) }, /have 5 items; at most 4 with a video/)
  await bad(of('good', { refer_type: 'feature' }), /aspect_ratio is required/)
})

test('subjects are stored for element_list, and only their own account can use them', async () => {
  const call = async (operation: string, path: string, options = {}) => {
    const answer = await gateway.call(`${base}/elements${path}`, options)
    assertDocumented(operation, answer)
    return answer
  }
  const images = [await picture(301, 400), await picture(302, 400)]
  const { body } = await call('createSubject', '', { body: { name: 'Sunny', description: 'a cat', images } })
  const { element_id } = body.data
  assert.deepEqual(body.data, { element_id, name: 'Sunny', description: 'a cat', images: 2, created_at: body.data.created_at })
  const second = (await call('createSubject', '', { body: { name: 'Moon', images: [images[1]] } })).body.data
  assert.deepEqual((await call('listSubjects', '')).body.data, [second, body.data])
  assert.deepEqual((await call('listSubjects', '?pageSize=1&pageNum=2')).body.data, [body.data])
  assert.deepEqual((await call('getSubject', `/${element_id}`)).body.data, body.data)
  const element_list = [{ element_id: second.element_id }, { element_id: String(element_id) }]
  const { request, inputs } = await made('video', { ...wide, prompt: '<<<element_2>>> plays', element_list })
  assert.deepEqual(
    inputs.map(({ role, width }) => [role, width]),
    [
      ['subject', 302],
      ['subject', 301],
      ['subject', 302],
    ],
  )
  assert.deepEqual(request.subjects, [
    { name: 'Moon', pictures: 1 },
    { name: 'Sunny', pictures: 2 },
  ])
  const drawn = await made('image', {
    prompt: '<<<element_1>>> and <<<element_2>>> with <<<image_1>>>',
    element_list,
    image_list: [{ image_url: images[0] }],
  })
  assert.deepEqual([drawn.request.prompt, drawn.roles.length], ['the second picture and the third picture with the first picture', 4])
  const upstream = await made('video', { ...wide, element_list: [{ element_id: '829836802793406551' }] })
  assert.deepEqual([upstream.request.elements, upstream.roles], [['829836802793406551'], []])
  await refused('image', { prompt: 'x', element_list: [{ element_id: 5 }] }, /element_list has 5, which is no subject of the account/)
  assert.equal((await call('getSubject', `/${element_id}`, { key: other })).body.code, 1203)
  assert.equal((await call('deleteSubject', `/${element_id}`, { method: 'DELETE', key: other })).status, 404)
  assert.equal((await call('deleteSubject', `/${element_id}`, { method: 'DELETE' })).status, 200)
  assert.equal((await call('getSubject', `/${element_id}`)).status, 404)
  assert.deepEqual((await call('listSubjects', '')).body.data, [second])
  assert.equal((await call('createSubject', '', { body: { name: 'x'.repeat(21), images } })).body.code, 1201)
  assert.equal((await call('createSubject', '', { body: { name: 'x', images: Array(5).fill(images[0]) } })).body.code, 1201)
})

test('the built-in video engine names a subject that the account does not have', async () => {
  await using builtIn = await startTestGateway()
  const body = { ...wide, element_list: [{ element_id: 12345 }] }
  const answer = await builtIn.call('/v1/ai/default/vidk/videos/omni-video', { body })
  assert.deepEqual([answer.status, answer.body.code], [400, 1201])
  assert.match(answer.body.message, /^element_list: has 12345, which is no subject of the account; Film, .* has none of its own\.$/)
})

test('omni images have sizes of every resolution, several outputs, and watermarked copies', async () => {
  const one = await made('image', { prompt: 'a lighthouse', external_task_id: 'picture-1' })
  const { seed, ...rest } = one.request
  assert.match(seed, /^[0-9]+$/)
  assert.deepEqual(rest, {
    ...{ prompt: 'a lighthouse', width: 1024, height: 1024, count: 1, expandPrompt: false, safetyTolerance: 2, format: 'png' },
  })
  const { result_type, images, series_images } = one.task.task_result
  assert.deepEqual(
    [result_type, images.length, images[0].index, images[0].watermark_url, series_images],
    ['single', 1, 0, undefined, undefined],
  )
  assert.equal((await fetch(images[0].url)).headers.get('content-type'), 'image/png')
  const marked = await made('image', { prompt: 'x', n: 9, resolution: '4k', aspect_ratio: '21:9', watermark_info: { enabled: true } })
  assert.deepEqual([marked.request.width, marked.request.height, marked.request.count], [6256, 2672, 9])
  assert.deepEqual(
    marked.task.task_result.images.map(({ index, watermark_url }: { index: number; watermark_url: string }) => [
      index,
      watermark_url.startsWith('http'),
    ]),
    Array.from({ length: 9 }, (_, index) => [index, true]),
  )
  const series = await made('image', {
    prompt: 'x',
    result_type: 'series',
    n: 2,
    series_amount: 3,
    image_list: [{ image_url: await picture(800, 400) }],
  })
  const { variants, width, height } = series.request
  assert.deepEqual([variants, series.request.series, width, height, series.roles], [3, true, 1440, 720, ['image']])
  assert.deepEqual([series.task.task_result.result_type, series.task.task_result.series_images.length], ['series', 3])
  await refused('image', { prompt: 'x', n: 10 }, /n is 10; at most 9/)
  await refused('image', { prompt: 'x', series_amount: 1 }, /series_amount is 1; at least 2/)
  await refused(
    'image',
    { prompt: 'x', element_list: Array(10).fill({ element_id: 1 }), image_list: [{ image_url: await picture(400, 400) }] },
    /have 11 items; at most 10/,
  )
  await refused('image', { prompt: '' }, /prompt is empty/)
  const gone = await gateway.call(`${base}/videos/omni-video/picture-1`)
  assert.deepEqual([gone.status, gone.body.code], [404, 1203])
})
