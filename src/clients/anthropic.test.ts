/** Runs Anthropic's own client as published; only the base URL and a key are set. The models of the
 *  gateway are on a service with Anthropic's protocol (relayed), on services with the protocols
 *  chat or Responses (translated), and on the built-in engine. */
// Client: Anthropic SDK (npm @anthropic-ai/sdk): createMessage, countMessageTokens,
// listMessagesModels, getMessagesModel.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import Anthropic from '@anthropic-ai/sdk'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { needPack } from '../packs/testing/need-pack.ts'
import { type FakeUpstream, jsonReply, resetReply, sseReply, startFakeUpstream } from '../testing/fakes/fake-upstream.ts'
import { fakeSignature, messageFrames } from '../testing/fakes/fake-upstream-messages.ts'
import { chatFrames, speaks } from '../testing/fakes/fake-upstream-text.ts'
import { startTestGateway, type TestGateway, testKey } from '../testing/gateway.ts'

const builtIn = 'smollm2-135m-instruct'
const needs = needPack('text-135m')
const usage = { input: 9, cached: 2, output: 3, reasoning: 1 }
const hello: Anthropic.MessageParam[] = [{ role: 'user', content: 'hello' }]
const weather: Anthropic.Tool = {
  name: 'weather',
  description: 'Weather of a city.',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}

let upstream: FakeUpstream
let gateway: TestGateway
let client: Anthropic

before(async () => {
  upstream = await startFakeUpstream()
  const address = `base_url: "${upstream.baseUrl}"`
  const own = `driver: anthropic, model: claude-up, api_key: sk-ant-upstream, ${address}`
  const compatible = `driver: openai-compatible, model: up-1, api_key: sk-upstream, ${address}`
  gateway = await startTestGateway({
    env: { GATEWAY_ENGINE_WORKERS: '1' },
    yaml: `models:
  - { id: relayed, family: messages, targets: [{ ${own}, betas: [files-api-2025-04-14] }] }
  - { id: bearer, family: messages, targets: [{ ${own}, key_in: authorization }] }
  - { id: compatible, family: messages, targets: [{ ${compatible} }] }
  - { id: over-chat, family: chat, targets: [{ ${compatible} }] }
  - { id: over-responses, family: responses, targets: [{ ${compatible}, dialect: openai, stateless: true }] }
  - { id: counted, family: messages, targets: [{ ${own} }] }
  - { id: uncounted, family: chat, targets: [{ ${compatible} }] }
  - id: second
    family: messages
    targets: [{ ${own}, order: 1 }, { ${compatible}, protocols: [chat], order: 2 }]
`,
  })
  client = new Anthropic({ baseURL: gateway.url, apiKey: testKey, maxRetries: 0 })
})
after(async () => {
  await gateway[Symbol.asyncDispose]()
  await upstream.close()
})

const lastBody = () => Object(upstream.received.at(-1)?.json)
const textOf = ({ content }: Anthropic.Message) => content.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('')

test('a service of the same protocol gets the exact body, and its answer is relayed, with the headers of both', async () => {
  upstream.answer(speaks({ text: 'Hello there', usage }))
  const body = {
    model: 'relayed',
    max_tokens: 50,
    system: [{ type: 'text' as const, text: 'Be brief.', cache_control: { type: 'ephemeral' as const } }],
    messages: hello,
    tools: [{ type: 'web_search_20250305' as const, name: 'web_search' as const }],
    metadata: { user_id: 'u-1' },
    context_management: { edits: [] },
  }
  const answer = await client.messages.create(body, { headers: { 'anthropic-beta': 'context-management-2025-06-27' } })
  assert.deepEqual([answer.id, textOf(answer), answer.usage.input_tokens], ['msg_up', 'Hello there', 7])
  assert.deepEqual(lastBody(), { ...body, model: 'claude-up' })
  const { headers, path } = upstream.received.at(-1)!
  assert.equal(path, '/v1/messages')
  assert.match(String(headers['anthropic-version']), /^20\d\d-\d\d-\d\d$/)
  await client.messages.create(body, { headers: { 'anthropic-version': '2023-01-01' } })
  assert.equal(upstream.received.at(-1)!.headers['anthropic-version'], '2023-01-01')
  assert.deepEqual(
    [headers['x-api-key'], headers.authorization, headers['anthropic-beta']],
    ['sk-ant-upstream', undefined, 'files-api-2025-04-14,context-management-2025-06-27'],
  )
  await client.messages.create({ ...body, model: 'bearer' })
  const second = upstream.received.at(-1)!.headers
  assert.deepEqual([second['x-api-key'], second.authorization], [undefined, 'Bearer sk-ant-upstream'])
})

