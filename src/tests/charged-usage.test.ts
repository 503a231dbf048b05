/** Tests what a call costs when its upstream reports cache writes, searches and service tiers in
 *  the usage. The calls are relayed and translated, streamed and whole. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { jsonReply, sseReply } from '../testing/fakes/fake-upstream.ts'
import { type RelayGateway, recordOf, startRelayGateway } from '../testing/relay-gateway.ts'

const price = `{ million_input_tokens: 1, million_cached_input_tokens: 0.1, million_cache_write_tokens: 1.25,
      million_long_cache_write_tokens: 2, million_output_tokens: 5, search: 0.01, fast_factor: 6, priority_factor: 1.75, flex_factor: 0.5 }`
const budgetKey = 'sk-budget-key-00000001'
const yaml = (url: string) => `accounts:
  - { id: acme, keys: [{ name: k, secret: ${budgetKey}, quotas: { cost: 0.002 } }], endpoints: [{ name: default }] }
models:
  - { id: claude, family: messages, price: ${price},
      targets: [{ driver: anthropic, base_url: "${url}", api_key: sk-up-0000000001, model: up }] }
  - { id: gpt, family: [chat], price: ${price},
      targets: [{ driver: openai-compatible, base_url: "${url}", api_key: sk-up-0000000001, model: up, protocols: [chat] }] }
  - { id: o, family: [responses], price: ${price},
      targets: [{ driver: openai-compatible, base_url: "${url}", api_key: sk-up-0000000001, model: up, protocols: [responses] }] }
  - { id: gem, family: generate-content, price: ${price},
      targets: [{ driver: gemini, base_url: "${url}", api_key: sk-up-0000000001, model: up }] }
`
let relay: RelayGateway
before(async () => {
  relay = await startRelayGateway(yaml)
})
after(() => relay[Symbol.asyncDispose]())

const messages = [{ role: 'user', content: 'hi' }]
const asks: Record<string, (model: string, stream: boolean) => [string, object]> = {
  messages: (model, stream) => ['/v1/messages', { model, max_tokens: 50, messages, stream }],
  chat: (model, stream) => ['/v1/chat/completions', { model, messages, stream }],
  responses: (model, stream) => ['/v1/responses', { model, input: 'hi', store: false, stream }],
  'generate-content': (model, stream) => [
    `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
  ],
}
const claudeUsage = {
  input_tokens: 100,
  cache_read_input_tokens: 40,
  cache_creation_input_tokens: 60,
  cache_creation: { ephemeral_5m_input_tokens: 40, ephemeral_1h_input_tokens: 20 },
  service_tier: 'standard',
  speed: 'fast',
}
const claudeEnd = { output_tokens: 50, cache_creation: { ephemeral_1h_input_tokens: 0 }, server_tool_use: { web_search_requests: 2 } }
const text = { type: 'text', text: 'hello' }
const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'up', content: [text], stop_reason: 'end_turn' }
const frame = <Data extends { type: string }>(data: Data) => ({ event: data.type, data })
const claudeFrames = [
  frame({ type: 'message_start', message: { ...message, content: [], stop_reason: null, usage: { ...claudeUsage, output_tokens: 1 } } }),
  frame({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
  frame({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hello' } }),
  frame({ type: 'content_block_stop', index: 0 }),
  frame({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: claudeEnd }),
  frame({ type: 'message_stop' }),
]
const gptUsage = {
  prompt_tokens: 200,
  completion_tokens: 50,
  prompt_tokens_details: { cached_tokens: 40, cache_write_tokens: 60 },
  completion_tokens_details: { reasoning_tokens: 10 },
}
const chunk = { id: 'c', object: 'chat.completion.chunk', model: 'up', service_tier: 'priority' }
const citation = { type: 'url_citation', url_citation: { url: 'https://a.example', title: 'A', start_index: 0, end_index: 5 } }
const call = (id: string, action?: object) => ({ type: 'web_search_call', id, status: 'completed', ...(action && { action }) })
const searchCalls = [
  call('ws_1', { type: 'search', queries: ['first', 'second'] }),
  call('ws_2', { type: 'open_page', url: 'https://a.example' }),
  // Some servers send calls without an `action`.
  call('ws_3'),
]
const response = {
  ...{ id: 'resp_1', object: 'response', status: 'completed', model: 'up', service_tier: 'flex' },
  output: [
    ...searchCalls,
    {
      type: 'message',
      id: 'm',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'hello', annotations: [] }],
    },
  ],
  usage: {
    input_tokens: 200,
    input_tokens_details: { cached_tokens: 40, cache_write_tokens: 60 },
    output_tokens: 50,
    output_tokens_details: { reasoning_tokens: 10 },
  },
}
const contentUsage = {
  promptTokenCount: 180,
  toolUsePromptTokenCount: 20,
  cachedContentTokenCount: 40,
  candidatesTokenCount: 40,
  thoughtsTokenCount: 10,
  totalTokenCount: 250,
}
const hello = { content: { role: 'model', parts: [{ text: 'hello' }] }, index: 0 }
const grounding = { webSearchQueries: ['who won', '', 'who won', 'final score'], imageSearchQueries: ['cup'] }
const content = (tier: object) => ({
  candidates: [{ ...hello, finishReason: 'STOP', groundingMetadata: grounding }],
  usageMetadata: { ...contentUsage, ...tier },
  modelVersion: 'gemini-3-flash',
})

/** For each upstream: its whole answer, its stream, and the costs of the units in millionths. */
const upstreams = {
  claude: {
    speaks: 'messages',
    whole: jsonReply({ ...message, usage: { ...claudeUsage, ...claudeEnd, cache_creation: claudeUsage.cache_creation } }),
    stream: sseReply(claudeFrames),
    costs: {
      input_tokens: 600,
      cached_input_tokens: 24,
      cache_write_tokens: 300,
      long_cache_write_tokens: 240,
      output_tokens: 1_500,
      searches: 20_000,
    },
    counts: {
      input_tokens: 200,
      cached_input_tokens: 40,
      cache_write_tokens: 60,
      long_cache_write_tokens: 20,
      searches: 2,
      fast_tokens: 250,
    },
  },
  gpt: {
    speaks: 'chat',
    whole: jsonReply({
      ...chunk,
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content: 'hello', annotations: [citation] }, finish_reason: 'stop' }],
      usage: gptUsage,
    }),
    stream: sseReply([
      { ...chunk, choices: [{ index: 0, delta: { role: 'assistant', content: 'hello' }, finish_reason: null }] },
      { ...chunk, choices: [{ index: 0, delta: { annotations: [citation, citation] }, finish_reason: null }] },
      { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      { ...chunk, choices: [], usage: gptUsage },
      '[DONE]',
    ]),
    costs: { input_tokens: 175, cached_input_tokens: 7, cache_write_tokens: 131, output_tokens: 438, searches: 10_000 },
    counts: { input_tokens: 200, cache_write_tokens: 60, reasoning_tokens: 10, priority_tokens: 250, searches: 1 },
  },
  o: {
    speaks: 'responses',
    whole: jsonReply(response),
    stream: sseReply([
      frame({ type: 'response.created', response: { ...response, status: 'in_progress', output: [], usage: null } }),
      frame({ type: 'response.output_text.delta', output_index: 0, item_id: 'm', delta: 'hello' }),
      frame({ type: 'response.completed', response }),
    ]),
    costs: { input_tokens: 50, cached_input_tokens: 2, cache_write_tokens: 38, output_tokens: 125, searches: 20_000 },
    counts: { input_tokens: 200, cache_write_tokens: 60, flex_tokens: 250, searches: 2 },
  },
  gem: {
    speaks: 'generate-content',
    whole: jsonReply(content({ serviceTier: 'priority' })),
    stream: sseReply([
      { candidates: [{ ...hello, groundingMetadata: grounding }] },
      {
        ...content({ trafficType: 'ON_DEMAND_PRIORITY' }),
        candidates: [{ content: { role: 'model', parts: [{ text: '!' }] }, finishReason: 'STOP' }],
      },
    ]),
    costs: { input_tokens: 280, cached_input_tokens: 7, output_tokens: 438, searches: 30_000 },
    counts: { input_tokens: 200, cached_input_tokens: 40, output_tokens: 50, reasoning_tokens: 10, priority_tokens: 250, searches: 3 },
  },
}

