import assert from 'node:assert/strict'
import { test } from 'node:test'
import { IdleCores } from './idle-cores.ts'

test('the number of idle cores is measured since the previous call', () => {
  const counts = [
    { all: 10_000, idle: 9_000 },
    { all: 10_600, idle: 9_300 },
    { all: 11_600, idle: 9_300 },
    { all: 11_650, idle: 9_350 },
  ]
  const idle = new IdleCores(() => counts.shift()!)
  assert.deepEqual([idle.look(2), idle.look(2), idle.look(2)], [1, 0, 0])
  const real = new IdleCores().look(2)
  assert.ok(real >= 0 && real <= 2)
})
