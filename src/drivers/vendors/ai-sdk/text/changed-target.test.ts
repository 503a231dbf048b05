/** Tests that the signatures of thinking are kept when a conversation continues at another driver
 *  of the same provider, and that they are never sent to another provider. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type FakeUpstream, startFakeUpstream } from '../../../../testing/fakes/fake-upstream.ts'
import { fakeThoughtSignature } from '../../../../testing/fakes/fake-upstream-gemini.ts'
import { fakeSignature } from '../../../../testing/fakes/fake-upstream-messages.ts'
import { speaks } from '../../../../testing/fakes/fake-upstream-text.ts'
import { type Answer, startTestGateway, type TestGateway } from '../../../../testing/gateway.ts'
import { anthropicReply } from '../testing/anthropic-answers.ts'

const providers = {
  anthropic: { package: '@ai-sdk/anthropic', native: 'driver: anthropic', upstreamModel: 'up-1', signature: fakeSignature },
  gemini: { package: '@ai-sdk/google', native: 'driver: gemini', upstreamModel: 'up-1', signature: fakeThoughtSignature },
  openai: {
    package: '@ai-sdk/openai',
    native: 'driver: openai-compatible, dialect: openai, protocols: [responses]',
    upstreamModel: 'gpt-5.1',
    signature: 'sealed',
  },
}
type Provider = keyof typeof providers

let service: FakeUpstream
let gateway: TestGateway
before(async () => {
  service = await startFakeUpstream()
  const other = service.baseUrl.replace('127.0.0.1', 'localhost')
  const models = Object.entries(providers).flatMap(([name, { package: from, native, upstreamModel }]) => {
    const model = (id: string, driver: string, at: string, upstream: string) =>
      `  - { id: ${name}-${id}, family: chat, targets: [{ ${driver}, base_url: "${at}", api_key: sk-none-at-all, model: ${upstream} }] }`
    const packaged = `driver: ai-sdk, package: "${from}"`
    return [
      model('package', packaged, service.baseUrl, upstreamModel),
      model('native', native, service.baseUrl, upstreamModel),
      model('other-package', packaged, other, `${upstreamModel}-other`),
      model('other-native', native, other, 'up-2'),
    ]
  })
  gateway = await startTestGateway({ yaml: `models:\n${models.join('\n')}\n` })
})
beforeEach(() => void service.received.splice(0))
after(async () => {
  await gateway[Symbol.asyncDispose]()
  await service.close()
})

const parameters = { type: 'object', properties: { town: { type: 'string' } }, required: ['town'] }
const weather = { name: 'weather', description: 'Tells the weather.', parameters }
const question = 'Weather in Rome?'
const asks = { role: 'user', content: question }
const result = '21 degrees'
const called = { reasoning: 'I should look.', calls: [{ id: 'toolu_1', name: 'weather', input: '{"town":"Rome"}' }] }

interface Caller {
  ask(model: string): Promise<Answer>
  /** Sends the next turn, which contains the earlier answer `before`. */
  goOn(model: string, before: Answer): Promise<Answer>
}

const post = (path: string, body: object) => gateway.call(path, { body })
const chat = (model: string, more: readonly object[]) =>
  post('/v1/chat/completions', {
    ...{ model, messages: [asks, ...more], reasoning_effort: 'low', tools: [{ type: 'function', function: weather }] },
  })
const responses = (model: string, more: readonly object[]) => {
  const settings = { store: false, include: ['reasoning.encrypted_content'], reasoning: { effort: 'low' } }
  return post('/v1/responses', { model, input: [asks, ...more], tools: [{ type: 'function', ...weather }], ...settings })
}
const messages = (model: string, more: readonly object[]) => {
  const tools = [{ name: 'weather', description: weather.description, input_schema: parameters }]
  const thinking = { type: 'enabled', budget_tokens: 2000 }
  return post('/v1/messages', { model, max_tokens: 4000, messages: [asks, ...more], tools, thinking })
}
const generate = (model: string, more: readonly object[]) =>
  post(`/v1beta/models/${model}:generateContent`, {
    contents: [{ role: 'user', parts: [{ text: question }] }, ...more],
    tools: [{ functionDeclarations: [weather] }],
    generationConfig: { thinkingConfig: { thinkingBudget: 2000, includeThoughts: true } },
  })

