/** Tests the lists of models for clients of Anthropic through the whole program. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertDocumented } from '../../testing/documented.ts'
import { gateway, startBeforeTests } from '../../testing/fakes/scripted-model.ts'
import { testKey } from '../../testing/gateway.ts'

startBeforeTests()

test("Anthropic's clients get models in Anthropic's shape, others in OpenAI's", async () => {
  const headers = { 'anthropic-version': '2023-06-01', 'x-api-key': testKey }
  const all = await gateway.call('/v1/models', { headers, key: false })
  assertDocumented('listMessagesModels', all)
  assert.ok(all.body.data.some(({ id, type }: { id: string; type: string }) => id === 'fake' && type === 'model'))
  const first = await gateway.call('/v1/models?limit=1', { headers })
  assert.deepEqual([first.body.data.length, first.body.has_more], [1, true])
  const second = await gateway.call(`/v1/models?limit=1&after_id=${first.body.last_id}`, { headers })
  assert.notEqual(second.body.first_id, first.body.first_id)
  const back = await gateway.call(`/v1/models?limit=1&before_id=${second.body.first_id}`, { headers })
  assert.equal(back.body.first_id, first.body.first_id)
  const one = await gateway.call('/v1/models/fake', { headers })
  assertDocumented('getMessagesModel', one)
  assert.equal(one.body.display_name, 'fake')
  const missing = await gateway.call('/v1/models/nothing', { headers })
  assert.deepEqual([missing.status, missing.body.error.type], [404, 'not_found_error'])
  assert.equal((await gateway.call('/v1/models?after_id=nothing', { headers })).status, 400)
  assert.equal((await gateway.call('/v1/models')).body.object, 'list')
  assert.equal((await gateway.call('/v1/models/fake')).body.object, 'model')
})
