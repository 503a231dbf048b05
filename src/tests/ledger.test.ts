/** Tests prices, quotas and the ledger through the program, as a caller and an operator see
 *  them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { once, polled } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { donePixel, fakeImageDriver } from '../testing/fakes/fake-driver.ts'
import { fakeTextDriver, says } from '../testing/fakes/fake-text-driver.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway.ts'

const key = 'sk-ledger-key-000001'
const otherKey = 'sk-ledger-key-000002'
const submitPath = '/v1/ai/studio/imgf/image/generate'

/** Returns the configuration of a paid image model and a paid chat model, in an account with two
 *  keys. */
function yaml({ account = '', own = '', driver = 'paid' }: { account?: string; own?: string; driver?: string } = {}): string {
  return `
currency: EUR
accounts:
  - id: acme
    ${account}
    keys:
      - { name: ci, secret: ${key} ${own} }
      - { name: other, secret: ${otherKey} }
    endpoints: [{ name: studio }]
models:
  - { id: cloud, family: F1, group: P, price: { image: 0.04 }, targets: [{ driver: ${driver} }] }
  - { id: talk, family: chat, price: { million_input_tokens: 1, million_output_tokens: 10 }, targets: [{ driver: t }] }
`
}

const text = fakeTextDriver('t', () => says('hello'))
const pictures = (slots = 4) => fakeImageDriver('paid', once(donePixel), slots)

function submit(gateway: TestGateway, options: { key?: string; headers?: Record<string, string> } = {}) {
  return gateway.call(submitPath, { key, body: { prompt: 'a fox', model: 'cloud', width: 256, height: 256 }, ...options })
}

function ended(gateway: TestGateway, id: string) {
  return until(async () => {
    const { task } = (await gateway.admin(`/admin/tasks/${id}`)).body
    return ['queued', 'running', 'unknown', 'cancelling'].includes(task.state) ? undefined : task
  }, 'the end')
}

