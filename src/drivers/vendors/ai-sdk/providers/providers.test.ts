/** Tests chat on the whole program with the packages of further providers. Fake services answer
 *  with bytes that the real services sent. In each conversation the model thinks and calls a tool,
 *  and the next turn contains the result of the tool. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type FakeReply, type FakeUpstream, rawReply, sseReply, startFakeUpstream } from '../../../../testing/fakes/fake-upstream.ts'
import { responsesFrames } from '../../../../testing/fakes/fake-upstream-text.ts'
import { startTestGateway, type TestGateway } from '../../../../testing/gateway.ts'
import { aiSdkDriver } from '../driver.ts'
import { anthropicReply, eventsText } from '../testing/anthropic-answers.ts'
import { converseReply } from './testing/event-stream.ts'
import { needPackages, providerPackagesOf } from './testing/packages.ts'

const needs = needPackages()

interface Provider {
  /** Settings of the target that uses the provider's package, as YAML. */
  settings: string
  /** The two answers of the provider's service: thinking with a tool call, then the text
   *  `Sunny.` */
  answers: readonly [FakeReply, FakeReply]
  /** Checks the request that the service receives in the second turn. */
  check(sent: Sent): void
}

interface Sent {
  path: string
  headers: Readonly<Record<string, unknown>>
  // biome-ignore lint/suspicious/noExplicitAny: the body of each service has another form.
  body: any
}

const input = '{"town":"Rome"}'
const converseUsage = { inputTokens: 12, outputTokens: 14, totalTokens: 26 }

/** Returns the chunks of a chat completion with these deltas; the last one contains the token
 *  counts, in the forms that all these services use. */
const chunks = (finish_reason: string, ...deltas: object[]): FakeReply => {
  const head = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'up-1' }
  const usage = { prompt_tokens: 12, completion_tokens: 14, total_tokens: 26 }
  const open = deltas.map(delta => ({ ...head, choices: [{ index: 0, delta, finish_reason: null }] }))
  return sseReply([...open, { ...head, choices: [{ index: 0, delta: {}, finish_reason }], usage, x_groq: { usage } }, '[DONE]'])
}
/** Returns the events of a response in which the reasoning item has a `status`, as in responses of
 *  xAI. */
const xaiReply = (...speech: Parameters<typeof responsesFrames>): FakeReply =>
  sseReply(
    JSON.parse(JSON.stringify(responsesFrames(...speech)).replaceAll('"type":"reasoning",', '"type":"reasoning","status":"completed",')),
  )
const chatCall = { tool_calls: [{ index: 0, id: 'call_abc', type: 'function', function: { name: 'weather', arguments: input } }] }
const sunny = { role: 'assistant', content: 'Sunny.' }
const cohere = (...events: object[]): FakeReply => rawReply(eventsText(events), 200, { 'content-type': 'text/event-stream' })
const cohereEnd = (finish_reason: string) => ({
  type: 'message-end',
  delta: {
    finish_reason,
    usage: { billed_units: { input_tokens: 12, output_tokens: 14 }, tokens: { input_tokens: 12, output_tokens: 14 } },
  },
})
const claude = [
  anthropicReply({
    blocks: [
      { type: 'thinking', thinking: 'Hm.', signature: 'sig' },
      { type: 'tool_use', id: 'call_abc', name: 'weather', input: { town: 'Rome' } },
    ],
    stop: 'tool_use',
  }),
  anthropicReply({ blocks: [{ type: 'text', text: 'Sunny.' }] }),
] as const
const checkClaude = ({ body }: Sent) =>
  assert.deepEqual(body.messages[1].content[0], { type: 'thinking', thinking: 'Hm.', signature: 'sig' })

