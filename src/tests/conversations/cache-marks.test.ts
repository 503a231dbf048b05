/** Marks for the cache of a service (`cache_control`) keep their places in a translation. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type FakeUpstream, startFakeUpstream } from '../../testing/fakes/fake-upstream.ts'
import { speaks } from '../../testing/fakes/fake-upstream-text.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'

let upstream: FakeUpstream
let gateway: TestGateway

before(async () => {
  upstream = await startFakeUpstream()
  upstream.answer(speaks({ text: 'Hello', usage: { input: 9, output: 3 } }))
  const base = upstream.baseUrl
  const targets = {
    claude: `driver: anthropic, base_url: "${base.replace(/\/v1$/, '')}"`,
    router: `driver: openai-compatible, base_url: "${base}", protocols: [chat], cache_control: true`,
    plain: `driver: openai-compatible, base_url: "${base}", protocols: [chat]`,
    responses: `driver: openai-compatible, base_url: "${base}", protocols: [responses], stateless: true, cache_control: true`,
    gemini: `driver: gemini, base_url: "${base.replace(/v1$/, 'v1beta')}"`,
  }
  const models = Object.entries(targets).map(
    ([id, target]) => `  - { id: ${id}, family: [chat, messages], targets: [{ ${target}, api_key: k-0123456789, model: up-1 }] }\n`,
  )
  gateway = await startTestGateway({ yaml: `models:\n${models.join('')}` })
})
after(async () => {
  await gateway[Symbol.asyncDispose]()
  await upstream.close()
})

/** Returns the body that the upstream gets. */
async function sentFor(path: string, body: object) {
  upstream.received.length = 0
  const answer = await gateway.call(path, { body })
  assert.deepEqual([answer.status, answer.headers.get('x-gateway-warning')], [200, null], answer.bytes.toString())
  return Object(upstream.received[0]?.json)
}

const hour = { cache_control: { type: 'ephemeral', ttl: '1h' } }
const short = { cache_control: { type: 'ephemeral' } }
const input_schema = { type: 'object', properties: {} }

const ofMessages = {
  max_tokens: 100,
  system: [
    { type: 'text', text: 'Be brief.', ...hour },
    { type: 'text', text: 'Be kind.' },
  ],
  tools: [
    { name: 'one', input_schema },
    { name: 'two', input_schema, ...hour },
  ],
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look.' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' }, ...short },
        { type: 'text', text: 'Well?' },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I call.', ...short },
        { type: 'tool_use', id: 'toolu_1', name: 'one', input: {} },
        { type: 'tool_use', id: 'toolu_2', name: 'two', input: {}, ...short },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'toolu_1', content: 'a', ...short },
        { type: 'tool_result', tool_use_id: 'toolu_2', content: [{ type: 'text', text: 'b', ...short }] },
      ],
    },
  ],
}

const functionTool = (name: string) => ({ type: 'function', function: { name, parameters: input_schema } })
const call = (id: string, name: string) => ({ id, type: 'function', function: { name, arguments: '{}' } })

const ofChat = {
  messages: [
    {
      role: 'system',
      content: [
        { type: 'text', text: 'Be brief.', ...hour },
        { type: 'text', text: 'Be kind.' },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look.' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' }, ...short },
        { type: 'text', text: 'Well?' },
      ],
    },
    {
      role: 'assistant',
      content: [{ type: 'text', text: 'I call.', ...short }],
      tool_calls: [call('toolu_1', 'one'), { ...call('toolu_2', 'two'), ...short }],
    },
    { role: 'tool', tool_call_id: 'toolu_1', content: [{ type: 'text', text: 'a', ...short }] },
    { role: 'tool', tool_call_id: 'toolu_2', content: [{ type: 'text', text: 'b', ...short }] },
  ],
  tools: [functionTool('one'), { ...functionTool('two'), ...hour }],
}

test('cache marks of Messages keep their places at a chat target that knows them', async () => {
  const { messages, tools } = await sentFor('/v1/messages', { model: 'router', ...ofMessages })
  assert.deepEqual({ messages, tools }, ofChat)
})

test('cache marks of chat keep their places at a Messages target', async () => {
  const { messages, tools, system } = await sentFor('/v1/chat/completions', { model: 'claude', ...ofChat })
  const results = [
    { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'a', ...short }] },
    { type: 'tool_result', tool_use_id: 'toolu_2', content: [{ type: 'text', text: 'b', ...short }] },
  ]
  const wanted = [...ofMessages.messages.slice(0, 2), { role: 'user', content: results }]
  assert.deepEqual({ messages, tools, system }, { messages: wanted, tools: ofMessages.tools, system: ofMessages.system })
})

test('the cache mark of a whole chat message, and of a function, is set at its last part', async () => {
  const { messages, tools, system } = await sentFor('/v1/chat/completions', {
    model: 'claude',
    messages: [
      { role: 'system', content: 'Be brief.', ...hour },
      { role: 'user', content: 'Hi', ...short },
    ],
    tools: [{ type: 'function', function: { name: 'one', parameters: input_schema, ...short } }],
  })
  assert.deepEqual(system, [{ type: 'text', text: 'Be brief.', ...hour }])
  assert.deepEqual(messages, [{ role: 'user', content: [{ type: 'text', text: 'Hi', ...short }] }])
  assert.deepEqual(tools, [{ name: 'one', input_schema, ...short }])
})

test('the cache mark of a whole request is translated between Messages and chat', async () => {
  const hi = [{ role: 'user', content: 'hi' }]
  assert.deepEqual(
    (await sentFor('/v1/messages', { model: 'router', max_tokens: 9, messages: hi, ...hour })).cache_control,
    hour.cache_control,
  )
  assert.deepEqual((await sentFor('/v1/chat/completions', { model: 'claude', messages: hi, ...hour })).cache_control, hour.cache_control)
})

test('a target that does not know cache marks gets none, without a warning', async () => {
  for (const model of ['plain', 'responses', 'gemini'])
    for (const [path, body] of [
      ['/v1/messages', { ...ofMessages, ...hour }],
      ['/v1/chat/completions', { ...ofChat, ...hour }],
    ] as const) {
      // A chat call to a chat target is relayed byte for byte, so its marks reach the upstream.
      if (model === 'plain' && path.includes('chat')) continue
      assert.doesNotMatch(JSON.stringify(await sentFor(path, { model, ...body })), /cache_?control/i, `${path} ${model}`)
    }
})
