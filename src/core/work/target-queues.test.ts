/** A target that hangs, or that allows few exchanges at a time, does not delay the other
 *  targets. */
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { jsonReply } from '../../testing/fakes/fake-upstream.ts'
import { type TestGateway, testKey } from '../../testing/gateway.ts'
import { relayYaml, startRelayGateway, upstreamKey } from '../../testing/relay-gateway.ts'

const chatPath = '/v1/ai/default/chat/completions'
const taskPath = '/v1/ai/default/imgf/image/generate'
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Returns a configuration with models of family F1 on one driver, each with its own target;
 *  `members` are further settings of the target. */
function imageYaml(targets: Record<string, { url: string; members?: string }>): string {
  const lines = Object.entries(targets).map(
    ([id, { url, members = '' }]) =>
      `  - { id: ${id}, family: F1, group: P, targets: [{ driver: openai-compatible, base_url: "${url}", api_key: ${upstreamKey}, model: up-1${members} }] }\n`,
  )
  return `models:\n${lines.join('')}`
}

/** Returns the number of open connections that the gateway reports, minus that of this request. */
async function connectionsOf(gateway: TestGateway): Promise<number> {
  const text = (await gateway.call('/metrics', { key: false, headers: { connection: 'close' } })).bytes.toString()
  return Number(/^gateway_connections (\d+)$/m.exec(text)?.[1]) - 1
}

test('seventy tasks of a target that hangs do not delay another target of the same driver', async () => {
  await using opened = await startRelayGateway((hung, well) => imageYaml({ hung: { url: hung! }, well: { url: well! } }), { count: 2 })
  const { gateway, upstreams } = opened
  const [hung, well] = upstreams
  hung!.answer(() => {})
  well!.answer(jsonReply({ created: 1, data: [{ b64_json: pixel }] }))
  const submit = (model: string) => gateway.call(taskPath, { body: { model, prompt: 'a lighthouse', width: 1024, height: 1024 } })
  const crowd = await Promise.all(Array.from({ length: 70 }, () => submit('hung')))
  for (const answer of crowd) assert.equal(answer.status, 200, JSON.stringify(answer.body))
  await until(() => hung!.received.length === 64, 'as many calls as one target gets')
  const { body } = await submit('well')
  await until(async () => (await gateway.call(body.polling_url)).body.status === 'Ready', 'the picture of the other target')
  assert.equal(hung!.received.length, 64)
})

test('max_concurrent limits tasks', async () => {
  await using opened = await startRelayGateway(url => imageYaml({ few: { url, members: ', max_concurrent: 2' } }))
  const { gateway, upstream } = opened
  const held: ServerResponse[] = []
  upstream.answer(response => {
    held.push(response)
  })
  const submit = () => gateway.call(taskPath, { body: { model: 'few', prompt: 'a lighthouse', width: 1024, height: 1024 } })
  const tasks = await Promise.all(Array.from({ length: 5 }, submit))
  const reply = jsonReply({ created: 1, data: [{ b64_json: pixel }] })
  for (let done = 0; done < 5; done += 1) {
    await until(() => held.length > done, 'the next call')
    assert.ok(held.length <= done + 2, `${held.length} calls while ${done} have ended`)
    reply(held[done]!, upstream.received[done]!)
  }
  for (const { body } of tasks) await until(async () => (await gateway.call(body.polling_url)).body.status === 'Ready', 'every picture')
})

test('max_concurrent limits relays: a call waits for its place, and leaves the queue with its caller', async () => {
  const limited = (url: string) => relayYaml([{ url }]).replace('order: 1', 'order: 1, max_concurrent: 1')
  await using opened = await startRelayGateway(limited)
  const { gateway, upstream } = opened
  const held: ServerResponse[] = []
  upstream.answer(response => {
    held.push(response)
  })
  const chat = (signal?: AbortSignal) =>
    fetch(new URL(chatPath, gateway.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${testKey}` },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hello' }] }),
      ...(signal ? { signal } : {}),
    })
  const answer = jsonReply({
    id: 'c',
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  })
  const first = chat()
  await until(() => held.length === 1, 'the first call')
  const left = new AbortController()
  const second = chat(left.signal)
  const third = chat()
  // All three requests must have reached the gateway before the second one is aborted. Otherwise
  // the second one would not be waiting for a place when its caller leaves.
  await until(async () => (await connectionsOf(gateway)) === 3, 'the connections of all three')
  left.abort()
  await assert.rejects(second)
  await until(async () => (await connectionsOf(gateway)) === 2, 'the end of the second')
  answer(held[0]!, upstream.received[0]!)
  assert.equal((await first).status, 200)
  await until(() => held.length === 2, 'the call behind it')
  answer(held[1]!, upstream.received[1]!)
  assert.equal((await third).status, 200)
  assert.equal(held.length, 2)
})

test('a relay uses a free target before it waits for a full one', async () => {
  await using opened = await startRelayGateway(
    (...urls) => relayYaml(urls.map(url => ({ url }))).replace('order: 1', 'order: 1, max_concurrent: 1'),
    { count: 2 },
  )
  const { gateway, upstreams } = opened
  const [busy, free] = upstreams
  busy!.answer(() => {})
  const body = { model: 'm', messages: [{ role: 'user', content: 'hello' }] }
  void gateway.call(chatPath, { body }).catch(() => {})
  await until(() => busy!.received.length === 1, 'the call that holds the place')
  assert.equal((await gateway.call(chatPath, { body })).status, 200)
  assert.equal(free!.received.length, 1)
})
