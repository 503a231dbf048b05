/** Tests the fields of family F3 (docs/interface/pictures.md#f3): which reach the target, which are
 *  refused, and which model they select. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { once } from '@generation-gateway/kit/driver.ts'
import type { ImageEditRequest, ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Job } from '@generation-gateway/kit/requests/job.ts'
import { assertDocumented } from '../../testing/documented.ts'
import { donePixel, fakeImagesDriver, onePixelPng } from '../../testing/fakes/fake-driver.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'
import { dataUrl as dataUrlOf, picture } from '../../tests/limits/samples.ts'

type AnyJob = Job<ImageGenerateRequest | ImageEditRequest>

const path = '/v1/ai/default/imgs/image/generations'
const groups = ['N1', 'N2', 'N3', 'O1', 'O2']
const yaml = `models:
${groups.map(group => `  - { id: ${group.toLowerCase()}, family: F3, group: ${group}, targets: [{ driver: drawing }] }`).join('\n')}
`
const jobs: AnyJob[] = []
let gateway: TestGateway
before(async () => {
  const draw = (job: AnyJob) => {
    jobs.push(job)
    return donePixel(job)
  }
  const offer = once<AnyJob['request']>(draw, { follows: ['series', 'guidance', 'webSearch', 'promptMode'] })
  const drivers = [fakeImagesDriver('drawing', { 'image.generate': offer, 'image.edit': offer })]
  gateway = await startTestGateway({ env: { GATEWAY_ENGINE_WORKERS: '1' }, yaml, drivers })
})
after(() => gateway[Symbol.asyncDispose]())

const ask = (body: object) => gateway.call(path, { body: { prompt: 'a fox', model: 'n1', ...body } })

async function requestOf(body: object) {
  const answer = await ask(body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assertDocumented('generateImageGroup', answer)
  return jobs.at(-1)!.request
}

const dataUrl = async (width = 64, height = 48, format: 'png' | 'webp' = 'png') => dataUrlOf(await picture(width, height, format), format)

test('each field reaches the target as a neutral field', async () => {
  const plain = await requestOf({})
  const { seed, ...rest } = plain
  assert.match(seed, /^\d+$/)
  const common = { prompt: 'a fox', expandPrompt: false, safetyTolerance: 2, watermark: true, format: 'jpeg' }
  assert.deepEqual(rest, { ...common, width: 2048, height: 2048, count: 1 })
  const tier = await requestOf({
    size: '3k',
    watermark: false,
    output_format: 'png',
    tools: [{ type: 'web_search' }],
    optimize_prompt_options: {},
  })
  assert.deepEqual([tier.width, tier.height, tier.tier?.name, tier.tier?.sizes.length], [3072, 3072, '3k', 8])
  assert.deepEqual([tier.watermark, tier.format, tier.webSearch, tier.promptMode], [undefined, 'png', true, 'standard'])
  const series = await requestOf({ sequential_image_generation: 'auto', sequential_image_generation_options: { max_images: 4 } })
  assert.deepEqual([series.series, (series as ImageGenerateRequest).count], [true, 4])
  const all = await requestOf({ sequential_image_generation: 'auto', image: [await dataUrl(), await dataUrl(64, 64, 'webp')] })
  assert.deepEqual([(all as ImageEditRequest).variants, 'count' in all], [13, false])
  assert.deepEqual(
    jobs.at(-1)?.inputs.map(({ role, width, height }) => [role, width, height]),
    [
      ['image', 64, 48],
      ['image', 64, 64],
    ],
  )
  const older = await requestOf({ model: 'o1', size: '512x640' })
  assert.deepEqual([older.guidance, older.width, older.height], [2.5, 512, 640])
  const edit = await requestOf({ model: 'o2', image: await dataUrl(300, 200), seed: 7 })
  assert.deepEqual([edit.guidance, edit.seed, edit.width, edit.height], [5.5, '7', 1248, 832])
  assert.equal((await requestOf({ model: 'n3', optimize_prompt_options: { mode: 'fast' } })).promptMode, 'fast')
})

test('every refusal names its field, at no cost', async () => {
  const before = jobs.length
  const small = await dataUrl(14, 40)
  const long = await dataUrl(20, 340)
  const ok = await dataUrl()
  const large = `data:image/png;base64,${Buffer.concat([onePixelPng, Buffer.alloc(400_000)]).toString('base64')}`
  const auto = { sequential_image_generation: 'auto' }
  const refused: [body: object, param: string, words: RegExp, type?: string][] = [
    [{ prompt: undefined }, 'prompt', /prompt is required/, 'MissingParameter'],
    [{ size: '1K' }, 'size', /N1 takes 2K, 3K or/],
    [{ size: '4K' }, 'size', /N1 takes/],
    [{ model: 'n2', size: '3K' }, 'size', /N2 takes 2K, 4K/],
    [{ model: 'n3', size: '3K' }, 'size', /N3 takes 1K, 2K, 4K/],
    [{ size: '2K 16:9' }, 'size', /a tier like 2K/],
    [{ size: '1919x1920' }, 'size', /3684480 pixels; N1 takes from 3686400 to 10404496/],
    [{ size: '3226x3226' }, 'size', /10407076 pixels/],
    [{ size: '480x7681' }, 'size', /from 1\/16 to 16/],
    [{ model: 'o1', size: '511x600' }, 'size', /sides from 512 to 2048/],
    [{ model: 'o1', size: '2K' }, 'size', /sides from 512/],
    [{ model: 'o2', image: ok, size: '1000x1000' }, 'size', /adaptive or the size of a preset/],
    [{ size: 'adaptive' }, 'size', /N1 takes/],
    [{ model: 'o2' }, 'image', /image is required/, 'MissingParameter'],
    [{ model: 'o2', image: [ok, ok] }, 'image', /image has 2 images; O2 takes one/],
    [{ model: 'o1', image: ok }, 'image', /not a field of o1/],
    [{ image: Array.from({ length: 15 }, () => ok) }, 'image', /14/],
    [{ image: ok.replace('image/png', 'image/PNG') }, 'image', /format in lower case/],
    [{ image: large.replace('image/png', 'image/PNG') }, 'image', /format in lower case/],
    [{ image: [ok, ok.slice(22)] }, 'image[1]', /a URL, or a data URL/],
    [{ image: small }, 'image', /at least 15 pixels/],
    [{ image: [ok, long] }, 'image[1]', /from 0.063 to 16/],
    [{ model: 'o2', image: await dataUrl(64, 48, 'webp') }, 'image', /jpeg, png are accepted/],
    [{ model: 'o2', image: await dataUrl(100, 32) }, 'image', /from 0.333 to 3/],
    [{ seed: 3 }, 'seed', /belongs to O2/],
    [{ model: 'o2', image: ok, seed: -2 }, 'seed', /at least -1/],
    [{ guidance_scale: 3 }, 'guidance_scale', /belongs to O1, O2/],
    [{ model: 'o1', guidance_scale: 10.5 }, 'guidance_scale', /at most 10/],
    [{ model: 'o1', stream: true }, 'stream', /belongs to N1, N2, N3/],
    [{ model: 'o1', ...auto }, 'sequential_image_generation', /belongs to/],
    [{ model: 'n2', tools: [{ type: 'web_search' }] }, 'tools', /belongs to N1/],
    [{ tools: [{ type: 'shell' }] }, 'tools[0].type', /web_search/],
    [{ model: 'n2', output_format: 'png' }, 'output_format', /belongs to N1/],
    [{ output_format: 'webp' }, 'output_format', /jpeg, png/],
    [{ response_format: 'file' }, 'response_format', /url, b64_json/],
    [{ optimize_prompt_options: { mode: 'fast' } }, 'optimize_prompt_options.mode', /N1 and N2 take standard/],
    [{ model: 'o2', image: ok, optimize_prompt_options: {} }, 'optimize_prompt_options', /belongs to/],
    [{ ...auto, sequential_image_generation_options: { max_images: 16 } }, 'sequential_image_generation_options.max_images', /at most 15/],
    [
      { ...auto, image: [ok, ok], sequential_image_generation_options: { max_images: 14 } },
      'sequential_image_generation_options.max_images',
      /14 beside 2 reference images; at most 15 together/,
    ],
  ]
  for (const [body, param, words, type = 'InvalidParameter'] of refused) {
    const { status, body: reported } = await ask(body)
    assert.deepEqual(
      [status, reported.error?.code, reported.error?.type, reported.error?.param],
      [400, 'BadRequest', type, param],
      JSON.stringify([Object.keys(body), reported]),
    )
    assert.match(reported.error.message, words)
    assert.match(reported.error.message, new RegExp(`Request id: ${reported.error.request_id}$`))
  }
  assert.equal((await ask({ model: 'nobody' })).body.error.code, 'InvalidEndpointOrModel.NotFound')
  const { status, body } = await gateway.call(path, { body: { prompt: 'x' }, key: false })
  assert.deepEqual([status, body.error.code, body.error.type], [401, 'AuthenticationError', 'Unauthorized'])
  assert.equal(jobs.length, before)
})

test('without a model, the newest group that supports the fields and the size is used', async () => {
  const cases: [body: object, group: string][] = [
    [{ seed: 1, stream: true }, 'O2'],
    [{ size: 'adaptive', stream: true }, 'O2'],
    [{ guidance_scale: 2, stream: true }, 'O1'],
    [{ size: '600x600', stream: true }, 'O1'],
    [{ size: '4K', output_format: 'png' }, 'N2'],
    [{ size: '4096x4096', output_format: 'png' }, 'N2'],
    [{ size: '1k', output_format: 'png' }, 'N3'],
    [{ optimize_prompt_options: { mode: 'fast' }, output_format: 'png' }, 'N3'],
  ]
  for (const [body, group] of cases) {
    const { status, body: reported } = await ask({ ...body, model: undefined })
    assert.equal(status, 400, JSON.stringify(body))
    assert.match(reported.error.message, new RegExp(`is not a field of MaaS_ImgS_${group};`), JSON.stringify(body))
  }
})
