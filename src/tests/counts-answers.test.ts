/** The holds and counts of calls for several answers that the gateway requests one by one: each
 *  answer has its own input. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { fakeTextDriver, says, type TextScript } from '../testing/fakes/fake-text-driver.ts'
import { errorReply, jsonReply, startFakeUpstream } from '../testing/fakes/fake-upstream.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway.ts'

const key = 'sk-answers-key-000001'
/** About 1,000 tokens. */
const prompt = 'word '.repeat(1_000)
const messages = [{ role: 'user', content: prompt }]
const usage = { inputTokens: 900, outputTokens: 5 }

interface Setup {
  /** Tokens a day. */
  quota: number
  targets?: string
}

function start(script: TextScript, { quota, targets }: Setup): Promise<TestGateway> {
  return startTestGateway({
    drivers: [fakeTextDriver('t', script)],
    yaml: `
accounts:
  - { id: acme, keys: [{ name: k, secret: ${key}, quotas: { tokens: ${quota}/day } }], endpoints: [{ name: studio }] }
models:
  - { id: talk, family: [chat, completions], targets: [${targets ?? '{ driver: t }'}] }
`,
  })
}

async function quotaOf(gateway: TestGateway): Promise<{ used: number; held: number }> {
  return (await gateway.call('/v1/usage', { key })).body.quotas[0]
}

/** Returns the used tokens once nothing is held, which are the same in the quota and in the
 *  ledger. */
async function usedTokens(gateway: TestGateway): Promise<number> {
  const used = await until(async () => {
    const quota = await quotaOf(gateway)
    return quota.held === 0 ? { tokens: quota.used } : undefined
  }, 'the end of the hold')
  const { usage: lines } = (await gateway.admin('/admin/usage?by=account&account=acme')).body
  const units = (name: string) => lines.find(({ unit }: { unit: string }) => unit === name)?.units ?? 0
  assert.equal(units('input_tokens') + units('output_tokens'), used.tokens)
  return used.tokens
}

function ask(gateway: TestGateway, fields: object, path = 'chat/completions') {
  const body = path === 'completions' ? { model: 'talk', ...fields } : { model: 'talk', messages, ...fields }
  return gateway.call(`/v1/ai/studio/${path}`, { key, body })
}

test('several answers hold the input of each, before the first is sent', async () => {
  let begun = 0
  const script: TextScript = () => {
    begun += 1
    return says('x', { usage })
  }
  await using gateway = await start(script, { quota: 4_000 })
  for (const [path, fields] of [
    ['chat/completions', { n: 4, max_tokens: 5 }],
    ['completions', { prompt, n: 4, max_tokens: 5 }],
    ['completions', { prompt, best_of: 4, max_tokens: 5 }],
    ['completions', { prompt: [prompt, prompt, prompt, prompt], max_tokens: 5 }],
  ] as const)
    assert.equal((await ask(gateway, fields, path)).status, 429, JSON.stringify(fields).slice(-40))
  assert.equal(begun, 0)
  assert.equal(await usedTokens(gateway), 0)
  assert.equal((await ask(gateway, { n: 3, max_tokens: 5 })).status, 200)
  await until(async () => (await usedTokens(gateway)) === 3 * 905, 'the count')
})

test('an upstream that makes all answers itself holds their input once, and each when they are made one by one after it', async () => {
  const upstream = await startFakeUpstream()
  let begun = 0
  const canEnd = Promise.withResolvers<void>()
  const script: TextScript = async function* () {
    begun += 1
    await canEnd.promise
    yield* says('x', { usage })
  }
  const relayed = `{ driver: openai-compatible, base_url: "${upstream.baseUrl}", model: up, protocols: [chat], order: 1 }`
  await using gateway = await start(script, { quota: 4_000, targets: `${relayed}, { driver: t, order: 2 }` })
  try {
    upstream.answer(jsonReply({ choices: [{ message: { content: 'x' } }], usage: { prompt_tokens: 900, completion_tokens: 20 } }))
    assert.equal((await ask(gateway, { n: 4, max_tokens: 5 })).status, 200)
    await until(async () => (await usedTokens(gateway)) === 920, 'the count of the relayed call')
    upstream.answer(errorReply(503, { error: { message: 'down' } }))
    const translated = ask(gateway, { n: 4, max_tokens: 5 })
    await until(() => begun === 4, 'the four answers')
    const { held } = await until(async () => {
      const quota = await quotaOf(gateway)
      return quota.held > 2_000 ? quota : undefined
    }, 'the raise of the hold')
    assert.ok(held >= 4_000 && held < 4_600, `${held}`)
    canEnd.resolve()
    assert.equal((await translated).status, 200)
    await until(async () => (await usedTokens(gateway)) === 920 + 4 * 905, 'the count of the four answers')
  } finally {
    canEnd.resolve()
    await upstream.close()
  }
})
