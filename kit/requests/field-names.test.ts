import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GatewayError } from '../errors.ts'
import { about, errorIn, nameIn, sentenceIn } from './field-names.ts'

const words = { image: 'input_image', expandPrompt: 'prompt_upsampling' }

test("a neutral name is replaced by the caller's word, and stays when there is none", () => {
  assert.deepEqual(
    ['image', 'expandPrompt', 'seed', 'toString'].map(field => nameIn(words, field)),
    ['input_image', 'prompt_upsampling', 'seed', 'toString'],
  )
})

test('only the name at the beginning of a sentence is replaced', () => {
  assert.equal(sentenceIn(words, about('image', 'an image: too large.')), 'input_image: an image: too large.')
  for (const sentence of ['The image: none.', 'image is none.', 'images: none.', ': none.', 'seed: none.', ''])
    assert.equal(sentenceIn(words, sentence), sentence)
})

test('the other members of an error stay', () => {
  const cause = new Error('why')
  const details = { reasons: ['x'], retryAfterSeconds: 7, subject: 's', wire: { code: null, type: 't', param: null }, cause }
  const error = errorIn(words, new GatewayError('not_implemented', about('image', 'none.'), { field: 'image', ...details }))
  const { code, message, field, reasons, retryAfterSeconds, subject, wire } = error
  assert.deepEqual([code, message, field], ['not_implemented', 'input_image: none.', 'input_image'])
  assert.deepEqual({ reasons, retryAfterSeconds, subject, wire, cause: error.cause }, details)
  const other = new GatewayError('draining', 'image: the gateway is stopping.')
  assert.equal(errorIn(words, other), other)
})
