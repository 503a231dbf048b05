import assert from 'node:assert/strict'
import { test } from 'node:test'
import { needPostgres } from '../../stores/postgres/testing/server.ts'
import { startTestNodes } from '../../testing/nodes.ts'

test('a task that one node accepts is read at another', needPostgres(18), async () => {
  await using started = await startTestNodes(2)
  const [one, other] = started.nodes
  assert.ok(one && other)
  const submitted = await one.call('/v1/ai/default/imgf/image/generate', { body: { prompt: 'a hill' } })
  assert.equal(submitted.status, 200, JSON.stringify(submitted.body))
  const { pathname, search } = new URL(submitted.body.polling_url)
  const seen = await other.call(pathname + search)
  assert.equal(seen.status, 200)
  assert.equal(seen.body.status, 'Pending')
})
