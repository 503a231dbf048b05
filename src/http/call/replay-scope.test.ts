/** An idempotency key gives the task of an earlier submit only to keys that may read this task. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { once } from '@generation-gateway/kit/driver.ts'
import { donePixel, fakeImageDriver } from '../../testing/fakes/fake-driver.ts'
import { startTestGateway } from '../../testing/gateway.ts'

test('a key cannot get a task of a model outside of its scopes with the Idempotency-Key of another key', async () => {
  await using gateway = await startTestGateway({
    drivers: [fakeImageDriver('p', once(donePixel))],
    yaml: `models:
  - { id: first, family: F1, group: P, targets: [{ driver: p }] }
  - { id: second, family: F1, group: P, targets: [{ driver: p }] }
`,
  })
  const made = (name: string, models: string[]) => gateway.admin('/admin/keys', { body: { account: 'default', name, models } })
  const keyOf = async (name: string, models: string[]): Promise<string> => String((await made(name, models)).body.secret)
  const [one, other, both] = [await keyOf('a', ['first']), await keyOf('b', ['second']), await keyOf('c', ['second', 'first'])]
  const route = async (model: string) => {
    const body = { account: 'default', name: 'moving', routes: [`F1=${model}`] }
    assert.equal((await gateway.admin('/admin/endpoints', { body })).status, 200)
  }
  const submit = (key: string) =>
    gateway.call('/v1/ai/moving/imgf/image/generate', { key, body: { prompt: 'a kite' }, headers: { 'idempotency-key': 'same' } })
  await route('first')
  const first = await submit(one)
  assert.equal(first.status, 200, first.bytes.toString())
  await gateway.admin('/admin/endpoints/default/moving', { method: 'DELETE' })
  await route('second')
  const foreign = await submit(other)
  assert.equal(foreign.status, 409, foreign.bytes.toString())
  assert.doesNotMatch(foreign.bytes.toString(), new RegExp(`${first.body.id}|first`))
  assert.equal((await submit(both)).body.id, first.body.id)
})
