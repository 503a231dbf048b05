/** Tests which web searches of a call are counted, by the searches in the answer or by their number
 *  in its usage. What searches cost is tested in charged-usage.test.ts. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type FakeReply, jsonReply, resetReply, sseReply } from '../testing/fakes/fake-upstream.ts'
import { type RelayGateway, recordOf, startRelayGateway } from '../testing/relay-gateway.ts'

const budgetKey = 'sk-budget-key-00000001'
const yaml = (url: string) => {
  const model = (id: string, family: string, target: string) =>
    `  - { id: ${id}, family: ${family}, price: { million_input_tokens: 1, search: 0.01 }, targets: [{ ${target}, base_url: "${url}", api_key: sk-up-0000000001, model: up }] }\n`
  return `accounts:
  - { id: acme, keys: [{ name: k, secret: ${budgetKey}, quotas: { cost: 0.005 } }], endpoints: [{ name: default }] }
models:
${model('gpt', 'chat', 'driver: openai-compatible, protocols: [chat]')}${model('o', 'responses', 'driver: openai-compatible, protocols: [responses], stateless: true')}${model('gem', 'generate-content', 'driver: gemini')}${model('claude', 'messages', 'driver: anthropic')}`
}
let relay: RelayGateway
before(async () => {
  relay = await startRelayGateway(yaml)
})
after(() => relay[Symbol.asyncDispose]())

const chatCall = ['/v1/chat/completions', { model: 'gpt', messages: [{ role: 'user', content: 'hi' }] }] as const
const responseCall = ['/v1/responses', { model: 'o', input: 'hi', store: false }] as const
const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
const contentCall = ['/v1beta/models/gem:generateContent', { contents }] as const

/** Returns the number of searches that are counted for a call that the upstream answers with
 *  `reply`. */
async function searches([path, body]: readonly [string, object], reply: FakeReply): Promise<unknown> {
  relay.upstream.answer(reply)
  const answer = await relay.gateway.call(path, { body })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  const row = await recordOf(relay.gateway, answer)
  assert.equal(row['searches cost'] ?? 0, Number(row.searches) * 10_000)
  return row.searches
}

const completion = (message: object, usage: object = {}) => ({
  ...{ id: 'c', object: 'chat.completion', model: 'up' },
  choices: [{ index: 0, message: { role: 'assistant', content: 'hello', ...message }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 20, completion_tokens: 5, ...usage },
})
const words = (text: string) => ({ type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text }] })
const searchOf = (id: string) => ({ type: 'web_search_call', id, status: 'completed', action: { type: 'search', query: 'q' } })
const response = (output: object[], usage: object = {}) => ({
  ...{ id: 'resp_1', object: 'response', status: 'completed', model: 'up', output },
  usage: { input_tokens: 20, output_tokens: 5, ...usage },
})
const content = (groundingMetadata: object, modelVersion = 'gemini-3-flash', text = 'hello') => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP', groundingMetadata }],
  usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 5 },
  modelVersion,
})

test('searches count in answers that are too large to be kept', async () => {
  const long = 'word '.repeat(100_000)
  const annotations = [{ type: 'url_citation', url_citation: { url: 'https://a.example' } }]
  assert.equal(await searches(chatCall, jsonReply(completion({ content: long, annotations }))), 1)
  const opened = { ...searchOf('ws_3'), action: { type: 'open_page', url: 'https://a.example' } }
  const items = [searchOf('ws_1'), words(long), opened, searchOf('ws_2')]
  assert.equal(await searches(responseCall, jsonReply(response(items))), 2)
  const queries = { webSearchQueries: ['a', 'b', 'a', ' '], groundingChunks: [{ web: { uri: 'https://a.example' } }] }
  assert.equal(await searches(contentCall, jsonReply(content(queries, 'gemini-3-flash', long))), 2)
})

test('Google charges for a prompt with searches up to Gemini 2.5, and for each different query since then', async () => {
  const queries = { webSearchQueries: ['a', 'b', 'a', ''] }
  assert.equal(await searches(contentCall, jsonReply(content(queries, 'gemini-2.5-flash'))), 1)
  assert.equal(await searches(contentCall, jsonReply(content(queries, 'gemini-3.1-pro'))), 2)
  assert.equal(await searches(contentCall, jsonReply(content({ webSearchQueries: [] }, 'gemini-2.5-flash'))), 0)
  assert.equal(await searches(contentCall, jsonReply(content({ retrievalQueries: ['mine'] }))), 0)
})

