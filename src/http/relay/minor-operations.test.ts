/** Requests that count tokens or compact a conversation are relayed byte for byte to a target that
 *  speaks the caller's protocol. When the target lacks the operation, the gateway translates the
 *  request or estimates the number of tokens. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { errorReply, type FakeReply, jsonReply, rawReply, resetReply } from '../../testing/fakes/fake-upstream.ts'
import { responseObject, textReply } from '../../testing/fakes/fake-upstream-text.ts'
import { callRows, exchange, type RelayGateway, startRelayGateway, type WholeAnswer } from '../../testing/relay-gateway.ts'

const poorKey = 'sk-poor-access-key-0001'
const narrowKey = 'sk-narrow-access-key-01'
let relay: RelayGateway

before(async () => {
  const target = (driver: string, url: string, more = '') => `{ driver: ${driver}, base_url: "${url}", api_key: sk-up, model: up-1${more} }`
  const openai = (url: string, more = '') => target('openai-compatible', url, `, dialect: openai, protocols: [chat, responses]${more}`)
  relay = await startRelayGateway(
    (first, second) => `accounts:
  - id: poor
    keys: [{ name: poor, secret: ${poorKey}, quotas: { tokens: 4130/day } }]
    endpoints: [{ name: default }]
  - id: narrow
    keys: [{ name: narrow, secret: ${narrowKey}, scopes: { families: [chat] } }]
    endpoints: [{ name: default }]
models:
  - { id: claude, family: messages, targets: [${target('anthropic', first!, ', betas: [house-beta]')}] }
  - { id: gemini, family: generate-content, targets: [${target('gemini', first!)}] }
  - { id: vertex, family: generate-content, targets: [${target('gemini', `${first}/publishers/google`)}] }
  - { id: gpt, family: responses, targets: [${openai(first!)}] }
  - { id: two, family: [messages, responses, generate-content], targets: [${openai(first!, ', order: 1')}, ${openai(second!, ', order: 2')}] }
`,
    { count: 2 },
  )
})
after(() => relay?.[Symbol.asyncDispose]())
beforeEach(() => {
  for (const { received } of relay.upstreams) received.length = 0
})

const send = (path: string, body: string, more: { key?: string; headers?: Record<string, string> } = {}): Promise<WholeAnswer> =>
  exchange(relay.gateway.url + path, { body, ...more })

const compacted = { id: 'resp_up', object: 'response.compaction', output: [{ type: 'compaction', encrypted_content: 'gAAAA' }] }
const usage = { input_tokens: 30, output_tokens: 7, total_tokens: 37 }
const counts = {
  messages: { model: 'claude', path: '/v1/messages/count_tokens', sentTo: '/v1/messages/count_tokens', answer: '{ "input_tokens": 41 }' },
  responses: {
    ...{ model: 'gpt', path: '/v1/responses/input_tokens', sentTo: '/v1/responses/input_tokens' },
    answer: '{ "object":"response.input_tokens",  "input_tokens": 41, "details": {"cached": 3} }',
  },
  content: {
    ...{ model: 'gemini', path: '/v1beta/models/gemini:countTokens', sentTo: '/v1/models/up-1:countTokens' },
    answer: '{\n  "totalTokens": 41,\n  "promptTokensDetails": [{"modality": "TEXT", "tokenCount": 41}]\n}',
  },
  compact: {
    ...{ model: 'gpt', path: '/v1/responses/compact', sentTo: '/v1/responses/compact' },
    answer: JSON.stringify({ ...compacted, usage }, undefined, 3),
  },
}
/** Bodies with a member and a number format (1.50) that a translation would not preserve. */
const bodies = {
  messages: '{"model":"MODEL", "messages":[{"role":"user","content":"hi"}], "context_management":{"edits":[]}, "odd":1.50}',
  responses: '{ "odd": 1.50, "model":"MODEL","input":"hi", "personality": "x" }',
  content: '{ "contents":[{"parts":[{"text":"hi"}]}]  }',
  compact: '{"input":[{"type":"odd_item", "n":1.50}],"model":"MODEL"}',
}
const names = ['messages', 'responses', 'content', 'compact'] as const
const bodyOf = (name: (typeof names)[number], model = counts[name].model) => bodies[name].replace('MODEL', model)
const bytesReply = (text: string) => rawReply(text, 200, { 'content-type': 'application/json' })

