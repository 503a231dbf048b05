import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { about } from '@generation-gateway/kit/requests/field-names.ts'
import { assertDocumented } from '../../testing/documented.ts'
import { says, type TextScript } from '../../testing/fakes/fake-text-driver.ts'
import { follow, gateway, requested, startBeforeTests, thinksAndCalls } from '../../testing/fakes/scripted-model.ts'
import { type Answer, testKey } from '../../testing/gateway.ts'

/** Tests messages through the whole program; the test supplies the model's answers. */
const path = '/v1/messages'
const hello = { max_tokens: 100, messages: [{ role: 'user', content: 'hello' }] }

startBeforeTests()

async function ask(reply: TextScript, body: object = {}, to = path): Promise<Answer> {
  follow(reply)
  return gateway.call(to, { body: { model: 'fake', ...hello, ...body } })
}

// biome-ignore lint/suspicious/noExplicitAny: events of every shape.
async function stream(reply: TextScript, body: object = {}): Promise<any[]> {
  const answer = await ask(reply, { stream: true, ...body })
  assert.equal(answer.status, 200, answer.bytes.toString())
  const frames = answer.bytes.toString().split('\n\n')
  assert.equal(frames.pop(), '')
  return frames.map(frame => {
    const found = /^event: (\S+)\ndata: (.*)$/.exec(frame)
    assert.ok(found, frame)
    const data = JSON.parse(found[2] ?? '')
    assert.equal(data.type, found[1])
    return data
  })
}

// biome-ignore lint/suspicious/noExplicitAny: a message of any content.
function collected(events: any[]): any {
  const { message } = events[0]
  for (const { type, index, content_block: block, delta, usage } of events) {
    if (type === 'content_block_start') message.content.push({ ...block, json: '' })
    if (type === 'message_delta') Object.assign(message, delta, { usage })
    if (type !== 'content_block_delta') continue
    const open = message.content[index]
    for (const [name, piece] of [
      ['text', delta.text],
      ['thinking', delta.thinking],
      ['signature', delta.signature],
      ['json', delta.partial_json],
    ] as const)
      if (piece !== undefined) open[name] += piece
  }
  for (const block of message.content) {
    if (block.type === 'tool_use') block.input = JSON.parse(block.json || '{}')
    delete block.json
  }
  return message
}

const tools = [
  { name: 'weather', description: 'Weather of a city.', input_schema: { type: 'object', properties: { city: { type: 'string' } } } },
]

