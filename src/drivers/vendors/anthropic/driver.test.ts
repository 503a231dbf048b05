import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TextItem, TextRequest } from '@generation-gateway/kit/requests/text.ts'
import { hangingReply, jsonReply, sseReply } from '../../../testing/fakes/fake-upstream.ts'
import { fakeSignature, messageFrames, messageObject } from '../../../testing/fakes/fake-upstream-messages.ts'
import { runText, textRequest, userSays } from '../../../testing/fakes/fake-upstream-run.ts'
import { messagesBody } from '../../shared/text/messages/messages-request.ts'
import { planTools } from '../../shared/text/tool-plan.ts'
import { driverSuite } from '../../suite/suite.ts'
import driver from './driver.ts'

const speech = { text: 'Hello there', usage: { input: 9, cached: 2, output: 3, reasoning: 1 } }
const usage = { inputTokens: 9, cachedInputTokens: 2, outputTokens: 3, reasoningTokens: 1 }
const error = (status: number, type: string, message: string, headers = {}) =>
  jsonReply({ type: 'error', error: { type, message } }, status, headers)

driverSuite('anthropic', {
  driver,
  settings: (base_url, api_key) => ({ base_url, api_key }),
  capability: 'text.respond',
  request: textRequest(),
  good: () => [sseReply(messageFrames(speech))],
  check: (done, events) => {
    assert.equal(events.map(event => Object(event).delta ?? '').join(''), 'Hello there')
    assert.deepEqual(done.report, { finish: 'stop', usage })
  },
  hanging: hangingReply(messageFrames(speech).slice(0, 5)),
  refusal: (status, message, headers) => error(status, 'invalid_request_error', message, headers),
  failed: { replies: [error(400, 'invalid_request_error', 'Output blocked by content_filter')], code: 'request_moderated' },
  polled: { leftOut: 'conversations are streamed, not polled' },
  outputs: { leftOut: 'conversations have no files' },
  relays: ['messages'],
})

const key = { api_key: 'sk-ant-0123456789' }
const answer = sseReply(messageFrames(speech))
const tool = { kind: 'function', name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } } as const

async function bodyOf(request: Partial<TextRequest>) {
  const { bodies } = await runText(driver, key, textRequest(request), answer)
  return bodies[0]!
}

async function refused(request: Partial<TextRequest>, says: RegExp) {
  await assert.rejects(runText(driver, key, textRequest(request), answer), says)
}

test('a conversation becomes messages whose roles alternate', async () => {
  const items: TextItem[] = [
    { type: 'message', role: 'developer', parts: [{ type: 'text', text: 'Be brief.' }] },
    userSays('hello'),
    {
      type: 'message',
      role: 'user',
      parts: [
        { type: 'text', text: ' ' },
        { type: 'image', url: 'data:image/png;base64,aGk=' },
        { type: 'image', url: 'https://pictures.example/a.png' },
        { type: 'file', data: 'data:application/pdf;base64,aGk=', name: 'a.pdf' },
        { type: 'file', data: 'data:text/plain;base64,aGk=', name: 'a.txt' },
      ],
    },
    { type: 'message', role: 'assistant', parts: [{ type: 'text', text: 'I look.' }] },
    { type: 'call', kind: 'function', callId: 'call.1', name: 'weather', input: '{"city":"Oslo"}' },
    { type: 'call', kind: 'function', callId: 'call_2', name: 'weather', input: 'Bergen' },
    { type: 'message', role: 'system', parts: [{ type: 'text', text: 'Be kind.' }] },
    {
      type: 'result',
      kind: 'function',
      callId: 'call.1',
      output: [
        { type: 'text', text: 'rain' },
        { type: 'image', url: 'data:image/png;base64,aGk=' },
      ],
    },
    userSays('And?'),
    { type: 'result', kind: 'function', callId: 'call_2', output: 'none', isError: true },
  ]
  const body = await bodyOf({
    items,
    tools: [tool],
    parallelToolCalls: false,
    toolChoice: { mode: 'auto' },
    user: 'u-1',
    topK: 5,
    stop: ['END'],
    temperature: 0.5,
  })
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } }
  assert.deepEqual(body, {
    model: 'up-1',
    max_tokens: 16_384,
    system: 'Be brief.\n\nBe kind.',
    stream: true,
    stop_sequences: ['END'],
    temperature: 0.5,
    top_k: 5,
    metadata: { user_id: 'u-1' },
    tools: [{ name: 'weather', input_schema: tool.parameters }],
    tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'hello' },
          image,
          { type: 'image', source: { type: 'url', url: 'https://pictures.example/a.png' } },
          { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'aGk=' }, title: 'a.pdf' },
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'hi' }, title: 'a.txt' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Oslo' } },
          { type: 'tool_use', id: 'call_2', name: 'weather', input: { INVALID_JSON: 'Bergen' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'text', text: 'rain' }, image] },
          { type: 'tool_result', tool_use_id: 'call_2', content: 'none', is_error: true },
          { type: 'text', text: 'And?' },
        ],
      },
    ],
  })
})

