/** Tests through the whole program which conversations the model gets from bodies of Messages, and
 *  how its answers are returned. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unreadablePart } from '@generation-gateway/kit/requests/refused-part.ts'
import { assertDocumented } from '../../testing/documented.ts'
import { says, type TextScript } from '../../testing/fakes/fake-text-driver.ts'
import { requested, startBeforeTests, thinksAndCalls } from '../../testing/fakes/scripted-model.ts'
import { ask, collected, hello, stream, tools } from './testing/ask-messages.ts'

startBeforeTests()

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

test('a part that the model cannot read is refused with its path', async () => {
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } }
  const document = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' } }
  const text = { type: 'text', text: 'x' }
  const call = { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'weather', input: {} }] }
  const cases = [
    ['image', [{ role: 'user', content: [text, image] }], 'messages[0].content[1]'],
    ['file', [...hello.messages, { role: 'user', content: [document] }], 'messages[1].content[0]'],
    [
      'image',
      [...hello.messages, call, { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [text, image] }] }],
      'messages[2].content[0].content[1]',
    ],
  ] as const
  for (const [kind, messages, param] of cases) {
    // biome-ignore lint/correctness/useYield: the model refuses before its first event.
    const refuses: TextScript = async function* () {
      throw unreadablePart(kind, 'This model cannot read it.')
    }
    const { status, body } = await ask(refuses, { messages, tools })
    assert.deepEqual([status, body.error.param, body.error.message], [400, param, 'This model cannot read it.'])
  }
})

test('a stream and a whole answer agree, also when the pieces of calls alternate', async () => {
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

test('the whole conversation reaches the model: instructions, pictures, documents, results, thinking', async () => {
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

test('each stop reason has its word in this protocol', async () => {
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

test('encrypted reasoning and members of calls return to the target unchanged', async () => {
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

test('each call keeps its input, in whatever order calls begin and grow', async () => {
  type Piece = readonly [index: number, delta?: string]
  const inputsOf = async (pieces: readonly (Piece | string)[]) => {
    async function* reply(): ReturnType<TextScript> {
      for (const piece of pieces) {
        if (typeof piece === 'string') yield { type: 'text', delta: piece }
        else if (piece[1] === undefined)
          yield { type: 'call', index: piece[0], kind: 'function', callId: `call_${piece[0]}`, name: 'weather' }
        else yield { type: 'call-input', index: piece[0], delta: piece[1] }
      }
    }
    const { body } = await ask(reply, { tools })
    return (
      body.content?.flatMap(({ type, input }: { type: string; input: object }) => (type === 'tool_use' ? [input] : [])) ??
      body.error.message
    )
  }
  const [a, b, c] = ['{"city":"A"}', '{"city":"B"}', '{"city":"C"}']
  const all = [a, b, c].map(text => JSON.parse(text))
  assert.deepEqual(await inputsOf([[0], [1], [0, a], [1, b]]), all.slice(0, 2))
  assert.deepEqual(await inputsOf([[0], [1], [0, a], [2], [1, b], [2, c]]), all)
  assert.deepEqual(await inputsOf([[0], [1], [1, b]]), [{}, all[1]])
  assert.match(await inputsOf([[0], 'so', [0, a]]), /went on with a tool call after/)
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