for (const [model, { speaks, whole, stream, costs, counts }] of Object.entries(upstreams))
  for (const [protocol, ask] of Object.entries(asks))
    test(`${model} requested by ${protocol}: a stream and a whole answer cost what the upstream reports`, async () => {
      for (const isStream of [false, true]) {
        const [path, body] = ask(model, isStream)
        // A translated call is a stream at the upstream, whatever the caller wants.
        relay.upstream.answer(isStream || protocol !== speaks ? stream : whole)
        const answer = await relay.gateway.call(path, { body })
        assert.equal(answer.status, 200, JSON.stringify(answer.body))
        const row = await recordOf(relay.gateway, answer)
        const shown = `${isStream ? 'stream' : 'whole'}: ${JSON.stringify(row)}`
        assert.deepEqual(pick(row, Object.keys(counts)), counts, shown)
        assert.deepEqual(pick(row, Object.keys(costs), ' cost'), costs, shown)
        const total = Object.entries(row)
          .filter(([name]) => name.endsWith(' cost'))
          .reduce((sum, [, cost]) => sum + Number(cost), 0)
        assert.equal(
          total,
          Object.values(costs).reduce((sum, cost) => sum + cost, 0),
          shown,
        )
      }
    })

function pick(row: Record<string, unknown>, names: readonly string[], suffix = ''): Record<string, unknown> {
  return Object.fromEntries(names.map(name => [name, row[`${name}${suffix}`]]))
}