const providers: Readonly<Record<string, Provider>> = {
  bedrock: {
    settings:
      'package: "@ai-sdk/amazon-bedrock", options: { region: us-east-1, accessKeyId: AKIDEXAMPLE, secretAccessKey: secret-of-nobody }',
    answers: [
      converseReply(
        { messageStart: { role: 'assistant' } },
        { contentBlockDelta: { contentBlockIndex: 0, delta: { reasoningContent: { text: 'Hm.' } } } },
        { contentBlockDelta: { contentBlockIndex: 0, delta: { reasoningContent: { signature: 'sig' } } } },
        { contentBlockStop: { contentBlockIndex: 0 } },
        { contentBlockStart: { contentBlockIndex: 1, start: { toolUse: { toolUseId: 'call_abc', name: 'weather' } } } },
        { contentBlockDelta: { contentBlockIndex: 1, delta: { toolUse: { input } } } },
        { contentBlockStop: { contentBlockIndex: 1 } },
        { messageStop: { stopReason: 'tool_use' } },
        { metadata: { usage: converseUsage, metrics: { latencyMs: 1 } } },
      ),
      converseReply(
        { messageStart: { role: 'assistant' } },
        { contentBlockDelta: { contentBlockIndex: 0, delta: { text: 'Sunny.' } } },
        { contentBlockStop: { contentBlockIndex: 0 } },
        { messageStop: { stopReason: 'end_turn' } },
        { metadata: { usage: converseUsage, metrics: { latencyMs: 1 } } },
      ),
    ],
    check: ({ path, headers, body }) => {
      assert.match(path, /\/model\/up-1\/converse-stream$/)
      assert.match(String(headers.authorization), /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\//)
      assert.deepEqual(body.messages[1].content, [
        { reasoningContent: { reasoningText: { text: 'Hm.', signature: 'sig' } } },
        { toolUse: { toolUseId: 'call_abc', name: 'weather', input: { town: 'Rome' } } },
      ])
    },
  },
  cohere: {
    settings: 'package: "@ai-sdk/cohere", api_key: k-none-at-all',
    answers: [
      cohere(
        { type: 'message-start', id: 'm' },
        { type: 'content-start', index: 0, delta: { message: { content: { type: 'thinking', thinking: '' } } } },
        { type: 'content-delta', index: 0, delta: { message: { content: { thinking: 'Hm.' } } } },
        { type: 'content-end', index: 0 },
        {
          type: 'tool-call-start',
          delta: { message: { tool_calls: { id: 'call_abc', type: 'function', function: { name: 'weather', arguments: '' } } } },
        },
        { type: 'tool-call-delta', delta: { message: { tool_calls: { function: { arguments: input } } } } },
        { type: 'tool-call-end' },
        cohereEnd('TOOL_CALL'),
      ),
      cohere(
        { type: 'content-start', index: 0, delta: { message: { content: { type: 'text', text: '' } } } },
        { type: 'content-delta', index: 0, delta: { message: { content: { text: 'Sunny.' } } } },
        { type: 'content-end', index: 0 },
        cohereEnd('COMPLETE'),
      ),
    ],
    check: ({ path, body }) => {
      assert.match(path, /\/chat$/)
      assert.deepEqual(body.messages.at(-1), { role: 'tool', content: '21 degrees', tool_call_id: 'call_abc' })
    },
  },
  deepseek: {
    settings: 'package: "@ai-sdk/deepseek", api_key: k-none-at-all',
    answers: [chunks('tool_calls', { role: 'assistant', reasoning_content: 'Hm.' }, chatCall), chunks('stop', sunny)],
    check: ({ body }) => assert.equal(body.messages[1].reasoning_content, 'Hm.'),
  },
  groq: {
    settings: 'package: "@ai-sdk/groq", api_key: k-none-at-all',
    answers: [chunks('tool_calls', { role: 'assistant', reasoning: 'Hm.' }, chatCall), chunks('stop', sunny)],
    check: ({ body }) => assert.equal(body.messages[1].reasoning, 'Hm.'),
  },
  mistral: {
    settings: 'package: "@ai-sdk/mistral", api_key: k-none-at-all',
    answers: [
      chunks(
        'tool_calls',
        { role: 'assistant', content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }] },
        { content: '', ...chatCall },
      ),
      chunks('stop', sunny),
    ],
    check: ({ body }) => assert.equal(body.messages.at(-1).content, '21 degrees'),
  },
  xai: {
    settings: 'package: "@ai-sdk/xai", api_key: k-none-at-all',
    answers: [
      xaiReply({ reasoning: 'Hm.', calls: [{ id: 'call_abc', name: 'weather', input }], usage: { input: 12, output: 14 } }),
      xaiReply({ text: 'Sunny.', usage: { input: 12, output: 14 } }),
    ],
    check: ({ path, body }) => {
      assert.match(path, /\/responses$/)
      assert.deepEqual(body.input.at(-1), { type: 'function_call_output', call_id: 'call_abc', output: '21 degrees' })
    },
  },
  'anthropic-v2': { settings: 'package: anthropic-v2, api_key: k-none-at-all', answers: claude, check: checkClaude },
  'anthropic-v3': { settings: 'package: anthropic-v3, api_key: k-none-at-all', answers: claude, check: checkClaude },
}

let service: FakeUpstream
let gateway: TestGateway
before(async () => {
  service = await startFakeUpstream()
  const models = Object.entries(providers).map(
    ([id, { settings }]) =>
      `  - { id: ${id}, family: chat, targets: [{ driver: ai-sdk, base_url: "${service.baseUrl}", model: up-1, ${settings} }] }`,
  )
  gateway = await startTestGateway({ drivers: [aiSdkDriver(providerPackagesOf())], yaml: `models:\n${models.join('\n')}\n` })
})
beforeEach(() => void service.received.splice(0))
after(async () => {
  await gateway[Symbol.asyncDispose]()
  await service.close()
})

const asks = { role: 'user', content: 'Weather in Rome?' }
const parameters = { type: 'object', properties: { town: { type: 'string' } }, required: ['town'] }
const tools = [{ type: 'function', function: { name: 'weather', parameters } }]

for (const [model, { answers, check }] of Object.entries(providers))
  test(`${model}: a tool call with reasoning, its result, and an answer`, needs, async () => {
    service.answer(...answers)
    const first = await gateway.call('/v1/chat/completions', { body: { model, messages: [asks], tools } })
    assert.equal(first.status, 200, JSON.stringify(first.body))
    const [{ message, finish_reason }] = first.body.choices
    assert.deepEqual([finish_reason, message.reasoning_content], ['tool_calls', 'Hm.'])
    assert.deepEqual(message.tool_calls[0].function, { name: 'weather', arguments: input })
    assert.ok(first.body.usage.prompt_tokens >= 12 && first.body.usage.completion_tokens >= 14, JSON.stringify(first.body.usage))
    const result = { role: 'tool', tool_call_id: message.tool_calls[0].id, content: '21 degrees' }
    const second = await gateway.call('/v1/chat/completions', { body: { model, messages: [asks, message, result], tools } })
    assert.equal(second.body.choices?.[0].message.content, 'Sunny.', JSON.stringify(second.body))
    const { path, headers, json } = service.received.at(-1) ?? assert.fail('nothing was sent')
    check({ path, headers, body: json })
  })
