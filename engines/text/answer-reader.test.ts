import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TextEvent, TextTool } from '@generation-gateway/kit/requests/text.ts'
import { leastCpuMs } from '@generation-gateway/kit/testing/cpu-time.ts'
import { AnswerReader } from './answer-reader.ts'
import { putTogether } from './testing/ask.ts'
import { TokenText } from './token-text.ts'

const tools: TextTool[] = [
  { kind: 'function', name: 'f' },
  { kind: 'custom', name: 'c' },
]
const call = (name: string, input: string, member = 'arguments'): string =>
  `<tool_call>\n{"name": "${name}", "${member}": ${input}}\n</tool_call>`

/** Passes the text to a reader in pieces of `size` characters, and returns the events that the
 *  reader emits, put together. */
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

test('no part of a stop string is sent, however the text is split', () => {
  for (const size of sizes) {
    assert.deepEqual([read('one STOPtwo', size, ['STOP']).text, read('one STOPtwo', size, ['STOP']).isStopped], ['one ', true])
    assert.equal(read('a STO b ST', size, ['STOP']).text, 'a STO b ST')
    // When several stop strings occur, the one that begins first ends the text; when two begin at
    // the same place, the longer one does.
    assert.equal(read('xabcd', size, ['cd', 'abc']).text, 'x')
    assert.equal(read('aab', size, ['ab']).text, 'a')
  }
})

