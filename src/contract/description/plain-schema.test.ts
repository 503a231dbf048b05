import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainSchema } from './plain-schema.ts'

test('a union of types becomes one schema for each type, with its own keywords', () => {
  const schema = { type: ['string', 'array', 'null'], maxLength: 9, items: { type: 'string' }, maxItems: 4, description: 'Words.' }
  assert.deepEqual(plainSchema(schema), {
    description: 'Words.',
    anyOf: [{ type: 'string', maxLength: 9 }, { type: 'array', items: { type: 'string' }, maxItems: 4 }, { type: 'null' }],
  })
  assert.deepEqual(plainSchema({ type: ['string', 'null'], maxLength: 9 }), { type: ['string', 'null'], maxLength: 9 })
})

test('values state their type, and values of several types have a list for each', () => {
  assert.deepEqual(plainSchema({ enum: [6, 10] }), { type: 'integer', enum: [6, 10] })
  assert.deepEqual(plainSchema({ const: 'a' }), { type: 'string', const: 'a' })
  assert.deepEqual(plainSchema({ enum: ['auto', 5, 10] }), {
    anyOf: [
      { type: 'string', enum: ['auto'] },
      { type: 'integer', enum: [5, 10] },
    ],
  })
  assert.deepEqual(plainSchema({ enum: ['5', '10', 5, 10] }), { type: 'string', enum: ['5', '10'], description: 'Also as integer.' })
  assert.deepEqual(plainSchema({ type: ['string', 'null'], enum: ['a', null] }), { type: ['string', 'null'], enum: ['a', null] })
})

test('a schema that allows only null, true or false says so in words', () => {
  const properties = { a: { type: 'null', description: 'Nothing.' }, b: { type: 'null' } }
  assert.deepEqual(plainSchema({ type: 'object', properties }), {
    type: 'object',
    properties: { a: { description: 'Nothing. Always null.' }, b: { description: 'Always null.' } },
  })
  assert.deepEqual(plainSchema({ type: 'boolean', const: false }), { type: 'boolean', description: 'Always false.' })
})

test('a default is stated in words', () => {
  assert.deepEqual(plainSchema({ type: 'array', items: {}, default: [] }), { type: 'array', items: {}, description: 'Default: `[]`.' })
  assert.deepEqual(plainSchema({ type: 'integer', default: 3, description: 'Steps.' }), {
    type: 'integer',
    format: 'int64',
    description: 'Steps. Default: `3`.',
  })
})

test('a number that may need more than 32 bits states its width', () => {
  const small = { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }
  assert.deepEqual(plainSchema(small), small)
  assert.deepEqual(plainSchema({ type: 'integer', minimum: 0 }), { type: 'integer', format: 'int64', minimum: 0 })
  const seed = { type: 'integer', minimum: 0, maximum: 2 ** 32 - 1 }
  assert.deepEqual(plainSchema(seed), { ...seed, format: 'int64' })
  assert.deepEqual(plainSchema({ type: ['integer', 'null'], minimum: -(2 ** 63), maximum: 2 ** 63 }), {
    type: ['integer', 'null'],
    format: 'int64',
  })
  assert.deepEqual(plainSchema({ type: 'number', minimum: 0, maximum: 1 }), { type: 'number', format: 'double', minimum: 0, maximum: 1 })
  assert.deepEqual(plainSchema({ type: ['string', 'integer'], format: 'uri' }), {
    anyOf: [
      { type: 'string', format: 'uri' },
      { type: 'integer', format: 'int64' },
    ],
  })
})

test('fields that most languages give the same name are reduced to the first, and its description lists the others', () => {
  const taskId = { type: 'string', description: 'The task.' }
  const schema = {
    type: 'object',
    properties: { taskId, task_id: { type: 'string' }, status: {} },
    required: ['task_id', 'taskId', 'status'],
  }
  assert.deepEqual(plainSchema(schema), {
    type: 'object',
    properties: { taskId: { type: 'string', description: 'The task. Also as `task_id`.' }, status: {} },
    required: ['taskId', 'status'],
  })
  const different = { type: 'object', properties: { step: { type: 'integer' }, Step: { type: 'string' } } }
  assert.throws(() => plainSchema(different), /step and Step are one name in generated clients, and take different values/)
})
