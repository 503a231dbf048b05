/** The counts of three kinds of work: conversations that the gateway answers itself, tasks, and
 *  uploads that exceed the quota. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { once } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { TextEvent } from '@generation-gateway/kit/requests/text.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { donePixel, fakeImagesDriver } from '../testing/fakes/fake-driver.ts'
import { fakeTextDriver, says } from '../testing/fakes/fake-text-driver.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway.ts'
import { begin } from '../testing/relay-gateway.ts'

const key = 'sk-runs-key-00000001'
const none = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0 }
const words = (count: number): TextEvent[] => Array.from({ length: count }, () => ({ type: 'text', delta: 'a ' }))
const hangs = (signal: AbortSignal) => new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

function yaml(quotas: string): string {
  return `
accounts:
  - { id: acme, keys: [{ name: k, secret: ${key}, quotas: { ${quotas} } }], endpoints: [{ name: studio }] }
models:
  - { id: talk, family: [chat, responses], price: { million_input_tokens: 1, million_output_tokens: 10 }, targets: [{ driver: t }] }
  - { id: cloud, family: F1, group: KE, price: { image: 0.04 }, targets: [{ driver: p }] }
`
}

/** The driver also offers edits, because only a request with an input file is an upload. */
const pictures = fakeImagesDriver('p', { 'image.generate': once(donePixel), 'image.edit': once(donePixel) })

async function usedTokens(gateway: TestGateway): Promise<number> {
  const { used } = await until(async () => {
    const [quota] = (await gateway.call('/v1/usage', { key })).body.quotas
    return quota.held === 0 && quota.used > 0 ? quota : undefined
  }, 'the end of the hold')
  return used
}

async function ledgerTokens(gateway: TestGateway): Promise<number> {
  const { usage } = (await gateway.admin('/admin/usage?by=account&account=acme')).body
  const units = (name: string) => usage.find(({ unit }: { unit: string }) => unit === name)?.units ?? 0
  return units('input_tokens') + units('output_tokens')
}

function ask(gateway: TestGateway, fields: object) {
  return gateway.call('/v1/ai/studio/chat/completions', {
    key,
    body: { model: 'talk', messages: [{ role: 'user', content: 'hi' }], ...fields },
  })
}

test('an upstream without counts costs its output, and at least the held amount', async () => {
  const talk = fakeTextDriver('t', () => says('word '.repeat(3_000), { usage: none }))
  await using gateway = await startTestGateway({ drivers: [pictures, talk], yaml: yaml('tokens: 1000000/day') })
  assert.equal((await ask(gateway, { max_tokens: 5 })).status, 200)
  const used = await usedTokens(gateway)
  assert.ok(used >= 3_000, `${used}`)
  assert.equal(await ledgerTokens(gateway), used)
})

test('each of several answers counts: those that were counted, and those that a caller left behind', async () => {
  let runs = 0
  const talk = fakeTextDriver('t', async function* (job) {
    runs += 1
    if (runs === 1) return yield* says('done', { usage: { ...none, inputTokens: 7, outputTokens: 3 } })
    yield* words(2_000)
    await hangs(job.signal)
  })
  await using gateway = await startTestGateway({ drivers: [pictures, talk], yaml: yaml('tokens: 1000000/day') })
  const body = JSON.stringify({ model: 'talk', stream: true, n: 3, max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] })
  const answer = await begin(`${gateway.url}/v1/ai/studio/chat/completions`, { body, key })
  let text = ''
  for await (const chunk of answer.setEncoding('utf8')) {
    text += chunk
    if (text.split('"a "').length > 4_000) break
  }
  answer.destroy()
  const used = await usedTokens(gateway)
  assert.ok(used >= 4_003 && used < 4_100, `${used}`)
  assert.equal(await ledgerTokens(gateway), used)
})

test('the greatest possible amount of several answers is held, once', async () => {
  const talk = fakeTextDriver('t', () => says('x', { usage: { ...none, inputTokens: 1, outputTokens: 1 } }))
  await using gateway = await startTestGateway({ drivers: [pictures, talk], yaml: yaml('tokens: 1000/day') })
  assert.equal((await ask(gateway, { n: 4, max_tokens: 300 })).status, 429)
  assert.equal((await ask(gateway, { n: 4, max_tokens: 200 })).status, 200)
  assert.equal(await usedTokens(gateway), 8)
})

