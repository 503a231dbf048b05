import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawable } from './fonts.ts'

test('a title loses only the characters that the fonts cannot draw', () => {
  assert.equal(drawable('Café à la carte in Łódź'), 'Café à la carte in Lódz')
  assert.equal(drawable('回家的路'), '回家的路')
  assert.equal(drawable('さくら きょう'), 'さくら きょう')
  assert.equal(drawable('Đường về nhà'), 'Đường về nhà')
  assert.equal(drawable('Emoji 😀 night'), 'Emoji night')
  assert.equal(drawable('👩‍👩‍👧'), '')
})
