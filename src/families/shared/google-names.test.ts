import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leastCpuMs } from '@generation-gateway/kit/testing/cpu-time.ts'
import { inCamelCase } from './google-names.ts'

test('a member __proto__ does not become the prototype of the body', () => {
  const body = inCamelCase(JSON.parse('{"contents":[],"__proto__":{"generation_config":{"max_output_tokens":1}}}')) as object
  assert.equal(Object.getPrototypeOf(body), Object.prototype)
  assert.equal(Reflect.get(body, 'generationConfig'), undefined)
})

test('two names that become the same name are refused with their path, in whatever order', () => {
  const both = [
    { generation_config: {}, generationConfig: {} },
    { generationConfig: {}, generation_config: {} },
  ]
  for (const config of both) {
    const refused = { code: 'invalid_request', field: 'requests[1].content.generation_config' }
    assert.throws(() => inCamelCase({ requests: [{}, { content: config }] }), refused)
  }
  assert.throws(() => inCamelCase({ parts: { mime_type_x: 1, mime_typeX: 2 } }), { code: 'invalid_request', field: 'parts.mime_typeX' })
})

test('names are converted in place; names that no service knows, and names chosen by callers, stay', () => {
  const long = 'a_'.repeat(33)
  const body = { a: 1, b_2c: { inner_name: [1, { _x_y_: 2 }] }, Name_x: 3, args: { own_name: 4 }, [long]: 5, z: 6 }
  const renamed = inCamelCase(body)
  assert.deepEqual(Object.entries(renamed as object), [
    ['a', 1],
    ['b2c', { innerName: [1, { _xY_: 2 }] }],
    ['NameX', 3],
    ['args', { own_name: 4 }],
    [long, 5],
    ['z', 6],
  ])
})

test('the time to convert names grows linearly with their number and length', () => {
  const names = (count: number, words: number) => Array.from({ length: count }, (_, at) => `"${'a_'.repeat(words)}${at}":1`).join(',')
  for (const [count, words, budgetMs] of [
    [80_000, 24, 300],
    [1, 2_000_000, 50],
  ] as const) {
    const body = JSON.parse(`{${names(count, words)}}`)
    const tookMs = leastCpuMs(() => inCamelCase(body), budgetMs)
    assert.ok(tookMs < budgetMs, `${count} names of ${words} words: ${Math.round(tookMs)} ms`)
  }
})