test('a message has every key that clients read', async () => {
  const answer = await ask(() =>
    says('Hello to you.', { usage: { inputTokens: 20, cachedInputTokens: 4, cacheWriteTokens: 6, outputTokens: 6 } }),
  )
  assertDocumented('createMessage', answer)
  const { id, usage, ...rest } = answer.body
  assert.match(id, /^msg_[0-9a-f]{32}$/)
  assert.deepEqual(rest, {
    type: 'message',
    role: 'assistant',
    model: 'fake',
    content: [{ type: 'text', text: 'Hello to you.', citations: null }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    stop_details: null,
    container: null,
  })
  assert.deepEqual(
    [usage.input_tokens, usage.cache_read_input_tokens, usage.cache_creation_input_tokens, usage.output_tokens],
    [10, 4, 6, 6],
  )
})

test('a stream and a whole answer agree: thinking, text, calls whose pieces are mixed', async () => {
  const whole = await ask(thinksAndCalls, { tools })
  assertDocumented('createMessage', whole)
  const events = await stream(thinksAndCalls, { tools })
  assert.deepEqual(
    events.slice(0, 2).map(({ type }) => type),
    ['message_start', 'ping'],
  )
  assert.deepEqual(
    events.slice(-2).map(({ type }) => type),
    ['message_delta', 'message_stop'],
  )
  const indexes = events.flatMap(({ type, index }) => (type === 'content_block_start' ? [index] : []))
  assert.deepEqual(indexes, [0, 1, 2, 3])
  const { id: _, ...streamed } = collected(events)
  const { id: __, ...said } = whole.body
  assert.deepEqual(streamed, said)
  const [thinking, ...rest] = said.content
  assert.equal(thinking.thinking, 'Let me look.')
  assert.match(thinking.signature, /^carried=/)
  assert.deepEqual(rest, [
    { type: 'text', text: 'One moment.', citations: null },
    { type: 'tool_use', id: 'call_a', name: 'weather', input: { city: 'Oslo' } },
    { type: 'tool_use', id: 'call_b', name: 'weather', input: { city: 'Bergen' } },
  ])
  assert.equal(said.stop_reason, 'tool_use')
})

test('the conversation reaches the model: instructions, pictures, documents, results, thinking', async () => {
  const first = await ask(thinksAndCalls, { tools })
  const body = {
    system: [
      { type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } },
      { type: 'text', text: 'Be kind.' },
    ],
    tools,
    tool_choice: { type: 'any', disable_parallel_tool_use: true },
    thinking: { type: 'enabled', budget_tokens: 2048 },
    metadata: { user_id: 'u-7' },
    stop_sequences: ['END'],
    temperature: 0.5,
    top_p: 0.9,
    top_k: 40,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Weather?' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
          { type: 'image', source: { type: 'url', url: 'https://pictures.example/a.png' } },
          { type: 'document', title: 'Notes', source: { type: 'text', media_type: 'text/plain', data: 'cold' } },
          { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'aGk=' } },
        ],
      },
      { role: 'assistant', content: first.body.content },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_a', content: 'rain' },
          { type: 'tool_result', tool_use_id: 'call_b', is_error: true, content: [{ type: 'text', text: 'no such city' }] },
          { type: 'text', text: 'And now?' },
        ],
      },
    ],
  }
  const { status, headers } = await ask(() => says('Rain.'), body)
  assert.equal(status, 200)
  assert.equal(headers.get('x-gateway-warning'), null)
  const { items, extras, ...rest } = requested[0]!
  assert.deepEqual(items, [
    {
      type: 'message',
      role: 'system',
      parts: [
        { type: 'text', text: 'Be brief.', cacheControl: { type: 'ephemeral' } },
        { type: 'text', text: 'Be kind.' },
      ],
    },
    {
      type: 'message',
      role: 'user',
      parts: [
        { type: 'text', text: 'Weather?' },
        { type: 'image', url: 'data:image/png;base64,aGk=' },
        { type: 'image', url: 'https://pictures.example/a.png' },
        { type: 'text', text: 'Notes' },
        { type: 'text', text: 'cold' },
        { type: 'file', data: 'data:application/pdf;base64,aGk=', name: 'document.pdf' },
      ],
    },
    { type: 'reasoning', summary: [], content: ['Let me look.'] },
    { type: 'message', role: 'assistant', parts: [{ type: 'text', text: 'One moment.' }] },
    { type: 'call', kind: 'function', callId: 'call_a', name: 'weather', input: '{"city":"Oslo"}' },
    { type: 'call', kind: 'function', callId: 'call_b', name: 'weather', input: '{"city":"Bergen"}' },
    { type: 'result', kind: 'function', callId: 'call_a', output: 'rain' },
    { type: 'result', kind: 'function', callId: 'call_b', output: [{ type: 'text', text: 'no such city' }], isError: true },
    { type: 'message', role: 'user', parts: [{ type: 'text', text: 'And now?' }] },
  ])
  assert.deepEqual(Object.keys(extras.fields), ['thinking'])
  assert.deepEqual(
    { ...rest, hops: undefined },
    {
      hops: undefined,
      tools: [{ kind: 'function', name: 'weather', description: 'Weather of a city.', parameters: tools[0]!.input_schema }],
      toolChoice: { mode: 'required' },
      parallelToolCalls: false,
      format: { type: 'text' },
      maxOutputTokens: 100,
      temperature: 0.5,
      topP: 0.9,
      topK: 40,
      stop: ['END'],
      user: 'u-7',
      reasoning: { effort: 'low', budgetTokens: 2048 },
    },
  )
})

test('reasons for the end have their words', async () => {
  const ends = { stop: 'end_turn', length: 'max_tokens', content_filter: 'refusal', tool_calls: 'tool_use' } as const
  for (const [finish, word] of Object.entries(ends)) {
    const { body } = await ask(() => says('x', { finish: finish as keyof typeof ends }))
    assert.equal(body.stop_reason, word)
  }
  async function* refuses(): ReturnType<TextScript> {
    yield { type: 'refusal', delta: 'I will not.' }
  }
  const { body } = await ask(refuses)
  assert.deepEqual([body.stop_reason, body.content[0].text], ['refusal', 'I will not.'])
})

