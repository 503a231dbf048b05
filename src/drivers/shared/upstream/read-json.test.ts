/** Tests that impossible token counts of a service are ignored. Counts are added to the ledger,
 *  where a wrong count could not be corrected. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countOf, secondsOf } from './read-json.ts'

test('a count may be at most 2^31 - 1, and any other value is no count', () => {
  assert.deepEqual([1.4, 7, 2 ** 31 - 1].map(countOf), [1, 7, 2 ** 31 - 1])
  for (const value of [0, -1, 2 ** 31, 1e308, Number.POSITIVE_INFINITY, Number.NaN, '7', null, undefined, [7]])
    assert.equal(countOf(value), 0)
})

test('a length must be above 0 and at most a day, and any other value is no length', () => {
  assert.deepEqual([0.02, 86_400].map(secondsOf), [0.02, 86_400])
  for (const value of [0, -1, 86_401, 1e308, Number.POSITIVE_INFINITY, Number.NaN, '7', null]) assert.equal(secondsOf(value), undefined)
})
