import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TextItem, TextRequest } from '@generation-gateway/kit/requests/text.ts'
import { jsonReply, sseReply } from '../../../testing/fakes/fake-upstream.ts'
import { joined, reportOf, runText, textRequest } from '../../../testing/fakes/fake-upstream-run.ts'
import { chatFrames, responseObject, responsesFrames } from '../../../testing/fakes/fake-upstream-text.ts'
import driver from './driver.ts'

const hello = sseReply(responsesFrames({ text: 'hi' }))
const full = { dialect: 'openai', protocols: ['responses'] }
const basic = { dialect: 'basic', protocols: ['responses'] }
const ark = { dialect: 'ark', protocols: ['responses'] }
const request = (fields: Partial<TextRequest>) => textRequest({ extras: { protocol: 'responses', fields: {} }, ...fields })
const bodyOf = async (fields: Partial<TextRequest>, settings = full) =>
  (await runText(driver, settings, request(fields), hello)).bodies[0] ?? {}

const conversation: TextItem[] = [
  { type: 'message', role: 'developer', parts: [{ type: 'text', text: 'Be kind.' }] },
  {
    type: 'message',
    role: 'user',
    parts: [
      { type: 'text', text: 'What is this?' },
      { type: 'image', url: 'https://x.example/a.png' },
    ],
  },
  { type: 'reasoning', summary: ['thought'], content: [], encrypted: 'sealed', id: 'rs_1' },
  { type: 'reasoning', summary: [], content: ['open'] },
  { type: 'message', role: 'assistant', parts: [{ type: 'text', text: 'Let me look.' }] },
  { type: 'call', kind: 'function', callId: 'call_a', name: 'look', input: '{"at":1}' },
  { type: 'call', kind: 'custom', callId: 'call_b', name: 'run', input: 'ls "x"' },
  { type: 'result', kind: 'function', callId: 'call_a', output: [{ type: 'image', url: 'https://x.example/c.png', detail: 'high' }] },
  { type: 'result', kind: 'custom', callId: 'call_b', output: 'done' },
]

test('a conversation becomes input items; reasoning returns to the service that sealed it', async () => {
  const { input } = await bodyOf({ items: conversation })
  assert.deepEqual(input, [
    { type: 'message', role: 'developer', content: 'Be kind.' },
    {
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text: 'What is this?' },
        { type: 'input_image', image_url: 'https://x.example/a.png', detail: 'auto' },
      ],
    },
    { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'thought' }], encrypted_content: 'sealed' },
    { type: 'message', role: 'assistant', content: 'Let me look.' },
    { type: 'function_call', call_id: 'call_a', name: 'look', arguments: '{"at":1}' },
    { type: 'custom_tool_call', call_id: 'call_b', name: 'run', input: 'ls "x"' },
    {
      type: 'function_call_output',
      call_id: 'call_a',
      output: [{ type: 'input_image', image_url: 'https://x.example/c.png', detail: 'high' }],
    },
    { type: 'custom_tool_call_output', call_id: 'call_b', output: 'done' },
  ])
})

test('a basic server gets system messages, wrapped custom calls and readable reasoning', async () => {
  const { input } = await bodyOf({ items: conversation }, basic)
  assert.ok(Array.isArray(input))
  assert.deepEqual(input[0], { type: 'message', role: 'system', content: 'Be kind.' })
  assert.deepEqual(input[3], { type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'open' }] })
  const answer = { id: 'msg_4', type: 'message', role: 'assistant', status: 'completed' }
  assert.deepEqual(input[4], { ...answer, content: [{ type: 'output_text', text: 'Let me look.', annotations: [] }] })
  assert.deepEqual(input[6], { type: 'function_call', call_id: 'call_b', name: 'run', arguments: '{"input":"ls \\"x\\""}' })
  assert.deepEqual(input[8], { type: 'function_call_output', call_id: 'call_b', output: 'done' })
})

