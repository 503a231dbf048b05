/** Tests the limits of each group of models: a value one step beyond a limit is refused, and no
 *  value is rounded. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ImageEditRequest, ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { InputFile } from '@generation-gateway/kit/requests/job.ts'
import { editFields, type FieldContext, generateFields } from './fields.ts'
import { groups } from './models.ts'
import { models as modelGroups } from './settings.ts'
import { edit, generate } from './testing/run.ts'

const picture: InputFile = { path: '/nowhere', role: 'image', mediaType: 'image/png', bytes: 1000, width: 100, height: 60 }
const plain = { ...generate, expandPrompt: false, safetyTolerance: 2, width: 1024, height: 1024 }

function asked(model: string): FieldContext {
  return { model, group: modelGroups.known({}, model) }
}

const drawn = (model: string, changes: Partial<ImageGenerateRequest>) => generateFields({ ...plain, ...changes }, asked(model))
const edited = (model: string, changes: Partial<ImageEditRequest>, input = picture) =>
  editFields({ ...edit, ...changes }, input, asked(model))

function refuses(run: () => unknown, field: string, says: RegExp): void {
  assert.throws(run, (error: unknown) => {
    assert.deepEqual([Object(error).code, Object(error).field], ['not_implemented', field])
    assert.match(Object(error).message, says)
    return true
  })
}

test('models of the vendor have a group, others have none', () => {
  const known = {
    'flux-1.1': ['flux-pro-1.1', 'flux-pro', 'flux-dev'],
    'flux-1.1-ultra': ['flux-pro-1.1-ultra'],
    kontext: ['flux-kontext', 'flux-kontext-pro', 'flux-kontext-max'],
    'flux-2': ['flux-2-pro', 'flux-2-max', 'flux-2-flex'],
    'flux-2-klein': ['flux-2-klein-4b', 'flux-2-klein-9b'],
  }
  for (const [group, models] of Object.entries(known)) for (const model of models) assert.equal(modelGroups.of({}, model), groups[group])
  for (const model of ['flux-pro-1.0-fill', 'flux-2-pro/../credits', 'get_result', '']) assert.equal(modelGroups.of({}, model), undefined)
})

describe('sides', () => {
  const accepted: [model: string, width: number, height: number][] = [
    ['flux-pro-1.1', 256, 1440],
    ['flux-pro-1.1', 1440, 1440],
    ['flux-2-pro', 64, 80],
    ['flux-2-pro', 2048, 2048],
    ['flux-2-klein-9b', 4096, 1024],
  ]
  for (const [model, width, height] of accepted) {
    test(`${model} draws ${width}x${height}`, () => {
      const fields = drawn(model, { width, height })
      assert.deepEqual([fields.width, fields.height, fields.aspect_ratio], [width, height, undefined])
    })
  }
  const refused: [model: string, width: number, height: number, field: string, says: RegExp][] = [
    ['flux-pro-1.1', 224, 1024, 'width', /width of 256 to 1440 pixels, not 224/],
    ['flux-pro-1.1', 1024, 1472, 'height', /height of 256 to 1440 pixels, not 1472/],
    ['flux-pro-1.1', 1040, 1024, 'width', /multiple of 32, not 1040/],
    ['flux-pro-1.1', 1024, 1023, 'height', /multiple of 32, not 1023/],
    ['flux-2-pro', 48, 1024, 'width', /width of 64 to/],
    ['flux-2-pro', 1024, 1032, 'height', /multiple of 16, not 1032/],
    ['flux-2-pro', 2064, 2048, 'width', /at most 4194304 pixels, not 4227072/],
    ['flux-kontext-pro', 640, 1632, 'width', /none gives 640x1632/],
    ['flux-kontext-pro', 512, 512, 'width', /none gives 512x512/],
    ['flux-pro-1.1-ultra', 1024, 1024, 'width', /none gives 1024x1024/],
  ]
  for (const [model, width, height, field, says] of refused) {
    test(`${model} does not draw ${width}x${height}`, () => refuses(() => drawn(model, { width, height }), field, says))
  }

  test('a model that accepts a ratio gets the ratio and no sides', () => {
    assert.deepEqual(drawn('flux-kontext-pro', { width: 1376, height: 768 }), {
      prompt: plain.prompt,
      prompt_upsampling: false,
      safety_tolerance: 2,
      output_format: 'png',
      aspect_ratio: '16:9',
    })
    assert.equal(drawn('flux-pro-1.1-ultra', { width: 2752, height: 1536 }).aspect_ratio, '16:9')
  })
})

describe('the rest of a request', () => {
  test('only one picture without a negative prompt is accepted', () => {
    for (const model of ['flux-pro-1.1', 'flux-kontext-max', 'flux-2-flex']) {
      refuses(() => drawn(model, { count: 2 }), 'count', /one picture per request, not 2/)
      refuses(() => drawn(model, { negativePrompt: 'dogs' }), 'negativePrompt', /no negative prompt/)
    }
  })

  test('the safety tolerance has a limit for each group and for edits', () => {
    for (const tolerance of [0, 6]) assert.equal(drawn('flux-pro-1.1', { safetyTolerance: tolerance }).safety_tolerance, tolerance)
    assert.equal(drawn('flux-2-pro', { safetyTolerance: 5 }).safety_tolerance, 5)
    refuses(() => drawn('flux-2-pro', { safetyTolerance: 6 }), 'safetyTolerance', /0 to 5 for this, not 6/)
    refuses(() => drawn('flux-pro-1.1', { safetyTolerance: 7 }), 'safetyTolerance', /0 to 6 for this, not 7/)
    assert.equal(drawn('flux-kontext-pro', { safetyTolerance: 6 }).safety_tolerance, 6)
    assert.equal(edited('flux-kontext-pro', { safetyTolerance: 2 }).safety_tolerance, 2)
    refuses(() => edited('flux-kontext-pro', { safetyTolerance: 3 }), 'safetyTolerance', /0 to 2 for this, not 3/)
    assert.equal(edited('flux-2-max', { safetyTolerance: 5 }).safety_tolerance, 5)
  })

  test('prompt expansion is always stated for models with this option, and refused for others', () => {
    for (const expandPrompt of [true, false]) assert.equal(drawn('flux-2-flex', { expandPrompt }).prompt_upsampling, expandPrompt)
    assert.ok(!('prompt_upsampling' in drawn('flux-2-klein-4b', {})))
    refuses(() => drawn('flux-2-klein-4b', { expandPrompt: true }), 'expandPrompt', /cannot enhance/)
  })
})

describe('edits', () => {
  test('without a size the picture keeps its shape; a size is sent in the form of the model', () => {
    const none = edited('flux-kontext-pro', {})
    assert.deepEqual([none.width, none.height, none.aspect_ratio], [undefined, undefined, undefined])
    assert.equal(edited('flux-kontext-pro', { width: 736, height: 1440 }).aspect_ratio, '1:2')
    const sides = edited('flux-2-pro', { width: 736, height: 1440 })
    assert.deepEqual([sides.width, sides.height, sides.aspect_ratio], [736, 1440, undefined])
    refuses(() => edited('flux-2-pro', { width: 730, height: 1440 }), 'width', /multiple of 16/)
  })

  test('models without an edit instruction cannot edit pictures', () => {
    for (const model of ['flux-pro-1.1', 'flux-pro-1.1-ultra']) refuses(() => edited(model, {}), 'image', /cannot edit/)
  })

  test('a picture of 20 MB and 20 million pixels is accepted, one more is not', () => {
    const largest = { ...picture, bytes: 20 * 2 ** 20, width: 5000, height: 4000 }
    assert.equal(edited('flux-kontext-pro', {}, largest).prompt, edit.prompt)
    refuses(() => edited('flux-kontext-pro', {}, { ...largest, bytes: largest.bytes + 1 }), 'image', /20971520 bytes, not 20971521/)
    refuses(() => edited('flux-kontext-pro', {}, { ...largest, width: 5001 }), 'image', /20000000 pixels, not 20004000/)
  })
})
