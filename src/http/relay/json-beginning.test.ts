import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginningOf } from './json-beginning.ts'

const whole = {
  id: 'a\\"',
  n: [1, { x: 'y\\\\' }, [null, true]],
  error: { message: 'é"\\', code: -1.5 },
  choices: [{ message: { content: 'ü' } }],
}

test('every incomplete object is read, up to the bytes that have arrived', () => {
  const bytes = Buffer.from(JSON.stringify(whole).replace('ü', '\\u00fc'))
  for (let end = 1; end <= bytes.length; end++) {
    const value = beginningOf(bytes.subarray(0, end))
    assert.ok(typeof value === 'object' && value !== null, `${end}: ${bytes.subarray(0, end)}`)
    for (const name of Object.keys(value)) assert.ok(name in whole, name)
  }
  assert.deepEqual(beginningOf(bytes), { ...whole })
})

test('an incomplete text is read as far as it has arrived', () => {
  assert.deepEqual(beginningOf(Buffer.from('{"error":{"message":"no mor')), { error: { message: 'no mor' } })
  assert.deepEqual(beginningOf(Buffer.from('{"choices":[{"message":{"role":"assistant","conte')), {
    choices: [{ message: { role: 'assistant' } }],
  })
  assert.deepEqual(beginningOf(Buffer.from('{"choices":[')), { choices: [] })
})

test('text that is no JSON is undefined', () => {
  for (const text of ['', '<html>', 'x{}', '{}}']) assert.equal(beginningOf(Buffer.from(text)), undefined, text)
})
