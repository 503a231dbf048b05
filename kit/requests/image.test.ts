import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectedUnits } from './capabilities.ts'
import type { ImageEditRequest, ImageGenerateRequest } from './image.ts'

const common = { prompt: 'a boat', seed: '1', expandPrompt: false, safetyTolerance: 2, format: 'png' } as const
const tier = {
  name: '2K',
  sizes: [
    { width: 10, height: 10 },
    { width: 16, height: 9 },
  ],
}

test('the amount held for a tier covers its largest size', () => {
  const drawing: ImageGenerateRequest = { ...common, width: 10, height: 10, tier, count: 3 }
  const edit: ImageEditRequest = { ...common, width: 10, height: 10, tier, variants: 2 }
  assert.deepEqual(
    [expectedUnits('image.generate', drawing, []), expectedUnits('image.edit', edit, [])].map(units =>
      units.map(({ units: amount }) => amount),
    ),
    [
      [3, 432],
      [2, 288],
    ],
  )
})