test("a relayed stream has the service's bytes, and its tokens are counted", async () => {
  const speech = { text: 'Hello there', reasoning: 'Hm.', usage }
  upstream.answer(sseReply(messageFrames(speech)))
  const answer = await gateway.call('/v1/messages', { body: { model: 'relayed', max_tokens: 50, stream: true, messages: hello } })
  const sent = messageFrames(speech).map(frame => `event: ${Object(frame).event}\ndata: ${JSON.stringify(Object(frame).data)}\n\n`)
  assert.equal(answer.bytes.toString(), sent.join(''))
  await until(async () => {
    const { body } = await gateway.call('/v1/usage?group_by=model')
    const lines = body.data.filter(({ model }: { model: string }) => model === 'relayed')
    return JSON.stringify(lines).includes('cached_input_tokens')
  }, 'the count of the cached tokens')
})

for (const model of ['relayed', 'compatible', 'over-chat', 'over-responses']) {
  test(`${model}: whole and streamed answers agree, with thinking and token counts`, async () => {
    upstream.answer(speaks({ text: 'Hello there', reasoning: 'Let me think.', usage }))
    const whole = await client.messages.create({ model, max_tokens: 2000, messages: hello })
    const stream = client.messages.stream({ model, max_tokens: 2000, messages: hello })
    const words: string[] = []
    stream.on('text', text => void words.push(text))
    const streamed = await stream.finalMessage()
    assert.ok(words.length > 1, 'it streams')
    for (const { content, stop_reason, usage } of [whole, streamed]) {
      assert.deepEqual(
        content.map(({ type }) => type),
        ['thinking', 'text'],
      )
      assert.equal(content[0]?.type === 'thinking' && content[0].thinking, 'Let me think.')
      assert.equal(content[1]?.type === 'text' && content[1].text, 'Hello there')
      assert.equal(stop_reason, 'end_turn')
      assert.deepEqual([usage.input_tokens, usage.cache_read_input_tokens, usage.output_tokens], [7, 2, 3])
    }
  })

  test(`${model}: tool calls and their results pass in both directions, and thinking with them`, async () => {
    const calls = [
      { id: 'call_a', name: 'weather', input: '{"city":"Oslo"}' },
      { id: 'call_b', name: 'weather', input: '{"city":"Bergen"}' },
    ]
    upstream.answer(speaks({ reasoning: 'Let me look.', calls, usage }))
    const first = await client.messages.stream({ model, max_tokens: 2000, messages: hello, tools: [weather] }).finalMessage()
    assert.equal(first.stop_reason, 'tool_use')
    const uses = first.content.filter(block => block.type === 'tool_use')
    assert.deepEqual(
      uses.map(({ id, name, input }) => [id, name, input]),
      [
        ['call_a', 'weather', { city: 'Oslo' }],
        ['call_b', 'weather', { city: 'Bergen' }],
      ],
    )
    upstream.answer(speaks({ text: 'Rain.', usage }))
    const results = uses.map(({ id }) => ({ type: 'tool_result' as const, tool_use_id: id, content: 'rain' }))
    const messages: Anthropic.MessageParam[] = [...hello, { role: 'assistant', content: first.content }, { role: 'user', content: results }]
    assert.equal(textOf(await client.messages.create({ model, max_tokens: 2000, messages, tools: [weather] })), 'Rain.')
    assertThinkingSent(model)
  })
}

/** Asserts that the upstream got the thinking of the earlier turn back in the form in which it had
 *  sent it. */
function assertThinkingSent(model: string): void {
  const body = lastBody()
  if (model === 'over-chat') {
    assert.equal(body.messages[1].reasoning_content, 'Let me look.')
    return
  }
  if (model === 'over-responses') {
    const { type, encrypted_content, id } = body.input[1]
    assert.deepEqual([type, encrypted_content, id], ['reasoning', 'sealed', 'rs_up'])
    return
  }
  const { type, thinking, signature } = body.messages[1].content[0]
  assert.deepEqual([type, thinking, signature], ['thinking', 'Let me look.', fakeSignature])
}

