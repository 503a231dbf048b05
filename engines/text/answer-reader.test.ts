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

test('nothing of a stop string comes out, however the text is cut', () => {
  for (const size of sizes) {
    assert.deepEqual([read('one STOPtwo', size, ['STOP']).text, read('one STOPtwo', size, ['STOP']).isStopped], ['one ', true])
    assert.equal(read('a STO b ST', size, ['STOP']).text, 'a STO b ST')
    // When several stop strings occur, the one that begins first ends the text; when two begin at
    // the same place, the longer one does.
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

test('a call of a declared tool is one wherever and however it is written, and nothing of it is text', () => {
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

test('what a call of a custom tool is given comes out as text, also as the argument that the tool is declared with', () => {
  for (const text of ['{"name": "c", "input": "a\\nb"}', '```json\n{"name": "c", "arguments": {\n  "input": "a\\nb"\n}}\n```']) {
    for (const size of sizes) {
      const { calls, text: said } = read(text, size)
      assert.deepEqual([calls.map(({ kind, input }) => [kind, input]), said], [[['custom', 'a\nb']], ''], `${text} by ${size}`)
    }
  }
})

test('several calls are read out of one fence, one list and one after the other', () => {
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

test('JSON that is no call of a declared tool is text, byte for byte', () => {
  for (const text of noCalls) {
    for (const size of sizes) assert.deepEqual([read(text, size).text, read(text, size).calls], [text, []], `${text} by ${size}`)
  }
})

test('text is held back only while a call may still begin in it', () => {
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

test('a call that was cut off before its arguments is no text, and one in its arguments is cut there', () => {
  for (const size of sizes) {
    for (const begun of ['<tool_call>\n{"na', '```json\n{"name": "f", "argum'])
      assert.deepEqual(read(`Well. ${begun}`, size).text, 'Well. ')
    const cut = read('{"name": "f", "arguments": {"a": "b', size)
    assert.deepEqual([cut.text, cut.calls[0]], ['', { ...Object(cut.calls[0]), input: '{"a": "b' }])
  }
})

test('a strict tool is called only with its name first, where its arguments are held', () => {
  const strict: TextTool[] = [{ kind: 'function', name: 'f', strict: true }]
  for (const size of sizes) {
    assert.equal(read('{"arguments": {}, "name": "f"}', size, [], strict).text, '{"arguments": {}, "name": "f"}')
    assert.equal(read('{"name": "f", "arguments": {}}', size, [], strict).calls.length, 1)
  }
})

test('an answer that begins with a call of a tool that was not declared is told of, and nothing of it comes out', () => {
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

test('beside a JSON format only the mark begins a call', () => {
  const body = '{"name": "f", "arguments": {"a": 1}}'
  const whole = (text: string): ReturnType<typeof putTogether> => {
    const reader = new AnswerReader([], tools, { isMarked: true })
    return putTogether([...reader.feed(text), ...reader.end()])
  }
  assert.deepEqual([whole(body).text, whole(body).calls.length], [body, 0])
  assert.deepEqual([whole(`<tool_call>\n${body}\n</tool_call>`).text, whole(`<tool_call>\n${body}\n</tool_call>`).calls.length], ['', 1])
})

test('a stop string ends the answer before a call, and is not looked for in one', () => {
  for (const size of sizes) {
    const before = read('a STOP {"name": "f", "arguments": {}}', size, ['STOP'])
    assert.deepEqual([before.text, before.calls.length, before.isStopped], ['a ', 0, true])
    const within = read('```json\n{"name": "f", "arguments": {"a": "STOP"}}\n```', size, ['STOP', '\n', '```'])
    assert.deepEqual([within.text, within.calls.length], ['', 1])
    assert.deepEqual(read('say ```js\n1', size, ['```']).text, 'say ')
  }
})

test('reading takes time in proportion to the text, whatever it is and however it is cut', () => {
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