test('tool choices, formats and custom tools have the form of this protocol', async () => {
  const two = [tool, { ...tool, name: 'time' }]
  assert.deepEqual((await bodyOf({ tools: two, toolChoice: { mode: 'required' } })).tool_choice, { type: 'any' })
  assert.deepEqual((await bodyOf({ tools: two, toolChoice: { mode: 'required', only: ['time'] } })).tool_choice, {
    type: 'tool',
    name: 'time',
  })
  const none = await bodyOf({ tools: two, toolChoice: { mode: 'none' } })
  // The service refuses a conversation with calls that declares no tools.
  assert.deepEqual([none.tool_choice, Reflect.get(Object(none.tools), 'length')], [{ type: 'none' }, 2])
  const format = { type: 'json_schema', name: 'a', schema: { type: 'object' } } as const
  assert.deepEqual((await bodyOf({ format })).output_config, { format: { type: 'json_schema', schema: { type: 'object' } } })
  assert.match(String((await bodyOf({ format: { type: 'json_object' } })).system), /JSON object/)
  const custom = await runText(
    driver,
    key,
    textRequest({ tools: [{ kind: 'custom', name: 'sum' }] }),
    sseReply(messageFrames({ calls: [{ name: 'sum', input: '{"input":"2 + 3"}' }] })),
  )
  assert.deepEqual(
    custom.events.filter(({ type }) => type.startsWith('call')),
    [
      { type: 'call', index: 0, kind: 'custom', callId: 'toolu_0', name: 'sum' },
      { type: 'call-input', index: 0, delta: '2 + 3' },
    ],
  )
  await refused(
    { items: [{ type: 'message', role: 'user', parts: [{ type: 'video', url: 'https://a.example/v' }] }] },
    /cannot take videos/,
  )
  await refused({ temperature: 1.5 }, /temperature: is 1\.5; the upstream of this model takes at most 1/)
})

