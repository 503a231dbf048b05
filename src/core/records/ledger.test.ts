import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namedPrice, priced, priceOf } from './ledger.ts'

const units = [
  { unit: 'input_tokens', units: 1_000 },
  { unit: 'cached_input_tokens', units: 600 },
  { unit: 'cache_write_tokens', units: 300 },
]
const costs = (price: Parameters<typeof priceOf>[0]) => priced(priceOf(price), units).map(({ costMicros }) => costMicros)

test('tokens read from a cache, or written to one, have their own price when one is set', () => {
  assert.deepEqual(costs({ million_input_tokens: 10 }), [10_000, 0, 0])
  assert.deepEqual(costs({ million_input_tokens: 10, million_cached_input_tokens: 1 }), [4_000, 600, 0])
  const all = { million_input_tokens: 10, million_cached_input_tokens: 1, million_cache_write_tokens: 12.5 }
  assert.deepEqual(costs(all), [1_000, 600, 3_750])
})

test('more cached tokens than input tokens never make a cost negative', () => {
  const odd = [
    { unit: 'input_tokens', units: 5 },
    { unit: 'cached_input_tokens', units: 600 },
  ]
  const price = priceOf({ million_input_tokens: 10, million_cached_input_tokens: 1 })
  assert.deepEqual(
    priced(price, odd).map(({ costMicros }) => costMicros),
    [0, 600],
  )
})

test('a service tier multiplies the prices of its share of the tokens, and of nothing else', () => {
  const price = priceOf({
    million_input_tokens: 10,
    million_cached_input_tokens: 1,
    million_output_tokens: 50,
    search: 0.01,
    fast_factor: 6,
  })
  const used = (fast: number) =>
    priced(price, [
      { unit: 'input_tokens', units: 1_000 },
      { unit: 'cached_input_tokens', units: 400 },
      { unit: 'output_tokens', units: 1_000 },
      { unit: 'searches', units: 1 },
      { unit: 'fast_tokens', units: fast },
    ]).map(({ costMicros }) => costMicros)
  assert.deepEqual(used(0), [6_000, 400, 50_000, 10_000, 0])
  assert.deepEqual(used(2_000), [36_000, 2_400, 300_000, 10_000, 0])
  assert.deepEqual(used(1_000), [21_000, 1_400, 175_000, 10_000, 0])
  assert.deepEqual(used(9_000), used(2_000))
})

test('cache writes for an hour have their own price, also when other cache writes have none', () => {
  const written = [
    { unit: 'input_tokens', units: 1_000 },
    { unit: 'cache_write_tokens', units: 300 },
    { unit: 'long_cache_write_tokens', units: 100 },
  ]
  const costs = (price: Parameters<typeof priceOf>[0]) => priced(priceOf(price), written).map(({ costMicros }) => costMicros)
  assert.deepEqual(
    costs({ million_input_tokens: 10, million_cache_write_tokens: 12.5, million_long_cache_write_tokens: 20 }),
    [7_000, 2_500, 2_000],
  )
  assert.deepEqual(costs({ million_input_tokens: 10, million_long_cache_write_tokens: 20 }), [9_000, 0, 2_000])
  assert.deepEqual(costs({ million_input_tokens: 10, million_cache_write_tokens: 12.5 }), [7_000, 3_750, 0])
})

test('tokens that are reported in several lines are charged once', () => {
  const price = priceOf({ million_input_tokens: 10, million_cached_input_tokens: 1 })
  const lines = [
    { unit: 'input_tokens', units: 1_000 },
    { unit: 'cached_input_tokens', units: 400 },
    { unit: 'cached_input_tokens', units: 100 },
  ]
  assert.deepEqual(
    priced(price, lines).map(({ costMicros }) => costMicros),
    [5_000, 400, 100],
  )
})

test('prices keep their decimals when they are read and written', () => {
  for (const amount of [0, 0.07, 0.15, 0.285714285714, 1e-9, 2.5, 1.1, 333.333333, 1_000_000]) {
    const named = { image: amount, thousand_characters: amount, million_input_tokens: amount }
    const price = priceOf(named)
    assert.deepEqual(namedPrice(price), named)
    assert.equal(price.input_tokens, amount)
  }
  assert.deepEqual(priceOf({ image: 0.07, second: 0.0001, thousand_characters: 0.015 }), { images: 70_000, seconds: 100, characters: 15 })
})

test('reasoning tokens have their own price when one is set', () => {
  const spoken = [
    { unit: 'output_tokens', units: 100 },
    { unit: 'reasoning_tokens', units: 60 },
  ]
  const costs = (price: Record<string, number>) => priced(price, spoken).map(({ costMicros }) => costMicros)
  assert.deepEqual(costs({ output_tokens: 10 }), [1_000, 0])
  assert.deepEqual(costs({ output_tokens: 10, reasoning_tokens: 4 }), [400, 240])
  assert.deepEqual(costs({ output_tokens: 10, reasoning_tokens: 0 }), [400, 0])
})
