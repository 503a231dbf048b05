/** Tests each driver that can edit pictures: how many inputs of each role it accepts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { InputFacts } from '@generation-gateway/kit/requests/capability.ts'
import type { ImageEditRequest } from '@generation-gateway/kit/requests/image.ts'
import { driverTools } from '../../testing/driver-tools.ts'
import { drivers } from '../index.ts'

const request: ImageEditRequest = { prompt: 'bluer', seed: '7', expandPrompt: false, safetyTolerance: 2, format: 'png' }
const service = { base_url: 'https://service.example/v1', api_key: 'sk-edit-inputs-1' }
const workflow = fileURLToPath(new URL('../vendors/comfyui/fixtures/image-to-image.json', import.meta.url))
/** One target for each driver that can edit pictures. */
const targets: Record<string, { model: string; settings: JsonObject }> = {
  studio: { model: 'MaaS_ImgF_KE', settings: {} },
  'openai-compatible': { model: 'a-server-of-ones-own', settings: service },
  bfl: { model: 'flux-kontext-pro', settings: service },
  comfyui: { model: 'sd15', settings: { base_url: 'http://127.0.0.1:8188', workflow } },
  youchuan: { model: 'midjourney', settings: { ...service, app_id: 'app' } },
  ark: { model: 'doubao-seededit-3-0-i2i-250628', settings: service },
  kling: { model: 'kling-image-o1', settings: service },
  'ai-sdk': { model: 'gpt-image-1', settings: { package: '@ai-sdk/openai', api_key: service.api_key } },
}
/** Further fields that a driver requires in an edit request. */
const further: Record<string, Partial<ImageEditRequest>> = {
  youchuan: { variants: 4, regions: [{ width: 512, height: 512, points: [0, 0, 9, 0, 9, 9] }] },
}
/** Largest number of pictures that a driver accepts, for drivers that accept more than one. */
const mostPictures: Record<string, number> = { kling: 10 }
const image: InputFacts = { role: 'image', mediaType: 'image/png', bytes: 1000, width: 512, height: 512 }
const mask: InputFacts = { ...image, role: 'mask' }

for (const spec of drivers) {
  const driver = spec.open(driverTools({ cores: 0 }))
  const offer = driver.offers['image.edit']
  // The driver `gateway` is left out: it does not know the limits of the models behind the other
  // gateway, which refuses excess pictures itself.
  if (offer === undefined || spec.id === 'gateway') continue
  test(`${spec.id} edits its pictures, and refuses too many pictures, too many masks and a missing picture by role`, async () => {
    const target = targets[spec.id]
    assert.ok(target, `the test has no target for ${spec.id}`)
    assert.equal(driver.unusable?.(target.settings, target.model), undefined)
    const refused = (...inputs: InputFacts[]) => offer.refuses?.({ request: { ...request, ...further[spec.id] }, inputs, ...target })
    assert.equal(refused(image), undefined)
    const takesMask = spec.id === 'studio'
    for (const [inputs, field] of [
      [[], 'image'],
      [Array(1 + (mostPictures[spec.id] ?? 1)).fill(image), 'image'],
      [takesMask ? [image, mask, mask] : [image, mask], 'mask'],
      [takesMask ? [mask, mask, image] : [mask, image], 'mask'],
    ] as const) {
      const refusal = refused(...inputs)
      assert.equal(refusal?.field, field)
      assert.ok(refusal?.message.startsWith(`${field}: `), refusal?.message)
    }
    await driver.close?.()
  })
}