test('thinking of another target is translated when a service of this protocol continues', async () => {
  upstream.answer(speaks({ text: 'Hello there', reasoning: 'Let me think.', usage }))
  const { content } = await client.messages.create({ model: 'over-chat', max_tokens: 2000, messages: hello })
  const messages: Anthropic.MessageParam[] = [...hello, { role: 'assistant', content }, { role: 'user', content: 'And?' }]
  await client.messages.create({ model: 'relayed', max_tokens: 2000, messages })
  assert.deepEqual(lastBody().messages[1].content, [{ type: 'text', text: 'Hello there' }])
  const relayed = await client.messages.create({ model: 'relayed', max_tokens: 2000, messages: hello })
  const back: Anthropic.MessageParam[] = [...hello, { role: 'assistant', content: relayed.content }, { role: 'user', content: 'And?' }]
  await client.messages.create({ model: 'over-chat', max_tokens: 2000, messages: back })
  assert.deepEqual(lastBody().messages[1], { role: 'assistant', content: 'Hello there', reasoning_content: 'Let me think.' })
})

test('thinking of this protocol passes through chat and returns with its signature', async () => {
  upstream.answer(speaks({ text: 'Hello there', reasoning: 'Let me think.', usage }))
  const first = await gateway.call('/v1/chat/completions', { body: { model: 'relayed', messages: hello } })
  const message = first.body.choices[0].message
  assert.deepEqual(message.thinking_blocks, [{ type: 'thinking', thinking: 'Let me think.', signature: fakeSignature }])
  await gateway.call('/v1/chat/completions', {
    body: { model: 'relayed', messages: [...hello, message, { role: 'user', content: 'And?' }] },
  })
  assert.deepEqual(lastBody().messages[1].content, [...message.thinking_blocks, { type: 'text', text: 'Hello there' }])
})