test('calls are sent with their arguments as written, and custom input is sent unescaped', () => {
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

/** Answers that contain the same call of the tool `f` in different notations. `around` is the part
 *  of the answer that must be emitted as text. */
const forms: [text: string, around: string][] = [
  ['{"name": "f", "arguments": {"a": 1}}', ''],
  ['{"name":"f","arguments":{"a": 1}}', ''],
  ['{ "name" : "f" ,\n\t"arguments" : {"a": 1} }', ''],
  ['```json\n{\n  "name": "f",\n  "arguments": {"a": 1}\n}\n```', ''],
  ['```\n{"name": "f", "arguments": {"a": 1}}\n```\n', ''],
  ['```json\n[\n  {"name": "f", "arguments": {"a": 1}}\n]\n```', ''],
  ['```xml\n<tool_call>\n{"name": "f", "arguments": {"a": 1}}\n</tool_call>\n```', ''],
  ['I will look. {"name": "f", "arguments": {"a": 1}}', 'I will look. '],
  ['Sure:\n\n```json\n{"name": "f", "arguments": {"a": 1}}\n```\nDone.', 'Sure:\n\nDone.'],
  ['Like ```js\nlet a = {}\n``` so: ```json\n{"name": "f", "arguments": {"a": 1}}\n```', 'Like ```js\nlet a = {}\n``` so: '],
  ['```\n// A call:\n{"name": "f", "arguments": {"a": 1}}\n```', '```\n// A call:\n```'],
  ['{"arguments": {"a": 1}, "name": "f"}', ''],
  ['```json\n{\n  "arguments": {"a": 1},\n  "name": "f"\n}\n```', ''],
  ['{"name": "x", "at": {"name": "f", "arguments": {"a": 1}}', '{"name": "x", "at": '],
]

test('a call of a declared tool is recognised in every place and form, and no part of it is sent as text', () => {
  for (const [text, around] of forms) {
    for (const size of sizes) {
      const answer = read(text, size)
      assert.deepEqual(
        answer.calls.map(({ name, input }) => [name, input]),
        [['f', '{"a": 1}']],
        `${text} by ${size}`,
      )
      assert.equal(answer.text, around, `${text} by ${size}`)
    }
  }
})

test('the input of a custom tool is sent as text, also if the model writes it as an argument', () => {
  for (const text of ['{"name": "c", "input": "a\\nb"}', '```json\n{"name": "c", "arguments": {\n  "input": "a\\nb"\n}}\n```']) {
    for (const size of sizes) {
      const { calls, text: said } = read(text, size)
      assert.deepEqual([calls.map(({ kind, input }) => [kind, input]), said], [[['custom', 'a\nb']], ''], `${text} by ${size}`)
    }
  }
})

test('several calls are read from one fence, one list or one after another', () => {
  const [one, two] = ['{"name": "f", "arguments": {"a": 1}}', '{"name": "f", "arguments": {"a": 2}}']
  for (const text of [
    `${one}\n${two}`,
    `\`\`\`json\n${one}\n${two}\n\`\`\``,
    `\`\`\`json\n[${one}, ${two}]\n\`\`\``,
    `\`\`\`json\n${one}\n\`\`\`\n\n\`\`\`json\n${two}\n\`\`\``,
    `<tool_call>\n${one}\n</tool_call>\n<tool_call>\n${two}\n</tool_call>`,
  ]) {
    for (const size of sizes) {
      const answer = read(text, size)
      assert.deepEqual([answer.calls.map(({ input }) => input), answer.text], [['{"a": 1}', '{"a": 2}'], ''], `${text} by ${size}`)
    }
  }
})

const noCalls = [
  'An example: ```json\n{"name": "Ada", "arguments": {"a": 1}}\n``` and so on.',
  '```json\n{\n  "name": "f",\n  "description": "a tool"\n}\n```',
  '{"name": "f"}',
  '{"name": "f", "arguments": "none"}',
  '{"name": "ff", "arguments": {}}',
  '[1, 2, {"a": {}}] and {"arguments": {"a": 1}} and {"arguments": {"a": 1}, "name": "g"}',
  '{"arguments": {no json}, "name": "f"}',
  'if (a < b) { c() } ``` ```` `x` {{ [[ <tool_calls> <<tool',
  '```python\nprint({"name": "g"})\n```\n\n```\n{}\n```',
  'ends with ```json\n{"na',
  '{"arguments": {"a": ',
]

test('JSON that calls no declared tool is text, byte for byte', () => {
  for (const text of noCalls) {
    for (const size of sizes) assert.deepEqual([read(text, size).text, read(text, size).calls], [text, []], `${text} by ${size}`)
  }
})

test('text is held back only while it may be the beginning of a call', () => {
  const reader = new AnswerReader([], tools)
  const feed = (text: string): string => putTogether(reader.feed(text)).text
  assert.deepEqual(['So ', '`', '``json\n', '{ "name"', ': "', 'g', ' {"x'].map(feed), [
    'So ',
    '',
    '',
    '',
    '',
    '```json\n{ "name": "g',
    ' {"x',
  ])
})

test('a call that is cut off before its arguments is dropped, and one cut off in its arguments is sent as far as it goes', () => {
  for (const size of sizes) {
    for (const begun of ['<tool_call>\n{"na', '```json\n{"name": "f", "argum'])
      assert.deepEqual(read(`Well. ${begun}`, size).text, 'Well. ')
    const cut = read('{"name": "f", "arguments": {"a": "b', size)
    assert.deepEqual([cut.text, cut.calls[0]], ['', { ...Object(cut.calls[0]), input: '{"a": "b' }])
  }
})

test('a call of a strict tool needs its name first, because only then its schema is enforced', () => {
  const strict: TextTool[] = [{ kind: 'function', name: 'f', strict: true }]
  for (const size of sizes) {
    assert.equal(read('{"arguments": {}, "name": "f"}', size, [], strict).text, '{"arguments": {}, "name": "f"}')
    assert.equal(read('{"name": "f", "arguments": {}}', size, [], strict).calls.length, 1)
  }
})

test('an answer that begins with a call of an undeclared tool is reported, and nothing of it is sent', () => {
  const misnamed = (text: string, size: number): [isMisnamed: boolean, text: string] => {
    const reader = new AnswerReader([], tools, { withUndeclared: true })
    const events: TextEvent[] = []
    for (let at = 0; at < text.length && !reader.isMisnamed; at += size) events.push(...reader.feed(text.slice(at, at + size)))
    events.push(...reader.end())
    return [reader.isMisnamed, putTogether(events).text]
  }
  for (const size of sizes) {
    for (const name of ['g', 'ff', 'fa b', '', 'src/main.py']) {
      for (const before of ['', '```json\n', '[', '<tool_call>\n'])
        assert.deepEqual(misnamed(`${before}{"name": "${name}", "arguments": {"a": 1}}`, size)[0], true, `${before}${name} by ${size}`)
      assert.equal(misnamed(`{"name": "${name}", "arguments": {"a": 1}}`, size)[1], '')
    }
    for (const text of [
      '{"name": "Ada", "age": 36}',
      '```json\n{"name": "Ada"}\n```',
      'So: {"name": "g", "arguments": {}}',
      '{"arguments": {}, "name": "g"}',
      '{"name": "g',
    ])
      assert.deepEqual(misnamed(text, size), [false, text], `${text} by ${size}`)
    assert.deepEqual(misnamed('{"name": "f", "arguments": {"a": 1}}', size), [false, ''])
  }
})

test('with a JSON format only the call marker begins a call', () => {
  const body = '{"name": "f", "arguments": {"a": 1}}'
  const whole = (text: string): ReturnType<typeof putTogether> => {
    const reader = new AnswerReader([], tools, { isMarked: true })
    return putTogether([...reader.feed(text), ...reader.end()])
  }
  assert.deepEqual([whole(body).text, whole(body).calls.length], [body, 0])
  assert.deepEqual([whole(`<tool_call>\n${body}\n</tool_call>`).text, whole(`<tool_call>\n${body}\n</tool_call>`).calls.length], ['', 1])
})

test('a stop string ends the answer before a call, and is ignored inside a call', () => {
  for (const size of sizes) {
    const before = read('a STOP {"name": "f", "arguments": {}}', size, ['STOP'])
    assert.deepEqual([before.text, before.calls.length, before.isStopped], ['a ', 0, true])
    const within = read('```json\n{"name": "f", "arguments": {"a": "STOP"}}\n```', size, ['STOP', '\n', '```'])
    assert.deepEqual([within.text, within.calls.length], ['', 1])
    assert.deepEqual(read('say ```js\n1', size, ['```']).text, 'say ')
  }
})

test('the reading time is linear in the length of the text, for any text and any split', () => {
  for (const part of [
    '{"name": ',
    '```',
    '```json\n',
    '{"arguments": {',
    '{ ',
    '[',
    '<tool_call>',
    '{"name": "f"',
    ' ',
    'STO',
    '{"arguments": {}',
  ]) {
    const text = part.repeat(Math.ceil(65_536 / part.length))
    const ms = leastCpuMs(() => read(text, 1, ['STOP', `${'STO'.repeat(20)}x`]), 1500)
    assert.ok(ms < 1500, `${part}: ${ms.toFixed(0)} ms`)
  }
})

test('without tools the call marker is text', () => {
  assert.equal(read('<tool_call> is a mark', 4, [], []).text, '<tool_call> is a mark')
})

test('a character that is split over several tokens is sent whole', () => {
  const bytes = [...Buffer.from('aé🎉z')]
  const model = { detokenize: (tokens: readonly number[]) => Buffer.from(tokens).toString() }
  const text = new TokenText(model)
  const pieces = bytes.map(byte => text.push(byte))
  assert.deepEqual(pieces, ['a', '', 'é', '', '', '', '🎉', 'z'])
  assert.equal(text.end(), '')
})
