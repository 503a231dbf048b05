import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sizeOfRatio } from '../../../families/f1-image/handlers.ts'
import { ratioOfSize } from './ratio-of-size.ts'

const megapixel = { kind: 'ratio', pixels: 2 ** 20, step: 32 } as const
const ultra = { kind: 'ratio', pixels: 2 ** 22, step: 64 } as const

test('every size that F1 makes from a ratio leads back to a ratio that gives the same size', () => {
  for (let wide = 1; wide <= 60; wide++) {
    for (let high = 1; high <= 60; high++) {
      if (wide / high < 3 / 7 || wide / high > 7 / 3) continue
      const { width, height } = sizeOfRatio(`${wide}:${high}`)
      const ratio = ratioOfSize(width, height, megapixel)
      assert.ok(ratio, `${wide}:${high} gives ${width}x${height}, which has no ratio`)
      assert.match(ratio, /^[1-9][0-9]{0,3}:[1-9][0-9]{0,3}$/)
      assert.deepEqual(sizeOfRatio(ratio), { width, height })
    }
  }
})

test('usual sizes lead to the usual ratio for the vendor', () => {
  for (const ratio of ['1:1', '4:3', '3:4', '3:2', '2:3', '16:9', '9:16', '21:9', '9:21']) {
    const { width, height } = sizeOfRatio(ratio)
    assert.equal(ratioOfSize(width, height, megapixel), ratio)
  }
  assert.equal(ratioOfSize(2752, 1536, ultra), '16:9')
  assert.equal(ratioOfSize(2048, 2048, ultra), '1:1')
})

test('the extremes 3:7 and 7:3 are accepted, one step more is not', () => {
  assert.equal(ratioOfSize(672, 1568, megapixel), '9:21')
  assert.equal(ratioOfSize(1568, 672, megapixel), '21:9')
  assert.equal(ratioOfSize(640, 1632, megapixel), undefined)
  assert.equal(ratioOfSize(1632, 640, megapixel), undefined)
})

test('a size that no ratio gives has no ratio', () => {
  for (const [width, height] of [
    [512, 512],
    [1024, 1088],
    [1000, 1000],
    [1376, 832],
    [2048, 2048],
  ] as const)
    assert.equal(ratioOfSize(width, height, megapixel), undefined, `${width}x${height}`)
  assert.equal(ratioOfSize(1024, 1024, ultra), undefined)
})
