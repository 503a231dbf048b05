/** A hosted tool runs at an upstream. A call with such a tool has one of three results: it
 *  reaches a target that speaks the caller's protocol, it is refused with an error that names
 *  the field, or its answer has a warning that the tool was left out. The tool is never left out
 *  without a warning. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { textProtocols as protocols, type TextProtocol } from '@generation-gateway/kit/requests/text-protocol.ts'
import { fakeTextDriver, says } from '../testing/fakes/fake-text-driver.ts'
import { type FakeUpstream, resetReply, startFakeUpstream } from '../testing/fakes/fake-upstream.ts'
import { speaks } from '../testing/fakes/fake-upstream-text.ts'
import { type Answer, startTestGateway, type TestGateway } from '../testing/gateway.ts'

let gateway: TestGateway
let upstream: FakeUpstream
let second: FakeUpstream

const families = `[${protocols.join(', ')}]`

/** The targets by name, each as the driver's settings. `speaks` is the protocol that it speaks. */
const targets: Record<string, { speaks?: TextProtocol; settings: string }> = {
  'chat, basic': { speaks: 'chat', settings: 'driver: openai-compatible, dialect: basic, protocols: [chat]' },
  'chat, openai': { speaks: 'chat', settings: 'driver: openai-compatible, dialect: openai, protocols: [chat]' },
  'responses, basic': {
    speaks: 'responses',
    settings: 'driver: openai-compatible, dialect: basic, protocols: [responses], stateless: true',
  },
  'responses, openai': {
    speaks: 'responses',
    settings: 'driver: openai-compatible, dialect: openai, protocols: [responses], stateless: false',
  },
  'messages, compatible': { speaks: 'messages', settings: 'driver: openai-compatible, protocols: [messages]' },
  anthropic: { speaks: 'messages', settings: 'driver: anthropic' },
  gemini: { speaks: 'generate-content', settings: 'driver: gemini' },
  'AI SDK': { settings: 'driver: ai-sdk, package: "@ai-sdk/openai-compatible"' },
  'an engine': { settings: 'driver: engine' },
}
const names = Object.keys(targets)
const idOf = (name: string) => `to-${name.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`
const at = ({ baseUrl }: FakeUpstream, name: string, order = 1) =>
  name === 'an engine'
    ? `{ driver: engine, order: ${order} }`
    : `{ ${targets[name]!.settings}, base_url: "${baseUrl}", api_key: sk-up, model: up-1, order: ${order} }`

const own: Record<TextProtocol, string> = {
  chat: 'chat, openai',
  responses: 'responses, openai',
  messages: 'anthropic',
  'generate-content': 'gemini',
}
const foreign: Record<TextProtocol, string> = {
  chat: 'anthropic',
  responses: 'chat, basic',
  messages: 'chat, basic',
  'generate-content': 'chat, basic',
}

before(async () => {
  upstream = await startFakeUpstream()
  second = await startFakeUpstream()
  const single = names.map(name => `  - { id: ${idOf(name)}, family: ${families}, targets: [${at(upstream, name)}] }\n`)
  const double = protocols.map(
    each => `  - { id: two-${each}, family: ${families}, targets: [${at(upstream, foreign[each])}, ${at(second, own[each], 2)}] }\n`,
  )
  gateway = await startTestGateway({
    drivers: [fakeTextDriver('engine', () => says('Hello.'))],
    yaml: `models:\n${[...single, ...double].join('')}`,
  })
})
after(async () => {
  await gateway?.[Symbol.asyncDispose]()
  await Promise.all([upstream, second].map(each => each?.close()))
})

const hello = { messages: [{ role: 'user', content: 'hello' }] }
const chatHosted = {
  web_search_options: { search_context_size: 'low' },
  tools: [{ type: 'web_search', web_search: { search_engine: 'std' } }],
  plugins: [{ id: 'web' }],
  search_parameters: { mode: 'auto' },
  enable_search: true,
}
const responsesHosted = ['web_search', 'file_search', 'code_interpreter', 'computer_use_preview', 'image_generation', 'mcp', 'local_shell']
const messagesHosted = [
  'web_search_20250305',
  'web_fetch_20250910',
  'code_execution_20250825',
  'computer_20250124',
  'bash_20250124',
  'mcp_toolset',
]
const contentHosted = ['googleSearch', 'googleMaps', 'codeExecution', 'urlContext', 'computerUse', 'fileSearch', 'google_search']

interface HostedCall {
  /** Matches the name of the tool in the body that the upstream gets or, when the tool is not sent,
   *  in the refusal or warning. */
  named: RegExp
  path(model: string): string
  body(model: string): object
}

