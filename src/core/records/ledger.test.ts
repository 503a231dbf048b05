import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namedPrice, priced, priceOf } from './ledger.ts'

test('prices keep their decimals in both directions', () => {
  for (const amount of [0, 0.07, 0.15, 0.285714285714, 1e-9, 2.5, 1.1, 333.333333, 1_000_000]) {
    const named = { image: amount, thousand_characters: amount, million_input_tokens: amount }
    const price = priceOf(named)
    assert.deepEqual(namedPrice(price), named)
    assert.equal(price.input_tokens, amount)
  }
  assert.deepEqual(priceOf({ image: 0.07, second: 0.0001, thousand_characters: 0.015 }), { images: 70_000, seconds: 100, characters: 15 })
})

test('tokens that are a part of others cost their own price where there is one', () => {
  const units = [
    { unit: 'input_tokens', units: 1_000 },
    { unit: 'cached_input_tokens', units: 400 },
    { unit: 'output_tokens', units: 100 },
    { unit: 'reasoning_tokens', units: 60 },
  ]
  const costs = (price: Record<string, number>) => priced(price, units).map(({ costMicros }) => costMicros)
  assert.deepEqual(costs({ input_tokens: 1, output_tokens: 10 }), [1_000, 0, 1_000, 0])
  assert.deepEqual(costs({ input_tokens: 1, cached_input_tokens: 0.1, output_tokens: 10, reasoning_tokens: 4 }), [600, 40, 400, 240])
  assert.deepEqual(costs({ output_tokens: 10, reasoning_tokens: 0 }), [0, 0, 400, 0])
})
