import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RunningCounts } from './running-counts.ts'

test('counts rise and fall by key, and never below 0', () => {
  const counts = new RunningCounts()
  counts.add('a')
  {
    using _second = counts.enter('a')
    using _other = counts.enter('b')
    assert.deepEqual([counts.of('a'), counts.of('b')], [2, 1])
  }
  counts.remove('b')
  assert.deepEqual([counts.of('a'), counts.of('b'), counts.of('c')], [1, 0, 0])
})
