import assert from 'node:assert/strict'
import type { OutgoingHttpHeaders } from 'node:http'
import { after, before, test } from 'node:test'
import { once } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { createFakeClock } from '../../testing/clock.ts'
import { donePixel, fakeImageDriver, fakeModelYaml } from '../../testing/fakes/fake-driver.ts'
import { startTestGateway, type TestGateway, testKey } from '../../testing/gateway.ts'
import { exchange } from '../../testing/relay-gateway.ts'

/** Every poll is sent in several variants, each of which changes how some step of the request
 *  runs. All variants must get the same answer. */
const keys = `accounts:
  - id: default
    keys:
      - { name: family, secret: sk-family-0000001, scopes: { families: [chat] } }
      - { name: endpoint, secret: sk-endpoint-00001, scopes: { endpoints: [studio] } }
      - { name: slow, secret: sk-slow-polls-0001, rate_per_minute: 1 }
    endpoints: [{ name: studio, routes: { F1: {} } }, { name: talk, routes: { chat: {} } }]
  - id: other
    keys: [{ name: other, secret: sk-other-account-1 }]
    endpoints: [{ name: default, routes: { F1: {} } }]
`
const clock = createFakeClock()
let gateway: TestGateway
let letGo = () => {}
const held = new Promise<void>(resolve => {
  letGo = resolve
})

before(async () => {
  const driver = fakeImageDriver(
    'p',
    once(async job => {
      if (job.request.prompt === 'fail') throw new GatewayError('content_moderated', 'No.', { reasons: ['Violence'] })
      if (job.request.prompt === 'wait') await held
      return donePixel(job)
    }),
  )
  gateway = await startTestGateway({ drivers: [driver], yaml: keys + fakeModelYaml('p'), clock })
})
after(() => gateway[Symbol.asyncDispose]())

const pathOf = (id: string, endpoint = 'default') => `/v1/ai/${endpoint}/imgf/get_result?id=${id}`

async function submit(prompt: string): Promise<string> {
  const { body } = await gateway.call('/v1/ai/default/imgf/image/generate', { body: { prompt, model: 'fake', seed: 5 } })
  return body.id
}

/** Request headers of the variants. The first variant is an ordinary request. */
const ways: OutgoingHttpHeaders[] = [{}, { 'x-client-request-id': 'mine' }, { 'idempotency-key': 'k' }, { 'x-gateway-hops': '1' }]

/** Sends the poll in all variants, checks that the answers are the same, and returns that
 *  answer. Ids and the end of a link's signature always differ, so they are removed. */
async function poll(path: string, key = testKey) {
  // The first poll fills the cache of keys and endpoints.
  await exchange(gateway.url + path, { method: 'GET', key })
  const [ordinary, ...others] = await Promise.all(
    ways.map(async headers => {
      const { status, headers: got, text } = await exchange(gateway.url + path, { method: 'GET', key, headers })
      assert.match(String(got['x-request-id']), /^[\w-]{36}$/)
      const { date: _date, 'x-request-id': id, 'x-client-request-id': _mine, ...rest } = got
      return { status, headers: rest, text: text.replaceAll(String(id), 'ID') }
    }),
  )
  for (const other of others) assert.deepEqual(ordinary, other)
  return { status: ordinary?.status, body: JSON.parse(ordinary?.text ?? '') }
}

test('polls on the fast and the slow path give the same answer: waiting, ready, failed', async () => {
  const waiting = await submit('wait')
  assert.deepEqual((await poll(pathOf(waiting))).body.status, 'Pending')
  letGo()
  assert.equal((await gateway.result(pathOf(waiting))).status, 'Ready')
  assert.equal((await poll(pathOf(waiting))).body.status, 'Ready')
  const failed = await submit('fail')
  await gateway.result(pathOf(failed))
  const { status, body } = await poll(pathOf(failed))
  assert.deepEqual([status, body.status, body.details['Moderation Reasons']], [200, 'Content Moderated', ['Violence']])
})

test('each poll returns a link for ten minutes from then on, at the host that was called', async () => {
  const id = await submit('x')
  await gateway.result(pathOf(id))
  for (let step = 0; step < 3; step++) {
    const { sample } = (await poll(pathOf(id))).body.result
    assert.ok(sample.startsWith(`${gateway.url}/files/`))
    assert.equal(Number(new URL(sample).searchParams.get('exp')), Math.ceil((clock.now() + 600_000) / 1000))
    assert.equal((await fetch(sample)).status, 200)
    clock.step(500_000)
    assert.equal((await fetch(sample)).status, 200)
    clock.step(101_000)
    assert.equal((await fetch(sample)).status, 410)
  }
  const named = await exchange(gateway.url + pathOf(id), { method: 'GET', headers: { host: 'pictures.example:99' } })
  assert.match(JSON.parse(named.text).result.sample, /^http:\/\/pictures\.example:99\/files\//)
  const unnamed = await exchange(gateway.url + pathOf(id), { method: 'GET', headers: { host: 'a/b' } })
  assert.equal(unnamed.status, 400)
})

test('a task that the caller may not see is refused as on the slow path', async () => {
  const id = await submit('x')
  const refusals: [path: string, key: string | undefined, status: number][] = [
    [pathOf(id, 'studio'), undefined, 404],
    [pathOf(id, 'talk'), undefined, 404],
    [pathOf(id, 'none'), undefined, 404],
    [pathOf(id), 'sk-other-account-1', 404],
    [pathOf(id), 'sk-family-0000001', 403],
    [pathOf(id), 'sk-endpoint-00001', 403],
    [pathOf(id), 'sk-nobody-000000001', 401],
    [pathOf('nothing'), undefined, 404],
    [pathOf('%2e'), undefined, 404],
    [pathOf(''), undefined, 422],
    [pathOf('a'.repeat(201)), undefined, 422],
    [`${pathOf(id)}/`, undefined, 404],
  ]
  for (const [path, key, status] of refusals) assert.equal((await poll(path, key)).status, status, `${path} ${key}`)
  for (const path of [pathOf(id, 'a/b'), `/v1/ai/default/x/imgf/get_result?id=${id}`]) assert.equal((await poll(path)).status, 404)
})

test('polls do not count against the rate limit, and are refused when the key ends', async () => {
  const id = await submit('x')
  for (let count = 0; count < 3; count++) assert.equal((await poll(pathOf(id), 'sk-slow-polls-0001')).status, 200)
  const made = await gateway.admin('/admin/keys', { body: { account: 'default', name: 'short' } })
  assert.equal((await poll(pathOf(id), made.body.secret)).status, 200)
  await gateway.admin(`/admin/keys/${made.body.key.id}`, { method: 'DELETE' })
  assert.equal((await poll(pathOf(id), made.body.secret)).status, 401)
})
