/** An upstream may send members besides its text and tool calls, which it needs back in the next
 *  turn. The gateway sends them back (docs/decisions/0037); tested with the whole program. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mostCarriedCharacters } from '@generation-gateway/kit/requests/carried.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { type FakeReply, jsonReply, sseReply } from '../testing/fakes/fake-upstream.ts'
import { exchange, type RelayGateway, relayYaml, startRelayGateway } from '../testing/relay-gateway.ts'

const responses = '/v1/ai/default/responses'
const chat = '/v1/ai/default/chat/completions'
const signature = { google: { thought_signature: 'U0lH' } }
const tools = [{ type: 'function', name: 'weather', parameters: { type: 'object', properties: {} } }]
const result = { type: 'function_call_output', call_id: 'c1', output: 'sunny' }
const question = { role: 'user', content: 'Weather?' }

const chunk = (delta: object, finish: string | null = null) => ({ choices: [{ index: 0, delta, finish_reason: finish }] })
const called = (beside: object = {}, inFunction: object = {}) => ({
  ...{ index: 0, id: 'c1', type: 'function', function: { name: 'weather', arguments: '{}', ...inFunction }, ...beside },
})
const streamOf = (...deltas: object[]): FakeReply => sseReply([...deltas.map(delta => chunk(delta)), chunk({}, 'tool_calls'), '[DONE]'])
const wholeOf = (message: object): FakeReply =>
  jsonReply({ choices: [{ index: 0, message: { role: 'assistant', content: null, ...message }, finish_reason: 'tool_calls' }] })

/** Starts a gateway on a server that speaks only the chat protocol. */
const basicChat = () => startRelayGateway(url => relayYaml([{ url, dialect: 'basic', protocols: 'chat' }]))

async function post({ gateway }: RelayGateway, path: string, body: object): Promise<string> {
  const { status, text } = await exchange(gateway.url + path, { body: JSON.stringify({ model: 'm', ...body }) })
  assert.equal(status, 200, text)
  return text
}

async function create(own: RelayGateway, fields: object) {
  return JSON.parse(await post(own, responses, { tools, ...fields }))
}

/** Returns the message of the assistant in the last request that the upstream has received. */
function sentBack({ upstream }: RelayGateway) {
  const { messages } = Object(upstream.received.at(-1)?.json)
  return messages.find(({ role }: { role: string }) => role === 'assistant')
}

/** Runs a first turn that ends with a tool call, and the next turn in two ways: in a stored
 *  conversation, and with all items sent by the caller. */
async function continued(own: RelayGateway, reply: FakeReply): Promise<[stored: object, items: object]> {
  own.upstream.answer(reply, wholeOf({ content: 'ok' }))
  const first = await create(own, { input: 'Weather?' })
  await create(own, { previous_response_id: first.id, input: [result] })
  const stored = sentBack(own)
  await create(own, { store: false, input: [question, ...first.output, result] })
  return [stored, sentBack(own)]
}

test('members of a tool call are returned with the call, whatever their names', async () => {
  await using own = await basicChat()
  const beside = { extra_content: signature, x_state: [1, 'two'], signature: 's' }
  const call = { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{}', thought_signature: 'in' }, ...beside }
  const deltas = [{ tool_calls: [called(beside, { thought_signature: 'in' })] }]
  for (const reply of [streamOf(...deltas), wholeOf({ tool_calls: [call] })])
    for (const message of await continued(own, reply)) assert.deepEqual(Object(message).tool_calls, [call])
})

test('pieces of members are joined: texts, objects, and lists by their index', async () => {
  await using own = await basicChat()
  const seal = { type: 'reasoning.encrypted', format: 'f', index: 0 }
  const reply = streamOf(
    { role: 'assistant', reasoning_content: 'I ', reasoning_details: [{ type: 'reasoning.text', text: 'I ', format: 'f', index: 0 }] },
    { reasoning_content: 'see', reasoning_details: [{ type: 'reasoning.text', text: 'see', format: 'f', index: 0 }] },
    { thinking_blocks: [{ type: 'thinking', thinking: 'a', signature: null }] },
    { thinking_blocks: [{ type: 'thinking', thinking: 'b', signature: 's1' }] },
    { thinking_blocks: [{ type: 'thinking', thinking: 'c' }] },
    { content: 'Let me look.', extra_content: { google: { thought: true } } },
    { reasoning_details: [{ ...seal, data: 'AB' }] },
    { tool_calls: [called({ extra_content: { google: { thought_signature: 'U0' } } })] },
    { tool_calls: [{ index: 0, extra_content: { google: { thought_signature: 'lH' } } }] },
    { reasoning_details: [{ ...seal, data: 'CD' }] },
  )
  for (const message of await continued(own, reply)) {
    assert.deepEqual(message, {
      role: 'assistant',
      content: 'Let me look.',
      reasoning_content: 'I see',
      reasoning_details: [
        { type: 'reasoning.text', text: 'I see', format: 'f', index: 0 },
        { ...seal, data: 'ABCD' },
      ],
      thinking_blocks: [
        { type: 'thinking', thinking: 'ab', signature: 's1' },
        { type: 'thinking', thinking: 'c' },
      ],
      extra_content: { google: { thought: true } },
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: '{}' }, extra_content: signature }],
    })
  }
})

