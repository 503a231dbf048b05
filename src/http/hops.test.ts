import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from '../testing/free-port.ts'
import { startTestGateway, type TestGateway, testKey } from '../testing/gateway.ts'
import { startRelayGateway } from '../testing/relay-gateway.ts'

const responses = { path: '/v1/ai/default/responses', body: { model: 'm', input: 'hi' } }
const chat = { path: '/v1/ai/default/chat/completions', body: { model: 'm', messages: [{ role: 'user', content: 'hi' }] } }

/** Returns free ports that all differ. */
async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) ports.add(await freePort())
  return [...ports]
}

/** Starts a gateway on this port whose only upstream is the gateway on the other port. */
function behind(port: number, upstreamPort: number): Promise<TestGateway> {
  const target = `{ driver: gateway, base_url: "http://127.0.0.1:${upstreamPort}", api_key: ${testKey} }`
  const yaml = `models:
  - { id: m, family: [chat, responses], targets: [${target}] }
  - { id: p, family: F1, group: P, targets: [${target}] }
  - { id: v, family: T1, group: tts-1, targets: [${target}] }
`
  return startTestGateway({ yaml, env: { PORT: String(port) } })
}

/** Returns how many requests of this operation the gateway has answered, according to its
 *  metrics. */
async function answered(gateway: TestGateway, operation: string): Promise<number> {
  const text = (await gateway.call('/metrics', { key: false })).bytes.toString()
  const counts = text.matchAll(new RegExp(`_duration_seconds_count\\{operation="${operation}",status="\\d+"\\} (\\d+)`, 'g'))
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
}

test('a request that has passed more than 8 gateways is refused with 508 in the shape of its family', async () => {
  await using own = await startRelayGateway()
  const { gateway, upstream } = own
  const send = (hops: string, { path, body }: typeof chat | typeof responses) =>
    gateway.call(path, { body, headers: { 'x-gateway-hops': hops } })
  const refused = await send('9', responses)
  assert.deepEqual(
    [refused.status, refused.body.error.code, refused.body.request_id],
    [508, 'loop_detected', refused.body.error.request_id],
  )
  assert.match(refused.body.error.message, /passed 9 gateways; at most 8/)
  const picture = await gateway.call('/v1/ai/default/imgf/image/generate', { body: { prompt: 'x' }, headers: { 'x-gateway-hops': '9' } })
  assert.deepEqual([picture.status, picture.body.detail], [508, picture.body.error.message])
  assert.deepEqual([(await send('many', responses)).status, upstream.received.length], [400, 0])
  for (const hops of ['1', '8']) {
    assert.equal((await send(hops, responses)).status, 200)
    assert.equal(upstream.received.at(-1)?.headers['x-gateway-hops'], String(Number(hops) + 1))
  }
  for (const call of [chat, responses]) {
    assert.equal((await gateway.call(call.path, { body: call.body })).status, 200)
    assert.equal(upstream.received.at(-1)?.headers['x-gateway-hops'], '1')
  }
})

test('a gateway that is its own upstream, directly or through a second one, forwards a request 8 times and then refuses it', async () => {
  const [port = 0, first = 0, second = 0] = await freePorts(3)
  await using own = await behind(port, port)
  await using one = await behind(first, second)
  await using two = await behind(second, first)
  for (const { path, body } of [responses, chat]) {
    const operation = path === chat.path ? 'chat.create' : 'responses.create'
    const direct = await own.call(path, { body })
    assert.deepEqual([direct.status, await answered(own, operation)], [508, 10], JSON.stringify(direct.body))
    const ring = await one.call(path, { body })
    assert.equal(ring.status, 508)
    assert.deepEqual([await answered(one, operation), await answered(two, operation)], [5, 5])
  }
})

test('runs in a ring of two gateways end after 8 hops: tasks fail, streams are refused, and nothing stays counted or held', async () => {
  const [first = 0, second = 0] = await freePorts(2)
  await using one = await behind(first, second)
  await using two = await behind(second, first)
  const body = { model: 'p', prompt: 'a ring', width: 64, height: 64 }
  const picture = await one.result((await one.call('/v1/ai/default/imgf/image/generate', { body })).body.polling_url)
  assert.equal(picture.status, 'Error', JSON.stringify(picture))
  assert.match(JSON.stringify(picture.details), /circle of gateways|loop/)
  const speech = await one.call('/v1/audio/speech', { body: { model: 'v', input: 'a ring', voice: 'alloy' } })
  assert.equal(speech.status, 508, speech.bytes.toString())
  for (const gateway of [one, two]) {
    const { tasks } = (await gateway.admin('/admin/tasks?limit=200')).body
    assert.ok(tasks.length >= 4 && tasks.length <= 12, String(tasks.length))
    assert.ok(
      tasks.every(({ state }: { state: string }) => state === 'failed'),
      JSON.stringify(tasks),
    )
    assert.deepEqual((await gateway.admin('/admin/usage/open')).body.lines, [])
    assert.deepEqual((await gateway.admin('/admin/usage?account=default')).body.usage, [])
  }
})
