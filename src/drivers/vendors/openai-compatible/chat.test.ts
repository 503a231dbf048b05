import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TextItem, TextRequest } from '@generation-gateway/kit/requests/text.ts'
import { frameText, jsonReply, rawReply, sseReply } from '../../../testing/fakes/fake-upstream.ts'
import { joined, reportOf, runText, textRequest, userSays } from '../../../testing/fakes/fake-upstream-run.ts'
import { chatCompletion, chatFrames } from '../../../testing/fakes/fake-upstream-text.ts'
import driver from './driver.ts'

const hello = sseReply(chatFrames({ text: 'hi' }))
const full = { dialect: 'openai' }
const basic = { dialect: 'basic' }
const bodyOf = async (request: Partial<TextRequest>, settings = full) =>
  (await runText(driver, settings, textRequest(request), hello)).bodies[0] ?? {}

const conversation: TextItem[] = [
  { type: 'message', role: 'developer', parts: [{ type: 'text', text: 'Be kind.' }] },
  {
    type: 'message',
    role: 'user',
    parts: [
      { type: 'text', text: 'What is this?' },
      { type: 'image', url: 'data:image/png;base64,AA==', detail: 'low' },
      { type: 'audio', data: 'AAAA', format: 'wav' },
      { type: 'file', data: 'data:application/pdf;base64,AA==', name: 'a.pdf' },
    ],
  },
  { type: 'reasoning', summary: ['thought'], content: [] },
  { type: 'message', role: 'assistant', parts: [{ type: 'text', text: 'Let me look.' }] },
  { type: 'call', kind: 'function', callId: 'call_a', name: 'look', input: '{"at":1}' },
  { type: 'call', kind: 'custom', callId: 'call_b', name: 'run', input: 'ls "x"' },
  {
    type: 'result',
    kind: 'function',
    callId: 'call_a',
    output: [
      { type: 'text', text: 'a cat' },
      { type: 'image', url: 'https://x.example/c.png' },
    ],
  },
  { type: 'result', kind: 'custom', callId: 'call_b', output: 'done' },
  userSays('And now?'),
]