test('a stream counts a search once, however often it is shown, and also one that the last event lacks', async () => {
  const item = (id: string, at: number) => ({ type: 'response.output_item.done', output_index: at, item: searchOf(id) })
  const stream = [
    { type: 'response.output_item.added', output_index: 0, item: { type: 'web_search_call', id: 'ws_0', status: 'in_progress' } },
    { type: 'response.web_search_call.searching', output_index: 0, item_id: 'ws_0' },
    { ...item('ws_0', 0), item: { ...searchOf('ws_0'), action: { type: 'find_in_page' } } },
    item('ws_1', 1),
    item('ws_2', 2),
    { type: 'response.output_item.done', output_index: 3, item: words('hello') },
    { type: 'response.completed', response: response([searchOf('ws_1')]) },
  ]
  const [path, body] = responseCall
  assert.equal(await searches([path, { ...body, stream: true }], sseReply(stream.map(data => ({ event: data.type, data })))), 2)
  const pieces = [content({ webSearchQueries: ['a'] }), content({ webSearchQueries: ['a', 'b'] })]
  assert.equal(await searches(['/v1beta/models/gem:streamGenerateContent?alt=sse', { contents }], sseReply(pieces)), 2)
})

test('the searches that services count themselves are used', async () => {
  for (const usage of [
    { server_tool_use: { web_search_requests: 3 } },
    { prompt_tokens_details: { web_search_requests: 3 } },
    { num_search_queries: 3 },
    { server_side_tool_usage_details: { web_search_calls: 3, x_search_calls: 5 } },
  ])
    assert.equal(await searches(chatCall, jsonReply(completion({}, usage))), 3, JSON.stringify(usage))
  assert.equal(await searches(responseCall, jsonReply(response([searchOf('ws_1')], { tool_usage: { web_search: 3 } }))), 3)
  for (const usage of [{ num_search_queries: -3 }, { num_search_queries: 'many' }, { server_tool_use: null }])
    assert.equal(await searches(chatCall, jsonReply(completion({}, usage))), 0, JSON.stringify(usage))
  const ran = ['browser.search', 'browser.open', 'search', 'python'].map((type, index) => ({ index, type, arguments: '' }))
  assert.equal(await searches(chatCall, jsonReply(completion({ executed_tools: ran }))), 2)
})

test('text about searches is no search', async () => {
  const about = '{"type":"web_search_call","groundingMetadata":{"webSearchQueries":["a"]},"annotations":[{"type":"url_citation"}]}'
  assert.equal(await searches(chatCall, jsonReply(completion({ content: about, annotations: [] }))), 0)
  assert.equal(await searches(responseCall, jsonReply({ ...response([words(about)]), metadata: { type: 'web_search_call' } })), 0)
  assert.equal(await searches(contentCall, jsonReply(content({}, 'gemini-3-flash', about))), 0)
})

test('searches in a broken stream count in addition to its estimated tokens', async () => {
  const frames = [
    { type: 'response.created', response: { ...response([]), status: 'in_progress', usage: null } },
    { type: 'response.output_item.done', output_index: 0, item: searchOf('ws_1') },
    { type: 'response.output_text.delta', output_index: 1, item_id: 'm', delta: 'hello' },
  ].map(data => ({ event: data.type, data }))
  const [path, body] = responseCall
  assert.equal(await searches([path, { ...body, stream: true }], resetReply(frames)), 1)
})

test('a budget holds the cost of the searches that a request allows', async () => {
  const one = { ...chatCall[1], max_tokens: 10, web_search_options: {} }
  const search = (tool: object, more: object = {}) => ({ ...responseCall[1], max_output_tokens: 20, tools: [tool], ...more })
  const limited = { type: 'web_search_20250305', name: 'web_search', max_uses: 1e300 }
  relay.upstream.received.length = 0
  for (const [path, body] of [
    [chatCall[0], one],
    [chatCall[0], { ...one, web_search_options: undefined, tools: [{ type: 'browser_search' }] }],
    [responseCall[0], search({ type: 'web_search' })],
    [responseCall[0], search({ type: 'web_search_preview' }, { max_tool_calls: 1 })],
    [responseCall[0], search({ type: 'web_search_2025_08_26' }, { max_tool_calls: 1e9 })],
    [contentCall[0], { contents, tools: [{ googleSearch: {} }] }],
    [contentCall[0], { contents, tools: [{ google_search: {} }] }],
    ['/v1/messages', { model: 'claude', max_tokens: 10, messages: chatCall[1].messages, tools: [limited] }],
  ] as const) {
    const refused = await relay.gateway.call(path, { key: budgetKey, body })
    assert.equal(refused.status, 429, `${JSON.stringify(body)}: ${JSON.stringify(refused.body)}`)
  }
  assert.equal(relay.upstream.received.length, 0)
  relay.upstream.answer(jsonReply(response([words('hello')])))
  const plain = search({ type: 'function', name: 'web_search', parameters: {} })
  assert.equal((await relay.gateway.call(responseCall[0], { key: budgetKey, body: plain })).status, 200)
})
