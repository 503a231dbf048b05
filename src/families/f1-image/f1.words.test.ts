/** Tests the names of fields in refusals by targets, and in lists of fields that targets ignore.
 *  Drivers use neutral names; a caller of F1 must get F1's names. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { type FakeUpstream, jsonReply, startFakeUpstream } from '../../testing/fakes/fake-upstream.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'

const path = '/v1/ai/default/imgf/image/generate'
const key = 'upstream-secret-key-1'
let upstream: FakeUpstream
let gateway: TestGateway
let picture: string
before(async () => {
  upstream = await startFakeUpstream()
  const target = (driver: string, model: string, more = '') =>
    `[{ driver: ${driver}, base_url: "${upstream.baseUrl}", api_key: ${key}, model: ${model}${more} }]`
  const yaml = `models:
  - { id: sides, family: F1, group: P, targets: ${target('openai-compatible', 'dall-e-3')} }
  - { id: ratio, family: F1, group: KG, targets: ${target('openai-compatible', 'dall-e-3')} }
  - { id: edit, family: F1, group: KE, targets: ${target('openai-compatible', 'dall-e-3')} }
  - { id: any-sides, family: F1, group: P, targets: ${target('openai-compatible', 'house')} }
  - { id: any-ratio, family: F1, group: KG, targets: ${target('openai-compatible', 'house')} }
  - { id: any-edit, family: F1, group: KE, targets: ${target('openai-compatible', 'gpt-image-1')} }
  - { id: flux, family: F1, group: P, targets: ${target('bfl', 'flux-2-pro')} }
`
  gateway = await startTestGateway({ yaml })
  const square = sharp({ create: { width: 300, height: 300, channels: 3, background: '#3366aa' } })
  picture = (await square.png().toBuffer()).toString('base64')
})
after(async () => {
  await gateway[Symbol.asyncDispose]()
  await upstream.close()
})

const refused: [what: string, body: () => object, field: string][] = [
  ['a picture to edit', () => ({ model: 'edit', prompt: 'x', input_image: picture }), 'input_image'],
  ['an enhanced prompt', () => ({ model: 'sides', prompt: 'x', prompt_upsampling: true }), 'prompt_upsampling'],
  ['a tolerance', () => ({ model: 'flux', prompt: 'x', safety_tolerance: 6 }), 'safety_tolerance'],
  ['a size given by its sides', () => ({ model: 'sides', prompt: 'x', width: 800, height: 600 }), 'width'],
  ['a size given by a ratio', () => ({ model: 'ratio', prompt: 'x', aspect_ratio: '4:3' }), 'aspect_ratio'],
]
for (const [what, body, field] of refused) {
  test(`${what} that no target supports is refused as ${field}, in param, detail and message`, async () => {
    const { status, body: answer } = await gateway.call(path, { body: body() })
    assert.equal(status, 400)
    assert.deepEqual([answer.error.code, answer.error.param], ['invalid_request', field])
    assert.match(answer.error.message, new RegExp(`^${field}: the model `))
    assert.equal(answer.detail, answer.error.message)
  })
}

interface Ended {
  status: string
  result: { not_followed: string[] } | null
  details: { error?: string; message?: string } | null
}

async function ended(body: object): Promise<Ended & { id: string }> {
  const { body: submitted } = await gateway.call(path, { body })
  const result = await gateway.result(submitted.polling_url)
  return { id: submitted.id, ...(result as unknown as Ended) }
}

const followed: [model: string, body: () => object, fields: string[]][] = [
  ['any-sides', () => ({ prompt: 'x', width: 800, height: 600 }), ['seed', 'width', 'height']],
  ['any-ratio', () => ({ prompt: 'x', aspect_ratio: '4:3' }), ['seed', 'aspect_ratio']],
  ['any-edit', () => ({ prompt: 'x', input_image: picture }), ['seed', 'aspect_ratio']],
]
for (const [model, body, fields] of followed) {
  test(`a request for ${model} reports as not followed: ${fields.join(', ')}`, async () => {
    const wide = await sharp({ create: { width: 64, height: 32, channels: 3, background: '#3366aa' } })
      .png()
      .toBuffer()
    upstream.answer(jsonReply({ data: [{ b64_json: wide.toString('base64') }] }))
    const { status, result, details } = await ended({ model, ...body() })
    assert.equal(status, 'Ready', JSON.stringify(details))
    assert.deepEqual(result?.not_followed, fields)
  })
}

test("an upstream's refusal is stored with neutral field names, and reported with those of F1", async () => {
  upstream.answer(jsonReply({ detail: [{ loc: ['body', 'input_image'], msg: 'it is too dark', type: 'value_error' }] }, 422))
  const { id, status, details } = await ended({ model: 'flux', prompt: 'x' })
  assert.deepEqual([status, details], ['Error', { error: 'invalid_request', message: 'input_image: it is too dark' }])
  const { task } = (await gateway.admin(`/admin/tasks/${id}`)).body
  assert.equal(task.failure.message, 'image: it is too dark')
})
