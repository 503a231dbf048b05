import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TextEvent, TextItem } from '../text.ts'
import { TextOutput } from './text-output.ts'

function gathered(...events: TextEvent[]): TextItem[] {
  const output = new TextOutput()
  for (const event of events) output.add(event)
  return output.items()
}
const message = (...parts: Extract<TextItem, { type: 'message' }>['parts']): TextItem => ({ type: 'message', role: 'assistant', parts })

test('successive text is one part; a refusal is a separate part', () => {
  assert.deepEqual(gathered({ type: 'text', delta: 'I ' }, { type: 'text', delta: 'can' }, { type: 'refusal', delta: 'no' }), [
    message({ type: 'text', text: 'I can' }, { type: 'refusal', text: 'no' }),
  ])
  assert.deepEqual(gathered(), [])
})

test('calls that grow alternately keep their own input, and text after them is a new message', () => {
  const items = gathered(
    { type: 'text', delta: 'a' },
    { type: 'call', index: 0, kind: 'function', callId: 'c0', name: 'f' },
    { type: 'call', index: 1, kind: 'custom', callId: 'c1', name: 'g' },
    { type: 'call-input', index: 0, delta: '{"x"' },
    { type: 'call-input', index: 1, delta: 'raw' },
    { type: 'call-input', index: 0, delta: ':1}' },
    { type: 'text', delta: 'b' },
  )
  assert.deepEqual(items, [
    message({ type: 'text', text: 'a' }),
    { type: 'call', kind: 'function', callId: 'c0', name: 'f', input: '{"x":1}' },
    { type: 'call', kind: 'custom', callId: 'c1', name: 'g', input: 'raw' },
    message({ type: 'text', text: 'b' }),
  ])
})

test('reasoning comes before the output that it led to; its end closes it and stores what the upstream needs back', () => {
  const items = gathered(
    { type: 'reasoning', part: 'content', delta: 'th' },
    { type: 'reasoning', part: 'content', delta: 'ink' },
    { type: 'reasoning', part: 'summary', delta: 's' },
    { type: 'reasoning-end', encrypted: 'e', id: 'r1' },
    { type: 'reasoning', part: 'content', delta: 'more' },
    { type: 'text', delta: 'so' },
    { type: 'reasoning-end' },
    { type: 'text', delta: '!' },
  )
  assert.deepEqual(items, [
    { type: 'reasoning', summary: ['s'], content: ['think'], encrypted: 'e', id: 'r1' },
    { type: 'reasoning', summary: [], content: ['more'] },
    message({ type: 'text', text: 'so!' }),
  ])
})

test('input for a call that never began is an upstream error', () => {
  assert.throws(() => gathered({ type: 'call-input', index: 3, delta: 'x' }), { code: 'upstream_error' })
})
