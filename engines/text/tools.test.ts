/** Tests which tools the engine's default model calls, and with which inputs. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { TextRequest, TextTool } from '@generation-gateway/kit/requests/text.ts'
import { ask, firstCall, needsModel as needs, note, openDriver, request, weather } from './testing/ask.ts'

const driver = openDriver()
after(() => driver.close?.())

const clock: TextTool = {
  kind: 'function',
  name: 'get_time',
  parameters: { type: 'object', properties: { zone: { type: 'string', maxLength: 20 } } },
}

test('a required tool is called once, with valid arguments', needs, async () => {
  const { calls, result, text } = await ask(
    driver,
    request('What is the weather in Paris?', { tools: [clock, weather], toolChoice: { mode: 'required', only: ['get_weather'] } }),
  )
  assert.equal(calls.length, 1)
  assert.match(calls[0]?.callId ?? '', /^call_[A-Za-z0-9]{24}$/)
  assert.equal(calls[0]?.name, 'get_weather')
  const given: { city: string; unit: string } = JSON.parse(calls[0]?.input ?? '')
  assert.equal(given.city, 'Paris')
  assert.ok(['celsius', 'fahrenheit'].includes(given.unit))
  assert.equal(text, '')
  assert.equal(result.finish, 'tool_calls')
})

test('only an allowed tool is ever called, whatever the seed', needs, async () => {
  const choice = { tools: [weather, clock, note], toolChoice: { mode: 'required' as const, only: ['get_time', 'note'] }, temperature: 1.2 }
  for (let seed = 0; seed < 3; seed += 1) {
    const name = await firstCall(driver, request('What is the weather?', { ...choice, seed }))
    assert.ok(['get_time', 'note'].includes(name ?? ''), `seed ${seed}: ${name}`)
  }
})

test('a custom tool with a grammar gets a text that matches it', needs, async () => {
  const date: TextTool = { kind: 'custom', name: 'set_date', grammar: { syntax: 'regex', definition: '\\d{4}-\\d{2}-\\d{2}' } }
  const sum: TextTool = {
    kind: 'custom',
    name: 'sum',
    grammar: { syntax: 'lark', definition: 'start: INT ("+" INT)~1..2 "\\n"\n%import common.INT' },
  }
  const choice = { toolChoice: { mode: 'required' } as const, parallelToolCalls: false, maxOutputTokens: 80 }
  const dated = await ask(driver, request('Set the date to 2024-05-06.', { tools: [date], ...choice }))
  assert.deepEqual([dated.calls[0]?.kind, dated.calls[0]?.input], ['custom', '2024-05-06'])
  const summed = await ask(driver, request('Sum 3 and 4.', { tools: [sum], ...choice, temperature: 1, seed: 4 }))
  if (summed.result.finish === 'tool_calls') assert.match(summed.calls[0]?.input ?? '', /^\d+(\+\d+){1,2}\n$/)
  else assert.match(summed.calls[0]?.input ?? '', /^[\d+]*$/)
})

test('with tool_choice none, and with auto on small talk, the answer is text', needs, async () => {
  for (const mode of ['none', 'auto'] as const) {
    const { calls, text } = await ask(driver, request('Say hello.', { tools: [weather], toolChoice: { mode }, maxOutputTokens: 20 }))
    assert.equal(calls.length, 0)
    assert.match(text, /hello/i)
  }
})

/** Returns a request that asks the model to repeat this text. */
function repeated(text: string, more: Partial<TextRequest>): TextRequest {
  const message = (role: 'user' | 'assistant', said: string) => ({
    type: 'message' as const,
    role,
    parts: [{ type: 'text' as const, text: said }],
  })
  const items = [message('user', 'Repeat this: {"a": 1}'), message('assistant', '{"a": 1}'), message('user', `Repeat this: ${text}`)]
  return request('', { items, maxOutputTokens: 60, ...more })
}

const cityTool: TextTool = {
  kind: 'function',
  name: 'get_weather',
  parameters: { type: 'object', properties: { city: { type: 'string', maxLength: 20 } }, required: ['city'] },
}

test('a call in the answer is recognised in every form; other JSON stays text', needs, async () => {
  const fenced = '```json\n{\n  "name": "get_weather",\n  "arguments": {\n    "city": "Paris"\n  }\n}\n```'
  for (const text of [fenced, '{"name": "get_weather", "arguments": {"city": "Paris"}}']) {
    assert.equal((await ask(driver, repeated(text, {}))).text, text, 'the model repeats it')
    const answer = await ask(driver, repeated(text, { tools: [cityTool] }))
    assert.deepEqual([answer.text, answer.calls.length, answer.result.finish], ['', 1, 'tool_calls'])
    assert.deepEqual([answer.calls[0]?.name, JSON.parse(answer.calls[0]?.input ?? '')], ['get_weather', { city: 'Paris' }])
  }
  for (const text of ['{"name": "Paris", "age": 36}', '{"name": "get_weather", "description": "Paris"}']) {
    const answer = await ask(driver, repeated(text, { tools: [cityTool] }))
    assert.deepEqual([answer.text, answer.calls.length, answer.result.finish], [text, 0, 'stop'])
  }
})

test('an answer that begins with a call of an unknown tool is generated again as a call of a known one', needs, async () => {
  const text = '{"name": "foo", "arguments": {"city": "Paris"}}'
  const none = { tools: [cityTool], toolChoice: { mode: 'none' as const } }
  assert.match((await ask(driver, repeated(text, none))).text, /^\{"name": "(?!get_weather)[^"]*", "arguments": \{/)
  const { calls, text: said, result } = await ask(driver, repeated(text, { tools: [cityTool] }))
  assert.deepEqual([said, calls.length, result.finish], ['', 1, 'tool_calls'])
  assert.deepEqual([calls[0]?.name, JSON.parse(calls[0]?.input ?? '')], ['get_weather', { city: 'Paris' }])
})

test('a conversation with calls and results continues after them', needs, async () => {
  const { text } = await ask(driver, {
    ...request(''),
    tools: [weather],
    toolChoice: { mode: 'none' },
    items: [
      { type: 'message', role: 'developer', parts: [{ type: 'text', text: 'Answer in one short sentence.' }] },
      { type: 'message', role: 'user', parts: [{ type: 'text', text: 'What is the weather in Oslo?' }] },
      { type: 'call', kind: 'function', callId: 'call_1', name: 'get_weather', input: '{"city": "Oslo"}' },
      { type: 'result', kind: 'function', callId: 'call_1', output: 'It is snowing in Oslo.' },
    ],
    maxOutputTokens: 30,
  })
  assert.match(text, /snow/i)
})
