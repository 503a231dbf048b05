import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fakeTextDriver, fakeTextYaml, says } from '../../testing/fakes/fake-text-driver.ts'
import { startTestGateway } from '../../testing/gateway.ts'

const scoped = `
accounts:
  - id: acme
    keys: [{ name: narrow, secret: sk-narrow-key-000001, scopes: { families: [chat], models: [fake] } }]
    endpoints: [{ name: studio }]
`

test('a key lists the models that it may use, with and without an endpoint', async () => {
  const yaml = fakeTextYaml('t') + scoped
  await using gateway = await startTestGateway({ drivers: [fakeTextDriver('t', () => says('hello'))], yaml })
  const all = await gateway.call('/v1/models')
  assert.equal(all.status, 200)
  assert.equal(all.body.object, 'list')
  const ids = all.body.data.map((model: { id: string }) => model.id)
  assert.ok(ids.includes('fake') && ids.includes('smollm2-135m-instruct') && ids.includes('MaaS_ImgF_P'), ids.join(' '))
  const narrow = await gateway.call('/v1/ai/studio/models', { key: 'sk-narrow-key-000001' })
  assert.deepEqual(
    narrow.body.data.map((model: { id: string; available: boolean }) => [model.id, model.available]),
    [['fake', true]],
  )
  assert.deepEqual((await gateway.call('/v1/models', { key: 'sk-narrow-key-000001' })).body.data.length, 1)
})

test('one model is found by its id, and an unknown one is a 404 that names it', async () => {
  await using gateway = await startTestGateway({ drivers: [fakeTextDriver('t', () => says('hello'))], yaml: fakeTextYaml('t') })
  const one = await gateway.call('/v1/ai/default/models/fake')
  assert.equal(one.status, 200)
  assert.equal(one.body.id, 'fake')
  const missing = await gateway.call('/v1/models/gpt-nowhere')
  assert.equal(missing.status, 404)
  assert.equal(missing.body.error.code, 'model_not_found')
  assert.match(missing.body.error.message, /gpt-nowhere/)
})