for (const name of names)
  test(`${name}: body and answer are relayed byte for byte`, async () => {
    const { path, sentTo, answer } = counts[name]
    relay.upstream.answer(bytesReply(answer))
    const got = await send(path, bodyOf(name))
    assert.deepEqual([got.status, got.text], [200, answer])
    assert.equal(got.headers['x-gateway-warning'], undefined)
    const [sent, ...more] = relay.upstream.received
    assert.deepEqual([sent!.path, sent!.body.toString(), more], [sentTo, bodyOf(name, 'up-1'), []])
  })

test("a count sends the caller's version and betas in addition to those of the target", async () => {
  relay.upstream.answer(bytesReply(counts.messages.answer))
  await send(counts.messages.path, bodyOf('messages'), {
    headers: { 'anthropic-version': '2024-01-01', 'anthropic-beta': 'token-counting' },
  })
  const { headers } = relay.upstream.received[0]!
  assert.deepEqual(
    [headers['anthropic-version'], headers['anthropic-beta'], headers['x-api-key']],
    ['2024-01-01', 'house-beta,token-counting', 'sk-up'],
  )
})

test("a generation request within a count gets the upstream's model name", async () => {
  relay.upstream.answer(bytesReply(counts.content.answer))
  const inner = (model: string) =>
    `{ "generateContentRequest" : {${model}"contents":[{"parts":[{"text":"hi"}]}], "tools":[{"googleSearch":{}}]}, "odd": 1.50 }`
  for (const given of ['"model":"models/gemini", ', '', '"model": "gemini",']) {
    const { status, text } = await send(counts.content.path, inner(given))
    assert.deepEqual([status, text], [200, counts.content.answer])
    const sent = JSON.parse(relay.upstream.received.at(-1)!.body.toString())
    assert.equal(sent.generateContentRequest.model, 'models/up-1')
  }
  assert.equal(relay.upstream.received[0]!.body.toString(), inner('"model":"models/up-1", '))
})

test('a generation request that is null is relayed unchanged, because null counts as absent', async () => {
  relay.upstream.answer(bytesReply(counts.content.answer))
  for (const member of ['generateContentRequest', 'generate_content_request']) {
    const body = `{ "contents":[{"parts":[{"text":"hi"}]}], "${member}": null }`
    assert.equal((await send(counts.content.path, body)).status, 200)
    assert.equal(relay.upstream.received.at(-1)!.body.toString(), body)
  }
})

test('members of a count that only Vertex AI accepts are moved into a generation request', async () => {
  relay.upstream.answer(bytesReply(counts.content.answer))
  const body = { contents: [{ parts: [{ text: 'hi' }] }], systemInstruction: { parts: [{ text: 'Be brief.' }] } }
  assert.equal((await send(counts.content.path, JSON.stringify(body))).status, 200)
  const { generateContentRequest: sent } = JSON.parse(relay.upstream.received[0]!.body.toString())
  assert.deepEqual([sent.model, sent.systemInstruction], ['models/up-1', { parts: [{ text: 'Be brief.' }] }])
})