const tiers: Record<string, string> = { claude: 'fast', gpt: 'priority', o: 'flex', gem: 'priority' }
for (const [model, tier] of Object.entries(tiers))
  test(`${model}'s answers name the tier in chat and Responses, also when they are translated`, async () => {
    for (const protocol of ['chat', 'responses'])
      for (const isStream of [false, true]) {
        const { speaks, whole, stream } = upstreams[model as keyof typeof upstreams]
        const [path, body] = asks[protocol]!(model, isStream)
        relay.upstream.answer(isStream || protocol !== speaks ? stream : whole)
        const answer = await relay.gateway.call(path, { body })
        const events = answer.bytes.toString().matchAll(/^data: (\{.*)$/gm)
        const last = isStream ? JSON.parse([...events].at(-1)?.[1] ?? '') : answer.body
        assert.equal((last.response ?? last).service_tier, tier, `${protocol} ${isStream}`)
      }
  })

test('an answer without a tier names the usual one', async () => {
  const { service_tier: _, ...untold } = response
  relay.upstream.answer(sseReply([frame({ type: 'response.completed', response: untold })]))
  const [path, body] = asks.chat!('o', false)
  assert.equal((await relay.gateway.call(path, { body })).body.service_tier, 'default')
})

/** The counts of one sampling step, as Anthropic lists them in `usage.iterations`. */
const step = (type: string, input: number, output: number, more: object = {}) => ({
  type,
  input_tokens: input,
  output_tokens: output,
  ...more,
})
const written = { cache_creation_input_tokens: 60, cache_creation: { ephemeral_5m_input_tokens: 40, ephemeral_1h_input_tokens: 20 } }
/** For each case: the counts of the whole answer, the steps that the answer lists, and the
 *  counts that the gateway must record. */
const stepped: Record<string, { total: [number, number]; steps: object[] | null; counts: object }> = {
  'a compaction within the answer': {
    total: [300, 20],
    steps: [step('compaction', 1_000, 100, { ...written, cache_read_input_tokens: 40 }), step('message', 300, 20)],
    counts: { input_tokens: 1_400, cached_input_tokens: 40, cache_write_tokens: 60, long_cache_write_tokens: 20, output_tokens: 120 },
  },
  'a compaction alone': {
    total: [0, 0],
    steps: [step('compaction', 1_000, 100)],
    counts: { input_tokens: 1_000, output_tokens: 100 },
  },
  'an adviser': {
    total: [300, 20],
    steps: [step('message', 200, 10), step('advisor_message', 500, 50, { model: 'adviser' }), step('message', 100, 10)],
    counts: { input_tokens: 800, output_tokens: 70 },
  },
  'a model that declined after some words, and one that declined at once': {
    total: [310, 20],
    steps: [
      step('message', 300, 7, { model: 'first' }),
      step('message', 300, 0, { model: 'second' }),
      step('message', 200, 10, { model: 'third' }),
      step('fallback_message', 110, 10, { model: 'third' }),
    ],
    counts: { input_tokens: 610, output_tokens: 27 },
  },
  'steps that the total has': {
    total: [300, 20],
    steps: [step('message', 200, 10), step('message', 100, 10)],
    counts: { input_tokens: 300, output_tokens: 20 },
  },
  'steps that are none': { total: [300, 20], steps: null, counts: { input_tokens: 300, output_tokens: 20 } },
}
for (const [name, { total, steps, counts }] of Object.entries(stepped))
  test(`${name} costs what the usage leaves out of its totals`, async () => {
    const [input_tokens, output_tokens] = total
    const usage = { input_tokens, output_tokens, iterations: steps }
    const begun = {
      ...message,
      content: [],
      stop_reason: null,
      usage: { input_tokens, output_tokens: Math.min(1, output_tokens), iterations: [] },
    }
    const frames = [
      frame({ type: 'message_start', message: begun }),
      ...claudeFrames.slice(1, 4),
      frame({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage }),
      frame({ type: 'message_stop' }),
    ]
    for (const [protocol, isStream] of [
      ['messages', false],
      ['messages', true],
      ['chat', false],
    ] as const) {
      const [path, body] = asks[protocol]!('claude', isStream)
      relay.upstream.answer(isStream || protocol === 'chat' ? sseReply(frames) : jsonReply({ ...message, usage }))
      const answer = await relay.gateway.call(path, { body })
      const row = await recordOf(relay.gateway, answer)
      assert.deepEqual(pick(row, Object.keys(counts)), counts, `${protocol} ${isStream}`)
    }
  })

test('a budget holds the cost of the requested tier and searches', async () => {
  const costly = [
    ['/v1/messages', { model: 'claude', max_tokens: 100, messages, speed: 'fast' }],
    [
      '/v1/messages',
      { model: 'claude', max_tokens: 10, messages, tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 1 }] },
    ],
    ['/v1/chat/completions', { model: 'gpt', max_tokens: 300, messages, service_tier: 'priority' }],
    ['/v1/responses', { model: 'o', max_output_tokens: 300, input: 'hi', store: false, service_tier: 'priority' }],
  ] as const
  relay.upstream.received.length = 0
  for (const [path, body] of costly) {
    const refused = await relay.gateway.call(path, { key: budgetKey, body })
    assert.equal(refused.status, 429, JSON.stringify(refused.body))
  }
  assert.equal(relay.upstream.received.length, 0)
  const said = [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }]
  relay.upstream.answer(jsonReply({ ...chunk, choices: said, usage: { prompt_tokens: 9, completion_tokens: 1 } }))
  const plain = { model: 'gpt', max_tokens: 300, messages, service_tier: 'flex' }
  assert.equal((await relay.gateway.call('/v1/chat/completions', { key: budgetKey, body: plain })).status, 200)
})