test('encrypted reasoning and members of calls come back as the target sent them', async () => {
  const from = { protocol: 'chat', dialect: 'basic', host: 'h', model: 'm' } as const
  async function* reply(): ReturnType<TextScript> {
    yield { type: 'reasoning', part: 'summary', delta: 'Summed up.' }
    yield { type: 'carried', carried: { members: { details: [{ type: 'a', text: 'b' }] }, from } }
    yield { type: 'reasoning-end', encrypted: 'gAAAA', id: 'rs_1' }
    yield { type: 'call', index: 0, kind: 'function', callId: 'call_a', name: 'weather' }
    yield { type: 'carried', call: 0, carried: { members: { extra: { thought_signature: 'sig' } }, from } }
    yield { type: 'call-input', index: 0, delta: '{}' }
  }
  for (const display of [undefined, 'omitted']) {
    const thinking = display && { thinking: { type: 'adaptive', display } }
    const first = await ask(reply, { tools, ...thinking })
    const { content } = first.body
    assert.deepEqual(
      content.map(({ type }: { type: string }) => type),
      ['thinking', 'tool_use', 'thinking'],
    )
    assert.equal(content[0].thinking, display === 'omitted' ? '' : 'Summed up.')
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_a', content: 'rain' }] }
    await ask(() => says('Rain.'), { tools, messages: [...hello.messages, { role: 'assistant', content }, result] })
    const items = requested[0]!.items.filter(({ type }) => type === 'reasoning' || type === 'call')
    const carried = { members: { extra: { thought_signature: 'sig' } }, from }
    assert.deepEqual(items, [
      {
        type: 'reasoning',
        summary: ['Summed up.'],
        content: [],
        carried: { members: { details: [{ type: 'a', text: 'b' }] }, from },
        encrypted: 'gAAAA',
        id: 'rs_1',
      },
      { type: 'call', kind: 'function', callId: 'call_a', name: 'weather', input: '{}', carried },
      { type: 'reasoning', summary: [], content: [], carried: { members: {}, calls: { call_a: carried } } },
    ])
  }
})

test('thinking that is disabled is hidden, unless the target requires it back', async () => {
  const hidden = await ask(thinksAndCalls, { tools, thinking: { type: 'disabled' } })
  assert.deepEqual(
    hidden.body.content.map(({ type }: { type: string }) => type),
    ['text', 'tool_use', 'tool_use'],
  )
  assert.deepEqual(requested[0]!.reasoning, { effort: 'none' })
  async function* encrypted(): ReturnType<TextScript> {
    yield { type: 'reasoning', part: 'summary', delta: 'Summed up.' }
    yield { type: 'reasoning-end', encrypted: 'gAAAA' }
    yield { type: 'text', delta: 'Yes.' }
  }
  const { body } = await ask(encrypted, { thinking: { type: 'disabled' } })
  assert.deepEqual(
    body.content.map(({ type, thinking }: { type: string; thinking?: string }) => [type, thinking]),
    [
      ['thinking', ''],
      ['text', undefined],
    ],
  )
})

