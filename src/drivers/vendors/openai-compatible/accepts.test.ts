import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { driverTools } from '../../../testing/driver-tools.ts'
import driver from './driver.ts'

const running = driver.open(driverTools())
const settings = (dialect: string, protocols = ['chat', 'responses']): JsonObject => ({
  base_url: 'https://llm.example/v1',
  dialect,
  protocols,
})
const chat = (body: JsonObject, dialect: string) => running.relays?.chat?.accepts({ messages: [], ...body }, settings(dialect)) === true
const responses = (body: JsonObject, dialect: string) =>
  running.relays?.responses?.accepts({ input: 'x', ...body }, settings(dialect)) === true

const grammar = { syntax: 'regex', definition: 'a' }
const nested = { type: 'custom', custom: { name: 'c', format: { type: 'grammar', grammar } } }
const wrong = { type: 'custom', custom: { name: 'c', format: { type: 'grammar', ...grammar } } }
const flat = { type: 'custom', name: 'c', format: { type: 'grammar', ...grammar } }
const flatWrong = { type: 'custom', name: 'c', format: { type: 'grammar', grammar } }
const fn = { type: 'function', function: { name: 'f' } }
const flatFn = { type: 'function', name: 'f' }
const part = (type: string) => ({ messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }, { type }] }] })

const chatTable: [title: string, body: JsonObject, openai: boolean, basic: boolean, ark: boolean][] = [
  ['plain text', { messages: [{ role: 'user', content: 'x' }] }, true, true, true],
  ['pictures', part('image_url'), true, true, true],
  ['unknown fields', { anything: 1 }, true, true, true],
  ['input_video', part('input_video'), true, false, false],
  ['a part nobody here knows', part('hologram'), true, true, true],
  ['video_url', part('video_url'), true, true, true],
  ['developer', { messages: [{ role: 'developer', content: 'x' }] }, true, false, false],
  ['functions', { tools: [fn], tool_choice: { type: 'function', function: { name: 'f' } } }, true, true, true],
  ['flat functions', { tools: [flatFn] }, false, false, false],
  ['custom tools', { tools: [nested] }, true, false, false],
  ['custom calls in the history', { messages: [{ role: 'assistant', tool_calls: [{ type: 'custom' }] }] }, true, false, false],
  ['a grammar that is not nested', { tools: [wrong] }, false, false, false],
  ['a flat custom tool', { tools: [flat] }, false, false, false],
  ['allowed_tools', { tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [] } } }, true, false, false],
  ['flat allowed_tools', { tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [] } }, false, false, false],
  ['verbosity', { verbosity: 'low' }, true, false, false],
  ['effort high', { reasoning_effort: 'high' }, true, true, true],
  ['effort minimal', { reasoning_effort: 'minimal' }, true, false, false],
  ['max_completion_tokens', { max_completion_tokens: 5 }, true, false, true],
  ['single calls', { tools: [fn], parallel_tool_calls: false }, true, false, false],
  ['parallel_tool_calls without tools', { parallel_tool_calls: false }, true, true, true],
]
for (const [title, body, openai, basic, ark] of chatTable) {
  test(`a chat relay with ${title}: openai ${openai}, basic ${basic}, ark ${ark}`, () => {
    assert.deepEqual([chat(body, 'openai'), chat(body, 'basic'), chat(body, 'ark')], [openai, basic, ark])
  })
}

const responsesTable: [title: string, body: JsonObject, openai: boolean, basic: boolean][] = [
  ['plain text', {}, true, true],
  ['functions', { tools: [flatFn], tool_choice: { type: 'function', name: 'f' } }, true, true],
  ['nested functions', { tools: [fn] }, false, false],
  ['custom tools', { tools: [flat] }, true, false],
  ['a nested grammar', { tools: [flatWrong] }, false, false],
  ['allowed_tools', { tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [] } }, true, false],
  ['nested allowed_tools', { tool_choice: { type: 'allowed_tools', allowed_tools: {} } }, false, false],
  ['developer', { input: [{ role: 'developer', content: 'x' }] }, true, false],
  ['input_video', { input: [{ role: 'user', content: [{ type: 'input_video' }] }] }, true, false],
  ['a part nobody here knows', { input: [{ role: 'user', content: [{ type: 'hologram' }] }] }, true, true],
  ['input_image', { input: [{ role: 'user', content: [{ type: 'input_image' }] }] }, true, true],
  ['verbosity', { text: { verbosity: 'low' } }, true, false],
  ['effort max', { reasoning: { effort: 'max' } }, true, false],
  ['a namespace', { tools: [{ type: 'namespace', name: 'n', tools: [flatFn] }] }, true, false],
  ['a call of a namespace', { input: [{ type: 'function_call', call_id: 'c', name: 'f', namespace: 'n', arguments: '' }] }, true, false],
  ['a choice of a namespace', { tool_choice: { type: 'function', name: 'f', namespace: 'n' } }, true, false],
  ['hosted tools', { tools: [{ type: 'web_search' }] }, true, true],
]
for (const [title, body, openai, basic] of responsesTable) {
  test(`a responses relay with ${title}: openai ${openai}, basic ${basic}, never Ark`, () => {
    assert.deepEqual([responses(body, 'openai'), responses(body, 'basic'), responses(body, 'ark')], [openai, basic, false])
  })
}

test('a protocol that the target does not speak is never relayed', () => {
  assert.equal(running.relays?.responses?.accepts({ input: 'x' }, settings('openai', ['chat'])), false)
  assert.equal(running.relays?.chat?.accepts({ messages: [] }, settings('openai', ['responses'])), false)
  assert.equal(running.relays?.chat?.accepts({ messages: [] }, { base_url: 'https://llm.example/v1' }), true)
  assert.equal(running.relays?.responses?.accepts({ input: 'x' }, { base_url: 'https://llm.example/v1' }), false)
})

test('the dialect follows the host', () => {
  const accepts = (base_url: string) =>
    running.relays?.chat?.accepts({ messages: [], max_completion_tokens: 5, verbosity: null }, { base_url })
  assert.equal(accepts('https://api.openai.com/v1'), true)
  assert.equal(accepts('https://ark.cn-beijing.volces.com/api/v3'), true)
  assert.equal(accepts('https://volces.com.example/v1'), false)
  assert.equal(accepts('http://localhost:11434/v1'), false)
})

test('unusable settings are reported without their values', () => {
  const says = (fields: JsonObject) => running.unusable?.({ base_url: 'https://llm.example/v1', ...fields }, 'm')
  assert.equal(says({ api_key: 'sk-1\n', headers: { 'x-a': 'b' } }), undefined)
  assert.match(says({ base_url: 'llm.example' }) ?? '', /base_url is not a valid URL/)
  assert.match(says({ headers: { host: 'secret-host' } }) ?? '', /host is set by the gateway/)
  assert.match(says({ headers: { 'x-a': 'secret\nline' } }) ?? '', /no header can have/)
  assert.match(says({ api_key: 'secret\nline' }) ?? '', /api_key/)
  assert.ok(!says({ api_key: 'secret\nline' })?.includes('secret\n'))
})
