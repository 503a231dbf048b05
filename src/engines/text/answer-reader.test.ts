import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TextEvent, TextTool } from '../../core/requests/text.ts'
import { AnswerReader } from './answer-reader.ts'
import { Lockstep } from './lockstep.ts'
import { putTogether } from './testing/ask.ts'
import { TokenText } from './token-text.ts'

const tools: TextTool[] = [
  { kind: 'function', name: 'f' },
  { kind: 'custom', name: 'c' },
]
const call = (name: string, input: string, member = 'arguments'): string =>
  `<tool_call>\n{"name": "${name}", "${member}": ${input}}\n</tool_call>`

/** Feeds the text in pieces of this length. */
function read(
  text: string,
  size: number,
  stops: string[] = [],
  given = tools,
): ReturnType<typeof putTogether> & { isStopped: boolean; calls: unknown[] } {
  const reader = new AnswerReader(stops, given)
  const events: TextEvent[] = []
  for (let at = 0; at < text.length && !reader.isStopped; at += size) events.push(...reader.feed(text.slice(at, at + size)))
  if (!reader.isStopped) events.push(...reader.end())
  return { ...putTogether(events), isStopped: reader.isStopped }
}

const sizes = [1, 2, 3, 5, 8, 13, 1000]

test('nothing of a stop string comes out, however the text is cut', () => {
  for (const size of sizes) {
    assert.deepEqual([read('one STOPtwo', size, ['STOP']).text, read('one STOPtwo', size, ['STOP']).isStopped], ['one ', true])
    assert.equal(read('a STO b ST', size, ['STOP']).text, 'a STO b ST')
    // The longer of two that begin at one place, and the earlier of two.
    assert.equal(read('xabcd', size, ['cd', 'abc']).text, 'x')
    assert.equal(read('aab', size, ['ab']).text, 'a')
  }
})

test('calls come out with their arguments as written, and custom input as the text it stands for', () => {
  const text = `Look:\n${call('f', '{"a": "}\\"{", "b": {"c": []}}')}\n${call('c', '"a \\"b\\"\\n\\\\ \\u00e9"', 'input')}`
  for (const size of sizes) {
    const answer = read(text, size)
    assert.equal(answer.text.trim(), 'Look:')
    assert.deepEqual(
      answer.calls.map(({ name, kind, input }) => ({ name, kind, input })),
      [
        { name: 'f', kind: 'function', input: '{"a": "}\\"{", "b": {"c": []}}' },
        { name: 'c', kind: 'custom', input: 'a "b"\n\\ é' },
      ],
    )
  }
})

test('a call that repeats an earlier one is dropped and ends the answer', () => {
  for (const size of sizes) {
    const answer = read(`${call('f', '{}')}\n${call('f', '{"a": 1}')}\n${call('f', '{}')}\n${call('f', '{"a": 2}')}`, size)
    assert.deepEqual(
      answer.calls.map(({ input }) => input),
      ['{}', '{"a": 1}'],
    )
    assert.ok(answer.isStopped)
  }
})

test('an answer that begins with a JSON block is a call; a block later on is text', () => {
  for (const size of sizes) {
    assert.deepEqual(
      [
        read('```json\n{"name": "f", "arguments": {"a": 1}}\n```', size).calls.length,
        read('```json\n{"name": "f", "arguments": {"a": 1}}\n```', size).text,
      ],
      [1, ''],
    )
    assert.equal(read('So: ```json\n{}\n```', size).text, 'So: ```json\n{}\n```')
  }
})

test('without tools the mark of a call is text', () => {
  assert.equal(read('<tool_call> is a mark', 4, [], []).text, '<tool_call> is a mark')
})

test('a character split over tokens comes out whole', () => {
  const bytes = [...Buffer.from('aé🎉z')]
  const model = { detokenize: (tokens: readonly number[]) => Buffer.from(tokens).toString() }
  const text = new TokenText(model)
  const pieces = bytes.map(byte => text.push(byte))
  assert.deepEqual(pieces, ['a', '', 'é', '', '', '', '🎉', 'z'])
  assert.equal(text.end(), '')
})

test('members of a lockstep wait for one another, and not for those who left', async () => {
  const widths: number[] = []
  const lockstep = new Lockstep(width => widths.push(width))
  lockstep.join()
  lockstep.join()
  const order: string[] = []
  const one = lockstep.ready().then(() => order.push('one'))
  order.push('waiting')
  const two = lockstep.ready().then(() => order.push('two'))
  await Promise.all([one, two])
  assert.deepEqual(order, ['waiting', 'one', 'two'])
  const last = lockstep.ready()
  lockstep.leave()
  await last
  assert.deepEqual(widths, [2, 1])
})
