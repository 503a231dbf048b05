import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { errorReply, type FakeUpstream, jsonReply, sseReply, startFakeUpstream } from '../../testing/fakes/fake-upstream.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'

const path = '/v1/completions'
const key = 'sk-completions-key-0001'
let gateway: TestGateway
let upstream: FakeUpstream

before(async () => {
  upstream = await startFakeUpstream()
  const target = (more: string) => `[{ driver: openai-compatible, base_url: "${upstream.baseUrl}", model: up-1${more} }]`
  gateway = await startTestGateway({
    yaml: `
accounts:
  - id: acme
    keys: [{ name: k, secret: ${key}, quotas: { tokens: 100000/day } }]
    endpoints: [{ name: default }]
models:
  - { id: both, family: [chat, completions], targets: ${target('')} }
  - { id: only, family: completions, targets: ${target('')} }
  - { id: chat-only, family: chat, targets: ${target('')} }
  - { id: told, family: chat, targets: ${target(', protocols: [chat, completions]')} }
`,
  })
})
after(async () => {
  await gateway[Symbol.asyncDispose]()
  await upstream.close()
})

function completion(text: string, usage: object | null = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }): object {
  const choices = [{ index: 0, text, logprobs: null, finish_reason: 'stop' }]
  return { id: 'cmpl-up', object: 'text_completion', created: 1, model: 'up-1', choices, ...(usage ? { usage } : {}) }
}

async function usedTokens(): Promise<number> {
  return until(async () => {
    const [quota] = (await gateway.call('/v1/usage', { key })).body.quotas
    return quota.held === 0 ? { used: quota.used } : undefined
  }, 'the end of the hold').then(({ used }) => used)
}

test('a target with this protocol gets the body byte for byte, with the fields that only it supports', async () => {
  for (const model of ['both', 'only', 'told']) {
    upstream.answer(jsonReply(completion('x')))
    const sent = { prompt: [[1, 2], [3]], suffix: ' end', echo: true, best_of: 2, house_field: { a: 1 } }
    const answer = await gateway.call(path, { body: { model, ...sent }, key })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    const received = upstream.received.at(-1)!
    assert.deepEqual([received.path, received.json], ['/v1/completions', { model: 'up-1', ...sent }])
    assert.equal(answer.body.choices[0].text, 'x')
  }
})

test('a target that speaks only chat gets the prompt as a message', async () => {
  upstream.answer()
  const answer = await gateway.call(path, { body: { model: 'chat-only', prompt: 'hello' } })
  assert.deepEqual([answer.status, answer.body.object], [200, 'text_completion'])
  const received = upstream.received.at(-1)!
  assert.deepEqual(
    [received.path, (received.json as { messages: unknown }).messages],
    ['/v1/chat/completions', [{ role: 'user', content: 'hello' }]],
  )
  assert.equal((await gateway.call(path, { body: { model: 'chat-only', prompt: [1] } })).status, 400)
})

test('a model that only completes prompts is not found by chat', async () => {
  const answer = await gateway.call('/v1/chat/completions', { body: { model: 'only', messages: [{ role: 'user', content: 'x' }] } })
  assert.deepEqual([answer.status, answer.body.error.code], [404, 'model_not_found'])
})

test('a stream is relayed; its usage is requested from the upstream and recorded', async () => {
  const before = await usedTokens()
  const piece = { ...completion('Hi', null) }
  upstream.answer(
    sseReply([piece, { ...completion('', { prompt_tokens: 30, completion_tokens: 20, total_tokens: 50 }), choices: [] }, '[DONE]']),
  )
  const answer = await gateway.call(path, { body: { model: 'both', prompt: 'x', stream: true }, key })
  const text = answer.bytes.toString()
  assert.ok(text.includes('"text":"Hi"') && text.endsWith('data: [DONE]\n\n') && !text.includes('total_tokens'), text)
  assert.deepEqual((upstream.received.at(-1)!.json as Record<string, unknown>).stream_options, { include_usage: true })
  assert.equal((await usedTokens()) - before, 50)
})

test('without reported usage, a stream is charged by an estimate of its text, but at least the amount that was held', async () => {
  const before = await usedTokens()
  const pieces = Array.from({ length: 300 }, () => completion('word ', null))
  upstream.answer(sseReply([...pieces, '[DONE]']))
  await gateway.call(path, { body: { model: 'both', prompt: 'x', stream: true, max_tokens: 5 }, key })
  const used = (await usedTokens()) - before
  assert.ok(used >= 300 && used < 700, `${used}`)
})

test('a body that is no completion is an upstream error; refusals of the upstream are forwarded', async () => {
  upstream.answer(jsonReply({ choices: [] }))
  assert.equal((await gateway.call(path, { body: { model: 'only', prompt: 'x' } })).status, 502)
  upstream.answer(errorReply(400, { message: 'prompt is bad', param: 'prompt' }))
  const refused = await gateway.call(path, { body: { model: 'only', prompt: 'x' } })
  assert.deepEqual([refused.status, refused.body.error.param], [400, 'prompt'])
})

test('invalid bodies are refused before they are sent upstream', async () => {
  upstream.received.length = 0
  for (const body of [{ prompt: ['a', 1] }, { prompt: 'a', logprobs: 9 }, { prompt: ['a', 'b'], n: 100 }]) {
    assert.equal((await gateway.call(path, { body: { model: 'only', ...body } })).status, 400)
  }
  assert.equal(upstream.received.length, 0)
})
