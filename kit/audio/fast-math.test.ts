import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fastCos, fastExp, fastSin, fastTanh } from './fast-math.ts'

test('the error of the tables is less than a millionth', () => {
  for (let value = -40; value < 40; value += 0.0137) {
    assert.ok(Math.abs(fastExp(value) / Math.exp(value) - 1) < 1e-6, `exp ${value}`)
    assert.ok(Math.abs(fastSin(value) - Math.sin(value)) < 1e-6, `sin ${value}`)
    assert.ok(Math.abs(fastCos(value) - Math.cos(value)) < 1e-6, `cos ${value}`)
    assert.ok(Math.abs(fastTanh(value) - Math.tanh(value)) < 1e-6, `tanh ${value}`)
  }
  for (const [value, wanted] of [
    [0, 1],
    [-699, 0],
    [-1e9, 0],
    [Number.NEGATIVE_INFINITY, 0],
  ] as const)
    assert.ok(Math.abs(fastExp(value) - wanted) < 1e-12)
})
