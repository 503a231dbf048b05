/** Tests the limits of each dialect: a value one step beyond a limit is refused, with the field's
 *  name. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { ImageEditRequest, ImageFormat, ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import { Value } from 'typebox/value'
import { parse } from 'yaml'
import openaiCompatible from './driver.ts'
import { dialectOfModel } from './image-dialects.ts'
import { fieldsOf, refusalOf, seedOf, sizeMissed } from './image-fields.ts'
import { drawing, edit, editing, generate, openDriver } from './testing/image-run.ts'

const square = { ...generate, width: 1024, height: 1024 }
const input = { role: 'image', mediaType: 'image/png', bytes: 1000, width: 1000, height: 660 }

const drawingOf = (model: string, changes: Partial<ImageGenerateRequest> = {}, image: JsonObject = {}) => ({
  request: { ...square, ...changes },
  model,
  settings: { base_url: 'https://images.example/v1', image },
  inputs: [],
})
const editOf = (model: string, changes: Partial<ImageEditRequest> = {}, picture: Partial<typeof input> = {}) => ({
  request: { ...edit, ...changes },
  model,
  settings: { base_url: 'https://images.example/v1' },
  inputs: [{ ...input, ...picture }],
})

test('models are recognised by their names, unknown ones have no limits', () => {
  const known = {
    'gpt-image-1': [
      'gpt-image-1',
      'gpt-image-1-mini',
      'gpt-image-1.5',
      'gpt-image-1-2025-04-15',
      'chatgpt-image-latest',
      'openai/gpt-image-1',
    ],
    'gpt-image-2': ['gpt-image-2', 'gpt-image-2-2026-04-21', 'gpt-image-2.5-flare'],
    'dall-e-3': ['dall-e-3'],
    'dall-e-2': ['dall-e-2'],
    open: ['Qwen/Qwen-Image', 'x/z-image-turbo', 'stablediffusion', 'my-gpt-image-1', ''],
  }
  for (const [dialect, models] of Object.entries(known)) for (const model of models) assert.equal(dialectOfModel(model), dialect, model)
})

describe('sizes', () => {
  const accepted: [model: string, width: number, height: number][] = [
    ['gpt-image-1', 1024, 1536],
    ['gpt-image-2', 3840, 2160],
    ['gpt-image-2', 816, 816],
    ['gpt-image-2', 2304, 768],
    ['dall-e-3', 1792, 1024],
    ['dall-e-2', 256, 256],
    ['any-model', 1000, 64],
  ]
  for (const [model, width, height] of accepted) {
    test(`${model} draws ${width}x${height}`, () => {
      const requested = drawingOf(model, { width, height })
      assert.equal(refusalOf(requested), undefined)
      assert.equal(fieldsOf(requested).size, `${width}x${height}`)
    })
  }
  const refused: [model: string, width: number, height: number, says: RegExp][] = [
    ['gpt-image-1', 1152, 768, /draws 1024x1024, 1536x1024, 1024x1536, not 1152x768/],
    ['gpt-image-2', 1032, 1024, /multiples of 16, not 1032x1024/],
    ['gpt-image-2', 3856, 1600, /at most 3840 pixels, not 3856/],
    ['gpt-image-2', 2320, 768, /ratios up to 3:1, not 2320x768/],
    ['gpt-image-2', 800, 816, /655360 to 8294400 pixels, not 652800/],
    ['gpt-image-2', 3840, 2176, /655360 to 8294400 pixels, not 8355840/],
    ['dall-e-3', 1536, 1024, /not 1536x1024/],
    ['dall-e-2', 1792, 1024, /not 1792x1024/],
  ]
  for (const [model, width, height, says] of refused) {
    test(`${model} does not draw ${width}x${height}`, () => {
      const refusal = refusalOf(drawingOf(model, { width, height }))
      assert.equal(refusal?.field, 'width')
      assert.match(refusal.message, says)
    })
  }
})

describe('other unsupported features are refused by name', () => {
  const refused: [title: string, asked: Parameters<typeof refusalOf>[0], field: string, says: RegExp][] = [
    ['eleven pictures', drawingOf('gpt-image-1', { count: 11 }), 'count', /up to 10 pictures per request, not 11/],
    ['two pictures', drawingOf('dall-e-3', { count: 2 }), 'count', /one picture per request, not 2/],
    ['a negative prompt', drawingOf('gpt-image-1', { negativePrompt: 'dogs' }), 'negativePrompt', /no negative prompt/],
    ['enhancing', drawingOf('gpt-image-1', { expandPrompt: true }), 'expandPrompt', /cannot be told/],
    ['4001 characters', drawingOf('dall-e-3', { prompt: 'x'.repeat(4001) }), 'prompt', /at most 4000 characters/],
    ['an edit of dall-e', editOf('dall-e-3'), 'image', /cannot edit a picture/],
    ['an edit of a GIF', editOf('gpt-image-1', {}, { mediaType: 'image/gif' }), 'image', /edits .*webp, not image\/gif/],
    ['an edit without a picture', { ...editOf('gpt-image-1'), inputs: [] }, 'image', /needs a picture/],
    ['a size of an edit', editOf('gpt-image-1', { width: 1152, height: 768 }), 'width', /not 1152x768/],
    ['settings: another size', drawingOf('m', {}, { sizes: ['512x512'] }), 'width', /draws 512x512, not 1024x1024/],
    ['settings: fewer pictures', drawingOf('gpt-image-1', { count: 2 }, { most_images: 1 }), 'count', /one picture/],
    ['settings: another dialect', drawingOf('house', { width: 512 }, { dialect: 'gpt-image-1' }), 'width', /not 512x1024/],
  ]
  for (const [title, jobFacts, field, says] of refused) {
    test(title, () => {
      const refusal = refusalOf(jobFacts)
      assert.equal(refusal?.field, field)
      assert.match(refusal.message, says)
    })
  }

  test('the offers refuse in the same way', () => {
    const driver = openDriver()
    assert.equal(drawing(driver).refuses?.(drawingOf('gpt-image-1', { width: 512 }))?.field, 'width')
    assert.equal(drawing(driver).refuses?.(drawingOf('gpt-image-1')), undefined)
    assert.equal(editing(driver).refuses?.(editOf('dall-e-2'))?.field, 'image')
    assert.equal(editing(driver).refuses?.(editOf('gpt-image-1')), undefined)
  })
})

test('each dialect gets its own fields', () => {
  const { prompt } = generate
  const common = { prompt, size: '1024x1024' }
  assert.deepEqual(fieldsOf(drawingOf('gpt-image-1', { count: 10, format: 'jpeg' })), {
    ...common,
    model: 'gpt-image-1',
    n: 10,
    output_format: 'jpeg',
  })
  assert.deepEqual(fieldsOf(drawingOf('dall-e-3', { format: 'jpeg' })), { ...common, model: 'dall-e-3', response_format: 'b64_json' })
  assert.deepEqual(fieldsOf(drawingOf('llama')), { ...common, model: 'llama', response_format: 'b64_json' })
  const image = { seed: true, negative_prompt: true, formats: ['jpeg', 'png'], most_images: 4, fields: { steps: 30, size: 'auto' } }
  const requested = drawingOf('llama', { negativePrompt: 'dogs', count: 4, format: 'jpeg' }, image)
  assert.equal(refusalOf(requested), undefined)
  const fields = { steps: 30, negative_prompt: 'dogs', n: 4, output_format: 'jpeg', response_format: 'b64_json' }
  assert.deepEqual(fieldsOf(requested), { ...common, model: 'llama', ...fields })
  assert.deepEqual([seedOf(requested), seedOf(drawingOf('llama'))], [generate.seed, undefined])
})

test('a format is requested if the service has the field, another one when it lacks the format; else none is refused', () => {
  const requested = (model: string, format: ImageFormat, image: JsonObject = {}) => {
    const drawing = drawingOf(model, { format }, image)
    assert.equal(refusalOf(drawing), undefined)
    return fieldsOf(drawing).output_format
  }
  for (const format of ['png', 'jpeg'] as const) {
    assert.equal(requested('gpt-image-1', format), format)
    assert.equal(requested('gpt-image-1', format, { formats: ['png'] }), 'png')
    assert.equal(requested('house', format, { formats: ['jpeg'] }), 'jpeg')
    for (const model of ['dall-e-3', 'dall-e-2', 'house']) assert.equal(requested(model, format), undefined)
  }
})

test('an edit without a size gets that of its input if the model can draw it, else the model chooses', () => {
  assert.equal(fieldsOf(editOf('any-model')).size, '992x672')
  assert.equal(fieldsOf(editOf('gpt-image-2')).size, '992x672')
  assert.equal(fieldsOf(editOf('gpt-image-1')).size, undefined)
  assert.equal(fieldsOf(editOf('gpt-image-1', {}, { width: 1530, height: 1020 })).size, '1536x1024')
})

test('a picture that ignores the size, or the shape of the input, is reported', () => {
  assert.deepEqual(sizeMissed(drawingOf('any'), { width: 1024, height: 1024 }), [])
  assert.deepEqual(sizeMissed(drawingOf('any'), { width: 1024, height: 1000 }), ['width', 'height'])
  assert.deepEqual(sizeMissed(drawingOf('any', { aspectRatio: '1:1' }), { width: 1024, height: 1000 }), ['aspectRatio'])
  assert.deepEqual(sizeMissed(editOf('gpt-image-1'), { width: 1536, height: 1024 }), [])
  assert.deepEqual(sizeMissed(editOf('gpt-image-1'), { width: 1024, height: 1024 }), ['aspectRatio'])
})

test('settings accept their documented values and no others', () => {
  const accepts = (image: object) => Value.Check(openaiCompatible.settings, { base_url: 'https://images.example/v1', image })
  assert.ok(accepts({ dialect: 'open', sizes: ['512x512'], formats: ['jpeg'], most_images: 4, seed: true, negative_prompt: true }))
  assert.ok(accepts({ fields: { quality: 'high', num_inference_steps: 30, hd: true } }))
  const refused = [{ sizes: ['auto'] }, { sizes: [] }, { formats: ['gif'] }, { most_images: 11 }, { dialect: 'sd' }, { steps: 3 }]
  for (const image of [...refused, { fields: { 'a"b': 1 } }, { fields: { a: [] } }]) assert.ok(!accepts(image), JSON.stringify(image))
})

test('the example of the documentation is valid', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../../docs/openai-images.md'), 'utf8')
  const [, example = ''] = /```yaml\n(.*?)```/s.exec(page) ?? []
  const targets: Record<string, unknown>[] = parse(example).models.flatMap(({ targets }: { targets: object[] }) => targets)
  assert.equal(targets.length, 2)
  for (const { driver, model, api_key_env: _, ...settings } of targets) {
    assert.equal(driver, openaiCompatible.id)
    assert.ok(Value.Check(openaiCompatible.settings, settings), String(model))
  }
})
