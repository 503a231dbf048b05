import assert from 'node:assert/strict'
import { test } from 'node:test'
import { effortFields } from './text-common-request.ts'

test('an effort is the field of the dialect: with three steps, the least ones turn thinking off', () => {
  const off = { chat_template_kwargs: { enable_thinking: false } }
  const ark = { thinking: { type: 'disabled' } }
  for (const [effort, openai, plain, ofArk] of [
    ['none', 'none', off, ark],
    ['minimal', 'minimal', off, ark],
    ['low', 'low', 'low', 'low'],
    ['medium', 'medium', 'medium', 'medium'],
    ['high', 'high', 'high', 'high'],
    ['xhigh', 'xhigh', 'high', 'high'],
    ['max', 'max', 'high', 'high'],
  ] as const) {
    assert.deepEqual(effortFields(effort, 'openai', 'chat'), { reasoning_effort: openai })
    assert.deepEqual(effortFields(effort, 'openai', 'responses'), { reasoning: { effort: openai } })
    assert.deepEqual(effortFields(effort, 'basic', 'chat'), typeof plain === 'string' ? { reasoning_effort: plain } : plain)
    assert.deepEqual(effortFields(effort, 'ark', 'responses'), typeof ofArk === 'string' ? { reasoning: { effort: ofArk } } : ofArk)
  }
  assert.deepEqual(effortFields(undefined, 'ark', 'chat'), {})
})