test('another target takes over, with a translation, when the first has failed', async () => {
  upstream.answer(
    jsonReply({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 529),
    speaks({ text: 'Second.', usage }),
  )
  assert.equal(textOf(await client.messages.create({ model: 'second', max_tokens: 50, messages: hello })), 'Second.')
  assert.match(upstream.received.at(-1)!.path, /chat\/completions$/)
})

test('failures are errors of the client, with the request id', async () => {
  const refused = async (status: number, type: string, model: string, is: new (...given: never[]) => Error) => {
    upstream.answer(jsonReply({ type: 'error', error: { type, message: 'No.' } }, status, { 'retry-after': '3' }))
    await assert.rejects(client.messages.create({ model, max_tokens: 50, messages: hello }), (error: unknown) => {
      assert.ok(error instanceof is && error instanceof Anthropic.APIError, String(error))
      assert.match(error.requestID ?? '', /^[0-9a-f-]{36}$/)
      if (status === 429) assert.equal(error.headers?.get('retry-after'), '3')
      return true
    })
  }
  for (const model of ['relayed', 'over-chat']) {
    await refused(400, 'invalid_request_error', model, Anthropic.BadRequestError)
    await refused(429, 'rate_limit_error', model, Anthropic.RateLimitError)
  }
  const wrong = new Anthropic({ baseURL: gateway.url, apiKey: 'sk-wrong-key-000000', maxRetries: 0 })
  await assert.rejects(wrong.messages.create({ model: 'relayed', max_tokens: 1, messages: hello }), Anthropic.AuthenticationError)
  const bearer = new Anthropic({ baseURL: gateway.url, apiKey: null, authToken: testKey, maxRetries: 0 })
  upstream.answer(speaks({ text: 'Hello there', usage }))
  assert.equal(textOf(await bearer.messages.create({ model: 'relayed', max_tokens: 1, messages: hello })), 'Hello there')
})

for (const model of ['relayed', 'over-chat'])
  test(`${model}: a stream that breaks off is an error of the client`, async () => {
    const speech = { text: 'Hello there', usage }
    upstream.answer(resetReply((model === 'relayed' ? messageFrames(speech) : chatFrames(speech)).slice(0, 4)))
    const stream = client.messages.stream({ model, max_tokens: 50, messages: hello })
    await assert.rejects(stream.finalMessage(), (error: unknown) => {
      assert.ok(error instanceof Anthropic.APIError, String(error))
      assert.match(error.message, /broke|upstream/i)
      return true
    })
  })

test('tokens are counted by the service, or estimated with a remark; counting is free', async () => {
  upstream.answer(jsonReply({ input_tokens: 42 }))
  const tools = [weather, { type: 'web_search_20250305' as const, name: 'web_search' as const }]
  const counted = await client.messages.countTokens({ model: 'counted', messages: hello, tools })
  assert.deepEqual(counted, { input_tokens: 42 })
  assert.deepEqual(
    [upstream.received.at(-1)!.path, lastBody()],
    ['/v1/messages/count_tokens', { model: 'claude-up', messages: hello, tools }],
  )
  upstream.answer(jsonReply({ error: { message: 'no such path' } }, 404))
  const { data, response } = await client.messages.countTokens({ model: 'uncounted', messages: hello, tools }).withResponse()
  assert.ok(data.input_tokens > 10)
  assert.match(response.headers.get('x-gateway-warning') ?? '', /estimate/)
  const { data: lines } = (await gateway.call('/v1/usage?group_by=model')).body
  const used = lines.filter(({ model }: { model: string }) => model === 'counted' || model === 'uncounted')
  assert.deepEqual(
    used.filter(({ unit }: { unit: string }) => unit !== 'requests'),
    [],
  )
})

test('the base URL may be that of an endpoint', async () => {
  upstream.answer(speaks({ text: 'Hello there', usage }))
  const at = new Anthropic({ baseURL: `${gateway.url}/v1/ai/default`, apiKey: testKey, maxRetries: 0 })
  assert.equal(textOf(await at.messages.create({ model: 'over-chat', max_tokens: 50, messages: hello })), 'Hello there')
  assert.ok((await at.messages.countTokens({ model: builtIn, messages: hello })).input_tokens > 0)
  assert.equal((await at.models.retrieve('over-chat')).type, 'model')
  assert.ok((await at.models.list()).data.length > 0)
})

test('models are listed and found', async () => {
  const ids: string[] = []
  for await (const { id } of client.models.list({ limit: 3 })) ids.push(id)
  assert.ok(ids.includes('relayed') && ids.includes('over-chat') && ids.includes(builtIn), ids.join(' '))
  assert.equal(new Set(ids).size, ids.length)
  assert.equal((await client.models.retrieve('relayed')).id, 'relayed')
  await assert.rejects(client.models.retrieve('nothing'), Anthropic.NotFoundError)
})

test('the built-in model answers, streams, calls a tool and counts tokens', needs, async () => {
  const question: Anthropic.MessageParam[] = [{ role: 'user', content: 'What is the capital of France?' }]
  const asked = { model: builtIn, max_tokens: 16, temperature: 0, messages: question }
  const whole = await client.messages.create(asked)
  assert.match(textOf(whole), /Paris/)
  const streamed = await client.messages.stream(asked).finalMessage()
  assert.deepEqual(streamed.content, whole.content)
  assert.equal(streamed.usage.input_tokens + (streamed.usage.cache_read_input_tokens ?? 0), whole.usage.input_tokens)
  const { data, response } = await client.messages.countTokens({ model: builtIn, messages: question }).withResponse()
  assert.equal(response.headers.get('x-gateway-warning'), null)
  assert.equal(data.input_tokens, whole.usage.input_tokens)
  const call = await client.messages.create({ ...asked, max_tokens: 60, tools: [weather], tool_choice: { type: 'tool', name: 'weather' } })
  assert.equal(call.stop_reason, 'tool_use')
  const use = call.content.find(block => block.type === 'tool_use')
  assert.ok(use?.type === 'tool_use' && use.name === 'weather' && typeof Object(use.input).city === 'string', JSON.stringify(call.content))
  const result = { role: 'user' as const, content: [{ type: 'tool_result' as const, tool_use_id: use.id, content: 'rain' }] }
  const next = await client.messages.create({
    ...asked,
    messages: [...question, { role: 'assistant', content: call.content }, result],
    tools: [weather],
  })
  assert.ok(next.content.length > 0)
})
