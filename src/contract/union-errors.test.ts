/** Tests the error messages for fields that accept several forms. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GatewayError } from '@generation-gateway/kit/errors.ts'
import Type from 'typebox'
import { optional } from './schemas.ts'
import { checkObject } from './validate.ts'

const picture = Type.String({ maxLength: 5 })
const form = Type.Object({
  image: Type.Optional(Type.Union([picture, Type.Array(picture, { maxItems: 2 })])),
  chunking: Type.Optional(Type.Union([Type.Literal('auto'), Type.Object({ threshold: Type.Number({ maximum: 1 }) })])),
  size: Type.Optional(Type.Union([Type.Literal('small'), Type.Literal('large')])),
  parts: optional.array(Type.Union([Type.String(), Type.Array(Type.Union([Type.Number(), Type.Null()]))])),
})

const cases: [value: object, message: string][] = [
  [{ image: ['a', 'b', 'c'] }, 'image has 3 items; at most 2.'],
  [{ image: 'abcdef' }, 'image has 6 characters; at most 5.'],
  [{ image: ['abcdef'] }, 'image[0] has 6 characters; at most 5.'],
  [{ image: 7 }, 'image is 7; it must be string or array.'],
  [{ chunking: 'never' }, 'chunking is "never"; it must be "auto".'],
  [{ chunking: { threshold: 2 } }, 'chunking.threshold is 2; at most 1.'],
  [{ chunking: true }, 'chunking is true; it must be string or object.'],
  [{ size: 'huge' }, 'size is "huge"; it must be one of small, large.'],
  [{ parts: ['a', 5] }, 'parts[1] is 5; it must be string or array.'],
  [{ parts: [['a'], 5] }, 'parts[0][0] is "a"; it must be number or null. parts[1] is 5; it must be string or array.'],
]

for (const [value, message] of cases) {
  test(`${JSON.stringify(value)} is refused with the message for its own form`, () => {
    assert.throws(
      () => checkObject(form, value, 'body'),
      (error: GatewayError) => {
        assert.equal(error.message, message)
        return true
      },
    )
  })
}

test('a body with a hundred thousand mistakes is refused as fast as one with a few', () => {
  const parts = Array<number>(100_000).fill(5)
  const startedAt = process.cpuUsage()
  assert.throws(() => checkObject(form, { parts }, 'body'), /^GatewayError: parts\[0\] is 5/)
  const { user, system } = process.cpuUsage(startedAt)
  assert.ok(user + system < 500_000, `${user + system} µs of CPU`)
})