test('fields have their places, and nothing is stored upstream', async () => {
  const body = await bodyOf({
    maxOutputTokens: 50,
    temperature: 1,
    topP: 0.5,
    topLogprobs: 2,
    reasoning: { effort: 'xhigh', summary: 'auto' },
    verbosity: 'high',
    format: { type: 'json_schema', name: 'n', schema: { type: 'object' } },
    user: 'u',
    extras: { protocol: 'responses', fields: { store: true, previous_response_id: 'resp_0', background: true } },
  })
  assert.deepEqual(body, {
    user: 'u',
    model: 'up-1',
    input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hello' }] }],
    stream: true,
    store: false,
    include: ['message.output_text.logprobs', 'reasoning.encrypted_content'],
    max_output_tokens: 50,
    temperature: 1,
    top_p: 0.5,
    top_logprobs: 2,
    text: { format: { type: 'json_schema', name: 'n', schema: { type: 'object' } }, verbosity: 'high' },
    reasoning: { effort: 'xhigh', summary: 'auto' },
  })
})

test('fields that Responses lacks are sent over chat if the target speaks it, else refused by name', async () => {
  await assert.rejects(runText(driver, full, request({ stop: ['x'] })), { code: 'invalid_request', field: 'stop' })
  await assert.rejects(runText(driver, full, request({ logitBias: { 5: 1 } })), { code: 'invalid_request', field: 'logitBias' })
  const both = { ...full, protocols: ['responses', 'chat'] }
  const run = await runText(driver, both, request({ stop: ['x'] }), sseReply(chatFrames({ text: 'hi' })))
  assert.deepEqual(run.paths, ['/v1/chat/completions'])
  const seeded = await runText(driver, both, request({ seed: 1, topK: 5 }), sseReply(chatFrames({ text: 'hi' })))
  assert.deepEqual(seeded.paths, ['/v1/chat/completions'])
  const plain = await runText(driver, both, request({}), hello)
  assert.deepEqual(plain.paths, ['/v1/responses'])
})

test('tools have the flat form, with the grammar beside its syntax', async () => {
  const tools: TextRequest['tools'] = [
    { kind: 'function', name: 'f', parameters: { type: 'object' }, strict: true },
    { kind: 'custom', name: 'c', description: 'd', grammar: { syntax: 'lark', definition: 'start: "a"' } },
  ]
  const body = await bodyOf({ tools, toolChoice: { mode: 'required', only: ['f', 'c'] } })
  assert.deepEqual(body.tools, [
    { type: 'function', name: 'f', parameters: { type: 'object' }, strict: true },
    { type: 'custom', name: 'c', description: 'd', format: { type: 'grammar', syntax: 'lark', definition: 'start: "a"' } },
  ])
  const named = [
    { type: 'function', name: 'f' },
    { type: 'custom', name: 'c' },
  ]
  assert.deepEqual(body.tool_choice, { type: 'allowed_tools', mode: 'required', tools: named })
  assert.deepEqual((await bodyOf({ tools, toolChoice: { mode: 'required', only: ['c'] } })).tool_choice, named[1])
})

test('Ark turns thinking off below low, has high as its maximum, and accepts videos', async () => {
  const video: TextItem = { type: 'message', role: 'user', parts: [{ type: 'video', url: 'https://x.example/v.mp4', fps: 2 }] }
  const body = await bodyOf({ items: [video], reasoning: { effort: 'none' } }, ark)
  assert.deepEqual(body.thinking, { type: 'disabled' })
  assert.equal(body.reasoning, undefined)
  assert.deepEqual(body.input, [
    { type: 'message', role: 'user', content: [{ type: 'input_video', video_url: 'https://x.example/v.mp4', fps: 2 }] },
  ])
  assert.deepEqual((await bodyOf({ reasoning: { effort: 'max' } }, ark)).reasoning, { effort: 'high' })
  assert.deepEqual((await bodyOf({ items: [video] })).input, body.input, 'a full dialect may know them')
  await assert.rejects(runText(driver, basic, request({ items: [video] })), { code: 'invalid_request', message: /videos/ })
})