test('several answers that are all refused cost nothing', async () => {
  const talk = fakeTextDriver('t', async function* () {
    yield* []
    throw new GatewayError('invalid_request', 'no')
  })
  await using gateway = await startTestGateway({ drivers: [pictures, talk], yaml: yaml('tokens: 100000/day') })
  assert.equal((await ask(gateway, { n: 3 })).status, 400)
  const quota = await until(async () => {
    const [found] = (await gateway.call('/v1/usage', { key })).body.quotas
    return found.held === 0 ? found : undefined
  }, 'the end of the hold')
  assert.equal(quota.used, 0)
  assert.equal(await ledgerTokens(gateway), 0)
})

test('a background response that is cancelled, or whose upstream reports no counts, costs its output', async () => {
  let isStopped = false
  let isSaid = false
  const talk = fakeTextDriver('t', async function* (job) {
    if (isStopped) return yield* says('word '.repeat(5_000), { usage: none })
    yield* words(6_000)
    isSaid = true
    await hangs(job.signal)
  })
  await using gateway = await startTestGateway({ drivers: [pictures, talk], yaml: yaml('tokens: 1000000/day') })
  const create = { key, body: { model: 'talk', input: 'hi', background: true, max_output_tokens: 100 } }
  const { body: first } = await gateway.call('/v1/ai/studio/responses', create)
  const read = async (id: string) => (await gateway.call(`/v1/ai/studio/responses/${id}`, { key })).body
  await until(async () => isSaid && (await read(first.id)).status === 'in_progress', 'the run')
  await until(
    async () => (await gateway.call(`/v1/ai/studio/responses/${first.id}/cancel`, { key, method: 'POST' })).body.status === 'cancelled',
    'the end',
  )
  const cancelled = await usedTokens(gateway)
  assert.ok(cancelled >= 6_000, `${cancelled} of 6,000`)
  isStopped = true
  const { body: second } = await gateway.call('/v1/ai/studio/responses', create)
  await until(async () => (await read(second.id)).status === 'completed', 'the answer')
  await until(async () => (await usedTokens(gateway)) >= cancelled + 5_000, 'its count')
  assert.equal(await ledgerTokens(gateway), await usedTokens(gateway))
})

test('a request that a quota refuses stores no upload', async () => {
  const talk = fakeTextDriver('t', () => says('x'))
  await using gateway = await startTestGateway({ drivers: [pictures, talk], yaml: yaml('images: 1/day') })
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
  // Each file is different. Otherwise the store would find a file with the same hash and store
  // nothing new.
  const submit = (index: number, headers: Record<string, string> = {}) => {
    const input_image = Buffer.concat([png, Buffer.alloc(200_000, index + 1)]).toString('base64')
    return gateway.call('/v1/ai/studio/imgf/image/generate', { key, headers, body: { model: 'cloud', prompt: 'a fox', input_image } })
  }
  const blobs = () =>
    readdirSync(join(gateway.dataDir, 'blobs'), { recursive: true, withFileTypes: true }).filter(entry => entry.isFile()).length
  const first = await submit(0, { 'idempotency-key': 'once' })
  assert.equal(first.status, 200, JSON.stringify(first.body))
  const stored = blobs()
  for (let index = 1; index < 6; index += 1) assert.equal((await submit(index)).status, 429)
  assert.equal((await submit(6, { 'idempotency-key': 'other' })).status, 429)
  assert.equal((await submit(7, { 'idempotency-key': 'once' })).status, 409)
  assert.equal((await submit(0, { 'idempotency-key': 'once' })).body.id, first.body.id)
  const outputs = blobs() - stored
  assert.ok(outputs <= 1, `${outputs} files were stored beside the output of the first task`)
})

test('a stop ends running answers with an error, streamed or whole', async () => {
  let runs = 0
  const talk = fakeTextDriver('t', async function* (job) {
    runs += 1
    yield { type: 'text', delta: 'begun' }
    await hangs(job.signal)
  })
  await using gateway = await startTestGateway({ drivers: [pictures, talk], yaml: yaml('tokens: 1000000/day') })
  const body = (stream: boolean) => JSON.stringify({ model: 'talk', stream, messages: [{ role: 'user', content: 'hi' }] })
  const url = `${gateway.url}/v1/ai/studio/chat/completions`
  const streamed = await begin(url, { body: body(true), key })
  const whole = begin(url, { body: body(false), key })
  let text = ''
  streamed.setEncoding('utf8').on('data', chunk => {
    text += chunk
  })
  await until(() => text.includes('begun') && runs === 2, 'the first word, and the other run')
  await gateway.gateway.stop(200)
  await until(() => text.includes('[DONE]'), 'the end of the stream')
  assert.match(text, /"code":"draining".*\n\ndata: \[DONE\]\n\n$/s)
  const answer = await whole
  assert.equal(answer.statusCode, 503)
})