test('Vertex AI gets these members unchanged, also from a generation request', async () => {
  relay.upstream.answer(bytesReply(counts.content.answer))
  const declarations = '[{"functionDeclarations":[{"name":"look","parameters":{"type":"OBJECT"}}]}]'
  const members = `"contents":[{"parts":[{"text":"hi"}]}], "tools":${declarations}, "generationConfig":{"topK": 3.0}`
  const send = (body: string) => exchange(`${relay.gateway.url}/v1beta/models/vertex:countTokens`, { body })
  assert.equal((await send(`{ ${members} }`)).text, counts.content.answer)
  assert.equal(
    (await send(`{ "generateContentRequest": { ${members}, "toolConfig":{"functionCallingConfig":{"mode":"ANY"}} } }`)).status,
    200,
  )
  const [plain, wrapped] = relay.upstream.received
  assert.deepEqual([plain!.path, plain!.body.toString()], ['/v1/publishers/google/models/up-1:countTokens', `{ ${members} }`])
  const sent = JSON.parse(wrapped!.body.toString())
  assert.deepEqual(Object.keys(sent).sort(), ['contents', 'generationConfig', 'tools'])
  assert.deepEqual(sent.tools[0].functionDeclarations[0].name, 'look')
})

test('a refusal of the upstream keeps its message, status and field', async () => {
  relay.upstream.answer(errorReply(400, { type: 'invalid_request_error', message: 'messages: odd is odd', param: 'odd' }))
  for (const name of names) {
    const { status, text } = await send(counts[name].path, bodyOf(name))
    assert.equal(status, 400, text)
    assert.match(text, /odd is odd/, name)
  }
  assert.equal(relay.upstream.received.length, names.length)
})

