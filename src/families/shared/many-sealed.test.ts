/** Tests the limit of sealed signatures in one conversation, on the whole program. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type FakeUpstream, startFakeUpstream } from '../../testing/fakes/fake-upstream.ts'
import { speaks } from '../../testing/fakes/fake-upstream-text.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'
import { sealed } from './sealed-reasoning.ts'

let service: FakeUpstream
let gateway: TestGateway
before(async () => {
  service = await startFakeUpstream()
  service.answer(speaks({ text: 'Yes.' }))
  const target = `{ driver: openai-compatible, base_url: "${service.baseUrl}", api_key: sk-none-at-all, model: up-1, protocols: [chat] }`
  gateway = await startTestGateway({ yaml: `models:\n  - { id: m, family: chat, targets: [${target}] }\n` })
})
after(async () => {
  await gateway[Symbol.asyncDispose]()
  await service.close()
})

const signature = sealed({ texts: ['I think.'] })
const ask = { role: 'user', content: 'Well?' }

/** Returns the bodies of conversations with `count` sealed texts, by path. */
const bodies = (count: number): Record<string, object> => {
  const many = <T>(value: T): T[] => Array.from({ length: count }, () => value)
  const thinking = { type: 'thinking', thinking: '', signature }
  const part = { thought: true, text: '', thoughtSignature: Buffer.from(signature).toString('base64') }
  return {
    '/v1/messages': { model: 'm', max_tokens: 10, messages: [ask, { role: 'assistant', content: many(thinking) }, ask] },
    '/v1/responses': { model: 'm', input: [...many({ type: 'reasoning', summary: [], encrypted_content: signature }), ask] },
    '/v1beta/models/m:generateContent': {
      contents: [
        { role: 'model', parts: many(part) },
        { role: 'user', parts: [{ text: 'Well?' }] },
      ],
    },
  }
}

test('a conversation with 10,000 sealed signatures is answered, and one with more is refused', async () => {
  for (const [path, body] of Object.entries(bodies(10_000))) {
    const answer = await gateway.call(path, { body })
    assert.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`)
  }
  for (const [path, body] of Object.entries(bodies(10_001))) {
    const before = service.received.length
    const { status, body: said } = await gateway.call(path, { body })
    assert.equal(status, 400, path)
    assert.match(JSON.stringify(said), /(messages|input|contents) has more than 10000 signatures or encrypted contents/)
    assert.equal(service.received.length, before)
  }
})
