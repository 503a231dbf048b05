/** Tests what is reserved and counted for a call that requests several answers, when the gateway
 *  sends one request per answer. Each request counts its own input, and when one fails, the others
 *  are stopped. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { streamed } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Driver } from '@generation-gateway/kit/requests/job.ts'
import type { TextEvent, TextRequest } from '@generation-gateway/kit/requests/text.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { fakeTextDriver, says, type TextScript } from '../testing/fakes/fake-text-driver.ts'
import { errorReply, jsonReply, startFakeUpstream } from '../testing/fakes/fake-upstream.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway.ts'
import { ledgerRows } from '../testing/load/ledger-rows.ts'

const key = 'sk-answers-key-000001'
const hangs = (signal: AbortSignal) => new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
/** About 1,000 tokens. */
const prompt = 'word '.repeat(1_000)
const messages = [{ role: 'user', content: prompt }]
const none = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0 }
const usage = { inputTokens: 900, outputTokens: 5 }

interface Setup {
  /** Tokens a day. */
  quota: number
  targets?: string
  offers?: Driver['offers']
}

function start(script: TextScript, { quota, targets, offers }: Setup): Promise<TestGateway> {
  return startTestGateway({
    drivers: [fakeTextDriver('t', script, offers ? { offers } : {})],
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

/** Waits until no tokens are reserved and returns the used tokens, after asserting that the quota
 *  and the ledger agree. */
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

for (const isStream of [false, true])
  for (const isRefused of [false, true])
    test(`when an answer fails (${isStream ? 'stream' : 'whole'}), a running one counts unless it is refused (${isRefused}), and a waiting one is never sent`, async () => {
      let begun = 0
      let stopped = 0
      const bothBegun = Promise.withResolvers<void>()
      const hasFailed = Promise.withResolvers<void>()
      const refusal = () => new GatewayError('rate_limited', 'no')
      const script: TextScript = async function* (job) {
        begun += 1
        if (begun > 2) return yield* says('x', { usage })
        if (begun === 2) bothBegun.resolve()
        if (begun === 1) {
          await bothBegun.promise
          throw refusal()
        }
        try {
          await hasFailed.promise
          if (isRefused) throw refusal()
          yield { type: 'text', delta: 'word ' }
          await hangs(job.signal)
        } finally {
          stopped += 1
        }
      }
      await using gateway = await start(script, { quota: 1_000_000, targets: '{ driver: t, max_concurrent: 2 }' })
      const refused = await ask(gateway, { n: 4, max_tokens: 100, stream: isStream })
      assert.equal(refused.status, 429, 'the error does not wait for the other answers')
      hasFailed.resolve()
      await until(() => stopped === 1, 'the end of the answer at work')
      const used = await usedTokens(gateway)
      if (isRefused) assert.equal(used, 0)
      else assert.ok(used >= 1_100 && used < 1_400, `${used} tokens for the one answer that was sent and not refused`)
      // Answers begin in the order in which they queued for the target. If an answer of the stopped
      // call were still queued, it would begin before this one and `begun` would be 4.
      assert.equal((await ask(gateway, { max_tokens: 100 })).status, 200)
      assert.equal(begun, 3)
      await until(async () => (await usedTokens(gateway)) === used + 905, 'the count of the last call')
    })

test('a streamed call whose answer breaks off stops the other answers', async () => {
  let begun = 0
  let stopped = 0
  const othersBegun = Promise.withResolvers<void>()
  const script: TextScript = async function* (job) {
    begun += 1
    const isFirst = begun === 1
    if (begun === 3) othersBegun.resolve()
    yield { type: 'text', delta: 'word ' }
    if (isFirst) {
      await othersBegun.promise
      throw new GatewayError('upstream_error', 'broke off')
    }
    try {
      await hangs(job.signal)
    } finally {
      stopped += 1
    }
  }
  await using gateway = await start(script, { quota: 1_000_000 })
  const answer = await ask(gateway, { n: 3, max_tokens: 100, stream: true })
  assert.match(answer.bytes.toString(), /upstream_error/)
  await until(() => stopped === 2, 'the stop of both others')
  const used = await usedTokens(gateway)
  assert.ok(used >= 3_300 && used < 4_200, `${used} tokens for three answers that were sent`)
})

test('an answer that produces much after its call has failed counts once', async () => {
  let begun = 0
  const bothBegun = Promise.withResolvers<void>()
  const hasFailed = Promise.withResolvers<void>()
  const script: TextScript = async function* () {
    begun += 1
    if (begun === 2) bothBegun.resolve()
    if (begun === 1) {
      await bothBegun.promise
      throw new GatewayError('invalid_request', 'no')
    }
    await hasFailed.promise
    yield { type: 'text', delta: 'word '.repeat(5_000) }
  }
  await using gateway = await start(script, { quota: 1_000_000 })
  assert.equal((await ask(gateway, { n: 2, max_tokens: 100 })).status, 400)
  hasFailed.resolve()
  const used = await usedTokens(gateway)
  assert.ok(used >= 6_000, `${used}`)
  await gateway.gateway.stop(200)
  const { holds, calls, quotas } = await ledgerRows(gateway.dataDir)
  assert.deepEqual([holds, calls.length, quotas.map(each => each.used)], [[], 1, [used]])
})

test('when the target refuses one of several prompts, no other is sent and nothing stays held', async () => {
  let begun = 0
  const run = streamed<TextRequest, TextEvent>(
    async function* () {
      begun += 1
      yield { type: 'event', event: { type: 'text', delta: 'x' } }
      yield { type: 'outcome', outcome: { state: 'done', files: [], usage: [], report: { finish: 'stop', usage: { ...none, ...usage } } } }
    },
    { refuses: ({ request }) => (JSON.stringify(request.items).includes('forbidden') ? { message: 'no' } : undefined) },
  )
  await using gateway = await start(() => says('unused'), { quota: 1_000_000, offers: { 'text.respond': run } })
  assert.equal((await ask(gateway, { prompt: [prompt, 'forbidden'] }, 'completions')).status, 400)
  // The store works in the order of the calls. When this call is answered, the amount for the first
  // call has been reserved, so the check below would find it if it were still there.
  assert.equal((await ask(gateway, { prompt }, 'completions')).status, 200)
  await until(async () => (await usedTokens(gateway)) === 905, 'the count of the second call')
  assert.equal(begun, 1)
})

test('the input of each of several answers is held before the first is sent', async () => {
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

test('an upstream that makes all answers itself has their input held once; targets called for each answer after it, several times', async () => {
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

test('answers to a large request begin a few at a time, so that their bodies do not fill the memory', async () => {
  let waiting = 0
  let most = 0
  const twoWait = Promise.withResolvers<void>()
  const script: TextScript = async function* () {
    waiting += 1
    most = Math.max(most, waiting)
    if (waiting === 2) twoWait.resolve()
    await twoWait.promise
    // If the gateway sent more than two answers at a time, the others would begin during these
    // turns of the event loop.
    for (let turn = 0; turn < 50; turn++) await new Promise(resolve => setImmediate(resolve))
    waiting -= 1
    yield* says('x', { usage })
  }
  await using gateway = await start(script, { quota: 1_000_000_000 })
  const picture = { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(30_000_000)}` } }
  const { status, body } = await ask(gateway, { n: 5, max_tokens: 5, messages: [{ role: 'user', content: [picture] }] })
  assert.deepEqual([status, body.choices?.length, most], [200, 5, 2])
})
