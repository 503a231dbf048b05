/** For targets with the setting `normalize`, relayed chat answers are changed to what OpenAI's
 *  clients expect. Without the setting they pass byte for byte. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type FakeReply, jsonReply, rawReply, sseReply } from '../../testing/fakes/fake-upstream.ts'
import { exchange, type RelayGateway, startRelayGateway } from '../../testing/relay-gateway.ts'

const path = '/v1/ai/default/chat/completions'
let own: RelayGateway
before(async () => {
  const model = (id: string, url: string, rest: string) =>
    `  - { id: ${id}, family: chat, targets: [{ driver: openai-compatible, base_url: "${url}", model: up-1, ${rest} }] }\n`
  own = await startRelayGateway(url => `models:\n${model('tidy', url, 'normalize: true')}${model('plain', url, 'dialect: basic')}`)
})
after(() => own[Symbol.asyncDispose]())

async function ask(reply: FakeReply, model = 'tidy', fields: object = {}): Promise<string> {
  own.upstream.answer(reply)
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'x' }], ...fields })
  const { status, text } = await exchange(own.gateway.url + path, { body })
  assert.equal(status, 200, text)
  return text
}

/** Returns the chunks of a streamed answer that the caller gets. */
async function stream(...frames: object[]) {
  const text = await ask(sseReply([...frames, '[DONE]']), 'tidy', { stream: true })
  assert.ok(text.endsWith('data: [DONE]\n\n'), text)
  return text.split('\n\n').flatMap(event => (event.startsWith('data: {') ? [JSON.parse(event.slice(6))] : []))
}

/** Returns the deltas of choice 0, joined in the way of OpenAI's client: all strings are
 *  appended to each other, ids as well. */
function joined(chunks: { choices: { index: number; delta: Record<string, unknown> }[] }[]) {
  const calls: Record<number, Record<string, string>> = {}
  for (const { choices } of chunks)
    for (const { delta } of choices)
      for (const { index, id = '', type = '', function: called } of [delta.tool_calls ?? []].flat().map(call => Object(call))) {
        calls[index] ??= { id: '', type: '', name: '', arguments: '' }
        const call = calls[index]
        const piece: Record<string, string> = { id, type, name: called?.name ?? '', arguments: called?.arguments ?? '' }
        for (const name of Object.keys(piece)) call[name] += piece[name] ?? ''
      }
  return Object.entries(calls).map(([index, call]) => ({ index: Number(index), ...call }))
}
const call = (fields: object, name?: string, input?: string | object) => ({ ...fields, function: { name, arguments: input } })
const delta = (...tool_calls: object[]) => ({ choices: [{ delta: { tool_calls } }] })
const end = { choices: [{ delta: {}, finish_reason: 'stop' }] }

test('a stream gets its ids, indexes and role, and its end names the tool calls', async () => {
  const chunks = await stream(delta(call({ id: 'a', index: 0 }, 'f', '{}')), { ...end, usage: { prompt_tokens: 3 } })
  const [first, last] = chunks
  assert.ok(typeof first.id === 'string' && first.id !== '' && first.id === last.id)
  assert.equal(first.created, last.created)
  assert.deepEqual([first.object, first.model, typeof first.created], ['chat.completion.chunk', 'up-1', 'number'])
  assert.deepEqual(first.choices[0], {
    index: 0,
    delta: { role: 'assistant', tool_calls: [{ id: 'a', index: 0, type: 'function', function: { name: 'f', arguments: '{}' } }] },
    finish_reason: null,
  })
  assert.equal(last.choices[0].finish_reason, 'tool_calls')
  assert.deepEqual(last.usage, { prompt_tokens: 3, completion_tokens: 0, total_tokens: 3 })
})

for (const [what, frames, wanted] of [
  ['without indexes, in one list', [delta(call({ id: 'a' }, 'f', '{}'), call({ id: 'b' }, 'g', '{"x":1}'))], ['0 a f {}', '1 b g {"x":1}']],
  [
    'without indexes, one after the other',
    [delta(call({ id: 'a' }, 'f', '{')), delta(call({}, undefined, '}')), delta(call({ id: 'b' }, 'g', '{}'))],
    ['0 a f {}', '1 b g {}'],
  ],
  [
    'all numbered 0',
    [delta(call({ id: 'a', index: 0 }, 'f', '{}')), delta(call({ id: 'b', index: 0 }, 'f', '{}'))],
    ['0 a f {}', '1 b f {}'],
  ],
  [
    'all numbered 0 with one id',
    [delta(call({ id: 'a', index: 0 }, 'f', '{}')), delta(call({ id: 'a', index: 0 }, 'g', '{}'))],
    ['0 a f {}', '1 call_ g {}'],
  ],
  [
    'alike but for their input',
    [delta(call({ id: 'a', index: 0 }, 'f', '{"x":1}')), delta(call({ id: 'a', index: 0 }, 'f', '{"x":2}'))],
    ['0 a f {"x":1}', '1 call_ f {"x":2}'],
  ],
  [
    'without ids, all numbered 0',
    [delta(call({ index: 0 }, 'f', '{}')), delta(call({ index: 0 }, 'g', '{}'))],
    ['0 call_ f {}', '1 call_ g {}'],
  ],
  ['numbered from 1', [delta(call({ id: 'a', index: 1 }, 'f', '{')), delta(call({ index: 1 }, undefined, '}'))], ['0 a f {}']],
  [
    'id and name in each piece',
    [delta(call({ id: 'a', type: 'function', index: 0 }, 'f', '{')), delta(call({ id: 'a', type: 'function', index: 0 }, 'f', '}'))],
    ['0 a f {}'],
  ],
  ['an empty id in later pieces', [delta(call({ id: 'a', index: 0 }, 'f', '{')), delta(call({ id: '', index: 0 }, '', '}'))], ['0 a f {}']],
  ['arguments as an object', [delta(call({ id: 'a', index: 0 }, 'f', { x: 1 }))], ['0 a f {"x":1}']],
] as const)
  test(`calls of a stream, ${what}, are distinguished`, async () => {
    const calls = joined(await stream(...frames, end))
    assert.deepEqual(
      calls.map(({ index, id, name, arguments: input }: Record<string, unknown>) => `${index} ${String(id).slice(0, 5)} ${name} ${input}`),
      wanted,
    )
    assert.ok(calls.every(({ type }: Record<string, unknown>) => type === 'function'))
  })

