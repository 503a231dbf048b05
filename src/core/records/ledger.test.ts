import assert from 'node:assert/strict'
import { test } from 'node:test'
import { priced, priceOf } from './ledger.ts'

const units = [
  { unit: 'input_tokens', units: 1_000 },
  { unit: 'cached_input_tokens', units: 600 },
  { unit: 'cache_write_tokens', units: 300 },
]
const costs = (price: Parameters<typeof priceOf>[0]) => priced(priceOf(price), units).map(({ costMicros }) => costMicros)

test('tokens read from a cache, or written into one, cost their own price where it is set', () => {
  assert.deepEqual(costs({ million_input_tokens: 10 }), [10_000, 0, 0])
  assert.deepEqual(costs({ million_input_tokens: 10, million_cached_input_tokens: 1 }), [4_000, 600, 0])
  const all = { million_input_tokens: 10, million_cached_input_tokens: 1, million_cache_write_tokens: 12.5 }
  assert.deepEqual(costs(all), [1_000, 600, 3_750])
})

test('more cached tokens than input never make a cost negative', () => {
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
