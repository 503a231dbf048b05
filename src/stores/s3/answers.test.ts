/** What the store makes of single answers of a service. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openS3Store } from './open.ts'
import { startService } from './testing/service.ts'

test('the probe of a bucket that is silent ends after two seconds', async context => {
  const { bucket, directory } = await startService(context, () => {})
  const store = await openS3Store({ bucket, directory })
  const startedAt = performance.now()
  assert.match((await store.problem()) ?? '', /it makes no progress/)
  assert.ok(performance.now() - startedAt < 5_000, `${performance.now() - startedAt} ms`)
})