test('a conversation becomes chat messages, with calls joined to the text before them', async () => {
  const { messages } = await bodyOf({ items: conversation })
  assert.deepEqual(messages, [
    { role: 'developer', content: 'Be kind.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==', detail: 'low' } },
        { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
        { type: 'file', file: { file_data: 'data:application/pdf;base64,AA==', filename: 'a.pdf' } },
      ],
    },
    {
      role: 'assistant',
      content: 'Let me look.',
      tool_calls: [
        { id: 'call_a', type: 'function', function: { name: 'look', arguments: '{"at":1}' } },
        { id: 'call_b', type: 'custom', custom: { name: 'run', input: 'ls "x"' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_a', content: 'a cat' },
    { role: 'tool', tool_call_id: 'call_b', content: 'done' },
    { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://x.example/c.png' } }] },
    { role: 'user', content: 'And now?' },
  ])
})

test('text after a call of the same answer joins its message', async () => {
  const items: TextItem[] = [
    userSays('x'),
    { type: 'call', kind: 'function', callId: 'c', name: 'f', input: '{}' },
    { type: 'message', role: 'assistant', parts: [{ type: 'refusal', text: 'no' }] },
    { type: 'result', kind: 'function', callId: 'c', output: 'r' },
  ]
  const { messages } = await bodyOf({ items })
  const tool_calls = [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }]
  assert.deepEqual(messages, [
    { role: 'user', content: 'x' },
    { role: 'assistant', content: null, refusal: 'no', tool_calls },
    { role: 'tool', tool_call_id: 'c', content: 'r' },
  ])
})

test('every sampling field has its place, and absent fields are not sent', async () => {
  const body = await bodyOf({
    maxOutputTokens: 50,
    temperature: 0,
    topP: 0.5,
    stop: ['END'],
    seed: 7,
    frequencyPenalty: 1,
    presencePenalty: -1,
    logitBias: { 5: -100 },
    topLogprobs: 2,
    reasoning: { effort: 'minimal' },
    verbosity: 'low',
    format: { type: 'json_schema', name: 'n', schema: { type: 'object' }, strict: true },
  })
  assert.deepEqual(body, {
    model: 'up-1',
    messages: [{ role: 'user', content: 'hello' }],
    stream: true,
    stream_options: { include_usage: true },
    max_completion_tokens: 50,
    temperature: 0,
    top_p: 0.5,
    stop: ['END'],
    seed: 7,
    frequency_penalty: 1,
    presence_penalty: -1,
    logit_bias: { 5: -100 },
    logprobs: true,
    top_logprobs: 2,
    reasoning_effort: 'minimal',
    verbosity: 'low',
    response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' }, strict: true } },
  })
  assert.deepEqual(Object.keys(await bodyOf({})), ['model', 'messages', 'stream', 'stream_options'])
})

test("unknown fields of a chat caller are forwarded, without replacing the gateway's own; from other protocols only equivalent ones", async () => {
  const fields = { safety_identifier: 'u1', service_tier: 'flex', stream: false, n: 3, model: 'other', max_tokens: 1 }
  const body = await bodyOf({ extras: { protocol: 'chat', fields } })
  assert.deepEqual(
    [body.safety_identifier, body.service_tier, body.stream, body.n, body.model, body.max_tokens],
    ['u1', 'flex', true, undefined, 'up-1', undefined],
  )
  const foreign = await bodyOf({ extras: { protocol: 'responses', fields: { ...fields, truncation: 'auto' } } })
  assert.deepEqual([foreign.safety_identifier, foreign.service_tier, foreign.truncation], ['u1', 'flex', undefined])
  const plain = await bodyOf({ extras: { protocol: 'responses', fields } }, { ...full, dialect: 'basic' })
  assert.deepEqual([plain.safety_identifier, plain.service_tier], [undefined, undefined])
  assert.equal((await bodyOf({ user: 'u1', extras: { protocol: 'responses', fields } })).user, 'u1')
})

test('tools and choices are sent natively', async () => {
  const tools: TextRequest['tools'] = [
    { kind: 'function', name: 'f', description: 'd', parameters: { type: 'object' }, strict: true },
    { kind: 'function', name: 'bare', parameters: null },
    { kind: 'custom', name: 'c', grammar: { syntax: 'regex', definition: 'a+' } },
  ]
  const body = await bodyOf({ tools, toolChoice: { mode: 'auto', only: ['f', 'c'] }, parallelToolCalls: false })
  assert.deepEqual(body.tools, [
    { type: 'function', function: { name: 'f', description: 'd', parameters: { type: 'object' }, strict: true } },
    { type: 'function', function: { name: 'bare' } },
    { type: 'custom', custom: { name: 'c', format: { type: 'grammar', grammar: { syntax: 'regex', definition: 'a+' } } } },
  ])
  const named = [
    { type: 'function', function: { name: 'f' } },
    { type: 'custom', custom: { name: 'c' } },
  ]
  assert.deepEqual(body.tool_choice, { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: named } })
  assert.equal(body.parallel_tool_calls, false)
  assert.deepEqual((await bodyOf({ tools, toolChoice: { mode: 'required', only: ['c'] } })).tool_choice, named[1])
  assert.equal((await bodyOf({ tools, toolChoice: { mode: 'none' } })).tool_choice, 'none')
  assert.equal((await bodyOf({ tools, toolChoice: { mode: 'required' } })).tool_choice, 'required')
  assert.equal('tool_choice' in (await bodyOf({ tools })), false)
})

test('an answer with reasoning, text and calls becomes events in order', async () => {
  const calls = [
    { name: 'f', input: '{"a":"ß"}' },
    { name: 'c', input: 'raw\ntext', kind: 'custom' as const },
  ]
  const speech = { reasoning: 'hmm', text: 'so it is', calls, usage: { input: 5, output: 6 } }
  const request = textRequest({ tools: [{ kind: 'custom', name: 'c' }] })
  for (const reply of [sseReply(chatFrames(speech)), jsonReply(chatCompletion(speech))]) {
    const run = await runText(driver, full, request, reply)
    assert.deepEqual(joined(run.events), [
      { type: 'reasoning', part: 'content', delta: 'hmm' },
      { type: 'reasoning-end' },
      { type: 'text', delta: 'so it is' },
      { type: 'call', index: 0, kind: 'function', callId: 'call_0', name: 'f' },
      { type: 'call-input', index: 0, delta: '{"a":"ß"}' },
      { type: 'call', index: 1, kind: 'custom', callId: 'call_1', name: 'c' },
      { type: 'call-input', index: 1, delta: 'raw\ntext' },
    ])
    assert.equal(reportOf(run).finish, 'tool_calls')
  }
})

test('a stream reports its events one by one, not at its end', async () => {
  const run = await runText(driver, full, textRequest(), sseReply(chatFrames({ text: 'one two three' })))
  assert.deepEqual(
    run.events.map(event => (event.type === 'text' ? event.delta : '')),
    ['one ', 'two ', 'three'],
  )
})

test('deviations of other servers are accepted', async () => {
  const chunk = (delta: object, finish_reason: string | null = null) => ({ choices: [{ delta, finish_reason }] })
  const call = (fields: object) => chunk({ tool_calls: [fields] })
  const frames = [
    chunk({ reasoning: 'r' }),
    call({ id: 'a', function: { name: 'f', arguments: '{}' } }),
    call({ index: 0, id: 'b', function: { name: 'g', arguments: { x: 1 } } }),
    call({ index: 5, function: { name: 'h' } }),
    { choices: [{ index: 1, delta: { content: 'another choice' } }] },
    chunk({}, 'eos'),
    '[DONE]',
  ]
  const run = await runText(driver, basic, textRequest(), sseReply(frames))
  const ids = run.events.map(event => (event.type === 'call' ? `${event.index} ${event.name} ${event.callId.slice(0, 5)}` : event.type))
  assert.deepEqual(ids, ['carried', 'reasoning', 'reasoning-end', '0 f a', 'call-input', '1 g b', 'call-input', '2 h call_'])
  assert.deepEqual(reportOf(run), {
    finish: 'tool_calls',
    usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 },
  })
})

