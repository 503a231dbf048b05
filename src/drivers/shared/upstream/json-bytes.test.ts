import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasLongString, jsonBytes, jsonText } from './json-bytes.ts'

const limit = 2 ** 21

test('long strings have the bytes that JSON.stringify gives them once well-formed, however they are split', async () => {
  for (const text of [
    'a'.repeat(2 * limit),
    `${'a'.repeat(limit - 1)}\u{1f600}b`,
    '\u{1f600}'.repeat(limit),
    '\ud83d'.repeat(limit + 1),
    `"\\\n\u0001${'é'.repeat(limit)}`,
    `${'a'.repeat(limit)}\ud83d`,
  ]) {
    const value = { list: [1, null, true, { text }, text], short: 'x@0@', '"quoted"': text.slice(0, -1), none: {} }
    assert.ok(hasLongString(value))
    assert.ok((await jsonBytes(value)).equals(Buffer.from(jsonText(value))))
  }
})

test('a string of exactly the limit does not count as long', () => {
  assert.equal(hasLongString({ a: [{ b: 'a'.repeat(limit) }], c: 1, d: null }), false)
  assert.equal(hasLongString({ a: [{ b: 'a'.repeat(limit + 1) }] }), true)
})
