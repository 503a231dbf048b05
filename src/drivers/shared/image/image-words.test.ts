import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { fieldsNamed, fluxWords, refusalNamed } from './image-words.ts'

const sides = { width: 64, height: 64 }
const ratio = { ...sides, aspectRatio: '1:1' }

test('field names of an upstream become fields of the request; a size becomes the field that the caller used', () => {
  assert.deepEqual(fieldsNamed(fluxWords, ['seed', 'input_image', 'steps', 'seed'], sides), ['seed', 'image'])
  assert.deepEqual(fieldsNamed(fluxWords, ['height'], sides), ['height'])
  for (const word of ['size', 'aspect_ratio']) assert.deepEqual(fieldsNamed(fluxWords, [word], sides), ['width', 'height'])
  for (const word of ['size', 'width', 'height']) assert.deepEqual(fieldsNamed(fluxWords, [word], ratio), ['aspectRatio'])
  assert.deepEqual(fieldsNamed(fluxWords, ['size'], {}), ['aspectRatio'], 'an edit without a size has the ratio of its input')
})

test('a refusal of an upstream has neutral field names', () => {
  const refusal = new GatewayError('invalid_request', 'output_format: not this one', { field: 'output_format' })
  const named = refusalNamed(fluxWords, refusal, sides)
  assert.ok(named instanceof GatewayError)
  assert.deepEqual([named.code, named.field, named.message], ['invalid_request', 'format', 'format: not this one'])
  const own = refusalNamed(fluxWords, new GatewayError('invalid_request', 'raw: unknown', { field: 'raw' }), sides)
  assert.ok(own instanceof GatewayError)
  assert.deepEqual([own.field, own.message], [undefined, 'raw: unknown'])
  const other = new GatewayError('overloaded', 'Busy.')
  assert.equal(refusalNamed(fluxWords, other, sides), other)
})
