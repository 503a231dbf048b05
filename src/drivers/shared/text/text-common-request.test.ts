import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defined } from '@generation-gateway/kit/defined.ts'
import type { ReasoningEffort } from '@generation-gateway/kit/requests/text.ts'
import { effortFields } from './text-common-request.ts'
import type { Dialect } from './text-target.ts'

let told: string[] = []

function fields(effort: ReasoningEffort | undefined, dialect: Dialect, protocol: 'chat' | 'responses', budgetTokens?: number) {
  told = []
  return effortFields(
    { reasoning: defined({ effort, budgetTokens }) },
    {
      dialect,
      kind: { protocol },
      leaveOut: (field, says) => told.push(`${field}: ${says}`),
    },
  )
}

test('an effort becomes the field of the dialect: with three steps, the lowest ones turn thinking off', () => {
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
    assert.deepEqual(fields(effort, 'openai', 'chat'), { reasoning_effort: openai })
    assert.deepEqual(fields(effort, 'openai', 'responses'), { reasoning: { effort: openai } })
    assert.deepEqual(fields(effort, 'basic', 'chat'), typeof plain === 'string' ? { reasoning_effort: plain } : plain)
    assert.deepEqual(fields(effort, 'ark', 'responses'), typeof ofArk === 'string' ? { reasoning: { effort: ofArk } } : ofArk)
  }
  assert.deepEqual(fields(undefined, 'ark', 'chat'), {})
})

test('a changed effort, and a number of tokens that becomes an effort, are reported', () => {
  for (const effort of ['none', 'low', 'high'] as const) {
    fields(effort, 'basic', 'chat')
    assert.deepEqual(told, [])
  }
  fields('max', 'openai', 'chat')
  assert.deepEqual(told, [])
  fields('max', 'basic', 'chat')
  assert.deepEqual(told, ['reasoning: the model does not know the effort max and gets high.'])
  fields('minimal', 'ark', 'responses')
  assert.deepEqual(told, ['reasoning: the model does not know the effort minimal and gets none.'])
  fields('low', 'openai', 'responses', 3_000)
  assert.deepEqual(told, ['reasoning: the model accepts no number of tokens and gets the effort low.'])
  fields(undefined, 'openai', 'responses', 3_000)
  assert.deepEqual(told, ['reasoning: the model accepts no number of tokens.'])
})

test('0 tokens turn thinking off, whatever the effort is', () => {
  assert.deepEqual(fields('high', 'openai', 'chat', 0), { reasoning_effort: 'none' })
  assert.deepEqual(fields('high', 'basic', 'chat', 0), { chat_template_kwargs: { enable_thinking: false } })
  assert.deepEqual(fields(undefined, 'ark', 'responses', 0), { thinking: { type: 'disabled' } })
  assert.deepEqual(told, [])
})