test('what cannot be translated is refused by name and costs nothing', async () => {
  const user = (block: object) => ({ messages: [{ role: 'user', content: [block] }] })
  const bodies: [object, RegExp][] = [
    [{ tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, /^tools\[0\]\.type is web_search_20250305/],
    [{ tools: [{ name: 'a' }] }, /^tools\[0\]\.input_schema is required/],
    [{ tools: [...tools, ...tools] }, /^tools\[1\]\.name is weather; an earlier tool/],
    [{ tool_choice: { type: 'tool', name: 'x' }, tools }, /tool_choice names the tool x/],
    [{ thinking: { type: 'enabled' } }, /thinking\.budget_tokens is required/],
    [{ container: 'c_1' }, /container/],
    [{ mcp_servers: [{}] }, /^mcp_servers is not offered/],
    [{ max_tokens: 0 }, /^max_tokens is 0/],
    [{ stop_sequences: ['1', '2', '3', '4', '5'] }, /^stop_sequences has 5 texts; this model takes at most 4/],
    [user({ type: 'image', source: { type: 'file', file_id: 'file_1' } }), /file_1|file_id/],
    [user({ type: 'image', source: { type: 'base64', media_type: 'image/tiff', data: 'aGk=' } }), /media_type is image\/tiff/],
    [
      user({ type: 'document', source: { type: 'url', url: 'https://x.example/a.pdf' } }),
      /source\.type is url; it must be base64, text or content/,
    ],
    [user({ type: 'container_upload', file_id: 'file_1' }), /file_1|file_id/],
    [
      user({ type: 'web_search_tool_result', tool_use_id: 'a', content: [] }),
      /messages\[0\]\.content\[0\]\.type is web_search_tool_result/,
    ],
    [user({ type: 'tool_result', tool_use_id: 'nobody', content: '' }), /tool_use_id is nobody; no earlier message/],
    [
      { messages: [{ role: 'assistant', content: [{ type: 'thinking', thinking: '', signature: 'carried=eA' }] }] },
      /signature is not what this gateway sealed/,
    ],
    [{ output_config: { format: { type: 'xml' } } }, /output_config\.format\.type is xml/],
  ]
  for (const [body, says] of bodies) {
    const { status, body: answer } = await ask(() => assert.fail('the model ran'), body)
    assert.equal(status, 400, JSON.stringify([body, answer]))
    assert.equal(answer.type, 'error')
    assert.equal(answer.error.type, 'invalid_request_error')
    assert.match(answer.error.message, says)
    assert.equal(typeof answer.request_id, 'string')
  }
  assert.deepEqual((await gateway.admin('/admin/usage/open')).body.lines, [])
})

test('errors have the shape, the type and the headers of Anthropic', async () => {
  const cases: [GatewayError, number, string][] = [
    [new GatewayError('rate_limited', 'Slow down.', { retryAfterSeconds: 7 }), 429, 'rate_limit_error'],
    [new GatewayError('overloaded', 'Busy.'), 529, 'overloaded_error'],
    [new GatewayError('upstream_timeout', 'Late.'), 504, 'timeout_error'],
    [new GatewayError('internal_error', 'Oh.'), 500, 'api_error'],
  ]
  for (const [error, status, type] of cases) {
    const answer = await ask(() => {
      throw error
    })
    assert.deepEqual([answer.status, answer.body.type, answer.body.error.type], [status, 'error', type])
    assert.equal(answer.headers.get('request-id'), answer.body.request_id)
  }
  const unknown = await gateway.call(path, { key: 'sk-wrong-key-000000', body: hello })
  assert.deepEqual([unknown.status, unknown.body.error.type], [401, 'authentication_error'])
  const none = await ask(() => says('x'), { model: 'claude-nowhere' })
  assert.deepEqual([none.status, none.body.error.type], [404, 'not_found_error'])
  const field = await ask(() => {
    throw new GatewayError('invalid_request', about('maxOutputTokens', 'is 100.'), { field: 'maxOutputTokens' })
  })
  assert.deepEqual([field.body.error.message, field.body.error.param], ['max_tokens: is 100.', 'max_tokens'])
})

test('a stream that fails ends with an event error', async () => {
  async function* breaks(): ReturnType<TextScript> {
    yield { type: 'text', delta: 'Hel' }
    throw new GatewayError('overloaded', 'Busy.')
  }
  const last = (await stream(breaks)).at(-1)
  assert.deepEqual([last.type, last.error.type, last.error.message], ['error', 'overloaded_error', 'Busy.'])
  assert.equal(typeof last.request_id, 'string')
})

test('fields of the protocol without a translation are told', async () => {
  const { headers, status } = await ask(() => says('x'), { context_management: { edits: [] }, service_tier: 'auto', speed: 'fast' })
  assert.equal(status, 200)
  assert.equal(headers.get('x-gateway-warning'), 'context_management, speed: the model has no such settings.')
})

test('models are in the shape of Anthropic for its clients, and of OpenAI for others', async () => {
  const headers = { 'anthropic-version': '2023-06-01', 'x-api-key': testKey }
  const all = await gateway.call('/v1/models', { headers, key: false })
  assertDocumented('listMessagesModels', all)
  assert.ok(all.body.data.some(({ id, type }: { id: string; type: string }) => id === 'fake' && type === 'model'))
  const first = await gateway.call('/v1/models?limit=1', { headers })
  assert.deepEqual([first.body.data.length, first.body.has_more], [1, true])
  const second = await gateway.call(`/v1/models?limit=1&after_id=${first.body.last_id}`, { headers })
  assert.notEqual(second.body.first_id, first.body.first_id)
  const back = await gateway.call(`/v1/models?limit=1&before_id=${second.body.first_id}`, { headers })
  assert.equal(back.body.first_id, first.body.first_id)
  const one = await gateway.call('/v1/models/fake', { headers })
  assertDocumented('getMessagesModel', one)
  assert.equal(one.body.display_name, 'fake')
  const missing = await gateway.call('/v1/models/nothing', { headers })
  assert.deepEqual([missing.status, missing.body.error.type], [404, 'not_found_error'])
  assert.equal((await gateway.call('/v1/models?after_id=nothing', { headers })).status, 400)
  assert.equal((await gateway.call('/v1/models')).body.object, 'list')
  assert.equal((await gateway.call('/v1/models/fake')).body.object, 'model')
})
