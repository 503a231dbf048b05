/** Tests the limits of each model: a value one step beyond a limit is refused, with the field's
 *  name. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ImageEditRequest, ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { InputFile, Job } from '@generation-gateway/kit/requests/job.ts'
import { groups } from './models.ts'
import { planOf } from './plan.ts'
import { models as modelGroups } from './settings.ts'
import { edit, generate, jobOf, models, openDriver, pictureInput, testSecret } from './testing/run.ts'

type Group = keyof typeof models
const place = { baseUrl: 'https://service.example/api/v3', scratch: '/nowhere' }
const driver = openDriver()

function generating(group: Group, changes: Partial<ImageGenerateRequest>): Job<ImageGenerateRequest> {
  return jobOf({ ...generate, ...changes }, place, { model: models[group] })
}
function editing(group: Group, changes: Partial<ImageEditRequest>, ...inputs: InputFile[]): Job<ImageEditRequest> {
  return jobOf({ ...edit, ...changes }, place, { model: models[group], inputs })
}
const fields = (job: Job<ImageGenerateRequest> | Job<ImageEditRequest>) => planOf(job).fields
const refusal = (job: Job<ImageGenerateRequest> | Job<ImageEditRequest>) =>
  'count' in job.request
    ? driver.offers['image.generate']?.refuses?.(job as Job<ImageGenerateRequest>)
    : driver.offers['image.edit']?.refuses?.(job as Job<ImageEditRequest>)

describe('models', () => {
  test('are known by the names of both regions, with and without a date', () => {
    for (const [index, name] of ['seedream-5-0', 'seedream-4-5', 'seedream-4-0', 'seedream-3-0-t2i', 'seededit-3-0-i2i'].entries())
      for (const each of [name, `doubao-${name}`, `${name}-260128`, `doubao-${name}-260128`])
        assert.equal(modelGroups.of({}, each), Object.values(groups)[index], each)
    assert.equal(modelGroups.of({}, 'doubao-seedream-5-0-lite-260128'), groups['seedream-5.0'])
    for (const other of ['dola-seedream-5-0-pro-260628', 'ep-20260101-abcde', 'seedream-4-5-x', 'constructor'])
      assert.equal(modelGroups.of({}, other), undefined)
  })

  test('with other names make the target unusable, unless the settings describe them', () => {
    const settings = { api_key: testSecret }
    assert.match(driver.unusable?.(settings, 'ep-1') ?? '', /does not know the model ep-1; say with model_group/)
    assert.equal(driver.unusable?.({ ...settings, model_group: 'seedream-4.5' }, 'ep-1'), undefined)
    assert.match(driver.unusable?.({ api_key: '  ' }, models.N1) ?? '', /api_key is empty/)
  })
})

test("each field is sent in the vendor's form, and what the model does not follow is reported", () => {
  const all: Partial<ImageGenerateRequest> = { watermark: true, guidance: 4, webSearch: true, promptMode: 'fast', format: 'png' }
  const common = { prompt: generate.prompt, size: '2048x2048', response_format: 'url', watermark: true }
  const cases: [group: Group, own: object, missed: string[]][] = [
    ['N1', { output_format: 'png', tools: [{ type: 'web_search' }] }, ['seed', 'guidance', 'promptMode']],
    ['N2', {}, ['seed', 'guidance', 'webSearch', 'promptMode']],
    ['N3', { optimize_prompt_options: { mode: 'fast' } }, ['seed', 'guidance', 'webSearch']],
    ['O1', { guidance_scale: 4, optimize_prompt_options: { mode: 'fast' } }, ['webSearch']],
  ]
  for (const [group, own, missed] of cases) {
    const plan = planOf(generating(group, all))
    assert.deepEqual([plan.fields, plan.missed], [{ model: models[group], ...common, ...own }, missed])
  }
  const retouch = planOf(editing('O2', { ...all, width: 1152, height: 864 }, pictureInput()))
  assert.deepEqual(retouch.fields, { ...common, model: models.O2, prompt: edit.prompt, size: 'adaptive', guidance_scale: 4 })
  assert.deepEqual([retouch.seed, retouch.missed], [7n, ['webSearch', 'promptMode']])
  assert.deepEqual(fields(generating('N1', { promptMode: 'standard' })).optimize_prompt_options, { mode: 'standard' })
  // The field `watermark` is sent as false, because the vendor adds a watermark by default. A WebP
  // picture is requested as PNG, so that it is converted from a lossless format.
  assert.deepEqual([fields(generating('N2', {})).watermark, fields(generating('N1', { format: 'webp' })).output_format], [false, 'png'])
})

test('a group is one request; independent pictures are as many requests, with consecutive seeds', () => {
  const group = planOf(generating('N2', { series: true, count: 15 }))
  const { sequential_image_generation, sequential_image_generation_options, stream } = group.fields
  assert.deepEqual([sequential_image_generation, sequential_image_generation_options, stream], ['auto', { max_images: 15 }, true])
  assert.deepEqual([group.requests, group.mostEach], [1, 15])
  const apart = planOf(generating('O1', { count: 4, seed: '2147483644' }))
  assert.deepEqual([apart.requests, apart.mostEach, apart.seed, apart.fields.stream], [4, 1, 2147483644n, undefined])
  for (const seed of ['2147483645', '9223372036854775807', '-1'])
    assert.deepEqual(
      [planOf(generating('O1', { count: 4, seed })).seed, planOf(generating('O1', { count: 4, seed })).missed],
      [undefined, ['seed']],
    )
  assert.equal(planOf(generating('N2', { series: true, count: 1 })).fields.stream, undefined)
})

test('sizes: tiers by name, sides within the limits; an edit without a size gets that of its input or its shape', () => {
  const tier = (name: string, side: number) => ({ width: side, height: side, tier: { name, sizes: [{ width: side, height: side }] } })
  assert.deepEqual(fields(generating('N1', tier('3k', 3072))).size, '3K')
  // When the model does not have the requested tier (a class of sizes such as 2K), width and height
  // are sent instead.
  assert.deepEqual(fields(generating('N2', tier('3K', 3072))).size, '3072x3072')
  const taken: [group: Group, width: number, height: number][] = [
    ['N1', 1920, 1920],
    ['N1', 3224, 3227],
    ['N2', 4096, 4096],
    ['N2', 8192, 512],
    ['N3', 960, 960],
    ['O1', 512, 2048],
  ]
  for (const [group, width, height] of taken) assert.equal(fields(generating(group, { width, height })).size, `${width}x${height}`)
  const refused: [group: Group, width: number, height: number, says: RegExp][] = [
    ['N1', 1920, 1919, /3686400 to 10404496 pixels, not 3684480/],
    ['N1', 3226, 3226, /not 10407076/],
    ['N2', 4096, 4097, /not 16781312/],
    ['N3', 960, 959, /921600 to/],
    ['N3', 4128, 257, /up to 16:1/],
    ['O1', 511, 1024, /512 to 2048/],
    ['O1', 1024, 2049, /512 to 2048/],
  ]
  for (const [group, width, height, says] of refused) {
    const { field, message } = refusal(generating(group, { width, height })) ?? {}
    assert.equal(field, 'width')
    assert.match(message ?? '', says)
  }
  assert.equal(refusal(generating('N1', { width: 100, height: 100, aspectRatio: '1:1' }))?.field, 'aspectRatio')
  const shapes: [input: [number, number], size: string][] = [
    [[2300, 1700], '2304x1696'],
    [[800, 600], '2368x1760'],
    [[100, 1600], '512x8192'],
    [[6000, 6000], '2048x2048'],
  ]
  for (const [[width, height], size] of shapes) assert.equal(fields(editing('N1', {}, pictureInput({ width, height }))).size, size)
  assert.equal(refusal(editing('O2', { width: 1024, height: 1024 }, pictureInput()))?.field, 'width')
})

test('unsupported fields are refused by their neutral names', () => {
  const input = pictureInput()
  const fifteen = Array.from({ length: 15 }, () => input)
  const cases: [job: Job<ImageGenerateRequest> | Job<ImageEditRequest>, field: string, says: RegExp][] = [
    [generating('N1', { negativePrompt: 'owls' }), 'negativePrompt', /takes no negative prompt/],
    [generating('N1', { expandPrompt: true }), 'expandPrompt', /cannot be told/],
    [generating('N1', { series: true, count: 16 }), 'count', /up to 15 pictures.*not 16/],
    [editing('N2', { series: true, variants: 14 }, input, input), 'variants', /not 16/],
    [generating('O1', { series: true, count: 2 }), 'series', /belong together/],
    [generating('O2', {}), 'image', /needs a picture/],
    [editing('N1', {}), 'image', /needs a picture/],
    [editing('O1', {}, input), 'image', /cannot edit/],
    [editing('N1', {}, ...fifteen), 'image', /up to 14 pictures, not 15/],
    [editing('O2', {}, input, input), 'image', /one picture, not 2/],
    [editing('N1', {}, input, { ...input, role: 'mask' }), 'mask', /takes no mask/],
    [editing('O2', {}, pictureInput({ mediaType: 'image/webp' })), 'image', /image\/jpeg, image\/png, not image\/webp/],
    [editing('N1', {}, pictureInput({ mediaType: 'image/avif' })), 'image', /not image\/avif/],
    [editing('N1', {}, pictureInput({ bytes: 10 * 2 ** 20 + 1 })), 'image', /at most 10485760 bytes/],
    [editing('N1', {}, pictureInput({ width: 14 })), 'image', /at least 15 pixels/],
    [editing('N1', {}, pictureInput({ width: 6001, height: 6000 })), 'image', /at most 36000000 pixels/],
    [editing('N1', {}, pictureInput({ width: 16, height: 257 })), 'image', /up to 16:1/],
    [editing('O2', {}, pictureInput({ width: 100, height: 301 })), 'image', /up to 3:1/],
  ]
  for (const [job, field, says] of cases) {
    const found = refusal(job)
    assert.equal(found?.field, field, String(says))
    assert.match(found?.message ?? '', says)
    assert.ok(found?.message.startsWith(`${field}: `))
  }
  const large = editing('N1', {}, pictureInput({ bytes: 30 * 2 ** 20 }))
  assert.equal(refusal({ ...large, settings: { ...large.settings, most_input_mb: 30 } }), undefined)
  for (const group of ['N1', 'N2', 'N3'] as const) assert.equal(refusal(editing(group, {}, ...fifteen.slice(1))), undefined)
})