test('content in parts is read, with thinking separate from text', async () => {
  const content = [
    { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
    { type: 'text', text: 'so' },
  ]
  const frames = [
    { choices: [{ delta: { content }, finish_reason: 'stop' }], usage: { prompt_tokens: 5, prompt_cache_hit_tokens: 3 } },
    '[DONE]',
  ]
  const run = await runText(driver, basic, textRequest(), sseReply(frames))
  assert.deepEqual(run.events, [
    { type: 'reasoning', part: 'content', delta: 'hm' },
    { type: 'reasoning-end' },
    { type: 'text', delta: 'so' },
  ])
  assert.deepEqual(reportOf(run).usage, { inputTokens: 5, cachedInputTokens: 3, outputTokens: 0, reasoningTokens: 0 })
})

test('an impossible number of tokens is ignored', async () => {
  for (const tokens of ['1e308', '1e999', '2147483648', '-5', '"7"']) {
    const bytes = `data: {"choices":[{"delta":{"content":"x"},"finish_reason":"stop"}],"usage":{"completion_tokens":${tokens}}}\n\ndata: [DONE]\n\n`
    const run = await runText(driver, basic, textRequest(), rawReply(bytes))
    assert.deepEqual(reportOf(run).usage, { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 }, tokens)
  }
})

test('a stream without a content type is read as a stream', async () => {
  const bytes = chatFrames({ text: 'hi' }).map(frameText).join('')
  const run = await runText(driver, basic, textRequest(), rawReply(bytes))
  assert.deepEqual(run.events, [{ type: 'text', delta: 'hi' }])
  await assert.rejects(runText(driver, basic, textRequest(), rawReply('<h1>Hello</h1>')), { code: 'upstream_error' })
})

test('log probabilities are reported with their text', async () => {
  const token = { token: 'hi', logprob: -0.5, bytes: [104, 105], top_logprobs: [{ token: 'ho', logprob: -1, bytes: null }] }
  const frames = [{ choices: [{ delta: { content: 'hi' }, logprobs: { content: [token] }, finish_reason: 'length' }] }, '[DONE]']
  const run = await runText(driver, full, textRequest({ topLogprobs: 1 }), sseReply(frames))
  const top = [{ token: 'ho', logprob: -1, bytes: null }]
  assert.deepEqual(run.events, [{ type: 'text', delta: 'hi', logprobs: [{ token: 'hi', logprob: -0.5, bytes: [104, 105], top }] }])
  assert.equal(reportOf(run).finish, 'length')
})

test('an answer that ends without a reason and without [DONE] is upstream_error', async () => {
  const frames = chatFrames({ text: 'half an answ' }).slice(0, 3)
  await assert.rejects(runText(driver, full, textRequest(), sseReply(frames)), { code: 'upstream_error', message: /in the middle/ })
  const run = await runText(driver, full, textRequest(), sseReply([...frames, '[DONE]']))
  assert.equal(reportOf(run).finish, 'stop')
})

test('an error inside a stream is mapped like an error answer, and nonsense is upstream_error', async () => {
  const error = { message: 'x', type: 'server_error', code: 'rate_limit_exceeded' }
  await assert.rejects(runText(driver, full, textRequest(), sseReply([{ error }])), { code: 'rate_limited' })
  const flat = { object: 'error', message: 'x', type: 'BadRequestError', code: 400 }
  await assert.rejects(runText(driver, full, textRequest(), sseReply([flat])), { code: 'invalid_request', message: 'x' })
  const named = { event: 'error', data: { message: 'busy', code: 'ServerOverloaded' } }
  await assert.rejects(runText(driver, full, textRequest(), sseReply([named])), { code: 'overloaded' })
  await assert.rejects(runText(driver, full, textRequest(), sseReply(['{"secret text'])), {
    code: 'upstream_error',
    message: /no JSON object/,
  })
})
