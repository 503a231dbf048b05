/** Tests what is reserved and counted for a repair: when the text of a custom tool does not match
 *  its grammar, the gateway requests the call once more, with the whole conversation. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { type FakeReply, type FakeUpstream, hangingReply, resetReply, sseReply, startFakeUpstream } from '../testing/fakes/fake-upstream.ts'
import { chatFrames, type FakeSpeech } from '../testing/fakes/fake-upstream-text.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway.ts'
import { begin } from '../testing/relay-gateway.ts'

const key = 'sk-repairs-key-00001'
/** About 1,000 tokens. */
const prompt = 'word '.repeat(1_000)
const grammar = { syntax: 'regex', definition: '[0-9]{3}' }
const tools = [{ type: 'custom', custom: { name: 'dial', format: { type: 'grammar', grammar } } }]
const body = { model: 'talk', messages: [{ role: 'user', content: prompt }], tools, max_tokens: 100 }
const usage = { input: 900, output: 5 }
const says = (speech: FakeSpeech): FakeReply => sseReply(chatFrames({ usage, ...speech }))
const broken = { calls: [{ name: 'dial', input: '{"input":"1234"}' }] }
const repaired = { calls: [{ name: 'dial', input: '{"input":"456"}' }] }
const path = '/v1/ai/studio'

interface Setup {
  gateway: TestGateway
  upstream: FakeUpstream
  [Symbol.asyncDispose](): Promise<void>
}

async function start(settings = ''): Promise<Setup> {
  const upstream = await startFakeUpstream()
  const target = `{ driver: openai-compatible, base_url: "${upstream.baseUrl}", model: up, dialect: basic, protocols: [chat]${settings} }`
  const gateway = await startTestGateway({
    yaml: `
accounts:
  - { id: acme, keys: [{ name: k, secret: ${key}, quotas: { tokens: 1000000/day } }], endpoints: [{ name: studio }] }
models:
  - { id: talk, family: [chat, responses], targets: [${target}] }
`,
  })
  const close = async () => {
    await gateway[Symbol.asyncDispose]()
    await upstream.close()
  }
  return { gateway, upstream, [Symbol.asyncDispose]: close }
}

async function quotaOf(gateway: TestGateway): Promise<{ used: number; held: number }> {
  return (await gateway.call('/v1/usage', { key })).body.quotas[0]
}

/** Returns the used tokens once none are reserved any more. */
async function usedTokens(gateway: TestGateway): Promise<number> {
  const { used } = await until(async () => {
    const quota = await quotaOf(gateway)
    return quota.held === 0 && quota.used > 0 ? quota : undefined
  }, 'the end of the hold')
  return used
}

test('a repair request counts once, as the target reports it', async () => {
  await using setup = await start()
  const { gateway, upstream } = setup
  upstream.answer(says(broken), says(repaired))
  const { body: answer } = await gateway.call(`${path}/chat/completions`, { key, body })
  assert.equal(answer.choices[0].message.tool_calls[0].custom.input, '456')
  assert.equal(answer.usage.total_tokens, 2 * 905)
  assert.equal(await usedTokens(gateway), 2 * 905)
})

test('a running repair is held, and a caller who disconnects then pays for it', async () => {
  await using setup = await start()
  const { gateway, upstream } = setup
  upstream.answer(says(broken), hangingReply())
  const answer = await begin(`${gateway.url}${path}/chat/completions`, { body: JSON.stringify({ ...body, stream: true }), key })
  await until(() => upstream.received.length === 2, 'the repair')
  const { held } = await until(async () => {
    const quota = await quotaOf(gateway)
    return quota.held > 2_200 ? quota : undefined
  }, 'the raise of the hold')
  assert.ok(held < 2_700, `${held}`)
  answer.destroy()
  assert.equal(await usedTokens(gateway), held)
})

test('an answer that breaks off after its repair costs both requests', async () => {
  await using setup = await start()
  const { gateway, upstream } = setup
  const frames = chatFrames({ calls: [...broken.calls, { name: 'dial', input: '{"input":"789"}' }] })
  upstream.answer(resetReply(frames.slice(0, -4)), says(repaired))
  const failed = await gateway.call(`${path}/chat/completions`, { key, body })
  assert.ok(failed.status >= 500, `${failed.status}`)
  assert.equal(upstream.received.length, 2)
  const used = await usedTokens(gateway)
  assert.ok(used >= 1_900 && used < 2_700, `${used}`)
})

test('a background response that is cancelled during its repair costs both requests', async () => {
  await using setup = await start()
  const { gateway, upstream } = setup
  upstream.answer(says(broken), hangingReply())
  const { body: created } = await gateway.call(`${path}/responses`, {
    key,
    body: {
      model: 'talk',
      input: prompt,
      background: true,
      max_output_tokens: 100,
      tools: [{ type: 'custom', name: 'dial', format: { type: 'grammar', ...grammar } }],
    },
  })
  await until(() => upstream.received.length === 2, 'the repair')
  await until(
    async () => (await gateway.call(`${path}/responses/${created.id}/cancel`, { key, method: 'POST' })).body.status === 'cancelled',
    'the end',
  )
  const used = await usedTokens(gateway)
  assert.ok(used >= 2_000 && used < 2_700, `${used}`)
})

test('a target that accepts one request at a time repairs all answers to a large request', async () => {
  await using setup = await start(', max_concurrent: 1')
  const { gateway, upstream } = setup
  upstream.answer(says(broken), says(repaired), says(broken), says(repaired))
  const picture = { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(34_000_000)}` } }
  const messages = [{ role: 'user', content: [picture] }]
  const { body: answer } = await gateway.call(`${path}/chat/completions`, { key, body: { ...body, messages, n: 2 } })
  assert.equal(JSON.stringify(answer.choices).match(/"input":"456"/g)?.length, 2)
  assert.equal(await usedTokens(gateway), 4 * 905)
})
