import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aspectRatioOf, namedRatios } from './aspect-ratio.ts'

test('every usual ratio is recognised in the size that F1 makes from it', () => {
  for (const ratio of namedRatios.split(', ')) {
    const [wide = 1, high = 1] = ratio.split(':').map(Number)
    // Sizes as interface F1 derives them from a ratio (docs/interface/pictures.md#f1): about one
    // megapixel, both sides multiples of 32.
    const height = Math.round(Math.sqrt(2 ** 20 / (wide / high)) / 32) * 32
    assert.equal(aspectRatioOf(Math.round((height * wide) / high / 32) * 32, height), ratio)
  }
})

for (const [width, height, ratio] of [
  [1920, 1080, '16:9'],
  [30, 20, '3:2'],
  [2100, 900, '21:9'],
  [1024, 1024, '1:1'],
  [1376, 768, '16:9'],
] as const)
  test(`${width}x${height} is ${ratio}`, () => assert.equal(aspectRatioOf(width, height), ratio))

for (const [width, height] of [
  [1024, 992],
  [1040, 400],
  [1919, 1080],
  [1000, 1024],
] as const)
  test(`${width}x${height} has no usual ratio`, () => assert.equal(aspectRatioOf(width, height), undefined))