test('thinking is requested in the form of the model, and returns signed to the same kind of target', async () => {
  const first = await runText(
    driver,
    key,
    textRequest({ reasoning: { effort: 'low' } }),
    sseReply(messageFrames({ ...speech, reasoning: 'Let me think.' })),
  )
  assert.deepEqual(first.bodies[0]!.thinking, { type: 'enabled', budget_tokens: 2048 })
  const carried = first.events.find(event => event.type === 'carried')
  assert.ok(carried?.type === 'carried')
  const block = { type: 'thinking', thinking: 'Let me think.', signature: fakeSignature }
  assert.deepEqual(carried.carried.members, { thinking_blocks: [block] })
  const next = (members: object): Partial<TextRequest> => ({
    items: [userSays('hello'), { type: 'reasoning', summary: [], content: ['Let me think.'], ...members }, userSays('And?')],
  })
  const contentOf = async (request: Partial<TextRequest>) => Object((await bodyOf(request)).messages)[1].content
  assert.deepEqual(await contentOf(next({ carried: carried.carried })), [block])
  const foreign = { members: { thinking_blocks: [block] }, from: { protocol: 'chat', dialect: 'basic', host: 'h', model: 'm' } } as const
  assert.deepEqual(await contentOf(next({ carried: foreign })), [{ type: 'thinking', thinking: 'Let me think.', signature: '' }])
  const redacted = { members: { thinking_blocks: [{ type: 'redacted_thinking', data: 'abc' }, 'x', { type: 'thinking' }] } }
  assert.deepEqual(await contentOf(next({ carried: redacted })), [{ type: 'redacted_thinking', data: 'abc' }])
  assert.deepEqual((await bodyOf({ reasoning: { effort: 'none' } })).thinking, { type: 'disabled' })
  const small = await bodyOf({ reasoning: { effort: 'high' }, maxOutputTokens: 1000 })
  assert.deepEqual([small.thinking, small.max_tokens], [undefined, 1000])
  assert.equal((await bodyOf({ reasoning: { budgetTokens: 5000 } })).max_tokens, 21_384)
})

test("without a limit, answer and thinking together stay within the model's limit", () => {
  for (const [model, effort, budget, most] of [
    ['claude-sonnet-4-5', 'xhigh', 32_768, 49_152],
    ['claude-sonnet-4-5', 'max', 47_616, 64_000],
    ['claude-opus-4-1-20250805', 'high', 15_616, 32_000],
    ['claude-opus-4-20250514', 'low', 2_048, 18_432],
    ['qwen3', 'max', 65_536, 81_920],
  ] as const) {
    const request = textRequest({ reasoning: { effort } })
    const kind = { protocol: 'messages', dialect: 'basic', host: 'h', model } as const
    const to = {
      kind,
      refusesUnknown: false,
      reasoningIn: undefined,
      model,
      dialect: 'basic',
      takesCacheMarks: true,
      isVertex: false,
      leaveOut: () => {},
    } as const
    const { thinking, max_tokens } = messagesBody(request, planTools(request, 'basic'), to)
    assert.deepEqual([Object(thinking).budget_tokens, max_tokens], [budget, most], `${model} ${effort}`)
  }
})

test('stop texts, stop reasons and cache counts are read, streamed or whole', async () => {
  const whole = {
    ...messageObject(speech),
    stop_reason: 'stop_sequence',
    stop_sequence: 'END',
    usage: { input_tokens: 5, cache_creation_input_tokens: 3, cache_read_input_tokens: 2, output_tokens: 4 },
  }
  const { outcome } = await runText(driver, key, textRequest(), jsonReply(whole))
  assert.ok(outcome.state === 'done')
  assert.deepEqual(outcome.report, {
    finish: 'stop',
    stopText: 'END',
    usage: { inputTokens: 10, cachedInputTokens: 2, outputTokens: 4, reasoningTokens: 0, cacheWriteTokens: 3 },
  })
  for (const [word, finish] of [
    ['max_tokens', 'length'],
    ['refusal', 'content_filter'],
    ['pause_turn', 'stop'],
    ['model_context_window_exceeded', 'length'],
  ]) {
    const streamed = await runText(driver, key, textRequest(), sseReply(messageFrames({ ...speech, finish: word! })))
    assert.ok(streamed.outcome.state === 'done')
    assert.equal(Object(streamed.outcome.report).finish, finish)
  }
})

test('an error in the stream, and a stream that ends early, are failures', async () => {
  const frames = messageFrames(speech).slice(0, 4)
  const broken = { event: 'error', data: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } } }
  await assert.rejects(runText(driver, key, textRequest(), sseReply([...frames, broken])), { code: 'overloaded' })
  await assert.rejects(runText(driver, key, textRequest(), sseReply(frames)), { code: 'upstream_error' })
})
