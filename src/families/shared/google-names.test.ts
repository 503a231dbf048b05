import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inCamelCase } from './google-names.ts'

test('a member __proto__ does not become the prototype of the body', () => {
  const body = inCamelCase(JSON.parse('{"contents":[],"__proto__":{"generation_config":{"max_output_tokens":1}}}')) as object
  assert.equal(Object.getPrototypeOf(body), Object.prototype)
  assert.equal(Reflect.get(body, 'generationConfig'), undefined)
})