const callers: Record<string, Caller> = {
  chat: {
    ask: model => chat(model, []),
    goOn: (model, { body }) => {
      const [{ message }] = body.choices
      return chat(model, [message, { role: 'tool', tool_call_id: message.tool_calls[0].id, content: result }])
    },
  },
  Responses: {
    ask: model => responses(model, []),
    goOn: (model, { body }) => {
      const { call_id } = body.output.find(({ type }: { type: string }) => type === 'function_call')
      return responses(model, [...body.output, { type: 'function_call_output', call_id, output: result }])
    },
  },
  Messages: {
    ask: model => messages(model, []),
    goOn: (model, { body: { content } }) => {
      const { id } = content.find(({ type }: { type: string }) => type === 'tool_use')
      const given = { type: 'tool_result', tool_use_id: id, content: result }
      return messages(model, [
        { role: 'assistant', content },
        { role: 'user', content: [given] },
      ])
    },
  },
  generateContent: {
    ask: model => generate(model, []),
    goOn: (model, { body }) => {
      const response = { functionResponse: { name: 'weather', response: { result } } }
      return generate(model, [body.candidates[0].content, { role: 'user', parts: [response] }])
    },
  },
}

/** Returns the text of the second request to the service. */
async function secondRequest(caller: Caller, from: string, to: string): Promise<string> {
  service.received.splice(0)
  service.answer(speaks(called), speaks({ text: 'Sunny.' }))
  const first = await caller.ask(from)
  assert.equal(first.status, 200, JSON.stringify(first.body))
  const second = await caller.goOn(to, first)
  assert.equal(second.status, 200, JSON.stringify(second.body))
  assert.match(JSON.stringify(second.body), /Sunny\./)
  assert.equal(service.received.length, 2)
  return JSON.stringify(service.received[1]?.json)
}

for (const [name, caller] of Object.entries(callers))
  describe(`a caller of ${name}`, () => {
    // The cast is safe: these are the keys of the table.
    for (const provider of Object.keys(providers) as Provider[]) {
      const { signature } = providers[provider]
      test(`keeps signatures from the package of ${provider} for the native driver, and back`, async () => {
        for (const [from, to] of [
          ['package', 'native'],
          ['native', 'package'],
        ]) {
          const sent = await secondRequest(caller, `${provider}-${from}`, `${provider}-${to}`)
          assert.equal(sent.split(JSON.stringify(signature)).length - 1, 1, `${from} to ${to}: ${sent}`)
        }
      })
      // A chat message and a tool call of Responses do not say which target made them. Their
      // signatures are therefore sent to every target of the protocol, as are signatures that a
      // client received from the service itself.
      if (name === 'chat' || (name === 'Responses' && provider === 'gemini')) continue
      test(`sends no signature of the package of ${provider} to another service`, async () => {
        for (const to of ['other-native', 'other-package']) {
          const sent = await secondRequest(caller, `${provider}-package`, `${provider}-${to}`)
          assert.ok(!sent.includes(signature), `${to}: ${sent}`)
        }
      })
    }
    test('sends no signature to another provider', async () => {
      for (const [from, to] of [
        ['anthropic-package', 'gemini-native'],
        ['anthropic-package', 'openai-native'],
        ['gemini-package', 'anthropic-native'],
        ['openai-package', 'anthropic-native'],
        ['openai-native', 'anthropic-package'],
        ['anthropic-native', 'gemini-package'],
      ] as const) {
        const { signature } = providers[from.split('-')[0] as Provider]
        const sent = await secondRequest(caller, from, to)
        assert.ok(!sent.includes(signature), `${from} to ${to}: ${sent}`)
      }
    })
  })

test('several pieces of thinking keep their places and signatures at the native driver', async () => {
  const blocks = [
    { type: 'thinking', thinking: 'I should look.', signature: 'sig-1' },
    { type: 'text', text: 'Let me look.' },
    { type: 'redacted_thinking', data: 'sealed' },
    { type: 'thinking', thinking: 'Rome it is.', signature: 'sig-2' },
    { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { town: 'Rome' } },
  ] as const
  const { chat: caller } = callers
  assert.ok(caller)
  service.answer(anthropicReply({ blocks, stop: 'tool_use' }), speaks({ text: 'Sunny.' }))
  const first = await caller.ask('anthropic-package')
  assert.equal((await caller.goOn('anthropic-native', first)).status, 200)
  const [, answer] = Object(service.received[1]?.json).messages
  assert.deepEqual(answer.content, blocks)
  // A changed text has no signature any more.
  first.body.choices[0].message.reasoning_content = 'I should stay.Rome it is.'
  assert.equal((await caller.goOn('anthropic-native', first)).status, 200)
  assert.ok(!JSON.stringify(service.received[2]?.json).includes('sig-'))
})