test('reasoning is returned under its original name; sealed reasoning alone stands before its call', async () => {
  await using own = await basicChat()
  const [stored] = await continued(own, streamOf({ reasoning: 'hm' }, { tool_calls: [called()] }))
  assert.equal(Object(stored).reasoning, 'hm')
  assert.equal(Object(stored).reasoning_content, undefined)
  const details = [{ type: 'reasoning.encrypted', data: 'xyz', index: 0 }]
  for (const deltas of [
    [{ tool_calls: [called()], reasoning_details: details }],
    [{ tool_calls: [called()] }, { reasoning_details: details }],
  ])
    for (const message of await continued(own, streamOf(...deltas))) assert.deepEqual(Object(message).reasoning_details, details)
})

test('a client that drops unknown members returns them inside encrypted reasoning', async () => {
  await using own = await basicChat()
  own.upstream.answer(
    streamOf({ reasoning: 'hm', x_state: 'mine' }, { tool_calls: [called({ extra_content: signature })] }),
    wholeOf({ content: 'ok' }),
  )
  const first = await create(own, { input: 'Weather?', store: false, include: ['reasoning.encrypted_content'] })
  const known = first.output.map(
    ({ type, summary, encrypted_content: sealed, call_id, name, arguments: input }: Record<string, unknown>) =>
      type === 'reasoning' ? { type, summary, encrypted_content: sealed } : { type, call_id, name, arguments: input },
  )
  await create(own, { store: false, input: [question, ...known, result] })
  const { tool_calls: calls, reasoning, x_state: state } = sentBack(own)
  assert.deepEqual([calls[0].extra_content, reasoning, state], [signature, 'hm', 'mine'])
  const bad = [question, { type: 'reasoning', summary: [], encrypted_content: 'carried=abc' }]
  const { status, body } = await own.gateway.call(responses, { body: { model: 'm', input: bad } })
  assert.deepEqual([status, body.error.param], [400, 'input[1].encrypted_content'])
})

test('background, streamed and re-read responses contain the members', async () => {
  await using own = await basicChat()
  own.upstream.answer(streamOf({ tool_calls: [called({ extra_content: signature })] }), wholeOf({ content: 'ok' }))
  const { id } = await create(own, { input: 'Weather?', background: true })
  const read = async () => (await own.gateway.call(`${responses}/${id}`)).body
  await until(async () => (await read()).status === 'completed', 'the response')
  assert.deepEqual((await read()).output[0].extra_content, signature)
  await create(own, { previous_response_id: id, input: [result] })
  assert.deepEqual(sentBack(own).tool_calls[0].extra_content, signature)
  own.upstream.answer(streamOf({ tool_calls: [called({ extra_content: signature })] }))
  const events = (await post(own, responses, { tools, input: 'Weather?', stream: true })).split('\n\n')
  const dataOf = (type: string) => JSON.parse(events.find(event => event.startsWith(`event: ${type}\n`))?.split('data: ')[1] ?? '{}')
  assert.deepEqual(dataOf('response.output_item.done').item.extra_content, signature)
  assert.deepEqual(dataOf('response.completed').response.output[0].extra_content, signature)
  assert.ok(!JSON.stringify(events).includes('carried'), 'who said it is not shown')
})

test('a translated chat body keeps the members in both directions', async () => {
  await using own = await basicChat()
  const message = {
    role: 'assistant',
    content: null,
    reasoning_content: 'thought',
    reasoning_details: [{ type: 'reasoning.text', text: 'thought', signature: 'sig' }],
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: '{}' }, extra_content: signature }],
  }
  const messages = [question, message, { role: 'tool', tool_call_id: 'c1', content: 'sunny' }]
  own.upstream.answer(wholeOf(message))
  const requested = { messages, max_completion_tokens: 60, tools: [{ type: 'function', function: { name: 'weather' } }] }
  const whole = JSON.parse(await post(own, chat, requested))
  assert.deepEqual(sentBack(own), message)
  const { refusal: _, annotations: __, ...said } = whole.choices[0].message
  assert.deepEqual(said, message)
  const { content: ___, tool_calls: calls, ...beside } = message
  own.upstream.answer(streamOf(beside, { tool_calls: [{ index: 0, ...calls[0] }] }))
  const streamed = await post(own, chat, { ...requested, stream: true })
  const deltas = streamed.split('\n\n').flatMap(event => (event.startsWith('data: {') ? JSON.parse(event.slice(6)).choices[0].delta : []))
  assert.ok(deltas.some(({ reasoning_details: details }) => details?.[0].signature === 'sig'))
  assert.ok(
    deltas.some(({ tool_calls: pieces }) => pieces?.[0].index === 0 && pieces[0].extra_content?.google.thought_signature === 'U0lH'),
  )
})