test('a budget holds the cost of a large file by its size, also when the body is stored on disk', async () => {
  const data = 'A'.repeat(4_000_000)
  relay.upstream.received.length = 0
  const file = { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${data}` } }
  const document = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data } }
  for (const [path, model, part] of [
    ['/v1/chat/completions', 'gpt', file],
    ['/v1/messages', 'claude', document],
  ] as const) {
    const body = { model, max_tokens: 50, messages: [{ role: 'user', content: [part] }] }
    const refused = await relay.gateway.call(path, { key: budgetKey, body })
    assert.equal(refused.status, 429, JSON.stringify(refused.body))
  }
  assert.equal(relay.upstream.received.length, 0)
})

test('a budget holds the cost of a video clip by its seconds', async () => {
  const inlineData = { mimeType: 'video/mp4', data: 'A'.repeat(4_000_000) }
  const ask = (part: object) => {
    const body = { contents: [{ role: 'user', parts: [{ inlineData, ...part }] }], generationConfig: { maxOutputTokens: 10 } }
    return relay.gateway.call('/v1beta/models/gem:generateContent', { key: budgetKey, body })
  }
  relay.upstream.received.length = 0
  for (const part of [{}, { videoMetadata: { endOffset: '60s' } }, { videoMetadata: { endOffset: '3s', fps: 4 } }])
    assert.equal((await ask(part)).status, 429, JSON.stringify(part))
  assert.equal(relay.upstream.received.length, 0)
  relay.upstream.answer(upstreams.gem.whole)
  assert.equal((await ask({ videoMetadata: { startOffset: '57s', endOffset: '60s' } })).status, 200)
})