test('an answer with reasoning, text and calls becomes events in order, streamed or whole', async () => {
  const calls = [
    { name: 'f', input: '{"a":"ß"}' },
    { name: 'c', input: 'raw\ntext', kind: 'custom' as const },
  ]
  const speech = { reasoning: 'let me think', text: 'so it is', calls, usage: { input: 5, output: 6 } }
  for (const reply of [sseReply(responsesFrames(speech)), jsonReply(responseObject(speech))]) {
    const run = await runText(driver, full, request({}), reply)
    assert.deepEqual(joined(run.events), [
      { type: 'reasoning', part: 'content', delta: 'let me think' },
      { type: 'reasoning-end', encrypted: 'sealed', id: 'rs_up' },
      { type: 'text', delta: 'so it is' },
      { type: 'call', index: 0, kind: 'function', callId: 'call_0', name: 'f' },
      { type: 'call-input', index: 0, delta: '{"a":"ß"}' },
      { type: 'call', index: 1, kind: 'custom', callId: 'call_1', name: 'c' },
      { type: 'call-input', index: 1, delta: 'raw\ntext' },
    ])
    assert.deepEqual(reportOf(run), {
      finish: 'tool_calls',
      usage: { inputTokens: 5, cachedInputTokens: 0, outputTokens: 6, reasoningTokens: 0 },
    })
  }
})

test('summaries and refusals are distinguished from text, and parts of a summary stay parts', async () => {
  const frames = [
    { type: 'response.reasoning_summary_part.added', output_index: 0, summary_index: 0 },
    { type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index: 0, delta: 'one' },
    { type: 'response.reasoning_summary_part.added', output_index: 0, summary_index: 1 },
    { type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index: 1, delta: 'two' },
    { type: 'response.output_item.done', output_index: 0, item: { type: 'reasoning', id: 'rs_1', summary: [] } },
    { type: 'response.refusal.delta', output_index: 1, delta: 'no' },
    { type: 'response.completed', response: { status: 'completed', output: [] } },
  ]
  const run = await runText(driver, basic, request({}), sseReply(frames))
  assert.deepEqual(joined(run.events), [
    { type: 'reasoning', part: 'summary', delta: 'one\n\ntwo' },
    { type: 'reasoning-end', id: 'rs_1' },
    { type: 'refusal', delta: 'no' },
  ])
})

test('an incomplete response reports the reason', async () => {
  const length = await runText(driver, full, request({}), sseReply(responsesFrames({ text: 'a' }, 'incomplete')))
  assert.equal(reportOf(length).finish, 'length')
  const filtered = await runText(
    driver,
    full,
    request({}),
    sseReply(responsesFrames({ text: 'a', finish: 'content_filter' }, 'incomplete')),
  )
  assert.equal(reportOf(filtered).finish, 'content_filter')
})

test('a failed response and an error event are mapped by their code', async () => {
  const failed = { type: 'response.failed', response: { status: 'failed', error: { code: 'rate_limit_exceeded', message: 'x' } } }
  await assert.rejects(runText(driver, full, request({}), sseReply([failed])), { code: 'rate_limited' })
  const event = { type: 'error', code: 'context_length_exceeded', message: 'too long', param: 'input' }
  await assert.rejects(runText(driver, full, request({}), sseReply([event])), { code: 'context_length_exceeded', message: 'too long' })
  const whole = { object: 'response', status: 'failed', error: { code: 'server_error', message: 'x' }, output: [] }
  await assert.rejects(runText(driver, full, request({}), jsonReply(whole)), { code: 'upstream_error' })
  await assert.rejects(runText(driver, full, request({}), sseReply(responsesFrames({ text: 'a' }).slice(0, -1))), {
    code: 'upstream_error',
  })
})