const missing: [name: string, reply: FakeReply][] = [
  ['404 in JSON', errorReply(404, { message: 'Unknown request URL: POST /v1/responses/x', type: 'invalid_request_error' })],
  ['404 of a model', errorReply(404, { message: 'model: none', type: 'not_found_error' })],
  ['404 in text', response => void response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found')],
  ['405', errorReply(405, { message: 'Method Not Allowed' })],
  ['501', errorReply(501, { message: 'no' })],
  ['an error with 200', jsonReply({ error: 'Unexpected endpoint or method. (POST /v1/responses/compact)' })],
]
const plain = { messages: [{ role: 'user', content: 'hello' }] }
const plainBodies = {
  messages: { model: 'claude', ...plain },
  responses: { model: 'gpt', input: 'hello' },
  content: { contents: [{ parts: [{ text: 'hello' }] }] },
}

for (const [what, reply] of missing)
  test(`an upstream without the operation (${what}) leads to an estimate, or to a summary by its model`, async () => {
    for (const name of ['messages', 'responses', 'content'] as const) {
      relay.upstream.received.length = 0
      relay.upstream.answer(reply)
      const { status, text, headers } = await send(counts[name].path, JSON.stringify(plainBodies[name]))
      assert.equal(status, 200, text)
      assert.match(String(headers['x-gateway-warning']), /estimate/, name)
      assert.equal(relay.upstream.received.length, 1, 'it is asked once')
    }
    relay.upstream.received.length = 0
    relay.upstream.answer(reply, textReply)
    const { status, text } = await send(counts.compact.path, JSON.stringify(plainBodies.responses))
    assert.equal(status, 200, text)
    assert.match(text, /"encrypted_content":"summary=/)
    assert.deepEqual(
      relay.upstream.received.map(({ path }) => path),
      ['/v1/responses/compact', '/v1/responses'],
    )
  })

test('the next target is called when the first is down; a target without the operation is not skipped', async () => {
  const [first, second] = relay.upstreams
  const body = (input: string) => JSON.stringify({ model: 'two', input })
  first!.answer(resetReply([]))
  second!.answer(bytesReply(counts.compact.answer))
  assert.equal((await send(counts.compact.path, body('hi'))).text, counts.compact.answer)
  second!.answer(bytesReply(counts.responses.answer))
  assert.equal((await send(counts.responses.path, body('hi'))).text, counts.responses.answer)
  for (const { received } of relay.upstreams) received.length = 0
  first!.answer(errorReply(404, {}), textReply)
  const { text } = await send(counts.compact.path, body('hi'))
  assert.match(text, /"encrypted_content":"summary=/)
  assert.deepEqual([first!.received.map(({ path }) => path), second!.received], [['/v1/responses/compact', '/v1/responses'], []])
  for (const { received } of relay.upstreams) received.length = 0
  first!.answer(errorReply(404, {}))
  assert.match(String((await send(counts.responses.path, body('hi'))).headers['x-gateway-warning']), /estimate/)
  assert.deepEqual([first!.received.length, second!.received.length], [1, 0])
})

test('a count is free and leaves no record; a compaction is held, counted and recorded', async () => {
  for (const name of ['messages', 'responses', 'content'] as const) {
    relay.upstream.answer(bytesReply(counts[name].answer))
    assert.equal((await send(counts[name].path, bodyOf(name), { key: poorKey })).status, 200)
  }
  const used = async () => (await relay.gateway.call('/v1/usage', { key: poorKey })).body.quotas[0]
  assert.deepEqual([(await used()).used, (await used()).held], [0, 0])
  relay.upstream.answer(bytesReply(counts.compact.answer))
  assert.equal((await send(counts.compact.path, bodyOf('compact'), { key: poorKey })).status, 200)
  const { used: tokens } = await until(async () => ((await used()).used > 0 ? used() : undefined), 'the record of the compaction')
  assert.equal(tokens, 37)
  const [row, ...more] = await until(async () => {
    const rows = (await callRows(relay.gateway)).filter(({ account_id: account }) => account === 'poor')
    return rows.length > 0 ? rows : undefined
  }, 'its row')
  assert.deepEqual([row!.operation, row!.model, row!.status, more], ['responses.compact', 'gpt', 200, []])
  const refused = await send(counts.compact.path, bodyOf('compact'), { key: poorKey })
  assert.deepEqual([refused.status, JSON.parse(refused.text).error.code], [429, 'quota_exceeded'])
})

test('scopes, keys and models are checked', async () => {
  for (const name of names) {
    assert.equal((await send(counts[name].path, bodyOf(name), { key: narrowKey })).status, 403, name)
    assert.equal((await send(counts[name].path, bodyOf(name), { key: 'sk-wrong' })).status, 401, name)
  }
  assert.equal((await send(counts.compact.path, bodyOf('compact', 'none'))).status, 404)
  assert.deepEqual(relay.upstream.received, [])
})

test('content stored by another account, or by the operator at an upstream, is refused', async () => {
  relay.upstream.answer(jsonReply(responseObject({ text: 'secret' })))
  const { body: made } = await relay.gateway.call('/v1/responses', { body: { model: 'gpt', input: 'hi' } })
  relay.upstream.received.length = 0
  const inner = { model: 'models/gemini', contents: [{ parts: [{ text: 'x' }] }], cachedContent: 'cachedContents/theirs' }
  const file = { fileData: { fileUri: 'https://generativelanguage.googleapis.com/v1beta/files/abc', mimeType: 'image/png' } }
  for (const [path, body, key] of [
    ['/v1/responses/compact', { model: 'gpt', previous_response_id: made.id }, poorKey],
    ['/v1/responses/input_tokens', { model: 'gpt', previous_response_id: made.id }, poorKey],
    ['/v1/responses/compact', { model: 'gpt', input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'file_1' }] }] }],
    ['/v1/responses/input_tokens', { model: 'gpt', input: 'x', tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] }],
    ['/v1beta/models/gemini:countTokens', { generateContentRequest: inner }],
    ['/v1beta/models/gemini:countTokens', { generateContentRequest: { model: 'models/gemini', contents: [{ parts: [file] }] } }],
    [
      '/v1/messages/count_tokens',
      { model: 'claude', messages: [{ role: 'user', content: [{ type: 'document', source: { type: 'file', file_id: 'f' } }] }] },
    ],
  ] as const) {
    const { status, text } = await send(path, JSON.stringify(body), key === undefined ? {} : { key })
    assert.equal(status, 400, text)
  }
  assert.deepEqual(relay.upstream.received, [])
  // The caller's own response may be named, and the upstream that stores it knows its id.
  relay.upstream.answer(bytesReply(counts.compact.answer))
  const own = await send('/v1/responses/compact', JSON.stringify({ model: 'gpt', previous_response_id: made.id }))
  assert.deepEqual([own.status, own.text], [200, counts.compact.answer])
})