test('a target of another kind gets none of the members', async () => {
  const yaml = (url: string) =>
    relayYaml([{ url, dialect: 'basic', protocols: 'chat' }]) +
    `  - { id: other, family: [chat, responses], targets: [{ driver: openai-compatible, base_url: "${url}", model: up-2, dialect: openai, protocols: [chat] }] }\n` +
    `  - { id: items, family: [chat, responses], targets: [{ driver: openai-compatible, base_url: "${url}", model: up-3, dialect: openai, protocols: [responses], stateless: true }] }\n`
  await using own = await startRelayGateway(yaml)
  const deltas = [{ reasoning_content: 'hm', x_state: 'mine' }, { tool_calls: [called({ extra_content: signature })] }]
  own.upstream.answer(streamOf(...deltas), wholeOf({ content: 'ok' }))
  const first = await create(own, { input: 'Weather?' })
  await create(own, { model: 'other', previous_response_id: first.id, input: [result] })
  assert.deepEqual(Object.keys(sentBack(own)).sort(), ['content', 'role', 'tool_calls'])
  assert.deepEqual(Object.keys(sentBack(own).tool_calls[0]).sort(), ['function', 'id', 'type'])
  await create(own, { model: 'other', store: false, input: [question, ...first.output, result] })
  assert.ok(!JSON.stringify(own.upstream.received.at(-1)?.json).includes('thought_signature'))
  own.upstream.answer(jsonReply({ object: 'response', status: 'completed', output: [], usage: null }))
  await exchange(own.gateway.url + responses, {
    body: JSON.stringify({ model: 'items', tools, previous_response_id: first.id, input: [result] }),
  })
  assert.ok(!JSON.stringify(own.upstream.received.at(-1)?.json).includes('thought_signature'))
})

test("members of a Responses upstream's items are returned to it, also for a caller of chat", async () => {
  await using own = await startRelayGateway(url => relayYaml([{ url, dialect: 'basic', protocols: 'responses', stateless: true }]))
  const call = { type: 'function_call', id: 'fc', status: 'completed', call_id: 'c1', name: 'weather', arguments: '{}', x_seal: 'zz' }
  const thought = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed' }
  const reply = jsonReply({ object: 'response', status: 'completed', output: [thought, call], usage: null })
  own.upstream.answer(reply)
  const first = await create(own, { input: 'Weather?' })
  await create(own, { previous_response_id: first.id, input: [result] })
  const inputOf = () => Object(own.upstream.received.at(-1)?.json).input
  const found = (type: string) => inputOf().find((item: { type: string }) => item.type === type)
  assert.equal(found('function_call').x_seal, 'zz')
  const declared = [{ type: 'function', function: { name: 'weather' } }]
  const { choices } = JSON.parse(await post(own, chat, { messages: [question], tools: declared }))
  const { message } = choices[0]
  await post(own, chat, { messages: [question, message, { role: 'tool', tool_call_id: 'c1', content: 'sunny' }], tools: declared })
  assert.equal(found('function_call').x_seal, 'zz')
  assert.deepEqual([found('reasoning').encrypted_content, found('reasoning').id], ['sealed', 'rs_1'])
})

test('the size of kept members is limited in an answer, and in a request', async () => {
  await using own = await basicChat()
  const half = 'x'.repeat(mostCarriedCharacters / 2)
  const [stored] = await continued(own, streamOf({ tool_calls: [called({ one: half })] }))
  assert.equal(Object(stored).tool_calls[0].one, half)
  own.upstream.answer(
    streamOf({ tool_calls: [called({ one: half })] }, { tool_calls: [{ index: 0, one: half }] }),
    wholeOf({ content: 'ok' }),
  )
  const first = await create(own, { input: 'Weather?' })
  assert.equal(first.output[0].one, undefined)
  await create(own, { previous_response_id: first.id, input: [result] })
  assert.deepEqual(Object.keys(sentBack(own).tool_calls[0]).sort(), ['function', 'id', 'type'])
  const large = { type: 'function_call', call_id: 'c1', name: 'weather', arguments: '{}', one: half + half }
  const { status, body } = await own.gateway.call(responses, { body: { model: 'm', tools, input: [question, large, result] } })
  assert.equal(status, 400)
  assert.match(body.error.message, /^input\[1\] has \d+ characters beside its own members; at most 1048576/)
})