// biome-ignore lint/suspicious/noExplicitAny: an answer of the interface.
async function usageOf(gateway: TestGateway, as = key): Promise<any> {
  const { status, body } = await gateway.call('/v1/usage', { key: as })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

test('of 64 simultaneous submits, a budget accepts exactly as many as it can pay for', async () => {
  await using gateway = await startTestGateway({ drivers: [pictures(), text], yaml: yaml({ account: 'quotas: { cost: 0.4/day }' }) })
  const answers = await Promise.all(Array.from({ length: 64 }, (_, index) => submit(gateway, { key: index % 2 === 0 ? key : otherKey })))
  const accepted = answers.filter(({ status }) => status === 200)
  assert.equal(accepted.length, 10)
  const refused = answers.find(({ status }) => status === 429)
  assert.equal(refused?.body.error.code, 'quota_exceeded')
  assert.match(
    refused?.body.error.message,
    /account acme has used .* of its budget, 0\.4 a day; .* this needs 0\.04.* begins anew at \d{4}-/,
  )
  assert.ok(Number(refused?.headers.get('retry-after')) >= 1)
  for (const { body } of accepted) assert.equal((await ended(gateway, body.id)).state, 'succeeded')
  const { quotas } = await usageOf(gateway)
  assert.deepEqual(
    quotas.map(({ scope, unit, used, held, remaining }: Record<string, unknown>) => [scope, unit, used, held, remaining]),
    [['account', 'cost', 0.4, 0, 0]],
  )
  assert.equal((await submit(gateway)).status, 429)
  const shown = (await gateway.admin('/admin/usage?by=account')).body.usage
  assert.deepEqual(
    shown.filter(({ unit }: { unit: string }) => unit === 'images'),
    [{ accountId: 'acme', unit: 'images', units: 10, costMicros: 400_000, cost: 0.4 }],
  )
})

test('a failed task costs nothing and returns its quota; a caller sees only its own usage', async () => {
  const failing = fakeImageDriver(
    'paid',
    once<ImageGenerateRequest>(async () => ({ state: 'failed', code: 'request_moderated', message: 'no' })),
  )
  await using gateway = await startTestGateway({ drivers: [failing, text], yaml: yaml({ own: ', quotas: { images: 1/day } ' }) })
  const first = await submit(gateway)
  assert.equal((await ended(gateway, first.body.id)).failure.code, 'request_moderated')
  const second = await submit(gateway)
  assert.equal(second.status, 200)
  await ended(gateway, second.body.id)
  const seen = await usageOf(gateway)
  assert.equal(seen.currency, 'EUR')
  assert.equal(seen.account, 'acme')
  assert.deepEqual(seen.data, [])
  assert.equal(seen.quotas[0].used, 0)
  assert.deepEqual((await usageOf(gateway, otherKey)).quotas, [])
})

test('a repeat with the same Idempotency-Key is not counted, and is answered although the quota is used up', async () => {
  await using gateway = await startTestGateway({ drivers: [pictures(), text], yaml: yaml({ own: ', quotas: { requests: 1/hour } ' }) })
  const headers = { 'idempotency-key': 'once' }
  const first = await submit(gateway, { headers })
  assert.equal((await submit(gateway, { headers })).body.id, first.body.id)
  assert.equal((await submit(gateway)).status, 429)
})

test('the expected usage of a chat is held while it runs, then its real usage is charged; tokens are limited over all models', async () => {
  const usage = { inputTokens: 30, outputTokens: 20, cachedInputTokens: 0, reasoningTokens: 0 }
  let release = () => {}
  const gate = new Promise<void>(resolve => {
    release = resolve
  })
  const slow = fakeTextDriver('t', async function* () {
    await gate
    yield* says('hello', { usage })
  })
  await using gateway = await startTestGateway({
    drivers: [pictures(), slow],
    yaml: yaml({ account: 'quotas: { tokens: 200/day, cost: 1/month }' }),
  })
  const ask = () =>
    gateway.call('/v1/ai/studio/chat/completions', {
      key,
      body: { model: 'talk', max_completion_tokens: 100, messages: [{ role: 'user', content: 'hi' }] },
    })
  const first = ask()
  await until(async () => (await usageOf(gateway)).quotas[0].held > 100, 'the hold')
  const second = await ask()
  assert.equal(second.status, 429, 'two of them may use more than is left')
  assert.equal(second.body.error.code, 'quota_exceeded')
  release()
  assert.equal((await first).status, 200)
  const seen = await until(async () => {
    const now = await usageOf(gateway)
    return now.quotas[0].used > 0 ? now : undefined
  }, 'the record')
  const [tokens, cost] = seen.quotas
  assert.deepEqual([tokens.used, tokens.held], [50, 0])
  assert.deepEqual([cost.used, cost.held], [0.00023, 0])
  assert.deepEqual(
    seen.data.map(({ model, unit, units, cost: money }: Record<string, unknown>) => [model, unit, units, money]),
    [
      ['talk', 'input_tokens', 30, 0.00003],
      ['talk', 'output_tokens', 20, 0.0002],
      ['talk', 'requests', 1, 0],
    ],
  )
  const { body } = await gateway.admin('/admin/calls')
  const { requestId, at, keyId, ms, ...shown } = body.calls[0]
  assert.deepEqual(shown, {
    accountId: 'acme',
    endpoint: 'studio',
    operation: 'chat.create',
    model: 'talk',
    target: 'talk#1',
    status: 200,
    inputTokens: 30,
    outputTokens: 20,
    cachedInputTokens: 0,
    reasoningTokens: 0,
    inputCostMicros: 30,
    cachedInputCostMicros: 0,
    outputCostMicros: 200,
    units: [
      { unit: 'input_tokens', units: 30, costMicros: 30 },
      { unit: 'output_tokens', units: 20, costMicros: 200 },
    ],
  })
})

test('a chat that is refused or fails leaves nothing held', async () => {
  const broken = fakeTextDriver('t', async function* () {
    yield* []
    throw new GatewayError('upstream_error', 'down')
  })
  await using gateway = await startTestGateway({ drivers: [pictures(), broken], yaml: yaml({ own: ', quotas: { tokens: 10000/day } ' }) })
  const { status } = await gateway.call('/v1/ai/studio/chat/completions', {
    key,
    body: { model: 'talk', messages: [{ role: 'user', content: 'hi' }] },
  })
  assert.equal(status, 502)
  await until(async () => (await usageOf(gateway)).quotas[0].held === 0, 'the end of the hold')
  assert.equal((await usageOf(gateway)).quotas[0].used, 0)
})

test('a task of unknown fate keeps its hold as an open line, which the operator charges or releases', async () => {
  const lost = fakeImageDriver(
    'paid',
    polled<ImageGenerateRequest>({
      pollEveryMs: 5,
      start: () => Promise.reject(new GatewayError('upstream_timeout', 'no answer')),
      check: donePixel,
    }),
  )
  await using gateway = await startTestGateway({ drivers: [lost, text], yaml: yaml({ own: ', quotas: { cost: 0.08 } ' }) })
  const ids: string[] = []
  for (let index = 0; index < 2; index++) {
    const { body } = await submit(gateway)
    assert.equal((await ended(gateway, body.id)).failure.code, 'outcome_unknown')
    ids.push(body.id)
  }
  assert.equal((await submit(gateway)).status, 429)
  const { lines } = (await gateway.admin('/admin/usage/open')).body
  assert.deepEqual(lines.map(({ taskId }: { taskId: string }) => taskId).sort(), ids.toSorted())
  assert.deepEqual(lines[0].units[0], { unit: 'images', units: 1, costMicros: 40_000 })
  assert.equal(lines[0].target, 'cloud#1')
  const settle = (id: string | undefined, outcome: string) =>
    gateway.admin(`/admin/usage/open/${id}/settle`, { method: 'POST', body: { outcome } })
  assert.equal((await settle(ids[0], 'charge')).status, 200)
  assert.equal((await settle(ids[1], 'release')).status, 200)
  assert.equal((await settle(ids[1], 'release')).status, 404)
  const seen = await usageOf(gateway)
  assert.deepEqual([seen.quotas[0].used, seen.quotas[0].held], [0.04, 0])
  assert.equal((await submit(gateway)).status, 200)
})

test('prices are shown in the list of models, and invalid quotas are refused with their line', async () => {
  await using gateway = await startTestGateway({ drivers: [pictures(), text], yaml: yaml() })
  const { data } = (await gateway.call('/v1/models', { key })).body
  const priceOf = (id: string) => data.find((model: { id: string }) => model.id === id).price
  assert.deepEqual(priceOf('cloud'), { currency: 'EUR', image: 0.04 })
  assert.deepEqual(priceOf('talk'), { currency: 'EUR', million_input_tokens: 1, million_output_tokens: 10 })
  assert.equal(priceOf('MaaS_ImgF_P'), undefined)
  await assert.rejects(startTestGateway({ drivers: [pictures(), text], yaml: yaml({ account: 'quotas: { images: 10/week }' }) }), {
    message: /line 5: .*quota of images is "10\/week"; it must be a whole number like 1000\/day/,
  })
})

test('limits of keys and accounts can be set while the gateway runs', async () => {
  await using gateway = await startTestGateway({ drivers: [pictures(), text], yaml: yaml() })
  const { body } = await gateway.admin('/admin/keys', {
    method: 'POST',
    body: { account: 'acme', name: 'made', quotas: ['images=1/day', 'cost=5/month'] },
  })
  const made = body.secret
  const first = await submit(gateway, { key: made })
  assert.equal(first.status, 200)
  assert.equal((await submit(gateway, { key: made })).status, 429)
  const limited = await gateway.admin(`/admin/keys/${body.key.id}/limits`, { method: 'POST', body: { quotas: ['images=2/day'] } })
  assert.deepEqual(limited.body.key.limits, { quotas: [{ unit: 'images', window: 'day', atMost: 2 }] })
  assert.equal((await submit(gateway, { key: made })).status, 200)
  assert.equal((await submit(gateway, { key: made })).status, 429)
  await gateway.admin('/admin/accounts', { method: 'POST', body: { id: 'default', rate_per_minute: 1 } })
  const { rates } = (await gateway.call('/v1/usage')).body
  assert.deepEqual(rates, [{ scope: 'account', requests_per_minute: 1 }])
  const over = await gateway.call('/v1/ai/default/imgf/image/generate', { body: { prompt: 'x' } })
  assert.equal(over.body.error.code, 'rate_limited')
  const wrong = await gateway.admin('/admin/keys', { method: 'POST', body: { account: 'acme', quotas: ['image=5/day'] } })
  assert.equal(wrong.status, 400)
})

test('a caller who disconnects before the counts arrive pays the amount held', async () => {
  const endless = fakeTextDriver('t', async function* (job) {
    yield { type: 'text', delta: 'hello' }
    await new Promise((_, reject) => job.signal.addEventListener('abort', () => reject(job.signal.reason)))
  })
  await using gateway = await startTestGateway({ drivers: [pictures(), endless], yaml: yaml({ own: ', quotas: { tokens: 5000/day } ' }) })
  const leaving = new AbortController()
  const answer = await fetch(`${gateway.url}/v1/ai/studio/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'talk', stream: true, max_completion_tokens: 400, n: 1, messages: [{ role: 'user', content: 'hi' }] }),
    signal: leaving.signal,
  })
  await answer.body?.getReader().read()
  leaving.abort()
  const { used, held } = await until(async () => {
    const [tokens] = (await usageOf(gateway)).quotas
    return tokens.held === 0 ? tokens : undefined
  }, 'the end of the hold')
  assert.ok(used >= 400, `${used} tokens were counted, ${held} held`)
})

test('a background response whose target counts nothing costs the amount held', async () => {
  const silent = fakeTextDriver('t', () =>
    says('hello', { usage: { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0 } }),
  )
  const model = '  - { id: later, family: responses, targets: [{ driver: t }] }\n'
  await using gateway = await startTestGateway({
    drivers: [pictures(), silent],
    yaml: `${yaml({ own: ', quotas: { tokens: 5000/day } ' })}${model}`,
  })
  const body = { model: 'later', input: 'data:, say hello', background: true, max_output_tokens: 400 }
  const { status } = await gateway.call('/v1/ai/studio/responses', { key, body })
  assert.equal(status, 200)
  const { used } = await until(async () => {
    const [tokens] = (await usageOf(gateway)).quotas
    return tokens.held === 0 ? tokens : undefined
  }, 'the end of the hold')
  assert.ok(used > 400 && used < 450, `${used} tokens were counted`)
})

test('a duplicate quota is refused, and limits of the file cannot be changed elsewhere', async () => {
  await assert.rejects(startTestGateway({ drivers: [pictures(), text], yaml: yaml({ account: 'quotas: { images: [4/day, 10/day] }' }) }), {
    message: /quota of images a day stands here twice/,
  })
  await using gateway = await startTestGateway({ drivers: [pictures(), text], yaml: yaml() })
  const refused = await gateway.admin('/admin/accounts', { method: 'POST', body: { id: 'acme', quotas: ['cost=1/day'] } })
  assert.equal(refused.status, 409)
  await gateway.admin('/admin/accounts', { method: 'POST', body: { id: 'other', quotas: ['cost=1/day'] } })
  const { body } = await gateway.admin('/admin/accounts', { method: 'POST', body: { id: 'other', rate_per_minute: 60 } })
  assert.deepEqual(body.account.limits, { quotas: [{ unit: 'cost', window: 'day', atMost: 1 }], ratePerMinute: 60 })
})

test('simultaneous changes of one account are all kept', async () => {
  await using gateway = await startTestGateway({ drivers: [pictures(), text], yaml: yaml() })
  const change = (body: object) => gateway.admin('/admin/accounts', { body: { id: 'new', ...body } })
  // The first round opens the connections, so that the requests of the next ones arrive together.
  for (const round of [1, 2, 3]) {
    const changes = [{ name: `Name ${round}` }, { rate_per_minute: round }, { concurrent_tasks: round }]
    const answers = await Promise.all(changes.map(change))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    )
    const { accounts } = (await gateway.admin('/admin/accounts')).body
    const found = accounts.find(({ id }: { id: string }) => id === 'new')
    assert.deepEqual([found.name, found.limits], [`Name ${round}`, { ratePerMinute: round, concurrentTasks: round }])
  }
})
