import assert from 'node:assert/strict'
import { test } from 'node:test'
import { restartDelayMs } from './restart-delay.ts'

test('a killed process is restarted at once, one that ends at each start after growing delays', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 100].map(restartDelayMs),
    [0, 0, 0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000],
  )
})