test('calls without an id, or with the id of another call, get their own ids', async () => {
  const same = (index: number) => call({ id: 'same', index }, 'f', '{}')
  const streamed = joined(await stream(delta(same(0)), delta(same(1)), delta(call({ index: 2 }, 'f', '{}')), end))
  const message = { content: null, tool_calls: [same(0), same(1), call({}, 'f', '{}')] }
  const whole = JSON.parse(await ask(jsonReply({ choices: [{ message, finish_reason: 'stop' }] })))
  for (const calls of [streamed, whole.choices[0].message.tool_calls] as { id: string }[][]) {
    const ids = calls.map(({ id }) => id)
    assert.equal(ids[0], 'same')
    assert.ok(ids.every(id => typeof id === 'string' && id !== ''))
    assert.equal(new Set(ids).size, 3)
  }
})

test('missing members are added to a whole answer', async () => {
  const message = { tool_calls: [{ id: 'a', function: { name: 'f', arguments: { x: 1 } }, extra_content: { s: 1 } }] }
  const { id, created, ...rest } = JSON.parse(
    await ask(jsonReply({ choices: [{ message, finish_reason: 'STOP' }], usage: { prompt_tokens: 2, completion_tokens: 1 } })),
  )
  assert.ok(id.startsWith('chatcmpl-') && created > 1_700_000_000)
  assert.deepEqual(rest, {
    object: 'chat.completion',
    model: 'up-1',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":1}' }, extra_content: { s: 1 } }],
        },
        finish_reason: 'tool_calls',
      },
    ],
    usage: { prompt_tokens: 2, completion_tokens: 1, total_tokens: 3 },
  })
  const text = JSON.parse(await ask(jsonReply({ choices: [{ message: { content: null }, finish_reason: 'max_tokens' }, { text: 'x' }] })))
  assert.deepEqual(
    text.choices.map(({ index, message, finish_reason }: Record<string, unknown>) => [index, message, finish_reason]),
    [
      [0, { role: 'assistant', content: '' }, 'length'],
      [1, { role: 'assistant', content: '' }, 'stop'],
    ],
  )
})

test('a correct answer keeps its bytes, and without the setting every answer does', async () => {
  const head = '"id":"1", "object":"chat.completion.chunk","created":1.0,"model":"m"'
  const tidy =
    `: ping\n\ndata: {${head},"choices":[{"index":0,"delta":{"role":"assistant","content":"\\u00e9"},"finish_reason":null}]}\n\n` +
    `data: {${head},"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`
  const events = (text: string) => rawReply(text, 200, { 'content-type': 'text/event-stream' })
  const json = (text: string) => rawReply(text, 200, { 'content-type': 'application/json' })
  assert.equal(await ask(events(tidy), 'tidy', { stream: true }), tidy)
  const untidy = `data: {"choices":[{"delta":{"tool_calls":[{"function":{"name":"f"}}]}}]}\n\ndata: {"choices":[{"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`
  assert.equal(await ask(events(untidy), 'plain', { stream: true }), untidy)
  const whole = '{"choices" : [{"message":{"content":"x"}}]}'
  assert.equal(await ask(json(whole), 'plain'), whole)
  const inOrder =
    '{ "id":"1","object":"chat.completion","created":1e3,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"x"},"finish_reason":"stop"}]}'
  assert.equal(await ask(json(inOrder)), inOrder)
})

test('usage that was not requested is left out, also when the server leaves out choices', async () => {
  const chunks = await stream({ choices: [{ delta: { content: 'x' } }] }, end, { usage: { prompt_tokens: 1, completion_tokens: 1 } })
  assert.ok(chunks.every(({ usage }) => usage === undefined))
  assert.equal(chunks.length, 2)
})

test('a reason for the end that no text can be made of is an end', async () => {
  const finish_reason = { toString: 5, valueOf: 5 }
  const whole = JSON.parse(await ask(jsonReply({ choices: [{ message: { content: 'hi' }, finish_reason }] })))
  assert.equal(whole.choices[0].finish_reason, 'stop')
  const chunks = await stream({ choices: [{ delta: { content: 'hi' } }] }, { choices: [{ delta: {}, finish_reason }] })
  assert.equal(chunks.at(-1)?.choices[0].finish_reason, 'stop')
})