function hostedCalls(protocol: TextProtocol): HostedCall[] {
  switch (protocol) {
    case 'chat':
      return Object.entries(chatHosted).map(([name, value]) => ({
        named: name === 'tools' ? /web_search/ : new RegExp(name),
        path: () => '/v1/chat/completions',
        body: model => ({ model, ...hello, [name]: value }),
      }))
    case 'responses':
      return responsesHosted.map(type => ({
        named: new RegExp(type),
        path: () => '/v1/responses',
        body: model => ({ model, input: 'hello', store: false, tools: [{ type }] }),
      }))
    case 'messages':
      return [
        ...messagesHosted.map(type => ({ type, tools: { tools: [{ type, name: type.replace(/_\d+$/, '') }] } })),
        { type: 'mcp_servers', tools: { mcp_servers: [{ type: 'url', url: 'https://tools.example/mcp', name: 'theirs' }] } },
      ].map(({ type, tools }) => ({
        named: new RegExp(type),
        path: () => '/v1/messages',
        body: (model: string) => ({ model, max_tokens: 50, ...hello, ...tools }),
      }))
    case 'generate-content':
      return contentHosted.map(name => ({
        named: new RegExp(name.replace('_s', '_?[sS]')),
        path: model => `/v1beta/models/${model}:generateContent`,
        body: () => ({ contents: [{ parts: [{ text: 'hello' }] }], tools: [{ [name]: {} }] }),
      }))
  }
}

const ask = ({ path, body }: HostedCall, model: string): Promise<Answer> => gateway.call(path(model), { body: body(model) })

for (const protocol of protocols)
  for (const name of names)
    test(`${protocol} to ${name}: a hosted tool is passed on, refused by name, or reported as left out`, async () => {
      for (const call of hostedCalls(protocol)) {
        upstream.answer(speaks({ text: 'Hello.', usage: { input: 9, output: 3 } }))
        upstream.received.length = 0
        const { status, bytes, headers } = await ask(call, idOf(name))
        const what = `${call.named} ${status} ${bytes.toString().slice(0, 300)}`
        if (targets[name]!.speaks === protocol) {
          assert.equal(status, 200, what)
          assert.match(upstream.received[0]!.body.toString(), call.named, what)
        } else if (status === 200) assert.match(headers.get('x-gateway-warning') ?? '', call.named, what)
        else {
          assert.equal(status, 400, what)
          assert.match(bytes.toString(), call.named, what)
          assert.deepEqual(upstream.received, [], what)
        }
      }
    })

for (const protocol of protocols)
  test(`${protocol}: a request that a translation would refuse goes to a later target that supports it, and to no other`, async () => {
    const [tool] = hostedCalls(protocol)
    // In the Responses protocol a tool that cannot be translated is left out with a warning, unless
    // `tool_choice` requires a tool.
    const call = {
      ...tool!,
      body: (model: string) => ({ ...tool!.body(model), ...(protocol === 'responses' ? { tool_choice: 'required' } : {}) }),
    }
    upstream.answer(speaks({ text: 'Hello.' }))
    second.answer(speaks({ text: 'Hello.' }))
    for (const { received } of [upstream, second]) received.length = 0
    const passed = await ask(call, `two-${protocol}`)
    assert.equal(passed.status, 200, passed.bytes.toString())
    assert.deepEqual(upstream.received, [])
    assert.match(second.received[0]!.body.toString(), call.named)
    second.answer(resetReply([]))
    const failed = await ask(call, `two-${protocol}`)
    assert.equal(failed.status, 502, failed.bytes.toString())
    assert.deepEqual(upstream.received, [])
  })

test('responses: a choice that requires a hosted tool goes to a target with this tool', async () => {
  const tool = { type: 'web_search' }
  for (const choice of [tool, { type: 'allowed_tools', mode: 'required', tools: [tool] }]) {
    upstream.received.length = 0
    second.answer(speaks({ text: 'Hello.' }))
    const body = { model: 'two-responses', input: 'hello', store: false, tools: [tool], tool_choice: choice }
    const { status, bytes } = await gateway.call('/v1/responses', { body })
    assert.equal(status, 200, `${JSON.stringify(choice)}: ${bytes}`)
    assert.deepEqual(upstream.received, [])
  }
})

test('a search option that is off requests no tool', async () => {
  upstream.answer(speaks({ text: 'Hello.' }))
  for (const off of [{ plugins: [] }, { enable_search: false }, { search_parameters: { mode: 'off' } }, { web_search: null }]) {
    const { status, bytes } = await gateway.call('/v1/chat/completions', { body: { model: idOf('anthropic'), ...hello, ...off } })
    assert.equal(status, 200, bytes.toString())
  }
})
